// Objectives that use random numbers or learn parameters in each round. Compares the
// target probabilities of xendcg with a plain implementation, and the bounds of ordinal
// with an independent search.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/random.h"
#include "core/base/serial_host.h"
#include "core/objective/evaluate.h"
#include "core/objective/ordinal.h"
#include "core/objective/softmax.h"
#include "core/objective/xendcg.h"
#include "draw.h"
#include "objective_case.h"
#include "thread_host.h"

using objective_case::Case;
using objective_case::Evaluated;
using objective_case::Kind;
using objective_case::make_case;
namespace objective = rankmix::objective;

namespace {

Case case_without_weights(unsigned seed, bool tied) {
  Kind kind;
  kind.seed = seed;
  kind.weights = false;
  kind.tied_scores = tied;
  Case data = make_case(kind);
  data.shifts.clear();
  return data;
}

Evaluated in_round(const Case& data, std::size_t round) {
  objective::Xendcg on;
  ThreadHost host(1);
  const auto stream = rankmix::random_stream(11, rankmix::Purpose::kObjective, round);
  on.begin_round({round, stream}, data.documents(), data.scores, host);
  return objective_case::evaluate(on, data, data.scores);
}

std::uint64_t mixed(std::uint64_t stream, double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  return rankmix::mix_bits(stream ^ bits);
}

// Gradients by plain target probabilities. Documents are sorted by score, then gain. Tied
// documents get the mean of the random numbers of their ranks. The scores in single precision
// choose the random numbers.
std::vector<double> plain_gradients(const Case& data, std::uint64_t stream) {
  std::vector<double> gradient(data.rows(), 0.0);
  for (std::size_t q = 0; q < data.queries(); ++q) {
    std::vector<std::size_t> rows;
    for (int i = data.offsets[q]; i < data.offsets[q + 1]; ++i) {
      rows.push_back(static_cast<std::size_t>(i));
    }
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return data.scores[a] != data.scores[b] ? data.scores[a] > data.scores[b]
                                              : data.targets[a] < data.targets[b];
    });
    std::uint64_t of_query = stream;
    double lowest = 1e300;
    double highest = -1.0;
    for (std::size_t i : rows) {
      const auto rounded = static_cast<double>(static_cast<float>(data.scores[i]));
      of_query = mixed(mixed(of_query, rounded + 0.0), data.targets[i]);
      lowest = std::min(lowest, data.targets[i]);
      highest = std::max(highest, data.targets[i]);
    }
    if (lowest == highest) {
      continue;
    }
    std::vector<double> fraction(rows.size());
    double fractions = 0.0;
    double exponentials = 0.0;
    for (std::size_t a = 0; a < rows.size(); ++a) {
      double drawn = 0.0;
      double tied = 0.0;
      for (std::size_t b = 0; b < rows.size(); ++b) {
        if (data.scores[rows[a]] == data.scores[rows[b]] &&
            data.targets[rows[a]] == data.targets[rows[b]]) {
          drawn += rankmix::unit_uniform(rankmix::mix_bits(of_query ^ b));
          tied += 1.0;
        }
      }
      fraction[a] = data.targets[rows[a]] + 1.0 - drawn / tied;
      fractions += fraction[a];
      exponentials += std::exp(data.scores[rows[a]]);
    }
    for (std::size_t a = 0; a < rows.size(); ++a) {
      gradient[rows[a]] =
          data.query_weights[q] *
          (std::exp(data.scores[rows[a]]) / exponentials - fraction[a] / fractions);
    }
  }
  return gradient;
}

// Minus the log-likelihood that ordinal maximises, by the formula.
double plain_loss(const Case& data, const std::vector<double>& bounds) {
  double sum = 0.0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
      const auto i = static_cast<std::size_t>(row);
      const double score = data.scores[i] + (data.shifts.empty() ? 0.0 : data.shifts[i]);
      const auto at_least = [&](int grade) {
        return grade <= 0 ? 1.0
               : grade > 4
                   ? 0.0
                   : 1.0 / (1.0 + std::exp(bounds[std::size_t(grade) - 1] - score));
      };
      const double weight = data.query_weights[q] * data.weights[i];
      if (weight > 0.0) {
        sum -= weight * std::log(at_least(data.grades[i]) - at_least(data.grades[i] + 1));
      }
    }
  }
  return sum;
}

}  // namespace

TEST_CASE(
    "target probabilities of xendcg follow the formula, tied documents get the mean") {
  for (bool tied : {false, true}) {
    for (std::size_t round : {std::size_t{0}, std::size_t{5}}) {
      const Case data = case_without_weights(12, tied);
      const Evaluated found = in_round(data, round);
      const std::vector<double> plain = plain_gradients(
          data, rankmix::random_stream(11, rankmix::Purpose::kObjective, round));
      double differs = 0.0;
      for (std::size_t i = 0; i < data.rows(); ++i) {
        differs = std::max(differs, std::abs(found.gradient[i] - plain[i]));
      }
      // Target probabilities are fractions of sums of at most 20 terms. Weights are at
      // most 1.5.
      CHECK(differs <= 1e-13);
    }
  }
}

TEST_CASE("with fixed target probabilities, xendcg is softmax") {
  const Case data = case_without_weights(13, false);
  const objective::Softmax softmax;
  const Evaluated drawn = in_round(data, 3);
  const std::vector<double> plain =
      plain_gradients(data, rankmix::random_stream(11, rankmix::Purpose::kObjective, 3));
  // Targets that give softmax the same target probabilities as the random ones.
  Case given = data;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    double exponentials = 0.0;
    for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
      exponentials += std::exp(data.scores[std::size_t(row)]);
    }
    for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
      const auto i = static_cast<std::size_t>(row);
      const double weight = data.query_weights[q];
      const bool counts = weight > 0.0 && data.targets[i] >= 0.0;
      given.targets[i] =
          counts
              ? std::max(0.0, std::exp(data.scores[i]) / exponentials - plain[i] / weight)
              : 0.0;
    }
  }
  const Evaluated as_softmax = objective_case::evaluate(softmax, given, data.scores);
  for (std::size_t q = 0; q < data.queries(); ++q) {
    bool differ = false;
    for (int row = data.offsets[q] + 1; row < data.offsets[q + 1]; ++row) {
      differ =
          differ || data.grades[std::size_t(row)] != data.grades[std::size_t(row) - 1];
    }
    for (int row = data.offsets[q]; row < data.offsets[q + 1] && differ; ++row) {
      const auto i = static_cast<std::size_t>(row);
      CHECK(std::abs(as_softmax.gradient[i] - drawn.gradient[i]) <= 1e-12);
      CHECK(std::abs(as_softmax.hessian[i] - drawn.hessian[i]) <= 1e-12);
    }
  }
}

TEST_CASE("rounds of xendcg differ, and their mean is the expected target probability") {
  for (bool tied : {false, true}) {
    const Case data = case_without_weights(14, tied);
    constexpr int rounds = 2000;
    std::vector<double> sum(data.rows(), 0.0);
    std::vector<double> squares(data.rows(), 0.0);
    for (int r = 0; r < rounds; ++r) {
      const Evaluated out = in_round(data, static_cast<std::size_t>(r));
      for (std::size_t i = 0; i < data.rows(); ++i) {
        sum[i] += out.gradient[i];
        squares[i] += out.gradient[i] * out.gradient[i];
      }
    }
    // Repeats this with another random number generator, and one number for each
    // document.
    std::mt19937_64 random(15);
    draw::Uniform<double> uniform(0.0, 1.0);
    std::vector<double> other(data.rows(), 0.0);
    std::vector<double> other_squares(data.rows(), 0.0);
    for (int r = 0; r < rounds; ++r) {
      for (std::size_t q = 0; q < data.queries(); ++q) {
        std::vector<double> fraction;
        double fractions = 0.0;
        double exponentials = 0.0;
        for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
          const auto i = static_cast<std::size_t>(row);
          fraction.push_back(std::ldexp(1.0, data.grades[i]) - uniform(random));
          fractions += fraction.back();
          exponentials += std::exp(data.scores[i]);
        }
        for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
          const auto i = static_cast<std::size_t>(row);
          const double gradient =
              data.query_weights[q] *
              (std::exp(data.scores[i]) / exponentials -
               fraction[static_cast<std::size_t>(row - data.offsets[q])] / fractions);
          other[i] += gradient;
          other_squares[i] += gradient * gradient;
        }
      }
    }
    double largest = 0.0;
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const auto variance = [](double s, double s2) {
        return (s2 - s * s / rounds) / rounds;
      };
      const double both =
          variance(sum[i], squares[i]) + variance(other[i], other_squares[i]);
      if (variance(sum[i], squares[i]) > 1e-12) {
        ++drawn;
        largest = std::max(
            largest, std::abs(sum[i] - other[i]) / rounds / std::sqrt(both / rounds));
      }
    }
    CHECK(drawn > 100);
    CHECK(largest < 4.5);  // some 200 normal numbers: p = .001
  }
}

TEST_CASE("the bounds of ordinal maximise the likelihood, and are its state") {
  Kind kind;
  kind.seed = 16;
  const Case data = make_case(kind);
  objective::Ordinal on;
  ThreadHost host(2);
  for (std::size_t round = 0; round < 2; ++round) {
    on.begin_round({round, 0}, data.documents(), data.scores, host);
    const std::vector<double> state = on.state();
    CHECK(state.size() == 8);
    std::vector<double> bounds;
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(state[2 * k] == static_cast<double>(k + 1));
      bounds.push_back(state[2 * k + 1]);
    }
    const double least = plain_loss(data, bounds);
    const double value = objective_case::evaluate(on, data, data.scores).value;
    CHECK(std::abs(value - least) <= 1e-12 * least);
    for (std::size_t k = 0; k < 4; ++k) {
      for (double move : {-1e-3, 1e-3}) {
        std::vector<double> moved = bounds;
        moved[k] += move;
        CHECK(plain_loss(data, moved) > least);
      }
    }
  }
  objective::Ordinal again;
  again.set_state(on.state());
  CHECK(objective_case::evaluate(again, data, data.scores).gradient ==
        objective_case::evaluate(on, data, data.scores).gradient);
  objective::Ordinal early;
  CHECK_THROWS_AS(objective_case::evaluate(early, data, data.scores),
                  rankmix::InvalidArgument);
}

// Counts the calls of parallel_for(): one for a Newton step, two for a value.
class CountingHost : public rankmix::SerialHost {
 public:
  void parallel_for(std::size_t count,
                    const rankmix::FunctionRef<void(std::size_t)>& task) override {
    ++calls;
    SerialHost::parallel_for(count, task);
  }
  std::size_t calls = 0;
};

TEST_CASE("rounding errors of the likelihood do not slow down the bounds of ordinal") {
  Kind kind;
  kind.seed = 18;
  kind.queries = 1000;  // with some 20,000 documents
  kind.longest = 40;
  Case data = make_case(kind);
  REQUIRE(data.rows() >= rankmix::kLightRows);
  objective::Ordinal on;
  CountingHost host;
  std::size_t most = 0;
  for (std::size_t round = 0; round < 30; ++round) {
    host.calls = 0;
    on.begin_round({round, 0}, data.documents(), data.scores, host);
    most = std::max(most, host.calls);
    // For some of these changes, rounding errors hide the decrease.
    const double times = 1.0 + std::ldexp(1.0, -static_cast<int>(round));
    for (double& score : data.scores) {
      score *= times;
    }
  }
  CHECK(most < 60);  // some seven steps at most
}

TEST_CASE("for equal scores the bounds of ordinal are the logits of grade fractions") {
  Case data = case_without_weights(17, false);
  data.scores.assign(data.rows(), 0.7);
  data.query_weights.assign(data.queries(), 1.0);
  std::vector<double> counts(5, 0.0);
  for (int& grade : data.grades) {
    grade = grade == 3 ? 4 : grade;  // no document has grade 3
    counts[static_cast<std::size_t>(grade)] += 1.0;
  }
  objective::Ordinal on;
  ThreadHost host(1);
  on.begin_round({0, 0}, data.documents(), data.scores, host);
  const std::vector<double> state = on.state();
  const std::vector<double> grades{1.0, 2.0, 4.0};
  CHECK(state.size() == 6);
  double below = 0.0;
  double last = 0.0;
  const auto all = static_cast<double>(data.rows());
  for (std::size_t k = 0; k < 3; ++k) {
    below += k == 0 ? counts[0] : counts[static_cast<std::size_t>(last)];
    last = grades[k];
    CHECK(state[2 * k] == grades[k]);
    CHECK(std::abs(state[2 * k + 1] - 0.7 - std::log(below / (all - below))) <= 1e-9);
  }
}

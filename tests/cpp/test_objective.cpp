// Properties that every objective must have, tested in loops over all objectives.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/metric/factory.h"
#include "core/objective/evaluate.h"
#include "core/objective/list_mle.h"
#include "core/objective/ordinal.h"
#include "core/objective/pairwise.h"
#include "core/objective/query_squared.h"
#include "core/objective/smooth.h"
#include "core/objective/softmax.h"
#include "core/objective/squared.h"
#include "core/objective/xendcg.h"
#include "draw.h"
#include "objective_case.h"
#include "thread_host.h"

using objective_case::Case;
using objective_case::Evaluated;
using objective_case::Kind;
using objective_case::make_case;
using rankmix::InvalidArgument;
using rankmix::View;
using rankmix::objective::PairLoss;
namespace objective = rankmix::objective;

namespace {

struct Entry {
  std::string name;
  std::unique_ptr<objective::Objective> objective;
  // A bound of the third and fourth derivatives of the objective, along directions of
  // length at most 1, in any query of the cases. The other part of the error of a finite
  // difference is rounding.
  double third = 0.0;
  bool smooth_at_ties = true;  // gradients are also correct for equal scores
  bool same_targets = true;    // random targets do not depend on the scores
  bool any_constant = false;   // bounds change with the scores
};

void add_smooth_metrics(std::vector<Entry>& all) {
  using rankmix::metric::kWholeList;
  for (const char* name : {"ndcg", "average_precision", "err", "success"}) {
    for (std::size_t k : {std::size_t{3}, kWholeList}) {
      // A derivative of exp(-d^2 / sigma) has a factor of 2 d / sigma. For d above 3
      // sqrt(sigma) the derivative is almost 0.
      const double sigma = 0.1;
      all.push_back(
          {std::string("smooth ") + name + (k == 3 ? "@3" : ""),
           std::make_unique<objective::Smooth>(
               objective_case::metric_named(name, k),
               objective::SmoothOptions{{sigma}, objective::SmoothForm::kRanks}),
           std::pow(6.0 / std::sqrt(sigma), 3.0), false});
    }
  }
  // Each derivative of a logistic function has a factor of 1 / sigma.
  const double sigma = 0.3;
  all.push_back({"smooth average precision, logistic",
                 std::make_unique<objective::Smooth>(
                     objective_case::metric_named("average_precision", kWholeList),
                     objective::SmoothOptions{{sigma}, objective::SmoothForm::kLogistic}),
                 std::pow(2.0 / sigma, 3.0)});
}

std::vector<Entry> all_objectives() {
  std::vector<Entry> all;
  all.push_back({"squared", std::make_unique<objective::Squared>()});
  all.push_back({"softmax", std::make_unique<objective::Softmax>(), 1.0});
  // The bound of softmax for each of at most 20 documents with weights below 1.5.
  all.push_back({"list MLE", std::make_unique<objective::ListMle>(), 30.0});
  all.push_back({"query squared", std::make_unique<objective::QuerySquared>()});
  // Two logistic functions, each with a second derivative below 0.1.
  all.push_back({"ordinal", std::make_unique<objective::Ordinal>(), 0.3});
  const std::vector<double> bounds{1.0, -1.0, 2.0, -0.25, 3.0, 0.5, 4.0, 2.0};
  all.back().objective->set_state(bounds);
  all.back().any_constant = true;
  all.push_back({"xendcg", std::make_unique<objective::Xendcg>(), 1.0});
  all.back().same_targets = false;
  for (PairLoss loss : {PairLoss::kLogistic, PairLoss::kHinge, PairLoss::kSquaredHinge,
                        PairLoss::kSmoothHinge}) {
    for (bool alike : {false, true}) {
      const char* names[] = {"logistic", "hinge", "squared hinge", "smooth hinge"};
      // 1/8 for each of at most 20 pairs, with weights below 1.5^2, or with a total
      // weight of 1.
      const double third = loss == PairLoss::kLogistic ? (alike ? 0.125 : 6.0) : 0.0;
      all.push_back(
          {std::string(names[static_cast<int>(loss)]) + (alike ? ", alike" : ""),
           std::make_unique<objective::Pairwise>(
               objective::PairwiseOptions{loss, alike, 1.0, 0.2}),
           third});
    }
  }
  add_smooth_metrics(all);
  return all;
}

Case case_for(const Entry& entry, unsigned seed, bool tied_scores = true) {
  Kind kind;
  kind.seed = seed;
  kind.weights = entry.objective->traits().takes_weights;
  kind.tied_scores = tied_scores;
  return make_case(kind);
}

void report(bool good, const Entry& entry, const char* what, double left, double right) {
  if (!good) {
    std::printf("%s: %s: %.17g against %.17g\n", entry.name.c_str(), what, left, right);
  }
  CHECK(good);
}

// The step h of a finite difference (f(x + h) - f(x - h)) / 2h. Its error is at most h^2
// / 6 times the third derivative, plus eps |f| / h for a sum f of rounded terms.
const double kStep = std::cbrt(std::numeric_limits<double>::epsilon());
constexpr double kTerms = 64.0;  // roundings of a term of f

double allowed(double third, double magnitude) {
  return kStep * kStep / 6.0 * third +
         kTerms * std::numeric_limits<double>::epsilon() * magnitude / kStep;
}

// The objective of one query along a line of scores.
class AlongLine {
 public:
  AlongLine(const objective::Objective& on, const Case& data, std::size_t query,
            std::vector<double> direction)
      : on_(on), data_(data), direction_(std::move(direction)) {
    list_.push_back(static_cast<int>(query));
  }
  Evaluated at(double step) const {
    std::vector<double> scores = data_.scores;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] += step * direction_[i];
    }
    ThreadHost host(1);
    Evaluated out;
    out.gradient.assign(data_.rows(), 0.0);
    out.hessian.assign(data_.rows(), 0.0);
    out.value = objective::evaluate_queries(
        on_, data_.documents(), scores, list_, host,
        {{out.gradient.data(), data_.rows()}, {out.hessian.data(), data_.rows()}});
    return out;
  }

 private:
  const objective::Objective& on_;
  const Case& data_;
  std::vector<double> direction_;
  std::vector<int> list_;
};

double largest(const std::vector<double>& x) {
  double most = 0.0;
  for (double value : x) {
    most = std::max(most, std::abs(value));
  }
  return most;
}

std::vector<double> unit_vector(std::size_t size, std::size_t at) {
  std::vector<double> e(size, 0.0);
  e[at] = 1.0;
  return e;
}

// Compares gradients with differences of values. Compares the hessian with differences
// of gradients if the hessian is the second derivative.
void check_document(const Entry& entry, const Case& data, std::size_t q, std::size_t row,
                    const Evaluated& here) {
  const AlongLine line(*entry.objective, data, q, unit_vector(data.rows(), row));
  const Evaluated above = line.at(kStep);
  const Evaluated below = line.at(-kStep);
  const double gradient = (above.value - below.value) / (2.0 * kStep);
  const double third = entry.third * data.query_weights[q];
  report(std::abs(gradient - here.gradient[row]) <=
             allowed(third, std::abs(above.value) + std::abs(below.value)),
         entry, "slope", here.gradient[row], gradient);
  if (entry.objective->traits().hessian == objective::HessianKind::kNewton) {
    const double hessian = (above.gradient[row] - below.gradient[row]) / (2.0 * kStep);
    report(std::abs(hessian - here.hessian[row]) <=
               allowed(third, largest(above.gradient) + largest(below.gradient)),
           entry, "curvature", here.hessian[row], hessian);
  }
}

void check_product(const Entry& entry, const Case& data, const std::vector<double>& v) {
  ThreadHost host(2);
  std::vector<double> product(data.rows(), -7.0);
  objective::multiply_hessian(*entry.objective, data.documents(), data.scores, v, host,
                              {product.data(), product.size()});
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const AlongLine line(*entry.objective, data, q, v);
    const Evaluated above = line.at(kStep);
    const Evaluated below = line.at(-kStep);
    const double third =
        entry.third * data.query_weights[q] * std::pow(2.0 * largest(v), 3.0);
    for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
      const auto i = static_cast<std::size_t>(row);
      const double difference = (above.gradient[i] - below.gradient[i]) / (2.0 * kStep);
      report(std::abs(difference - product[i]) <=
                 allowed(third, largest(above.gradient) + largest(below.gradient)),
             entry, "product", product[i], difference);
    }
  }
}

// The second derivative if the scores of all copies of a document change together.
double hessian_of_all(const objective::Objective& on, const Case& copied,
                      const std::vector<std::size_t>& from, std::size_t document) {
  ThreadHost host(1);
  std::vector<double> together(copied.rows());
  std::vector<double> product(copied.rows());
  for (std::size_t j = 0; j < from.size(); ++j) {
    together[j] = from[j] == document ? 1.0 : 0.0;
  }
  objective::multiply_hessian(on, copied.documents(), copied.scores, together, host,
                              {product.data(), product.size()});
  return std::inner_product(product.begin(), product.end(), together.begin(), 0.0);
}

double sum_over(const std::vector<double>& x, int begin, int end) {
  return std::accumulate(x.begin() + begin, x.begin() + end, 0.0);
}

}  // namespace

TEST_CASE("gradients, hessians and products are the derivatives of the values") {
  for (const Entry& entry : all_objectives()) {
    for (unsigned seed : {1u, 2u}) {
      const Case data = case_for(entry, seed, entry.smooth_at_ties);
      const objective::Traits traits = entry.objective->traits();
      const Evaluated here = evaluate(*entry.objective, data, data.scores);
      for (std::size_t q = 0;
           q < data.queries() && traits.has_value && entry.same_targets; ++q) {
        for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
          check_document(entry, data, q, static_cast<std::size_t>(row), here);
        }
      }
      if (traits.has_product && entry.same_targets) {
        std::mt19937_64 random(seed);
        std::vector<double> v(data.rows());
        draw::Normal<double> normal;
        std::generate(v.begin(), v.end(), [&] { return normal(random); });
        check_product(entry, data, v);
      }
    }
  }
}

TEST_CASE("results are invariant to threads, row order and query order, bit for bit") {
  for (const Entry& entry : all_objectives()) {
    const Case data = case_for(entry, 3);
    const Evaluated first = evaluate(*entry.objective, data, data.scores);
    for (unsigned threads : {2u, 4u}) {
      const Evaluated other = evaluate(*entry.objective, data, data.scores, threads);
      CHECK(other.value == first.value);
      CHECK(other.gradient == first.gradient);
      CHECK(other.hessian == first.hessian);
    }
    const objective_case::Shuffled shuffled = objective_case::shuffle_rows(data, 5);
    const Evaluated other =
        evaluate(*entry.objective, shuffled.data, shuffled.data.scores);
    report(other.value == first.value, entry, "other rows", other.value, first.value);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      CHECK(other.gradient[i] == first.gradient[shuffled.from[i]]);
      CHECK(other.hessian[i] == first.hessian[shuffled.from[i]]);
    }
  }
}

TEST_CASE(
    "sums over lists of queries add up to all queries, and other rows do not change") {
  for (const Entry& entry : all_objectives()) {
    const Case data = case_for(entry, 4);
    const Evaluated whole = evaluate(*entry.objective, data, data.scores);
    ThreadHost host(2);
    std::vector<double> gradient(data.rows(), -7.0);
    const objective::Derivatives out{{gradient.data(), gradient.size()}, {}};
    double value = 0.0;
    std::vector<int> odd;
    std::vector<int> even;
    for (std::size_t q = 0; q < data.queries(); ++q) {
      (q % 2 == 0 ? even : odd)
          .insert(q % 2 == 0 ? even.begin() : odd.end(), static_cast<int>(q));
    }
    value += objective::evaluate_queries(*entry.objective, data.documents(), data.scores,
                                         even, host, out);
    for (std::size_t q = 0; q < data.queries(); ++q) {
      for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
        const auto i = static_cast<std::size_t>(row);
        CHECK(gradient[i] == (q % 2 == 0 ? whole.gradient[i] : -7.0));
      }
    }
    value += objective::evaluate_queries(*entry.objective, data.documents(), data.scores,
                                         odd, host, out);
    CHECK(gradient == whole.gradient);
    // Two sums, each of half the queries, have one rounding error each.
    report(!entry.objective->traits().has_value ||
               std::abs(value - whole.value) <= 1e-14 * std::abs(whole.value),
           entry, "sum of parts", value, whole.value);
    CHECK((objective::evaluate_queries(*entry.objective, data.documents(), data.scores,
                                       View<const int>(), host, out) == 0.0 ||
           !entry.objective->traits().has_value));
  }
}

TEST_CASE("gradients of a query sum to 0 if the objective is shift invariant") {
  for (const Entry& entry : all_objectives()) {
    const Case data = case_for(entry, 5);
    const Evaluated here = evaluate(*entry.objective, data, data.scores);
    bool all_zero = true;
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const double sum = sum_over(here.gradient, data.offsets[q], data.offsets[q + 1]);
      all_zero = all_zero && std::abs(sum) <= 1e-12 * (1.0 + largest(here.gradient));
    }
    CHECK(all_zero == entry.objective->traits().shift_invariant);
  }
}

TEST_CASE("a query of weight 2 equals two copies, and weight 0 removes it") {
  for (const Entry& entry : all_objectives()) {
    Case data = case_for(entry, 6);
    const Evaluated once = evaluate(*entry.objective, data, data.scores);
    ThreadHost host(1);
    const double total =
        objective::total_weight(*entry.objective, data.documents(), host);
    for (std::size_t q = 0; q < data.queries(); ++q) {
      for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
        CHECK((data.query_weights[q] > 0.0 ||
               once.gradient[static_cast<std::size_t>(row)] == 0.0));
      }
      data.query_weights[q] *= 2.0;
    }
    const Evaluated twice = evaluate(*entry.objective, data, data.scores);
    CHECK((std::isnan(once.value) || twice.value == 2.0 * once.value));
    CHECK(objective::total_weight(*entry.objective, data.documents(), host) ==
          2.0 * total);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      CHECK(twice.gradient[i] == 2.0 * once.gradient[i]);
      CHECK(twice.hessian[i] == 2.0 * once.hessian[i]);
    }
  }
}

TEST_CASE("a document of weight 2 equals two copies, and weight 0 removes it") {
  for (const Entry& entry : all_objectives()) {
    if (!entry.objective->traits().takes_weights) {
      continue;
    }
    Case weighted = case_for(entry, 7);
    std::vector<std::size_t> from;
    Case copied;
    copied.query_weights = weighted.query_weights;
    for (std::size_t q = 0; q < weighted.queries(); ++q) {
      for (int row = weighted.offsets[q]; row < weighted.offsets[q + 1]; ++row) {
        const auto i = static_cast<std::size_t>(row);
        weighted.weights[i] = static_cast<double>(i % 3);
        for (std::size_t copy = 0; copy < i % 3; ++copy) {
          from.push_back(i);
          copied.order.push_back(static_cast<int>(copied.order.size()));
          copied.grades.push_back(weighted.grades[i]);
          copied.targets.push_back(weighted.targets[i]);
          copied.shifts.push_back(weighted.shifts[i]);
          copied.scores.push_back(weighted.scores[i]);
        }
      }
      copied.offsets.push_back(static_cast<int>(copied.order.size()));
    }
    const Evaluated as_weights = evaluate(*entry.objective, weighted, weighted.scores);
    const Evaluated as_copies = evaluate(*entry.objective, copied, copied.scores);
    // Sums of different terms differ by some rounding errors of the largest term.
    const double close = 1e-13;
    report(std::abs(as_weights.value - as_copies.value) <= close * as_copies.value, entry,
           "copies", as_weights.value, as_copies.value);
    Evaluated sums;
    sums.gradient.assign(weighted.rows(), 0.0);
    sums.hessian.assign(weighted.rows(), 0.0);
    const bool newton =
        entry.objective->traits().hessian == objective::HessianKind::kNewton;
    for (std::size_t j = 0; j < from.size(); ++j) {
      sums.gradient[from[j]] += as_copies.gradient[j];
      sums.hessian[from[j]] += newton ? 0.0 : as_copies.hessian[j];
    }
    for (std::size_t i = 0; i < weighted.rows() && newton; ++i) {
      sums.hessian[i] = hessian_of_all(*entry.objective, copied, from, i);
    }
    for (std::size_t i = 0; i < weighted.rows(); ++i) {
      report(std::abs(sums.gradient[i] - as_weights.gradient[i]) <=
                 close * largest(sums.gradient),
             entry, "gradient of copies", as_weights.gradient[i], sums.gradient[i]);
      report(std::abs(sums.hessian[i] - as_weights.hessian[i]) <=
                 close * largest(as_weights.hessian),
             entry, "hessian of copies", as_weights.hessian[i], sums.hessian[i]);
    }
  }
}

TEST_CASE("the best constant has the smallest value") {
  for (const Entry& entry : all_objectives()) {
    const Case data = case_for(entry, 8);
    ThreadHost host(2);
    const double best = entry.objective->best_constant(data.documents(), host);
    const auto value = [&](double constant) {
      return evaluate(*entry.objective, data, std::vector<double>(data.rows(), constant))
          .value;
    };
    // If random targets depend on the scores, the values are not comparable.
    CHECK((std::isnan(value(best)) || entry.any_constant || !entry.same_targets ||
           value(best) <= std::min(value(best + 0.1), value(best - 0.1)) + 1e-12));
  }
}

TEST_CASE("documents that an objective cannot use are refused") {
  for (const Entry& entry : all_objectives()) {
    const Case good = case_for(entry, 9);
    objective::check_documents(*entry.objective, good.documents());
    Case bad = good;
    bad.weights.assign(bad.rows(), 1.0);
    bad.weights[3] = -1.0;
    CHECK_THROWS_AS(objective::check_documents(*entry.objective, bad.documents()),
                    InvalidArgument);
    bad = good;
    bad.query_weights[0] = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(objective::check_documents(*entry.objective, bad.documents()),
                    InvalidArgument);
    bad = good;
    bad.targets.pop_back();
    CHECK_THROWS_AS(objective::check_documents(*entry.objective, bad.documents()),
                    InvalidArgument);
    bad = good;
    bad.grades.clear();
    bad.targets.clear();
    CHECK_THROWS_AS(objective::check_documents(*entry.objective, bad.documents()),
                    InvalidArgument);
    bad = good;
    bad.scores[5] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(evaluate(*entry.objective, bad, bad.scores), InvalidArgument);
    const std::vector<int> none{static_cast<int>(good.queries())};
    std::vector<double> gradient(good.rows());
    ThreadHost host(1);
    CHECK_THROWS_AS(
        objective::evaluate_queries(*entry.objective, good.documents(), good.scores, none,
                                    host, {{gradient.data(), gradient.size()}, {}}),
        InvalidArgument);
  }
}

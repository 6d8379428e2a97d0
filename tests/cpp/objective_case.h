// Judged documents for tests of objectives: queries of one document, of one grade,
// without a gain, and ordinary queries. Scores tie if requested. Weights may be fractions
// or 0.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "core/metric/factory.h"
#include "core/objective/evaluate.h"
#include "draw.h"
#include "thread_host.h"

namespace objective_case {

namespace objective = rankmix::objective;
using rankmix::View;

struct Kind {
  bool tied_scores = true;
  bool weights = true;  // of documents within a query
  unsigned seed = 1;
  int queries = 24;
  int longest = 20;
};

// Scores are multiples of this, so that no difference of two scores is close to 1, where
// the hinges have their corners.
constexpr double kGrid = 0.03;

struct Case {
  std::vector<int> order;
  std::vector<int> offsets{0};
  std::vector<int> grades;
  std::vector<double> targets;
  std::vector<double> weights;
  std::vector<double> query_weights;
  std::vector<double> shifts;  // the documents' offsets
  std::vector<double> scores;

  objective::Documents documents() const {
    return {{order, offsets}, grades, targets, weights, query_weights, shifts};
  }
  std::size_t rows() const { return order.size(); }
  std::size_t queries() const { return offsets.size() - 1; }
};

inline Case make_case(const Kind& kind) {
  Case made;
  std::mt19937_64 random(kind.seed);
  draw::Uniform<double> uniform(0.0, 1.0);
  for (int q = 0; q < kind.queries; ++q) {
    const bool serial = q % 6 == 1;
    const int size =
        serial ? 1
               : 2 + static_cast<int>(random() % static_cast<unsigned>(kind.longest - 1));
    std::vector<int> places(4 * static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = static_cast<int>(i) - 2 * size;
    }
    draw::shuffle(places.begin(), places.end(), random);
    for (int i = 0; i < size; ++i) {
      const int any = static_cast<int>(random() % 41) - 20;
      const int place = kind.tied_scores ? any : places[static_cast<std::size_t>(i)];
      made.scores.push_back(kGrid * place);
      const int grade = q % 6 == 2 ? 0 : q % 6 == 3 ? 2 : static_cast<int>(random() % 5);
      made.grades.push_back(grade);
      made.targets.push_back(std::ldexp(1.0, grade) - 1.0);
      made.weights.push_back(random() % 7 == 0 ? 0.0 : 0.5 + uniform(random));
      made.shifts.push_back(kGrid * static_cast<double>(random() % 3));
      made.order.push_back(static_cast<int>(made.order.size()));
    }
    made.query_weights.push_back(q % 9 == 4 ? 0.0 : 0.5 + uniform(random));
    made.offsets.push_back(static_cast<int>(made.order.size()));
  }
  if (!kind.tied_scores) {  // offsets could create ties
    made.shifts.clear();
  }
  if (!kind.weights) {
    made.weights.clear();
  }
  return made;
}

// The metric for grades 0 to 4.
inline std::shared_ptr<const rankmix::metric::Metric> metric_named(const char* name,
                                                                   std::size_t k) {
  rankmix::metric::MetricSpec spec;
  spec.name = name;
  spec.options.k = k;
  spec.gain = {0, 1, 3, 7, 15};
  spec.discount = "log2";
  spec.relevant = 2;
  spec.max_grade = 4;
  spec.denominator = "relevant";
  return rankmix::metric::make_metric(spec, 100);
}

struct Evaluated {
  double value = 0.0;
  std::vector<double> gradient;
  std::vector<double> hessian;
};

inline Evaluated evaluate(const objective::Objective& on, const Case& data,
                          const std::vector<double>& scores, unsigned threads = 1) {
  ThreadHost host(threads);
  Evaluated out;
  out.gradient.assign(data.rows(), -7.0);
  out.hessian.assign(data.rows(), -7.0);
  out.value = objective::evaluate(
      on, data.documents(), scores, host,
      {{out.gradient.data(), data.rows()}, {out.hessian.data(), data.rows()}});
  return out;
}

// The same documents with rows and queries in another order. Row i is the former row
// `from[i]`.
struct Shuffled {
  Case data;
  std::vector<std::size_t> from;
};

inline Shuffled shuffle_rows(const Case& data, unsigned seed) {
  std::mt19937_64 random(seed);
  Shuffled made;
  made.from.resize(data.rows());
  for (std::size_t i = 0; i < data.rows(); ++i) {
    made.from[i] = i;
  }
  draw::shuffle(made.from.begin(), made.from.end(), random);
  auto taken = [&](const auto& all) {
    auto result = all;
    for (std::size_t i = 0; i < all.size(); ++i) {
      result[i] = all[made.from[i]];
    }
    return result;
  };
  made.data.grades = taken(data.grades);
  made.data.targets = taken(data.targets);
  made.data.weights = taken(data.weights);
  made.data.shifts = taken(data.shifts);
  made.data.scores = taken(data.scores);
  std::vector<std::size_t> queries(data.queries());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    queries[q] = queries.size() - 1 - q;
  }
  for (std::size_t q : queries) {
    for (std::size_t i = 0; i < data.rows(); ++i) {  // in the order of the new rows
      const int old = static_cast<int>(made.from[i]);
      if (old >= data.offsets[q] && old < data.offsets[q + 1]) {
        made.data.order.push_back(static_cast<int>(i));
      }
    }
    made.data.offsets.push_back(static_cast<int>(made.data.order.size()));
    made.data.query_weights.push_back(data.query_weights[q]);
  }
  return made;
}

}  // namespace objective_case

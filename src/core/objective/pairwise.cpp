#include "core/objective/pairwise.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/errors.h"
#include "core/base/function_ref.h"
#include "core/objective/hinge_sums.h"
#include "core/objective/logistic_pairs.h"
#include "core/objective/long_logistic_pairs.h"

namespace rankmix::objective {
namespace {

// First and second derivative of a loss by the score difference.
struct PairPart {
  double gradient;
  double hessian;
};

PairPart part_of(const PairwiseOptions& options, double difference) {
  if (options.loss == PairLoss::kLogistic) {
    const double e = std::exp(-std::abs(difference));
    const double wrong = (difference >= 0.0 ? e : 1.0) / (1.0 + e);
    return {-wrong, wrong * (1.0 - wrong)};
  }
  const double lacking = options.margin - difference;
  const bool met = lacking <= 0.0;
  if (options.loss == PairLoss::kHinge) {
    return {met ? 0.0 : -1.0, 1.0};
  }
  if (met) {
    return {0.0, 0.0};
  }
  if (options.loss == PairLoss::kSquaredHinge) {
    return {-2.0 * lacking, 2.0};
  }
  // On the straight part, the parabola through the margin with the same gradient is used.
  const double fraction = std::min(1.0, lacking / options.width);
  return {-fraction, fraction / lacking};
}

// The base of all losses: pairs and their weights.
class PairWorker : public QueryWorker {
 public:
  explicit PairWorker(const PairwiseOptions& options) : options_(options) {}

  double evaluate(const Query& query, const Derivatives& out) final {
    const double scale = scale_of(query);
    if (scale == 0.0) {
      std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
      std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
      return 0.0;
    }
    const double value = sum_pairs(query, out);
    for (std::size_t i = 0; i < query.size(); ++i) {
      out.gradient[i] *= scale;
      out.hessian[i] *= scale;
    }
    return scale * value;
  }

  double weight(const Query& query) final {
    const double pairs = weight_of_pairs(query);
    return options_.queries_alike ? (pairs > 0.0 ? 1.0 : 0.0) : pairs;
  }

  void multiply(const Query& query, View<const double> direction,
                View<double> product) final {
    const double scale = scale_of(query);
    if (scale == 0.0) {
      std::fill(product.begin(), product.end(), 0.0);
      return;
    }
    sum_products(query, direction, product);
    for (double& number : product) {
      number *= scale;
    }
  }

  void visit_pairs(const Query& query,
                   const FunctionRef<void(const Pair&)>& visit) final {
    const double scale = scale_of(query);
    for (std::size_t i = 0; i < query.size(); ++i) {
      for (std::size_t j = 0; j < query.size(); ++j) {
        const double weight = scale * query.weights[i] * query.weights[j];
        if (query.grades[i] <= query.grades[j] || weight == 0.0) {
          continue;
        }
        const double difference = query.scores[i] - query.scores[j];
        const PairPart part = part_of(options_, difference);
        if (part.hessian > 0.0) {
          visit({i, j, weight * part.hessian, difference - part.gradient / part.hessian});
        }
      }
    }
  }

 protected:
  // The sums before the division by the number of pairs. The query has at least one pair.
  virtual double sum_pairs(const Query& query, const Derivatives& out) = 0;
  virtual void sum_products(const Query& query, View<const double> direction,
                            View<double> product) = 0;

  const PairwiseOptions& options() const { return options_; }

 private:
  // The sum of w_i w_j over pairs of different grades.
  double weight_of_pairs(const Query& query) {
    by_grade_.clear();
    for (std::size_t i = 0; i < query.size(); ++i) {
      by_grade_.emplace_back(query.grades[i], query.weights[i]);
    }
    std::sort(by_grade_.begin(), by_grade_.end());
    double pairs = 0.0;
    double lower = 0.0;
    for (std::size_t i = 0; i < by_grade_.size();) {
      double same = 0.0;
      const int grade = by_grade_[i].first;
      for (; i < by_grade_.size() && by_grade_[i].first == grade; ++i) {
        same += by_grade_[i].second;
      }
      pairs += same * lower;
      lower += same;
    }
    return pairs;
  }

  double scale_of(const Query& query) {
    if (!options_.queries_alike) {
      return has_pairs(query) ? 1.0 : 0.0;
    }
    const double pairs = weight_of_pairs(query);
    return pairs == 0.0 ? 0.0 : 1.0 / pairs;
  }

  // True if two documents of positive weight have different grades.
  static bool has_pairs(const Query& query) {
    const int* grade = nullptr;
    for (std::size_t i = 0; i < query.size(); ++i) {
      if (query.weights[i] > 0.0) {
        if (grade != nullptr && *grade != query.grades[i]) {
          return true;
        }
        grade = &query.grades[i];
      }
    }
    return false;
  }

  PairwiseOptions options_;
  std::vector<std::pair<int, double>> by_grade_;
};

class LogisticWorker : public PairWorker {
 public:
  using PairWorker::PairWorker;

 protected:
  double sum_pairs(const Query& query, const Derivatives& out) override {
    return is_long(query) ? long_pairs_.evaluate(query, out)
                          : pairs_.evaluate(query, out);
  }
  void sum_products(const Query& query, View<const double> direction,
                    View<double> product) override {
    if (is_long(query)) {
      long_pairs_.multiply(query, direction, product);
    } else {
      pairs_.multiply(query, direction, product);
    }
  }

 private:
  bool is_long(const Query& query) const { return query.size() > options().max_listed; }

  LogisticPairs pairs_;
  LongLogisticPairs long_pairs_;
};

class HingeWorker : public PairWorker {
 public:
  using PairWorker::PairWorker;

 protected:
  double sum_pairs(const Query& query, const Derivatives& out) override {
    sums_.set_query(query);
    center(query);
    const double margin = options().margin;
    double value = 0.0;
    sums_.for_uppers(
        query, margin, centered_, [&](std::size_t i, const PartnerSums& sums) {
          out.gradient[i] = query.weights[i] * sums.weight;
          out.hessian[i] = query.weights[i] * sums_.others(i);
          // sum_j w_j (margin - (s_j - s_i))
          value +=
              query.weights[i] * (sums.weight * (margin + centered_[i]) - sums.first);
        });
    sums_.for_lowers(query, margin, centered_,
                     [&](std::size_t i, const PartnerSums& sums) {
                       out.gradient[i] -= query.weights[i] * sums.weight;
                     });
    return value;
  }
  // The hinge is piecewise linear, so its second derivative is 0.
  void sum_products(const Query&, View<const double>, View<double> product) override {
    std::fill(product.begin(), product.end(), 0.0);
  }

  // Scores minus the middle score, which reduces cancellation in sums of squares.
  void center(const Query& query) {
    const double middle = query.scores[query.size() / 2];
    centered_.assign(query.scores.begin(), query.scores.end());
    for (double& score : centered_) {
      score -= middle;
    }
  }
  HingeSums sums_;
  std::vector<double> centered_;
};

class SquaredHingeWorker : public HingeWorker {
 public:
  using HingeWorker::HingeWorker;

 protected:
  double sum_pairs(const Query& query, const Derivatives& out) override {
    start(query, out);
    return add_squares(query, options().margin, 1.0, out);
  }
  void sum_products(const Query& query, View<const double> direction,
                    View<double> product) override {
    sums_.set_query(query);
    std::fill(product.begin(), product.end(), 0.0);
    add_products(query, options().margin, 1.0, direction, product);
  }

  void start(const Query& query, const Derivatives& out) {
    sums_.set_query(query);
    center(query);
    std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
    std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
  }

  // Adds the derivatives of times * max(0, margin - d)^2 over pairs. Returns the value.
  double add_squares(const Query& query, double margin, double times,
                     const Derivatives& out) {
    double value = 0.0;
    sums_.for_uppers(
        query, margin, centered_, [&](std::size_t i, const PartnerSums& sums) {
          const double w = times * query.weights[i];
          const double reach = margin + centered_[i];
          out.gradient[i] += 2.0 * w * (sums.weight * reach - sums.first);
          out.hessian[i] += 2.0 * w * sums.weight;
          value += w * ((sums.weight * reach - 2.0 * sums.first) * reach + sums.second);
        });
    sums_.for_lowers(query, margin, centered_,
                     [&](std::size_t i, const PartnerSums& sums) {
                       const double w = times * query.weights[i];
                       out.gradient[i] -=
                           2.0 * w * (sums.weight * (margin - centered_[i]) + sums.first);
                       out.hessian[i] += 2.0 * w * sums.weight;
                     });
    return value;
  }

  void add_products(const Query& query, double margin, double times,
                    View<const double> direction, View<double> product) {
    const auto add = [&](std::size_t i, const PartnerSums& sums) {
      product[i] +=
          2.0 * times * query.weights[i] * (sums.weight * direction[i] - sums.first);
    };
    sums_.for_uppers(query, margin, direction, add);
    sums_.for_lowers(query, margin, direction, add);
  }
};

// The smooth hinge is the difference of two squared hinges over 2 width: at the margin,
// and at the start of the straight part.
class SmoothHingeWorker : public SquaredHingeWorker {
 public:
  using SquaredHingeWorker::SquaredHingeWorker;

 protected:
  double sum_pairs(const Query& query, const Derivatives& out) override {
    start(query, out);
    const double times = 0.5 / options().width;
    const double outer = add_squares(query, options().margin, times, out);
    return outer + add_squares(query, inner(), -times, out);
  }
  void sum_products(const Query& query, View<const double> direction,
                    View<double> product) override {
    sums_.set_query(query);
    std::fill(product.begin(), product.end(), 0.0);
    const double times = 0.5 / options().width;
    add_products(query, options().margin, times, direction, product);
    add_products(query, inner(), -times, direction, product);
  }

 private:
  double inner() const { return options().margin - options().width; }
};

}  // namespace

Pairwise::Pairwise(const PairwiseOptions& options) : options_(options) {
  if (!(options.margin > 0.0) || !(options.width > 0.0 && options.width <= 1.0)) {
    throw InvalidArgument("impossible options of losses of pairs");
  }
}

Traits Pairwise::traits() const {
  Traits traits;
  traits.hessian =
      options_.loss == PairLoss::kHinge ? HessianKind::kUnit : HessianKind::kNewton;
  traits.has_product = true;
  traits.has_pairs = true;
  traits.shift_invariant = true;
  traits.cancels = options_.loss != PairLoss::kLogistic;
  return traits;
}

std::unique_ptr<QueryWorker> Pairwise::worker() const {
  switch (options_.loss) {
    case PairLoss::kLogistic:
      return std::make_unique<LogisticWorker>(options_);
    case PairLoss::kHinge:
      return std::make_unique<HingeWorker>(options_);
    case PairLoss::kSquaredHinge:
      return std::make_unique<SquaredHingeWorker>(options_);
    case PairLoss::kSmoothHinge:
      return std::make_unique<SmoothHingeWorker>(options_);
  }
  throw InvalidArgument("unknown loss of pairs");
}

void Pairwise::check(const Documents& documents) const {
  if (documents.grades.size() != documents.rows()) {
    throw InvalidArgument("losses of pairs need grades");
  }
}

}  // namespace rankmix::objective

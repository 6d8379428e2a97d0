#include "core/objective/list_mle.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/errors.h"

namespace rankmix::objective {
namespace {

// The documents of one grade, with sums over all lower grades. Sums are relative to their
// largest term, so that nothing overflows.
struct Level {
  std::size_t begin;  // positions of the documents, lowest grade first
  std::size_t end;
  double drawn = 0.0;    // total weight of its documents; 0 for the lowest grade
  double log_sum = 0.0;  // log sum w_j exp(s_j) over grades up to this one
  double fading = 0.0;   // exp(log_sum of the level below - log_sum)
};

class Worker : public QueryWorker {
 public:
  double evaluate(const Query& query, const Derivatives& out) override {
    std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
    std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
    if (!find_levels(query)) {
      return 0.0;
    }
    double value = 0.0;
    // Sums over the levels m from this one upwards: `draws` of (drawn weight of m) * f,
    // `squares` of (drawn weight of m) * f^2. f is exp(log_sum of this level - log_sum of
    // m).
    double draws = 0.0;
    double squares = 0.0;
    for (std::size_t l = levels_.size(); l-- > 0;) {
      const Level& level = levels_[l];
      const double fading = l + 1 < levels_.size() ? levels_[l + 1].fading : 0.0;
      draws = level.drawn + fading * draws;
      squares = level.drawn + fading * fading * squares;
      for (std::size_t p = level.begin; p < level.end; ++p) {
        const std::size_t i = order_[p];
        const double own = level.drawn > 0.0 ? query.weights[i] : 0.0;
        out.gradient[i] = probabilities_[p] * draws - own;
        out.hessian[i] =
            std::max(0.0, probabilities_[p] * (draws - probabilities_[p] * squares));
        value += own * (level.log_sum - query.scores[i]);
      }
    }
    return value;
  }

  double weight(const Query& query) override { return find_levels(query) ? 1.0 : 0.0; }

  void multiply(const Query& query, View<const double> direction,
                View<double> product) override {
    std::fill(product.begin(), product.end(), 0.0);
    if (!find_levels(query)) {
      return;
    }
    std::vector<double> means(levels_.size(),
                              0.0);  // mean direction, weighted by probabilities
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      means[l] = l > 0 ? levels_[l].fading * means[l - 1] : 0.0;
      for (std::size_t p = levels_[l].begin; p < levels_[l].end; ++p) {
        means[l] += probabilities_[p] * direction[order_[p]];
      }
    }
    double draws = 0.0;
    double drawn_means = 0.0;
    for (std::size_t l = levels_.size(); l-- > 0;) {
      const Level& level = levels_[l];
      const double fading = l + 1 < levels_.size() ? levels_[l + 1].fading : 0.0;
      draws = level.drawn + fading * draws;
      drawn_means = level.drawn * means[l] + fading * drawn_means;
      for (std::size_t p = level.begin; p < level.end; ++p) {
        const std::size_t i = order_[p];
        product[i] = probabilities_[p] * (draws * direction[i] - drawn_means);
      }
    }
  }

 private:
  // Computes the levels, and the probability of each document among documents of its
  // grade and lower grades. Returns false if all documents of positive weight have the
  // same grade.
  bool find_levels(const Query& query) {
    order_.clear();
    for (std::size_t i = 0; i < query.size(); ++i) {
      if (query.weights[i] > 0.0) {
        order_.push_back(i);
      }
    }
    // Stable: within a grade, documents stay in the order of their scores.
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return query.grades[a] < query.grades[b];
    });
    levels_.clear();
    for (std::size_t p = 0; p < order_.size();) {
      Level level{p, p};
      const int grade = query.grades[order_[p]];
      while (p < order_.size() && query.grades[order_[p]] == grade) {
        level.drawn += query.weights[order_[p]];
        ++p;
      }
      level.end = p;
      levels_.push_back(level);
    }
    if (levels_.size() < 2) {
      return false;
    }
    levels_[0].drawn = 0.0;
    find_probabilities(query);
    return true;
  }

  void find_probabilities(const Query& query) {
    probabilities_.resize(order_.size());
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& level = levels_[l];
      // The first document of a grade has the highest score of that grade.
      double top = query.scores[order_[level.begin]];
      if (l > 0) {
        top = std::max(top, levels_[l - 1].log_sum);
      }
      double sum = l > 0 ? std::exp(levels_[l - 1].log_sum - top) : 0.0;
      for (std::size_t p = level.begin; p < level.end; ++p) {
        probabilities_[p] =
            query.weights[order_[p]] * std::exp(query.scores[order_[p]] - top);
        sum += probabilities_[p];
      }
      level.log_sum = top + std::log(sum);
      if (l > 0) {
        level.fading = std::exp(levels_[l - 1].log_sum - level.log_sum);
      }
      for (std::size_t p = level.begin; p < level.end; ++p) {
        probabilities_[p] /= sum;
      }
    }
  }

  std::vector<Level> levels_;
  std::vector<std::size_t> order_;     // documents, lowest grade first
  std::vector<double> probabilities_;  // by position in order_
};

}  // namespace

Traits ListMle::traits() const {
  Traits traits;
  traits.has_product = true;
  traits.shift_invariant = true;
  return traits;
}

std::unique_ptr<QueryWorker> ListMle::worker() const {
  return std::make_unique<Worker>();
}

void ListMle::check(const Documents& documents) const {
  if (documents.grades.size() != documents.rows()) {
    throw InvalidArgument("the likelihood of an order needs grades");
  }
}

}  // namespace rankmix::objective

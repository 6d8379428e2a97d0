#include "core/objective/xendcg.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/random.h"

namespace rankmix::objective {
namespace {

// Scores that differ by rounding noise, such as those of a fit with another query of weight
// 0, must draw the same numbers.
double rounded(double score) {
  constexpr double largest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(score, -largest, largest));
}

std::uint64_t mix_in(std::uint64_t hash, double x) {
  const double positive = x == 0.0 ? 0.0 : x;  // turns -0 into 0
  std::uint64_t bits = 0;
  std::memcpy(&bits, &positive, sizeof(bits));
  return mix_bits(hash ^ bits);
}

class Worker : public QueryWorker {
 public:
  Worker(std::unique_ptr<QueryWorker> softmax, std::uint64_t stream)
      : softmax_(std::move(softmax)), stream_(stream) {}

  double evaluate(const Query& query, const Derivatives& out) override {
    if (weight(query) == 0.0) {
      std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
      std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
      return 0.0;
    }
    return softmax_->evaluate(drawn(query), out);
  }

  double weight(const Query& query) override {
    const auto [least, most] =
        std::minmax_element(query.targets.begin(), query.targets.end());
    return *least < *most ? 1.0 : 0.0;
  }

  // The Hessian does not depend on the targets. drawn() is needed only because Softmax
  // ignores queries whose targets are all 0.
  void multiply(const Query& query, View<const double> direction,
                View<double> product) override {
    if (weight(query) == 0.0) {
      std::fill(product.begin(), product.end(), 0.0);
      return;
    }
    softmax_->multiply(drawn(query), direction, product);
  }

 private:
  // The query with the random targets y + 1 - u.
  Query drawn(const Query& query) {
    std::uint64_t stream = stream_;
    for (std::size_t i = 0; i < query.size(); ++i) {
      stream = mix_in(mix_in(stream, rounded(query.scores[i])), query.targets[i]);
    }
    targets_.resize(query.size());
    std::size_t begin = 0;
    while (begin < query.size()) {
      double sum = 0.0;
      std::size_t end = begin;
      for (; end < query.size() && query.scores[end] == query.scores[begin] &&
             query.targets[end] == query.targets[begin];
           ++end) {
        sum += unit_uniform(mix_bits(stream ^ end));
      }
      const double fraction =
          query.targets[begin] + 1.0 - sum / static_cast<double>(end - begin);
      std::fill(targets_.begin() + static_cast<std::ptrdiff_t>(begin),
                targets_.begin() + static_cast<std::ptrdiff_t>(end), fraction);
      begin = end;
    }
    Query changed = query;
    changed.targets = targets_;
    equal_.assign(query.size(), 1.0);  // weights multiply the results, see evaluate.h
    changed.weights = equal_;
    return changed;
  }

  std::unique_ptr<QueryWorker> softmax_;
  std::uint64_t stream_;
  std::vector<double> targets_;
  std::vector<double> equal_;
};

}  // namespace

Traits Xendcg::traits() const {
  Traits traits = softmax_.traits();
  traits.takes_weights = false;
  traits.scales_by_weights = true;
  return traits;
}

std::unique_ptr<QueryWorker> Xendcg::worker() const {
  return std::make_unique<Worker>(softmax_.worker(), stream_);
}

}  // namespace rankmix::objective

#include "core/objective/soft_ndcg.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/errors.h"
#include "core/objective/soft_dcg.h"

namespace rankmix::objective {
namespace {

class Worker : public QueryWorker {
 public:
  Worker(double sigma, std::size_t k) : soft_(sigma, k, TiedRanks::kShared), k_(k) {}

  double evaluate(const Query& query, const Slopes& out) override {
    const double best = best_dcg(query);
    if (best == 0.0) {
      std::fill(out.slope.begin(), out.slope.end(), 0.0);
      std::fill(out.curvature.begin(), out.curvature.end(), 0.0);
      return 0.0;
    }
    const double dcg = soft_.evaluate(query.scores, query.targets, out.slope);
    for (double& slope : out.slope) {
      slope /= -best;
    }
    std::fill(out.curvature.begin(), out.curvature.end(), 1.0);
    return -dcg / best;
  }

  double weight(const Query& query) override { return best_dcg(query) > 0.0 ? 1.0 : 0.0; }

 private:
  // Of the best ranking.
  double best_dcg(const Query& query) {
    gains_.assign(query.targets.begin(), query.targets.end());
    std::sort(gains_.begin(), gains_.end(), std::greater<double>());
    double sum = 0.0;
    for (std::size_t r = 0; r < std::min(k_, gains_.size()); ++r) {
      sum += gains_[r] / std::log2(static_cast<double>(r) + 2.0);
    }
    return sum;
  }

  SoftDcg soft_;
  std::size_t k_;
  std::vector<double> gains_;
};

}  // namespace

void SoftNdcgOptions::validate() const {
  const bool positive = std::all_of(sigmas.begin(), sigmas.end(), [](double sigma) {
    return sigma > 0.0 && std::isfinite(sigma);
  });
  if (sigmas.empty() || !positive || k < 1) {
    throw InvalidArgument("impossible options of the soft NDCG");
  }
}

SoftNdcg::SoftNdcg(SoftNdcgOptions options) : options_(std::move(options)), sigma_(0.0) {
  options_.validate();
  sigma_ = options_.sigmas[0];
}

Traits SoftNdcg::traits() const {
  Traits traits;
  traits.curvature = Curvature::kUnit;
  traits.shift_invariant = true;
  traits.takes_weights = false;  // a rank has one document
  return traits;
}

std::unique_ptr<QueryWorker> SoftNdcg::worker() const {
  return std::make_unique<Worker>(sigma_, options_.k);
}

void SoftNdcg::check(const Documents& documents) const { check_gains(documents); }

void SoftNdcg::begin_stage(std::size_t stage) {
  Objective::begin_stage(stage);
  sigma_ = options_.sigmas[stage];
}

}  // namespace rankmix::objective

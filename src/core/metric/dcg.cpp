#include "core/metric/dcg.h"

namespace rankmix::metric {
namespace {

// The gains of the best ranking, rank by rank.
class IdealGains {
 public:
  IdealGains(const Gains& gains, const GradeCounts& counts)
      : gains_(gains), counts_(counts), left_(count(0)) {}
  // Nothing more where all documents were taken.
  double next() {
    while (left_ == 0 && at_ + 1 < gains_.best_first().size()) {
      left_ = count(++at_);
    }
    if (left_ == 0) {
      return 0.0;
    }
    --left_;
    return gains_(gains_.best_first()[at_]);
  }

 private:
  std::size_t count(std::size_t at) const {
    const std::size_t grade = static_cast<std::size_t>(gains_.best_first()[at]);
    return grade < counts_.size() ? counts_[grade] : 0;
  }
  const Gains& gains_;
  const GradeCounts& counts_;
  std::size_t at_ = 0;
  std::size_t left_;
};

}  // namespace

double Dcg::compute(const RankedList& list, std::size_t depth, std::size_t) const {
  double sum = 0.0;
  visit_places(list, depth, gains_,
               [&](std::size_t i, double gain) { sum += discounts_(gain, i); });
  return sum;
}

double Ndcg::compute(const RankedList& list, std::size_t depth, std::size_t k) const {
  // Judged documents that were not retrieved belong to the ideal ranking.
  const std::size_t judged = count_relevant(list.counts, 0);
  IdealGains gains_left(gains(), list.counts);
  double ideal = 0.0;
  for (std::size_t i = 0; i < judged && i < k; ++i) {
    const double gain = gains_left.next();
    if (gain <= 0.0) {
      break;
    }
    ideal += discounts()(gain, i);
  }
  return ideal > 0.0 ? Dcg::compute(list, depth, k) / ideal : options().empty;
}

double MeanNdcg::compute(const RankedList& list, std::size_t depth, std::size_t) const {
  IdealGains gains_left(gains(), list.counts);
  double dcg = 0.0;
  double ideal = 0.0;
  double sum = 0.0;
  visit_places(list, depth, gains(), [&](std::size_t i, double gain) {
    dcg += discounts()(gain, i);
    ideal += discounts()(gains_left.next(), i);
    sum += ideal > 0.0 ? dcg / ideal : options().empty;
  });
  return depth > 0 ? sum / static_cast<double>(depth) : 0.0;
}

}  // namespace rankmix::metric

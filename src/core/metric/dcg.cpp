#include "core/metric/dcg.h"

namespace rankmix::metric {
namespace {

// The gains of the ideal ranking, from the first rank on.
class IdealGains {
 public:
  IdealGains(const Gains& gains, const GradeCounts& counts)
      : gains_(gains), counts_(counts), grades_(counts.end() - counts.first()) {
    if (!gains.increasing()) {
      best_first_ = gains.best_first(counts);
    }
  }
  // Returns 0 after the last document.
  double next() {
    while (left_ == 0 && at_ < grades_) {
      grade_ = best_first_.empty() ? counts_.end() - 1 - at_
                                   : best_first_[static_cast<std::size_t>(at_)];
      left_ = counts_[grade_];
      ++at_;
    }
    if (left_ == 0) {
      return 0.0;
    }
    --left_;
    return gains_(grade_);
  }

 private:
  const Gains& gains_;
  const GradeCounts& counts_;
  int grades_;                   // the number of grades in counts_
  std::vector<int> best_first_;  // empty if the highest grades have the highest gains
  int at_ = 0;                   // number of grades visited
  int grade_ = 0;
  std::size_t left_ = 0;  // documents of this grade
};

// Each of the two gains moves from its discount to the other discount.
class DcgSwap : public SwapChange {
 public:
  explicit DcgSwap(const Dcg& dcg) : SwapChange(dcg), dcg_(dcg) {}

 protected:
  bool prepare(const RankedList& list, std::size_t depth, std::size_t k) override {
    scale_ = dcg_.scale(list.counts, k);
    gains_.resize(list.grades.size());
    discounts_.assign(list.grades.size(), 0.0);
    for (std::size_t i = 0; i < gains_.size(); ++i) {
      gains_[i] = dcg_.gains()(list.grades[i]);
    }
    for (std::size_t i = 0; i < depth; ++i) {
      discounts_[i] = dcg_.discounts()(1.0, i);
    }
    return scale_ > 0.0;
  }
  double change_above(std::size_t i, std::size_t j) override {
    return (gains_[j] - gains_[i]) * (discounts_[i] - discounts_[j]) / scale_;
  }

 private:
  const Dcg& dcg_;
  double scale_ = 1.0;
  std::vector<double> gains_;
  std::vector<double> discounts_;  // 0 beyond the cut-off
};

}  // namespace

std::unique_ptr<SwapChange> Dcg::swap_change() const {
  return std::make_unique<DcgSwap>(*this);
}

double Dcg::compute(const RankedList& list, std::size_t depth, std::size_t) const {
  double sum = 0.0;
  visit_ranks(list, depth, gains_,
              [&](std::size_t i, double gain) { sum += discounts_(gain, i); });
  return sum;
}

bool Dcg::sum_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                         RankSum& sum) const {
  const double whole = scale(counts, k);
  for (int g = counts.first(); g < counts.end(); ++g) {
    sum.gains[g] = whole > 0.0 ? gains_(g) / whole : 0.0;
  }
  for (std::size_t i = 0; i < depth; ++i) {
    sum.discounts.push_back(discounts_(1.0, i));
  }
  return true;
}

double Ndcg::scale(const GradeCounts& counts, std::size_t k) const {
  // The ideal ranking includes judged documents that were not retrieved.
  const std::size_t judged = count_relevant(counts, 0);
  IdealGains gains_left(gains(), counts);
  double ideal = 0.0;
  for (std::size_t i = 0; i < judged && i < k; ++i) {
    const double gain = gains_left.next();
    if (gain <= 0.0) {
      break;
    }
    ideal += discounts()(gain, i);
  }
  return ideal;
}

double Ndcg::compute(const RankedList& list, std::size_t depth, std::size_t k) const {
  const double ideal = scale(list.counts, k);
  return ideal > 0.0 ? Dcg::compute(list, depth, k) / ideal : options().empty;
}

double MeanNdcg::compute(const RankedList& list, std::size_t depth, std::size_t) const {
  IdealGains gains_left(gains(), list.counts);
  double dcg = 0.0;
  double ideal = 0.0;
  double sum = 0.0;
  visit_ranks(list, depth, gains(), [&](std::size_t i, double gain) {
    dcg += discounts()(gain, i);
    ideal += discounts()(gains_left.next(), i);
    sum += ideal > 0.0 ? dcg / ideal : options().empty;
  });
  return depth > 0 ? sum / static_cast<double>(depth) : 0.0;
}

// A document counts in all cut-offs at or after its rank.
bool MeanNdcg::value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t,
                                GainRule& rule, RankSum& sum) const {
  rule = GainRule::kSum;
  for (int g = counts.first(); g < counts.end(); ++g) {
    sum.gains[g] = gains()(g);
  }
  IdealGains gains_left(gains(), counts);
  sum.discounts.assign(depth, 0.0);
  double ideal = 0.0;
  for (std::size_t i = 0; i < depth; ++i) {
    ideal += discounts()(gains_left.next(), i);
    sum.discounts[i] = ideal > 0.0 ? 1.0 / ideal : 0.0;
  }
  double later = 0.0;
  for (std::size_t i = depth; i-- > 0;) {
    later += sum.discounts[i];
    sum.discounts[i] = later / static_cast<double>(depth) * discounts()(1.0, i);
  }
  return true;
}

}  // namespace rankmix::metric

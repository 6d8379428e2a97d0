#include "core/metric/err.h"

#include <algorithm>
#include <cmath>

namespace rankmix::metric {
namespace {

constexpr double kNegligible = 1e-18;

// The number of ranks of a group until A^m is negligible, where `fraction` is 1 - A.
std::size_t ranks_that_matter(double fraction) {
  if (fraction >= 1.0) {
    return 1;
  }
  const double ranks = std::log(kNegligible * fraction) / std::log1p(-fraction);
  return ranks < 1e15 ? static_cast<std::size_t>(ranks) + 1 : kWholeList;
}

// For each j < top: the mean, over all orders of documents with the probabilities r, of R
// at rank j (from 0) times the product of 1 - R over the ranks before.
std::vector<double> first_among(const std::vector<double>& r, std::size_t top) {
  const std::size_t size = std::min(top, r.size());
  std::vector<double> means(size, 0.0);      // the first j do not satisfy
  std::vector<double> satisfied(size, 0.0);  // ... and the next one does
  means[0] = 1.0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    // In a random order of n documents, the new document is among the first j, is the
    // next, or comes later.
    const std::size_t n = i + 1;
    const double all = (1.0 - r[i]) * means[std::min(i, size - 1)];
    for (std::size_t j = std::min(size, n); j-- > 0;) {
      const double before = static_cast<double>(j) / static_cast<double>(n);
      const double next = 1.0 / static_cast<double>(n);
      const double later = static_cast<double>(n - 1 - j) / static_cast<double>(n);
      satisfied[j] = later * satisfied[j] + next * r[i] * means[j];
      means[j] *= later + next;
      if (j > 0) {
        satisfied[j] += before * (1.0 - r[i]) * satisfied[j - 1];
        means[j] += before * (1.0 - r[i]) * means[j - 1];
      }
    }
    if (n < size) {
      means[n] = all;
    }
  }
  return satisfied;
}

// Let U be the product of 1 - R before rank i. Let B be the sum, over the ranks p between
// i and j, of 1/p R_p times the product of 1 - R between i and p. Let M be the product of
// 1 - R between i and j. Then the terms up to j before and after the swap are
//   U (R_i / i + (1 - R_i) (B + M R_j / j)) and U (R_j / i + (1 - R_j) (B + M R_i / j)),
// and the terms after j do not change. B and M are updated from one j to the next.
class ErrSwap : public SwapChange {
 public:
  explicit ErrSwap(const Err& err) : SwapChange(err), err_(err) {}

 protected:
  bool prepare(const RankedList& list, std::size_t depth, std::size_t) override {
    depth_ = depth;
    satisfied_.resize(list.grades.size());
    unsatisfied_.resize(list.grades.size());
    double product = 1.0;
    for (std::size_t i = 0; i < satisfied_.size(); ++i) {
      satisfied_[i] = err_.satisfied(list.grades[i]);
      unsatisfied_[i] = product;
      product *= 1.0 - satisfied_[i];
    }
    begin(0);
    return true;
  }
  double change_above(std::size_t i, std::size_t j) override {
    const double difference = satisfied_[j] - satisfied_[i];
    if (difference == 0.0) {
      return 0.0;
    }
    go_to(i, j);
    const double last = j < depth_ ? product_ / static_cast<double>(j + 1) : 0.0;
    return unsatisfied_[i] * difference *
           (1.0 / static_cast<double>(i + 1) - between_ - last);
  }

 private:
  void begin(std::size_t i) {
    upper_ = i;
    next_ = i + 1;
    between_ = 0.0;
    product_ = 1.0;
  }
  // Sets between_ and product_ to B and M of the ranks between i and j, within the
  // cut-off.
  void go_to(std::size_t i, std::size_t j) {
    if (i != upper_ || j < next_) {
      begin(i);
    }
    for (; next_ < j && next_ < depth_; ++next_) {
      between_ += product_ * satisfied_[next_] / static_cast<double>(next_ + 1);
      product_ *= 1.0 - satisfied_[next_];
    }
  }

  const Err& err_;
  std::size_t depth_ = 0;
  std::vector<double> satisfied_;    // R
  std::vector<double> unsatisfied_;  // U
  std::size_t upper_ = 0;
  std::size_t next_ = 1;  // first rank that is not in between_
  double between_ = 0.0;
  double product_ = 1.0;
};

}  // namespace

std::unique_ptr<SwapChange> Err::swap_change() const {
  return std::make_unique<ErrSwap>(*this);
}

Err::Err(const MetricOptions& options, int max_grade)
    : Metric(options), scale_(std::ldexp(1.0, -max_grade)) {}

double Err::satisfied(int grade) const {
  return grade <= 0 ? 0.0 : (std::ldexp(1.0, grade) - 1.0) * scale_;
}

double Err::compute(const RankedList& list, std::size_t depth, std::size_t) const {
  if (!list.tie_ends.empty()) {
    return expected(list, depth);
  }
  double sum = 0.0;
  double unsatisfied = 1.0;
  for (std::size_t i = 0; i < depth; ++i) {
    const double r = satisfied(list.grades[i]);
    sum += unsatisfied * r / static_cast<double>(i + 1);
    unsatisfied *= 1.0 - r;
  }
  return sum;
}

double Err::expected(const RankedList& list, std::size_t depth) const {
  double sum = 0.0;
  double unsatisfied = 1.0;
  visit_groups(list, depth, [&](std::size_t begin, std::size_t end) {
    const View<const int> grades(list.grades.data() + begin, end - begin);
    const std::vector<double> first =
        first_satisfied(grades, std::min(end, depth) - begin);
    for (std::size_t m = 0; m < first.size(); ++m) {
      sum += unsatisfied * first[m] / static_cast<double>(begin + m + 1);
    }
    for (int grade : grades) {
      unsatisfied *= 1.0 - satisfied(grade);
    }
  });
  return sum;
}

std::vector<double> Err::first_satisfied(View<const int> grades, std::size_t top) const {
  std::vector<double> relevant;
  double fraction = 0.0;  // 1 - A
  for (int grade : grades) {
    if (grade > 0) {
      relevant.push_back(satisfied(grade));
      fraction += relevant.back() / static_cast<double>(grades.size());
    }
  }
  if (relevant.empty()) {
    return {};
  }
  top = std::min(top, ranks_that_matter(fraction));
  const std::vector<double> among = first_among(relevant, top);
  // hits[j]: the probability that j of the first m ranks have relevant documents.
  std::vector<double> hits(among.size() + 1, 0.0);
  hits[0] = 1.0;
  std::vector<double> first(top, 0.0);
  for (std::size_t m = 0; m < top; ++m) {
    const double left = static_cast<double>(grades.size() - m);
    for (std::size_t j = std::min(m + 1, among.size()); j-- > 0;) {
      const double next = static_cast<double>(relevant.size()) - static_cast<double>(j);
      const double hit = next / left;
      first[m] += hits[j] * hit * among[j];
      hits[j + 1] += hits[j] * hit;
      hits[j] *= (left - next) / left;
    }
  }
  return first;
}

bool Err::value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t,
                           GainRule& rule, RankSum& sum) const {
  rule = GainRule::kFirst;
  for (int g = counts.first(); g < counts.end(); ++g) {
    sum.gains[g] = satisfied(g);
  }
  for (std::size_t r = 1; r <= depth; ++r) {
    sum.discounts.push_back(1.0 / static_cast<double>(r));
  }
  return true;
}

}  // namespace rankmix::metric

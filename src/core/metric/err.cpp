#include "core/metric/err.h"

#include <algorithm>
#include <cmath>

namespace rankmix::metric {
namespace {

constexpr double kNegligible = 1e-18;

// Places of a group beyond which A^m, with 1 - A given, is negligible beside the first.
std::size_t places_that_matter(double share) {
  if (share >= 1.0) {
    return 1;
  }
  const double places = std::log(kNegligible * share) / std::log1p(-share);
  return places < 1e15 ? static_cast<std::size_t>(places) + 1 : kWholeList;
}

// For j below `top`: the mean, over all orders of these documents, of R of the one at
// place j (from 0) times the product of 1 - R over those before it.
std::vector<double> first_among(const std::vector<double>& r, std::size_t top) {
  const std::size_t size = std::min(top, r.size());
  std::vector<double> means(size, 0.0);      // the first j satisfy not
  std::vector<double> satisfied(size, 0.0);  // ... and the next one does
  means[0] = 1.0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    // Of n documents the new one is among the first j, the next, or later.
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

}  // namespace

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
  double share = 0.0;  // 1 - A
  for (int grade : grades) {
    if (grade > 0) {
      relevant.push_back(satisfied(grade));
      share += relevant.back() / static_cast<double>(grades.size());
    }
  }
  if (relevant.empty()) {
    return {};
  }
  top = std::min(top, places_that_matter(share));
  const std::vector<double> among = first_among(relevant, top);
  // hits[j]: the probability that j of the first m places hold relevant documents.
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

}  // namespace rankmix::metric

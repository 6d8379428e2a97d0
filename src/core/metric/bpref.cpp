#include "core/metric/bpref.h"

#include <algorithm>

namespace rankmix::metric {
namespace {

// The term of a relevant document with `above` irrelevant documents above it.
double preferred(double above, double relevant, double irrelevant) {
  return above > 0.0 ? 1.0 - std::min(above, relevant) / std::min(irrelevant, relevant)
                     : 1.0;
}

}  // namespace

double Bpref::compute(const RankedList& list, std::size_t depth, std::size_t) const {
  const double relevant = static_cast<double>(count_relevant(list.counts));
  const double judged = static_cast<double>(metric::count_relevant(list.counts, 0));
  const double irrelevant = judged - relevant;
  double sum = 0.0;
  double above = 0.0;
  auto is_irrelevant = [this](int grade) { return grade >= 0 && !is_relevant(grade); };
  if (list.tie_ends.empty()) {
    for (std::size_t i = 0; i < depth; ++i) {
      if (is_relevant(list.grades[i])) {
        sum += preferred(above, relevant, irrelevant);
      } else if (is_irrelevant(list.grades[i])) {
        above += 1.0;
      }
    }
    return sum / relevant;
  }
  visit_groups(list, depth, [&](std::size_t begin, std::size_t end) {
    double found = 0.0;
    std::size_t others = 0;
    for (std::size_t i = begin; i < end; ++i) {
      found += is_relevant(list.grades[i]) ? 1.0 : 0.0;
      others += is_irrelevant(list.grades[i]) ? 1 : 0;
    }
    if (found > 0.0) {
      double mean = 0.0;
      for (std::size_t j = 0; j <= others; ++j) {
        mean += preferred(above + static_cast<double>(j), relevant, irrelevant);
      }
      sum += found * mean / static_cast<double>(others + 1);
    }
    above += static_cast<double>(others);
  });
  return sum / relevant;
}

}  // namespace rankmix::metric

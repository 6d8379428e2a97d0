#include "core/linear/gram.h"

#include <algorithm>
#include <cstddef>

#include "core/base/dense.h"

namespace rankmix::linear {

std::vector<double> gram_matrix(const Features& features, View<const std::uint32_t> rows,
                                View<const double> times) {
  constexpr std::size_t rows_at_once = 512;
  const std::size_t inputs = features.inputs();
  std::vector<double> sums(inputs * inputs, 0.0);
  std::vector<double> packed(std::min(rows_at_once, rows.size()) * inputs);
  for (std::size_t first = 0; first < rows.size(); first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, rows.size() - first);
    features.pack({rows.data() + first, count}, {times.data() + first, count},
                  packed.data());
    dense::add_gram({packed.data(), count, inputs}, sums.data());
  }
  return sums;
}

}  // namespace rankmix::linear

#include "core/metric/swap.h"

#include <algorithm>

#include "core/base/errors.h"

namespace rankmix::metric {

void SwapChange::set_list(const RankedList& list) {
  if (!list.tie_ends.empty()) {
    throw InvalidArgument("documents are swapped in a list without groups");
  }
  const std::size_t length = list.grades.size();
  const Metric::Settled settled = metric_.settle(list.counts, length);
  depth_ = settled.decided ? 0 : std::min(metric_.depth(list.counts), length);
  if (depth_ > 0 && !prepare(list, depth_, settled.k)) {
    depth_ = 0;
  }
}

}  // namespace rankmix::metric

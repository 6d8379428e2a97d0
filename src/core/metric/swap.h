// The change of a metric when two documents of a ranking are swapped.
//
// Given:   a ranked list without ties.
// Result:  for ranks i < j, the metric after the swap minus the metric before. It is 0 if
//          the list has no value, or a value that does not depend on the order.
//
// Processes one list at a time; keeps its buffers. O(n) for a list and O(1) for a change.
// For ERR, a change is O(1) only from one j to the next with the same i.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/metric/metric.h"

namespace rankmix::metric {

class SwapChange {
 public:
  explicit SwapChange(const Metric& metric) : metric_(metric) {}
  virtual ~SwapChange() = default;
  // `list` has the grades of all ranked documents and no groups of ties. It must exist
  // until the next call.
  void set_list(const RankedList& list);
  double change(std::size_t i, std::size_t j) {
    return i < depth_ ? change_above(i, j) : 0.0;
  }
  // Swaps of two ranks at or after depth() do not change the metric.
  std::size_t depth() const { return depth_; }

 protected:
  // Prepares a list whose value depends on the top `depth` ranks; `k` is its cut-off.
  // Returns false if swaps do not change the value.
  virtual bool prepare(const RankedList& list, std::size_t depth, std::size_t k) = 0;
  // The change for i < depth and any j > i.
  virtual double change_above(std::size_t i, std::size_t j) = 0;

 private:
  const Metric& metric_;
  std::size_t depth_ = 0;
};

}  // namespace rankmix::metric

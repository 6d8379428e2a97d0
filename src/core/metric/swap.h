// How much a metric changes when two documents of a ranking are swapped.
//
// Given:   a ranked list whose ties are already resolved.
// Result:  for ranks i < j, the metric with the two documents swapped, less the metric
//          as it is. 0 where a convention leaves the list no value, or one that does not
//          depend on the order.
//
// Of one list after another; keeps its memory. O(n) a list; a change is O(1), of err from
// one j to the next of the same i.
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
  // `list` has the grades of all ranked documents, without groups of ties, and must live
  // until the next list.
  void set_list(const RankedList& list);
  double change(std::size_t i, std::size_t j) {
    return i < depth_ ? change_above(i, j) : 0.0;
  }
  // Ranks from here on change nothing among themselves.
  std::size_t depth() const { return depth_; }

 protected:
  // The list has a value that depends on the top `depth` ranks; `k` is its cut-off. False
  // where it does not after all.
  virtual bool prepare(const RankedList& list, std::size_t depth, std::size_t k) = 0;
  // Of i < depth; j may be below it or not.
  virtual double change_above(std::size_t i, std::size_t j) = 0;

 private:
  const Metric& metric_;
  std::size_t depth_ = 0;
};

}  // namespace rankmix::metric

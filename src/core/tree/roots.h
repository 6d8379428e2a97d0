// Sums of all rows of all ranks for several learners that grow trees on the same bins. The
// bins of each row are read once for four learners, whose channels are added to slots of
// 16 numbers.
//
// Sums are of integers, so each learner gets the same bits as from its own sums.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/data/bins.h"
#include "core/tree/channels.h"
#include "core/tree/histogram.h"
#include "core/tree/row_adder.h"

namespace rankmix::tree {

class RootSums {
 public:
  explicit RootSums(const data::BinnedMatrix& bins);

  // Whether learners with such channels can share a slot: channels in units, four lanes
  // per slot.
  static bool takes(const ChannelSource& source);
  // The sums of all rows for each source. takes() must be true for every source.
  std::vector<Sums> add_up(const std::vector<ChannelSource>& sources, Host& host);

 private:
  void gather(const ChannelSource* sources, std::size_t count, std::size_t begin,
              std::size_t end, Host& host);
  void add_some(const ChannelSource* sources, std::size_t count, Host& host, Sums* sums);

  const data::BinnedMatrix& bins_;
  RowAdder adder_;
  HistogramLayout layout_;
  Histogram histogram_;
  std::vector<std::uint32_t> units_;  // of consecutive rows, of all learners
};

}  // namespace rankmix::tree

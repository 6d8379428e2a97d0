// The sums of all rows for several learners that grow trees on the same bins: each row's
// bins are read once for four of them, and its channels are added to slots of 16 numbers.
//
// Sums are of whole numbers, so that they are those that each learner would come to
// alone.
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

  // Whether channels are such that learners share a slot: units, in slots of four.
  static bool takes(const ChannelSource& source);
  // For each source, all of which it takes, the sums of all rows.
  std::vector<Sums> add_up(const std::vector<ChannelSource>& sources, Host& host);

 private:
  void gather(const ChannelSource* sources, std::size_t count, std::size_t begin,
              std::size_t end, Host& host);
  void add_some(const ChannelSource* sources, std::size_t count, Host& host, Sums* sums);

  const data::BinnedMatrix& bins_;
  RowAdder adder_;
  HistogramLayout layout_;
  Histogram histogram_;
  std::vector<std::uint32_t> units_;  // of rows in order, of all learners
};

}  // namespace rankmix::tree

// Searches cuts between bins, with histograms of integers. The histogram of the larger
// side of a split is parent minus smaller side.
//
// Channels are the count, the weight w, w y and w y^2 for the target y. If targets are
// integers and weights are multiples of one number, channels have these values exactly.
// Otherwise they are in units of 2^-30 of the sum of their magnitudes, with finer
// channels for rounding errors.
#pragma once
#include <cstdint>
#include <vector>

#include "core/data/bins.h"
#include "core/regress/documents.h"
#include "core/regress/node_search.h"
#include "core/tree/row_adder.h"

namespace rankmix::regress {

// The channels of all rows.
class NodeChannels {
 public:
  explicit NodeChannels(const Documents& documents);
  tree::ChannelSource source() const;
  NodeSums read(const std::uint32_t* slot) const;
  // add() adds one row to sums; integer channels are added in units of weights. scaled()
  // converts such sums to the units of read().
  void add(const Documents& documents, std::uint32_t row, NodeSums& sums) const;
  NodeSums scaled(const NodeSums& sums) const;

 private:
  static constexpr std::size_t kKept = 4;
  void count_whole(const Documents& documents);
  void count_units(const Documents& documents);

  bool whole_ = false;
  double unit_ = 1.0;                   // of integer weights
  double finer_ = 1.0;                  // factor of finer channels, for other weights
  double scale_[kKept] = {};            // value of one unit of each channel
  std::vector<std::uint32_t> numbers_;  // channels of all rows, if they are integers
  std::vector<double> real_;
};

class BinSearch : public NodeSearch {
 public:
  BinSearch(const data::BinnedMatrix& bins, const Documents& documents,
            const std::vector<std::uint8_t>& active);
  NodeSplit root(View<const std::uint32_t> rows, const NodeSums& sums, Host& host,
                 std::unique_ptr<Kept>& kept) override;
  void sides(Side& left, Side& right, std::unique_ptr<Kept> parent, Host& host) override;

 private:
  struct KeptSums : Kept {
    explicit KeptSums(tree::RowAdder& of) : adder(of), histogram(of.take_histogram()) {}
    ~KeptSums() override { adder.give_back(histogram); }
    tree::RowAdder& adder;
    tree::Histogram histogram;
  };
  std::unique_ptr<KeptSums> add_up(View<const std::uint32_t> rows, Host& host);
  NodeSplit search(const tree::Histogram& histogram, const NodeSums& sums,
                   Host& host) const;
  NodeSplit best_cut(std::size_t feature, const tree::Histogram& histogram,
                     const SplitScorer& scorer) const;
  NodeSplit search_few(View<const std::uint32_t> rows, const NodeSums& sums) const;
  NodeSplit best_cut_of_few(std::size_t feature, View<const std::uint32_t> rows,
                            const SplitScorer& scorer) const;

  const data::BinnedMatrix& bins_;
  const Documents& documents_;
  const std::vector<std::uint8_t>& active_;
  NodeChannels channels_;
  tree::RowAdder adder_;
};

}  // namespace rankmix::regress

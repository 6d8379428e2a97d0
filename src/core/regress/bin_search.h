// Looks at cuts between bins, in histograms of whole numbers: the larger side of a split
// is its parent less the smaller side.
//
// Channels are the count, the weight, and the weight times the target and its square. Of
// whole targets and weights that are multiples of one they are the numbers themselves;
// others are counted in units of the sum of their magnitudes, of 2^-30 and finer.
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
  // The sums of some rows, in units of their own, and these as read() gives them.
  void add(const Documents& documents, std::uint32_t row, NodeSums& sums) const;
  NodeSums scaled(const NodeSums& sums) const;

 private:
  static constexpr std::size_t kKept = 4;
  void count_whole(const Documents& documents);
  void count_units(const Documents& documents);

  bool whole_ = false;
  double unit_ = 1.0;                   // of whole weights
  double finer_ = 1.0;                  // of others
  double scale_[kKept] = {};            // what a unit of each is
  std::vector<std::uint32_t> numbers_;  // of whole ones
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

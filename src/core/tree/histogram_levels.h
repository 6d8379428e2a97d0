// Chooses levels of an oblivious tree from histograms. The gain of a test in a leaf is
// computed from the histogram of the leaf. The level is the test with the largest sum of
// gains over the leaves, minus the cost of its feature.
//
// Cost of a level: for each leaf that was split, the rows of the smaller side are summed,
// and the larger side is leaf minus smaller side. The grower limits the number of
// histograms. The rows of leaves without a histogram are summed twice: once for the
// gains, once for the sides of the chosen test. Sums of the root that the caller provides
// are not computed again.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/tree/channels.h"
#include "core/tree/grow.h"
#include "core/tree/level_chooser.h"
#include "core/tree/level_finder.h"
#include "core/tree/level_rules.h"

namespace rankmix::tree {

class HistogramLevels : public LevelChooser {
 public:
  // The sample and the grower must outlive this object.
  HistogramLevels(const ChannelSource& source, std::unique_ptr<LevelFinder> finder,
                  const Sample& sample, Grower& grower);
  ~HistogramLevels() override;
  HistogramLevels(const HistogramLevels&) = delete;
  HistogramLevels& operator=(const HistogramLevels&) = delete;

  Level choose(const LevelLeaves& at, const LevelRules& rules, Host& host) override;
  void part(const Level& level, std::vector<Leaf>& leaves, std::size_t left,
            std::size_t right) override;
  void keep_sums(Sums& root) override;
  void finish(const LevelLeaves& at, std::vector<Leaf>& leaves, Host& host) override;

 private:
  void measure_root(const LevelLeaves& at, Host& host);
  void measure_pairs(const LevelLeaves& at, Host& host);
  void add_up(const LevelLeaves& at, std::size_t leaf, Host& host);
  void add_gains(const LevelLeaves& at, const std::vector<std::uint8_t>& active,
                 Host& host);
  Split best_of_feature(std::size_t feature) const;
  Split best(const LevelRules& rules) const;
  Level level_of(const Split& split, const LevelLeaves& at, Host& host);

  ChannelSource source_;
  std::unique_ptr<LevelFinder> finder_;
  const Sample& sample_;
  RowAdder& adder_;
  std::size_t max_histograms_;
  Sums* root_ = nullptr;       // storage for the root's sums, or null
  std::vector<Sums> sums_;     // of each leaf; histograms may be empty
  std::vector<Totals> lefts_;  // of each leaf: left side of the chosen level
  // The smaller and the larger side of each leaf that was just split. The larger side
  // still has the histogram of both.
  std::vector<std::array<std::size_t, 2>> pairs_;
  std::size_t kept_ = 0;  // number of histograms in sums_
  std::vector<double> gains_;
};

}  // namespace rankmix::tree

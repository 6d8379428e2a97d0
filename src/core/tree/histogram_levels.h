// Chooses levels by sums over rows: the test whose gains in the leaves, each looked up in
// the histogram of the leaf, sum to most.
//
// Cost of a level: the rows of the smaller side of each leaf that was split are added up,
// the larger side is leaf minus smaller. Where the histograms of all leaves do not fit,
// those without are added up as well, once for the gains and once for the sides of the
// test. Where the sums of the root are known, they need not be added up.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/tree/channels.h"
#include "core/tree/grow.h"
#include "core/tree/level_chooser.h"
#include "core/tree/level_finder.h"

namespace rankmix::tree {

class HistogramLevels : public LevelChooser {
 public:
  // The sample and the grower must outlive it.
  HistogramLevels(const ChannelSource& source, std::unique_ptr<LevelFinder> finder,
                  const Sample& sample, Grower& grower);
  ~HistogramLevels() override;
  HistogramLevels(const HistogramLevels&) = delete;
  HistogramLevels& operator=(const HistogramLevels&) = delete;

  Level choose(const LevelLeaves& at, Host& host) override;
  void part(const Level& level, std::vector<Leaf>& leaves, std::size_t left,
            std::size_t right) override;
  void keep_sums(Sums& root) override;
  void finish(const LevelLeaves& at, std::vector<Leaf>& leaves, Host& host) override;

 private:
  void measure_root(const LevelLeaves& at, Host& host);
  void measure_pairs(const LevelLeaves& at, Host& host);
  void add_up(const LevelLeaves& at, std::size_t leaf, Host& host);
  void add_gains(const LevelLeaves& at, Host& host);
  Split best() const;
  Level level_of(const Split& split, const LevelLeaves& at, Host& host);

  ChannelSource source_;
  std::unique_ptr<LevelFinder> finder_;
  const Sample& sample_;
  RowAdder& adder_;
  std::size_t max_histograms_;
  Sums* root_ = nullptr;       // where its sums are kept, if they are
  std::vector<Sums> sums_;     // of each leaf; histograms are empty where not kept
  std::vector<Totals> lefts_;  // of each leaf, for the level that was chosen
  // The smaller and the larger side of leaves just split, the latter with the sums of
  // both.
  std::vector<std::array<std::size_t, 2>> pairs_;
  std::size_t kept_ = 0;  // histograms
  std::vector<double> gains_;
};

}  // namespace rankmix::tree

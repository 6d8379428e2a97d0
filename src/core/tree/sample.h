// The rows and features on which splits are searched.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tree/split_finder.h"

namespace rankmix::tree {

// Selects the single feature that a search considers, and receives a reward for it: the
// larger of the score of its best split and the node score, in units of 2^-30.
class FeatureChooser {
 public:
  virtual ~FeatureChooser() = default;
  virtual std::size_t choose() = 0;
  virtual void reward(ScoreKind kind, double score) = 0;
};

// Always selects the same feature.
class FixedFeature : public FeatureChooser {
 public:
  explicit FixedFeature(std::size_t feature) : feature_(feature) {}
  std::size_t choose() override { return feature_; }
  void reward(ScoreKind, double) override {}

 private:
  std::size_t feature_;
};

struct Sample {
  std::vector<std::uint8_t> active;   // 1 for features that may be split
  std::vector<std::uint32_t> rows;    // increasing; empty: all rows
  FeatureChooser* chooser = nullptr;  // if not null, selects the feature of each search
  // No row of this rank was drawn, but rows of other ranks were drawn.
  bool is_empty = false;

  // Whether the sample has all rows of all ranks.
  bool takes_all() const { return rows.empty() && !is_empty; }
  // Number of rows in the sample, where `all` is the number of all rows.
  std::size_t rows_of(std::size_t all) const { return takes_all() ? all : rows.size(); }
};

}  // namespace rankmix::tree

// What the search for splits may look at.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tree/split_finder.h"

namespace rankmix::tree {

// Selects the single feature that a search considers, and receives its reward: the best
// split score of the node, or the node score if that is larger, in units of 2^-30.
class FeatureChooser {
 public:
  virtual ~FeatureChooser() = default;
  virtual std::size_t choose() = 0;
  virtual void reward(ScoreKind kind, double score) = 0;
};

// Always the same feature.
class FixedFeature : public FeatureChooser {
 public:
  explicit FixedFeature(std::size_t feature) : feature_(feature) {}
  std::size_t choose() override { return feature_; }
  void reward(ScoreKind, double) override {}

 private:
  std::size_t feature_;
};

struct Sample {
  std::vector<std::uint8_t> active;   // marks the features that may be split
  std::vector<std::uint32_t> rows;    // increasing; empty: all rows
  FeatureChooser* chooser = nullptr;  // if not null, names the feature of each search

  // How many rows it has, of so many.
  std::size_t rows_of(std::size_t all) const { return rows.empty() ? all : rows.size(); }
};

}  // namespace rankmix::tree

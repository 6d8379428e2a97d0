// Chooses levels of an oblivious tree by the sum over pairs that its leaves can reach.
//
// Given:     pairs of documents with a weight w and a push w s, and leaves.
// Result:    the test with the largest v' M^+ v, by which the least sum over pairs of
//            w (c_upper - c_lower - s)^2 over the values c of the leaves drops; M is the
//            Laplacian of the leaves that it makes, v the sum of the pushes of each.
// Algorithm: for each feature and two leaves the weights of their pairs are added up by
//            the bins of the documents, once by each and once by the larger: all tests
//            follow from running sums. Sums are of whole numbers, exact.
// Cost:      a few steps for each pair and feature, the cube of twice the leaves for each
//            test. With `screen` both are for some features, the best of the pointwise
//            solver, which costs a step for each document and feature.
// Reference: Gulin, Kuralenok & Pavlov 2011, algorithm 2.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/host.h"
#include "core/boost/lane_systems.h"
#include "core/data/bins.h"
#include "core/tree/documents.h"
#include "core/tree/level_chooser.h"

namespace rankmix::boost {

// Rows of the data, weight and push in the same unit; |push| <= weight.
struct WeightedPair {
  std::uint32_t upper;
  std::uint32_t lower;
  std::uint32_t weight;
  std::int32_t push;  // up, for `upper`
};

struct AlignedOptions {
  double ridge = 1e-10;  // of the diagonal's mean
  double pair_fraction = 1.0;
  std::size_t screen = std::numeric_limits<std::size_t>::max();  // features
};

class AlignedLevels : public tree::LevelChooser {
 public:
  // Only pairs of two documents of the sample count; a leaf is split where both sides
  // have counted documents (`counted`). All but the pairs must outlive it.
  AlignedLevels(const data::BinnedMatrix& bins, const std::vector<WeightedPair>& pairs,
                const AlignedOptions& options, const tree::Sample& sample,
                const tree::Counted& counted);
  tree::Level choose(const tree::LevelLeaves& at, Host& host) override;
  void part(const tree::Level&, std::vector<tree::Leaf>&, std::size_t,
            std::size_t) override {}

 private:
  // Of documents by their position in rows_, the upper one in the leaf of the higher
  // number.
  struct Edge {
    std::uint32_t high;
    std::uint32_t low;
    std::uint32_t weight;
  };
  // The edges of two leaves, high >= low.
  struct Group {
    std::size_t high;
    std::size_t low;
    std::size_t begin;
    std::size_t end;
  };
  // The tests of a feature: its bins in an order, cut behind one of them.
  struct Cuts {
    std::size_t positions;
    tree::Missing missing;
  };
  struct Scratch;

  void read_columns(Host& host);
  void find_leaves(const tree::LevelLeaves& at);
  void group_edges();
  std::vector<std::size_t> screened(Host& host) const;
  double pointwise_score(std::size_t feature, std::vector<std::int64_t>& sums) const;
  tree::Split best_cut(std::size_t feature, Scratch& scratch) const;
  void try_cuts(std::size_t feature, const Cuts& cuts, Scratch& scratch,
                tree::Split& best) const;
  void add_edges(const Group& group, const std::uint8_t* column, std::size_t cuts,
                 LaneSystems& systems) const;
  void add_pushes(const std::uint8_t* column, std::size_t positions,
                  Scratch& scratch) const;
  tree::Level level_of(const tree::Split& split, const tree::LevelLeaves& at) const;

  const data::BinnedMatrix& bins_;
  AlignedOptions options_;
  const tree::Counted& counted_;
  std::vector<std::uint32_t> rows_;   // documents that have a pair
  std::vector<std::int64_t> pushes_;  // of each, and the weights of its pairs
  std::vector<std::int64_t> degrees_;
  std::vector<Edge> edges_;
  std::vector<Edge> spare_;
  std::vector<Group> groups_;
  std::vector<std::size_t> features_;  // that may be split
  std::vector<std::uint8_t> columns_;  // their bins, feature by feature
  std::vector<std::uint16_t> leaf_of_;
  std::vector<std::uint32_t> leaf_of_row_;
  std::size_t leaves_ = 1;
  double score_ = 0.0;  // of the levels so far
};

}  // namespace rankmix::boost

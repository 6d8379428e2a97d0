// Chooses the levels of an oblivious tree that minimise a sum over pairs of documents.
//
// Given:     leaves, and pairs of documents with a weight w and a push w s, where s is
//            the desired difference of scores.
// Result:    the test with the largest v' M^+ v minus the cost of its feature. v' M^+ v
//            is how much the best leaf values c reduce the sum over pairs of w (c_upper -
//            c_lower - s)^2. M is the Laplacian of the leaves that the test creates. v
//            has the sum of the pushes in each of these leaves.
// Algorithm: for each feature and two leaves, the weights of their pairs are summed by
//            the bins of the documents: by the bin of each document, and by the larger of
//            both bins. Cumulative sums over the bins give the matrices of all tests.
//            Sums are of integers and exact. With several ranks, the sums of all features
//            are added up over the ranks before the tests are solved.
// Cost:      a few steps for each pair and feature, and the cube of twice the number of
//            leaves for each test. With `screen` only some features are searched: those
//            with the best score of the pointwise solver, after their costs. This score costs
//            one step for each document and feature.
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
#include "core/tree/level_rules.h"

namespace rankmix::boost {

// `upper` and `lower` are rows of the data. Weight and push have the same unit. The
// magnitude of the push is at most the weight.
struct WeightedPair {
  std::uint32_t upper;
  std::uint32_t lower;
  std::uint32_t weight;
  std::int32_t push;  // positive: `upper` should rise
};

struct AlignedOptions {
  double ridge = 1e-10;  // relative to the mean of the diagonal
  double pair_fraction = 1.0;
  std::size_t screen = std::numeric_limits<std::size_t>::max();  // number of features
};

class AlignedLevels : public tree::LevelChooser {
 public:
  // Only pairs whose documents are both in the sample are used. A leaf is split if both
  // sides have documents with a positive count in `counted`. All arguments but the pairs
  // must outlive this object.
  AlignedLevels(const data::BinnedMatrix& bins, const std::vector<WeightedPair>& pairs,
                const AlignedOptions& options, const tree::Sample& sample,
                const tree::Counted& counted);
  tree::Level choose(const tree::LevelLeaves& at, const tree::LevelRules& rules,
                     Host& host) override;
  void part(const tree::Level&, std::vector<tree::Leaf>&, std::size_t,
            std::size_t) override {}

 private:
  // A pair of documents, given by their positions in rows_. `high` is in the leaf with
  // the higher number.
  struct Edge {
    std::uint32_t high;
    std::uint32_t low;
    std::uint32_t weight;
  };
  // The edges of this rank between two leaves, or within one; high >= low.
  struct Group {
    std::size_t high;
    std::size_t low;
    std::size_t begin;
    std::size_t end;
  };
  // The tests of a feature: its bins in some order, with a cut after each position except
  // the last.
  struct Cuts {
    std::size_t positions;
    tree::Missing missing;
  };
  struct Scratch;

  void read_columns(Host& host);
  void find_leaves(const tree::LevelLeaves& at);
  void group_edges(Reducer& reducer);
  std::vector<std::size_t> allowed(const tree::LevelRules& rules) const;
  std::vector<std::size_t> screened(const tree::LevelRules& rules, Host& host) const;
  void sum_by_bins(std::size_t feature, std::int64_t* sums) const;
  double pointwise_score(std::size_t feature, const std::int64_t* sums) const;
  std::vector<Cuts> cuts_of(std::size_t feature) const;
  const std::uint8_t* positions_of(std::size_t feature, const Cuts& cuts,
                                   Scratch& scratch) const;
  void sum_edges(const Group& group, const std::uint8_t* column, std::size_t positions,
                 std::int64_t* sums) const;
  void add_edges(const Group& group, const std::int64_t* sums, std::size_t positions,
                 LaneSystems& systems) const;
  void sum_pushes(const std::uint8_t* column, std::size_t positions,
                  std::int64_t* sums) const;
  void add_pushes(const std::int64_t* sums, std::size_t positions,
                  LaneSystems& systems) const;
  std::size_t sums_of(std::size_t feature) const;
  void sum_cuts(std::size_t feature, std::int64_t* sums) const;
  void fill_systems(std::size_t feature, const Cuts& cuts, const std::int64_t* sums,
                    Scratch& scratch) const;
  void try_cuts(std::size_t feature, const Cuts& cuts, const std::int64_t* sums,
                Scratch& scratch, tree::Split& best) const;
  tree::Split best_cut(std::size_t feature, const std::int64_t* sums,
                       Scratch& scratch) const;
  tree::Level level_of(const tree::Split& split, const tree::LevelLeaves& at,
                       Reducer& reducer) const;

  const data::BinnedMatrix& bins_;
  AlignedOptions options_;
  const tree::Counted& counted_;
  std::vector<std::uint32_t> rows_;   // documents that belong to some pair
  std::vector<std::int64_t> pushes_;  // of rows_; degrees_ has the weights of their pairs
  std::vector<std::int64_t> degrees_;
  std::vector<Edge> edges_;
  std::vector<Edge> spare_;
  std::vector<Group> groups_;
  std::vector<std::size_t> features_;  // features that may be split
  std::vector<std::uint8_t> columns_;  // bins of rows_, feature by feature
  // For each of features_, whether it is missing in any document of all ranks' pairs.
  std::vector<std::uint8_t> missing_;
  std::vector<std::uint16_t> leaf_of_;
  std::vector<std::uint32_t> leaf_of_row_;
  bool has_columns_ = false;
  std::size_t leaves_ = 1;
  double score_ = 0.0;  // total score of all levels so far
};

}  // namespace rankmix::boost

// The residuals of gradient boosted regression: trees are grown on them, and each tree is
// subtracted from them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/boost/monotone.h"
#include "core/boost/variance_score.h"
#include "core/data/bins.h"
#include "core/tree/documents.h"
#include "core/tree/grow.h"
#include "core/tree/histogram.h"
#include "core/tree/leaf_ids.h"
#include "core/tree/level_chooser.h"
#include "core/tree/level_finder.h"

namespace rankmix::boost {

class Residuals {
 public:
  virtual ~Residuals() = default;
  // Prepares the channels for a tree. Returns false if all residuals are 0, up to
  // rounding errors.
  virtual bool prepare(Host& host) = 0;
  virtual tree::ChannelSource channels() const = 0;
  // Creates a finder of splits whose sides have at least `min_documents` documents of
  // positive weight.
  virtual std::unique_ptr<tree::LevelFinder> finder(double min_documents) const = 0;
  // Creates the object that chooses the levels of an oblivious tree, with the score of
  // finder().
  virtual std::unique_ptr<tree::LevelChooser> levels(double min_documents,
                                                     const tree::Sample& sample,
                                                     tree::Grower& grower) const;
  // The meaning of the sums of channels, for leaves of at least `min_documents`
  // documents.
  virtual SumMeaning meaning(double min_documents) const = 0;
  // The decrease of the mean squared residual for a gain of 1.
  virtual double gain_unit() const = 0;
  // The state of the objective, other than scores, before the last tree.
  virtual std::vector<double> state() const { return {}; }
  // The sums of all rows, if they are kept from tree to tree, else null.
  virtual tree::Sums* known_sums() { return nullptr; }
  // Computes the mean residual of each leaf over all rows, clamped to the bounds of the
  // leaf, and subtracts `learning_rate` times this mean from the residuals. `leaf_ids`
  // has the leaf of each row.
  virtual std::vector<double> apply_tree(tree::GrownTree& tree,
                                         const tree::Sample& sample,
                                         const tree::LeafIds& leaf_ids,
                                         double learning_rate, tree::Grower& grower,
                                         Host& host) = 0;
  // Like apply_tree(), without bounds, for a tree with this number of leaves that was
  // grown before.
  virtual std::vector<double> apply_tree_again(std::size_t leaves,
                                               const tree::LeafIds& leaf_ids,
                                               double learning_rate, Host& host) = 0;
  // Subtracts changes[leaf] from the residuals of the rows of each leaf.
  virtual void shift(const std::vector<double>& changes, const tree::LeafIds& leaf_ids,
                     Host& host) = 0;
  // Moves row order[i] to position i.
  virtual void reorder(View<const std::uint32_t> order, Host& host) = 0;
};

// The values times `learning_rate`.
std::vector<double> times(double learning_rate, std::vector<double> values);

// Residuals as doubles, with a weight for each row or none. The channels of a row are its
// weighted residual, in units of 2^-30 of the sum of their magnitudes, and its weight, in
// units of 2^-30. With `fine`, the rounding error of the residual follows. If weights
// differ, the last channel is the count of the row. Without weights, the channels of a
// row are the channels of one copy times the count of the row.
class RealResiduals : public Residuals {
 public:
  // Weights sum to 1. If empty, the weights of rows are proportional to their counts.
  RealResiduals(std::vector<double> residuals, std::vector<double> weights,
                tree::Counted counted, bool fine, Host& host);
  bool prepare(Host& host) override;
  tree::ChannelSource channels() const override {
    return tree::unit_channels(channels_.data(), channel_count());
  }
  std::unique_ptr<tree::LevelFinder> finder(double min_documents) const override;
  SumMeaning meaning(double min_documents) const override;
  double gain_unit() const override;
  std::vector<double> apply_tree(tree::GrownTree& tree, const tree::Sample& sample,
                                 const tree::LeafIds& leaf_ids, double learning_rate,
                                 tree::Grower& grower, Host& host) override;
  std::vector<double> apply_tree_again(std::size_t leaves, const tree::LeafIds& leaf_ids,
                                       double learning_rate, Host& host) override;
  void shift(const std::vector<double>& changes, const tree::LeafIds& leaf_ids,
             Host& host) override;
  void reorder(View<const std::uint32_t> order, Host& host) override;

 private:
  std::size_t channel_count() const {
    return std::size_t{2} + (fine_ ? 1 : 0) + (weighted_ ? 1 : 0);
  }
  // The weight of one copy of a row. copies() is the number of copies.
  double weight(std::size_t row) const {
    return weighted_ ? weights_[row] : equal_weight_;
  }
  std::int64_t copies(std::size_t row) const {
    return !weighted_ && !counted_.empty() ? counted_[row] : 1;
  }
  double min_weight(double min_documents) const;
  std::vector<double> leaf_means(std::size_t leaves, const tree::LeafIds& leaf_ids,
                                 Host& host) const;

  std::vector<double> residuals_;
  std::vector<double> weights_;
  tree::Counted counted_;
  bool weighted_;  // whether rows have weights, on any rank
  bool fine_;
  double rows_of_all_ranks_;  // number of rows of all ranks
  double all_;                // number of copies of all rows
  double equal_weight_;
  double fine_unit_ = 0.0;
  double magnitude_ = 0.0;  // sum of |weighted residual| over all rows of all ranks
  double first_magnitude_ = 0.0;
  std::vector<std::uint32_t> channels_;
};

// Residuals of rows whose weights equal their counts, as integers. The unit is about
// 2^-36 of the sum of their magnitudes, and all changes by trees are rounded to this
// unit.
//
// So every sum is exact, and the sums of all rows can be updated after a tree: for each
// bin and leaf, the change of the leaf times the number of the leaf's rows in the bin is
// subtracted. So the root, which has the most rows, is summed only for the first tree.
//
// The channels of a row are one wide number: its residual times 2^24 plus 1, multiplied
// by the count of the row. The upper bits of a sum have the sum of the residuals, and the
// lower bits the number of rows.
class WholeResiduals : public Residuals {
 public:
  // Largest number of rows that the lower bits can count.
  static constexpr std::size_t kMaxRows = (std::size_t{1} << kCountBits) - 1;
  WholeResiduals(const std::vector<double>& residuals, const tree::Counted& counted,
                 Host& host);
  bool prepare(Host& host) override;
  tree::ChannelSource channels() const override {
    return tree::wide_channels(channels_.data());
  }
  std::unique_ptr<tree::LevelFinder> finder(double min_documents) const override;
  SumMeaning meaning(double min_documents) const override;
  double gain_unit() const override;
  tree::Sums* known_sums() override { return &sums_; }
  std::vector<double> apply_tree(tree::GrownTree& tree, const tree::Sample& sample,
                                 const tree::LeafIds& leaf_ids, double learning_rate,
                                 tree::Grower& grower, Host& host) override;
  std::vector<double> apply_tree_again(std::size_t leaves, const tree::LeafIds& leaf_ids,
                                       double learning_rate, Host& host) override;
  void shift(const std::vector<double>& changes, const tree::LeafIds& leaf_ids,
             Host& host) override;
  void reorder(View<const std::uint32_t> order, Host& host) override;

 private:
  std::size_t rows() const { return channels_.size() / 2 - tree::kMaxLanes / 2; }
  // The residual of one copy of a row. A row of count 0 has residual 0.
  std::int64_t own_residual(std::uint64_t wide) const;
  // Replaces each residual by change(row, residual).
  template <class Change>
  void change_rows(const Change& change, Host& host);
  void scale_by(int bits, Host& host);
  std::vector<std::int64_t> leaf_sums(std::size_t leaves, const tree::LeafIds& leaf_ids,
                                      Host& host) const;
  // Subtracts learning_rate * means[leaf], rounded to integers, from all residuals;
  // `means` are in units. Returns these steps. Replaces the means by the rounded steps
  // divided by learning_rate, in the scale of the targets.
  std::vector<std::int64_t> lower(std::vector<double>& means,
                                  const tree::LeafIds& leaf_ids, double learning_rate,
                                  Host& host);
  void update_sums(const std::vector<std::int64_t>& steps, tree::GrownTree& tree,
                   tree::Grower& grower, Host& host);

  double unit_ = 1.0;
  double magnitude_ = 0.0;  // sum of |residual| over all rows, in units
  double first_magnitude_ = 0.0;
  bool counted_;  // whether a row may count several times
  double all_;    // number of copies of all rows
  std::vector<std::uint32_t> channels_;
  tree::Sums sums_;  // the histogram is empty if not known
};

}  // namespace rankmix::boost

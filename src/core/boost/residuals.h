// The residuals of gradient boosted regression: what trees are grown on, and what is left
// when one has been added.
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
  // Makes ready for a tree; false where all residuals are 0, but for rounding.
  virtual bool prepare(Host& host) = 0;
  virtual tree::ChannelSource channels() const = 0;
  // For leaves of at least so many documents of positive weight.
  virtual std::unique_ptr<tree::LevelFinder> finder(double min_documents) const = 0;
  // What chooses the levels of an oblivious tree, by the sums for finder().
  virtual std::unique_ptr<tree::LevelChooser> levels(double min_documents,
                                                     const tree::Sample& sample,
                                                     tree::Grower& grower) const;
  // What its sums mean, for such leaves.
  virtual SumMeaning meaning(double min_documents) const = 0;
  // What a unit of its gains takes off the mean squared residual.
  virtual double gain_unit() const = 0;
  // What the objective has learned beside the scores before the last tree.
  virtual std::vector<double> state() const { return {}; }
  // Sums of all rows, if they are kept from tree to tree.
  virtual tree::Sums* known_sums() { return nullptr; }
  // The mean residual of each leaf over all rows, whose leaves are `leaf_ids`, or what is
  // nearest to it within the bounds of the leaf; takes `learning_rate` times it off.
  virtual std::vector<double> apply_tree(tree::GrownTree& tree,
                                         const tree::Sample& sample,
                                         const tree::LeafIds& leaf_ids,
                                         double learning_rate, tree::Grower& grower,
                                         Host& host) = 0;
  // The same for a tree of so many leaves, without bounds, that was grown before.
  virtual std::vector<double> apply_tree_again(std::size_t leaves,
                                               const tree::LeafIds& leaf_ids,
                                               double learning_rate, Host& host) = 0;
  // Subtracts the `changes` of the leaves.
  virtual void shift(const std::vector<double>& changes, const tree::LeafIds& leaf_ids,
                     Host& host) = 0;
  // Row i is from now on what row order[i] was.
  virtual void reorder(View<const std::uint32_t> order, Host& host) = 0;
};

// Each of the values times `learning_rate`.
std::vector<double> times(double learning_rate, std::vector<double> values);

// Residuals as doubles, with a weight for each row or none. Channels are a row's residual
// and its weight, in units of 2^-30 of their sums; with `fine`, also what rounding took
// from the residual; where weights differ, also how often the row counts. Where the
// weights of rows equal their counts, channels are those of a row that counts once, so
// many times.
class RealResiduals : public Residuals {
 public:
  // Weights sum to 1; empty: they are as the rows count.
  RealResiduals(std::vector<double> residuals, std::vector<double> weights,
                tree::Counted counted, bool fine);
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
    return std::size_t{2} + (fine_ ? 1 : 0) + (weights_.empty() ? 0 : 1);
  }
  // Of one copy of a row, of which there are copies().
  double weight(std::size_t row) const {
    return weights_.empty() ? equal_weight_ : weights_[row];
  }
  std::int64_t copies(std::size_t row) const {
    return weights_.empty() && !counted_.empty() ? counted_[row] : 1;
  }
  double min_weight(double min_documents) const;
  std::vector<double> leaf_means(std::size_t leaves, const tree::LeafIds& leaf_ids,
                                 Host& host) const;

  std::vector<double> residuals_;
  std::vector<double> weights_;
  tree::Counted counted_;
  bool fine_;
  double all_;  // copies
  double equal_weight_;
  double fine_unit_ = 0.0;
  double magnitude_ = 0.0;  // the sum of all weighted residuals' magnitudes
  double first_magnitude_ = 0.0;
  std::vector<std::uint32_t> channels_;
};

// Residuals of rows whose weights equal their counts, as whole numbers, with a unit of
// about 2^-36 of the sum of their magnitudes, which all steps are rounded to.
//
// So every sum is exact, and those of all rows follow from the last tree: each bin loses,
// for each leaf, what its rows lost times how many of them it has. The histogram of the
// root, the largest of a tree, is never added up again.
//
// A row's channels are one wide number, its residual times 2^24 plus 1, as often as the
// row counts: sums of it have the sum of the residuals above the number of rows.
class WholeResiduals : public Residuals {
 public:
  // Rows that the lower bits can count.
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
  // Of a row that may count several times; what does not count has none.
  std::int64_t own_residual(std::uint64_t wide) const;
  // Changes all residuals; `change(row, residual)` gives the new one.
  template <class Change>
  void change_rows(const Change& change, Host& host);
  void scale_by(int bits, Host& host);
  std::vector<std::int64_t> leaf_sums(std::size_t leaves, const tree::LeafIds& leaf_ids,
                                      Host& host) const;
  // Lowers all residuals by the steps of their leaves of these means, to what the steps
  // come to.
  std::vector<std::int64_t> lower(std::vector<double>& means,
                                  const tree::LeafIds& leaf_ids, double learning_rate,
                                  Host& host);
  void update_sums(const std::vector<std::int64_t>& steps, tree::GrownTree& tree,
                   tree::Grower& grower, Host& host);

  double unit_ = 1.0;
  double magnitude_ = 0.0;  // sum of all residuals' magnitudes, in units
  double first_magnitude_ = 0.0;
  bool counted_;  // rows may count several times
  double all_;    // how often all rows count
  std::vector<std::uint32_t> channels_;
  tree::Sums sums_;  // empty where they are not known
};

}  // namespace rankmix::boost

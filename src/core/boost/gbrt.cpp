#include "core/boost/gbrt.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/units.h"
#include "core/boost/variance_score.h"

namespace rankmix::boost {
namespace {

// Residuals of this share of the first ones are rounding errors.
constexpr double kNothing = 1e-14;

// The largest of body(begin, end) over blocks.
template <class Body>
double largest_over_blocks(Host& host, std::size_t rows, const Body& body) {
  std::vector<double> parts(block_count(rows), 0.0);
  for_each_block(host, rows, RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   parts[block] = body(begin, end);
                 });
  return parts.empty() ? 0.0 : *std::max_element(parts.begin(), parts.end());
}

}  // namespace

void GbrtOptions::validate() const {
  DrawOptions::validate();
  if (limits.leaves < 2 || limits.depth < 1 || !(step > 0.0 && step <= 1.0) ||
      !(least_documents >= 1.0)) {
    throw InvalidArgument("impossible options of gbrt");
  }
}

Gbrt::Gbrt(const data::BinnedMatrix& bins, View<const double> targets,
           View<const double> weights, const GbrtOptions& options, Host& host)
    : bins_(bins),
      options_(options),
      residuals_(targets.begin(), targets.end()),
      weights_(weights.begin(), weights.end()),
      grower_(bins) {
  options.validate();
  if (targets.size() != bins.rows() ||
      (!weights.empty() && weights.size() != bins.rows())) {
    throw InvalidArgument("targets, weights and features differ in the number of rows");
  }
  const double all = sum_exactly(host, [&](std::size_t i) { return weight(i); });
  for (double& w : weights_) {
    w /= all;
  }
  equal_weight_ = 1.0 / static_cast<double>(bins.rows());
  model_.forest.outputs = 1;
  model_.start =
      sum_exactly(host, [&](std::size_t i) { return weight(i) * residuals_[i]; });
  for (double& residual : residuals_) {
    residual -= model_.start;
  }
}

// A sum that does not depend on the order of the rows.
template <class Value>
double Gbrt::sum_exactly(Host& host, const Value& value) const {
  const std::size_t rows = residuals_.size();
  const double largest =
      largest_over_blocks(host, rows, [&](std::size_t begin, std::size_t end) {
        double part = 0.0;
        for (std::size_t i = begin; i < end; ++i) {
          part = std::max(part, std::abs(value(i)));
        }
        return part;
      });
  if (largest == 0.0) {
    return 0.0;
  }
  const double unit = largest * static_cast<double>(rows);
  const std::int64_t sum =
      sum_over_blocks<std::int64_t>(host, rows, [&](std::size_t begin, std::size_t end) {
        std::int64_t part = 0;
        for (std::size_t i = begin; i < end; ++i) {
          part += to_fixed(value(i) / unit);
        }
        return part;
      });
  return from_fixed(sum) * unit;
}

// False where all residuals are 0, but for rounding.
bool Gbrt::fill_channels(Host& host) {
  magnitude_ = sum_exactly(
      host, [&](std::size_t i) { return std::abs(weight(i) * residuals_[i]); });
  first_magnitude_ = std::max(first_magnitude_, magnitude_);
  if (magnitude_ <= kNothing * first_magnitude_) {
    return false;
  }
  const bool fine = options_.precision == Precision::kDouble;
  const std::size_t rows = residuals_.size();
  const std::size_t count = fine ? 3 : 2;
  // What is rounded off is half a unit at most for each row.
  const double fine_units = std::exp2(30.0 - std::ceil(std::log2(rows)));
  fine_unit_ = fine ? 1.0 / fine_units : 0.0;
  channels_.resize(rows * count + tree::kMaxLanes);
  const double scale = kUnits / magnitude_;
  for_each_block(host, rows, RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const double w = weight(i);
                     const double units = w * residuals_[i] * scale;
                     std::uint32_t* row = channels_.data() + i * count;
                     row[0] = rounded(units);
                     row[1] = rounded(w * kUnits);
                     if (fine) {
                       const double rest = units - static_cast<std::int32_t>(row[0]);
                       row[2] = rounded(rest * fine_units);
                     }
                   }
                 });
  return true;
}

// The mean residual of each leaf, over all documents.
std::vector<double> Gbrt::leaf_means(std::size_t leaves, const Cells& cells,
                                     Host& host) const {
  const double per_magnitude = 1.0 / magnitude_;
  const std::vector<std::int64_t> sums =
      sum_tables(host, residuals_.size(), 2 * leaves, [&](std::size_t i, std::int64_t* to) {
        const double w = weight(i);
        to[std::size_t{2} * cells[i]] += to_fixed(w * residuals_[i] * per_magnitude);
        to[std::size_t{2} * cells[i] + 1] += to_fixed(w);
      });
  std::vector<double> means(leaves);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const std::int64_t all = sums[2 * leaf + 1];
    means[leaf] =
        all == 0 ? 0.0 : from_fixed(sums[2 * leaf]) / from_fixed(all) * magnitude_;
  }
  return means;
}

// False where there is nothing to split.
bool Gbrt::add_tree(Host& host) {
  if (!fill_channels(host)) {
    return false;
  }
  const VarianceScore score(
      fine_unit_, std::floor((options_.least_documents - 0.5) * kUnits * equal_weight_));
  const tree::ChannelSource channels{channels_.data(), fine_unit_ > 0.0 ? 3U : 2U};
  const std::size_t round = model_.forest.round_begin.size() - 1;
  tree::Sample sample = draw(bins_, options_, round);
  tree::GrownTree tree = grower_.grow(channels, score, options_.limits, sample, host);
  if (tree.nodes.empty() && is_partial(sample)) {
    sample = everything(bins_);
    tree = grower_.grow(channels, score, options_.limits, sample, host);
  }
  if (tree.nodes.empty()) {
    return false;
  }
  const Cells& cells = find_cells(tree, sample, grower_, host);
  const std::vector<double> means = leaf_means(tree.leaves.size(), cells, host);
  for_each_block(host, residuals_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     residuals_[i] -= options_.step * means[cells[i]];
                   }
                 });
  // A gain is a drop of the mean squared residual.
  tree::append_tree(tree.nodes, tree.gains, magnitude_ * magnitude_ / kUnits, means,
                    model_.forest);
  tree::end_round(model_.forest);
  return true;
}

void Gbrt::run(std::size_t trees, std::size_t total, Host& host) {
  for (std::size_t i = 0; i < trees; ++i) {
    host.checkpoint();
    if (!add_tree(host)) {
      model_.stalled = true;
      return;
    }
    host.progress(model_.forest.round_begin.size() - 1, total);
  }
}

}  // namespace rankmix::boost

#include "core/boost/objective_slopes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/exact_sum.h"
#include "core/base/in_order.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "core/boost/newton_score.h"
#include "core/objective/evaluate.h"

namespace rankmix::boost {
namespace {

// Slopes of this share of the first ones are rounding errors.
constexpr double kNothing = 1e-14;

double largest_of(View<const double> numbers, Host& host) {
  std::vector<double> largest(block_count(numbers.size()), 0.0);
  for_each_block(host, numbers.size(), RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   double most = 0.0;
                   for (std::size_t i = begin; i < end; ++i) {
                     const double size = std::abs(numbers[i]);
                     most = size > most ? size : most;
                   }
                   largest[block] = most;
                 });
  return largest.empty() ? 0.0 : *std::max_element(largest.begin(), largest.end());
}

struct FixedSums {
  std::int64_t slope = 0;
  std::int64_t magnitude = 0;
  std::int64_t curvature = 0;
  bool curved_down = false;

  FixedSums& operator+=(const FixedSums& other) {
    slope += other.slope;
    magnitude += other.magnitude;
    curvature += other.curvature;
    curved_down = curved_down || other.curved_down;
    return *this;
  }
};

// Each as sum_exactly() has it, of one pass over the documents.
SlopeSums sum_all(View<const double> slopes, View<const double> curvatures, Host& host) {
  const auto rows = static_cast<double>(slopes.size());
  const double most_curvature = largest_of(curvatures, host);
  auto unit_of = [&](double most) { return most > 0.0 ? most * rows : 1.0; };
  const double slope_unit = unit_of(largest_of(slopes, host));
  const double curvature_unit = unit_of(most_curvature);
  const auto sums = sum_over_blocks<FixedSums>(
      host, slopes.size(), [&](std::size_t begin, std::size_t end) {
        FixedSums part;
        for (std::size_t i = begin; i < end; ++i) {
          const std::int64_t slope = to_fixed(slopes[i] / slope_unit);
          part.slope += slope;
          part.magnitude += slope < 0 ? -slope : slope;
          part.curvature += to_fixed(curvatures[i] / curvature_unit);
          part.curved_down |= curvatures[i] < 0.0;
        }
        return part;
      });
  return {from_fixed(sums.slope) * slope_unit, from_fixed(sums.magnitude) * slope_unit,
          from_fixed(sums.curvature) * curvature_unit, most_curvature, sums.curved_down};
}

}  // namespace

ObjectiveSlopes::ObjectiveSlopes(const data::BinnedMatrix& bins,
                                 std::unique_ptr<objective::Objective> objective,
                                 const objective::Documents& documents,
                                 tree::Counted counted, double start,
                                 const SlopeOptions& options)
    : bins_(bins),
      objective_(std::move(objective)),
      documents_(documents),
      scores_(documents.rows(), start),
      counted_(std::move(counted)),
      options_(options),
      slopes_(documents.rows()),
      curvatures_(documents.rows()) {}

void ObjectiveSlopes::begin_round(Host& host) {
  objective_->begin_round(
      {round_, random_stream(options_.seed, Purpose::kObjective, round_)}, documents_,
      scores_, host);
  ++round_;
  documents_.offsets = objective_->offsets();
}

bool ObjectiveSlopes::prepare(Host& host) {
  const std::size_t rows = scores_.size();
  begin_round(host);
  objective::evaluate(*objective_, documents_, scores_, host,
                      {{slopes_.data(), rows}, {curvatures_.data(), rows}});
  sums_ = sum_all(slopes_, curvatures_, host);
  first_magnitude_ = std::max(first_magnitude_, sums_.magnitude);
  if (sums_.magnitude <= kNothing * first_magnitude_ ||
      !(sums_.curvature + options_.l2 > 0.0)) {
    return false;
  }
  is_packed_ = !options_.fine && pack(host);
  if (!is_packed_) {
    fill_channels(host);
  }
  return true;
}

bool ObjectiveSlopes::pack(Host& host) {
  if (packed_ == nullptr) {
    packed_ = std::make_unique<PackedSlopes>(bins_, counted_, host);
  }
  // Not by the seed: only what draws of its own accord heeds it.
  const std::uint64_t stream = random_stream(0, Purpose::kRounding, round_);
  if (!packed_->fill(slopes_, curvatures_, documents_of_rows_, sums_, counted_, stream,
                     host)) {
    return false;
  }
  slope_unit_ = packed_->slope_unit();
  curvature_unit_ = packed_->curvature_unit();
  return true;
}

void ObjectiveSlopes::fill_channels(Host& host) {
  const std::size_t rows = scores_.size();
  const std::size_t count = channel_count();
  const double finer = fine_units(rows);
  fine_unit_ = options_.fine ? 1.0 / finer : 0.0;
  channels_.resize(rows * count + tree::kMaxLanes);
  slope_unit_ = sums_.magnitude / kUnits;
  // Without curvature its unit is 1.
  curvature_unit_ = sums_.curvature > 0.0 ? sums_.curvature / kUnits : 1.0;
  const double slope_scale = kUnits / sums_.magnitude;
  const double curvature_scale = sums_.curvature > 0.0 ? 1.0 / sums_.curvature : 0.0;
  for_each_block(host, rows, RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const std::size_t document = document_of(i);
                     const FineUnits slope(slopes_[document] * slope_scale, finer);
                     std::uint32_t* row = channels_.data() + i * count;
                     row[0] = slope.whole;
                     row[1] = to_units(curvatures_[document] * curvature_scale);
                     if (options_.fine) {
                       row[2] = slope.rest;
                     }
                     row[count - 1] = counted_.empty() ? 1 : counted_[i];
                   }
                 });
}

tree::ChannelSource ObjectiveSlopes::channels() const {
  return is_packed_ ? packed_->channels()
                    : tree::unit_channels(channels_.data(), channel_count());
}

std::unique_ptr<tree::LevelFinder> ObjectiveSlopes::finder(double least_documents) const {
  NewtonOptions options;
  options.fine_unit = fine_unit_;
  options.l2 = l2_in_units();
  options.least_documents = least_documents;
  if (is_packed_) {
    options.packed = packed_->bits();
  }
  return newton_finder(options);
}

SumMeaning ObjectiveSlopes::meaning(double least_documents) const {
  SumMeaning meaning;
  meaning.sign = -1.0;
  if (is_packed_) {
    meaning.packed = packed_->bits();
  }
  meaning.fine_unit = fine_unit_;
  meaning.l2 = l2_in_units();
  meaning.count_channel = channel_count() - 1;
  meaning.least_count = least_documents;
  return meaning;
}

double ObjectiveSlopes::gain_unit() const {
  return 0.5 * slope_unit_ * slope_unit_ / curvature_unit_;
}

std::vector<double> ObjectiveSlopes::leaf_steps(std::size_t leaves,
                                                const tree::Cells& cells,
                                                Host& host) const {
  const double curvature_scale = sums_.curvature > 0.0 ? 1.0 / sums_.curvature : 0.0;
  const std::vector<std::int64_t> sums =
      sum_tables(host, scores_.size(), 2 * leaves, [&](std::size_t i, std::int64_t* to) {
        to[std::size_t{2} * cells[i]] += to_fixed(slopes_[i] / sums_.magnitude);
        to[std::size_t{2} * cells[i] + 1] += to_fixed(curvatures_[i] * curvature_scale);
      });
  std::vector<double> steps(leaves, 0.0);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const double slope = from_fixed(sums[2 * leaf]) * sums_.magnitude;
    const double curvature =
        from_fixed(sums[2 * leaf + 1]) * sums_.curvature + options_.l2;
    if (curvature > 0.0) {
      steps[leaf] = -slope / curvature;
    }
  }
  return steps;
}

std::vector<double> ObjectiveSlopes::apply_tree(tree::GrownTree& tree,
                                                const tree::Sample&,
                                                const tree::Cells& cells, double step,
                                                tree::Grower&, Host& host) {
  const tree::Cells& of_documents = by_document(cells, host);
  std::vector<double> steps = leaf_steps(tree.leaves.size(), of_documents, host);
  for (std::size_t leaf = 0; leaf < steps.size(); ++leaf) {
    steps[leaf] =
        tree.leaves[leaf].bounds.nearest(steps[leaf], slope_unit_ / curvature_unit_);
  }
  add_to_scores(times(step, steps), of_documents, host);
  return steps;
}

std::vector<double> ObjectiveSlopes::apply_tree_again(std::size_t leaves,
                                                      const tree::Cells& cells,
                                                      double step, Host& host) {
  const tree::Cells& of_documents = by_document(cells, host);
  std::vector<double> steps = leaf_steps(leaves, of_documents, host);
  add_to_scores(times(step, steps), of_documents, host);
  return steps;
}

void ObjectiveSlopes::shift(const std::vector<double>& changes, const tree::Cells& cells,
                            Host& host) {
  add_to_scores(changes, by_document(cells, host), host);
}

// The cell of each document.
const tree::Cells& ObjectiveSlopes::by_document(const tree::Cells& cells, Host& host) {
  if (documents_of_rows_.empty()) {
    return cells;
  }
  cells_.resize(cells.size());
  for_each_block(host, cells.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     cells_[documents_of_rows_[i]] = cells[i];
                   }
                 });
  return cells_;
}

void ObjectiveSlopes::reorder(View<const std::uint32_t> order, Host& host) {
  if (documents_of_rows_.empty()) {
    documents_of_rows_.assign(order.begin(), order.end());
  } else {
    documents_of_rows_ = in_order(documents_of_rows_, order, host);
  }
  if (!counted_.empty()) {
    counted_ = in_order(counted_, order, host);
  }
  if (packed_ != nullptr) {
    packed_->reorder(order, host);
  }
}

void ObjectiveSlopes::add_to_scores(const std::vector<double>& changes,
                                    const tree::Cells& cells, Host& host) {
  for_each_block(host, scores_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     scores_[i] += changes[cells[i]];
                   }
                 });
}

}  // namespace rankmix::boost

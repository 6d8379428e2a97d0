#include "core/boost/objective_gradients.h"

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

// Gradients smaller than this fraction of the first gradients are rounding errors.
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
  std::int64_t gradient = 0;
  std::int64_t magnitude = 0;
  std::int64_t hessian = 0;
  bool any_negative_hessian = false;

  FixedSums& operator+=(const FixedSums& other) {
    gradient += other.gradient;
    magnitude += other.magnitude;
    hessian += other.hessian;
    any_negative_hessian = any_negative_hessian || other.any_negative_hessian;
    return *this;
  }
};

// Each sum is computed as by sum_exactly(), all in one pass over the documents. `rows` is
// the number of documents of all ranks.
GradientSums sum_all(View<const double> gradients, View<const double> hessians,
                     double rows, Host& host) {
  double largest[2] = {largest_of(gradients, host), largest_of(hessians, host)};
  host.reducer().max(View<double>(largest, 2));
  auto unit_of = [&](double most) { return most > 0.0 ? most * rows : 1.0; };
  const double gradient_unit = unit_of(largest[0]);
  const double hessian_unit = unit_of(largest[1]);
  const auto own = sum_over_blocks<FixedSums>(
      host, gradients.size(), [&](std::size_t begin, std::size_t end) {
        FixedSums part;
        for (std::size_t i = begin; i < end; ++i) {
          const std::int64_t gradient = to_fixed(gradients[i] / gradient_unit);
          part.gradient += gradient;
          part.magnitude += gradient < 0 ? -gradient : gradient;
          part.hessian += to_fixed(hessians[i] / hessian_unit);
          part.any_negative_hessian |= hessians[i] < 0.0;
        }
        return part;
      });
  std::int64_t sums[4] = {own.gradient, own.magnitude, own.hessian,
                          own.any_negative_hessian ? 1 : 0};
  host.reducer().add(View<std::int64_t>(sums, 4));
  return {from_fixed(sums[0]) * gradient_unit, from_fixed(sums[1]) * gradient_unit,
          from_fixed(sums[2]) * hessian_unit, largest[1], sums[3] > 0};
}

}  // namespace

ObjectiveGradients::ObjectiveGradients(const data::BinnedMatrix& bins,
                                       std::unique_ptr<objective::Objective> objective,
                                       const objective::Documents& documents,
                                       tree::Counted counted, std::vector<double> scores,
                                       const GradientOptions& options)
    : bins_(bins),
      objective_(std::move(objective)),
      documents_(documents),
      scores_(std::move(scores)),
      counted_(std::move(counted)),
      options_(options),
      gradients_(documents.rows()),
      hessians_(documents.rows()) {}

void ObjectiveGradients::begin_round(Host& host) {
  objective_->begin_round(
      {round_, random_stream(options_.seed, Purpose::kObjective, round_)}, documents_,
      scores_, host);
  ++round_;
  documents_.offsets = objective_->offsets();
}

bool ObjectiveGradients::prepare(Host& host) {
  const std::size_t rows = scores_.size();
  begin_round(host);
  objective::evaluate(*objective_, documents_, scores_, host,
                      {{gradients_.data(), rows}, {hessians_.data(), rows}});
  sums_ = sum_all(gradients_, hessians_, options_.rows_of_all_ranks, host);
  first_magnitude_ = std::max(first_magnitude_, sums_.magnitude);
  if (sums_.magnitude <= kNothing * first_magnitude_ ||
      !(sums_.hessian + options_.l2 > 0.0)) {
    return false;
  }
  is_packed_ = !options_.fine && pack(host);
  if (!is_packed_) {
    fill_channels(host);
  }
  return true;
}

bool ObjectiveGradients::pack(Host& host) {
  if (packed_ == nullptr) {
    packed_ = std::make_unique<PackedGradients>(bins_, counted_, host);
  }
  // Deliberately not seeded: `seed` affects only sampling that the user asked for.
  const std::uint64_t stream = random_stream(0, Purpose::kRounding, round_);
  if (!packed_->fill(gradients_, hessians_, documents_of_rows_, sums_, counted_, stream,
                     host)) {
    return false;
  }
  gradient_unit_ = packed_->gradient_unit();
  hessian_unit_ = packed_->hessian_unit();
  return true;
}

void ObjectiveGradients::fill_channels(Host& host) {
  const std::size_t rows = scores_.size();
  const std::size_t count = channel_count();
  const double finer = fine_units(static_cast<std::size_t>(options_.rows_of_all_ranks));
  fine_unit_ = options_.fine ? 1.0 / finer : 0.0;
  channels_.resize(rows * count + tree::kMaxLanes);
  gradient_unit_ = sums_.magnitude / kUnits;
  // If all hessians are 0, the unit is 1.
  hessian_unit_ = sums_.hessian > 0.0 ? sums_.hessian / kUnits : 1.0;
  const double gradient_scale = kUnits / sums_.magnitude;
  const double hessian_scale = sums_.hessian > 0.0 ? 1.0 / sums_.hessian : 0.0;
  for_each_block(
      host, rows, RowCost::kLight, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t document = document_of(i);
          const FineUnits gradient(gradients_[document] * gradient_scale, finer);
          std::uint32_t* row = channels_.data() + i * count;
          row[0] = gradient.whole;
          row[1] = to_units(hessians_[document] * hessian_scale);
          if (options_.fine) {
            row[2] = gradient.rest;
          }
          row[count - 1] = counted_.empty() ? 1 : counted_[i];
        }
      });
}

tree::ChannelSource ObjectiveGradients::channels() const {
  return is_packed_ ? packed_->channels()
                    : tree::unit_channels(channels_.data(), channel_count());
}

std::unique_ptr<tree::LevelFinder> ObjectiveGradients::finder(
    double min_documents) const {
  NewtonOptions options;
  options.fine_unit = fine_unit_;
  options.l2 = l2_in_units();
  options.min_documents = min_documents;
  if (is_packed_) {
    options.packed = packed_->bits();
  }
  return newton_finder(options);
}

SumMeaning ObjectiveGradients::meaning(double min_documents) const {
  SumMeaning meaning;
  meaning.sign = -1.0;
  if (is_packed_) {
    meaning.packed = packed_->bits();
  }
  meaning.fine_unit = fine_unit_;
  meaning.l2 = l2_in_units();
  meaning.hessian_of_1 = 1.0 / hessian_unit_;
  meaning.count_channel = channel_count() - 1;
  meaning.min_count = min_documents;
  return meaning;
}

double ObjectiveGradients::gain_unit() const {
  return 0.5 * gradient_unit_ * gradient_unit_ / hessian_unit_;
}

std::vector<double> ObjectiveGradients::leaf_steps(std::size_t leaves,
                                                   const tree::LeafIds& leaf_ids,
                                                   Host& host) const {
  const double hessian_scale = sums_.hessian > 0.0 ? 1.0 / sums_.hessian : 0.0;
  const std::vector<std::int64_t> sums =
      sum_tables(host, scores_.size(), 2 * leaves, [&](std::size_t i, std::int64_t* to) {
        to[std::size_t{2} * leaf_ids[i]] += to_fixed(gradients_[i] / sums_.magnitude);
        to[std::size_t{2} * leaf_ids[i] + 1] += to_fixed(hessians_[i] * hessian_scale);
      });
  std::vector<double> steps(leaves, 0.0);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const double gradient = from_fixed(sums[2 * leaf]) * sums_.magnitude;
    const double hessian = from_fixed(sums[2 * leaf + 1]) * sums_.hessian + options_.l2;
    if (hessian > 0.0) {
      steps[leaf] = -gradient / hessian;
    }
  }
  return steps;
}

std::vector<double> ObjectiveGradients::apply_tree(tree::GrownTree& tree,
                                                   const tree::Sample&,
                                                   const tree::LeafIds& leaf_ids,
                                                   double learning_rate, tree::Grower&,
                                                   Host& host) {
  const tree::LeafIds& of_documents = by_document(leaf_ids, host);
  std::vector<double> steps = leaf_steps(tree.leaves.size(), of_documents, host);
  for (std::size_t leaf = 0; leaf < steps.size(); ++leaf) {
    steps[leaf] = tree.leaves[leaf].branch.bounds.nearest(steps[leaf],
                                                          gradient_unit_ / hessian_unit_);
  }
  add_to_scores(times(learning_rate, steps), of_documents, host);
  return steps;
}

std::vector<double> ObjectiveGradients::apply_tree_again(std::size_t leaves,
                                                         const tree::LeafIds& leaf_ids,
                                                         double learning_rate,
                                                         Host& host) {
  const tree::LeafIds& of_documents = by_document(leaf_ids, host);
  std::vector<double> steps = leaf_steps(leaves, of_documents, host);
  add_to_scores(times(learning_rate, steps), of_documents, host);
  return steps;
}

void ObjectiveGradients::shift(const std::vector<double>& changes,
                               const tree::LeafIds& leaf_ids, Host& host) {
  add_to_scores(changes, by_document(leaf_ids, host), host);
}

// Converts the leaf of each row to the leaf of each document.
const tree::LeafIds& ObjectiveGradients::by_document(const tree::LeafIds& leaf_ids,
                                                     Host& host) {
  if (documents_of_rows_.empty()) {
    return leaf_ids;
  }
  leaf_ids_.resize(leaf_ids.size());
  for_each_block(host, leaf_ids.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     leaf_ids_[documents_of_rows_[i]] = leaf_ids[i];
                   }
                 });
  return leaf_ids_;
}

void ObjectiveGradients::reorder(View<const std::uint32_t> order, Host& host) {
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

void ObjectiveGradients::add_to_scores(const std::vector<double>& changes,
                                       const tree::LeafIds& leaf_ids, Host& host) {
  for_each_block(host, scores_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     scores_[i] += changes[leaf_ids[i]];
                   }
                 });
}

}  // namespace rankmix::boost

#include "core/regress/bin_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/exact_sum.h"
#include "core/base/units.h"

namespace rankmix::regress {
namespace {

// Nodes with at most this number of documents have no histogram.
constexpr std::size_t kFewRows = 64;

// A weight as a multiple of documents.unit.
double whole_weight(const Documents& documents, std::uint32_t row) {
  return std::round(documents.weights[row] / documents.unit);
}

// Whether all targets are integers, all weights are multiples of one number, and all sums
// fit into a channel.
bool counts_whole(const Documents& documents) {
  constexpr double most = 1 << 30;
  double sum = 0.0;
  if (documents.unit == 0.0) {
    return false;
  }
  for (std::uint32_t row : documents.rows) {
    const double y = documents.targets[row];
    if (y != std::floor(y)) {
      return false;
    }
    sum += whole_weight(documents, row) * std::max(1.0, y * y);
  }
  return sum < most;
}

}  // namespace

NodeChannels::NodeChannels(const Documents& documents) {
  whole_ = counts_whole(documents);
  if (whole_) {
    count_whole(documents);
  } else {
    count_units(documents);
  }
}

void NodeChannels::count_whole(const Documents& documents) {
  unit_ = documents.unit;
  numbers_.assign(documents.targets.size() * kKept + tree::kMaxLanes, 0U);
  for (std::uint32_t row : documents.rows) {
    const double y = documents.targets[row];
    const double w = whole_weight(documents, row);
    const double numbers[kKept] = {1.0, w, w * y, w * y * y};
    for (std::size_t l = 0; l < kKept; ++l) {
      numbers_[row * kKept + l] =
          static_cast<std::uint32_t>(static_cast<std::int32_t>(numbers[l]));
    }
  }
}

// One document counts an integer number of units, so that counts are exact.
void NodeChannels::count_units(const Documents& documents) {
  const std::vector<std::uint32_t>& rows = documents.rows;
  finer_ = fine_units(rows.size());
  scale_[0] = 1.0 / std::floor(kUnits / static_cast<double>(rows.size()));
  std::vector<double> magnitudes(rows.size());
  for (std::size_t power = 0; power < kKept - 1; ++power) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      magnitudes[i] = documents.weights[rows[i]] *
                      std::pow(std::abs(documents.targets[rows[i]]), power);
    }
    scale_[power + 1] = sum_exactly(magnitudes) / kUnits;
  }
  real_.assign(documents.targets.size() * kKept + tree::kMaxLanes, 0.0);
  for (std::uint32_t row : rows) {
    double* to = real_.data() + row * kKept;
    double number = documents.weights[row];
    to[0] = 1.0 / (scale_[0] * kUnits);
    for (std::size_t power = 1; power < kKept; ++power) {
      to[power] = scale_[power] > 0.0 ? number / (scale_[power] * kUnits) : 0.0;
      number *= documents.targets[row];
    }
  }
}

tree::ChannelSource NodeChannels::source() const {
  return whole_ ? tree::unit_channels(numbers_.data(), kKept)
                : tree::fine_channels(real_.data(), kKept, finer_);
}

NodeSums NodeChannels::read(const std::uint32_t* slot) const {
  auto number = [](std::uint32_t bits) {
    return static_cast<double>(static_cast<std::int32_t>(bits));
  };
  if (whole_) {
    return {number(slot[0]), number(slot[1]) * unit_, number(slot[2]) * unit_,
            number(slot[3]) * unit_};
  }
  double sums[kKept];
  for (std::size_t l = 0; l < kKept; ++l) {
    sums[l] = (number(slot[l]) + number(slot[kKept + l]) / finer_) * scale_[l];
  }
  return {std::round(sums[0]), sums[1], sums[2], sums[3]};
}

void NodeChannels::add(const Documents& documents, std::uint32_t row,
                       NodeSums& sums) const {
  if (whole_) {
    auto number = [&](std::size_t l) {
      return static_cast<double>(static_cast<std::int32_t>(numbers_[row * kKept + l]));
    };
    sums += {1.0, number(1), number(2), number(3)};
  } else {
    const double w = documents.weights[row];
    const double y = documents.targets[row];
    sums += {1.0, w, w * y, w * y * y};
  }
}

NodeSums NodeChannels::scaled(const NodeSums& sums) const {
  return whole_ ? NodeSums{sums.count, sums.weight * unit_, sums.first * unit_,
                           sums.second * unit_}
                : sums;
}

BinSearch::BinSearch(const data::BinnedMatrix& bins, const Documents& documents,
                     const std::vector<std::uint8_t>& active)
    : bins_(bins),
      documents_(documents),
      active_(active),
      channels_(documents),
      adder_(bins, tree::RowAdder::kGatheredBytes) {
  adder_.lay_out(channels_.source());
}

std::unique_ptr<BinSearch::KeptSums> BinSearch::add_up(View<const std::uint32_t> rows,
                                                       Host& host) {
  auto kept = std::make_unique<KeptSums>(adder_);
  tree::Totals total(adder_.layout().numbers(), 0U);
  const bool all = rows.size() == bins_.rows();
  adder_.add_up_anew(channels_.source(),
                     {all ? View<const std::uint32_t>() : rows, rows.size()}, false,
                     total, kept->histogram, host, [](std::size_t) {});
  return kept;
}

NodeSplit BinSearch::best_cut(std::size_t feature, const tree::Histogram& histogram,
                              const SplitScorer& scorer) const {
  const std::uint32_t* slot = histogram.data() + adder_.layout().begin(feature);
  const data::FeatureBins& bins = bins_.feature(feature);
  NodeSplit best;
  NodeSums left;
  for (std::size_t b = 0; b < bins.thresholds.size(); ++b) {
    const NodeSums bin = channels_.read(slot);
    slot += adder_.layout().numbers();
    left += bin;
    if (bin.count == 0.0 || !scorer.allows(left)) {
      continue;  // this cut was already scored, or is not allowed
    }
    const double score = scorer.score(left);
    if (score > best.score) {
      best = {score, static_cast<int>(feature), bins.thresholds[b]};
    }
  }
  return best;
}

NodeSplit BinSearch::search(const tree::Histogram& histogram, const NodeSums& sums,
                            Host& host) const {
  // Number of slots from which several threads pay off.
  constexpr std::size_t parallel_slots = 2048;
  const SplitScorer scorer(sums);
  const std::size_t features = bins_.features();
  std::vector<NodeSplit> found(features);
  auto look = [&](std::size_t f) {
    if (active_[f] != 0) {
      found[f] = best_cut(f, histogram, scorer);
    }
  };
  if (bins_.slots() < parallel_slots) {
    for (std::size_t f = 0; f < features; ++f) {
      look(f);
    }
  } else {
    host.parallel_for(features, look);
  }
  return best_feature(found);
}

NodeSplit BinSearch::best_cut_of_few(std::size_t feature, View<const std::uint32_t> rows,
                                     const SplitScorer& scorer) const {
  // Sort keys: the bin in the upper 16 bits, the position in `rows` in the lower 16 bits.
  std::array<std::uint32_t, kFewRows> sorted;
  bins_.with_bins_of(feature, [&](const auto& bin_of) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sorted[i] = (std::uint32_t{bin_of(rows[i])} << 16) + static_cast<std::uint32_t>(i);
    }
  });
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(rows.size()));
  const data::FeatureBins& bins = bins_.feature(feature);
  NodeSplit best;
  NodeSums sums;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    channels_.add(documents_, rows[sorted[i] & 0xFFFFU], sums);
    const std::uint32_t bin = sorted[i] >> 16;
    if (bin == sorted[i + 1] >> 16) {
      continue;
    }
    const NodeSums left = channels_.scaled(sums);
    if (!scorer.allows(left)) {
      continue;
    }
    const double score = scorer.score(left);
    if (score > best.score) {
      best = {score, static_cast<int>(feature), bins.thresholds[bin]};
    }
  }
  return best;
}

// For few documents, sorting their bins is faster than scanning all bins.
NodeSplit BinSearch::search_few(View<const std::uint32_t> rows,
                                const NodeSums& sums) const {
  const SplitScorer scorer(sums);
  std::vector<NodeSplit> found(bins_.features());
  for (std::size_t f = 0; f < found.size(); ++f) {
    if (active_[f] != 0 && !bins_.feature(f).thresholds.empty()) {
      found[f] = best_cut_of_few(f, rows, scorer);
    }
  }
  return best_feature(found);
}

NodeSplit BinSearch::root(View<const std::uint32_t> rows, const NodeSums& sums,
                          Host& host, std::unique_ptr<Kept>& kept) {
  if (rows.size() <= kFewRows) {
    return search_few(rows, sums);
  }
  std::unique_ptr<KeptSums> found = add_up(rows, host);
  const NodeSplit split = search(found->histogram, sums, host);
  kept = std::move(found);
  return split;
}

void BinSearch::sides(Side& left, Side& right, std::unique_ptr<Kept> parent, Host& host) {
  Side& small = left.rows.size() <= right.rows.size() ? left : right;
  Side& large = left.rows.size() <= right.rows.size() ? right : left;
  for (Side* side : {&small, &large}) {
    if (side->wanted && side->rows.size() <= kFewRows) {
      side->best = search_few(side->rows, side->sums);
    }
  }
  const bool adds_small = small.wanted && small.rows.size() > kFewRows;
  const bool adds_large = large.wanted && large.rows.size() > kFewRows;
  if (!adds_small && !adds_large) {
    return;
  }
  std::unique_ptr<KeptSums> of_small = add_up(small.rows, host);
  if (adds_large) {
    auto* of_large = static_cast<KeptSums*>(parent.get());
    adder_.for_each_tile(small.rows.size(), host, [&](std::size_t t) {
      tree::subtract_tile(adder_.layout(), bins_.tiles()[t], of_small->histogram,
                          of_large->histogram);
    });
    large.best = search(of_large->histogram, large.sums, host);
    large.kept = std::move(parent);
  }
  if (adds_small) {
    small.best = search(of_small->histogram, small.sums, host);
    small.kept = std::move(of_small);
  }
}

}  // namespace rankmix::regress

#include "core/boost/threshold_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/tree/row_adder.h"
#include "core/tree/split.h"

namespace rankmix::boost {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The best threshold so far. Features must be offered in increasing order.
struct Best {
  std::uint64_t score = 0;  // twice |sum|
  int feature = -1;
  std::size_t at = 0;  // index among the feature's thresholds
  Absent absent = Absent::kAbove;

  // `above` and `missing` are the sums of the potentials of the rows above the
  // threshold and of the rows whose feature is missing.
  void offer(std::int64_t above, std::int64_t missing, Absent rows, int f,
             std::size_t threshold) {
    const std::int64_t twice = 2 * above + static_cast<int>(rows) * missing;
    const auto magnitude = static_cast<std::uint64_t>(twice < 0 ? -twice : twice);
    if (magnitude > score) {
      *this = {magnitude, f, threshold, rows};
    }
  }
  // Offers the threshold. Missing values get 1/2, or are tried both above and below the
  // threshold.
  void offer_all(std::int64_t above, std::int64_t missing, bool halves, int f,
                 std::size_t threshold) {
    if (halves) {
      offer(above, missing, Absent::kHalf, f, threshold);
      return;
    }
    offer(above, missing, Absent::kAbove, f, threshold);
    if (missing != 0) {
      offer(above, missing, Absent::kBelow, f, threshold);
    }
  }
};

// The best of several results, which must be in the order of their features.
Best best_of(const std::vector<Best>& found) {
  Best best;
  for (const Best& one : found) {
    if (one.score > best.score) {
      best = one;
    }
  }
  return best;
}

std::int64_t signed_wide(const std::uint32_t* slot) {
  return static_cast<std::int64_t>(tree::read_wide(slot));
}

class BinSearch : public ThresholdSearch {
 public:
  BinSearch(const data::BinnedMatrix& bins, bool halves)
      : ThresholdSearch(halves),
        bins_(bins),
        adder_(bins, tree::RowAdder::kGatheredBytes) {}

  bool has_missing(std::size_t feature) const override {
    return bins_.feature(feature).has_missing;
  }

  Threshold best(const std::vector<std::uint32_t>& potentials, Host& host) override {
    const tree::ChannelSource source = tree::wide_channels(potentials.data());
    adder_.lay_out(source);
    histogram_.resize(adder_.layout().size());
    tree::Totals total(adder_.layout().numbers(), 0U);
    std::vector<Best> found(bins_.tiles().size());
    adder_.add_up_anew(source, tree::PickedRows({}, bins_.rows()), false, total,
                       histogram_, host,
                       [&](std::size_t t) { found[t] = best_of_tile(bins_.tiles()[t]); });
    const Best best = best_of(found);
    if (best.feature < 0) {
      return {};
    }
    const auto& bins = bins_.feature(static_cast<std::size_t>(best.feature));
    return {best.feature,
            best.at < bins.thresholds.size() ? bins.thresholds[best.at] : kInfinite,
            best.absent};
  }

  void rank(const Threshold& threshold, Host& host, Heights& heights) override {
    const auto f = static_cast<std::size_t>(threshold.feature);
    if (f >= bins_.features()) {
      throw InvalidArgument("there is no such feature");
    }
    const data::FeatureBins& bins = bins_.feature(f);
    const auto at =
        std::lower_bound(bins.thresholds.begin(), bins.thresholds.end(), threshold.value);
    if (at == bins.thresholds.end() ? threshold.value != kInfinite
                                    : *at != threshold.value) {
      throw InvalidArgument("there is no such threshold");
    }
    const auto last = static_cast<int>(at - bins.thresholds.begin());
    const int missing = bins.has_missing ? bins.missing_bin() : -1;
    heights.resize(bins_.rows());
    bins_.with_bins_of(f, [&](const auto& bin_of) {
      for_each_block(
          host, heights.size(), RowCost::kLight,
          [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
              const int bin = bin_of(i);
              const int height = bin > last ? 2 : 0;
              heights[i] = static_cast<std::uint8_t>(
                  bin == missing ? static_cast<int>(threshold.absent) : height);
            }
          });
    });
  }

 private:
  Best best_of_tile(const data::Tile& tile) const {
    Best best;
    for (const std::size_t f : tile.features) {
      const data::FeatureBins& bins = bins_.feature(f);
      const std::uint32_t* slots = histogram_.data() + adder_.layout().begin(f);
      auto slot = [&](int bin) { return signed_wide(slots + 2 * bin); };
      const std::int64_t missing = bins.has_missing ? slot(bins.missing_bin()) : 0;
      std::int64_t above = 0;
      for (int b = 0; b < bins.value_bins(); ++b) {
        above += slot(b);
      }
      for (int b = 0; b + 1 < bins.value_bins(); ++b) {
        above -= slot(b);
        best.offer_all(above, missing, halves(), static_cast<int>(f),
                       static_cast<std::size_t>(b));
      }
      if (bins.has_missing && !halves()) {
        best.offer(0, missing, Absent::kAbove, static_cast<int>(f),
                   bins.thresholds.size());
      }
    }
    return best;
  }

  const data::BinnedMatrix& bins_;
  tree::RowAdder adder_;
  tree::Histogram histogram_;
};

// The rows of each feature in the order of its values, missing values last. The lowest
// bit of an entry marks that the next row has a larger value.
class ValueSearch : public ThresholdSearch {
 public:
  ValueSearch(const data::Columns& columns, bool halves, const tree::Counted& counted,
              Host& host)
      : ThresholdSearch(halves), columns_(columns), sorted_(columns.count()) {
    for (std::size_t f = 0; f < columns.count(); ++f) {
      host.checkpoint();
      sort_feature(f, counted);
    }
  }

  bool has_missing(std::size_t feature) const override {
    return sorted_[feature].present < sorted_[feature].rows.size();
  }

  Threshold best(const std::vector<std::uint32_t>& potentials, Host& host) override {
    std::vector<Best> found(sorted_.size());
    host.parallel_for(sorted_.size(),
                      [&](std::size_t f) { found[f] = best_of_feature(f, potentials); });
    const Best best = best_of(found);
    if (best.feature < 0) {
      return {};
    }
    const auto f = static_cast<std::size_t>(best.feature);
    const Sorted& sorted = sorted_[f];
    if (best.at >= sorted.present) {
      return {best.feature, kInfinite, best.absent};
    }
    std::vector<double> buffer;
    const double* column = columns_.column(f, buffer);
    return {best.feature,
            data::midpoint(column[sorted.rows[best.at] >> 1],
                           column[sorted.rows[best.at + 1] >> 1]),
            best.absent};
  }

  void rank(const Threshold& threshold, Host& host, Heights& heights) override {
    const auto f = static_cast<std::size_t>(threshold.feature);
    if (f >= sorted_.size()) {
      throw InvalidArgument("there is no such feature");
    }
    std::vector<double> buffer;
    const double* column = columns_.column(f, buffer);
    heights.resize(columns_.rows());
    for_each_block(
        host, heights.size(), RowCost::kLight,
        [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const int height = column[i] > threshold.value ? 2 : 0;
            heights[i] = static_cast<std::uint8_t>(
                std::isnan(column[i]) ? static_cast<int>(threshold.absent) : height);
          }
        });
  }

 private:
  struct Sorted {
    std::vector<std::uint32_t> rows;  // twice the row, plus the mark
    std::size_t present = 0;
  };

  void sort_feature(std::size_t f, const tree::Counted& counted) {
    std::vector<double> buffer;
    const double* column = columns_.column(f, buffer);
    Sorted& sorted = sorted_[f];
    for (std::size_t pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < columns_.rows(); ++i) {
        const bool counts = counted.empty() || counted[i] > 0;
        if (counts && std::isnan(column[i]) == (pass == 1)) {
          sorted.rows.push_back(static_cast<std::uint32_t>(i));
        }
      }
      sorted.present = pass == 0 ? sorted.rows.size() : sorted.present;
    }
    const auto end = sorted.rows.begin() + static_cast<std::ptrdiff_t>(sorted.present);
    std::sort(sorted.rows.begin(), end,
              [&](std::uint32_t a, std::uint32_t b) { return column[a] < column[b]; });
    for (std::size_t i = 0; i < sorted.rows.size(); ++i) {
      const bool ends =
          i + 1 < sorted.present && column[sorted.rows[i]] < column[sorted.rows[i + 1]];
      sorted.rows[i] = sorted.rows[i] * 2 + (ends ? 1 : 0);
    }
  }

  Best best_of_feature(std::size_t f,
                       const std::vector<std::uint32_t>& potentials) const {
    const Sorted& sorted = sorted_[f];
    auto of_row = [&](std::size_t i) {
      return signed_wide(potentials.data() + 2 * std::size_t{sorted.rows[i] >> 1});
    };
    std::int64_t missing = 0;
    for (std::size_t i = sorted.present; i < sorted.rows.size(); ++i) {
      missing += of_row(i);
    }
    std::int64_t above = 0;
    for (std::size_t i = 0; i < sorted.present; ++i) {
      above += of_row(i);
    }
    Best best;
    for (std::size_t i = 0; i < sorted.present; ++i) {
      above -= of_row(i);
      if ((sorted.rows[i] & 1U) != 0) {
        best.offer_all(above, missing, halves(), static_cast<int>(f), i);
      }
    }
    if (sorted.present > 0 && !halves()) {
      best.offer(0, missing, Absent::kAbove, static_cast<int>(f), sorted.present);
    }
    return best;
  }

  const data::Columns& columns_;
  std::vector<Sorted> sorted_;
};

}  // namespace

std::unique_ptr<ThresholdSearch> search_bins(const data::BinnedMatrix& bins,
                                             bool halves) {
  return std::make_unique<BinSearch>(bins, halves);
}

std::unique_ptr<ThresholdSearch> search_values(const data::Columns& columns, bool halves,
                                               const tree::Counted& counted, Host& host) {
  if (!host.reducer().is_alone()) {
    throw InvalidArgument("several ranks need thresholds between bins");
  }
  return std::make_unique<ValueSearch>(columns, halves, counted, host);
}

}  // namespace rankmix::boost

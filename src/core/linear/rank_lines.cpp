#include "core/linear/rank_lines.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/long_query.h"
#include "core/base/simd.h"
#include "core/base/sort.h"
#include "core/linear/sweep.h"

namespace rankmix::linear {
namespace {

constexpr std::size_t kWide = 16;  // documents that are processed together

// The lines of a query: score = rest + v * slope. Arrays are padded to a multiple of
// kWide; pads have `valid` 0.
struct Lines {
  const double* rest;
  const double* slope;
  const std::int32_t* ties;
  const std::int32_t* valid;
  std::size_t count;
};

// Computes the crossings of line i with all others. Returns the number of lines above
// line i at v = -infinity, where lines of smaller slope are above. Local arrays let
// compilers vectorise the loop.
RANKMIX_INLINE std::int64_t meet(const Lines& lines, std::size_t i, double unit,
                                 std::int32_t* keys, std::int32_t* moves) {
  const double own = lines.rest[i];
  const double slope = lines.slope[i];
  const std::int32_t tie = lines.ties[i];
  std::int32_t higher[kWide] = {};
  for (std::size_t first = 0; first < lines.count; first += kWide) {
    double rise[kWide];
    double closing[kWide];
    std::int32_t key[kWide];
    std::int32_t move[kWide];
    for (std::size_t c = 0; c < kWide; ++c) {
      rise[c] = own - lines.rest[first + c];
      closing[c] = lines.slope[first + c] - slope;
    }
    for (std::size_t c = 0; c < kWide; ++c) {
      key[c] = key_of(rise[c], closing[c], unit);
    }
    for (std::size_t c = 0; c < kWide; ++c) {
      const auto behind = static_cast<std::int32_t>(closing[c] > 0.0);
      const auto above = static_cast<std::int32_t>(closing[c] < 0.0);
      const auto beside = static_cast<std::int32_t>(closing[c] == 0.0);
      const auto before = static_cast<std::int32_t>(lines.ties[first + c] < tie);
      const auto over = static_cast<std::int32_t>(rise[c] < 0.0) |
                        (static_cast<std::int32_t>(rise[c] == 0.0) & before);
      move[c] = (behind - above) * lines.valid[first + c];
      higher[c] += (above | (beside & over)) & lines.valid[first + c];
    }
    for (std::size_t c = 0; c < kWide; ++c) {
      keys[first + c] = key[c];
      moves[first + c] = move[c];
    }
  }
  std::int64_t sum = 0;
  for (std::int32_t part : higher) {
    sum += part;
  }
  return sum;
}
std::int64_t meet_plain(const Lines& lines, std::size_t i, double unit,
                        std::int32_t* keys, std::int32_t* moves) {
  return meet(lines, i, unit, keys, moves);
}
RANKMIX_AVX2 std::int64_t meet_avx2(const Lines& lines, std::size_t i, double unit,
                                    std::int32_t* keys, std::int32_t* moves) {
  return meet(lines, i, unit, keys, moves);
}

// Adds the move to the sums of all crossings with a larger key.
RANKMIX_INLINE void add_before(std::int32_t key, std::int32_t move,
                               const std::int32_t* until, std::int32_t* sum) {
  for (std::size_t c = 0; c < kWide; ++c) {
    sum[c] += move & -static_cast<std::int32_t>(key < until[c]);
  }
}

// before[e] = sum of moves[l] over the crossings l before crossing e. Crossings are
// ordered by key, then by index.
RANKMIX_INLINE void compare(const std::int32_t* keys, const std::int32_t* moves,
                            std::size_t count, std::int32_t* before) {
  std::int32_t lane[kWide];
  for (std::size_t c = 0; c < kWide; ++c) {
    lane[c] = static_cast<std::int32_t>(c);
  }
  for (std::size_t first = 0; first < count; first += kWide) {
    std::int32_t until[kWide];
    std::int32_t sum[kWide] = {};
    for (std::size_t c = 0; c < kWide; ++c) {
      until[c] = keys[first + c] + 1;
    }
    for (std::size_t l = 0; l < first; ++l) {
      add_before(keys[l], moves[l], until, sum);
    }
    for (std::size_t l = first; l < first + kWide; ++l) {
      const auto here = static_cast<std::int32_t>(l - first);
      for (std::size_t c = 0; c < kWide; ++c) {
        until[c] -= static_cast<std::int32_t>(lane[c] == here);
      }
      add_before(keys[l], moves[l], until, sum);
    }
    for (std::size_t l = first + kWide; l < count; ++l) {
      add_before(keys[l], moves[l], until, sum);
    }
    for (std::size_t c = 0; c < kWide; ++c) {
      before[first + c] = sum[c];
    }
  }
}
void compare_plain(const std::int32_t* keys, const std::int32_t* moves, std::size_t count,
                   std::int32_t* before) {
  compare(keys, moves, count, before);
}
RANKMIX_AVX2 void compare_avx2(const std::int32_t* keys, const std::int32_t* moves,
                               std::size_t count, std::int32_t* before) {
  compare(keys, moves, count, before);
}

double gain_of(const metric::RankSum& sum, int grade) {
  return grade < 0 ? sum.unjudged : sum.gains[grade];
}

// The most frequent gain; the smallest one if several are equally frequent.
double usual_gain(const metric::RankSum& sum, const metric::Judged& judged,
                  View<const int> rows) {
  std::vector<double> all;
  for (int row : rows) {
    all.push_back(gain_of(sum, judged.documents.grades[static_cast<std::size_t>(row)]));
  }
  std::sort(all.begin(), all.end());
  double usual = all.front();
  std::size_t most = 0;
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t first = i;
    while (i < all.size() && all[i] == all[first]) {
      ++i;
    }
    if (i - first > most) {
      most = i - first;
      usual = all[first];
    }
  }
  return usual;
}

}  // namespace

RankSums::RankSums(const metric::Judged& judged, View<const double> query_weights)
    : ties_(judged.rows(), 0) {
  for (std::size_t q = 0; possible_ && q < judged.queries.count(); ++q) {
    queries_.push_back({followed_.size(), followed_.size(), 0});
    possible_ = !(query_weights[q] > 0.0) || add(judged, q, query_weights[q]);
  }
}

bool RankSums::add(const metric::Judged& judged, std::size_t query, double query_weight) {
  const View<const int> rows = judged.queries.rows_of(query);
  metric::GradeCounts counts;
  metric::count_grades(rows, judged.documents.grades, counts);
  metric::RankSum sum;
  if (!judged.metric.rank_sum(counts, rows.size(), sum)) {
    return false;
  }
  if (rows.empty()) {
    return true;
  }
  follow(judged, rows, sum, query_weight);
  queries_.back().end = followed_.size();
  if (discounts_.empty() || discounts_.back() != sum.discounts) {
    discounts_.push_back(sum.discounts);
  }
  queries_.back().discounts = discounts_.size() - 1;

  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_indices(order, [&](std::size_t i, std::size_t j) {
    const metric::Ties ties = judged.metric.rule().ties;
    return tie_of(rows[i], judged.documents, ties) <
           tie_of(rows[j], judged.documents, ties);
  });
  std::int32_t* ties = ties_.data() + judged.queries.offsets[query];
  for (std::size_t i = 0; i < order.size(); ++i) {
    ties[order[i]] = static_cast<std::int32_t>(i);
  }
  return true;
}

void RankSums::follow(const metric::Judged& judged, View<const int> rows,
                      const metric::RankSum& sum, double query_weight) {
  const double usual = usual_gain(sum, judged, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double gains =
        gain_of(sum, judged.documents.grades[static_cast<std::size_t>(rows[i])]);
    if (gains != usual) {
      followed_.push_back(
          {static_cast<std::uint32_t>(i), query_weight * (gains - usual)});
    }
  }
}

void RankLines::run(std::size_t query, const double* scores, const double* x,
                    double weight, double unit, std::vector<KeyChange>& changes,
                    ChangeBins& bins) {
  const RankSums::Query& prepared = sums_.queries_[query];
  if (prepared.begin == prepared.end) {
    return;
  }
  read_lines(query, scores, x, weight);
  const std::vector<double>& discounts = sums_.discounts_[prepared.discounts];
  const auto meet_all = has_avx2() ? meet_avx2 : meet_plain;
  const Lines lines{rest_.data(), slope_.data(), ties_.data(), valid_.data(),
                    keys_.size()};
  for (std::size_t f = prepared.begin; f < prepared.end; ++f) {
    checkpoint_of_document(host_, count_);
    const RankSums::Followed& followed = sums_.followed_[f];
    const std::int64_t start =
        meet_all(lines, followed.index, unit, keys_.data(), moves_.data());
    if (count_ > kCompared) {
      sort_before();
    } else {
      count_before();
    }
    gain_at_.clear();
    for (double discount : discounts) {
      gain_at_.push_back(
          static_cast<std::int64_t>(followed.gain * discount * kMetricUnits));
    }
    gain_at_.push_back(0);
    add_changes(start, changes, bins);
  }
}

// Adds the changes of the metric that the moves of one document cause. Gains are rounded
// for each rank, so a sum over several moves depends only on the first and the last rank.
void RankLines::add_changes(std::int64_t start, std::vector<KeyChange>& changes,
                            ChangeBins& bins) {
  const auto depth = static_cast<std::int32_t>(gain_at_.size() - 1);
  const auto first = static_cast<std::int32_t>(start);
  const std::int64_t* gains = gain_at_.data();
  const std::int32_t* before = before_.data();
  const std::int32_t* moves = moves_.data();
  // An entry with by == 0 is overwritten by the next entry, which is faster than a
  // branch.
  std::size_t count = 0;
  for (std::size_t l = 0; l < count_; ++l) {
    const std::int32_t from = first + before[l];
    const std::int64_t by =
        gains[std::min(from + moves[l], depth)] - gains[std::min(from, depth)];
    found_[count].key = keys_[l];
    found_[count].by = by;
    count += by != 0 ? 1 : 0;
  }
  for (std::size_t c = 0; c < count; ++c) {
    bins.add(found_[c].key, found_[c].by);
  }
  changes.insert(changes.end(), found_.begin(),
                 found_.begin() + static_cast<std::ptrdiff_t>(count));
}

void RankLines::read_lines(std::size_t query, const double* scores, const double* x,
                           double weight) {
  const View<const int> rows = judged_.queries.rows_of(query);
  count_ = rows.size();
  const std::size_t whole = (count_ + kWide - 1) / kWide * kWide;
  rest_.assign(whole, 0.0);
  slope_.assign(whole, 0.0);
  ties_.assign(whole, 0);
  valid_.assign(whole, 0);
  keys_.resize(whole);
  moves_.resize(whole);
  before_.resize(whole);
  found_.resize(whole + 1);
  const std::int32_t* ties = sums_.ties_.data() + judged_.queries.offsets[query];
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t row = static_cast<std::size_t>(rows[i]);
    rest_[i] = scores[row] - weight * x[row];
    slope_[i] = x[row];
    ties_[i] = ties[i];
    valid_[i] = 1;
  }
}

void RankLines::count_before() {
  (has_avx2() ? compare_avx2 : compare_plain)(keys_.data(), moves_.data(), keys_.size(),
                                              before_.data());
}

void RankLines::sort_before() {
  sorted_.clear();
  for (std::size_t l = 0; l < count_; ++l) {
    const auto key = static_cast<std::uint32_t>(keys_[l]) ^ 0x80000000u;
    sorted_.push_back(std::uint64_t{key} << 32 | l);
  }
  std::sort(sorted_.begin(), sorted_.end());
  std::int32_t moved = 0;
  for (std::uint64_t entry : sorted_) {
    const std::size_t l = static_cast<std::size_t>(entry & 0xffffffffu);
    before_[l] = moved;
    moved += moves_[l];
  }
}

}  // namespace rankmix::linear

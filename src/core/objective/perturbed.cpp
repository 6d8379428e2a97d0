#include "core/objective/perturbed.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/base/sort.h"

namespace rankmix::objective {
namespace {

constexpr double kRankUnits = 4294967296.0;  // 2^32
// Scores are clamped to this number of noise units, about 8 million. Noise cannot bridge
// such differences.
constexpr double kMaxUnits = 8796093022208.0;  // 2^43
// The largest sum that a signed 32-bit key can hold.
constexpr std::int64_t kMaxSmall = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kDocumentBits = 20;
constexpr std::size_t kDocumentMask = (std::size_t{1} << kDocumentBits) - 1;

std::uint64_t in_units(double weight) {
  return static_cast<std::uint64_t>(std::llround(weight * kRankUnits));
}

// The quantile of the standard normal distribution, by bisection of erfc. Slow, but
// called only once for each element of the noise table.
double normal_quantile(double p) {
  double low = -10.0;
  double high = 10.0;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

void PerturbedOptions::validate() const {
  if (rankings < 1 || neighbours < 1 || !(noise_scale >= 0.0) ||
      !(decay > 0.0 && decay <= 1.0) || grade_weights.size() != grades * grades ||
      (rank_weight == RankWeight::kMetric) != (metric != nullptr)) {
    throw InvalidArgument("impossible options of perturbed rankings");
  }
}

// The noise at the quantiles (i + 1/2) / 2^16. The midpoints avoid infinite values.
std::vector<std::int32_t> noise_table(Noise noise, double scale) {
  constexpr std::size_t size = 65536;
  std::vector<std::int32_t> table(size, 0);
  for (std::size_t i = 0; noise != Noise::kNone && i < size; ++i) {
    const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(size);
    const double x =
        noise == Noise::kLogistic ? std::log(p / (1.0 - p)) : normal_quantile(p);
    const double units = std::clamp(scale * x / kNoiseUnit, -2147483647.0, 2147483647.0);
    table[i] = static_cast<std::int32_t>(std::lround(units));
  }
  return table;
}

PerturbedPairs::PerturbedPairs(const PerturbedOptions& options,
                               const std::vector<std::int32_t>& noise)
    : options_(options), noise_(noise) {
  // The table is sorted, so the extremes are at its ends.
  max_noise_ = std::max(std::abs(std::int64_t{noise_.front()}),
                        std::abs(std::int64_t{noise_.back()}));
  if (options.rank_weight == RankWeight::kMetric) {
    swap_ = options.metric->swap_change();
    if (swap_ == nullptr) {
      throw InvalidArgument("the metric does not define the change by a swap");
    }
  }
}

// Returns false if two documents have the same sum.
bool PerturbedPairs::rank_by_count(std::size_t n) {
  std::transform(sum_.begin(), sum_.end(), small_keys_.begin(),
                 [](std::int64_t sum) { return static_cast<std::int32_t>(sum); });
  if (!ranks_by_count({small_keys_.data(), n}, rank_.data())) {
    return false;
  }
  for (std::size_t k = 0; k < n; ++k) {
    order_[rank_[k]] = static_cast<std::uint32_t>(k);
  }
  return true;
}

void PerturbedPairs::rank_by_sorting(std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    keys_[k] = static_cast<std::int64_t>(
        (static_cast<std::uint64_t>(-sum_[k]) << kDocumentBits) | k);
  }
  sort_different({keys_.data(), n}, keys_.data() + n);
  for (std::size_t r = 0; r < n; ++r) {
    order_[r] =
        static_cast<std::uint32_t>(static_cast<std::size_t>(keys_[r]) & kDocumentMask);
  }
}

// Each document needs 16 random bits, so one 64-bit number serves four documents.
void PerturbedPairs::rank(const Query& query, std::uint64_t stream) {
  const std::size_t n = query.size();
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < n; ++k) {
    bits = k % 4 == 0 ? mix_bits(stream ^ (k / 4)) : bits >> 16;
    sum_[k] = scores_[k] + noise_[bits & 0xFFFF];
  }
  if (!small_ || !rank_by_count(n)) {
    rank_by_sorting(n);
  }
  if (swap_ != nullptr) {
    for (std::size_t r = 0; r < n; ++r) {
      ranked_grades_[r] = query.grades[order_[r]];
    }
    swap_->set_list({ranked_grades_, {}, counts_});
  }
}

std::uint64_t PerturbedPairs::units_of(std::size_t upper, std::size_t lower) {
  return swap_ == nullptr ? rank_units_[upper]
                          : in_units(std::abs(swap_->change(upper, lower)));
}

inline void PerturbedPairs::add_pair(std::size_t a, std::size_t b, std::uint64_t units) {
  const std::size_t first = std::min(a, b);
  const std::size_t second = std::max(a, b);
  if (!table_.empty()) {
    table_[SeenPairs::begin(first, documents_) + second - first - 1] += units;
  } else {
    sums_.push_back({first * documents_ + second, units});
  }
}

void PerturbedPairs::add_neighbours(const Query& query, std::uint64_t times) {
  const std::size_t n = query.size();
  for (std::size_t r = 0; r + 1 < n; ++r) {
    const std::size_t last = std::min(n - 1, r + options_.neighbours);
    for (std::size_t s = r + 1; s <= last; ++s) {
      add_pair(order_[r], order_[s], times * units_of(r, s));
    }
  }
}

void PerturbedPairs::take_pair(const Query& query, std::size_t a, std::size_t b,
                               double seen) {
  const auto grade_a = static_cast<std::size_t>(query.grades[a]);
  const auto grade_b = static_cast<std::size_t>(query.grades[b]);
  const double forth = seen * options_.grade_weights[grade_a * options_.grades + grade_b];
  const double back = seen * options_.grade_weights[grade_b * options_.grades + grade_a];
  if (forth + back > 0.0) {
    pairs_.push_back({a, b, forth, back});
  }
}

void PerturbedPairs::take_sums(const Query& query) {
  if (!table_.empty()) {
    const std::uint64_t* next = table_.data();
    for (std::size_t a = 0; a < documents_; ++a) {
      for (std::size_t b = a + 1; b < documents_; ++b) {
        const std::uint64_t units = *next++;
        if (units > 0) {
          take_pair(query, a, b, static_cast<double>(units) / kRankUnits);
        }
      }
    }
    return;
  }
  std::sort(sums_.begin(), sums_.end(),
            [](const Sum& a, const Sum& b) { return a.pair < b.pair; });
  for (std::size_t i = 0; i < sums_.size();) {
    const std::uint64_t pair = sums_[i].pair;
    std::uint64_t units = 0;
    for (; i < sums_.size() && sums_[i].pair == pair; ++i) {
      units += sums_[i].units;
    }
    take_pair(query, pair / documents_, pair % documents_,
              static_cast<double>(units) / kRankUnits);
  }
}

void PerturbedPairs::set_scores(const Query& query) {
  const std::size_t n = query.size();
  scores_.resize(n);
  sum_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    scores_[k] =
        std::llround(std::clamp(query.scores[k] / kNoiseUnit, -kMaxUnits, kMaxUnits));
  }
  // Subtracting the minimum does not change any ranking and keeps keys small.
  const auto ends = std::minmax_element(scores_.begin(), scores_.end());
  const std::int64_t least = n == 0 ? 0 : *ends.first;
  const std::int64_t apart = n == 0 ? 0 : *ends.second - least;
  small_ = n <= kMaxCounted && apart + 2 * max_noise_ < kMaxSmall;
  if (small_) {
    for (std::int64_t& score : scores_) {
      score -= least;
    }
    small_keys_.resize(n + kCountedAtOnce);
    rank_.resize(n);
  }
}

// Draws the rankings and sums the weights of neighbours, in the table or, for long
// queries, in the list.
void PerturbedPairs::sum_rankings(const Query& query, std::uint64_t stream) {
  const std::size_t n = query.size();
  documents_ = n;
  while (swap_ == nullptr && rank_units_.size() < n) {
    const auto rank = static_cast<double>(rank_units_.size());
    rank_units_.push_back(in_units(options_.rank_weight == RankWeight::kDecay
                                       ? std::pow(options_.decay, rank)
                                       : 1.0 / (rank + 1.0)));
  }
  table_.assign(n <= kTableDocuments ? SeenPairs::size(n) : 0, 0);
  sums_.clear();
  keys_.resize(2 * n);
  order_.resize(n);
  ranked_grades_.resize(n);
  metric::count_grades(query.grades, counts_);
  set_scores(query);
  const std::uint64_t key =
      options_.keys.empty() ? query.index : options_.keys[query.index];
  const std::uint64_t of_query = mix_bits(stream ^ key);
  // Without noise all rankings are equal, so one is computed and counted `rankings`
  // times.
  const bool drawn = options_.noise != Noise::kNone;
  const std::size_t rankings = drawn ? options_.rankings : 1;
  for (std::size_t r = 0; r < rankings; ++r) {
    query.checkpoint();
    rank(query, mix_bits(of_query ^ r));
    add_neighbours(query, drawn ? 1 : options_.rankings);
  }
}

SeenPairs PerturbedPairs::see(const Query& query, std::uint64_t stream) {
  sum_rankings(query, stream);
  return {table_.data(), query.size(), 1.0 / kRankUnits};
}

const std::vector<PerturbedPair>& PerturbedPairs::draw(const Query& query,
                                                       std::uint64_t stream) {
  const std::size_t n = query.size();
  pairs_.clear();
  if (n > kDocumentMask) {
    throw InvalidArgument("a query has too many documents");
  }
  if (options_.rank_weight == RankWeight::kEqual) {
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a + 1; b < n; ++b) {
        take_pair(query, a, b, 1.0);
      }
    }
    return pairs_;
  }
  sum_rankings(query, stream);
  take_sums(query);
  return pairs_;
}

}  // namespace rankmix::objective

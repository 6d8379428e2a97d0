#include "core/compare/joint_flips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/compare/sign_patterns.h"

namespace rankmix::compare {
namespace {

// Statistics that are equal in exact arithmetic differ by rounding.
constexpr double kTolerance = 1e-9;
// A variance below this fraction of the sum of squares is rounding noise, and so is a sum
// below this fraction of the sum of absolute values.
constexpr double kNoVariance = 1e-12;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Lane = std::array<double, kPatternBlock>;  // one number for each pattern of a block

// Differences this close are rounding noise of the metric.
double snapped(double a, double b) {
  const double d = a - b;
  return std::abs(d) < 1e-12 * std::max(std::abs(a), std::abs(b)) ? 0.0 : d;
}

// Four informative queries of one stratum. Missing queries have the index kNone.
struct Group {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::array<std::size_t, kGroup> queries{kNone, kNone, kNone, kNone};
  std::size_t stratum = 0;
  std::size_t first = 0;  // informative queries before the group
};

struct Stratum {
  double queries = 0.0;
  double weight = 0.0;
  double squared_weight = 0.0;  // sum of the squared weights in the variance
  double factor = 0.0;          // of the variance; 0 for one query, which has no variance
};

class Flipper {
 public:
  Flipper(const FlippedValues& values, const FlippedPairs& pairs, std::size_t resamples,
          std::uint64_t seed)
      : values_(values), pairs_(pairs), seed_(seed) {
    check();
    centre();
    find_strata();
    find_groups();
    find_squares();
    exact_ =
        informative_ <= kMaxExactQueries &&
        std::ldexp(1.0, static_cast<int>(informative_)) * static_cast<double>(count()) <=
            kMaxJointExactWork;
    patterns_ = exact_ ? std::size_t{1} << informative_ : resamples;
  }

  std::size_t count() const { return pairs_.first.size(); }
  std::size_t rankers() const { return values_.values.cols(); }
  std::size_t patterns() const { return patterns_; }
  bool exact() const { return exact_; }
  bool in_family(std::size_t pair) const { return pairs_.in_family[pair] != 0; }
  std::size_t first(std::size_t pair) const {
    return static_cast<std::size_t>(pairs_.first[pair]);
  }
  std::size_t second(std::size_t pair) const {
    return static_cast<std::size_t>(pairs_.second[pair]);
  }
  const std::vector<std::uint64_t>& changed() const { return changed_; }
  double magnitude(std::size_t pair) const { return magnitude_[pair]; }

  // A block of patterns: the signed sums of all strata and rankers, w v, and w^2 v with
  // the squared weights of the variance.
  struct Block {
    std::vector<Lane> sums;                                      // strata x rankers
    std::vector<Lane> squared_sums;                              // empty without weights
    std::vector<std::array<std::uint8_t, kPatternBlock>> signs;  // of each group
  };

  // Fills a block with the patterns from `start`. Patterns after the last one are
  // computed but not counted.
  void flip(std::size_t start, Block& block) const {
    block.signs.resize(groups_.size());
    for (std::size_t p = 0; p < kPatternBlock; ++p) {
      draw_signs(start + p, p, block);
    }
    add_up(block);
  }

  // The observed values as a block: all signs are positive.
  void keep(Block& block) const {
    block.signs.resize(groups_.size());
    for (auto& signs : block.signs) {
      signs.fill(kSums - 1);
    }
    add_up(block);
  }

  // The statistics of a pair and its sums of w d, with their signs.
  void statistics(std::size_t pair, const Block& block, Lane& t, Lane& sum) const {
    sum.fill(0.0);
    Lane variance{};
    const std::size_t i = first(pair);
    const std::size_t j = second(pair);
    double squares = 0.0;
    for (std::size_t f = 0; f < strata_.size(); ++f) {
      const Stratum& stratum = strata_[f];
      const std::size_t row = f * rankers();
      const Lane& a = block.sums[row + i];
      const Lane& b = block.sums[row + j];
      const bool weighted = !block.squared_sums.empty();
      const Lane& a2 = weighted ? block.squared_sums[row + i] : a;
      const Lane& b2 = weighted ? block.squared_sums[row + j] : b;
      const double q = squares_[pair * strata_.size() + f];
      squares += stratum.factor * q;
      for (std::size_t p = 0; p < kPatternBlock; ++p) {
        const double own = a[p] - b[p];
        const double mean = own / stratum.weight;
        const double about = q - 2.0 * mean * (a2[p] - b2[p]);
        sum[p] += own;
        variance[p] += stratum.factor * (about + mean * mean * stratum.squared_weight);
      }
    }
    if (magnitude_[pair] == 0.0) {
      t.fill(0.0);
      return;
    }
    // A smaller variance is rounding noise of 0.
    const double no_variance = kNoVariance * squares;
    const double no_sum = kNoVariance * magnitude_[pair];
    for (std::size_t p = 0; p < kPatternBlock; ++p) {
      if (std::abs(sum[p]) <= no_sum) {
        t[p] = 0.0;
      } else if (variance[p] > no_variance) {
        t[p] = sum[p] / weight_ / std::sqrt(variance[p]);
      } else {
        t[p] = std::copysign(kInfinity, sum[p]);
      }
    }
  }

 private:
  void check() const {
    const std::size_t n = values_.values.rows();
    const bool fits = n > 0 && rankers() > 1 &&
                      (values_.weights.empty() || values_.weights.size() == n) &&
                      (values_.strata.empty() || values_.strata.size() == n) &&
                      pairs_.second.size() == count() &&
                      pairs_.in_family.size() == count();
    if (!fits || count() == 0) {
      throw InvalidArgument("values, weights, strata and pairs do not fit");
    }
    const auto bad = [&](int i) {
      return i < 0 || static_cast<std::size_t>(i) >= rankers();
    };
    if (std::any_of(pairs_.first.begin(), pairs_.first.end(), bad) ||
        std::any_of(pairs_.second.begin(), pairs_.second.end(), bad)) {
      throw InvalidArgument("a pair has no such ranker");
    }
  }

  double weight(std::size_t q) const {
    return values_.weights.empty() ? 1.0 : values_.weights[q];
  }
  // The squared weight in the variance, without factors that all queries of the stratum
  // share.
  double squared_weight(std::size_t q) const {
    const double w = weight(q);
    if (!weighted_strata()) {
      return w * w;
    }
    const double all = strata_[stratum(q)].weight;
    return all > w ? w * w * (all / (all - w)) : 0.0;
  }
  bool weighted_strata() const { return strata_.size() > 1 && !values_.weights.empty(); }
  std::size_t stratum(std::size_t q) const {
    return values_.strata.empty() ? 0 : static_cast<std::size_t>(values_.strata[q]);
  }

  // Only differences of rankers are needed. Values relative to the first ranker lose
  // fewer digits.
  void centre() {
    const std::size_t n = values_.values.rows();
    centred_.resize(n * rankers());
    for (std::size_t i = 0; i < rankers(); ++i) {
      for (std::size_t q = 0; q < n; ++q) {
        centred_[i * n + q] = snapped(values_.values(q, i), values_.values(q, 0));
      }
    }
  }

  void find_strata() {
    const std::size_t n = values_.values.rows();
    for (std::size_t q = 0; q < n; ++q) {
      if (stratum(q) >= strata_.size()) {
        strata_.resize(stratum(q) + 1);
      }
      Stratum& own = strata_[stratum(q)];
      own.queries += 1.0;
      own.weight += weight(q);
      weight_ += weight(q);
    }
    for (std::size_t q = 0; q < n; ++q) {
      strata_[stratum(q)].squared_weight += squared_weight(q);
    }
    for (Stratum& own : strata_) {
      const double n_f = weighted_strata() ? 1.0 : own.queries / (own.queries - 1.0);
      own.factor = own.queries > 1.0 ? n_f / weight_ / weight_ : 0.0;
    }
  }

  void find_groups() {
    const std::size_t n = values_.values.rows();
    for (std::size_t f = 0; f < strata_.size(); ++f) {
      std::size_t filled = kGroup;
      for (std::size_t q = 0; q < n; ++q) {
        if (stratum(q) != f || !is_informative(q)) {
          continue;
        }
        if (filled == kGroup) {
          groups_.emplace_back();
          groups_.back().stratum = f;
          groups_.back().first = informative_;
          filled = 0;
        }
        groups_.back().queries[filled++] = q;
        ++informative_;
      }
    }
  }

  bool is_informative(std::size_t q) const {
    const std::size_t n = values_.values.rows();
    for (std::size_t i = 1; i < rankers(); ++i) {
      if (centred_[i * n + q] != 0.0) {
        return true;
      }
    }
    return false;
  }

  // The sum of weighted d^2 of each pair and stratum, and sum w |d| of each pair.
  void find_squares() {
    squares_.assign(count() * strata_.size(), 0.0);
    magnitude_.assign(count(), 0.0);
    changed_.assign(count(), 0);
    for (std::size_t pair = 0; pair < count(); ++pair) {
      for (const Group& group : groups_) {
        for (const std::size_t q : group.queries) {
          if (q == Group::kNone) {
            continue;
          }
          const double d =
              snapped(values_.values(q, first(pair)), values_.values(q, second(pair)));
          squares_[pair * strata_.size() + group.stratum] += squared_weight(q) * d * d;
          magnitude_[pair] += std::abs(weight(q) * d);
          changed_[pair] += d != 0.0 ? 1 : 0;
        }
      }
    }
  }

  // Bit j of a group's signs is set if query j keeps its sign.
  void draw_signs(std::size_t pattern, std::size_t p, Block& block) const {
    if (exact_) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        block.signs[g][p] =
            static_cast<std::uint8_t>((pattern >> groups_[g].first) & (kSums - 1));
      }
      return;
    }
    const std::uint64_t stream = random_stream(seed_, Purpose::kSignFlip, pattern);
    for (std::size_t g = 0, word = 0; g < groups_.size(); ++word) {
      std::uint64_t bits = mix_bits(stream ^ word);
      for (std::size_t k = 0; k < kGroupsOfWord && g < groups_.size(); ++k, ++g) {
        block.signs[g][p] = static_cast<std::uint8_t>(bits & (kSums - 1));
        bits >>= kGroup;
      }
    }
  }

  void add_up(Block& block) const {
    const bool weighted = !values_.weights.empty();
    block.sums.assign(strata_.size() * rankers(), Lane{});
    if (weighted) {
      block.squared_sums.assign(strata_.size() * rankers(), Lane{});
    }
    for (std::size_t i = 0; i < rankers(); ++i) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const std::size_t row = groups_[g].stratum * rankers() + i;
        add_group(groups_[g], i, false, block.signs[g], block.sums[row]);
        if (weighted) {
          add_group(groups_[g], i, true, block.signs[g], block.squared_sums[row]);
        }
      }
    }
  }

  // Adds the signed sum of weighted v over the queries of a group to each pattern.
  void add_group(const Group& group, std::size_t ranker, bool squared,
                 const std::array<std::uint8_t, kPatternBlock>& signs, Lane& sums) const {
    const std::size_t n = values_.values.rows();
    std::array<double, kGroup> v{};
    for (std::size_t j = 0; j < kGroup; ++j) {
      const std::size_t q = group.queries[j];
      if (q != Group::kNone) {
        v[j] = centred_[ranker * n + q] * (squared ? squared_weight(q) : weight(q));
      }
    }
    std::array<double, kSums> table{};
    for (std::size_t bits = 0; bits < kSums; ++bits) {
      double sum = 0.0;
      for (std::size_t j = 0; j < kGroup; ++j) {
        sum += ((bits >> j) & 1U) != 0 ? v[j] : -v[j];
      }
      table[bits] = sum;
    }
    for (std::size_t p = 0; p < kPatternBlock; ++p) {
      sums[p] += table[signs[p]];
    }
  }

  FlippedValues values_;
  FlippedPairs pairs_;
  std::uint64_t seed_;
  std::vector<double> centred_;  // queries x rankers
  std::vector<Stratum> strata_;
  std::vector<Group> groups_;
  std::vector<double> squares_;    // pairs x strata
  std::vector<double> magnitude_;  // of each pair
  std::vector<std::uint64_t> changed_;
  double weight_ = 0.0;
  std::size_t informative_ = 0;
  std::size_t patterns_ = 0;
  bool exact_ = false;
};

double directed(double t, Alternative alternative) {
  switch (alternative) {
    case Alternative::kGreater:
      return t;
    case Alternative::kLess:
      return -t;
    case Alternative::kTwoSided:
      break;
  }
  return std::abs(t);
}

// The threshold from which a statistic counts as at least the observed value.
double reached_from(double t) {
  return std::isfinite(t) ? t - kTolerance * std::abs(t) : t;
}
// Like reached_from(), for sums. The threshold accounts for rounding relative to sum w
// |d|.
double sum_reached_from(double sum, double magnitude) {
  return sum - kNoVariance * magnitude;
}

// The counts of the blocks of one wave.
struct Counts {
  std::vector<std::uint64_t> marginal, single, stepped, best;

  Counts(std::size_t pairs, std::size_t rankers)
      : marginal(pairs), single(pairs), stepped(pairs), best(rankers) {}

  void add(const Counts& other) {
    const auto sum = [](std::vector<std::uint64_t>& to,
                        const std::vector<std::uint64_t>& from) {
      std::transform(to.begin(), to.end(), from.begin(), to.begin(), std::plus<>());
    };
    sum(marginal, other.marginal);
    sum(single, other.single);
    sum(stepped, other.stepped);
    sum(best, other.best);
  }
};

// The observed statistics: with their signs, with the thresholds that patterns must
// reach, and with the pairs of the family in increasing order.
struct Observed {
  std::vector<double> statistic, directed, threshold, sum_threshold, best;
  std::vector<std::size_t> order;
};

// The largest one-sided statistic of another ranker over each ranker.
void raise_best(const Flipper& flipper, std::size_t pair, const Lane& t,
                std::vector<Lane>& best) {
  Lane& first = best[flipper.first(pair)];
  Lane& second = best[flipper.second(pair)];
  for (std::size_t p = 0; p < kPatternBlock; ++p) {
    first[p] = std::max(first[p], -t[p]);
    second[p] = std::max(second[p], t[p]);
  }
}

Lane lowest() {
  Lane lane;
  lane.fill(-kInfinity);
  return lane;
}

Observed observe(const Flipper& flipper, Alternative alternative) {
  Flipper::Block block;
  flipper.keep(block);
  Observed observed;
  std::vector<Lane> best(flipper.rankers(), lowest());
  for (std::size_t pair = 0; pair < flipper.count(); ++pair) {
    Lane t;
    Lane sum;
    flipper.statistics(pair, block, t, sum);
    raise_best(flipper, pair, t, best);
    observed.sum_threshold.push_back(
        sum_reached_from(directed(sum[0], alternative), flipper.magnitude(pair)));
    observed.statistic.push_back(t[0]);
    observed.directed.push_back(directed(t[0], alternative));
    observed.threshold.push_back(reached_from(observed.directed.back()));
    if (flipper.in_family(pair)) {
      observed.order.push_back(pair);
    }
  }
  for (const Lane& lane : best) {
    observed.best.push_back(reached_from(lane[0]));
  }
  std::stable_sort(observed.order.begin(), observed.order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return observed.directed[a] < observed.directed[b];
                   });
  return observed;
}

std::uint64_t reached(const Lane& t, double threshold, std::size_t valid) {
  std::uint64_t found = 0;
  for (std::size_t p = 0; p < valid; ++p) {
    found += t[p] >= threshold ? 1 : 0;
  }
  return found;
}

// Counts the patterns of a block. `largest` receives the largest statistic of the family
// for each pattern.
void count_block(const Flipper& flipper, const Observed& observed,
                 Alternative alternative, std::size_t start, Counts& counts,
                 double* largest) {
  const std::size_t valid = std::min(kPatternBlock, flipper.patterns() - start);
  Flipper::Block block;
  flipper.flip(start, block);
  std::vector<Lane> best(flipper.rankers(), lowest());
  Lane highest = lowest();
  Lane t;
  Lane sum;
  const auto visit = [&](std::size_t pair) {
    flipper.statistics(pair, block, t, sum);
    raise_best(flipper, pair, t, best);
    for (std::size_t p = 0; p < kPatternBlock; ++p) {
      t[p] = directed(t[p], alternative);
      sum[p] = directed(sum[p], alternative);
    }
    counts.marginal[pair] += reached(sum, observed.sum_threshold[pair], valid);
  };
  for (const std::size_t pair : observed.order) {
    visit(pair);
    for (std::size_t p = 0; p < kPatternBlock; ++p) {
      highest[p] = std::max(highest[p], t[p]);
    }
    counts.stepped[pair] += reached(highest, observed.threshold[pair], valid);
  }
  for (std::size_t pair = 0; pair < flipper.count(); ++pair) {
    if (!flipper.in_family(pair)) {
      visit(pair);
    }
  }
  for (std::size_t i = 0; i < flipper.rankers(); ++i) {
    counts.best[i] += reached(best[i], observed.best[i], valid);
  }
  std::copy_n(highest.begin(), valid, largest);
}

// Observed statistics above the result have a single-step p-value of at most `level`. If
// patterns are random, the observed pattern is counted as an additional pattern.
double critical_value(std::vector<double> largest, double level, bool exact) {
  const double allowed = allowed_patterns(largest.size(), level, exact);
  if (allowed < 0.0) {
    return kInfinity;
  }
  const auto at = std::min(static_cast<std::size_t>(allowed), largest.size() - 1);
  std::nth_element(largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(at),
                   largest.end(), std::greater<>());
  // No pattern has a larger statistic, so no observed statistic can be above it.
  const double most = *std::max_element(largest.begin(), largest.end());
  return largest[at] < reached_from(most) ? largest[at] : kInfinity;
}

}  // namespace

JointFlips joint_flips(const FlippedValues& values, const FlippedPairs& pairs,
                       double level, std::size_t resamples, std::uint64_t seed,
                       Host& host) {
  const Flipper flipper(values, pairs, resamples, seed);
  const Observed observed = observe(flipper, pairs.alternative);
  Counts total(flipper.count(), flipper.rankers());
  std::vector<double> largest(flipper.patterns());
  const std::size_t blocks = (flipper.patterns() + kPatternBlock - 1) / kPatternBlock;
  for (std::size_t first = 0; first < blocks; first += kTasksOfCheck) {
    host.checkpoint();
    const std::size_t tasks = std::min(kTasksOfCheck, blocks - first);
    std::vector<Counts> counts(tasks, Counts(flipper.count(), flipper.rankers()));
    host.parallel_for(tasks, [&](std::size_t i) {
      const std::size_t start = (first + i) * kPatternBlock;
      count_block(flipper, observed, pairs.alternative, start, counts[i],
                  largest.data() + start);
    });
    for (const Counts& own : counts) {
      total.add(own);
    }
  }
  JointFlips found;
  found.changed = flipper.changed();
  found.statistic = observed.statistic;
  found.exact = flipper.exact();
  found.patterns = flipper.patterns() + (found.exact ? 0 : 1);
  if (!found.exact) {
    // The observed pattern reaches every observed statistic.
    const auto one_more = [](std::vector<std::uint64_t>& counts) {
      for (std::uint64_t& count : counts) {
        ++count;
      }
    };
    one_more(total.marginal);
    one_more(total.single);
    one_more(total.stepped);
    one_more(total.best);
  }
  found.critical = critical_value(largest, level, found.exact);
  std::sort(largest.begin(), largest.end());
  for (const std::size_t pair : observed.order) {
    const auto below =
        std::lower_bound(largest.begin(), largest.end(), observed.threshold[pair]);
    total.single[pair] += static_cast<std::uint64_t>(largest.end() - below);
  }
  found.marginal = std::move(total.marginal);
  found.single = std::move(total.single);
  found.stepped = std::move(total.stepped);
  found.best = std::move(total.best);
  return found;
}

}  // namespace rankmix::compare

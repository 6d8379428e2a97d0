// Ranks without sorting: the thresholds must have the same bits as from sorted values,
// for all kinds of values, any number of parts, and little memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/data/bins.h"
#include "core/data/bucket_ranks.h"
#include "draw.h"

namespace data = rankmix::data;

namespace {

constexpr int kKinds = 8;

double draw_value(int kind, std::mt19937_64& random) {
  draw::Uniform<double> uniform;
  draw::Normal<double> normal;
  switch (kind) {
    case 0:
      return uniform(random);
    case 1:
      return std::exp(3 * normal(random));
    case 2:
      return std::floor(50 * uniform(random) * uniform(random));
    case 3:
      return uniform(random) < 0.7 ? 0.0 : normal(random);
    case 4:  // neighbouring doubles, which share all high bits
      return 1.0 + static_cast<double>(random() % 3000) *
                       std::numeric_limits<double>::epsilon();
    case 5:
      return (random() % 2 == 0 ? 1.0 : -1.0) *
             std::ldexp(1.0, static_cast<int>(random() % 2000) - 1000);
    case 6:
      return random() % 3 == 0 ? -0.0 : static_cast<double>(random() % 400) - 200;
    default:
      return std::ldexp(static_cast<double>(random() % 900), -1074);
  }
}

// Thresholds by passes over `values`, which are cut into parts.
std::vector<double> by_buckets(const std::vector<data::CountedValue>& values,
                               std::size_t parts, int max_bins, std::size_t gather,
                               std::size_t buckets) {
  data::BucketRanks ranks(gather, buckets);
  int passes = 0;
  do {
    data::BucketRanks::Tally all(ranks);
    for (std::size_t part = 0; part < parts; ++part) {
      data::BucketRanks::Tally tally(ranks);
      for (std::size_t i = part; i < values.size(); i += parts) {
        tally.add(values[i].value, values[i].count);
      }
      all.merge(tally);
    }
    ranks.take(all);
    ++passes;
    REQUIRE(passes < 2000);
  } while (ranks.open_quantiles(max_bins));
  return data::quantile_thresholds(ranks, max_bins);
}

std::vector<double> by_sorting(std::vector<data::CountedValue> values, int max_bins) {
  std::vector<double> all;
  for (const data::CountedValue& one : values) {
    all.insert(all.end(), static_cast<std::size_t>(one.count), one.value);
  }
  std::sort(all.begin(), all.end());
  data::SortedValues sorted(all, 0);
  return data::quantile_thresholds(sorted, max_bins);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace

TEST_CASE("keys have the order of doubles and can be converted back") {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {-inf, -1e300, -2.0, -1e-320, 0.0, 5e-324, 1.0, inf};
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(data::value_of(data::key_of(values[i])) == values[i]);
    CHECK((i == 0 || data::key_of(values[i - 1]) < data::key_of(values[i])));
  }
  CHECK(data::key_of(-0.0) == data::key_of(0.0));
}

TEST_CASE("thresholds of buckets equal thresholds of sorted values") {
  std::mt19937_64 random(7);
  int distinct_enough = 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    for (std::size_t parts : {1, 3, 7}) {
      for (int max_bins : {2, 31, 255}) {
        std::vector<data::CountedValue> values;
        for (int i = 0; i < 3000; ++i) {
          values.push_back({draw_value(kind, random), 1});
        }
        const std::vector<double> expected = by_sorting(values, max_bins);
        distinct_enough += expected.size() > 1 ? 1 : 0;
        // Gathers the values of undecided buckets, or gathers nothing and divides
        // buckets to the end.
        CHECK(same_bits(by_buckets(values, parts, max_bins, 1 << 17, 1 << 18), expected));
        CHECK(same_bits(by_buckets(values, parts, max_bins, 0, 1 << 12), expected));
        CHECK(same_bits(by_buckets(values, parts, max_bins, 100, 512), expected));
      }
    }
  }
  CHECK(distinct_enough > 40);
}

TEST_CASE("counts have the same effect as copies") {
  std::mt19937_64 random(11);
  for (int kind = 0; kind < kKinds; ++kind) {
    std::vector<data::CountedValue> values;
    for (int i = 0; i < 1500; ++i) {
      values.push_back({draw_value(kind, random), 1 + random() % 9});
    }
    const std::vector<double> expected = by_sorting(values, 63);
    CHECK(same_bits(by_buckets(values, 2, 63, 1 << 17, 1 << 18), expected));
    CHECK(same_bits(by_buckets(values, 2, 63, 0, 512), expected));
    data::merge_counted(values);
    data::CountedRanks ranks(values);
    CHECK(same_bits(data::quantile_thresholds(ranks, 63), expected));
  }
}

TEST_CASE("a single value has no threshold") {
  const std::vector<data::CountedValue> values(1000, {3.5, 2});
  CHECK(by_buckets(values, 3, 255, 1 << 17, 1 << 18).empty());
}

TEST_CASE("quantiles of distinct values take few passes") {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  std::vector<double> values(100000);
  for (double& value : values) {
    value = normal(random);
  }
  data::BucketRanks ranks(std::size_t{1} << 10, std::size_t{1} << 13);
  int passes = 0;
  do {
    data::BucketRanks::Tally tally(ranks);
    for (const double value : values) {
      tally.add(value, 1);
    }
    ranks.take(tally);
    ++passes;
  } while (passes < 100 && ranks.open_quantiles(255));
  // Eleven, because few buckets are kept. Without the buckets that a cut may be in, there are
  // 48 passes.
  CHECK(passes <= 16);
}

#include "core/regress/bag.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/base/serial_host.h"
#include "core/base/sort.h"
#include "core/regress/content_order.h"
#include "core/regress/grow.h"

namespace rankmix::regress {
namespace {

// Makes equal numbers distinct. A number is combined with the count of equal numbers
// before it in this order.
void make_distinct(const std::vector<std::uint32_t>& order,
                   std::vector<std::uint64_t>& numbers) {
  std::uint64_t last = 0;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint64_t& number = numbers[order[i]];
    before = i > 0 && number == last ? before + 1 : 0;
    last = number;
    number = mix_bits(number + before);
  }
}

// Indices with positive weight, sorted by their numbers, then by their weights.
std::vector<std::uint32_t> sorted_by(const std::vector<std::uint64_t>& numbers,
                                     View<const double> weights) {
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (weights.empty() || weights[i] > 0.0) {
      order.push_back(static_cast<std::uint32_t>(i));
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (numbers[a] != numbers[b] || weights.empty()) {
      return numbers[a] < numbers[b];
    }
    return weights[a] < weights[b];
  });
  return order;
}

// A Poisson-distributed number from a uniform one, by inversion.
double poisson(double mean, double uniform) {
  constexpr double most = 20.0;  // for means up to 1; ends the loop despite rounding
  double chance = std::exp(-mean);
  double below = chance;
  double count = 0.0;
  while (uniform >= below && count < most) {
    count += 1.0;
    chance *= mean / count;
    below += chance;
  }
  return count;
}

}  // namespace

std::vector<std::uint64_t> bag_keys(const Values& values, View<const int> grades,
                                    View<const int> query, View<const double> weights,
                                    bool whole_queries, Host& host) {
  const std::vector<double> targets(grades.begin(), grades.end());
  std::vector<std::uint64_t> keys = content_digests(values, targets, host);
  if (!whole_queries) {
    make_distinct(sorted_by(keys, weights), keys);
    return keys;
  }
  const int queries = query.empty() ? 0 : *std::max_element(query.begin(), query.end());
  std::vector<std::uint64_t> of_query(static_cast<std::size_t>(queries), 0);
  std::vector<double> any(of_query.size(), 0.0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (weights.empty() || weights[i] > 0.0) {
      const auto q = static_cast<std::size_t>(query[i] - 1);
      of_query[q] += mix_bits(keys[i]);
      any[q] = weights.empty() ? 1.0 : weights[i];
    }
  }
  make_distinct(sorted_by(of_query, any), of_query);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = of_query[static_cast<std::size_t>(query[i] - 1)];
  }
  return keys;
}

void BagOptions::validate() const {
  if (!(fraction > 0.0 && fraction <= 1.0) ||
      !(feature_fraction > 0.0 && feature_fraction <= 1.0)) {
    throw InvalidArgument("fractions must be in (0, 1]");
  }
}

std::vector<double> bag_counts(const std::vector<std::uint64_t>& keys,
                               View<const double> weights, const BagOptions& options,
                               std::size_t sample) {
  const std::uint64_t stream = random_stream(options.seed, Purpose::kBag, sample);
  std::vector<double> counts(keys.size(), 0.0);
  bool any = false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (weights.empty() || weights[i] > 0.0) {
      const double uniform = unit_uniform(mix_bits(stream ^ keys[i]));
      counts[i] = options.replace ? poisson(options.fraction, uniform)
                                  : (uniform < options.fraction ? 1.0 : 0.0);
      any = any || counts[i] > 0.0;
    }
  }
  if (!any) {
    std::fill(counts.begin(), counts.end(), 1.0);
  }
  return counts;
}

std::vector<std::uint8_t> bag_features(std::size_t features, const BagOptions& options,
                                       std::size_t sample) {
  if (options.feature_fraction == 1.0) {
    return std::vector<std::uint8_t>(features, 1);
  }
  const std::uint64_t stream =
      random_stream(options.seed, Purpose::kFeatureSample, sample);
  std::vector<std::size_t> order(features);
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_indices(order, [&](std::size_t a, std::size_t b) {
    return mix_bits(stream ^ a) < mix_bits(stream ^ b);
  });
  const double wanted =
      std::round(options.feature_fraction * static_cast<double>(features));
  order.resize(std::min(features, static_cast<std::size_t>(std::max(1.0, wanted))));
  std::vector<std::uint8_t> active(features, 0);
  for (std::size_t f : order) {
    active[f] = 1;
  }
  return active;
}

std::vector<ModelTree> grow_bag(const BagData& data, std::size_t samples,
                                const BagOptions& bag, const TreeOptions& tree,
                                Host& host) {
  constexpr std::size_t at_once = 16;  // between two checks for an interrupt
  bag.validate();
  const std::vector<std::uint32_t> order =
      content_order(data.values, data.targets, data.weights, host);
  std::vector<ModelTree> trees(samples);
  for (std::size_t first = 0; first < samples; first += at_once) {
    host.checkpoint();
    host.parallel_for(std::min(at_once, samples - first), [&](std::size_t i) {
      const std::size_t sample = first + i;
      std::vector<double> weights = bag_counts(data.keys, data.weights, bag, sample);
      for (std::size_t row = 0; row < data.weights.size(); ++row) {
        weights[row] *= data.weights[row];
      }
      SerialHost serial;
      trees[sample] =
          grow_tree(data.values, data.bins, data.targets, weights, order,
                    bag_features(data.values.features(), bag, sample), tree, serial);
    });
    host.progress(std::min(samples, first + at_once), samples);
  }
  return trees;
}

}  // namespace rankmix::regress

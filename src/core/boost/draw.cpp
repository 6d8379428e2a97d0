#include "core/boost/draw.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/base/sort.h"

namespace rankmix::boost {
namespace {

// Draws each document, or each query, with the probability `fraction`. An empty result
// means all rows, unless other ranks drew rows.
std::vector<std::uint32_t> draw_rows(std::size_t rows, const DrawOptions& options,
                                     std::size_t round) {
  const bool whole = options.query_fraction < 1.0;
  const double fraction = whole ? options.query_fraction : options.bagging_fraction;
  const std::uint64_t stream = random_stream(
      options.seed, whole ? Purpose::kQuerySample : Purpose::kDocumentSample, round);
  if (!(fraction < 1.0)) {
    return {};
  }
  // The key of a row's random number: the key of its query, the row's own key, or its
  // number.
  const std::vector<std::uint64_t>& keys = whole ? options.query_keys : options.row_keys;
  std::vector<std::uint32_t> drawn(rows);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    // Writes every row, because a branch on a random number could not be predicted.
    drawn[count] = static_cast<std::uint32_t>(i);
    const std::uint64_t bits = mix_bits(stream ^ (keys.empty() ? i : keys[i]));
    count += unit_uniform(bits) < fraction ? 1 : 0;
  }
  drawn.resize(count);
  return drawn;
}

// Marks the features of a round: all features, or the given fraction of the splittable
// features, namely those with the smallest random numbers.
std::vector<std::uint8_t> draw_features(const data::BinnedMatrix& bins,
                                        const DrawOptions& options, std::size_t round) {
  if (options.feature_fraction == 1.0) {
    return everything(bins).active;
  }
  std::vector<std::size_t> order = bins.splittable();
  const double wanted =
      std::round(options.feature_fraction * static_cast<double>(order.size()));
  const std::size_t count =
      std::min(order.size(), std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
  std::vector<std::uint8_t> active(bins.features(), 0);
  sort_indices(order, [&](std::size_t a, std::size_t b) {
    return random_bits(options.seed, Purpose::kFeatureSample, round, a) <
           random_bits(options.seed, Purpose::kFeatureSample, round, b);
  });
  for (std::size_t i = 0; i < count; ++i) {
    active[order[i]] = 1;
  }
  return active;
}

}  // namespace

void DrawOptions::validate() const {
  if (!(feature_fraction > 0.0 && feature_fraction <= 1.0)) {
    throw InvalidArgument("feature_fraction must be in (0, 1]");
  }
  if (!(bagging_fraction > 0.0 && bagging_fraction <= 1.0)) {
    throw InvalidArgument("bagging_fraction must be in (0, 1]");
  }
  if (!(query_fraction > 0.0 && query_fraction <= 1.0) ||
      (query_fraction < 1.0 && bagging_fraction < 1.0)) {
    throw InvalidArgument(
        "query_fraction must be in (0, 1], and 1 with a bagging_fraction");
  }
}

tree::Sample everything(const data::BinnedMatrix& bins) {
  return {std::vector<std::uint8_t>(bins.features(), 1), {}, nullptr, false};
}

tree::Sample draw(const data::BinnedMatrix& bins, const DrawOptions& options,
                  std::size_t round, Host& host) {
  tree::Sample sample{draw_features(bins, options, round),
                      draw_rows(bins.rows(), options, round), nullptr, false};
  const bool is_any = host.reducer().any_of(!sample.rows.empty());
  sample.is_empty = is_any && sample.rows.empty();
  return sample;
}

bool is_partial(const tree::Sample& sample) {
  return sample.chooser != nullptr || !sample.takes_all() ||
         std::count(sample.active.begin(), sample.active.end(), 0) > 0;
}

}  // namespace rankmix::boost

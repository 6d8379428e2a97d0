#include "core/boost/confidence.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::boost {

double ConfidenceScore::worth(const std::uint32_t* sums,
                              const std::uint32_t* less) const {
  double worth = 0.0;
  for (std::size_t l = 0; l < classes_; ++l) {
    const std::uint32_t edge = sums[l] - (less == nullptr ? 0U : less[l]);
    const std::uint32_t weight =
        sums[classes_ + l] - (less == nullptr ? 0U : less[classes_ + l]);
    const auto g = static_cast<double>(static_cast<std::int32_t>(edge));
    const auto w = static_cast<double>(static_cast<std::int32_t>(weight));
    worth += w - std::sqrt(std::max(0.0, w * w - g * g));
  }
  return worth;
}

ScaledVotes confidence_votes(const std::vector<double>& class_sums, double smoothing) {
  ScaledVotes scaled{Votes(class_sums.size() / 2), 0.0};
  for (std::size_t i = 0; i < scaled.votes.size(); ++i) {
    const double vote = 0.5 * std::log((class_sums[2 * i] + smoothing) /
                                       (class_sums[2 * i + 1] + smoothing));
    scaled.votes[i] = vote;
    scaled.alpha = std::max(scaled.alpha, std::abs(vote));
  }
  if (scaled.alpha > 0.0) {
    for (double& vote : scaled.votes) {
      vote /= scaled.alpha;
    }
  }
  return scaled;
}

// Calls fill(units, row, to) for all rows, `to` with room for `count` channels.
template <class Fill>
void ConfidenceChannels::fill_rows(const Weights& weights, std::size_t count, Host& host,
                                   const Fill& fill) {
  count_ = count;
  values_.resize(weights.rows() * count_ + tree::kMaxLanes);
  weights.with_units([&](const auto& units) {
    for_each_block(host, weights.rows(), RowCost::kLight,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       fill(units, i, values_.data() + i * count_);
                     }
                   });
  });
}

void ConfidenceChannels::split(const Weights& weights, Host& host) {
  const std::size_t classes = weights.classes();
  if (2 * classes > tree::kMaxLanes) {
    throw InvalidArgument("confidence-rated votes need at most 16 grades");
  }
  fill_rows(weights, 2 * classes, host,
            [&](const auto& units, std::size_t i, std::uint32_t* to) {
              for (std::size_t l = 0; l < classes; ++l) {
                to[l] = units(i, l);
                to[classes + l] = magnitude(to[l]);
              }
            });
}

void ConfidenceChannels::add_up(const Weights& weights, const std::vector<int>& signs,
                                Host& host) {
  fill_rows(weights, 2, host, [&](const auto& units, std::size_t i, std::uint32_t* to) {
    to[0] = to[1] = 0;
    for (std::size_t l = 0; l < signs.size(); ++l) {
      const std::uint32_t weight = units(i, l);
      to[0] += signs[l] > 0 ? weight : 0U - weight;
      to[1] += magnitude(weight);
    }
  });
}

void ConfidenceChannels::flip(const Cells& marked, Host& host) {
  const std::size_t classes = count_ / 2;
  for_each_block(host, marked.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const std::uint32_t mask = 0U - marked[i];
                     std::uint32_t* row = values_.data() + i * count_;
                     for (std::size_t l = 0; l < classes; ++l) {
                       row[l] = (row[l] ^ mask) - mask;
                     }
                   }
                 });
}

}  // namespace rankmix::boost

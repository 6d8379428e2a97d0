#include "core/boost/weights.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::boost {
namespace {

// Weights as integers: 2^30 leaves one bit for the sign and one for rounding.
constexpr double kUnit = 1 << 30;
constexpr double kSumUnit = 1.0 / (1 << 12);

}  // namespace

Weights::Weights(View<const int> grades, View<const double> documents,
                 std::size_t classes, WeightScheme scheme, Host& host)
    : rows_(grades.size()),
      classes_(classes),
      grades_(grades.begin(), grades.end()),
      weights_(grades.size() * classes),
      channels_(grades.size() * classes + tree::kMaxLanes, 0U) {
  if (classes < 2 || classes >= tree::kMaxLanes) {
    throw InvalidArgument("the number of grades must be between 2 and 31");
  }
  const double largest =
      documents.empty() ? 1.0 : *std::max_element(documents.begin(), documents.end());
  auto own_weight = [&](std::size_t i) {
    const double document = documents.empty() ? 1.0 : documents[i] / largest;
    return scheme == WeightScheme::kRelevance ? std::ldexp(document, grades_[i])
                                              : document;
  };
  // Rounded up to units in which sums are exact, so that the order of the rows does not
  // matter; normalise() makes good for the rounding.
  double sum = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    sum += std::ceil(own_weight(i) / kSumUnit) * kSumUnit;
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    const double own = own_weight(i) / (2.0 * sum);
    for (std::size_t l = 0; l < classes_; ++l) {
      weights_[i * classes_ + l] =
          l == grades_[i] ? own : own / static_cast<double>(classes_ - 1);
    }
  }
  normalise(host);
}

void Weights::normalise(Host& host) {
  const std::int64_t sum =
      sum_over_blocks<std::int64_t>(host, rows_, [&](std::size_t begin, std::size_t end) {
        std::int64_t part = 0;
        for (std::size_t j = begin * classes_; j < end * classes_; ++j) {
          part += to_fixed(weights_[j]);
        }
        return part;
      });
  const double scale = 1.0 / from_fixed(sum);
  for_each_block(
      host, rows_, RowCost::kLight, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t j = begin * classes_; j < end * classes_; ++j) {
          weights_[j] *= scale;
          // Weights are not negative; lround() would not vectorise.
          // NOLINTNEXTLINE(bugprone-incorrect-roundings)
          const auto units = static_cast<std::int32_t>(weights_[j] * kUnit + 0.5);
          channels_[j] = static_cast<std::uint32_t>(-units);
        }
        for (std::size_t i = begin; i < end; ++i) {
          std::uint32_t& own = channels_[i * classes_ + grades_[i]];
          own = 0U - own;
        }
      });
}

std::vector<double> Weights::agreements(const Votes& votes) const {
  const std::size_t leaves = votes.size() / classes_;
  std::vector<double> table(leaves * classes_ * classes_);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    for (std::size_t grade = 0; grade < classes_; ++grade) {
      for (std::size_t l = 0; l < classes_; ++l) {
        const double vote = votes[leaf * classes_ + l];
        table[(leaf * classes_ + grade) * classes_ + l] = l == grade ? vote : -vote;
      }
    }
  }
  return table;
}

double Weights::edge(const std::vector<std::uint32_t>& leaf_of_row, const Votes& votes,
                     Host& host) const {
  const std::vector<double> table = agreements(votes);
  const std::int64_t sum =
      sum_over_blocks<std::int64_t>(host, rows_, [&](std::size_t begin, std::size_t end) {
        std::int64_t part = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const double* agrees =
              table.data() + (leaf_of_row[i] * classes_ + grades_[i]) * classes_;
          const double* weight = weights_.data() + i * classes_;
          for (std::size_t l = 0; l < classes_; ++l) {
            part += to_fixed(agrees[l] * weight[l]);
          }
        }
        return part;
      });
  return from_fixed(sum);
}

void Weights::update(const std::vector<std::uint32_t>& leaf_of_row, const Votes& votes,
                     double alpha, Host& host) {
  std::vector<double> factors = agreements(votes);
  for (double& factor : factors) {
    factor = std::exp(-alpha * factor);
  }
  for_each_block(
      host, rows_, RowCost::kLight, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const double* factor =
              factors.data() + (leaf_of_row[i] * classes_ + grades_[i]) * classes_;
          double* weight = weights_.data() + i * classes_;
          for (std::size_t l = 0; l < classes_; ++l) {
            weight[l] *= factor[l];
          }
        }
      });
  normalise(host);
}

}  // namespace rankmix::boost

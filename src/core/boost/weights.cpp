#include "core/boost/weights.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/in_order.h"
#include "core/base/simd.h"
#include "core/base/units.h"

namespace rankmix::boost {
namespace {

// Sums over classes and leaves are computed in units of 2^-61.
constexpr double kOne = kUnits * 2147483648.0;
constexpr double kSumUnit = 1.0 / (1 << 12);

// The line of a table that belongs to a row.
struct LineOf {
  const std::uint32_t* leaf_ids;  // null: all rows are in leaf 0
  const std::uint8_t* grades;
  std::size_t lines_per_leaf;   // number of grades, or 1 for one line per leaf
  const std::uint32_t* copies;  // how often each row counts; null: once

  RANKMIX_INLINE std::size_t operator()(std::size_t row) const {
    const std::size_t leaf = leaf_ids == nullptr ? 0 : leaf_ids[row];
    return lines_per_leaf == 1 ? leaf : leaf * lines_per_leaf + grades[row];
  }
};

// Rows are processed in strips whose products stay in the L1 cache.
constexpr std::size_t kStrip = 256;
// Number of independent partial sums, so that no addition waits for the one before it.
constexpr std::size_t kSums = 32;

// Rounds x to a multiple of 2^-51 if |x| <= 1, and larger numbers more coarsely. Sums of
// such numbers are exact, in any order, as long as they stay below 4.
RANKMIX_INLINE double as_summand(double x) {
  constexpr double rounds = 3.0;  // numbers in [2, 4) are multiples of 2^-51
  return (x + rounds) - rounds;
}

// The sum of value(j) for j < count.
template <class Value>
RANKMIX_INLINE double sum_of(std::size_t count, const Value& value) {
  double sums[kSums] = {};
  std::size_t j = 0;
  for (; j + kSums <= count; j += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) {
      sums[k] += as_summand(value(j + k));
    }
  }
  double sum = 0.0;
  for (; j < count; ++j) {
    sum += as_summand(value(j));
  }
  for (double part : sums) {
    sum += part;
  }
  return sum;
}

// Like sum_of(), for rows that count several times.
template <class Value>
RANKMIX_INLINE double sum_of_copies(const std::uint32_t* copies, std::size_t rows,
                                    std::size_t classes, const Value& value) {
  double sum = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    double own = 0.0;
    for (std::size_t l = 0; l < classes; ++l) {
      own += as_summand(value(i * classes + l));
    }
    sum += copies[i] * own;
  }
  return sum;
}

// Products of the weights of rows with their table lines. All lanes of a row are written.
// Surplus lanes overlap the next row, which is written later.
template <int Lanes, class Real>
RANKMIX_INLINE void multiply_strip(const Real* weights, std::size_t classes,
                                   const Real* table, const LineOf line_of,
                                   std::size_t begin, std::size_t end, Real* products) {
  for (std::size_t i = begin; i + 1 < end; ++i, products += classes) {
    const Real* row = weights + i * classes;
    const Real* line = table + line_of(i) * Lanes;
    for (int l = 0; l < Lanes; ++l) {
      products[l] = row[l] * line[l];
    }
  }
  // The last row is written exactly, since the memory behind it may belong to another
  // thread.
  const Real* line = table + line_of(end - 1) * Lanes;
  for (std::size_t l = 0; l < classes; ++l) {
    products[l] = weights[(end - 1) * classes + l] * line[l];
  }
}

// Calls use(first row, products, number of products) for each strip of rows. Returns the
// sum of the results.
template <int Lanes, class Real, class Use>
RANKMIX_INLINE double sum_by_strips(const Real* weights, std::size_t classes,
                                    const Real* table, const LineOf line_of,
                                    std::size_t begin, std::size_t end, const Use& use) {
  Real products[(kStrip + 1) * Lanes];
  double sum = 0.0;
  for (std::size_t first = begin; first < end; first += kStrip) {
    const std::size_t last = std::min(end, first + kStrip);
    multiply_strip<Lanes>(weights, classes, table, line_of, first, last, products);
    sum += use(first, products, (last - first) * classes);
  }
  return sum;
}

template <int Lanes, class Real>
RANKMIX_INLINE double add_rows(const Real* weights, std::size_t classes,
                               const Real* table, const LineOf line_of, std::size_t begin,
                               std::size_t end) {
  return sum_by_strips<Lanes>(
      weights, classes, table, line_of, begin, end,
      [&](std::size_t first, const Real* products, std::size_t count)
          RANKMIX_INLINE_LAMBDA {
            auto product = [&](std::size_t j) RANKMIX_INLINE_LAMBDA {
              return static_cast<double>(products[j]);
            };
            return line_of.copies == nullptr
                       ? sum_of(count, product)
                       : sum_of_copies(line_of.copies + first, count / classes, classes,
                                       product);
          });
}

// Weights do not fall below this: arithmetic with denormal numbers is slow, and a weight
// that becomes 0 could not grow again. Weights that were 0 stay 0.
constexpr double kMinWeight = 1.0 / (1LL << 50) / (1LL << 50);

// Multiplies weights by positive factors. Returns the sum of their magnitudes.
template <int Lanes, class Real>
RANKMIX_INLINE double multiply_rows(Real* weights, std::size_t classes, const Real* table,
                                    const LineOf line_of, std::size_t begin,
                                    std::size_t end) {
  return sum_by_strips<Lanes>(
      weights, classes, table, line_of, begin, end,
      [&](std::size_t first, const Real* products,
          std::size_t count) RANKMIX_INLINE_LAMBDA {
        Real* own = weights + first * classes;
        auto multiply = [&](std::size_t j) RANKMIX_INLINE_LAMBDA {
          const Real least = std::min(std::abs(own[j]), static_cast<Real>(kMinWeight));
          const Real magnitude = std::max(std::abs(products[j]), least);
          own[j] = std::copysign(magnitude, own[j]);
          return static_cast<double>(magnitude);
        };
        return line_of.copies == nullptr
                   ? sum_of(count, multiply)
                   : sum_of_copies(line_of.copies + first, count / classes, classes,
                                   multiply);
      });
}

template <int Lanes, class Real>
double add_rows_plain(const Real* weights, std::size_t classes, const Real* table,
                      const LineOf& line_of, std::size_t begin, std::size_t end) {
  return add_rows<Lanes>(weights, classes, table, line_of, begin, end);
}

template <int Lanes, class Real>
RANKMIX_AVX2 double add_rows_avx2(const Real* weights, std::size_t classes,
                                  const Real* table, const LineOf& line_of,
                                  std::size_t begin, std::size_t end) {
  return add_rows<Lanes>(weights, classes, table, line_of, begin, end);
}

template <int Lanes, class Real>
double multiply_rows_plain(Real* weights, std::size_t classes, const Real* table,
                           const LineOf& line_of, std::size_t begin, std::size_t end) {
  return multiply_rows<Lanes>(weights, classes, table, line_of, begin, end);
}

template <int Lanes, class Real>
RANKMIX_AVX2 double multiply_rows_avx2(Real* weights, std::size_t classes,
                                       const Real* table, const LineOf& line_of,
                                       std::size_t begin, std::size_t end) {
  return multiply_rows<Lanes>(weights, classes, table, line_of, begin, end);
}

}  // namespace

// Each line has as many numbers as a slot has lanes.
struct Weights::Table {
  std::size_t lines_per_leaf;
  std::vector<double> values;

  template <class Real>
  std::vector<Real> as() const {
    return std::vector<Real>(values.begin(), values.end());
  }
};

template <class Self, class Use>
void Weights::with_lines(Self& self, const Table& table, const LeafIds& leaf_ids,
                         const Use& use) {
  with_reals(self, [&](auto& weights) {
    using Real = std::decay_t<decltype(weights[0])>;
    const std::vector<Real> lines = table.as<Real>();
    const LineOf line_of{leaf_ids.empty() ? nullptr : leaf_ids.data(),
                         self.grades_.data(), table.lines_per_leaf,
                         self.copies_.empty() ? nullptr : self.copies_.data()};
    tree::with_lanes(tree::lanes_for(self.classes_), [&](auto lanes) {
      use(weights.data(), lines.data(), line_of, lanes);
    });
  });
}

Weights::Weights(View<const int> grades, View<const double> documents,
                 View<const int> counts, std::size_t classes, WeightScheme scheme,
                 Precision precision, Host& host)
    : rows_(grades.size()),
      classes_(classes),
      precision_(precision),
      grades_(grades.begin(), grades.end()) {
  const tree::Counted counted = tree::counted_documents(documents, counts);
  documents_ = tree::sum_of_counts(counted, rows_, host);
  const bool as_counted = tree::weights_are_counts(documents, counts, host);
  if (as_counted) {
    copies_ = counted;
  }
  summed_ = as_counted ? documents_ : host.reducer().sum_of(static_cast<double>(rows_));
  if (classes < 2 || classes >= tree::kMaxLanes) {
    throw InvalidArgument("the number of grades must be between 2 and 31");
  }
  if (std::any_of(grades.begin(), grades.end(), [&](int grade) {
        return grade < 0 || static_cast<std::size_t>(grade) >= classes;
      })) {
    throw InvalidArgument("a grade is not below the number of grades");
  }
  double largest = rows_ == 0 ? 0.0 : 1.0;
  if (!documents.empty()) {
    largest = *std::max_element(documents.begin(), documents.end());
  }
  largest = host.reducer().max_of(largest);
  // The initial weight of one copy of a document, before scaling.
  auto own_weight = [&](std::size_t i) {
    const double document = documents.empty() ? 1.0
                            : as_counted      ? std::min(documents[i], 1.0)
                                              : documents[i] / largest;
    return scheme == WeightScheme::kRelevance ? std::ldexp(document, grades_[i])
                                              : document;
  };
  // Weights are rounded up to units in which sums are exact, so that the order of rows
  // does not matter.
  double sum = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    sum +=
        static_cast<double>(copies(i)) * std::ceil(own_weight(i) / kSumUnit) * kSumUnit;
  }
  sum = host.reducer().sum_of(sum);
  with_reals(*this, [&](auto& weights) {
    weights.assign(rows_ * classes_ + tree::kMaxLanes, 0);
    for (std::size_t i = 0; i < rows_; ++i) {
      const double own = own_weight(i) / (2.0 * sum);
      for (std::size_t l = 0; l < classes_; ++l) {
        const double weight =
            l == grades_[i] ? own : -own / static_cast<double>(classes_ - 1);
        weights[i * classes_ + l] =
            static_cast<std::decay_t<decltype(weights[0])>>(weight);
      }
    }
  });
  scale_to_one(host);
}

// Removes the rounding error from the sum of the weights.
void Weights::scale_to_one(Host& host) {
  Table table{1, std::vector<double>(tree::lanes_for(classes_), 1.0)};
  multiply(table, {}, host);
  std::fill(table.values.begin(), table.values.end(), 1.0 / sum_);
  multiply(table, {}, host);
}

tree::ChannelSource Weights::channels() const {
  if (precision_ == Precision::kSingle) {
    return counted(tree::real_channels(singles_.data(), classes_));
  }
  return counted(is_fine() ? tree::fine_channels(doubles_.data(), classes_, finer())
                           : tree::real_channels(doubles_.data(), classes_));
}

tree::ChannelSource Weights::magnitude_channels() const {
  if (2 * classes_ > tree::kMaxLanes) {
    throw InvalidArgument("confidence-rated votes need at most 16 grades");
  }
  if (precision_ == Precision::kSingle) {
    return counted(tree::magnitude_channels(singles_.data(), classes_));
  }
  return counted(4 * classes_ <= tree::kMaxLanes
                     ? tree::fine_magnitude_channels(doubles_.data(), classes_, finer())
                     : tree::magnitude_channels(doubles_.data(), classes_));
}

tree::ChannelSource Weights::summed_channels(View<const int> signs,
                                             bool magnitudes) const {
  if (precision_ == Precision::kSingle) {
    return counted(tree::summed_channels(singles_.data(), signs, magnitudes));
  }
  return counted(
      is_fine() ? tree::fine_summed_channels(doubles_.data(), signs, magnitudes, finer())
                : tree::summed_channels(doubles_.data(), signs, magnitudes));
}

std::vector<double> Weights::magnitudes() const {
  std::vector<double> all;
  with_reals(*this, [&](const auto& weights) {
    for (std::size_t i = 0; i < rows_ * classes_; ++i) {
      all.push_back(static_cast<double>(copies(i / classes_)) *
                    std::abs(static_cast<double>(weights[i])));
    }
  });
  return all;
}

Weights::Table Weights::factors(const Votes& votes, double alpha, double z) const {
  const std::size_t lanes = tree::lanes_for(classes_);
  const std::size_t leaves = votes.size() / classes_;
  Table table{classes_, std::vector<double>(leaves * classes_ * lanes, 0.0)};
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    for (std::size_t grade = 0; grade < classes_; ++grade) {
      double* line = table.values.data() + (leaf * classes_ + grade) * lanes;
      for (std::size_t l = 0; l < classes_; ++l) {
        const double vote = votes[leaf * classes_ + l];
        line[l] = std::exp(l == grade ? -alpha * vote : alpha * vote) / z;
      }
    }
  }
  return table;
}

double Weights::mean_with(const Table& table, const LeafIds& leaf_ids, Host& host) const {
  double sum = 0.0;
  with_lines(
      *this, table, leaf_ids,
      [&](const auto* weights, const auto* lines, const LineOf& line_of, auto lanes) {
        using Real = std::decay_t<decltype(*weights)>;
        constexpr int n = decltype(lanes)::value;
        const auto add = has_avx2() ? add_rows_avx2<n, Real> : add_rows_plain<n, Real>;
        sum =
            sum_over_blocks<double>(host, rows_, [&](std::size_t begin, std::size_t end) {
              return add(weights, classes_, lines, line_of, begin, end);
            });
      });
  return host.reducer().sum_of(sum) / sum_;
}

void Weights::multiply(const Table& table, const LeafIds& leaf_ids, Host& host) {
  double sum = 0.0;
  with_lines(*this, table, leaf_ids,
             [&](auto* weights, const auto* lines, const LineOf& line_of, auto lanes) {
               using Real = std::decay_t<decltype(*weights)>;
               constexpr int n = decltype(lanes)::value;
               const auto multiply_all = has_avx2() ? multiply_rows_avx2<n, Real>
                                                    : multiply_rows_plain<n, Real>;
               sum = sum_over_blocks<double>(
                   host, rows_, [&](std::size_t begin, std::size_t end) {
                     return multiply_all(weights, classes_, lines, line_of, begin, end);
                   });
             });
  sum_ = host.reducer().sum_of(sum);
}

double Weights::edge(const LeafIds& leaf_ids, const Votes& votes, Host& host) const {
  const std::size_t lanes = tree::lanes_for(classes_);
  const std::size_t count = votes.size() / classes_;
  Table table{1, std::vector<double>(count * lanes, 0.0)};
  for (std::size_t leaf = 0; leaf < count; ++leaf) {
    std::copy_n(votes.begin() + static_cast<std::ptrdiff_t>(leaf * classes_), classes_,
                table.values.begin() + static_cast<std::ptrdiff_t>(leaf * lanes));
  }
  return mean_with(table, leaf_ids, host);
}

double Weights::gain(const LeafIds& leaf_ids, const Votes& votes, double alpha,
                     Host& host) const {
  Table table = factors(votes, alpha, 1.0);
  const std::size_t lanes = tree::lanes_for(classes_);
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    // Multiplies by y, which cancels the sign of the stored weight.
    const bool own = i % lanes == i / lanes % classes_;
    const double left = 1.0 - table.values[i];
    table.values[i] = own ? left : -left;
  }
  return mean_with(table, leaf_ids, host);
}

double Weights::fraction_of(const std::vector<std::uint32_t>& rows, Host& host) const {
  std::int64_t sum = 0;
  with_reals(*this, [&](const auto& weights) {
    for (std::uint32_t row : rows) {
      for (std::size_t l = 0; l < classes_; ++l) {
        sum += copies(row) *
               to_fixed(std::abs(static_cast<double>(weights[row * classes_ + l])) / 2.0);
      }
    }
  });
  return 2.0 * from_fixed(host.reducer().sum_of(sum));
}

std::vector<double> Weights::class_sums(const LeafIds& leaf_ids, std::size_t count,
                                        Host& host) const {
  std::vector<std::int64_t> sums;
  with_reals(*this, [&](const auto& weights) {
    sums = sum_tables(
        host, rows_, count * classes_ * 2, [&](std::size_t i, std::int64_t* table) {
          for (std::size_t l = 0; l < classes_; ++l) {
            const double weight =
                std::abs(static_cast<double>(weights[i * classes_ + l]));
            table[(leaf_ids[i] * classes_ + l) * 2 + (l == grades_[i] ? 0 : 1)] +=
                copies(i) * static_cast<std::int64_t>(weight * kOne);
          }
        });
  });
  std::vector<double> all(sums.begin(), sums.end());
  for (double& sum : all) {
    sum /= kOne;
  }
  return all;
}

void Weights::reorder(View<const std::uint32_t> order, Host& host) {
  grades_ = in_order(grades_, order, host);
  if (!copies_.empty()) {
    copies_ = in_order(copies_, order, host);
  }
  with_reals(*this, [&](auto& reals) { reals = in_order(reals, order, host, classes_); });
}

void Weights::update(const LeafIds& leaf_ids, const Votes& votes, double alpha, double z,
                     Host& host) {
  multiply(factors(votes, alpha, z), leaf_ids, host);
}

}  // namespace rankmix::boost

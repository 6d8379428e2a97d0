#include "core/boost/weights.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/simd.h"

namespace rankmix::boost {
namespace {

// Weights as integers: 2^30 leaves one bit for the sign and one for rounding.
constexpr double kUnit = 1 << 30;
// What is left of a weight is counted in units of 2^-61.
constexpr double kRestUnit = 2147483648.0;
constexpr double kOne = kUnit * kRestUnit;
constexpr double kSumUnit = 1.0 / (1 << 12);
// Parts of the rows, on any number of threads: each has sums of its own.
constexpr std::size_t kParts = 8;

template <class Real>
constexpr Real kMost = static_cast<Real>(1.5);

// Where a row's line of a table begins, in lines.
struct LineOf {
  const std::uint32_t* cells;  // null: all rows are in cell 0
  const std::uint8_t* grades;
  std::size_t lines_per_cell;  // the number of grades, or 1 for a line of the cell

  RANKMIX_INLINE std::size_t operator()(std::size_t row) const {
    const std::size_t cell = cells == nullptr ? 0 : cells[row];
    return lines_per_cell == 1 ? cell : cell * lines_per_cell + grades[row];
  }
};

// Sums in units of 2^-61.
struct FixedSums {
  std::int64_t products = 0;
  std::int64_t weights = 0;
  FixedSums& operator+=(const FixedSums& other) {
    products += other.products;
    weights += other.weights;
    return *this;
  }
};

// A sum of numbers, each cut into a whole number of 2^-30 and a rest. Loops over all
// lanes become a few wide operations; lanes beyond the classes add up what follows the
// row, and nobody reads them.
template <int Lanes>
struct LaneSums {
  std::uint32_t units[Lanes] = {};
  std::int64_t rests[Lanes] = {};

  template <class Real>
  RANKMIX_INLINE void add(const Real* x) {
    std::int32_t unit[Lanes];
    std::int32_t rest[Lanes];
    for (int l = 0; l < Lanes; ++l) {
      unit[l] = static_cast<std::int32_t>(x[l] * static_cast<Real>(kUnit));
    }
    for (int l = 0; l < Lanes; ++l) {
      rest[l] = static_cast<std::int32_t>(
          (x[l] * static_cast<Real>(kUnit) - static_cast<Real>(unit[l])) *
          static_cast<Real>(kRestUnit));
    }
    for (int l = 0; l < Lanes; ++l) {
      units[l] += static_cast<std::uint32_t>(unit[l]);
      rests[l] += rest[l];
    }
  }
  std::int64_t sum(std::size_t classes) const {
    std::int64_t sum = 0;
    for (std::size_t l = 0; l < classes; ++l) {
      sum += std::int64_t{static_cast<std::int32_t>(units[l])} * (std::int64_t{1} << 31) +
             rests[l];
    }
    return sum;
  }
};

template <int Lanes, class Real>
RANKMIX_INLINE FixedSums add_rows(const Real* weights, std::size_t classes,
                                  const Real* table, const LineOf& line_of,
                                  std::size_t begin, std::size_t end) {
  LaneSums<Lanes> products;
  LaneSums<Lanes> magnitudes;
  for (std::size_t i = begin; i < end; ++i) {
    const Real* row = weights + i * classes;
    const Real* line = table + line_of(i) * Lanes;
    Real product[Lanes];
    Real magnitude[Lanes];
    for (int l = 0; l < Lanes; ++l) {
      // A model of other data may multiply a weight beyond what a sum can hold.
      const Real x = row[l] * line[l];
      const Real above = x > -kMost<Real> ? x : -kMost<Real>;
      product[l] = above < kMost<Real> ? above : kMost<Real>;
    }
    for (int l = 0; l < Lanes; ++l) {
      magnitude[l] = std::abs(row[l]);
    }
    products.add(product);
    magnitudes.add(magnitude);
  }
  return {products.sum(classes), magnitudes.sum(classes)};
}

// Weights do not fall below this: the processor is slow on numbers that are nearly 0, and
// what is 0 could not grow again. Weights that were 0 stay so.
constexpr double kLeastWeight = 1.0 / (1LL << 50) / (1LL << 50);

template <class Real>
RANKMIX_INLINE Real scaled(Real weight, Real factor) {
  const Real least = std::min(std::abs(weight), static_cast<Real>(kLeastWeight));
  return std::copysign(std::max(std::abs(weight * factor), least), weight);
}

template <class Real>
RANKMIX_INLINE std::uint32_t to_units(Real weight) {
  const Real units = weight * static_cast<Real>(kUnit);
  return static_cast<std::uint32_t>(
      static_cast<std::int32_t>(units + std::copysign(static_cast<Real>(0.5), units)));
}

// Copies the first `count` of so many lanes, more than half of them. Writing all lanes
// would let the next row wait for what this one wrote.
template <int Lanes, class T>
RANKMIX_INLINE void copy_lanes(const T* from, std::size_t count, T* to) {
  constexpr std::size_t half = Lanes / 2;
  for (std::size_t l = 0; l < half; ++l) {
    to[l] = from[l];
  }
  for (std::size_t l = half; l < count; ++l) {
    to[l] = from[l];
  }
}

template <int Lanes, class Real>
RANKMIX_INLINE void multiply_row(const Real* weights, const Real* line,
                                 std::size_t classes, Real* out,
                                 std::uint32_t* channels) {
  Real product[Lanes];
  std::uint32_t units[Lanes];
  for (int l = 0; l < Lanes; ++l) {
    product[l] = scaled(weights[l], line[l]);
  }
  for (int l = 0; l < Lanes; ++l) {
    units[l] = to_units(product[l]);
  }
  copy_lanes<Lanes>(product, classes, out);
  copy_lanes<Lanes>(units, classes, channels);
}

template <int Lanes, class Real>
RANKMIX_INLINE void multiply_rows(Real* weights, std::uint32_t* channels,
                                  std::size_t classes, const Real* table,
                                  const LineOf& line_of, std::size_t begin,
                                  std::size_t end) {
  for (std::size_t i = begin; i + 1 < end; ++i) {
    Real* row = weights + i * classes;
    multiply_row<Lanes>(row, table + line_of(i) * Lanes, classes, row,
                        channels + i * classes);
  }
  // What follows the last row may be written by another thread.
  const std::size_t last = end - 1;
  Real own[Lanes] = {};
  copy_lanes<Lanes>(weights + last * classes, classes, own);
  multiply_row<Lanes>(own, table + line_of(last) * Lanes, classes,
                      weights + last * classes, channels + last * classes);
}

template <int Lanes, class Real>
FixedSums add_rows_plain(const Real* weights, std::size_t classes, const Real* table,
                         const LineOf& line_of, std::size_t begin, std::size_t end) {
  return add_rows<Lanes>(weights, classes, table, line_of, begin, end);
}

template <int Lanes, class Real>
RANKMIX_AVX2 FixedSums add_rows_avx2(const Real* weights, std::size_t classes,
                                     const Real* table, const LineOf& line_of,
                                     std::size_t begin, std::size_t end) {
  return add_rows<Lanes>(weights, classes, table, line_of, begin, end);
}

template <int Lanes, class Real>
void multiply_rows_plain(Real* weights, std::uint32_t* channels, std::size_t classes,
                         const Real* table, const LineOf& line_of, std::size_t begin,
                         std::size_t end) {
  multiply_rows<Lanes>(weights, channels, classes, table, line_of, begin, end);
}

template <int Lanes, class Real>
RANKMIX_AVX2 void multiply_rows_avx2(Real* weights, std::uint32_t* channels,
                                     std::size_t classes, const Real* table,
                                     const LineOf& line_of, std::size_t begin,
                                     std::size_t end) {
  multiply_rows<Lanes>(weights, channels, classes, table, line_of, begin, end);
}

}  // namespace

// Lines of as many numbers as there are lanes.
struct Weights::Table {
  std::size_t lines_per_cell;
  std::vector<double> values;

  template <class Real>
  std::vector<Real> as() const {
    return std::vector<Real>(values.begin(), values.end());
  }
};

template <class Self, class Use>
void Weights::with_reals(Self& self, const Use& use) {
  if (self.precision_ == Precision::kSingle) {
    use(self.singles_);
  } else {
    use(self.doubles_);
  }
}

Weights::Weights(View<const int> grades, View<const double> documents,
                 std::size_t classes, WeightScheme scheme, Precision precision,
                 Host& host)
    : rows_(grades.size()),
      classes_(classes),
      precision_(precision),
      grades_(grades.begin(), grades.end()),
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
  // matter.
  double sum = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    sum += std::ceil(own_weight(i) / kSumUnit) * kSumUnit;
  }
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

// Makes good for the rounding, and fills the channels.
void Weights::scale_to_one(Host& host) {
  Table table{1, std::vector<double>(tree::lanes_for(classes_), 0.0)};
  const double scale = 1.0 / sums_with(table, {}, host).weights;
  std::fill(table.values.begin(), table.values.end(), scale);
  multiply(table, {}, host);
}

Weights::Table Weights::factors(const Votes& votes, double alpha, double z) const {
  const std::size_t lanes = tree::lanes_for(classes_);
  const std::size_t cells = votes.size() / classes_;
  Table table{classes_, std::vector<double>(cells * classes_ * lanes, 0.0)};
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t grade = 0; grade < classes_; ++grade) {
      double* line = table.values.data() + (cell * classes_ + grade) * lanes;
      for (std::size_t l = 0; l < classes_; ++l) {
        const double vote = votes[cell * classes_ + l];
        line[l] = std::exp(l == grade ? -alpha * vote : alpha * vote) / z;
      }
    }
  }
  return table;
}

Weights::Sums Weights::sums_with(const Table& table, const Cells& cells,
                                 Host& host) const {
  FixedSums sums;
  with_reals(*this, [&](const auto& weights) {
    using Real = std::decay_t<decltype(weights[0])>;
    const std::vector<Real> lines = table.as<Real>();
    const LineOf line_of{cells.empty() ? nullptr : cells.data(), grades_.data(),
                         table.lines_per_cell};
    tree::with_lanes(tree::lanes_for(classes_), [&](auto lanes) {
      constexpr int lane_count = decltype(lanes)::value;
      const auto add =
          has_avx2() ? add_rows_avx2<lane_count, Real> : add_rows_plain<lane_count, Real>;
      sums = sum_over_blocks<FixedSums>(
          host, rows_, [&](std::size_t begin, std::size_t end) {
            return add(weights.data(), classes_, lines.data(), line_of, begin, end);
          });
    });
  });
  return {static_cast<double>(sums.products) / kOne,
          static_cast<double>(sums.weights) / kOne};
}

void Weights::multiply(const Table& table, const Cells& cells, Host& host) {
  with_reals(*this, [&](auto& weights) {
    using Real = std::decay_t<decltype(weights[0])>;
    const std::vector<Real> lines = table.as<Real>();
    const LineOf line_of{cells.empty() ? nullptr : cells.data(), grades_.data(),
                         table.lines_per_cell};
    tree::with_lanes(tree::lanes_for(classes_), [&](auto lanes) {
      constexpr int lane_count = decltype(lanes)::value;
      const auto multiply = has_avx2() ? multiply_rows_avx2<lane_count, Real>
                                       : multiply_rows_plain<lane_count, Real>;
      for_each_block(host, rows_, RowCost::kLight,
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       multiply(weights.data(), channels_.data(), classes_, lines.data(),
                                line_of, begin, end);
                     });
    });
  });
}

Weights::Sums Weights::edge(const Cells& cells, const Votes& votes, Host& host) const {
  const std::size_t lanes = tree::lanes_for(classes_);
  const std::size_t count = votes.size() / classes_;
  Table table{1, std::vector<double>(count * lanes, 0.0)};
  for (std::size_t cell = 0; cell < count; ++cell) {
    std::copy_n(votes.begin() + static_cast<std::ptrdiff_t>(cell * classes_), classes_,
                table.values.begin() + static_cast<std::ptrdiff_t>(cell * lanes));
  }
  return sums_with(table, cells, host);
}

Weights::Sums Weights::gain(const Cells& cells, const Votes& votes, double alpha,
                            Host& host) const {
  Table table = factors(votes, alpha, 1.0);
  const std::size_t lanes = tree::lanes_for(classes_);
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    // Times y, which makes good for the sign of a weight.
    const bool own = i % lanes == i / lanes % classes_;
    const double left = 1.0 - table.values[i];
    table.values[i] = own ? left : -left;
  }
  return sums_with(table, cells, host);
}

double Weights::share_of(const std::vector<std::uint32_t>& rows) const {
  std::int64_t sum = 0;
  with_reals(*this, [&](const auto& weights) {
    for (std::uint32_t row : rows) {
      for (std::size_t l = 0; l < classes_; ++l) {
        sum += to_fixed(std::abs(static_cast<double>(weights[row * classes_ + l])) / 2.0);
      }
    }
  });
  return 2.0 * from_fixed(sum);
}

std::vector<double> Weights::class_sums(const Cells& cells, std::size_t count,
                                        Host& host) const {
  std::vector<std::vector<std::int64_t>> parts(kParts);
  with_reals(*this, [&](const auto& weights) {
    host.parallel_for(kParts, [&](std::size_t part) {
      std::vector<std::int64_t>& sums = parts[part];
      sums.assign(count * classes_ * 2, 0);
      for (std::size_t i = rows_ * part / kParts; i < rows_ * (part + 1) / kParts; ++i) {
        for (std::size_t l = 0; l < classes_; ++l) {
          const double weight = std::abs(static_cast<double>(weights[i * classes_ + l]));
          sums[(cells[i] * classes_ + l) * 2 + (l == grades_[i] ? 0 : 1)] +=
              static_cast<std::int64_t>(weight * kOne);
        }
      }
    });
  });
  std::vector<double> all(count * classes_ * 2, 0.0);
  for (std::size_t j = 0; j < all.size(); ++j) {
    std::int64_t sum = 0;
    for (const std::vector<std::int64_t>& part : parts) {
      sum += part[j];
    }
    all[j] = static_cast<double>(sum) / kOne;
  }
  return all;
}

void Weights::update(const Cells& cells, const Votes& votes, double alpha, double z,
                     Host& host) {
  multiply(factors(votes, alpha, z), cells, host);
}

}  // namespace rankmix::boost

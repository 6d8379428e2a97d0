#include "core/linear/features.h"

#include <algorithm>
#include <utility>

#include "core/base/blocks.h"
#include "core/linear/strips.h"

namespace rankmix::linear {
namespace {

// Rows of a strip. Its products fit in the L1 cache.
constexpr std::size_t kStrip = 256;
// Number of parts of the rows that are summed separately.
constexpr std::size_t kParts = 8;

// A column-major matrix: a view, or its own copy.
class DenseFeatures : public Features {
 public:
  DenseFeatures(MatrixView<const double> x, Scaling scaling)
      : Features(x.rows(), x.cols(), std::move(scaling)), x_(x) {}
  DenseFeatures(std::vector<double> own, std::size_t rows, std::size_t columns,
                Scaling scaling)
      : Features(rows, columns, std::move(scaling)),
        own_(std::move(own)),
        x_(own_.data(), rows, columns) {}

  std::unique_ptr<Features> subset(View<const std::uint32_t> rows) const override {
    std::vector<double> own(rows.size() * x_.cols());
    pack_rows(rows, own.data());
    return std::make_unique<DenseFeatures>(std::move(own), rows.size(), x_.cols(),
                                           scaling());
  }

 private:
  // Calls use(strip, first row, rows). A short strip is padded with zeros.
  template <class Use>
  void for_each_strip(std::size_t begin, std::size_t end, const Use& use) const {
    std::vector<double> rest;
    for (std::size_t first = begin; first < end; first += kStrip) {
      const std::size_t count = std::min(kStrip, end - first);
      const std::size_t rows = (count + kStripLanes - 1) / kStripLanes * kStripLanes;
      if (rows == count) {
        use(Strip{x_.col(0) + first, x_.rows(), x_.cols(), rows}, first, count);
        continue;
      }
      rest.assign(rows * x_.cols(), 0.0);
      for (std::size_t j = 0; j < x_.cols(); ++j) {
        std::copy_n(x_.col(j) + first, count, rest.data() + j * rows);
      }
      use(Strip{rest.data(), rows, x_.cols(), rows}, first, count);
    }
  }

  void multiply_rows(const double* weights, const double* offset, std::size_t classes,
                     std::size_t begin, std::size_t end,
                     double* products) const override {
    std::vector<double> own(classes * kStrip);
    for_each_strip(begin, end,
                   [&](const Strip& strip, std::size_t first, std::size_t count) {
                     for (std::size_t k = 0; k < classes; ++k) {
                       std::fill_n(own.data() + k * strip.rows, strip.rows, offset[k]);
                     }
                     multiply_strip(strip, weights, classes, own.data());
                     for (std::size_t r = 0; r < count; ++r) {
                       for (std::size_t k = 0; k < classes; ++k) {
                         products[(first + r) * classes + k] = own[k * strip.rows + r];
                       }
                     }
                   });
  }

  void add_rows(const double* values, std::size_t classes, std::size_t begin,
                std::size_t end, double* sums) const override {
    std::vector<double> own(classes * kStrip);
    for_each_strip(begin, end,
                   [&](const Strip& strip, std::size_t first, std::size_t count) {
                     std::fill(own.begin(), own.end(), 0.0);
                     for (std::size_t r = 0; r < count; ++r) {
                       for (std::size_t k = 0; k < classes; ++k) {
                         own[k * strip.rows + r] = values[(first + r) * classes + k];
                       }
                     }
                     add_strip(strip, own.data(), classes, sums);
                   });
  }

  void pack_rows(View<const std::uint32_t> rows, double* to) const override {
    for (std::size_t j = 0; j < x_.cols(); ++j) {
      const double* x = x_.col(j);
      for (std::uint32_t row : rows) {
        *to++ = x[row];
      }
    }
  }

  std::vector<double> own_;
  MatrixView<const double> x_;
};

// The nonzero values, row by row.
class SparseFeatures : public Features {
 public:
  SparseFeatures(const SparseView& x, Scaling scaling)
      : Features(x.rows(), x.cols(), std::move(scaling)), starts_(x.rows() + 1, 0) {
    for (std::size_t j = 0; j < x.cols(); ++j) {
      for (int row : x.row_of(j)) {
        ++starts_[static_cast<std::size_t>(row) + 1];
      }
    }
    for (std::size_t i = 0; i < x.rows(); ++i) {
      starts_[i + 1] += starts_[i];
    }
    columns_.resize(starts_.back());
    values_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t j = 0; j < x.cols(); ++j) {
      for (std::size_t e = 0; e < x.entries(j); ++e) {
        const std::size_t at = next[static_cast<std::size_t>(x.row_of(j)[e])]++;
        columns_[at] = static_cast<std::uint32_t>(j);
        values_[at] = x.values(j)[e];
      }
    }
  }
  SparseFeatures(const SparseFeatures& all, View<const std::uint32_t> rows)
      : Features(rows.size(), all.scaling().factor.size(), all.scaling()), starts_{0} {
    for (std::uint32_t row : rows) {
      for (std::size_t e = all.starts_[row]; e < all.starts_[row + 1]; ++e) {
        columns_.push_back(all.columns_[e]);
        values_.push_back(all.values_[e]);
      }
      starts_.push_back(values_.size());
    }
  }

  std::unique_ptr<Features> subset(View<const std::uint32_t> rows) const override {
    return std::make_unique<SparseFeatures>(*this, rows);
  }

 private:
  void multiply_rows(const double* weights, const double* offset, std::size_t classes,
                     std::size_t begin, std::size_t end,
                     double* products) const override {
    for (std::size_t i = begin; i < end; ++i) {
      double* to = products + i * classes;
      std::copy_n(offset, classes, to);
      for (std::size_t e = starts_[i]; e < starts_[i + 1]; ++e) {
        const double* of_feature = weights + columns_[e] * classes;
        for (std::size_t k = 0; k < classes; ++k) {
          to[k] += values_[e] * of_feature[k];
        }
      }
    }
  }

  void add_rows(const double* values, std::size_t classes, std::size_t begin,
                std::size_t end, double* sums) const override {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t e = starts_[i]; e < starts_[i + 1]; ++e) {
        double* of_feature = sums + columns_[e] * classes;
        for (std::size_t k = 0; k < classes; ++k) {
          of_feature[k] += values_[e] * values[i * classes + k];
        }
      }
    }
  }

  void pack_rows(View<const std::uint32_t> rows, double* to) const override {
    std::fill_n(to, rows.size() * scaling().factor.size(), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t e = starts_[rows[i]]; e < starts_[rows[i] + 1]; ++e) {
        to[columns_[e] * rows.size() + i] = values_[e];
      }
    }
  }

  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
};

}  // namespace

Features::Features(std::size_t rows, std::size_t columns, Scaling scaling)
    : rows_(rows), columns_(columns), scaling_(std::move(scaling)) {}

// The product of scaled features is the product of unscaled features with scaled weights,
// plus an offset for each class.
void Features::multiply(const std::vector<double>& weights, std::size_t classes,
                        std::vector<double>& products, Host& host) const {
  std::vector<double> scaled(columns_ * classes);
  std::vector<double> offset(classes, 0.0);
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    scaled[i] = weights[i] * scaling_.factor[i / classes];
    offset[i % classes] -= scaled[i] * scaling_.center[i / classes];
  }
  for (std::size_t k = 0; scaling_.bias && k < classes; ++k) {
    offset[k] += weights[columns_ * classes + k];
  }
  products.resize(rows_ * classes);
  for_each_block(
      host, rows_, RowCost::kHeavy, [&](std::size_t, std::size_t begin, std::size_t end) {
        multiply_rows(scaled.data(), offset.data(), classes, begin, end, products.data());
      });
}

std::vector<double> Features::multiply_transposed(const std::vector<double>& values,
                                                  std::size_t classes, Host& host) const {
  const std::size_t blocks = block_count(rows_);
  const std::size_t parts = std::min(blocks, kParts);
  std::vector<std::vector<double>> sums(parts);
  std::vector<std::vector<double>> totals(parts, std::vector<double>(classes, 0.0));
  host.parallel_for(parts, [&](std::size_t part) {
    const std::size_t begin = blocks * part / parts * kRowBlock;
    const std::size_t end = std::min(rows_, blocks * (part + 1) / parts * kRowBlock);
    sums[part].assign(columns_ * classes, 0.0);
    add_rows(values.data(), classes, begin, end, sums[part].data());
    for (std::size_t i = begin * classes; i < end * classes; ++i) {
      totals[part][i % classes] += values[i];
    }
  });
  std::vector<double> all(inputs() * classes, 0.0);
  std::vector<double> total(classes, 0.0);
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = 0; i < sums[part].size(); ++i) {
      all[i] += sums[part][i];
    }
    for (std::size_t k = 0; k < classes; ++k) {
      total[k] += totals[part][k];
    }
  }
  for (std::size_t i = 0; i < columns_ * classes; ++i) {
    const std::size_t j = i / classes;
    all[i] = (all[i] - scaling_.center[j] * total[i % classes]) * scaling_.factor[j];
  }
  for (std::size_t k = 0; scaling_.bias && k < classes; ++k) {
    all[columns_ * classes + k] = total[k];
  }
  return all;
}

void Features::pack(View<const std::uint32_t> rows, View<const double> times,
                    double* to) const {
  pack_rows(rows, to);
  for (std::size_t j = 0; j < columns_; ++j, to += rows.size()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      to[i] = (to[i] - scaling_.center[j]) * scaling_.factor[j] * times[i];
    }
  }
  if (scaling_.bias) {
    std::copy(times.begin(), times.end(), to);
  }
}

std::unique_ptr<Features> features_of(MatrixView<const double> x, Scaling scaling) {
  return std::make_unique<DenseFeatures>(x, std::move(scaling));
}

std::unique_ptr<Features> features_of(const SparseView& x, Scaling scaling) {
  return std::make_unique<SparseFeatures>(x, std::move(scaling));
}

}  // namespace rankmix::linear

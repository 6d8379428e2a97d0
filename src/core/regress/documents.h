// The data on which regression trees are trained: features, targets and weights of the
// documents with positive weight, in an order that does not depend on the order of rows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/views.h"

namespace rankmix::regress {

// Access to the features of single documents.
class Values {
 public:
  virtual ~Values() = default;
  virtual std::size_t features() const = 0;
  virtual void gather(std::size_t feature, View<const std::uint32_t> rows,
                      double* to) const = 0;
  // Calls use(row, value) for the rows begin .. end - 1. Zeros that are not stored may be
  // skipped.
  virtual void visit(std::size_t feature, std::size_t begin, std::size_t end,
                     const FunctionRef<void(std::size_t, double)>& use) const = 0;
};

class DenseValues : public Values {
 public:
  explicit DenseValues(MatrixView<const double> x) : x_(x) {}
  std::size_t features() const override { return x_.cols(); }
  void gather(std::size_t feature, View<const std::uint32_t> rows,
              double* to) const override {
    const double* column = x_.col(feature);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      to[i] = column[rows[i]];
    }
  }
  void visit(std::size_t feature, std::size_t begin, std::size_t end,
             const FunctionRef<void(std::size_t, double)>& use) const override {
    const double* column = x_.col(feature);
    for (std::size_t i = begin; i < end; ++i) {
      use(i, column[i]);
    }
  }

 private:
  MatrixView<const double> x_;
};

class SparseValues : public Values {
 public:
  explicit SparseValues(const SparseView& x) : x_(x) {}
  std::size_t features() const override { return x_.cols(); }
  void gather(std::size_t feature, View<const std::uint32_t> rows,
              double* to) const override {
    const View<const int> listed = x_.row_of(feature);
    const View<const double> values = x_.values(feature);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int row = static_cast<int>(rows[i]);
      const int* at = std::lower_bound(listed.begin(), listed.end(), row);
      to[i] = at != listed.end() && *at == row
                  ? values[static_cast<std::size_t>(at - listed.begin())]
                  : 0.0;
    }
  }
  void visit(std::size_t feature, std::size_t begin, std::size_t end,
             const FunctionRef<void(std::size_t, double)>& use) const override {
    const View<const int> listed = x_.row_of(feature);
    const View<const double> values = x_.values(feature);
    const int* at =
        std::lower_bound(listed.begin(), listed.end(), static_cast<int>(begin));
    for (; at != listed.end() && static_cast<std::size_t>(*at) < end; ++at) {
      use(static_cast<std::size_t>(*at),
          values[static_cast<std::size_t>(at - listed.begin())]);
    }
  }

 private:
  SparseView x_;
};

struct Documents {
  const Values* values = nullptr;
  std::vector<double> targets;      // of all rows, minus `shift`
  std::vector<double> weights;      // of all rows, scaled to mean 1 over `rows`
  std::vector<std::uint32_t> rows;  // rows of positive weight, in `order`
  double shift = 0.0;               // mean of the targets, rounded if all are integers
  double unit = 0.0;                // all weights are multiples of `unit`; 0: none
};

// Empty `weights` means equal weights. `order` has all rows, see content_order.h.
// `values` must outlive the result.
Documents make_documents(const Values& values, View<const double> targets,
                         View<const double> weights,
                         const std::vector<std::uint32_t>& order);

}  // namespace rankmix::regress

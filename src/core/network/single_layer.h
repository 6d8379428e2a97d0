// A small network: one hidden layer of logistic units, and one output that is a weighted
// sum of the units.
//
// The weights of a unit are contiguous, its intercept first. The units are followed by
// the weights of the output, its intercept first.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::network {

// The inputs of a network, one row for each example.
class InputRows {
 public:
  virtual ~InputRows() = default;
  virtual std::size_t rows() const = 0;
  virtual std::size_t columns() const = 0;
  // Writes rows [first, first + count). Input k of row first + i goes to
  // to[k * stride + i].
  virtual void copy(std::size_t first, std::size_t count, double* to,
                    std::size_t stride) const = 0;
};

class MatrixRows : public InputRows {
 public:
  explicit MatrixRows(MatrixView<const double> matrix) : matrix_(matrix) {}
  std::size_t rows() const override { return matrix_.rows(); }
  std::size_t columns() const override { return matrix_.cols(); }
  void copy(std::size_t first, std::size_t count, double* to,
            std::size_t stride) const override;

 private:
  MatrixView<const double> matrix_;
};

struct SingleLayer {
  const double* hidden;  // (1 + inputs) x units
  const double* output;  // 1 + units
  std::size_t inputs;
  std::size_t units;
};

// Throws InvalidArgument if `weights` are not the weights of such a network.
SingleLayer single_layer(View<const double> weights, std::size_t inputs);

// The number of rows that a pass computes together, at most.
constexpr std::size_t kPassRows = 256;

// Computes the units and outputs of a few rows, and keeps them until the next run.
class LayerPass {
 public:
  // `rows` is the largest number of rows of a run, at most kPassRows.
  LayerPass(std::size_t inputs, std::size_t units, std::size_t rows);
  // Rows [first, first + count).
  void run(const SingleLayer& layer, const InputRows& inputs, std::size_t first,
           std::size_t count);

  // stride() x (1 + inputs). The first column is 1.
  const double* inputs() const { return inputs_.data(); }
  const double* units() const { return units_.data(); }  // stride() x units
  const double* outputs() const { return outputs_.data(); }
  // The distance of columns, at least the number of rows of the last run.
  std::size_t stride() const { return stride_; }

 private:
  std::vector<double> inputs_;
  std::vector<double> units_;
  std::vector<double> outputs_;
  std::size_t stride_ = 0;
};

// The outputs of rows [begin, end). out[0] is the output of row `begin`.
void find_outputs(const SingleLayer& layer, const InputRows& inputs, std::size_t begin,
                  std::size_t end, double* out);

}  // namespace rankmix::network

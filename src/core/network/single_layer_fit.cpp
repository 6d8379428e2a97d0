#include "core/network/single_layer_fit.h"

#include <algorithm>

#include "core/base/blocks.h"
#include "core/base/dense.h"
#include "core/base/errors.h"
#include "core/base/products.h"

namespace rankmix::network {
namespace {

using optimize::Vector;

// Rows of a task. A task is short, so that an interrupt is noticed soon.
constexpr std::size_t kTaskRows = 4 * kPassRows;
// The sums of a system are split into this number of parts. Few rows have one part.
constexpr std::size_t kParts = 8;

// One thread's memory for a few rows.
struct Rows {
  Rows(const SingleLayer& layer, std::size_t rows)
      : pass(layer.inputs, layer.units, rows),
        losses(rows),
        roots(rows),
        residuals(rows) {}
  LayerPass pass;
  Vector losses;
  Vector roots;
  Vector residuals;
};

// The sums of a part of the rows.
struct Part {
  Part(const SingleLayer& layer, std::size_t size, std::size_t rows)
      : memory(layer, rows),
        jacobian(rows * size),
        scaled_inputs(rows * (layer.inputs + 1)),
        half_hessian(size * size, 0.0),
        downhill(size, 0.0) {}
  Rows memory;
  Vector jacobian;
  Vector scaled_inputs;
  Vector half_hessian;
  Vector downhill;
};

// The derivatives of the outputs by the weights, count x unknowns, times the roots
// of the losses.
void fill_jacobian(const SingleLayer& layer, std::size_t count, const Rows& rows,
                   double* out) {
  const LayerPass& pass = rows.pass;
  double* of_output = out + (layer.inputs + 1) * layer.units * count;
  const double* root = rows.roots.data();
  std::copy_n(root, count, of_output);
  for (std::size_t h = 0; h < layer.units; ++h) {
    const double* s = pass.units() + h * pass.stride();
    double* intercept = out + h * (layer.inputs + 1) * count;
    for (std::size_t i = 0; i < count; ++i) {
      of_output[(h + 1) * count + i] = root[i] * s[i];
      intercept[i] = root[i] * layer.output[h + 1] * s[i] * (1.0 - s[i]);
    }
    for (std::size_t k = 0; k < layer.inputs; ++k) {
      const double* x = pass.inputs() + (k + 1) * pass.stride();
      for (std::size_t i = 0; i < count; ++i) {
        intercept[(k + 1) * count + i] = intercept[i] * x[i];
      }
    }
  }
}

// Adds to the Hessian the second derivatives of the outputs, each times half the
// derivative of its loss. They are not 0 for two weights of one unit, and for a weight of
// a unit and the weight of that unit in the output.
void add_second_derivatives(const SingleLayer& layer, std::size_t count, Part& to) {
  const LayerPass& pass = to.memory.pass;
  const std::size_t size = to.downhill.size();
  const std::size_t own = layer.inputs + 1;
  const Vectors inputs{pass.inputs(), pass.stride(), own, count};
  const double* root = to.memory.roots.data();
  const double* residual = to.memory.residuals.data();
  for (std::size_t h = 0; h < layer.units; ++h) {
    const double* s = pass.units() + h * pass.stride();
    const double* jacobian = to.jacobian.data() + h * own * count;
    double* out = to.scaled_inputs.data();
    for (std::size_t k = 0; k < own; ++k) {
      for (std::size_t i = 0; i < count; ++i) {
        out[k * count + i] = jacobian[k * count + i] * residual[i] * (1.0 - 2.0 * s[i]);
      }
    }
    double* block = to.half_hessian.data() + h * own * (size + 1);
    add_products({out, count, own, count}, inputs, -1.0, true, block, size);
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = root[i] * residual[i] * s[i] * (1.0 - s[i]);
    }
    double* row = to.half_hessian.data() + h * own * size + layer.units * own + h + 1;
    add_products({out, count, 1, count}, inputs, -1.0, false, row, size);
  }
}

class Problem : public optimize::DampedFunction {
 public:
  Problem(const Examples& examples, const SingleLayerOptions& options, Host& host)
      : examples_(examples),
        options_(options),
        host_(host),
        rows_(examples.inputs.rows()),
        losses_(rows_) {}

  double value(const Vector& point) override {
    const SingleLayer layer = layer_of(point);
    host_.checkpoint();
    host_.parallel_for((rows_ + kTaskRows - 1) / kTaskRows, [&](std::size_t task) {
      Rows memory(layer, pass_rows());
      for_passes(layer, task * kTaskRows, memory,
                 [&](std::size_t first, std::size_t count) {
                   std::copy_n(memory.losses.data(), count, losses_.data() + first);
                 });
    });
    double sum = penalty(point);
    for (const double loss : losses_) {
      sum += loss;
    }
    return sum;
  }

  void find_system(const Vector& point, optimize::DampedSystem& out) override {
    const SingleLayer layer = layer_of(point);
    const std::size_t size = point.size();
    const std::size_t parts = rows_ <= kRowBlock ? 1 : kParts;
    std::vector<Part> sums(parts, Part(layer, size, pass_rows()));
    for (std::size_t begin = 0; begin < rows_; begin += parts * kTaskRows) {
      host_.checkpoint();
      host_.parallel_for(parts, [&](std::size_t part) {
        add_rows(layer, begin + part * kTaskRows, sums[part]);
      });
    }
    for (std::size_t part = 1; part < parts; ++part) {
      optimize::add(1.0, sums[part].half_hessian, sums[0].half_hessian);
      optimize::add(1.0, sums[part].downhill, sums[0].downhill);
    }
    out.half_hessian = std::move(sums[0].half_hessian);
    out.downhill = std::move(sums[0].downhill);
    out.scale.resize(size);
    for (std::size_t j = 0; j < size; ++j) {
      double& diagonal = out.half_hessian[j * size + j];
      diagonal += options_.decay;
      out.scale[j] = diagonal;
      out.downhill[j] -= options_.decay * point[j];
    }
    if (exact()) {
      // The exact diagonal may be negative, but not for the intercept of the output. On
      // drawn pairs, one scale for all weights led to lower minima than a scale for each.
      const std::size_t intercept = layer.units * (layer.inputs + 1);
      std::fill(out.scale.begin(), out.scale.end(), out.scale[intercept]);
    }
  }

 private:
  SingleLayer layer_of(const Vector& point) const {
    return single_layer(point, examples_.inputs.columns());
  }

  // Whether the Hessian is exact.
  bool exact() const { return options_.loss == RowLoss::kCrossEntropy; }

  std::size_t pass_rows() const { return std::min(kPassRows, rows_); }

  double penalty(const Vector& point) const {
    double squares = 0.0;
    for (const double weight : point) {
      squares += weight * weight;
    }
    return options_.decay * squares;
  }

  // Computes the losses of the task's rows, and calls use(first, count) after each pass.
  template <class Use>
  void for_passes(const SingleLayer& layer, std::size_t begin, Rows& memory,
                  const Use& use) const {
    const std::size_t end = std::min(rows_, begin + kTaskRows);
    for (std::size_t first = begin; first < end; first += kPassRows) {
      const std::size_t count = std::min(kPassRows, end - first);
      memory.pass.run(layer, examples_.inputs, first, count);
      find_losses(options_.loss,
                  {count, memory.pass.outputs(), examples_.targets.data() + first,
                   examples_.weights.empty() ? nullptr : examples_.weights.data() + first,
                   memory.losses.data(), memory.roots.data(), memory.residuals.data()});
      use(first, count);
    }
  }

  void add_rows(const SingleLayer& layer, std::size_t begin, Part& to) const {
    const std::size_t size = to.downhill.size();
    for_passes(layer, begin, to.memory, [&](std::size_t, std::size_t count) {
      fill_jacobian(layer, count, to.memory, to.jacobian.data());
      dense::add_gram({to.jacobian.data(), count, size}, to.half_hessian.data());
      for (std::size_t j = 0; j < size; ++j) {
        const double* column = to.jacobian.data() + j * count;
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
          sum += column[i] * to.memory.residuals[i];
        }
        to.downhill[j] += sum;
      }
      if (exact()) {
        add_second_derivatives(layer, count, to);
      }
    });
  }

  const Examples& examples_;
  const SingleLayerOptions& options_;
  Host& host_;
  std::size_t rows_;
  Vector losses_;
};

void check_examples(const Examples& examples, RowLoss loss) {
  const std::size_t rows = examples.inputs.rows();
  if (examples.targets.size() != rows ||
      (!examples.weights.empty() && examples.weights.size() != rows)) {
    throw InvalidArgument("targets or weights do not fit to the inputs of the network");
  }
  if (loss == RowLoss::kCrossEntropy &&
      !std::all_of(examples.targets.begin(), examples.targets.end(),
                   [](double target) { return target == 0.0 || target == 1.0; })) {
    throw InvalidArgument("the targets of cross-entropy must be 0 or 1");
  }
}

}  // namespace

SingleLayerFit fit_single_layer(const Examples& examples,
                                const SingleLayerOptions& options,
                                const std::vector<double>& start, Host& host) {
  check_examples(examples, options.loss);
  single_layer(start, examples.inputs.columns());
  Problem problem(examples, options, host);
  SingleLayerFit fit;
  fit.weights = start;
  fit.end = optimize::minimise_damped(problem, options.steps, fit.weights);
  return fit;
}

}  // namespace rankmix::network

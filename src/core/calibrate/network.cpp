#include "core/calibrate/network.h"

#include <algorithm>
#include <cmath>

#include "core/network/single_layer_fit.h"

namespace rankmix::calibrate {
namespace {

constexpr std::size_t kMaxDocuments = 8192;
constexpr std::size_t kMaxSteps = 50;
constexpr double kEnough = 1e-5;  // minimum relative decrease of the objective

// Rows of discriminants, standardised when they are read.
class StandardRows : public network::InputRows {
 public:
  StandardRows(MatrixView<const double> f, const StandardScale& scale)
      : f_(f), scale_(scale) {}
  std::size_t rows() const override { return f_.rows(); }
  std::size_t columns() const override { return f_.cols(); }
  void copy(std::size_t first, std::size_t count, double* to,
            std::size_t stride) const override {
    for (std::size_t k = 0; k < f_.cols(); ++k) {
      for (std::size_t i = 0; i < count; ++i) {
        to[k * stride + i] = scale_.of(f_, first + i, k);
      }
    }
  }

 private:
  MatrixView<const double> f_;
  const StandardScale& scale_;
};

// The sample of documents that are used.
struct Sample {
  std::vector<double> inputs;  // documents x discriminants, standardised
  std::vector<double> targets;
  std::vector<double> weights;
};

Sample sample_of(const HeldOut& held, View<const double> targets,
                 const Network& network) {
  const std::vector<std::size_t> rows = regular_sample(held, targets, kMaxDocuments);
  Sample sample;
  for (std::size_t k = 0; k < held.f.cols(); ++k) {
    for (const std::size_t row : rows) {
      sample.inputs.push_back(network.scale.of(held.f, row, k));
    }
  }
  for (const std::size_t row : rows) {
    sample.targets.push_back(targets[row] / network.size);
    sample.weights.push_back(held.weight(row));
  }
  return sample;
}

}  // namespace

void Network::values(MatrixView<const double> f, std::size_t begin, std::size_t end,
                     double* out) const {
  const network::SingleLayer layer{hidden.data(), output.data(), f.cols(), units()};
  network::find_outputs(layer, StandardRows(f, scale), begin, end, out);
  for (std::size_t i = 0; i < end - begin; ++i) {
    out[i] *= size;
  }
}

Network fit_network(const HeldOut& held, View<const double> targets, double decay,
                    const std::vector<double>& start, Host& host) {
  Network network;
  network.scale = standard_scale(held);
  double largest = 0.0;
  for (const double target : targets) {
    largest = std::max(largest, std::abs(target));
  }
  network.size = largest > 0.0 ? largest : 1.0;
  const Sample sample = sample_of(held, targets, network);
  network::SingleLayerOptions options;
  options.loss = network::RowLoss::kSquared;
  // The objective, divided by the number of copies of weight 1.
  options.decay = decay / held.unit;
  options.steps = {kEnough, kMaxSteps};
  const network::MatrixRows inputs(
      {sample.inputs.data(), sample.targets.size(), held.f.cols()});
  const network::SingleLayerFit fit = network::fit_single_layer(
      {inputs, sample.targets, sample.weights}, options, start, host);
  const std::size_t units = network::single_layer(fit.weights, held.f.cols()).units;
  const auto hidden = static_cast<std::ptrdiff_t>((held.f.cols() + 1) * units);
  network.hidden.assign(fit.weights.begin(), fit.weights.begin() + hidden);
  network.output.assign(fit.weights.begin() + hidden, fit.weights.end());
  network.converged = fit.end.converged;
  return network;
}

}  // namespace rankmix::calibrate

#include "core/calibrate/kinds.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/calibrate/naive.h"
#include "core/calibrate/sigmoid.h"
#include "core/calibrate/soft_ndcg.h"

namespace rankmix::calibrate {
namespace {

Numbers number(const char* name, double value) { return {name, {value}, 0}; }

void find_linear(const std::vector<double>& beta, MatrixView<const double> f,
                 std::size_t begin, std::size_t end, double* out) {
  std::fill(out, out + (end - begin), 0.0);
  for (std::size_t l = 0; l < f.cols(); ++l) {
    const double* column = f.col(l) + begin;
    for (std::size_t i = 0; i < end - begin; ++i) {
      out[i] += beta[l + 1] * column[i];
    }
  }
  for (std::size_t i = 0; i < end - begin; ++i) {
    out[i] += beta[0];
  }
}

// Looks up the parameters of a calibrator and checks their sizes.
class Reader {
 public:
  Reader(const Parameters& parameters, std::size_t discriminants)
      : parameters_(parameters), discriminants_(discriminants) {}

  const std::vector<double>& numbers(const char* name, std::size_t count) const {
    const std::vector<double>& found = any_numbers(name);
    if (found.size() != count) {
      fail(name);
    }
    return found;
  }
  const std::vector<double>& any_numbers(const char* name) const {
    const Numbers* found = find(name);
    if (found == nullptr) {
      fail(name);
    }
    return found->values;
  }
  // One number for each discriminant, and `more` additional numbers.
  const std::vector<double>& each(const char* name, std::size_t more = 0) const {
    return numbers(name, discriminants_ + more);
  }
  double one(const char* name) const { return numbers(name, 1)[0]; }
  double one_or(const char* name, double otherwise) const {
    return find(name) == nullptr ? otherwise : one(name);
  }

 private:
  const Numbers* find(const char* name) const {
    for (const Numbers& one : parameters_) {
      if (one.name == name) {
        return &one;
      }
    }
    return nullptr;
  }
  [[noreturn]] static void fail(const char* name) {
    throw InvalidArgument(
        std::string("the numbers of a calibrator lack or do not fit: ") + name);
  }

  const Parameters& parameters_;
  std::size_t discriminants_;
};

std::unique_ptr<Calibration> make_network(const Reader& read, std::size_t discriminants) {
  Network network;
  network.scale = {read.each("center"), read.each("factor")};
  network.size = read.one("size");
  network.output = read.any_numbers("output");
  if (network.output.empty()) {
    throw InvalidArgument("a network needs units");
  }
  network.hidden = read.numbers("hidden", (discriminants + 1) * network.units());
  return std::make_unique<NetworkCalibration>(std::move(network));
}

std::unique_ptr<Calibration> make_kernels(const Reader& read, std::size_t discriminants) {
  KernelCalibration::Fit fit;
  fit.mean = read.one("mean");
  fit.scale = read.each("scale");
  fit.coefficients = read.any_numbers("coefficients");
  fit.centers = read.numbers("centers", discriminants * fit.coefficients.size());
  return std::make_unique<KernelCalibration>(std::move(fit));
}

}  // namespace

std::vector<double> scores_of(const Calibration& calibration, MatrixView<const double> f,
                              Host& host) {
  std::vector<double> out(f.rows());
  for_each_block(host, f.rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   calibration.find_scores(f, begin, end, out.data() + begin);
                 });
  return out;
}

std::unique_ptr<Calibration> make_calibration(Kind kind, const Parameters& parameters,
                                              std::size_t discriminants) {
  const Reader read(parameters, discriminants);
  switch (kind) {
    case Kind::kNaive:
      return std::make_unique<NaiveCalibration>(read.one("range"), read.each("gains"));
    case Kind::kSigmoid:
      return std::make_unique<SigmoidCalibration>(
          SigmoidFit{read.one("a"), read.one("b"), 0.0, true}, discriminants);
    case Kind::kLinear:
      return std::make_unique<LinearCalibration>(read.each("beta", 1));
    case Kind::kLogistic:
      return std::make_unique<LogisticCalibration>(
          LogisticFit{read.one("largest"), read.each("beta", 1), true});
    case Kind::kPolynomial:
      return std::make_unique<PolynomialCalibration>(
          read.each("lower"), read.each("upper"),
          static_cast<std::size_t>(read.one("degree")), read.any_numbers("coefficients"));
    case Kind::kNetwork:
      return make_network(read, discriminants);
    case Kind::kGaussianProcess:
      return make_kernels(read, discriminants);
    default:
      return std::make_unique<IsotonicCalibration>(
          Isotonic{read.any_numbers("at"), read.any_numbers("value")}, read.one("range"));
  }
}

void NaiveCalibration::find_scores(MatrixView<const double> f, std::size_t begin,
                                   std::size_t end, double* out) const {
  naive_scores(f, range_, gains_, begin, end, out);
}

Parameters NaiveCalibration::parameters() const { return {number("range", range_)}; }

SigmoidCalibration::SigmoidCalibration(const SigmoidFit& fit, std::size_t discriminants)
    : fit_(fit), gains_(exponential_gains(discriminants)) {}

void SigmoidCalibration::find_scores(MatrixView<const double> f, std::size_t begin,
                                     std::size_t end, double* out) const {
  sigmoid_scores(f, gains_, fit_.a, fit_.b, begin, end, out);
}

Parameters SigmoidCalibration::parameters() const {
  return {number("a", fit_.a), number("b", fit_.b), number("value", fit_.value),
          number("converged", fit_.converged ? 1.0 : 0.0)};
}

void LinearCalibration::find_scores(MatrixView<const double> f, std::size_t begin,
                                    std::size_t end, double* out) const {
  find_linear(beta_, f, begin, end, out);
}

Parameters LinearCalibration::parameters() const { return {{"beta", beta_, 0}}; }

void LogisticCalibration::find_scores(MatrixView<const double> f, std::size_t begin,
                                      std::size_t end, double* out) const {
  find_linear(fit_.beta, f, begin, end, out);
  for (std::size_t i = 0; i < end - begin; ++i) {
    const double e = std::exp(-std::abs(out[i]));
    out[i] = fit_.largest * ((out[i] < 0.0 ? e : 1.0) / (1.0 + e));
  }
}

Parameters LogisticCalibration::parameters() const {
  return {number("largest", fit_.largest),
          {"beta", fit_.beta, 0},
          number("converged", fit_.converged ? 1.0 : 0.0)};
}

PolynomialCalibration::PolynomialCalibration(std::vector<double> lower,
                                             std::vector<double> upper,
                                             std::size_t degree,
                                             std::vector<double> coefficients)
    : lower_(std::move(lower)),
      upper_(std::move(upper)),
      degree_(degree),
      coefficients_(std::move(coefficients)),
      basis_(lower_, upper_, degree_) {}

void PolynomialCalibration::find_scores(MatrixView<const double> f, std::size_t begin,
                                        std::size_t end, double* out) const {
  regression_values(basis_, f, coefficients_, begin, end, out);
}

Parameters PolynomialCalibration::parameters() const {
  return {{"lower", lower_, 0},
          {"upper", upper_, 0},
          number("degree", static_cast<double>(degree_)),
          {"coefficients", coefficients_, 0}};
}

Parameters NetworkCalibration::parameters() const {
  return {{"center", network_.scale.center, 0},
          {"factor", network_.scale.factor, 0},
          number("size", network_.size),
          {"hidden", network_.hidden, network_.scale.center.size() + 1},
          {"output", network_.output, 0},
          number("converged", network_.converged ? 1.0 : 0.0)};
}

KernelCalibration::KernelCalibration(Fit fit)
    : fit_(std::move(fit)),
      basis_({fit_.centers.data(), fit_.coefficients.size(), fit_.scale.size()},
             fit_.scale) {}

void KernelCalibration::find_scores(MatrixView<const double> f, std::size_t begin,
                                    std::size_t end, double* out) const {
  regression_values(basis_, f, fit_.coefficients, begin, end, out);
  for (std::size_t i = 0; i < end - begin; ++i) {
    out[i] += fit_.mean;
  }
}

Parameters KernelCalibration::parameters() const {
  Parameters all = fit_.about;
  all.push_back(number("mean", fit_.mean));
  all.push_back({"centers", fit_.centers, fit_.coefficients.size()});
  all.push_back({"scale", fit_.scale, 0});
  all.push_back({"coefficients", fit_.coefficients, 0});
  return all;
}

std::vector<double> IsotonicCalibration::scores(MatrixView<const double> f, double range,
                                                std::size_t begin, std::size_t end) {
  std::vector<double> scores(end - begin);
  if (f.cols() == 1) {
    std::copy(f.col(0) + begin, f.col(0) + end, scores.begin());
  } else {
    naive_scores(f, range, exponential_gains(f.cols()), begin, end, scores.data());
  }
  return scores;
}

void IsotonicCalibration::find_scores(MatrixView<const double> f, std::size_t begin,
                                      std::size_t end, double* out) const {
  const std::vector<double> own = scores(f, range_, begin, end);
  std::transform(own.begin(), own.end(), out,
                 [&](double score) { return fit_.of(score); });
}

Parameters IsotonicCalibration::parameters() const {
  return {{"at", fit_.at, 0}, {"value", fit_.value, 0}, number("range", range_)};
}

}  // namespace rankmix::calibrate

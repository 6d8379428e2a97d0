#include "core/calibrate/sigmoid.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::calibrate {
namespace {

// log s of u = a (f - b); exact in both tails.
double log_sigmoid_of(double u) {
  return u < 0.0 ? u - std::log1p(std::exp(u)) : -std::log1p(std::exp(-u));
}

// log s(f_l) of one document, and log sum_m s(f_m).
double log_sum(MatrixView<const double> f, std::size_t i, double a, double b,
               std::vector<double>& log_s) {
  double top = -INFINITY;
  for (std::size_t l = 0; l < f.cols(); ++l) {
    log_s[l] = log_sigmoid_of(a * (f(i, l) - b));
    top = std::max(top, log_s[l]);
  }
  double sum = 0.0;
  for (std::size_t l = 0; l < f.cols(); ++l) {
    sum += std::exp(log_s[l] - top);
  }
  return top + std::log(sum);
}

// Adds one document's part of the target.
void add_document(MatrixView<const double> f, std::size_t i, std::size_t grade,
                  double document, double a, double b, std::vector<double>& log_s,
                  SigmoidTarget& sum) {
  const double total = log_sum(f, i, a, b, log_s);
  sum.value -= document * (log_s[grade] - total);
  for (std::size_t l = 0; l < f.cols(); ++l) {
    // d log s(f_l) = (1 - s(f_l)) ((f_l - b) da - a db), weighted by [l = grade] - p_l.
    const double rest = 1.0 - std::exp(log_s[l]);
    const double weight =
        document * ((l == grade ? 1.0 : 0.0) - std::exp(log_s[l] - total));
    sum.da -= weight * rest * (f(i, l) - b);
    sum.db += weight * rest * a;
  }
}

}  // namespace

SigmoidTarget log_sigmoid(MatrixView<const double> f, View<const int> grades,
                          View<const double> weights, double a, double b, Host& host) {
  if (f.rows() != grades.size()) {
    throw InvalidArgument("discriminants and grades differ in the number of rows");
  }
  std::vector<SigmoidTarget> parts(block_count(f.rows()));
  for_each_block(host, f.rows(), RowCost::kHeavy,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   std::vector<double> log_s(f.cols());
                   SigmoidTarget sum;
                   for (std::size_t i = begin; i < end; ++i) {
                     add_document(f, i, static_cast<std::size_t>(grades[i]),
                                  weights.empty() ? 1.0 : weights[i], a, b, log_s, sum);
                   }
                   parts[block] = sum;
                 });
  SigmoidTarget target;
  for (const SigmoidTarget& part : parts) {
    target.value += part.value;
    target.da += part.da;
    target.db += part.db;
  }
  return target;
}

void sigmoid_probabilities(MatrixView<const double> f, double a, double b, Host& host,
                           MatrixView<double> out) {
  for_each_block(host, f.rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   std::vector<double> log_s(f.cols());
                   for (std::size_t i = begin; i < end; ++i) {
                     const double total = log_sum(f, i, a, b, log_s);
                     for (std::size_t l = 0; l < f.cols(); ++l) {
                       out(i, l) = std::exp(log_s[l] - total);
                     }
                   }
                 });
}

}  // namespace rankmix::calibrate

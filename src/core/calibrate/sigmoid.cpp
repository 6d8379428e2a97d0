#include "core/calibrate/sigmoid.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::calibrate {
namespace {

// log s of u = a (f - b); exact in both tails.
double log_sigmoid_of(double u) {
  return u < 0.0 ? u - std::log1p(std::exp(u)) : -std::log1p(std::exp(-u));
}

// Each gives a document's part of the target, and its derivatives by the log p_l.

double log_sigmoid_loss(const DocumentSigmoid& document, std::size_t grade, double,
                        double* slopes) {
  slopes[grade] = -1.0;
  return -document.log_probability(grade);
}

double entropy_weighted_loss(const DocumentSigmoid& document, std::size_t grade,
                             double exponent, double* slopes) {
  double entropy = 0.0;
  for (std::size_t l = 0; l < document.grades(); ++l) {
    entropy -= document.probability(l) * document.log_probability(l);
  }
  const double loss = -document.log_probability(grade);
  const double weight = std::pow(entropy, exponent);
  // d H^C = C H^(C - 1) dH, where dH / d log p_l = - p_l (log p_l + 1).
  const double by_entropy =
      exponent > 0.0 && entropy > 0.0 ? loss * exponent * weight / entropy : 0.0;
  for (std::size_t l = 0; l < document.grades(); ++l) {
    slopes[l] =
        -by_entropy * document.probability(l) * (document.log_probability(l) + 1.0);
  }
  slopes[grade] -= weight;
  return loss * weight;
}

double expected_loss(const DocumentSigmoid& document, std::size_t grade, double,
                     double* slopes) {
  double sum = 0.0;
  for (std::size_t l = 0; l < document.grades(); ++l) {
    const double away = static_cast<double>(l) - static_cast<double>(grade);
    slopes[l] = away * away * document.probability(l);
    sum += slopes[l];
  }
  return sum;
}

double expected_label_loss(const DocumentSigmoid& document, std::size_t grade, double,
                           double* slopes) {
  double label = 0.0;
  for (std::size_t l = 0; l < document.grades(); ++l) {
    label += static_cast<double>(l) * document.probability(l);
  }
  const double away = label - static_cast<double>(grade);
  for (std::size_t l = 0; l < document.grades(); ++l) {
    slopes[l] = 2.0 * away * static_cast<double>(l) * document.probability(l);
  }
  return away * away;
}

using Loss = double (*)(const DocumentSigmoid&, std::size_t, double, double*);

Loss loss_of(SigmoidLoss loss) {
  switch (loss) {
    case SigmoidLoss::kLogSigmoid:
      return log_sigmoid_loss;
    case SigmoidLoss::kEntropyWeighted:
      return entropy_weighted_loss;
    case SigmoidLoss::kExpectedLoss:
      return expected_loss;
    default:
      return expected_label_loss;
  }
}

}  // namespace

SigmoidTarget& SigmoidTarget::operator+=(const SigmoidTarget& other) {
  value += other.value;
  da += other.da;
  db += other.db;
  return *this;
}

void check_judged(MatrixView<const double> f, View<const int> grades,
                  View<const double> weights) {
  if (f.rows() != grades.size() || (!weights.empty() && weights.size() != f.rows())) {
    throw InvalidArgument("discriminants, grades and weights differ in size");
  }
  if (std::any_of(grades.begin(), grades.end(), [&](int grade) {
        return grade < 0 || static_cast<std::size_t>(grade) >= f.cols();
      })) {
    throw InvalidArgument("a grade has no discriminant");
  }
}

DocumentSigmoid::DocumentSigmoid(MatrixView<const double> f, double a, double b)
    : f_(f), a_(a), b_(b), log_s_(f.cols()), log_p_(f.cols()), p_(f.cols()) {}

void DocumentSigmoid::set_row(std::size_t row) {
  row_ = row;
  double top = -INFINITY;
  for (std::size_t l = 0; l < grades(); ++l) {
    log_s_[l] = log_sigmoid_of(a_ * (f_(row, l) - b_));
    top = std::max(top, log_s_[l]);
  }
  double sum = 0.0;
  for (std::size_t l = 0; l < grades(); ++l) {
    p_[l] = std::exp(log_s_[l] - top);
    sum += p_[l];
  }
  const double log_sum = top + std::log(sum);
  for (std::size_t l = 0; l < grades(); ++l) {
    p_[l] /= sum;
    log_p_[l] = log_s_[l] - log_sum;
  }
}

void DocumentSigmoid::add_slopes(const double* slopes, double times,
                                 SigmoidTarget& sum) const {
  double all = 0.0;
  for (std::size_t l = 0; l < grades(); ++l) {
    all += slopes[l];
  }
  for (std::size_t l = 0; l < grades(); ++l) {
    // d log p_l = d log s_l - sum_m p_m d log s_m, and
    // d log s(f_l) = (1 - s(f_l)) ((f_l - b) da - a db).
    const double weight = times * (slopes[l] - p_[l] * all) * -std::expm1(log_s_[l]);
    sum.da += weight * (f_(row_, l) - b_);
    sum.db -= weight * a_;
  }
}

SigmoidTarget sigmoid_target(SigmoidLoss loss, double exponent,
                             MatrixView<const double> f, View<const int> grades,
                             View<const double> weights, double a, double b, Host& host) {
  check_judged(f, grades, weights);
  const Loss loss_at = loss_of(loss);
  std::vector<SigmoidTarget> parts(block_count(f.rows()));
  for_each_block(host, f.rows(), RowCost::kHeavy,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   DocumentSigmoid document(f, a, b);
                   std::vector<double> slopes(f.cols());
                   SigmoidTarget sum;
                   for (std::size_t i = begin; i < end; ++i) {
                     const double weight = weights.empty() ? 1.0 : weights[i];
                     document.set_row(i);
                     std::fill(slopes.begin(), slopes.end(), 0.0);
                     sum.value +=
                         weight * loss_at(document, static_cast<std::size_t>(grades[i]),
                                          exponent, slopes.data());
                     document.add_slopes(slopes.data(), weight, sum);
                   }
                   parts[block] = sum;
                 });
  SigmoidTarget target;
  for (const SigmoidTarget& part : parts) {
    target += part;
  }
  return target;
}

void sigmoid_probabilities(MatrixView<const double> f, double a, double b, Host& host,
                           MatrixView<double> out) {
  for_each_block(host, f.rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   DocumentSigmoid document(f, a, b);
                   for (std::size_t i = begin; i < end; ++i) {
                     document.set_row(i);
                     for (std::size_t l = 0; l < f.cols(); ++l) {
                       out(i, l) = document.probability(l);
                     }
                   }
                 });
}

}  // namespace rankmix::calibrate

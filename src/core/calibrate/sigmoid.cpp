#include "core/calibrate/sigmoid.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/calibrate/sigmoid_wide.h"

namespace rankmix::calibrate {
namespace {

constexpr std::size_t kWide = kSigmoidWide;

// The data and parameters of a sum over documents. `exponent` is C of the
// entropy-weighted loss.
struct Judged {
  MatrixView<const double> f;
  View<const int> grades;
  View<const double> weights;
  double exponent;
  double a;
  double b;
};

// Grades and weights of kWide documents. Positions after the last document have weight 0.
struct WideGrades {
  int grade[kWide];
  double weight[kWide];
};

RANKMIX_INLINE void take_grades(const Judged& judged, std::size_t first,
                                std::size_t count, WideGrades& out) {
  for (std::size_t j = 0; j < kWide; ++j) {
    const std::size_t row = first + std::min(j, count - 1);
    out.grade[j] = judged.grades[row];
    out.weight[j] = j >= count ? 0.0 : judged.weights.empty() ? 1.0 : judged.weights[row];
  }
}

// Each of the following functions computes the losses of kWide documents, and in
// wide.gradients their derivatives by log p_l.

RANKMIX_INLINE void own_losses(const WideSigmoid& wide, const int* grade, double* loss) {
  for (std::size_t j = 0; j < kWide; ++j) {
    loss[j] = -wide.log_p[static_cast<std::size_t>(grade[j]) * kWide + j];
  }
}

RANKMIX_INLINE void log_sigmoid_losses(WideSigmoid& wide, const int* grade,
                                       double* loss) {
  own_losses(wide, grade, loss);
  std::fill(wide.gradients.begin(), wide.gradients.end(), 0.0);
  for (std::size_t j = 0; j < kWide; ++j) {
    wide.gradients[static_cast<std::size_t>(grade[j]) * kWide + j] = -1.0;
  }
}

RANKMIX_INLINE void find_entropies(const WideSigmoid& wide, double* entropy) {
  double sum[kWide] = {};
  for (std::size_t l = 0; l < wide.grades; ++l) {
    double p[kWide];
    double log_p[kWide];
    load(wide.p, l, p);
    load(wide.log_p, l, log_p);
    for (std::size_t j = 0; j < kWide; ++j) {
      sum[j] -= p[j] * log_p[j];
    }
  }
  std::copy(sum, sum + kWide, entropy);
}

RANKMIX_INLINE double power_of(double entropy, double exponent) {
  return exponent == 2.0 ? entropy * entropy : std::pow(entropy, exponent);
}

// d H^C = C H^(C - 1) dH, where dH / d log p_l = - p_l (log p_l + 1).
RANKMIX_INLINE void entropy_weighted_losses(WideSigmoid& wide, const int* grade,
                                            double exponent, double* loss) {
  double entropy[kWide];
  double by_entropy[kWide];
  double power[kWide];
  own_losses(wide, grade, loss);
  find_entropies(wide, entropy);
  for (std::size_t j = 0; j < kWide; ++j) {
    power[j] = power_of(entropy[j], exponent);
    by_entropy[j] = exponent > 0.0 && entropy[j] > 0.0
                        ? loss[j] * exponent * power[j] / entropy[j]
                        : 0.0;
    loss[j] *= power[j];
  }
  for (std::size_t l = 0; l < wide.grades; ++l) {
    double p[kWide];
    double log_p[kWide];
    load(wide.p, l, p);
    load(wide.log_p, l, log_p);
    for (std::size_t j = 0; j < kWide; ++j) {
      p[j] *= -by_entropy[j] * (log_p[j] + 1.0);
    }
    store(p, l, wide.gradients);
  }
  for (std::size_t j = 0; j < kWide; ++j) {
    wide.gradients[static_cast<std::size_t>(grade[j]) * kWide + j] -= power[j];
  }
}

RANKMIX_INLINE void expected_losses(WideSigmoid& wide, const int* grade, double* loss) {
  double grades[kWide];
  double sum[kWide] = {};
  std::copy(grade, grade + kWide, grades);
  for (std::size_t l = 0; l < wide.grades; ++l) {
    double p[kWide];
    load(wide.p, l, p);
    for (std::size_t j = 0; j < kWide; ++j) {
      const double away = static_cast<double>(l) - grades[j];
      p[j] *= away * away;
      sum[j] += p[j];
    }
    store(p, l, wide.gradients);
  }
  std::copy(sum, sum + kWide, loss);
}

RANKMIX_INLINE void expected_label_losses(WideSigmoid& wide, const int* grade,
                                          double* loss) {
  double away[kWide];
  for (std::size_t j = 0; j < kWide; ++j) {
    away[j] = -static_cast<double>(grade[j]);
  }
  for (std::size_t l = 0; l < wide.grades; ++l) {
    double p[kWide];
    load(wide.p, l, p);
    for (std::size_t j = 0; j < kWide; ++j) {
      away[j] += static_cast<double>(l) * p[j];
    }
  }
  for (std::size_t l = 0; l < wide.grades; ++l) {
    double p[kWide];
    load(wide.p, l, p);
    for (std::size_t j = 0; j < kWide; ++j) {
      p[j] *= 2.0 * away[j] * static_cast<double>(l);
    }
    store(p, l, wide.gradients);
  }
  for (std::size_t j = 0; j < kWide; ++j) {
    loss[j] = away[j] * away[j];
  }
}

template <SigmoidLoss kLoss>
RANKMIX_INLINE SigmoidTarget sum_target(const Judged& judged, std::size_t begin,
                                        std::size_t end) {
  constexpr bool logs =
      kLoss == SigmoidLoss::kLogSigmoid || kLoss == SigmoidLoss::kEntropyWeighted;
  WideSigmoid wide(judged.f.cols());
  WideGrades own;
  double value[kWide] = {};
  double da[kWide] = {};
  double db[kWide] = {};
  for (std::size_t first = begin; first < end; first += kWide) {
    const std::size_t count = std::min(kWide, end - first);
    take_documents(judged.f, first, count, wide);
    take_grades(judged, first, count, own);
    find_probabilities<logs>(wide, judged.a, judged.b);
    double loss[kWide];
    switch (kLoss) {
      case SigmoidLoss::kLogSigmoid:
        log_sigmoid_losses(wide, own.grade, loss);
        break;
      case SigmoidLoss::kEntropyWeighted:
        entropy_weighted_losses(wide, own.grade, judged.exponent, loss);
        break;
      case SigmoidLoss::kExpectedLoss:
        expected_losses(wide, own.grade, loss);
        break;
      default:
        expected_label_losses(wide, own.grade, loss);
    }
    for (std::size_t j = 0; j < kWide; ++j) {
      value[j] += own.weight[j] * loss[j];
    }
    add_derivatives(wide, own.weight, judged.a, judged.b, da, db);
  }
  return {sum_of_places(value), sum_of_places(da), sum_of_places(db)};
}

RANKMIX_INLINE SigmoidValues sum_values(const Judged& judged, std::size_t begin,
                                        std::size_t end) {
  WideSigmoid wide(judged.f.cols());
  WideGrades own;
  double sums[kSigmoidLosses][kWide] = {};
  for (std::size_t first = begin; first < end; first += kWide) {
    const std::size_t count = std::min(kWide, end - first);
    take_documents(judged.f, first, count, wide);
    take_grades(judged, first, count, own);
    find_probabilities<true>(wide, judged.a, judged.b);
    double loss[kSigmoidLosses][kWide];
    double entropy[kWide];
    double label[kWide] = {};
    own_losses(wide, own.grade, loss[0]);
    find_entropies(wide, entropy);
    double grades[kWide];
    double expected[kWide] = {};
    std::copy(own.grade, own.grade + kWide, grades);
    for (std::size_t l = 0; l < wide.grades; ++l) {
      double p[kWide];
      load(wide.p, l, p);
      for (std::size_t j = 0; j < kWide; ++j) {
        const double away = static_cast<double>(l) - grades[j];
        expected[j] += away * away * p[j];
        label[j] += static_cast<double>(l) * p[j];
      }
    }
    std::copy(expected, expected + kWide, loss[2]);
    for (std::size_t j = 0; j < kWide; ++j) {
      const double away = label[j] - grades[j];
      loss[1][j] = loss[0][j] * power_of(entropy[j], judged.exponent);
      loss[3][j] = away * away;
    }
    for (std::size_t k = 0; k < kSigmoidLosses; ++k) {
      for (std::size_t j = 0; j < kWide; ++j) {
        sums[k][j] += own.weight[j] * loss[k][j];
      }
    }
  }
  SigmoidValues values;
  for (std::size_t k = 0; k < kSigmoidLosses; ++k) {
    values.value[k] = sum_of_places(sums[k]);
  }
  return values;
}

using SumTarget = SigmoidTarget (*)(const Judged&, std::size_t, std::size_t);

template <SigmoidLoss kLoss>
SigmoidTarget target_plain(const Judged& judged, std::size_t begin, std::size_t end) {
  return sum_target<kLoss>(judged, begin, end);
}
template <SigmoidLoss kLoss>
RANKMIX_AVX2 SigmoidTarget target_avx2(const Judged& judged, std::size_t begin,
                                       std::size_t end) {
  return sum_target<kLoss>(judged, begin, end);
}
template <SigmoidLoss kLoss>
SumTarget target_for_processor() {
  return has_avx2() ? target_avx2<kLoss> : target_plain<kLoss>;
}

SumTarget target_of(SigmoidLoss loss) {
  switch (loss) {
    case SigmoidLoss::kLogSigmoid:
      return target_for_processor<SigmoidLoss::kLogSigmoid>();
    case SigmoidLoss::kEntropyWeighted:
      return target_for_processor<SigmoidLoss::kEntropyWeighted>();
    case SigmoidLoss::kExpectedLoss:
      return target_for_processor<SigmoidLoss::kExpectedLoss>();
    default:
      return target_for_processor<SigmoidLoss::kExpectedLabelLoss>();
  }
}

SigmoidValues values_plain(const Judged& judged, std::size_t begin, std::size_t end) {
  return sum_values(judged, begin, end);
}
RANKMIX_AVX2 SigmoidValues values_avx2(const Judged& judged, std::size_t begin,
                                       std::size_t end) {
  return sum_values(judged, begin, end);
}

RANKMIX_INLINE void find_scores(MatrixView<const double> f, View<const double> gains,
                                double a, double b, std::size_t begin, std::size_t end,
                                double* out) {
  WideSigmoid wide(f.cols());
  for (std::size_t first = begin; first < end; first += kWide) {
    const std::size_t count = std::min(kWide, end - first);
    take_documents(f, first, count, wide);
    find_probabilities<false>(wide, a, b);
    double score[kWide] = {};
    for (std::size_t l = 0; l < wide.grades; ++l) {
      double p[kWide];
      load(wide.p, l, p);
      const double gain = gains[l];
      for (std::size_t j = 0; j < kWide; ++j) {
        score[j] += gain * p[j];
      }
    }
    std::copy(score, score + count, out + (first - begin));
  }
}
void scores_plain(MatrixView<const double> f, View<const double> gains, double a,
                  double b, std::size_t begin, std::size_t end, double* out) {
  find_scores(f, gains, a, b, begin, end, out);
}
RANKMIX_AVX2 void scores_avx2(MatrixView<const double> f, View<const double> gains,
                              double a, double b, std::size_t begin, std::size_t end,
                              double* out) {
  find_scores(f, gains, a, b, begin, end, out);
}

RANKMIX_INLINE SigmoidTarget sum_gradients(MatrixView<const double> f,
                                           View<const double> gains, double a, double b,
                                           std::size_t begin, std::size_t end,
                                           const double* gradients) {
  WideSigmoid wide(f.cols());
  double da[kWide] = {};
  double db[kWide] = {};
  for (std::size_t first = begin; first < end; first += kWide) {
    const std::size_t count = std::min(kWide, end - first);
    take_documents(f, first, count, wide);
    find_probabilities<false>(wide, a, b);
    double times[kWide] = {};
    std::copy(gradients + (first - begin), gradients + (first - begin) + count, times);
    for (std::size_t l = 0; l < wide.grades; ++l) {
      double p[kWide];
      load(wide.p, l, p);
      const double gain = gains[l];
      for (std::size_t j = 0; j < kWide; ++j) {
        p[j] *= gain;
      }
      store(p, l, wide.gradients);
    }
    add_derivatives(wide, times, a, b, da, db);
  }
  return {0.0, sum_of_places(da), sum_of_places(db)};
}
SigmoidTarget gradients_plain(MatrixView<const double> f, View<const double> gains,
                              double a, double b, std::size_t begin, std::size_t end,
                              const double* gradients) {
  return sum_gradients(f, gains, a, b, begin, end, gradients);
}
RANKMIX_AVX2 SigmoidTarget gradients_avx2(MatrixView<const double> f,
                                          View<const double> gains, double a, double b,
                                          std::size_t begin, std::size_t end,
                                          const double* gradients) {
  return sum_gradients(f, gains, a, b, begin, end, gradients);
}

}  // namespace

SigmoidTarget& SigmoidTarget::operator+=(const SigmoidTarget& other) {
  value += other.value;
  da += other.da;
  db += other.db;
  return *this;
}

SigmoidValues& SigmoidValues::operator+=(const SigmoidValues& other) {
  for (std::size_t k = 0; k < kSigmoidLosses; ++k) {
    value[k] += other.value[k];
  }
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

SigmoidTarget sigmoid_target(SigmoidLoss loss, double exponent,
                             MatrixView<const double> f, View<const int> grades,
                             View<const double> weights, double a, double b, Host& host) {
  check_judged(f, grades, weights);
  const SumTarget sum = target_of(loss);
  const Judged judged{f, grades, weights, exponent, a, b};
  return sum_over_blocks<SigmoidTarget>(
      host, f.rows(),
      [&](std::size_t begin, std::size_t end) { return sum(judged, begin, end); });
}

SigmoidValues sigmoid_values(double exponent, MatrixView<const double> f,
                             View<const int> grades, View<const double> weights, double a,
                             double b, Host& host) {
  check_judged(f, grades, weights);
  const auto sum = has_avx2() ? values_avx2 : values_plain;
  const Judged judged{f, grades, weights, exponent, a, b};
  return sum_over_blocks<SigmoidValues>(
      host, f.rows(),
      [&](std::size_t begin, std::size_t end) { return sum(judged, begin, end); });
}

void sigmoid_probabilities(MatrixView<const double> f, double a, double b, Host& host,
                           MatrixView<double> out) {
  for_each_block(host, f.rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   WideSigmoid wide(f.cols());
                   for (std::size_t first = begin; first < end; first += kWide) {
                     const std::size_t count = std::min(kWide, end - first);
                     take_documents(f, first, count, wide);
                     find_probabilities<false>(wide, a, b);
                     for (std::size_t l = 0; l < f.cols(); ++l) {
                       std::copy_n(wide.p.data() + l * kWide, count, out.col(l) + first);
                     }
                   }
                 });
}

void sigmoid_scores(MatrixView<const double> f, View<const double> gains, double a,
                    double b, std::size_t begin, std::size_t end, double* out) {
  (has_avx2() ? scores_avx2 : scores_plain)(f, gains, a, b, begin, end, out);
}

SigmoidTarget sigmoid_gradients(MatrixView<const double> f, View<const double> gains,
                                double a, double b, std::size_t begin, std::size_t end,
                                const double* gradients) {
  return (has_avx2() ? gradients_avx2 : gradients_plain)(f, gains, a, b, begin, end,
                                                         gradients);
}

}  // namespace rankmix::calibrate

#include "core/calibrate/soft_ndcg.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/errors.h"
#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::calibrate {
namespace {

constexpr std::size_t kQueryBlock = 16;
// Documents that are looked at side by side.
constexpr std::size_t kWide = 8;
// exp(-41.5) is below 1e-18.
constexpr double kReach = 41.5;

struct Neighbours {
  double e = 0.0;  // sum of e_ac = exp(-(v_a - v_c)^2 / sigma)
  double z = 0.0;  // sum of e_ac z_c
};

RANKMIX_INLINE double sum_wide(const double* parts) {
  double sum = 0.0;
  for (std::size_t k = 0; k < kWide; ++k) {
    sum += parts[k];
  }
  return sum;
}

// e_k = exp(-(own - v_k)^2 scale)
RANKMIX_INLINE void find_similarities(const double* v, double own, double scale,
                                      double* e) {
  for (std::size_t k = 0; k < kWide; ++k) {
    const double d = own - v[k];
    e[k] = -(d * d) * scale;
  }
  exp_in_place<kWide>(e);
}

RANKMIX_INLINE Neighbours add_neighbours(const double* v, const double* z, double own,
                                         double scale, std::size_t begin,
                                         std::size_t end) {
  double e_sum[kWide] = {};
  double z_sum[kWide] = {};
  for (std::size_t c = begin; c < end; c += kWide) {
    double e[kWide];
    find_similarities(v + c, own, scale, e);
    for (std::size_t k = 0; k < kWide; ++k) {
      e_sum[k] += e[k];
      z_sum[k] += e[k] * z[c + k];
    }
  }
  return {sum_wide(e_sum), sum_wide(z_sum)};
}

// sum_a d_pa e_pa (u_p z_a - u_p A_p + z_p u_a - u_a A_a), d_pa = v_p - v_a.
RANKMIX_INLINE double add_slopes(const double* v, const double* z, const double* u,
                                 const double* b, std::size_t p, double scale,
                                 std::size_t begin, std::size_t end) {
  double sum[kWide] = {};
  const double own = v[p];
  const double z_p = z[p];
  const double u_p = u[p];
  const double b_p = b[p];
  for (std::size_t a = begin; a < end; a += kWide) {
    double e[kWide];
    find_similarities(v + a, own, scale, e);
    for (std::size_t k = 0; k < kWide; ++k) {
      const double d = own - v[a + k];
      sum[k] += d * e[k] * ((u_p * z[a + k] + z_p * u[a + k]) - (b_p + b[a + k]));
    }
  }
  return sum_wide(sum);
}

Neighbours neighbours_plain(const double* v, const double* z, double own, double scale,
                            std::size_t begin, std::size_t end) {
  return add_neighbours(v, z, own, scale, begin, end);
}
RANKMIX_AVX2 Neighbours neighbours_avx2(const double* v, const double* z, double own,
                                        double scale, std::size_t begin,
                                        std::size_t end) {
  return add_neighbours(v, z, own, scale, begin, end);
}
double slopes_plain(const double* v, const double* z, const double* u, const double* b,
                    std::size_t p, double scale, std::size_t begin, std::size_t end) {
  return add_slopes(v, z, u, b, p, scale, begin, end);
}
RANKMIX_AVX2 double slopes_avx2(const double* v, const double* z, const double* u,
                                const double* b, std::size_t p, double scale,
                                std::size_t begin, std::size_t end) {
  return add_slopes(v, z, u, b, p, scale, begin, end);
}

}  // namespace

SoftNdcg::SoftNdcg(double sigma) : sigma_(sigma) {
  if (!(sigma > 0.0) || !std::isfinite(sigma)) {
    throw InvalidArgument("sigma must be positive");
  }
}

double SoftNdcg::look_at(const std::vector<double>& scores,
                         const std::vector<double>& gains, std::vector<double>& slopes) {
  const std::size_t n = scores.size();
  const std::size_t padded = (n + kWide - 1) / kWide * kWide;
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) {
    return scores[i] != scores[j] ? scores[i] > scores[j] : i < j;
  });
  const double reach = std::sqrt(kReach * sigma_);
  // Beyond the reach of all, and without gain or discount.
  const double away = scores[order_[n - 1]] - 100.0 * reach;
  v_.assign(padded, away);
  z_.assign(padded, 0.0);
  u_.assign(padded, 0.0);
  b_.assign(padded, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    v_[r] = scores[order_[r]];
    z_[r] = gains[order_[r]];
  }
  const double scale = 1.0 / sigma_;
  const auto neighbours = has_avx2() ? neighbours_avx2 : neighbours_plain;
  const auto slopes_of = has_avx2() ? slopes_avx2 : slopes_plain;
  // Scores fall from first to last: the window of a document moves forward only.
  auto for_windows = [&](const auto& use) {
    std::size_t begin = 0;
    std::size_t end = 0;
    for (std::size_t r = 0; r < n; ++r) {
      while (v_[begin] > v_[r] + reach) {
        ++begin;
      }
      while (end < n && v_[end] >= v_[r] - reach) {
        ++end;
      }
      use(r, begin / kWide * kWide, (end + kWide - 1) / kWide * kWide);
    }
  };
  double sum = 0.0;
  for_windows([&](std::size_t r, std::size_t begin, std::size_t end) {
    const Neighbours all = neighbours(v_.data(), z_.data(), v_[r], scale, begin, end);
    const double discount = 1.0 / std::log2(static_cast<double>(r) + 2.0);
    const double mean = all.z / all.e;
    u_[r] = discount / all.e;
    b_[r] = u_[r] * mean;
    sum += discount * mean;
  });
  slopes.resize(n);
  for_windows([&](std::size_t r, std::size_t begin, std::size_t end) {
    slopes[order_[r]] =
        -2.0 * scale *
        slopes_of(v_.data(), z_.data(), u_.data(), b_.data(), r, scale, begin, end);
  });
  return sum;
}

SigmoidTarget soft_ndcg_target(double sigma, MatrixView<const double> f,
                               View<const int> grades, View<const double> weights,
                               const data::Queries& queries, View<const double> ideal,
                               double a, double b, Host& host) {
  check_judged(f, grades, weights);
  if (queries.order.size() != grades.size() || ideal.size() != queries.count()) {
    throw InvalidArgument("discriminants, grades and queries differ in size");
  }
  const std::size_t classes = f.cols();
  std::vector<double> gain(classes);
  for (std::size_t l = 0; l < classes; ++l) {
    gain[l] = std::ldexp(1.0, static_cast<int>(l)) - 1.0;
  }
  const std::size_t blocks = (queries.count() + kQueryBlock - 1) / kQueryBlock;
  std::vector<SigmoidTarget> parts(blocks);
  host.parallel_for(blocks, [&](std::size_t block) {
    DocumentSigmoid document(f, a, b);
    SoftNdcg soft(sigma);
    std::vector<double> scores;
    std::vector<double> gains;
    std::vector<double> slopes;
    std::vector<double> by_log_p(classes);
    SigmoidTarget sum;
    const std::size_t end = std::min(queries.count(), (block + 1) * kQueryBlock);
    for (std::size_t q = block * kQueryBlock; q < end; ++q) {
      const View<const int> rows = queries.rows_of(q);
      if (!(ideal[q] > 0.0)) {
        continue;
      }
      scores.assign(rows.size(), 0.0);
      gains.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = static_cast<std::size_t>(rows[i]);
        document.look_at(row);
        for (std::size_t l = 0; l < classes; ++l) {
          scores[i] += gain[l] * document.probability(l);
        }
        gains[i] = gain[static_cast<std::size_t>(grades[row])];
      }
      const double first_weight =
          weights.empty() ? 1.0 : weights[static_cast<std::size_t>(rows[0])];
      const double times = -first_weight / ideal[q];
      sum.value += times * soft.look_at(scores, gains, slopes);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        document.look_at(static_cast<std::size_t>(rows[i]));
        for (std::size_t l = 0; l < classes; ++l) {
          by_log_p[l] = slopes[i] * gain[l] * document.probability(l);
        }
        document.add_slopes(by_log_p.data(), times, sum);
      }
    }
    parts[block] = sum;
  });
  SigmoidTarget target;
  for (const SigmoidTarget& part : parts) {
    target += part;
  }
  return target;
}

}  // namespace rankmix::calibrate

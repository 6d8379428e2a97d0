#include "core/objective/soft_dcg.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/errors.h"
#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::objective {
namespace {

// Documents side by side.
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

SoftDcg::SoftDcg(double sigma, std::size_t k, TiedRanks tied)
    : sigma_(sigma), k_(k), tied_(tied) {
  if (!(sigma > 0.0) || !std::isfinite(sigma)) {
    throw InvalidArgument("sigma must be positive");
  }
}

// Of the sorted documents v_.
void SoftDcg::find_discounts(std::size_t n) {
  for (std::size_t r = known_.size(); r < n; ++r) {
    known_.push_back(r < k_ ? 1.0 / std::log2(static_cast<double>(r) + 2.0) : 0.0);
  }
  c_.assign(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(n));
  for (std::size_t r = 0; tied_ == TiedRanks::kShared && r < n;) {
    const std::size_t begin = r;
    double sum = 0.0;
    for (; r < n && v_[r] == v_[begin]; ++r) {
      sum += c_[r];
    }
    if (r - begin > 1) {
      std::fill(c_.begin() + static_cast<std::ptrdiff_t>(begin),
                c_.begin() + static_cast<std::ptrdiff_t>(r),
                sum / static_cast<double>(r - begin));
    }
  }
}

double SoftDcg::evaluate(View<const double> scores, View<const double> gains,
                         View<double> slopes) {
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
  find_discounts(n);
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
    if (c_[r] == 0.0) {
      return;
    }
    const Neighbours all = neighbours(v_.data(), z_.data(), v_[r], scale, begin, end);
    const double mean = all.z / all.e;
    u_[r] = c_[r] / all.e;
    b_[r] = u_[r] * mean;
    sum += c_[r] * mean;
  });
  if (slopes.empty()) {
    return sum;
  }
  for_windows([&](std::size_t r, std::size_t begin, std::size_t end) {
    slopes[order_[r]] =
        -2.0 * scale *
        slopes_of(v_.data(), z_.data(), u_.data(), b_.data(), r, scale, begin, end);
  });
  return sum;
}

}  // namespace rankmix::objective

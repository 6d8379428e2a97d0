#include "core/network/activation.h"

#include <cmath>

#include "core/base/exp.h"
#include "core/base/simd.h"
#include "core/network/lanes.h"

namespace rankmix::network {
namespace {

constexpr int kWide = static_cast<int>(kLanes);

struct Relu {
  RANKMIX_INLINE void operator()(const float* z, float* y, float* derivative) const {
    Lanes x;
    load(z, x);
    const Lanes none = {};
    const Lanes one = none + 1.0f;
    store(x > none ? x : none, y);
    store(x > none ? one : none, derivative);
  }
};

// e = exp(-times |z|), which cannot overflow. Callers write results to separate arrays
// first, because `y` may be the same array as `z`.
RANKMIX_INLINE void falling(const float* z, double times, double* e) {
  for (int k = 0; k < kWide; ++k) {
    e[k] = -times * std::abs(static_cast<double>(z[k]));
  }
  exp_in_place<kWide>(e);
}

RANKMIX_INLINE void write(const double* from, float* to) {
  for (int k = 0; k < kWide; ++k) {
    to[k] = static_cast<float>(from[k]);
  }
}

struct Tanh {
  RANKMIX_INLINE void operator()(const float* z, float* y, float* derivative) const {
    double e[kWide];
    falling(z, 2.0, e);
    double out[kWide];
    double steep[kWide];
    for (int k = 0; k < kWide; ++k) {
      const double size = (1.0 - e[k]) / (1.0 + e[k]);
      out[k] = z[k] < 0.0f ? -size : size;
      steep[k] = 1.0 - size * size;
    }
    write(out, y);
    write(steep, derivative);
  }
};

struct Logistic {
  RANKMIX_INLINE void operator()(const float* z, float* y, float* derivative) const {
    double e[kWide];
    falling(z, 1.0, e);
    double out[kWide];
    double steep[kWide];
    for (int k = 0; k < kWide; ++k) {
      const double upper = 1.0 / (1.0 + e[k]);
      const double lower = e[k] * upper;
      out[k] = z[k] < 0.0f ? lower : upper;
      steep[k] = lower * upper;
    }
    write(out, y);
    write(steep, derivative);
  }
};

template <class Function>
RANKMIX_INLINE void activate_tiles(const Function& function, const float* z,
                                   std::size_t count, float* y, float* derivative) {
  float unasked[kLanes];
  for (std::size_t i = 0; i < count; i += kLanes) {
    function(z + i, y + i, derivative == nullptr ? unasked : derivative + i);
  }
}

RANKMIX_INLINE void activate_any(Activation activation, const float* z, std::size_t count,
                                 float* y, float* derivative) {
  switch (activation) {
    case Activation::kRelu:
      return activate_tiles(Relu(), z, count, y, derivative);
    case Activation::kTanh:
      return activate_tiles(Tanh(), z, count, y, derivative);
    case Activation::kLogistic:
      return activate_tiles(Logistic(), z, count, y, derivative);
  }
}

void activate_plain(Activation activation, const float* z, std::size_t count, float* y,
                    float* derivative) {
  activate_any(activation, z, count, y, derivative);
}
RANKMIX_AVX2 void activate_avx2(Activation activation, const float* z, std::size_t count,
                                float* y, float* derivative) {
  activate_any(activation, z, count, y, derivative);
}

}  // namespace

void activate(Activation activation, const float* z, std::size_t count, float* y,
              float* derivative) {
  (has_avx2() ? activate_avx2 : activate_plain)(activation, z, count, y, derivative);
}

}  // namespace rankmix::network

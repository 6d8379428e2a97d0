// Resampling of paired differences d_1 .. d_n, one a query.
//
// Sign flips: were two rankers alike, each difference could as well have the other sign.
// The p-value is the fraction of sign patterns whose |sum| reaches the observed one: of
// all 2^n where there are few queries, else of random ones, the observed one among them
// (Smucker, Allan & Carterette 2007, doi:10.1145/1321440.1321528; Phipson & Smyth 2010,
// doi:10.2202/1544-6115.1585). Four differences have 16 sums, which are made once: a
// pattern then costs n/4 additions.
//
// Bootstrap: means of n queries drawn with replacement.
//
// Every pattern and draw has an address of its own in the random stream, so that results
// do not depend on threads. Cost: O(n x resamples).
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::compare {

// Above so many differences that are not 0, patterns are drawn.
constexpr std::size_t kMaxExact = 20;

struct SignFlips {
  std::uint64_t patterns = 0;  // how many were looked at, the observed one included
  std::uint64_t extreme = 0;   // those whose |sum| is not below the observed one
  bool exact = false;

  double p_value() const {
    return static_cast<double>(extreme) / static_cast<double>(patterns);
  }
};

SignFlips sign_flips(View<const double> differences, std::size_t resamples,
                     std::uint64_t seed, Host& host);

// One mean a resample: sum w d / sum w over the drawn queries. `weights` is empty where
// all count the same; a resample of weight 0 alone has the mean 0.
std::vector<double> bootstrap_means(View<const double> differences,
                                    View<const double> weights, std::size_t resamples,
                                    std::uint64_t seed, Host& host);

}  // namespace rankmix::compare

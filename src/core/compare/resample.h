// Resampling of paired differences d_1 .. d_n, one for each query.
//
// Sign flips: under the null hypothesis that two rankers are equally good, each
// difference is as likely as its negative. The p-value is the fraction of sign patterns
// whose |sum| is at least the observed |sum|. With few queries all 2^n patterns are
// counted. Otherwise patterns are random, and the observed pattern counts as one of them
// (Smucker, Allan & Carterette 2007, doi:10.1145/1321440.1321528; Phipson & Smyth 2010,
// doi:10.2202/1544-6115.1585). The 16 signed sums of each group of four differences are
// computed once, so a pattern costs n/4 additions.
//
// Bootstrap: means of n queries drawn with replacement.
//
// Each random number has a fixed address in the random stream, so results do not depend
// on the number of threads. Cost: O(n x resamples).
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::compare {

// With more differences that are not 0, patterns are random instead of complete.
constexpr std::size_t kMaxExact = 20;

struct SignFlips {
  std::uint64_t patterns = 0;  // all patterns, the observed one included
  std::uint64_t extreme = 0;   // patterns whose |sum| reaches the observed one
  bool exact = false;

  double p_value() const {
    return static_cast<double>(extreme) / static_cast<double>(patterns);
  }
};

SignFlips sign_flips(View<const double> differences, std::size_t resamples,
                     std::uint64_t seed, Host& host);

// One mean for each resample: sum w d / sum w over the drawn queries. If `weights` is
// empty, all weights are 1. The mean is 0 if all drawn weights are 0.
std::vector<double> bootstrap_means(View<const double> differences,
                                    View<const double> weights, std::size_t resamples,
                                    std::uint64_t seed, Host& host);

}  // namespace rankmix::compare

// Click models with two factors: the position-based model and the user browsing model.
//
// Problem: P(click) = a g, with the attraction a of the pair and the examination g of the
// context (pair_counts.h). Maximise the penalised log-likelihood
//
//   sum over entries [c log(a g) + (n - c) log(1 - a g)]
//     + sum over pairs and free contexts [yes log x + no log(1 - x)],  x = a or g,
//
// of n showings and c clicks. Only products are identified, so g of context 0 is 1.
//
// Algorithm: expectation-conditional-maximisation (Meng and Rubin 1993). Given no click,
// the pair is attractive with probability a (1 - g) / (1 - a g), and the context examined
// with probability g (1 - a) / (1 - a g). A sweep updates a of each pair, and then sums
// for g with the new a. So the likelihood never falls, but for extrapolations
// (acceleration.h). Cost of a sweep: O(entries).
//
// Observed information: minus the second derivatives of the penalised log-likelihood.
// They are diagonal in a. Schur's complement removes a and leaves a matrix contexts x
// contexts, whose inverse is the covariance of g.
//
// Two contexts are linked if a pair was shown in both. The examination of contexts that
// have no chain of links to context 0 is determined by the prior alone.
//
// Pairs are summed in blocks, so results do not depend on the number of threads.
//
// Richardson, Dominowska and Ragno (2007), doi:10.1145/1242572.1242643. Dupret and
// Piwowarski (2008), doi:10.1145/1390334.1390392.
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/click/pair_counts.h"
#include "core/click/sessions.h"

namespace rankmix::click {

struct FactorFit {
  std::vector<double> attraction;   // of each pair
  std::vector<double> examination;  // of each context; those never shown keep 1/2
  std::vector<double> shown;        // of each context
  std::vector<int> linked;  // whether a chain of pairs links a context to context 0
  std::vector<double> information;  // contexts x contexts; row and column 0 are 0
  double log_likelihood = 0.0;      // without the prior
  std::size_t iterations = 0;
  bool converged = false;
};

// `fixed`: examination of each context if it is known, else empty.
FactorFit fit_factors(const Sessions& log, const Contexts& contexts,
                      View<const double> fixed, const FitOptions& options, Host& host);

}  // namespace rankmix::click

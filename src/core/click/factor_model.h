// Click models with two factors: the position-based model and the user browsing model.
//
// Problem: P(click) = a g, with the attraction a of the pair and the examination g of the
// context (pair_counts.h). Maximise the penalised log-likelihood
//
//   sum over entries [c log(a g) + (n - c) log(1 - a g)]
//     + sum over pairs and free contexts [yes log x + no log(1 - x)],  x = a or g,
//
// of n showings and c clicks. Only the products a g can be estimated, so g of context 0
// is set to 1.
//
// Algorithm: expectation-conditional-maximisation (Meng and Rubin 1993). Given no click,
// the pair is attractive with probability a (1 - g) / (1 - a g), and the context examined
// with probability g (1 - a) / (1 - a g). A sweep first updates a of each pair, and then
// updates g with the new a. So only extrapolations (acceleration.h) can lower the
// likelihood. Cost of a sweep: O(entries).
//
// Observed information: minus the second derivatives of the penalised log-likelihood.
// The part for a is a diagonal matrix. Schur's complement eliminates a. The rest is a
// matrix contexts x contexts, whose inverse is the covariance of g.
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

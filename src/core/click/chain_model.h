// Click models of a user who goes from the top down and stops at some point.
//
// Problem: position 1 is examined. An examined document is clicked with the attraction a
// of its pair. The models differ in what happens next:
//
//   cascade:                after a click the user stops, else continues;
//   dependent click model:  after a click at position k the user continues with
//                           probability lambda_k, else always;
//   dynamic Bayesian model: after a click the user is satisfied with the probability s of
//                           the pair and stops; else continues with probability gamma.
//
// Result: maximum of the likelihood with a prior (sessions.h) on each probability.
//
// Algorithm: the cascade model has a closed form, from the rows up to the first click.
// The other models use expectation-maximisation on the tails of sessions (tails.h). Let
// B_j be the probability of no click from row j on, given that row j is examined:
// B_K = 1 - a_K and B_j = (1 - a_j) (1 - gamma + gamma B_{j+1}). With the probability c
// that the user continues after the last click, no further click has the probability
// T = 1 - c + c B. The next row was examined with probability c B / T, and each further
// row with gamma B_{j+1} / (1 - gamma + gamma B_{j+1}) times the row before. The
// dependent click model has gamma = 1 and c = lambda. Sessions whose last click is at the
// end of the list give no information about c.
//
// Tails are processed in blocks, and the rows of each pair are summed in their order. So
// results do not depend on the number of threads. Cost of an iteration: O(rows of
// distinct tails).
//
// Craswell et al. (2008), doi:10.1145/1341531.1341545. Guo, Liu and Wang (2009),
// doi:10.1145/1498759.1498818. Chapelle and Zhang (2009), doi:10.1145/1526709.1526711.
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/click/sessions.h"

namespace rankmix::click {

struct ChainFit {
  std::vector<double> attraction;    // of each pair
  std::vector<double> satisfaction;  // of each pair; dynamic Bayesian model only
  std::vector<double> continuation;  // lambda of each position, or gamma
  std::vector<double> trials;        // of each continuation probability, expected
  double log_likelihood = 0.0;       // without the prior
  std::size_t iterations = 0;
  bool converged = false;
};

// `log_likelihood` uses the clicks up to the first click of each session.
ChainFit fit_cascade(const Sessions& log, const FitOptions& options);
ChainFit fit_dependent_clicks(const Sessions& log, const FitOptions& options, Host& host);
ChainFit fit_dynamic_bayes(const Sessions& log, const FitOptions& options, Host& host);

}  // namespace rankmix::click

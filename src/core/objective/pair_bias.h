// Position bias of clicks (unbiased LambdaMART): factors of the pairs of lambda.h,
// learned from round to round.
//
// The lambda of a pair is divided by p_a m_b. a is the position of the clicked document,
// b the position of the document that was not clicked. With the losses L = |c| log(1 +
// exp(-sigma d)) of the pairs at the current scores,
//
//   p_a = (sum of L / m_b over pairs clicked at a / this sum at position 1)^power,
//   m_b = (sum of L / p_a over pairs not clicked at b / this sum at position 1)^power,
//
// where the right sides use p and m of the previous round. Both are 1 at position 1 and
// in the first round. Positions without losses keep their factors. The power is 1 / (1 +
// l2).
//
// Source: Hu, Wang, Peng & Li 2019, doi:10.1145/3308558.3313447.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::objective {

struct PairFactors {
  std::vector<double> clicked;  // p; index: position - 1
  std::vector<double> other;    // m; index: position - 1
};

// The largest position that documents may have, as in R (data-ranking.R). Tables of
// factors have a number for each position.
constexpr double kMaxPosition = 1e5;

// The last position of the documents of all ranks. Throws InvalidArgument on all ranks if
// a position is not a whole number from 1 to kMaxPosition.
std::size_t last_position(View<const double> positions, Host& host);

// Factors of 1 for all positions.
PairFactors first_factors(View<const double> positions, Host& host);

// Updates the factors by the documents of all ranks. For each document, `clicked` is the
// loss of the pairs in which it is the clicked document, and `other` the loss of the pairs
// in which it is the other document.
void learn_factors(View<const double> positions, View<const double> clicked,
                   View<const double> other, double power, Host& host,
                   PairFactors& factors);

}  // namespace rankmix::objective

// How likely documents at a position are clicked, and not clicked, apart from their
// relevance (unbiased LambdaMART): factors of the pairs of lambda.h, learned from round
// to round.
//
// A pair of a clicked document at position a and one that was not at position b has 1 /
// (p_a m_b) times the lambda. With the losses L of the pairs, |c| log(1 + exp(-sigma d)),
// at the scores as they are,
//
//   p_a = (sum of L / m_b over pairs clicked at a / that at position 1)^power,
//   m_b = (sum of L / p_a over pairs not clicked at b / that at position 1)^power,
//
// with p and m of the round before on the right; both are 1 at position 1 and in the
// first round. A position without losses keeps what it has. The power is 1 / (1 + l2).
//
// Source: Hu, Wang, Peng & Li 2019, doi:10.1145/3308558.3313447.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::objective {

struct PairFactors {
  std::vector<double> clicked;  // p, by position less 1
  std::vector<double> other;    // m
};

// Factors of 1 for all positions.
PairFactors first_factors(View<const double> positions);

// The same from the losses of the documents, those of their pairs where they are the
// clicked one, and where they are the other.
void learn_factors(View<const double> positions, View<const double> clicked,
                   View<const double> other, double power, Host& host,
                   PairFactors& factors);

}  // namespace rankmix::objective

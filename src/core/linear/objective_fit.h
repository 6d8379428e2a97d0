// A linear model that makes an objective of its scores small.
//
// Problem:   min over v of F(v) = 1/2 |v|^2 + cost * L(Z v), for the features Z and an
//            objective L that is convex and has two derivatives, but for corners of the
//            first one.
// Result:    v, and how far from the minimum it is: F - 1/2 |v|^2 is convex, so that F(v)
//            is at most |F'(v)|^2 / 2 above the minimum, and v within |F'(v)| of it.
// Algorithm: truncated Newton. Conjugate gradients solve for its steps, preconditioned by
//            the Hessian of a sample of the queries, of which there is one decomposition
//            for all costs; it is made anew where they become slow.
// Cost:      a product with the Hessian is two passes over the features and one over the
//            objective; of looks along a line only the latter.
// Reference: Chapelle & Keerthi 2010, doi:10.1007/s10791-009-9109-9; Nocedal & Wright
//            2006, Numerical Optimization, algorithm 7.1.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/dense.h"
#include "core/base/function_ref.h"
#include "core/base/host.h"
#include "core/linear/features.h"
#include "core/objective/objective.h"
#include "core/optimize/descent.h"
#include "core/optimize/vectors.h"

namespace rankmix::linear {

// Where a fit stands, before each step.
struct FitState {
  const optimize::Descent& descent;
  const optimize::Vector& weights;   // v
  const optimize::Vector& gradient;  // of F
  const optimize::Vector& scores;    // Z v
};

class ObjectiveFit {
 public:
  // Both must outlive it; `documents` as check_documents() has them.
  ObjectiveFit(const Features& features, const objective::Documents& documents);

  // Continues from where the last call ended, first from 0, until `stop` says so.
  optimize::Descent minimise(const objective::Objective& on, double cost,
                             std::size_t max_steps, Host& host,
                             const FunctionRef<bool(const FitState&)>& stop);
  const optimize::Vector& weights() const { return weights_; }
  const objective::Documents& documents() const { return documents_; }

 private:
  void choose_sample();
  // Of L, at these scores, by the sample: its eigenvalues and eigenvectors.
  void decompose(const objective::Objective& on, const optimize::Vector& scores,
                 Host& host);
  optimize::Vector precondition(double cost, const optimize::Vector& v) const;

  const Features& features_;
  const objective::Documents& documents_;
  optimize::Vector weights_;
  std::vector<int> sample_;                 // queries
  std::vector<std::uint32_t> sample_rows_;  // their documents, query after query
  double times_ = 1.0;            // as many documents there are for each of the sample
  std::size_t max_products_ = 0;  // products that take about as long as a decomposition
  dense::Spectrum spectrum_;
};

}  // namespace rankmix::linear

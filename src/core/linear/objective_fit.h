// Fits a linear model to an objective of its scores.
//
// Problem:   min over v of F(v) = 1/2 |v|^2 + cost * L(Z v), for the features Z and a
//            convex objective L. L has two derivatives, except at corners of the first
//            derivative.
// Result:    v. F - 1/2 |v|^2 is convex, so F(v) is at most |F'(v)|^2 / 2 above the
//            minimum, and v is within |F'(v)| of the minimiser.
// Algorithm: truncated Newton: conjugate gradients solve for each step. The
//            preconditioner is the eigendecomposition of the Hessian on a sample of
//            queries. One decomposition serves all costs; it is recomputed when steps
//            become slow.
// Cost:      a product with the Hessian is two passes over the features and one over the
//            objective. An evaluation along a line needs only the pass over the
//            objective.
// Reference: Chapelle & Keerthi 2010, doi:10.1007/s10791-009-9109-9; Nocedal & Wright
//            2006, Numerical Optimization, algorithm 7.1.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/dense.h"
#include "core/base/function_ref.h"
#include "core/base/host.h"
#include "core/linear/features.h"
#include "core/objective/objective.h"
#include "core/optimize/descent.h"
#include "core/optimize/vectors.h"

namespace rankmix::linear {

// The state of a fit before each step.
struct FitState {
  const optimize::Descent& descent;
  const optimize::Vector& weights;   // v
  const optimize::Vector& gradient;  // of F
  const optimize::Vector& scores;    // Z v
};

struct FitOptions {
  double cost;
  std::size_t max_steps;
  double rounding = 0.0;  // extra rounding error of values of F
  // The gradient norm that `stop` accepts at a value of F. May be empty. With many
  // features there is no preconditioner, and precise directions would take most of the
  // time.
  std::function<double(double value)> enough;
};

class ObjectiveFit {
 public:
  // `features` and `documents` must outlive the object. check_documents() must accept
  // `documents`.
  ObjectiveFit(const Features& features, const objective::Documents& documents);

  // Minimises F until `stop` returns true. Starts at the result of the previous call, or
  // at 0.
  optimize::Descent minimise(const objective::Objective& on, const FitOptions& options,
                             Host& host, const FunctionRef<bool(const FitState&)>& stop);
  const optimize::Vector& weights() const { return weights_; }
  const objective::Documents& documents() const { return documents_; }

 private:
  void choose_sample();
  // Decomposes the Hessian of L at these scores, estimated from the sample.
  void decompose(const objective::Objective& on, const optimize::Vector& scores,
                 Host& host);
  optimize::Vector precondition(double cost, const optimize::Vector& v) const;

  const Features& features_;
  const objective::Documents& documents_;
  optimize::Vector weights_;
  std::vector<int> sample_;                 // query indices
  std::vector<std::uint32_t> sample_rows_;  // documents of `sample_`, query by query
  double times_ = 1.0;            // number of documents / number of sampled documents
  std::size_t max_products_ = 0;  // products that cost as much as a decomposition
  dense::Spectrum spectrum_;
};

}  // namespace rankmix::linear

// Evaluates an objective for the queries of a data set: value, gradients, hessians.
//
// Queries are evaluated in parallel, each by one thread. The value is an exact sum. So
// results do not depend on the number of threads, the order of queries or the order of
// rows. The exception is an objective for which the order of rows with equal scores
// matters.
//
// Weights of documents within a query count copies. For objectives in which each document
// has its own rank (Traits::scales_by_weights), weights multiply the gradient and hessian
// instead, as in LightGBM. Weights then do not affect the value.
//
// Sums are not divided by a total weight. So values and gradients of mini-batches add up
// to the values and gradients of the whole data. For means, divide by total_weight() of
// the whole data.
// With several ranks, values and total weights cover only the rank's own queries.
#pragma once
#include "core/base/function_ref.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

// Throws InvalidArgument if sizes differ, weights are negative or not finite, or the
// objective cannot use the documents. Must be called once for each data set, before all
// other functions.
void check_documents(const Objective& objective, const Documents& documents);

// The value, or NaN if the objective has none. `scores` and `out` have one number for
// each row; `out.hessian` may be empty. Throws if a score is not finite.
double evaluate(const Objective& objective, const Documents& documents,
                View<const double> scores, Host& host, const Derivatives& out);

// Like evaluate(), for the queries in `list`, which must not contain a query twice. Only
// the rows of these queries are read and written.
double evaluate_queries(const Objective& objective, const Documents& documents,
                        View<const double> scores, View<const int> list, Host& host,
                        const Derivatives& out);

// The sum over queries of QueryWorker::weight() times the weight of the query.
double total_weight(const Objective& objective, const Documents& documents, Host& host);

// The Hessian matrix at these scores times `direction`; both vectors have one number for
// each row.
void multiply_hessian(const Objective& objective, const Documents& documents,
                      View<const double> scores, View<const double> direction, Host& host,
                      View<double> product);

// The Hessian of one query times several directions, one for each column. Row k of the
// matrices belongs to the k-th document of the query. Runs on the calling thread, so that
// callers can process queries in parallel.
void multiply_hessian_of_query(const Objective& objective, const Documents& documents,
                               View<const double> scores, std::size_t query,
                               MatrixView<const double> directions,
                               MatrixView<double> products);

// Calls visit(pair) for the pairs of a query. `upper` and `lower` are rows of the data.
// The weight of a pair includes the weight of the query.
void visit_pairs(const Objective& objective, const Documents& documents,
                 View<const double> scores, std::size_t query, Host& host,
                 const FunctionRef<void(const Pair&)>& visit);

}  // namespace rankmix::objective

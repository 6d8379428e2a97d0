// Goes over the queries of a data set with an objective: value, gradients, hessian.
//
// Queries are worked on side by side, each by one thread. The value is summed exactly:
// nothing depends on the number of threads, on the order of the queries, or on that of
// the rows, but where an objective says that rows of equal scores come in it.
//
// Nothing is divided by a total weight, so that what a list of queries gives is its part
// of the whole: values and gradients of mini-batches add up. To make means of them,
// divide by total_weight() of the whole data.
#pragma once
#include "core/base/function_ref.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

// Throws InvalidArgument where documents are of different sizes, weights are impossible,
// or the objective cannot use them. Once a data set, before anything else.
void check_documents(const Objective& objective, const Documents& documents);

// The value, NaN where the objective has none. `scores` and `out` have one number a row
// of the data; `out.hessian` may be empty. Throws where a score is not finite.
double evaluate(const Objective& objective, const Documents& documents,
                View<const double> scores, Host& host, const Derivatives& out);

// The same of the queries in `list`, each at most once: only their rows are read and
// written.
double evaluate_queries(const Objective& objective, const Documents& documents,
                        View<const double> scores, View<const int> list, Host& host,
                        const Derivatives& out);

// The sum of QueryWorker::weight() times the weights of the queries.
double total_weight(const Objective& objective, const Documents& documents, Host& host);

// The matrix of second derivatives at these scores times `direction`, row by row.
void multiply_hessian(const Objective& objective, const Documents& documents,
                      View<const double> scores, View<const double> direction, Host& host,
                      View<double> product);
void multiply_hessian_of_queries(const Objective& objective, const Documents& documents,
                                 View<const double> scores, View<const double> direction,
                                 View<const int> list, Host& host, View<double> product);

// The same of one query times several directions, one a column; row k is that of the k-th
// document of the query. By the calling thread, so that queries may go side by side.
void multiply_hessian_of_query(const Objective& objective, const Documents& documents,
                               View<const double> scores, std::size_t query,
                               MatrixView<const double> directions,
                               MatrixView<double> products);

// Calls visit(pair) for the pairs of a query; `upper` and `lower` are rows of the data,
// and the weight is times that of the query.
void visit_pairs(const Objective& objective, const Documents& documents,
                 View<const double> scores, std::size_t query,
                 const FunctionRef<void(const Pair&)>& visit);

}  // namespace rankmix::objective

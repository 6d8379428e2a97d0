// The function that a ranker minimises: a function of the scores, summed over queries.
//
// Given:   the data of the documents, and a score for each.
// Result:  for each document the gradient (the derivative by its score) and the hessian
//          (about the second one), and the value where there is one. Lambdas have none.
//
// An objective does not depend on trees or weights of features. It is built from its
// options. A QueryWorker evaluates it for one query. evaluate.h loops over the queries of
// a data set, applies weights and adds up; no objective does that itself.
//
// An objective need not override functions that it does not support: every function that
// is not pure has a default that means "none".
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::objective {

// The data of the documents of a data set, row by row; all but `queries` may be empty
// where the objective does not ask for it.
struct Documents {
  data::Queries queries;
  View<const int> grades;            // 0, 1, 2, ...
  View<const double> targets;        // what scores are to predict: grades, gains, others
  View<const double> weights;        // how many times a document stands in its query
  View<const double> query_weights;  // how many times a query is there, one a query
  View<const double> offsets;        // added to the scores

  std::size_t rows() const { return queries.order.size(); }
};

// Throw where the documents have no targets, or none that could be gains.
void check_targets(const Documents& documents);
void check_gains(const Documents& documents);

// The documents of one query with their scores, side by side.
struct Query {
  std::size_t index = 0;       // among the queries of the data
  View<const int> rows;        // of the documents in the data
  View<const double> scores;   // with the offsets
  View<const int> grades;      // empty where the data have none
  View<const double> targets;  // empty where the data have none
  View<const double> weights;  // 1 where the data have none
  std::size_t size() const { return scores.size(); }
};

// One number a document each.
struct Derivatives {
  View<double> gradient;
  View<double> hessian;
};

// A pair of documents of a query whose part in the objective is about
//   1/2 weight (score of `upper` - score of `lower` - difference)^2
// near the scores as they are: the same gradient, and `weight` for its hessian.
struct Pair {
  std::size_t upper;
  std::size_t lower;
  double weight;
  double difference;
};

// What the hessian is.
enum class HessianKind {
  kNewton,  // the second derivative
  kBound,   // a positive number in its place: the second derivative of a part, a bound
  kUnit,    // the weight of the document: steps along the gradients
};

struct Traits {
  HessianKind hessian = HessianKind::kNewton;
  bool has_value = true;
  bool has_product = false;  // the Hessian times a vector
  bool has_pairs = false;    // it is a sum over pairs of documents
  bool shift_invariant =
      false;                   // a number added to all scores of a query changes nothing
  bool takes_weights = true;   // documents of a query may have different weights
  bool in_score_order = true;  // queries come sorted, highest score first
  bool main_thread_only = false;  // calls the user's code, such as a function in R
};

// Works out an objective for query after query, one at a time; keeps its memory.
//
// With `in_score_order` documents of equal scores come lowest grade first, then lowest
// target, then lowest weight: then sums over documents, and results that depend on ranks,
// do not depend on the order of the rows.
class QueryWorker {
 public:
  virtual ~QueryWorker() = default;
  // The value, NaN where the objective has none, and all of `out`.
  virtual double evaluate(const Query& query, const Derivatives& out) = 0;
  // The number of terms of this query's value, or their total weight. Terms are
  // documents, pairs, or the query. Independent of the scores.
  virtual double weight(const Query& query) = 0;
  // The matrix of second derivatives, at the scores of the query, times `direction`.
  virtual void multiply(const Query& query, View<const double> direction,
                        View<double> product);
  virtual void visit_pairs(const Query& query,
                           const FunctionRef<void(const Pair&)>& visit);
};

struct Round {
  std::size_t number = 0;    // from 0
  std::uint64_t stream = 0;  // random numbers of the round, see base/random.h
};

class Objective {
 public:
  virtual ~Objective() = default;
  virtual Traits traits() const = 0;
  virtual std::unique_ptr<QueryWorker> worker() const = 0;
  // Throws where the documents lack something. Sizes and weights were looked at before.
  virtual void check(const Documents&) const {}
  // The score, the same for all documents, with the least value.
  virtual double best_constant(const Documents&, Host&) const { return 0.0; }

  // Called before the gradients of each round are worked out, by the main thread: here an
  // objective draws targets or samples, or learns from `scores` (without the offsets).
  virtual void begin_round(const Round&, const Documents&, View<const double> /*scores*/,
                           Host&) {}
  // What is added to the scores of the documents from now on, learned by begin_round();
  // empty: nothing.
  virtual View<const double> offsets() const { return {}; }
  // What rounds have changed, for models and checkpoints to keep.
  virtual std::vector<double> state() const { return {}; }
  virtual void set_state(View<const double> state);

  // A hard objective is reached through a row of easier ones: each stage begins with the
  // scores that the one before has come to.
  virtual std::size_t stages() const { return 1; }
  virtual void begin_stage(std::size_t stage);
};

}  // namespace rankmix::objective

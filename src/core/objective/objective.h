// The function that a ranker minimises: a function of the scores, summed over queries.
//
// Given:   the data of the documents, and a score for each.
// Result:  for each document the gradient (derivative by its score) and the hessian
//          (second derivative or a substitute), and the value. Lambdas have no value.
//
// An objective is built from its options and does not depend on the model. A QueryWorker
// evaluates it for one query. The functions of evaluate.h loop over queries, apply
// weights and sum; objectives do not do that themselves.
//
// Objectives override only the functions that they support. The defaults of virtual
// functions mean "not supported".
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

// The documents of a data set, row by row. All fields except `queries` may be empty if
// the objective does not need them.
struct Documents {
  data::Queries queries;
  View<const int> grades;            // 0, 1, 2, ...
  View<const double> targets;        // what scores predict: grades, gains, ...
  View<const double> weights;        // number of copies of a document in its query
  View<const double> query_weights;  // number of copies of each query
  View<const double> offsets;        // added to the scores

  std::size_t rows() const { return queries.order.size(); }
};

// The weight of each row times the weight of its query. Empty if there are no weights.
std::vector<double> weights_of_rows(const Documents& documents);

// Throw if the documents have no targets. check_gains() also throws if a target is
// negative.
void check_targets(const Documents& documents);
void check_gains(const Documents& documents);

// The documents of one query with their scores, in consecutive arrays.
struct Query {
  std::size_t index = 0;       // index of the query in the data
  View<const int> rows;        // rows of the documents in the data
  View<const double> scores;   // including the offsets
  View<const int> grades;      // empty if the data have none
  View<const double> targets;  // empty if the data have none
  View<const double> weights;  // 1 if the data have none
  Host* host = nullptr;        // for long queries only
  std::size_t size() const { return scores.size(); }
  // Throws Interrupted if the user asked to stop. Loops over a long query call it.
  void checkpoint() const {
    if (host != nullptr) {
      host->checkpoint();
    }
  }
};

// One number for each document in both arrays.
struct Derivatives {
  View<double> gradient;
  View<double> hessian;
};

// A pair of documents of a query. Near the current scores its contribution to the
// objective is approximately
//   1/2 weight (score of `upper` - score of `lower` - difference)^2,
// which has the same gradient and the hessian `weight`.
struct Pair {
  std::size_t upper;
  std::size_t lower;
  double weight;
  double difference;
};

// The meaning of the hessian.
enum class HessianKind {
  kNewton,  // the second derivative
  kBound,   // a positive substitute, such as a bound
  kUnit,    // the weight of the document, for gradient steps
};

struct Traits {
  HessianKind hessian = HessianKind::kNewton;
  bool has_value = true;
  bool has_product = false;  // the Hessian matrix times a vector
  bool has_pairs = false;    // is a sum over pairs of documents
  bool shift_invariant =
      false;                  // invariant to a constant added to all scores of one query
  bool takes_weights = true;  // documents of a query may have different weights
  bool scales_by_weights =
      false;  // these weights multiply gradients and hessians, see evaluate.h
  bool in_score_order = true;     // queries are sorted, highest score first
  bool main_thread_only = false;  // calls the user's code, such as a function in R
  // The value is a difference of large sums: its rounding errors are as large as for the
  // value at scores of 0.
  bool cancels = false;
};

// Evaluates an objective for one query at a time; keeps its buffers.
//
// With `in_score_order`, documents of equal scores are sorted by increasing grade, then
// target, then weight. So sums over documents and results that depend on ranks do not
// depend on the order of the rows.
class QueryWorker {
 public:
  virtual ~QueryWorker() = default;
  // Returns the value, or NaN if the objective has none, and fills `out`.
  virtual double evaluate(const Query& query, const Derivatives& out) = 0;
  // The number of terms of this query's value, or their total weight. Terms are
  // documents, pairs, or the query. It must not depend on the scores.
  virtual double weight(const Query& query) = 0;
  // The Hessian matrix at the scores of the query times `direction`.
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
  // Throws if the documents lack required data. Sizes and weights are checked elsewhere.
  virtual void check(const Documents&) const {}
  // The constant score with the smallest value.
  virtual double best_constant(const Documents&, Host&) const { return 0.0; }

  // Called on the main thread before the gradients of each round. In this call, an
  // objective draws random targets, or learns from `scores`, which exclude the offsets.
  virtual void begin_round(const Round&, const Documents&, View<const double> /*scores*/,
                           Host&) {}
  // Offsets that begin_round() learned, to be added to the scores of the documents. If
  // empty, there are none.
  virtual View<const double> offsets() const { return {}; }
  // The values that were learned during rounds. Models and checkpoints store these
  // values.
  virtual std::vector<double> state() const { return {}; }
  virtual void set_state(View<const double> state);

  // A hard objective can be approached in stages of increasing difficulty. Each stage
  // starts with the scores of the previous stage.
  virtual std::size_t stages() const { return 1; }
  virtual void begin_stage(std::size_t stage);
};

}  // namespace rankmix::objective

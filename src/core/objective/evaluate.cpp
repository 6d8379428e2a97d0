#include "core/objective/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/errors.h"
#include "core/base/exact_sum.h"
#include "core/base/function_ref.h"
#include "core/objective/gather.h"
#include "core/objective/logistic_sums.h"

namespace rankmix::objective {
namespace {

// Number of queries in a task.
constexpr std::size_t kQueryBlock = 16;

void check_size(std::size_t size, std::size_t rows, bool may_be_empty) {
  if (size != rows && !(may_be_empty && size == 0)) {
    throw InvalidArgument("what is known of the documents differs in size");
  }
}

void check_weights(View<const double> weights) {
  for (double weight : weights) {
    if (!(weight >= 0.0) || !std::isfinite(weight)) {
      throw InvalidArgument("weights must be finite and not negative");
    }
  }
}

double weight_of(const Documents& documents, std::size_t query) {
  return documents.query_weights.empty() ? 1.0 : documents.query_weights[query];
}

// The queries to evaluate: the queries in `list`, or all queries if `list` is null.
struct Asked {
  std::size_t count;
  const int* list;

  std::size_t operator[](std::size_t i) const {
    return list == nullptr ? i : static_cast<std::size_t>(list[i]);
  }
};

Asked all_of(const Documents& documents) { return {documents.queries.count(), nullptr}; }

Asked those_of(View<const int> list, const Documents& documents) {
  for (int query : list) {
    if (query < 0 || static_cast<std::size_t>(query) >= documents.queries.count()) {
      throw InvalidArgument("there is no such query");
    }
  }
  return {list.size(), list.data()};
}

// A long query is a separate task that takes long, so it must be possible to interrupt
// its evaluation. Short queries do not poll, to save time.
Query gather(Gatherer& gatherer, std::size_t query, View<const double> scores,
             Host& host) {
  Query gathered = gatherer.gather(query, scores);
  gathered.host = gathered.size() > kMaxListed ? &host : nullptr;
  return gathered;
}

// Calls body(i, query, gatherer, worker) for the i-th of the queries, on any thread.
template <class Body>
void for_each_query(const Objective& objective, const Documents& documents,
                    const Asked& asked, Host& host, const Body& body) {
  const Traits traits = objective.traits();
  const std::size_t blocks = (asked.count + kQueryBlock - 1) / kQueryBlock;
  auto run = [&](std::size_t block) {
    Gatherer gatherer(documents, traits.in_score_order);
    const std::unique_ptr<QueryWorker> worker = objective.worker();
    const std::size_t end = std::min(asked.count, (block + 1) * kQueryBlock);
    for (std::size_t i = block * kQueryBlock; i < end; ++i) {
      body(i, asked[i], gatherer, *worker);
    }
  };
  if (!traits.main_thread_only) {
    host.parallel_for(blocks, run);
    return;
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    run(block);
  }
}

// Writes times * values[k] to the row of document k.
void scatter(View<const int> rows, const std::vector<double>& values, double times,
             View<double> out) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    out[static_cast<std::size_t>(rows[k])] = times * values[k];
  }
}

void multiply_by(View<const double> weights, std::vector<double>& values) {
  for (std::size_t k = 0; k < weights.size(); ++k) {
    values[k] *= weights[k];
  }
}

void fill_zeros(View<const int> rows, View<double> out) {
  for (int row : rows) {
    out[static_cast<std::size_t>(row)] = 0.0;
  }
}

double evaluate_asked(const Objective& objective, const Documents& documents,
                      View<const double> scores, const Asked& asked, Host& host,
                      const Derivatives& out) {
  check_size(scores.size(), documents.rows(), false);
  check_size(out.gradient.size(), documents.rows(), false);
  check_size(out.hessian.size(), documents.rows(), true);
  const Traits traits = objective.traits();
  std::vector<double> values(asked.count, 0.0);
  for_each_query(
      objective, documents, asked, host,
      [&](std::size_t i, std::size_t q, Gatherer& gatherer, QueryWorker& worker) {
        const View<const int> rows = documents.queries.rows_of(q);
        const double weight = weight_of(documents, q);
        if (rows.empty() || weight == 0.0) {
          fill_zeros(rows, out.gradient);
          fill_zeros(out.hessian.empty() ? View<const int>() : rows, out.hessian);
          return;
        }
        const Query query = gather(gatherer, q, scores, host);
        std::vector<double>& gradient = gatherer.buffer(0);
        std::vector<double>& hessian = gatherer.buffer(1);
        values[i] = weight * worker.evaluate(query, {{gradient.data(), gradient.size()},
                                                     {hessian.data(), gradient.size()}});
        if (traits.scales_by_weights && !documents.weights.empty()) {
          multiply_by(query.weights, gradient);
          multiply_by(query.weights, hessian);
        }
        scatter(query.rows, gradient, weight, out.gradient);
        if (!out.hessian.empty()) {
          scatter(query.rows, hessian, weight, out.hessian);
        }
      });
  return traits.has_value ? sum_exactly(values)
                          : std::numeric_limits<double>::quiet_NaN();
}

void multiply_asked(const Objective& objective, const Documents& documents,
                    View<const double> scores, View<const double> direction,
                    const Asked& asked, Host& host, View<double> product) {
  check_size(scores.size(), documents.rows(), false);
  check_size(direction.size(), documents.rows(), false);
  check_size(product.size(), documents.rows(), false);
  for_each_query(
      objective, documents, asked, host,
      [&](std::size_t, std::size_t q, Gatherer& gatherer, QueryWorker& worker) {
        const View<const int> rows = documents.queries.rows_of(q);
        const double weight = weight_of(documents, q);
        if (rows.empty() || weight == 0.0) {
          fill_zeros(rows, product);
          return;
        }
        const Query query = gather(gatherer, q, scores, host);
        std::vector<double>& along = gatherer.buffer(0);
        std::vector<double>& result = gatherer.buffer(1);
        for (std::size_t k = 0; k < query.size(); ++k) {
          along[k] = direction[static_cast<std::size_t>(query.rows[k])];
        }
        worker.multiply(query, along, {result.data(), result.size()});
        scatter(query.rows, result, weight, product);
      });
}

}  // namespace

void check_documents(const Objective& objective, const Documents& documents) {
  const std::size_t rows = documents.rows();
  check_size(documents.grades.size(), rows, true);
  check_size(documents.targets.size(), rows, true);
  check_size(documents.weights.size(), rows, true);
  check_size(documents.offsets.size(), rows, true);
  check_size(documents.query_weights.size(), documents.queries.count(), true);
  check_weights(documents.weights);
  check_weights(documents.query_weights);
  const Traits traits = objective.traits();
  if (!documents.weights.empty() && !traits.takes_weights && !traits.scales_by_weights) {
    throw InvalidArgument(
        "the objective does not support weights of documents within a query");
  }
  objective.check(documents);
}

double evaluate(const Objective& objective, const Documents& documents,
                View<const double> scores, Host& host, const Derivatives& out) {
  return evaluate_asked(objective, documents, scores, all_of(documents), host, out);
}

double evaluate_queries(const Objective& objective, const Documents& documents,
                        View<const double> scores, View<const int> list, Host& host,
                        const Derivatives& out) {
  return evaluate_asked(objective, documents, scores, those_of(list, documents), host,
                        out);
}

double total_weight(const Objective& objective, const Documents& documents, Host& host) {
  const std::vector<double> scores(documents.rows(), 0.0);
  std::vector<double> weights(documents.queries.count(), 0.0);
  for_each_query(
      objective, documents, all_of(documents), host,
      [&](std::size_t, std::size_t q, Gatherer& gatherer, QueryWorker& worker) {
        if (!documents.queries.rows_of(q).empty()) {
          weights[q] =
              weight_of(documents, q) * worker.weight(gatherer.gather(q, scores));
        }
      });
  return sum_exactly(weights);
}

void multiply_hessian(const Objective& objective, const Documents& documents,
                      View<const double> scores, View<const double> direction, Host& host,
                      View<double> product) {
  multiply_asked(objective, documents, scores, direction, all_of(documents), host,
                 product);
}

void multiply_hessian_of_query(const Objective& objective, const Documents& documents,
                               View<const double> scores, std::size_t query,
                               MatrixView<const double> directions,
                               MatrixView<double> products) {
  const View<const int> rows = documents.queries.rows_of(query);
  if (rows.empty()) {
    return;
  }
  Gatherer gatherer(documents, objective.traits().in_score_order);
  const std::unique_ptr<QueryWorker> worker = objective.worker();
  const Query of = gatherer.gather(query, scores);
  const double weight = weight_of(documents, query);
  std::vector<std::size_t> position(
      of.size());  // position of each document in the increasing `rows`
  for (std::size_t k = 0; k < of.size(); ++k) {
    position[k] = static_cast<std::size_t>(
        std::lower_bound(rows.begin(), rows.end(), of.rows[k]) - rows.begin());
  }
  std::vector<double>& along = gatherer.buffer(0);
  std::vector<double>& result = gatherer.buffer(1);
  for (std::size_t j = 0; j < directions.cols(); ++j) {
    for (std::size_t k = 0; k < of.size(); ++k) {
      along[k] = directions(position[k], j);
    }
    worker->multiply(of, along, {result.data(), result.size()});
    for (std::size_t k = 0; k < of.size(); ++k) {
      products(position[k], j) = weight * result[k];
    }
  }
}

void visit_pairs(const Objective& objective, const Documents& documents,
                 View<const double> scores, std::size_t query, Host& host,
                 const FunctionRef<void(const Pair&)>& visit) {
  if (documents.queries.rows_of(query).empty()) {
    return;
  }
  Gatherer gatherer(documents, objective.traits().in_score_order);
  const Query of = gather(gatherer, query, scores, host);
  const double weight = weight_of(documents, query);
  objective.worker()->visit_pairs(of, [&](const Pair& pair) {
    visit({static_cast<std::size_t>(of.rows[pair.upper]),
           static_cast<std::size_t>(of.rows[pair.lower]), weight * pair.weight,
           pair.difference});
  });
}

}  // namespace rankmix::objective

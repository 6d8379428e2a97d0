// Glue: the objective of yetirank().
#include "bind_yeti.h"

#include <Rcpp.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bind_metric.h"
#include "bind_objective.h"
#include "core/base/random.h"
#include "core/objective/evaluate.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "views_r.h"

namespace objective = rankmix::objective;

namespace {

// A hash of the id of a query (FNV-1a).
std::uint64_t key_of(const char* name) {
  std::uint64_t key = 0xCBF29CE484222325ULL;
  for (; *name != '\0'; ++name) {
    key = (key ^ static_cast<unsigned char>(*name)) * 0x100000001B3ULL;
  }
  return key;
}

std::vector<std::uint64_t> query_keys(const Rcpp::CharacterVector& names) {
  std::vector<std::uint64_t> keys;
  for (R_xlen_t q = 0; q < names.size(); ++q) {
    keys.push_back(key_of(CHAR(STRING_ELT(names, q))));
  }
  return keys;
}

double number(const Rcpp::List& value, const char* name) {
  return Rcpp::as<double>(value[name]);
}

}  // namespace

namespace rankmix {

std::vector<std::uint64_t> row_keys(const Rcpp::List& spec) {
  const Rcpp::IntegerVector order(Rcpp::as<Rcpp::IntegerVector>(spec["order"]));
  const Rcpp::IntegerVector offsets(Rcpp::as<Rcpp::IntegerVector>(spec["offsets"]));
  const data::Queries queries{int_view(order), int_view(offsets)};
  const std::vector<std::uint64_t> of_queries = query_keys(spec["queries"]);
  std::vector<std::uint64_t> keys(queries.order.size());
  for (std::size_t q = 0; q < queries.count(); ++q) {
    std::uint64_t position = 0;
    for (int row : queries.rows_of(q)) {
      keys[static_cast<std::size_t>(row)] = mix_bits(of_queries[q]) ^ position++;
    }
  }
  return keys;
}

std::unique_ptr<objective::Yeti> make_yeti(const Rcpp::List& value) {
  objective::YetiOptions options;
  options.rankings = static_cast<std::size_t>(number(value, "rankings"));
  options.neighbours = static_cast<std::size_t>(number(value, "neighbours"));
  const auto noise = Rcpp::as<std::string>(value["noise"]);
  options.noise = noise == "logistic" ? objective::Noise::kLogistic
                  : noise == "normal" ? objective::Noise::kNormal
                                      : objective::Noise::kNone;
  options.noise_scale = number(value, "noise_scale");
  const auto rank_weight = Rcpp::as<std::string>(value["position"]);
  options.rank_weight = rank_weight == "none"         ? objective::RankWeight::kEqual
                        : rank_weight == "reciprocal" ? objective::RankWeight::kReciprocal
                        : rank_weight == "decay"      ? objective::RankWeight::kDecay
                                                      : objective::RankWeight::kMetric;
  options.decay = number(value, "decay");
  if (options.rank_weight == objective::RankWeight::kMetric) {
    options.metric =
        metric_of(value["metric"], static_cast<std::size_t>(number(value, "longest")));
  }
  const Rcpp::NumericMatrix grade_weights(
      Rcpp::as<Rcpp::NumericMatrix>(value["pair_gain"]));
  options.grades = static_cast<std::size_t>(grade_weights.nrow());
  for (int a = 0; a < grade_weights.nrow(); ++a) {
    for (int b = 0; b < grade_weights.ncol(); ++b) {
      options.grade_weights.push_back(grade_weights(a, b));
    }
  }
  options.newton = Rcpp::as<bool>(value["newton"]);
  options.keys = query_keys(value["queries"]);
  return std::make_unique<objective::Yeti>(std::move(options));
}

}  // namespace rankmix

// The pairs of a round, one in each column: two rows of the data, from 1, the weight, and
// the desired score difference.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix yeti_pairs(const Rcpp::List& value, const Rcpp::List& documents,
                               const Rcpp::NumericVector& scores, double seed,
                               double round) {
  return rankmix::guarded([&] {
    rankmix::RHost host(1, R_NilValue);
    const auto on = rankmix::make_yeti(value);
    const rankmix::DocumentsOfR known(documents);
    const objective::Documents view = known.view();
    objective::check_documents(*on, view);
    const auto number = static_cast<std::uint64_t>(round);
    on->begin_round(
        {number, rankmix::random_stream(static_cast<std::uint64_t>(seed),
                                        rankmix::Purpose::kObjective, number)},
        view, rankmix::double_view(scores), host);
    std::vector<double> pairs;
    for (std::size_t q = 0; q < view.queries.count(); ++q) {
      objective::visit_pairs(*on, view, rankmix::double_view(scores), q, host,
                             [&](const objective::Pair& pair) {
                               pairs.insert(pairs.end(),
                                            {static_cast<double>(pair.upper) + 1.0,
                                             static_cast<double>(pair.lower) + 1.0,
                                             pair.weight, pair.difference});
                             });
    }
    return Rcpp::NumericMatrix(4, static_cast<int>(pairs.size() / 4), pairs.begin());
  });
}

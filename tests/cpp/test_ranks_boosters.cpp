// Several ranks train boosters together. The model must equal the model of a single
// process, bit for bit.
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/random.h"
#include "core/boost/adaboost_mh.h"
#include "core/boost/base_hamming_tree.h"
#include "core/boost/base_product.h"
#include "core/boost/base_tree.h"
#include "core/boost/gbrt.h"
#include "core/boost/rankboost.h"
#include "core/boost/threshold_search.h"
#include "core/objective/lambda.h"
#include "core/objective/list_mle.h"
#include "core/objective/ordinal.h"
#include "core/objective/pairwise.h"
#include "core/objective/position_bias.h"
#include "core/objective/query_squared.h"
#include "core/objective/smooth.h"
#include "core/objective/softmax.h"
#include "core/objective/squared.h"
#include "core/objective/xendcg.h"
#include "core/objective/yeti.h"
#include "few_cases.h"
#include "objective_case.h"
#include "ranks_case.h"

namespace boost = rankmix::boost;
namespace objective = rankmix::objective;
using boost::GbrtOptions;
using objective_case::metric_named;
using rankmix::Host;
using rankmix::View;
using ranks_case::check_ranks;
using ranks_case::draw_queries;
using ranks_case::kFeatures;
using ranks_case::Part;
using ranks_case::same_forest;

namespace {

constexpr std::size_t kTrees = 6;

// A model of trees with the states of its objective.
struct Trees {
  boost::GbrtModel model;
  std::vector<double> states;
};

bool same_trees(const Trees& a, const Trees& b) {
  return a.model.start == b.model.start && a.model.stalled == b.model.stalled &&
         same_forest(a.model.forest, b.model.forest) && a.states == b.states;
}

// Half of the trees are replayed by a second fit.
template <class Make>
Trees grow_and_resume(const Make& make, Host& host) {
  std::unique_ptr<boost::Gbrt> first = make();
  first->run(kTrees / 2, kTrees, host);
  std::unique_ptr<boost::Gbrt> second = make();
  second->replay(first->model(), host);
  second->run(kTrees - kTrees / 2, kTrees, host);
  return {second->model(), second->states()};
}

// The groups are features 0 and 1, and all features except feature 0. Two of three
// features have a cost.
void limit_features(GbrtOptions& options) {
  options.groups = {{0, 1}, {}};
  for (std::size_t f = 0; f < kFeatures; ++f) {
    if (f > 0) {
      options.groups[1].push_back(static_cast<int>(f));
    }
    options.costs.costs.push_back(0.02 * static_cast<double>(f % 3));
    options.costs.items.push_back(static_cast<int>(f));
  }
}

struct Settings {
  std::string name;
  std::function<void(GbrtOptions&, const Part&)> set;
  bool weights = false;  // document weights
  bool counts = false;   // document counts, and equal weights
};

std::vector<Settings> all_settings() {
  return {
      {"plain", [](GbrtOptions&, const Part&) {}},
      {"weights", [](GbrtOptions&, const Part&) {}, true},
      {"counts", [](GbrtOptions&, const Part&) {}, false, true},
      {"double precision",
       [](GbrtOptions& o, const Part&) { o.precision = boost::Precision::kDouble; }},
      {"double precision and counts",
       [](GbrtOptions& o, const Part&) { o.precision = boost::Precision::kDouble; },
       false, true},
      {"dropout", [](GbrtOptions& o, const Part&) { o.dropout = 0.4; }},
      {"many documents in a leaf",
       [](GbrtOptions& o, const Part&) { o.min_documents = 20.0; }, true},
      {"depth",
       [](GbrtOptions& o, const Part&) {
         o.limits = {30, 3};
       }},
      {"features", [](GbrtOptions& o, const Part&) { o.feature_fraction = 0.4; }},
      {"documents", [](GbrtOptions& o, const Part&) { o.bagging_fraction = 0.5; }},
      {"few documents", [](GbrtOptions& o, const Part&) { o.bagging_fraction = 0.02; }},
      {"queries", [](GbrtOptions& o, const Part&) { o.query_fraction = 0.6; }},
      {"few queries", [](GbrtOptions& o, const Part&) { o.query_fraction = 0.06; }, true},
      {"monotone",
       [](GbrtOptions& o, const Part&) {
         o.monotone.assign(kFeatures, 0);
         o.monotone[1] = 1;
         o.monotone[4] = -1;
       }},
      {"groups of features",
       [](GbrtOptions& o, const Part&) {
         o.groups = {{0, 1}, {}};
         for (std::size_t f = 1; f < kFeatures; ++f) {
           o.groups[1].push_back(static_cast<int>(f));
         }
       }},
      {"costs of features",
       [](GbrtOptions& o, const Part&) {
         for (std::size_t f = 0; f < kFeatures; ++f) {
           o.costs.costs.push_back(0.02 * static_cast<double>(f % 3));
           o.costs.items.push_back(static_cast<int>(f));
         }
         o.bagging_fraction = 0.5;
       }},
      {"levels of a factor",
       [](GbrtOptions& o, const Part&) {
         o.subsets.levels.assign(kFeatures, 0);
         o.subsets.levels[0] = 6;
         o.subsets.min_group = 5.0;
       }},
      {"oblivious",
       [](GbrtOptions& o, const Part&) {
         o.oblivious = true;
         o.limits.depth = 4;
         o.min_documents = 3.0;
       }},
      {"oblivious, few documents",
       [](GbrtOptions& o, const Part&) {
         o.oblivious = true;
         o.limits.depth = 3;
         o.bagging_fraction = 0.05;
       },
       true},
      {"oblivious, groups and costs of features",
       [](GbrtOptions& o, const Part&) {
         o.oblivious = true;
         o.limits.depth = 4;
         o.bagging_fraction = 0.5;
         limit_features(o);
       }},
  };
}

GbrtOptions options_of(const Settings& settings, const Part& part) {
  GbrtOptions options;
  options.limits.leaves = 9;
  options.learning_rate = 0.3;
  options.seed = 5;
  settings.set(options, part);
  options.row_keys = part.row_keys;
  options.query_keys = part.query_keys;
  if (settings.counts) {
    options.counts = part.counts;
  }
  return options;
}

View<const double> weights_of(const Settings& settings, const Part& part) {
  if (settings.counts) {
    return part.counts_as_weights;
  }
  return settings.weights ? View<const double>(part.weights) : View<const double>();
}

using MakeObjective = std::function<std::unique_ptr<objective::Objective>(const Part&)>;

Trees grow(const MakeObjective& make, const objective::Documents& documents,
           const GbrtOptions& options, const Part& part, Host& host) {
  return grow_and_resume(
      [&] {
        return std::make_unique<boost::Gbrt>(*part.bins, make(part), documents, options,
                                             host);
      },
      host);
}

Trees grow_squared(const rankmix::data::BinnedMatrix& bins, const Settings& settings,
                   const Part& part, Host& host) {
  const GbrtOptions options = options_of(settings, part);
  return grow_and_resume(
      [&] {
        return std::make_unique<boost::Gbrt>(bins, part.targets,
                                             weights_of(settings, part), options, host);
      },
      host);
}

std::unique_ptr<objective::Objective> make_lambda(const objective::LambdaOptions& of) {
  return std::make_unique<objective::Lambda>(metric_named("ndcg", 10), of);
}

}  // namespace

TEST_CASE("ranks grow the trees of a single process for squared error") {
  for (const std::size_t longest : {6U, 30U}) {
    const Part all = draw_queries(longest == 6 ? 14 : 40, longest, 3);
    for (const Settings& settings : all_settings()) {
      check_ranks(
          "squared error, " + settings.name, all,
          [&](const Part& part, Host& host) {
            return grow_squared(*part.bins, settings, part, host);
          },
          same_trees);
    }
  }
}

// Sums of roots are only kept if there are many documents.
TEST_CASE("ranks grow the trees of a single process on more documents than a block") {
  const Part all = draw_queries(700, 30, 12);
  CHECK(all.rows() > rankmix::kRowBlock);
  for (const Settings& settings : all_settings()) {
    if (settings.name != "plain" && settings.name != "counts" &&
        settings.name != "oblivious") {
      continue;
    }
    check_ranks(
        "many documents, " + settings.name, all,
        [&](const Part& part, Host& host) {
          return grow_squared(*part.bins, settings, part, host);
        },
        same_trees);
  }
}

namespace {

// Bins of sparse features with the values 0, 1 and 2, which all ranks have.
std::unique_ptr<rankmix::data::BinnedMatrix> sparse_bins(const Part& part, Host& host) {
  std::vector<double> values;
  std::vector<int> rows;
  std::vector<int> starts{0};
  for (std::uint64_t f = 0; f < kFeatures; ++f) {
    for (std::size_t i = 0; i < part.rows(); ++i) {
      const std::uint64_t drawn = rankmix::mix_bits(part.row_keys[i] ^ (f << 50)) % 10;
      if (drawn < 2 || (f == 0 && part.grades[i] > 3)) {
        values.push_back(drawn == 0 ? 2.0 : 1.0);
        rows.push_back(static_cast<int>(i));
      }
    }
    starts.push_back(static_cast<int>(values.size()));
  }
  return std::make_unique<rankmix::data::BinnedMatrix>(
      rankmix::SparseView{values, rows, starts, part.rows()}, rankmix::data::BinOptions(),
      host);
}

}  // namespace

TEST_CASE("ranks grow the trees of a single process on sparse data") {
  const Part all = draw_queries(120, 20, 13);
  for (const Settings& settings : all_settings()) {
    if (settings.name == "monotone" || settings.name == "levels of a factor") {
      continue;
    }
    check_ranks(
        "sparse, " + settings.name, all,
        [&](const Part& part, Host& host) {
          ThreadHost own(1);
          const auto bins = sparse_bins(part, own);
          return grow_squared(*bins, settings, part, host);
        },
        same_trees);
  }
}

TEST_CASE("ranks grow the trees of a single process for lambdas") {
  const Part all = draw_queries(40, 20, 4);
  for (const Settings& settings : all_settings()) {
    check_ranks(
        "lambdas, " + settings.name, all,
        [&](const Part& part, Host& host) {
          const objective::Documents documents{
              part.queries(),     part.grades, {}, weights_of(settings, part),
              part.query_weights, {}};
          GbrtOptions options = options_of(settings, part);
          options.l2 = 1.0;
          return grow([](const Part&) { return make_lambda({}); }, documents, options,
                      part, host);
        },
        same_trees);
  }
}

TEST_CASE("ranks grow the trees of a single process for each objective") {
  struct Entry {
    std::string name;
    MakeObjective make;
    bool positions = false;  // whether targets are positions
  };
  std::vector<Entry> entries;
  const auto add = [&](const char* name, const MakeObjective& make,
                       bool positions = false) {
    entries.push_back({name, make, positions});
  };
  using Made = std::unique_ptr<objective::Objective>;
  add("squared",
      [](const Part&) -> Made { return std::make_unique<objective::Squared>(); });
  add("query squared",
      [](const Part&) -> Made { return std::make_unique<objective::QuerySquared>(); });
  add("ordinal",
      [](const Part&) -> Made { return std::make_unique<objective::Ordinal>(); });
  add("softmax",
      [](const Part&) -> Made { return std::make_unique<objective::Softmax>(); });
  add("list MLE",
      [](const Part&) -> Made { return std::make_unique<objective::ListMle>(); });
  add("xendcg",
      [](const Part&) -> Made { return std::make_unique<objective::Xendcg>(); });
  for (objective::PairLoss loss :
       {objective::PairLoss::kLogistic, objective::PairLoss::kHinge,
        objective::PairLoss::kSquaredHinge, objective::PairLoss::kSmoothHinge}) {
    for (bool alike : {false, true}) {
      add("pairwise", [=](const Part&) -> Made {
        return std::make_unique<objective::Pairwise>(
            objective::PairwiseOptions{loss, alike, 1.0, 0.2});
      });
    }
  }
  for (const char* name : {"ndcg", "average_precision", "err"}) {
    add("smooth metric", [=](const Part&) -> Made {
      return std::make_unique<objective::Smooth>(
          metric_named(name, 5),
          objective::SmoothOptions{{0.1}, objective::SmoothForm::kRanks});
    });
  }
  add("random partners", [](const Part&) -> Made {
    objective::LambdaOptions options;
    options.partners = 3;
    options.by_query = true;
    return make_lambda(options);
  });
  add(
      "unbiased lambdas",
      [](const Part&) -> Made {
        objective::LambdaOptions options;
        options.unbiased = true;
        return make_lambda(options);
      },
      true);
  add(
      "position bias",
      [](const Part&) -> Made {
        return std::make_unique<objective::PositionBias>(make_lambda({}), 0.5);
      },
      true);
  const Part all = draw_queries(30, 15, 6);
  for (const Entry& entry : entries) {
    for (const bool weighted : {false, true}) {
      check_ranks(
          entry.name + (weighted ? ", weighted" : ""), all,
          [&](const Part& part, Host& host) {
            const bool of_documents = weighted && entry.name != "pairwise" &&
                                      entry.name != "smooth metric" && !entry.positions;
            const objective::Documents documents{
                part.queries(),
                part.grades,
                entry.positions ? part.positions : part.targets,
                of_documents ? View<const double>(part.weights) : View<const double>(),
                weighted ? View<const double>(part.query_weights) : View<const double>(),
                {}};
            GbrtOptions options;
            options.limits.leaves = 6;
            options.seed = 2;
            options.l2 = 0.5;
            options.precision =
                weighted ? boost::Precision::kDouble : boost::Precision::kSingle;
            return grow(entry.make, documents, options, part, host);
          },
          same_trees);
    }
  }
}

TEST_CASE("ranks grow the trees of a single process for pairs of perturbed rankings") {
  const Part all = draw_queries(30, 15, 7);
  const MakeObjective make = [](const Part& part) {
    objective::YetiOptions options;
    options.rankings = 7;
    options.neighbours = 2;
    options.grades = 5;
    for (int k = 0; k < 25; ++k) {
      options.grade_weights.push_back(0.1 * (k % 7));
    }
    options.keys = part.names;
    return std::make_unique<objective::Yeti>(std::move(options));
  };
  struct Case {
    std::string name;
    boost::Solver solver;
    double pair_fraction = 1.0;
    std::size_t screen = std::numeric_limits<std::size_t>::max();
    double bagging_fraction = 1.0;
    bool limited = false;  // groups and costs of features
  };
  for (const Case& of : std::vector<Case>{
           {"by documents", boost::Solver::kPointwise},
           {"values by pairs", boost::Solver::kValues},
           {"by pairs", boost::Solver::kAligned},
           {"by some pairs", boost::Solver::kAligned, 0.5},
           {"by some features", boost::Solver::kAligned, 1.0, 3},
           {"by pairs of some documents", boost::Solver::kAligned, 1.0,
            std::numeric_limits<std::size_t>::max(), 0.6},
           {"by pairs, limited features", boost::Solver::kAligned, 1.0, 3, 0.6, true}}) {
    check_ranks(
        "perturbed rankings, " + of.name, all,
        [&](const Part& part, Host& host) {
          const objective::Documents documents{part.queries(),     part.grades, {}, {},
                                               part.query_weights, {}};
          GbrtOptions options;
          options.oblivious = true;
          options.limits.depth = 4;
          options.solver = of.solver;
          options.aligned.pair_fraction = of.pair_fraction;
          options.aligned.screen = of.screen;
          options.bagging_fraction = of.bagging_fraction;
          if (of.limited) {
            limit_features(options);
          }
          options.row_keys = part.row_keys;
          options.seed = 11;
          return grow(make, documents, options, part, host);
        },
        same_trees);
  }
}

TEST_CASE("ranks train several fits together") {
  const Part all = draw_queries(40, 20, 8);
  check_ranks(
      "two fits", all,
      [&](const Part& part, Host& host) {
        GbrtOptions options;
        options.limits.leaves = 7;
        options.precision = boost::Precision::kDouble;
        std::vector<double> other = part.targets;
        for (std::size_t i = 0; i < other.size(); ++i) {
          other[i] = part.grades[i] > 2 ? 1.0 : 0.0;
        }
        boost::Gbrt first(*part.bins, part.targets, {}, options, host);
        boost::Gbrt second(*part.bins, other, part.weights, options, host);
        boost::Gbrt::run_together({&first, &second}, kTrees, kTrees, host);
        return std::vector<Trees>{{first.model(), {}}, {second.model(), {}}};
      },
      [](const std::vector<Trees>& a, const std::vector<Trees>& b) {
        return a.size() == 2 && b.size() == 2 && same_trees(a[0], b[0]) &&
               same_trees(a[1], b[1]);
      });
}

namespace {

bool same_boosters(const boost::AdaBoostModel& a, const boost::AdaBoostModel& b) {
  const auto& [forest_a, alpha_a, edge_a, bandit_a, rounds_a, status_a] = a;
  const auto& [forest_b, alpha_b, edge_b, bandit_b, rounds_b, status_b] = b;
  return same_forest(forest_a, forest_b) && alpha_a == alpha_b && edge_a == edge_b &&
         bandit_a.feature == bandit_b.feature && bandit_a.reward == bandit_b.reward &&
         rounds_a == rounds_b && status_a == status_b;
}

std::unique_ptr<boost::BaseLearner> make_learner(const std::string& name, bool rated) {
  if (name == "tree") {
    return std::make_unique<boost::TreeLearner>(6, rated);
  }
  if (name == "stump") {
    return std::make_unique<boost::TreeLearner>(2, rated);
  }
  if (name == "hamming tree") {
    return std::make_unique<boost::HammingTreeLearner>(6, rated);
  }
  return std::make_unique<boost::ProductLearner>(4, rated);
}

struct AdaBoostCase {
  std::string name;
  std::function<void(boost::AdaBoostOptions&)> set;
  bool weights = false;
  bool counts = false;
};

std::vector<AdaBoostCase> adaboost_cases() {
  using Options = boost::AdaBoostOptions;
  return {
      {"plain", [](Options&) {}},
      {"weights", [](Options&) {}, true},
      {"counts", [](Options&) {}, false, true},
      {"uniform", [](Options& o) { o.weights = boost::WeightScheme::kUniform; }, true},
      {"double precision", [](Options& o) { o.precision = boost::Precision::kDouble; },
       true},
      {"double precision and counts",
       [](Options& o) { o.precision = boost::Precision::kDouble; }, false, true},
      {"features", [](Options& o) { o.feature_fraction = 0.5; }},
      {"documents", [](Options& o) { o.bagging_fraction = 0.5; }},
      {"few documents", [](Options& o) { o.bagging_fraction = 0.02; }, true},
      {"bandit", [](Options& o) { o.bandit.emplace(); }},
      {"bandit on few documents",
       [](Options& o) {
         o.bandit.emplace();
         o.bagging_fraction = 0.1;
       }},
  };
}

boost::AdaBoostModel boost_part(const AdaBoostCase& of, boost::BaseLearner& learner,
                                const Part& part, Host& host) {
  boost::AdaBoostOptions options;
  options.seed = 3;
  options.row_keys = part.row_keys;
  of.set(options);
  if (of.counts) {
    options.counts = part.counts;
  }
  View<const double> weights;
  if (of.counts) {
    weights = part.counts_as_weights;
  } else if (of.weights) {
    weights = part.weights;
  }
  boost::AdaBoost first(*part.bins, part.grades, weights, 5, options, learner, host);
  first.run(4, 8, host);
  boost::AdaBoost second(*part.bins, part.grades, weights, 5, options, learner, host);
  second.replay(first.model(), host);
  second.run(4, 8, host);
  return second.model();
}

}  // namespace

TEST_CASE("ranks boost the base classifiers of a single process") {
  FewCases few;
  for (const std::size_t longest : {5U, 25U}) {
    const Part all = draw_queries(longest == 5 ? 16 : 40, longest, 9);
    for (const char* name : {"tree", "stump", "hamming tree", "product"}) {
      for (const bool rated : {false, true}) {
        for (const AdaBoostCase& of : adaboost_cases()) {
          if (!few.takes()) {
            continue;
          }
          check_ranks(
              std::string("AdaBoost.MH, ") + name + (rated ? ", rated, " : ", ") +
                  of.name,
              all,
              [&](const Part& part, Host& host) {
                return boost_part(of, *make_learner(name, rated), part, host);
              },
              same_boosters);
        }
      }
    }
  }
}

TEST_CASE("ranks find the weak rankers of a single process") {
  const Part all = draw_queries(30, 15, 10);
  for (int k = 0; k < 16; ++k) {
    const bool halves = k % 2 == 1;
    const bool weighted = k / 2 % 2 == 1;
    const bool exact = k / 4 % 2 == 1;
    const bool plain = k / 8 == 1;
    check_ranks(
        "RankBoost, case " + std::to_string(k), all,
        [&](const Part& part, Host& host) {
          const View<const double> weights =
              weighted ? View<const double>(part.query_weights) : View<const double>();
          boost::RankBoostOptions options;
          options.pairs = plain ? boost::PairScheme::kPlain : boost::PairScheme::kQuery;
          options.exact = exact;
          const auto make = [&] {
            return boost::RankBoost(boost::search_bins(*part.bins, halves),
                                    part.queries(), part.grades, weights, options, host);
          };
          boost::RankBoost first = make();
          CHECK(first.has_pairs());
          first.run(5, 10, host);
          boost::RankBoost second = make();
          second.replay(first.model(), host);
          second.run(5, 10, host);
          return second.model();
        },
        [](const boost::RankBoostModel& a, const boost::RankBoostModel& b) {
          return same_forest(a.forest, b.forest) && a.alpha == b.alpha &&
                 a.edge == b.edge && a.z == b.z && a.stalled == b.stalled;
        });
  }
}

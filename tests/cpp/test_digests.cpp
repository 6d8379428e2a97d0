// Small fits and kernels on fixed data have the bits that digests.h records.
//
// Each result is computed with and without AVX2, on one and on two threads. All four
// results must have the same bits, and the digest in digests.h. So the digest is the same
// for all compilers, flags and processors of the tests.
//
// On other platforms, exp(), log() and similar functions of the C library differ in the
// last bits. If a sample of these functions has another digest, results are not compared
// with digests.h.
//
// RANKMIX_WRITE_DIGESTS=FILE writes digests.h to FILE instead of comparing with it. A
// change of results must be intended and belongs to NEWS.md.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/cholesky.h"
#include "core/base/dense.h"
#include "core/base/exp.h"
#include "core/base/log.h"
#include "core/base/lu.h"
#include "core/base/products.h"
#include "core/base/simd.h"
#include "core/boost/adaboost_mh.h"
#include "core/boost/adarank.h"
#include "core/boost/base_hamming_tree.h"
#include "core/boost/base_product.h"
#include "core/boost/base_tree.h"
#include "core/boost/gbrt.h"
#include "core/boost/rankboost.h"
#include "core/calibrate/fit.h"
#include "core/compare/joint_flips.h"
#include "core/compare/resample.h"
#include "core/data/bins.h"
#include "core/data/columns.h"
#include "core/data/missing.h"
#include "core/data/standardize.h"
#include "core/explain/by_background.h"
#include "core/explain/by_cover.h"
#include "core/linear/ascent.h"
#include "core/linear/mcsvm.h"
#include "core/linear/objective_path.h"
#include "core/linear/ridge.h"
#include "core/linear/scaling.h"
#include "core/linear/smooth_path.h"
#include "core/metric/factory.h"
#include "core/mix/aggregate.h"
#include "core/mix/fuse.h"
#include "core/mix/majority.h"
#include "core/mix/member_weights.h"
#include "core/mix/mixture.h"
#include "core/network/pair_network.h"
#include "core/network/predict.h"
#include "core/network/training.h"
#include "core/objective/evaluate.h"
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
#include "core/regress/bag.h"
#include "core/regress/content_order.h"
#include "core/regress/grouped_ridge.h"
#include "core/regress/grow.h"
#include "core/regress/predict.h"
#include "core/tree/predict.h"
#include "digest_case.h"
#include "digests.h"
#include "thread_host.h"

namespace boost = rankmix::boost;
namespace calibrate = rankmix::calibrate;
namespace data = rankmix::data;
namespace dense = rankmix::dense;
namespace explain = rankmix::explain;
namespace linear = rankmix::linear;
namespace metric = rankmix::metric;
namespace mix = rankmix::mix;
namespace network = rankmix::network;
namespace objective = rankmix::objective;
namespace regress = rankmix::regress;
namespace tree = rankmix::tree;
using digest_case::append;
using digest_case::bells;
using digest_case::digest_of;
using digest_case::Draw;
using digest_case::make_problem;
using digest_case::Numbers;
using digest_case::Problem;
using digest_case::Size;
using rankmix::Host;
using rankmix::MatrixView;
using rankmix::View;

namespace {

// ---- Numbers --------------------------------------------------------------------------

Numbers exponentials(Host&) {
  Numbers x;
  Draw draw(1);
  for (int i = 0; i < 1003; ++i) {
    const double factor = draw.unit();
    x.push_back(-750.0 * factor * draw.unit());
  }
  rankmix::exp_of_all({x.data(), x.size()});
  return x;
}

Numbers logarithms(Host&) {
  Numbers x;
  Draw draw(2);
  for (int i = 0; i < 1000; ++i) {
    const double mantissa = 0.01 + draw.unit();
    x.push_back(std::ldexp(mantissa, static_cast<int>(draw.below(1000)) - 500));
  }
  for (std::size_t i = 0; i < x.size(); i += 8) {
    rankmix::log_in_place<8>(x.data() + i);
  }
  return x;
}

// The functions of the C library that the core uses.
Numbers library_functions(Host&) {
  Numbers values;
  Draw draw(3);
  for (int i = 0; i < 3000; ++i) {
    const double x = draw.unit();
    const double y = 20.0 * draw.bell();
    append(values,
           Numbers{std::exp(y), std::log(x + 1e-9), std::log1p(x), std::log2(x + 0.1),
                   std::expm1(-x), std::pow(x, y), std::cos(y)});
  }
  return values;
}

Numbers products(Host&) {
  const Numbers a = bells(37 * 53, 4);
  Numbers sums(37 * 37, 0.0);
  dense::add_gram({a.data(), 53, 37}, sums.data());
  append(sums, dense::multiply({a.data(), 53, 37}, {a.data(), 37}));
  append(sums, dense::multiply_transposed({a.data(), 53, 37}, {a.data(), 53}));
  sums.push_back(dense::dot({a.data(), 1000}, {a.data() + 900, 1000}));
  sums.push_back(dense::sum(a));
  return sums;
}

Numbers factors(Host&) {
  constexpr std::size_t size = 29;
  const Numbers a = bells(40 * size, 5);
  Numbers gram(size * size, 0.0);
  dense::add_gram({a.data(), 40, size}, gram.data());
  Numbers found{dense::reciprocal_condition(gram, size)};
  Numbers lower = gram;
  Numbers right = bells(size, 6);
  found.push_back(dense::solve_positive(lower, right) ? 1.0 : 0.0);
  append(found, right);
  append(found, lower);
  Numbers x = bells(size, 7);
  dense::divide(lower, x);
  append(found, x);
  Numbers rows = bells(11 * size, 8);
  dense::divide_rows(lower, size, 11, rows.data());
  append(found, rows);
  return found;
}

Numbers square_system(Host& host) {
  return dense::solve_square(bells(900, 9), bells(30, 10), host);
}

Numbers spectrum(Host& host) {
  const Numbers a = bells(50 * 24, 11);
  Numbers gram(24 * 24, 0.0);
  dense::add_gram({a.data(), 50, 24}, gram.data());
  const dense::Spectrum found = dense::spectrum_of(gram, 24, host);
  Numbers all = found.values;
  append(all, found.vectors);
  return all;
}

// ---- Objectives -----------------------------------------------------------------------

std::shared_ptr<const metric::Metric> metric_named(const std::string& name,
                                                   std::size_t k = metric::kWholeList) {
  metric::MetricSpec spec;
  spec.name = name;
  spec.options.k = k;
  spec.gain = {0, 1, 3, 7, 15};
  spec.discount = "log2";
  spec.relevant = 2;
  spec.max_grade = 4;
  spec.denominator = "relevant";
  spec.persistence = 0.8;
  spec.beta = 1.0;
  return metric::make_metric(spec, 100);
}

std::unique_ptr<objective::Objective> lambda_of(const std::string& name,
                                                const objective::LambdaOptions& options) {
  return std::make_unique<objective::Lambda>(metric_named(name, 10), options);
}

std::unique_ptr<objective::Objective> pairwise_of(objective::PairLoss loss, bool alike) {
  objective::PairwiseOptions options;
  options.loss = loss;
  options.queries_alike = alike;
  return std::make_unique<objective::Pairwise>(options);
}

std::unique_ptr<objective::Objective> smooth_of(const std::string& name, std::size_t k,
                                                objective::SmoothForm form) {
  objective::SmoothOptions options;
  options.sigmas = {0.7, 0.2};
  options.form = form;
  return std::make_unique<objective::Smooth>(metric_named(name, k), options);
}

objective::YetiOptions yeti_options(objective::RankWeight weight) {
  objective::YetiOptions options;
  options.rankings = 9;
  options.neighbours = 2;
  options.rank_weight = weight;
  options.grades = 5;
  for (int k = 0; k < 25; ++k) {
    options.grade_weights.push_back(k / 5 > k % 5 ? (k / 5 - k % 5) / 3.0 : 0.0);
  }
  if (weight == objective::RankWeight::kMetric) {
    options.metric = metric_named("ndcg", 10);
  }
  return options;
}

std::unique_ptr<objective::Objective> yeti_of(objective::RankWeight weight,
                                              objective::Noise noise, bool newton) {
  objective::YetiOptions options = yeti_options(weight);
  options.noise = noise;
  options.newton = newton;
  return std::make_unique<objective::Yeti>(options);
}

// Value, gradient, hessian, product with the Hessian matrix and state, in two rounds.
Numbers values_of(objective::Objective& on, Host& host) {
  const Problem problem = make_problem({}, 20);
  const objective::Documents documents =
      on.traits().takes_weights ? problem.documents() : problem.equal_documents();
  Numbers all{objective::total_weight(on, documents, host)};
  Numbers scores = problem.scores;
  Numbers gradient(scores.size());
  Numbers hessian(scores.size());
  for (std::size_t round = 0; round < 2; ++round) {
    on.begin_round({round, 77 + round}, documents, scores, host);
    all.push_back(objective::evaluate(
        on, documents, scores, host,
        {{gradient.data(), gradient.size()}, {hessian.data(), hessian.size()}}));
    append(all, gradient);
    append(all, hessian);
    append(all, on.state());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] -= 0.3 * gradient[i];
    }
  }
  if (on.traits().has_product) {
    objective::multiply_hessian(on, documents, scores, problem.scores, host,
                                {gradient.data(), gradient.size()});
    append(all, gradient);
  }
  return all;
}

Numbers squared(Host& host) {
  objective::Squared on;
  objective::QuerySquared within;
  Numbers all = values_of(on, host);
  append(all, values_of(within, host));
  return all;
}

Numbers softmax(Host& host) {
  objective::Softmax on;
  return values_of(on, host);
}

Numbers xendcg(Host& host) {
  objective::Xendcg on;
  return values_of(on, host);
}

Numbers list_mle(Host& host) {
  objective::ListMle on;
  return values_of(on, host);
}

Numbers ordinal(Host& host) {
  objective::Ordinal on;
  return values_of(on, host);
}

Numbers logistic(Host& host) {
  Numbers all = values_of(*pairwise_of(objective::PairLoss::kLogistic, false), host);
  append(all, values_of(*pairwise_of(objective::PairLoss::kLogistic, true), host));
  return all;
}

Numbers hinges(Host& host) {
  Numbers all;
  for (const auto loss : {objective::PairLoss::kHinge, objective::PairLoss::kSquaredHinge,
                          objective::PairLoss::kSmoothHinge}) {
    append(all, values_of(*pairwise_of(loss, loss != objective::PairLoss::kHinge), host));
  }
  return all;
}

Numbers lambda_ndcg(Host& host) { return values_of(*lambda_of("ndcg", {}), host); }

Numbers lambda_scaled(Host& host) {
  objective::LambdaOptions options;
  options.sigma = 1.7;
  options.by_gap = true;
  options.by_query = true;
  options.top = 4;
  return values_of(*lambda_of("ndcg", options), host);
}

Numbers lambda_partners(Host& host) {
  objective::LambdaOptions options;
  options.partners = 3;
  return values_of(*lambda_of("ndcg", options), host);
}

// The metrics whose changes are means over orders of tied documents.
Numbers lambda_orders(Host& host) {
  Numbers all = values_of(*lambda_of("err", {}), host);
  append(all, values_of(*lambda_of("average_precision", {}), host));
  return all;
}

Numbers smooth_ndcg(Host& host) {
  return values_of(*smooth_of("ndcg", 10, objective::SmoothForm::kRanks), host);
}

Numbers smooth_others(Host& host) {
  using objective::SmoothForm;
  Numbers all = values_of(*smooth_of("err", 10, SmoothForm::kRanks), host);
  append(all, values_of(*smooth_of("average_precision", 10, SmoothForm::kRanks), host));
  append(all, values_of(*smooth_of("average_precision", metric::kWholeList,
                                   SmoothForm::kLogistic),
                        host));
  return all;
}

Numbers yeti(Host& host) {
  using objective::Noise;
  using objective::RankWeight;
  Numbers all = values_of(*yeti_of(RankWeight::kDecay, Noise::kLogistic, false), host);
  append(all, values_of(*yeti_of(RankWeight::kReciprocal, Noise::kNormal, true), host));
  append(all, values_of(*yeti_of(RankWeight::kMetric, Noise::kLogistic, true), host));
  return all;
}

Numbers position_bias(Host& host) {
  Problem problem = make_problem({}, 21);
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    problem.targets[i] = 1.0 + problem.positions[i];
  }
  objective::LambdaOptions options;
  options.unbiased = true;
  objective::PositionBias additive(std::make_unique<objective::ListMle>(), 0.1);
  const auto unbiased = lambda_of("ndcg", options);
  Numbers all;
  Numbers scores = problem.scores;
  for (objective::Objective* on :
       {static_cast<objective::Objective*>(&additive), unbiased.get()}) {
    for (std::size_t round = 0; round < 3; ++round) {
      on->begin_round({round, round}, problem.equal_documents(), scores, host);
      append(all, on->state());
      for (double& score : scores) {
        score *= 1.1;
      }
    }
  }
  return all;
}

// ---- Data -----------------------------------------------------------------------------

Numbers bins(Host& host) {
  const Problem problem = make_problem({100, 30, 5, true}, 30);
  Numbers all;
  for (const bool weighted : {false, true}) {
    data::BinOptions options;
    options.max_bins = 40;
    options.weights =
        weighted ? View<const double>(problem.weights) : View<const double>();
    const data::BinnedMatrix made(problem.view(), options, host);
    for (std::size_t f = 0; f < problem.columns; ++f) {
      append(all, made.feature(f).thresholds);
      made.with_bins_of(f, [&](const auto& bin_of) {
        for (std::size_t i = 0; i < problem.rows(); ++i) {
          all.push_back(bin_of(i));
        }
      });
    }
  }
  return all;
}

Numbers scaling(Host& host) {
  const Problem problem = make_problem({}, 31);
  Numbers all;
  for (const auto rule :
       {linear::ScalingRule::kStandard, linear::ScalingRule::kMaximum}) {
    const linear::Scaling found =
        linear::find_scaling(problem.view(), rule, host, problem.weights);
    append(all, found.center);
    append(all, found.factor);
  }
  Numbers within(problem.x.size());
  data::standardize(problem.view(), problem.by_query(), host,
                    {within.data(), problem.rows(), problem.columns});
  append(all, within);
  const Problem gaps = make_problem({40, 20, 5, true}, 32);
  append(all, data::known_values(gaps.view(), gaps.weights, host).mean);
  return all;
}

// ---- Boosting -------------------------------------------------------------------------

void append_forest(const tree::Forest& forest, Numbers& to) {
  append(to, forest.feature);
  append(to, forest.threshold);
  append(to, forest.missing_left);
  append(to, forest.values);
  append(to, forest.gains);
  append(to, forest.leaf_documents);
}

Numbers predictions(const tree::Forest& forest, const Numbers& weights,
                    const Problem& problem, Host& host) {
  const std::vector<int> stages{1, static_cast<int>(weights.size())};
  Numbers out(problem.rows() * forest.outputs * stages.size());
  tree::predict_staged(view_of(forest), weights, problem.view(), stages, host,
                       out.data());
  return out;
}

boost::GbrtOptions small_trees() {
  boost::GbrtOptions options;
  options.limits = {6};
  options.learning_rate = 0.3;
  options.min_documents = 3.0;
  options.l2 = 0.01;
  return options;
}

constexpr std::size_t kTrees = 6;

Numbers boosted(std::unique_ptr<objective::Objective> on,
                const boost::GbrtOptions& options, Host& host) {
  const Problem problem = make_problem({60, 20, 6, true}, 40);
  const data::BinnedMatrix binned(problem.view(), {}, host);
  const objective::Documents documents =
      on->traits().takes_weights ? problem.documents() : problem.equal_documents();
  boost::Gbrt fit(binned, std::move(on), documents, options, host);
  fit.run(kTrees, kTrees, host);
  const boost::GbrtModel& model = fit.model();
  Numbers all{model.start};
  append_forest(model.forest, all);
  append(all, fit.states());
  append(all, fit.weights());
  const Numbers rates(model.forest.round_begin.size() - 1, options.learning_rate);
  append(all, predictions(model.forest, rates, problem, host));
  return all;
}

Numbers boosted_targets(const boost::GbrtOptions& options, Host& host,
                        const Size& size = {60, 20, 6, true}) {
  const Problem problem = make_problem(size, 41);
  const data::BinnedMatrix binned(problem.view(), {}, host);
  boost::Gbrt fit(binned, problem.targets, problem.weights, options, host);
  fit.run(kTrees, kTrees, host);
  Numbers all{fit.model().start};
  append_forest(fit.model().forest, all);
  append(all, fit.weights());
  return all;
}

Numbers gbrt(Host& host) { return boosted_targets(small_trees(), host); }

Numbers gbrt_double(Host& host) {
  boost::GbrtOptions options = small_trees();
  options.precision = boost::Precision::kDouble;
  options.bagging_fraction = 0.7;
  options.feature_fraction = 0.6;
  options.seed = 5;
  return boosted_targets(options, host);
}

Numbers gbrt_long(Host& host) {
  return boosted_targets(small_trees(), host, {250, 30, 9, false});
}

Numbers gbrt_oblivious(Host& host) {
  boost::GbrtOptions options = small_trees();
  options.oblivious = true;
  options.limits = {64, 4};
  return boosted_targets(options, host);
}

Numbers gbrt_dropout(Host& host) {
  boost::GbrtOptions options = small_trees();
  options.dropout = 0.4;
  return boosted_targets(options, host);
}

Numbers gbrt_monotone(Host& host) {
  boost::GbrtOptions options = small_trees();
  options.monotone = {1, -1, 0, 1, 0, 0};
  Numbers all = boosted_targets(options, host);
  append(all, boosted(lambda_of("ndcg", {}), options, host));
  return all;
}

Numbers gbrt_limited_features(Host& host) {
  boost::GbrtOptions options = small_trees();
  options.groups = {{0, 1, 2}, {2, 3}, {4, 5}};
  options.costs = {{0.3, 0.0, 0.01, 0.1, 0.0, 0.02}, {0, 1, 2, 3, 4, 4}};
  Numbers all = boosted_targets(options, host);
  append(all, boosted(lambda_of("ndcg", {}), options, host));
  return all;
}

Numbers gbrt_limited_levels(Host& host) {
  boost::GbrtOptions options = small_trees();
  options.oblivious = true;
  options.limits = {64, 4};
  options.bagging_fraction = 0.7;
  options.groups = {{0, 1, 2}, {2, 3}, {4, 5}};
  options.costs = {{0.3, 0.0, 0.01, 0.1, 0.0, 0.02}, {0, 1, 2, 3, 4, 4}};
  Numbers all = boosted_targets(options, host);
  append(all, boosted(lambda_of("ndcg", {}), options, host));
  return all;
}

Numbers gbrt_squared(Host& host) {
  Numbers all = boosted(std::make_unique<objective::Squared>(), small_trees(), host);
  append(all, boosted(std::make_unique<objective::QuerySquared>(), small_trees(), host));
  return all;
}
Numbers gbrt_softmax(Host& host) {
  return boosted(std::make_unique<objective::Softmax>(), small_trees(), host);
}
Numbers gbrt_xendcg(Host& host) {
  return boosted(std::make_unique<objective::Xendcg>(), small_trees(), host);
}
Numbers gbrt_list_mle(Host& host) {
  return boosted(std::make_unique<objective::ListMle>(), small_trees(), host);
}
Numbers gbrt_ordinal(Host& host) {
  return boosted(std::make_unique<objective::Ordinal>(), small_trees(), host);
}
Numbers gbrt_logistic(Host& host) {
  return boosted(pairwise_of(objective::PairLoss::kLogistic, false), small_trees(), host);
}
Numbers gbrt_hinge(Host& host) {
  return boosted(pairwise_of(objective::PairLoss::kSquaredHinge, true), small_trees(),
                 host);
}
Numbers gbrt_lambda(Host& host) {
  return boosted(lambda_of("ndcg", {}), small_trees(), host);
}
Numbers gbrt_lambda_scaled(Host& host) {
  objective::LambdaOptions options;
  options.by_query = true;
  options.partners = 4;
  return boosted(lambda_of("average_precision", options), small_trees(), host);
}
Numbers gbrt_smooth(Host& host) {
  objective::SmoothOptions options;
  options.sigmas = {0.5};
  options.warmup = 2;
  return boosted(std::make_unique<objective::Smooth>(metric_named("ndcg", 10), options),
                 small_trees(), host);
}

Numbers yetirank(Host& host) {
  boost::GbrtOptions options = small_trees();
  options.oblivious = true;
  options.limits = {64, 4};
  using objective::Noise;
  using objective::RankWeight;
  Numbers all;
  for (const auto solver :
       {boost::Solver::kPointwise, boost::Solver::kValues, boost::Solver::kAligned}) {
    options.solver = solver;
    append(all,
           boosted(yeti_of(RankWeight::kDecay, Noise::kLogistic, false), options, host));
  }
  return all;
}

Numbers yetirank_limited(Host& host) {
  boost::GbrtOptions options = small_trees();
  options.oblivious = true;
  options.limits = {64, 4};
  options.solver = boost::Solver::kAligned;
  options.groups = {{0, 1, 2}, {2, 3, 4, 5}};
  options.costs = {{0.3, 0.0, 0.01, 0.1, 0.0, 0.02}, {0, 1, 2, 3, 4, 4}};
  Numbers all;
  for (const std::size_t screen : {2, 6}) {
    options.aligned.screen = screen;
    append(all, boosted(yeti_of(objective::RankWeight::kDecay,
                                objective::Noise::kLogistic, false),
                        options, host));
  }
  return all;
}

Numbers adaboost(boost::BaseLearner& learner, boost::Precision precision, Host& host) {
  const Problem problem = make_problem({60, 20, 6, true}, 42);
  const data::BinnedMatrix binned(problem.view(), {}, host);
  boost::AdaBoostOptions options;
  options.precision = precision;
  boost::AdaBoost booster(binned, problem.grades, problem.row_weights, 5, options,
                          learner, host);
  booster.run(kTrees, kTrees, host);
  const boost::AdaBoostModel& model = booster.model();
  Numbers all = model.alpha;
  append(all, model.edge);
  append_forest(model.forest, all);
  append(all, predictions(model.forest, model.alpha, problem, host));
  return all;
}

Numbers adaboost_tree(Host& host) {
  boost::TreeLearner plain(5);
  boost::TreeLearner rated(5, true);
  Numbers all = adaboost(plain, boost::Precision::kSingle, host);
  append(all, adaboost(rated, boost::Precision::kDouble, host));
  return all;
}
Numbers adaboost_stump(Host& host) {
  boost::TreeLearner plain(2);
  boost::TreeLearner rated(2, true);
  Numbers all = adaboost(plain, boost::Precision::kDouble, host);
  append(all, adaboost(rated, boost::Precision::kSingle, host));
  return all;
}
Numbers adaboost_product(Host& host) {
  boost::ProductLearner plain(3);
  boost::ProductLearner rated(2, true);
  Numbers all = adaboost(plain, boost::Precision::kSingle, host);
  append(all, adaboost(rated, boost::Precision::kSingle, host));
  return all;
}
Numbers adaboost_hamming(Host& host) {
  boost::HammingTreeLearner plain(5);
  boost::HammingTreeLearner rated(5, true);
  Numbers all = adaboost(plain, boost::Precision::kSingle, host);
  append(all, adaboost(rated, boost::Precision::kSingle, host));
  return all;
}

Numbers adaboost_bandit(Host& host) {
  const Problem problem = make_problem({60, 20, 6, true}, 43);
  const data::BinnedMatrix binned(problem.view(), {}, host);
  boost::AdaBoostOptions options;
  options.bandit = boost::BanditOptions();
  boost::TreeLearner learner(3);
  boost::AdaBoost booster(binned, problem.grades, {}, 5, options, learner, host);
  booster.run(20, 20, host);
  Numbers all = booster.model().alpha;
  append_forest(booster.model().forest, all);
  return all;
}

Numbers rankboost(Host& host) {
  const Problem problem = make_problem({60, 20, 6, true}, 44);
  const data::BinnedMatrix binned(problem.view(), {}, host);
  Numbers all;
  for (const bool exact : {false, true}) {
    boost::RankBoostOptions options;
    options.exact = exact;
    options.pairs = exact ? boost::PairScheme::kQuery : boost::PairScheme::kPlain;
    boost::RankBoost booster(boost::search_bins(binned, true), problem.by_query(),
                             problem.grades, problem.query_weights, options, host);
    booster.run(15, 15, host);
    append(all, booster.model().alpha);
    append(all, booster.model().edge);
    append(all, booster.model().z);
    append_forest(booster.model().forest, all);
  }
  return all;
}

metric::Judged judged_of(const Problem& problem, const metric::Metric& on) {
  return {
      on, {problem.grades, problem.positions}, problem.by_query(), problem.query_weights};
}

Numbers adarank(Host& host) {
  const Problem problem = make_problem({}, 45);
  const auto on = metric_named("ndcg", 10);
  const metric::Judged judged = judged_of(problem, *on);
  const data::DenseColumns columns(problem.view());
  boost::AdaRankOptions options;
  options.negatives = true;
  options.repeats = 2;
  boost::AdaRank booster(columns, judged, options, host);
  booster.run(12, 12, host);
  Numbers all = booster.weak_means();
  append(all, booster.model().feature);
  append(all, booster.model().alpha);
  append(all, booster.model().value);
  append(all, booster.model().mean);
  return all;
}

// ---- Linear models and networks -------------------------------------------------------

std::unique_ptr<linear::Features> standard_features(const Problem& problem, Host& host) {
  linear::Scaling found = linear::find_scaling(
      problem.view(), linear::ScalingRule::kStandard, host, problem.row_weights);
  return linear::features_of(problem.view(), std::move(found));
}

Numbers ridge_on(const Size& size, Host& host) {
  const Problem problem = make_problem(size, 50);
  const Numbers penalties{0.0, 0.3, 20.0};
  const linear::RidgePath path =
      linear::ridge_path(*standard_features(problem, host), problem.targets,
                         problem.row_weights, penalties, host);
  Numbers all = path.weights;
  append(all, path.intercepts);
  append(all, path.freedom);
  return all;
}

Numbers ridge(Host& host) { return ridge_on({80, 20, 13, false}, host); }
Numbers ridge_many_features(Host& host) { return ridge_on({6, 12, 150, false}, host); }

Numbers grouped_ridge(Host& host) {
  const Problem problem = make_problem({}, 51);
  linear::Scaling found = linear::find_scaling(
      problem.view(), linear::ScalingRule::kStandard, host, problem.weights);
  found.bias = true;
  Draw draw(51);
  Numbers times;
  Numbers targets;
  for (int i = 0; i < 10; ++i) {
    times.push_back(0.5 + draw.unit());
    targets.push_back(draw.bell());
  }
  const Numbers penalties{0.1, 3.0};
  Numbers all;
  for (const linear::RidgePath& path : regress::grouped_ridge(
           *linear::features_of(problem.view(), found), problem.grades, problem.weights,
           {{times.data(), 5, 2}, {targets.data(), 5, 2}}, penalties, host)) {
    append(all, path.weights);
    append(all, path.intercepts);
  }
  return all;
}

void append_steps(const std::vector<linear::ObjectiveStep>& steps, Numbers& to) {
  for (const linear::ObjectiveStep& step : steps) {
    append(to, step.weights);
    append(to, Numbers{step.value, step.gap, static_cast<double>(step.steps)});
  }
}

Numbers objective_fit(Host& host) {
  const Problem problem = make_problem({60, 15, 7, false}, 52);
  const auto features = standard_features(problem, host);
  const Numbers costs{0.01, 1.0, 50.0};
  Numbers all;
  std::vector<std::unique_ptr<objective::Objective>> objectives;
  objectives.push_back(std::make_unique<objective::Softmax>());
  objectives.push_back(std::make_unique<objective::ListMle>());
  objectives.push_back(pairwise_of(objective::PairLoss::kLogistic, true));
  objectives.push_back(pairwise_of(objective::PairLoss::kSquaredHinge, false));
  for (const auto& on : objectives) {
    append_steps(linear::objective_path(*features, problem.equal_documents(), *on, costs,
                                        {}, host),
                 all);
  }
  return all;
}

Numbers hinge_fit(Host& host) {
  const Problem problem = make_problem({60, 15, 7, false}, 53);
  objective::PairwiseOptions pairs;
  pairs.loss = objective::PairLoss::kHinge;
  Numbers all;
  append_steps(
      linear::hinge_path(*standard_features(problem, host), problem.equal_documents(),
                         pairs, Numbers{0.01, 1.0}, {1e-4, 500}, host),
      all);
  return all;
}

Numbers smooth_path(Host& host) {
  const Problem problem = make_problem({50, 15, 5, false}, 54);
  objective::SmoothOptions options;
  options.sigmas = {4.0, 1.0, 0.25};
  const objective::Smooth on(metric_named("ndcg", 10), options);
  const Numbers start{0.5, 0.2, 0.0, 0.1, -0.1};
  const Numbers penalties{1.0, 0.01};
  linear::SmoothPathOptions limits;
  limits.max_steps = 40;
  Numbers all;
  for (const auto& stages :
       linear::smooth_path(*standard_features(problem, host), problem.equal_documents(),
                           on, {start, start}, penalties, limits, host)) {
    for (const linear::SmoothStage& stage : stages) {
      append(all, stage.weights);
      append(all, Numbers{stage.objective, stage.metric});
    }
  }
  return all;
}

Numbers mcsvm(Host& host) {
  const Problem problem = make_problem({80, 15, 7, false}, 55);
  const auto features = standard_features(problem, host);
  linear::Mcsvm machine(*features, problem.grades, problem.weights, 5);
  Numbers all;
  for (const double cost : {1e-3, 1.0}) {
    linear::McsvmOptions options;
    options.cost = cost;
    const linear::McsvmModel model = machine.solve(options, host);
    append(all, model.weights);
    append(all, Numbers{model.primal, model.dual});
  }
  return all;
}

Numbers coordinate_ascent(Host& host) {
  const Problem problem = make_problem({}, 56);
  linear::AscentOptions options;
  options.starts = 3;
  options.seed = 9;
  const Numbers scale{1.0, 0.7, 1.3, 1.0, 2.0, 1.0};
  Numbers all;
  for (const char* name : {"ndcg", "err", "average_precision"}) {
    const auto on = metric_named(name, 10);
    for (const linear::AscentResult& result : linear::coordinate_ascent(
             judged_of(problem, *on), problem.view(), scale, options, host)) {
      append(all, result.weights);
      append(all, result.values);
    }
  }
  return all;
}

Numbers pair_network(Host& host) {
  const Problem problem = make_problem({20, 6, 3, false}, 62);
  std::vector<int> worse;
  std::vector<int> better;
  for (int first = 0; first + 1 < static_cast<int>(problem.rows()); first += 2) {
    const bool up = problem.targets[static_cast<std::size_t>(first)] <
                    problem.targets[static_cast<std::size_t>(first) + 1];
    worse.push_back(up ? first : first + 1);
    better.push_back(up ? first + 1 : first);
  }
  const network::SingleLayerFit fit = network::fit_pair_network(
      problem.view(), {worse, better, {}}, 1e-2, 10, bells(5 * 8 + 1, 63), host);
  Numbers all = fit.weights;
  all.push_back(fit.end.value);
  append(all, network::pair_chances(fit.weights, problem.view(),
                                    std::vector<int>{0, 7, 40}, host));
  return all;
}

Numbers network_fit(Host& host) {
  const Problem problem = make_problem({}, 57);
  Numbers all;
  for (const auto normalization :
       {network::Normalization::kNone, network::Normalization::kBatch,
        network::Normalization::kLayer}) {
    for (const auto activation : {network::Activation::kRelu, network::Activation::kTanh,
                                  network::Activation::kLogistic}) {
      network::Options options;
      options.shape.inputs = 6;
      options.shape.hidden = {9, 5};
      options.shape.normalization = normalization;
      options.shape.activation = activation;
      options.batch = 7;
      options.learning_rate = 0.01;
      options.dropout = 0.2;
      options.seed = 11;
      options.logarithms = activation == network::Activation::kTanh;
      network::Training training(problem.view(), std::make_unique<objective::Softmax>(),
                                 problem.documents(), options, host);
      training.run(3, 3, host);
      append(all, training.model().numbers.back());
      append(all, training.model().values);
      Numbers scores(problem.rows());
      network::predict(options.shape, training.model().scale,
                       training.model().numbers.back(), problem.view(), host,
                       scores.data());
      append(all, scores);
    }
  }
  return all;
}

// ---- Calibration ----------------------------------------------------------------------

Numbers calibrated(const std::vector<calibrate::Method>& methods, Host& host) {
  const Problem problem = make_problem({40, 20, 5, false}, 60);
  Numbers f = problem.x;
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    f[static_cast<std::size_t>(problem.grades[i]) * problem.rows() + i] += 0.7;
  }
  const MatrixView<const double> view(f.data(), problem.rows(), problem.columns);
  const Numbers ideal(problem.queries(), 1.7);
  const calibrate::Judgements judgements{problem.grades, problem.row_weights,
                                         problem.by_query(), ideal};
  const std::vector<calibrate::Input> inputs{{view, 2.7, methods}};
  Numbers all;
  const auto all_fitted = calibrate::fit_all(inputs, judgements, host);
  for (const auto& fitted : all_fitted[0]) {
    for (const calibrate::Numbers& part : fitted->parameters()) {
      append(all, part.values);
    }
    append(all, calibrate::scores_of(*fitted, view, host));
  }
  return all;
}

calibrate::Method method_of(calibrate::Kind kind) {
  calibrate::Method method;
  method.kind = kind;
  method.normalize = true;
  return method;
}

Numbers calibrate_regression(Host& host) {
  return calibrated(
      {method_of(calibrate::Kind::kLinear), method_of(calibrate::Kind::kLogistic),
       method_of(calibrate::Kind::kPolynomial)},
      host);
}

Numbers calibrate_sigmoid(Host& host) {
  std::vector<calibrate::Method> methods;
  for (const auto target :
       {calibrate::Target::kLogSigmoid, calibrate::Target::kEntropyWeighted,
        calibrate::Target::kExpectedLoss, calibrate::Target::kExpectedLabelLoss}) {
    methods.push_back(method_of(calibrate::Kind::kSigmoid));
    methods.back().target = target;
    methods.back().exponent = 1.5;
  }
  return calibrated(methods, host);
}

Numbers calibrate_soft_ndcg(Host& host) {
  calibrate::Method method = method_of(calibrate::Kind::kSigmoid);
  method.target = calibrate::Target::kSoftNdcg;
  return calibrated({method}, host);
}

Numbers calibrate_isotonic(Host& host) {
  return calibrated({method_of(calibrate::Kind::kIsotonic)}, host);
}

Numbers calibrate_naive(Host& host) {
  return calibrated({method_of(calibrate::Kind::kNaive)}, host);
}

Numbers calibrate_gaussian_process(Host& host) {
  return calibrated({method_of(calibrate::Kind::kGaussianProcess)}, host);
}

Numbers calibrate_network(Host& host) {
  calibrate::Method method = method_of(calibrate::Kind::kNetwork);
  method.start = bells(5 * 6 + 6, 61);  // five units and the output, six weights each
  return calibrated({method}, host);
}

// ---- Model trees ----------------------------------------------------------------------

void append_tree(const regress::ModelTree& grown, Numbers& to) {
  append_forest(grown.forest, to);
  append(to, grown.feature);
  append(to, grown.weight);
  append(to, grown.error);
  to.push_back(grown.deviation);
}

Numbers m5p(Host& host) {
  const Problem problem = make_problem({60, 20, 6, false}, 70);
  const regress::DenseValues values(problem.view());
  const data::BinnedMatrix binned(problem.view(), {}, host);
  const auto order =
      regress::content_order(values, problem.targets, problem.weights, host);
  Numbers all;
  for (const bool by_bins : {false, true}) {
    const regress::ModelTree grown = regress::grow_tree(
        values, by_bins ? &binned : nullptr, problem.targets, problem.weights, order,
        std::vector<std::uint8_t>(problem.columns, 1), {}, host);
    append_tree(grown, all);
    Numbers out(problem.rows());
    regress::predict_model_tree(view_of(grown.forest),
                                {grown.begin, grown.feature, grown.weight}, values,
                                problem.rows(), host, out.data());
    append(all, out);
  }
  return all;
}

Numbers bagging(Host& host) {
  const Problem problem = make_problem({40, 20, 6, false}, 71);
  const regress::DenseValues values(problem.view());
  const auto keys = regress::bag_keys(values, problem.grades, problem.query,
                                      problem.weights, false, host);
  regress::BagOptions options;
  options.seed = 3;
  options.feature_fraction = 0.7;
  Numbers all;
  for (const regress::ModelTree& grown :
       regress::grow_bag({values, nullptr, problem.targets, problem.weights, keys}, 3,
                         options, {}, host)) {
    append_tree(grown, all);
  }
  return all;
}

// ---- Explanations, metrics and mixtures -----------------------------------------------

Numbers explanations(Host& host, bool by_cover) {
  const Problem problem = make_problem({60, 20, 6, true}, 80);
  const data::BinnedMatrix binned(problem.view(), {}, host);
  boost::GbrtOptions options = small_trees();
  options.limits = {12};
  boost::Gbrt fit(binned, problem.targets, {}, options, host);
  fit.run(kTrees, kTrees, host);
  const tree::Forest& forest = fit.model().forest;
  constexpr std::size_t rows = 40;
  Numbers x;
  for (std::size_t j = 0; j < problem.columns; ++j) {
    const double* column = problem.view().col(j);
    x.insert(x.end(), column, column + rows);
  }
  Numbers all(rows * problem.columns, 0.0);
  const MatrixView<const double> view(x.data(), rows, problem.columns);
  if (by_cover) {
    all.push_back(explain::contributions_by_cover(
        view_of(forest), {forest.node_documents, forest.leaf_documents}, view, host,
        all.data()));
  } else {
    explain::contributions_by_background(view_of(forest), view, problem.view(), host,
                                         all.data());
  }
  return all;
}

Numbers explain_by_cover(Host& host) { return explanations(host, true); }
Numbers explain_by_background(Host& host) { return explanations(host, false); }

std::vector<const double*> columns_of(const Problem& problem) {
  std::vector<const double*> columns;
  for (std::size_t j = 0; j < problem.columns; ++j) {
    columns.push_back(problem.view().col(j));
  }
  return columns;
}

Numbers mix_weights(Host& host) {
  const Problem problem = make_problem({}, 81);
  Numbers all;
  for (const char* name : {"ndcg", "err"}) {
    const auto on = metric_named(name, 10);
    const metric::Judged judged = judged_of(problem, *on);
    const auto members = columns_of(problem);
    const mix::Selected selected = mix::select_members(
        judged, members, std::vector<int>{0, 1, 2, 3, 4, 5}, 2, 12, host);
    append(all, selected.members);
    append(all, selected.values);
    const mix::Ascent ascent = mix::ascend_weights(judged, members, 10, host);
    append(all, ascent.weights);
    all.push_back(ascent.value);
    Numbers mixed(problem.rows());
    mix::mix_scores(problem.view(), {ascent.weights.data(), problem.columns, 1}, host,
                    {mixed.data(), problem.rows(), 1});
    append(all, mixed);
  }
  return all;
}

Numbers aggregated(Host& host) {
  const Problem problem = make_problem({}, 82);
  Numbers all;
  for (const auto method :
       {mix::Aggregation::kBorda, mix::Aggregation::kMc1, mix::Aggregation::kMc2,
        mix::Aggregation::kMc3, mix::Aggregation::kMc4, mix::Aggregation::kBordaChain}) {
    append(all,
           mix::aggregate_ranks(problem.view(), problem.by_query(), method, 0.07, host));
  }
  return all;
}

Numbers fused(Host& host) {
  const Problem problem = make_problem({40, 20, 4, true}, 83);
  const mix::Lists lists{problem.view(), problem.by_query(), problem.positions};
  const Numbers weights{0.3, 1.0, 0.7, 1.1};
  Numbers all;
  for (const auto value : {mix::ListValue::kMinMax, mix::ListValue::kSum,
                           mix::ListValue::kZ, mix::ListValue::kBorda}) {
    mix::FusionOptions options;
    options.list_value = value;
    options.weights = weights;
    options.reward =
        value == mix::ListValue::kSum ? mix::Reward::kPower : mix::Reward::kLog;
    options.parameter = 1.3;
    append(all, mix::fuse_lists(lists, options, host));
  }
  mix::MajorityOptions majority;
  majority.weights = weights;
  majority.margins = true;
  append(all, mix::majority_scores(lists, majority, host));
  return all;
}

Numbers metrics(Host& host) {
  const Problem problem = make_problem({}, 84);
  std::vector<std::unique_ptr<metric::Metric>> all;
  for (const char* name :
       {"ndcg", "mean_ndcg", "average_precision", "err", "reciprocal_rank", "precision",
        "rbp", "bpref", "r_precision", "f_measure", "success", "recall"}) {
    for (const auto ties : {metric::Ties::kAverage, metric::Ties::kDocument}) {
      metric::MetricSpec spec;
      spec.name = name;
      spec.options.k = 7;
      spec.options.rule.ties = ties;
      spec.gain = {0, 1, 3, 7, 15};
      spec.discount = ties == metric::Ties::kAverage ? "log2" : "log";
      spec.relevant = 2;
      spec.max_grade = 4;
      spec.denominator = "relevant";
      spec.persistence = 0.8;
      spec.beta = 1.2;
      all.push_back(metric::make_metric(spec, 100));
    }
  }
  metric::Scores scores = columns_of(problem);
  scores.push_back(problem.scores.data());
  const std::size_t columns = all.size() * scores.size();
  Numbers out(problem.queries() * columns);
  metric::evaluate(all, scores, {problem.grades, problem.positions}, problem.by_query(),
                   host, {out.data(), problem.queries(), columns});
  return out;
}

Numbers resampled(Host& host) {
  const Numbers differences = bells(50, 85);
  const Numbers weights(50, 1.0 / 3.0);
  Numbers all = rankmix::compare::bootstrap_means(differences, weights, 200, 4, host);
  const std::vector<int> first{0, 0, 1};
  const std::vector<int> second{1, 2, 2};
  const std::vector<int> family{1, 1, 1};
  const Numbers values = bells(150, 86);
  const auto flips = rankmix::compare::joint_flips(
      {{values.data(), 50, 3}, weights, {}}, {first, second, family}, 0.05, 500, 4, host);
  all.insert(all.end(), flips.statistic.begin(), flips.statistic.end());
  all.push_back(flips.critical);
  all.push_back(static_cast<double>(flips.single[0]));
  return all;
}

// ---- The list -------------------------------------------------------------------------

struct Fit {
  const char* name;
  Numbers (*compute)(Host&);
};

constexpr char kLibrary[] = "library_functions";

const std::vector<Fit> kFits = {
    {"exponentials", exponentials},
    {"logarithms", logarithms},
    {"products", products},
    {"factors", factors},
    {"square_system", square_system},
    {"spectrum", spectrum},
    {"squared", squared},
    {"softmax", softmax},
    {"xendcg", xendcg},
    {"list_mle", list_mle},
    {"ordinal", ordinal},
    {"logistic", logistic},
    {"hinges", hinges},
    {"lambda_ndcg", lambda_ndcg},
    {"lambda_scaled", lambda_scaled},
    {"lambda_partners", lambda_partners},
    {"lambda_orders", lambda_orders},
    {"smooth_ndcg", smooth_ndcg},
    {"smooth_others", smooth_others},
    {"yeti", yeti},
    {"position_bias", position_bias},
    {"bins", bins},
    {"scaling", scaling},
    {"gbrt", gbrt},
    {"gbrt_double", gbrt_double},
    {"gbrt_long", gbrt_long},
    {"gbrt_oblivious", gbrt_oblivious},
    {"gbrt_dropout", gbrt_dropout},
    {"gbrt_monotone", gbrt_monotone},
    {"gbrt_limited_features", gbrt_limited_features},
    {"gbrt_limited_levels", gbrt_limited_levels},
    {"gbrt_squared", gbrt_squared},
    {"gbrt_softmax", gbrt_softmax},
    {"gbrt_xendcg", gbrt_xendcg},
    {"gbrt_list_mle", gbrt_list_mle},
    {"gbrt_ordinal", gbrt_ordinal},
    {"gbrt_logistic", gbrt_logistic},
    {"gbrt_hinge", gbrt_hinge},
    {"gbrt_lambda", gbrt_lambda},
    {"gbrt_lambda_scaled", gbrt_lambda_scaled},
    {"gbrt_smooth", gbrt_smooth},
    {"yetirank", yetirank},
    {"yetirank_limited", yetirank_limited},
    {"adaboost_tree", adaboost_tree},
    {"adaboost_stump", adaboost_stump},
    {"adaboost_product", adaboost_product},
    {"adaboost_hamming", adaboost_hamming},
    {"adaboost_bandit", adaboost_bandit},
    {"rankboost", rankboost},
    {"adarank", adarank},
    {"ridge", ridge},
    {"ridge_many_features", ridge_many_features},
    {"grouped_ridge", grouped_ridge},
    {"objective_fit", objective_fit},
    {"hinge_fit", hinge_fit},
    {"smooth_path", smooth_path},
    {"mcsvm", mcsvm},
    {"coordinate_ascent", coordinate_ascent},
    {"network_fit", network_fit},
    {"pair_network", pair_network},
    {"calibrate_regression", calibrate_regression},
    {"calibrate_sigmoid", calibrate_sigmoid},
    {"calibrate_soft_ndcg", calibrate_soft_ndcg},
    {"calibrate_isotonic", calibrate_isotonic},
    {"calibrate_naive", calibrate_naive},
    {"calibrate_gaussian_process", calibrate_gaussian_process},
    {"calibrate_network", calibrate_network},
    {"m5p", m5p},
    {"bagging", bagging},
    {"explain_by_cover", explain_by_cover},
    {"explain_by_background", explain_by_background},
    {"mix_weights", mix_weights},
    {"aggregated", aggregated},
    {"fused", fused},
    {"metrics", metrics},
    {"resampled", resampled},
};

std::uint64_t digest_with(const Fit& fit, bool avx2, unsigned threads) {
  ThreadHost host(threads);
  rankmix::allow_avx2(avx2);
  const std::uint64_t digest = digest_of(fit.compute(host));
  rankmix::allow_avx2(true);
  return digest;
}

std::uint64_t known_digest(const std::string& name) {
  for (const KnownDigest& known : kDigests) {
    if (name == known.name) {
      return known.digest;
    }
  }
  return 0;
}

bool same_library() {
  return digest_with({kLibrary, library_functions}, true, 1) == known_digest(kLibrary);
}

void write_digests(const std::string& path) {
  std::ofstream file(path);
  file << "// The digests of test_digests.cpp, which writes this file.\n"
          "#pragma once\n"
          "#include <cstdint>\n\n"
          "struct KnownDigest {\n"
          "  const char* name;\n"
          "  std::uint64_t digest;\n"
          "};\n\n"
          "constexpr KnownDigest kDigests[] = {\n";
  std::vector<Fit> all = kFits;
  all.insert(all.begin(), {kLibrary, library_functions});
  for (const Fit& fit : all) {
    file << "    {\"" << fit.name << "\", 0x" << std::hex << std::setw(16)
         << std::setfill('0') << digest_with(fit, true, 1) << "},\n";
  }
  file << "};\n";
}

}  // namespace

TEST_CASE("digests of small fits are the same with and without AVX2, and on threads") {
  for (const Fit& fit : kFits) {
    const std::string name = fit.name;
    CAPTURE(name);
    const std::uint64_t digest = digest_with(fit, true, 1);
    CHECK(digest_with(fit, false, 1) == digest);
    CHECK(digest_with(fit, true, 2) == digest);
    CHECK(digest_with(fit, false, 2) == digest);
  }
}

TEST_CASE("digests of small fits equal digests.h") {
  if (const char* path = std::getenv("RANKMIX_WRITE_DIGESTS")) {
    write_digests(path);
    return;
  }
  if (!same_library()) {
    MESSAGE("This C library gives other bits: not compared with digests.h.");
    return;
  }
  for (const Fit& fit : kFits) {
    const std::string name = fit.name;
    CAPTURE(name);
    CHECK(digest_with(fit, true, 1) == known_digest(fit.name));
  }
}

#include "fits.h"

#include <memory>
#include <stdexcept>
#include <utility>

#include "core/boost/adaboost_mh.h"
#include "core/boost/base_tree.h"
#include "core/boost/gbrt.h"
#include "core/boost/row_order.h"
#include "core/metric/factory.h"
#include "core/objective/lambda.h"

namespace replay {
namespace {

namespace boost = rankmix::boost;
namespace objective = rankmix::objective;
using rankmix::Host;
using rankmix::data::BinnedMatrix;

constexpr int kClasses = 5;

std::unique_ptr<objective::Objective> lambdas(const DataSet& data) {
  rankmix::metric::MetricSpec spec;
  spec.name = "ndcg";
  spec.options.k = rankmix::metric::kWholeList;
  spec.gain = {0, 1, 3, 7, 15};
  spec.discount = "log2";
  objective::LambdaOptions options;
  options.top = 30;
  return std::make_unique<objective::Lambda>(
      rankmix::metric::make_metric(spec, data.rows), options);
}

boost::GbrtOptions options_of(bool is_squared) {
  boost::GbrtOptions options;
  options.limits.leaves = 64;
  options.min_documents = 20.0;
  options.l2 = is_squared ? 0.0 : 1.0;
  return options;
}

void run_rounds(boost::Gbrt& gbrt, std::size_t rounds, Host& host, const Phases& phases) {
  // The tree after the trees that determine the order also belongs to the phase
  // "order", because it touches memory for the first time.
  constexpr std::size_t first = boost::RowOrder::kTrees + 1;
  phases("order");
  gbrt.run(first, first + rounds, host);
  phases("rounds");
  gbrt.run(rounds, first + rounds, host);
}

void train_gbrt(bool is_squared, const DataSet& data, BinnedMatrix& bins,
                std::size_t rounds, Host& host, const Phases& phases) {
  const objective::Documents documents{
      data.queries(), data.grades, data.targets, {}, {}, {}};
  const boost::GbrtOptions options = options_of(is_squared);
  auto gbrt =
      is_squared
          ? std::make_unique<boost::Gbrt>(bins, data.targets,
                                          rankmix::View<const double>(), options, host)
          : std::make_unique<boost::Gbrt>(bins, lambdas(data), documents, options, host);
  gbrt->own(bins);
  run_rounds(*gbrt, rounds, host, phases);
}

void train_adaboost(const DataSet& data, const BinnedMatrix& bins, std::size_t rounds,
                    Host& host, const Phases& phases) {
  boost::TreeLearner learner(8);
  boost::AdaBoost booster(bins, data.grades, {}, kClasses, {}, learner, host);
  phases("order");  // no rows are reordered, but memory is touched first here
  booster.run(1, rounds + 1, host);
  phases("rounds");
  booster.run(rounds, rounds + 1, host);
}

}  // namespace

void train(const std::string& kind, const DataSet& data, std::size_t rounds, Host& host,
           const Phases& phases) {
  if (kind != "squared" && kind != "lambda" && kind != "adaboost") {
    throw std::invalid_argument("unknown kind of fit: " + kind);
  }
  phases("binning");
  BinnedMatrix bins(data.matrix(), {}, host);
  phases("start");
  if (kind == "adaboost") {
    train_adaboost(data, bins, rounds, host, phases);
  } else {
    train_gbrt(kind == "squared", data, bins, rounds, host, phases);
  }
}

}  // namespace replay

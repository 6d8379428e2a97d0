// Glue: networks.
#include "bind_network.h"

#include <Rcpp.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bind_objective.h"
#include "core/base/errors.h"
#include "core/network/pair_network.h"
#include "core/network/predict.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace network = rankmix::network;

namespace {

network::Activation activation_of(const std::string& name) {
  if (name == "tanh") {
    return network::Activation::kTanh;
  }
  return name == "logistic" ? network::Activation::kLogistic : network::Activation::kRelu;
}

network::Normalization normalization_of(const std::string& name) {
  if (name == "batch") {
    return network::Normalization::kBatch;
  }
  return name == "layer" ? network::Normalization::kLayer : network::Normalization::kNone;
}

network::Shape shape_of(const Rcpp::List& spec, std::size_t inputs) {
  network::Shape shape;
  shape.inputs = inputs;
  for (double units : Rcpp::as<std::vector<double>>(spec["hidden"])) {
    shape.hidden.push_back(static_cast<std::size_t>(units));
  }
  shape.activation = activation_of(Rcpp::as<std::string>(spec["activation"]));
  shape.normalization = normalization_of(Rcpp::as<std::string>(spec["normalize"]));
  return shape;
}

network::Options options_of(const Rcpp::List& spec, std::size_t inputs, double seed) {
  network::Options options;
  options.shape = shape_of(spec, inputs);
  options.epochs = static_cast<std::size_t>(Rcpp::as<double>(spec["epochs"]));
  options.batch = static_cast<std::size_t>(Rcpp::as<double>(spec["batch_size"]));
  options.learning_rate = Rcpp::as<double>(spec["learning_rate"]);
  options.decay = Rcpp::as<double>(spec["weight_decay"]);
  options.dropout = Rcpp::as<double>(spec["dropout"]);
  options.logarithms = Rcpp::as<bool>(spec["log1p"]);
  options.seed = static_cast<std::uint64_t>(seed);
  return options;
}

const char* name_of(network::Status status) {
  switch (status) {
    case network::Status::kStalled:
      return "stalled";
    case network::Status::kDiverged:
      return "diverged";
    default:
      return "limit";
  }
}

// Row numbers of pairs, which R counts from 1.
class PairsOfR {
 public:
  PairsOfR(const Rcpp::IntegerVector& worse, const Rcpp::IntegerVector& better,
           const Rcpp::NumericVector& weights)
      : worse_(from_zero(worse)), better_(from_zero(better)), weights_(weights) {}
  network::DocumentPairs view() const {
    return {worse_, better_, rankmix::double_view(weights_)};
  }

 private:
  static std::vector<int> from_zero(const Rcpp::IntegerVector& rows) {
    std::vector<int> out(rows.begin(), rows.end());
    for (int& row : out) {
      --row;
    }
    return out;
  }
  std::vector<int> worse_;
  std::vector<int> better_;
  Rcpp::NumericVector weights_;
};

}  // namespace

// Starts a training without epochs.
// [[Rcpp::export(rng = false)]]
NetworkPointer net_start(const Rcpp::RObject& x, const Rcpp::List& objective,
                         const Rcpp::List& documents, const Rcpp::List& spec, double seed,
                         int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::DocumentsOfR known(documents);
    return rankmix::with_features(x, [&](const auto& view) {
      return NetworkPointer(
          new network::Training(view, rankmix::make_objective(objective), known.view(),
                                options_of(spec, view.cols(), seed), host));
    });
  });
}

// Adds epochs and returns their total number. `total` is the final number, for the
// progress.
// [[Rcpp::export(rng = false)]]
Rcpp::List net_run(NetworkPointer fit, int epochs, int total, int threads,
                   const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    fit->run(static_cast<std::size_t>(epochs), static_cast<std::size_t>(total), host);
    return Rcpp::List::create(
        Rcpp::Named("rounds") = static_cast<int>(fit->model().values.size()),
        Rcpp::Named("status") = name_of(fit->model().status));
  });
}

// `weights` has one column for each epoch from `first` on. `total_weight` is 0 if there
// is nothing to learn from the data.
// [[Rcpp::export(rng = false)]]
Rcpp::List net_model(NetworkPointer fit, int first) {
  return rankmix::guarded([&] {
    const network::Model& model = fit->model();
    Rcpp::NumericMatrix weights(static_cast<int>(model.numbers[0].size()),
                                static_cast<int>(model.numbers.size()) - first);
    double* to = REAL(weights);
    for (auto e = static_cast<std::size_t>(first); e < model.numbers.size(); ++e) {
      to = std::copy(model.numbers[e].begin(), model.numbers[e].end(), to);
    }
    return Rcpp::List::create(
        Rcpp::Named("weights") = weights, Rcpp::Named("center") = model.scale.center,
        Rcpp::Named("factor") = model.scale.factor, Rcpp::Named("values") = model.values,
        Rcpp::Named("total_weight") = fit->total_weight(),
        Rcpp::Named("status") = name_of(model.status));
  });
}

// Value and gradient over all documents, without dropout, at the current weights.
// [[Rcpp::export(rng = false)]]
Rcpp::List net_gradient(NetworkPointer fit, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const network::Gradient gradient = fit->gradient(host);
    return Rcpp::List::create(Rcpp::Named("value") = gradient.value,
                              Rcpp::Named("derivatives") = gradient.derivatives);
  });
}

// Scores, documents x columns of `weights`.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix net_predict(const Rcpp::RObject& x, const Rcpp::List& spec,
                                const Rcpp::NumericVector& center,
                                const Rcpp::NumericVector& factor,
                                const Rcpp::NumericMatrix& weights, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const network::InputScale scale{Rcpp::as<bool>(spec["log1p"]),
                                    Rcpp::as<std::vector<double>>(center),
                                    Rcpp::as<std::vector<double>>(factor)};
    return rankmix::with_features(x, [&](const auto& view) {
      const network::Shape shape = shape_of(spec, view.cols());
      auto scores = rankmix::new_zero_matrix<Rcpp::NumericMatrix>(
          view.rows(), static_cast<std::size_t>(weights.ncol()));
      const auto numbers = rankmix::matrix_view(weights);
      for (std::size_t k = 0; k < numbers.cols(); ++k) {
        network::predict(shape, scale, {numbers.col(k), numbers.rows()}, view, host,
                         REAL(scores) + k * view.rows());
      }
      return scores;
    });
  });
}

// Trains the network of pair_chain(). `u` is documents x numbers.
// [[Rcpp::export(rng = false)]]
Rcpp::List pair_network_fit(const Rcpp::NumericMatrix& u,
                            const Rcpp::IntegerVector& worse,
                            const Rcpp::IntegerVector& better,
                            const Rcpp::NumericVector& weights, double decay,
                            int max_steps, const std::vector<double>& start,
                            int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const PairsOfR pairs(worse, better, weights);
    const network::SingleLayerFit fit =
        network::fit_pair_network(rankmix::matrix_view(u), pairs.view(), decay,
                                  static_cast<std::size_t>(max_steps), start, host);
    return Rcpp::List::create(Rcpp::Named("weights") = fit.weights,
                              Rcpp::Named("value") = fit.end.value,
                              Rcpp::Named("steps") = static_cast<int>(fit.end.steps),
                              Rcpp::Named("converged") = fit.end.converged);
  });
}

// The probabilities of pairs in the order (worse, better), and in the other order: one
// column for each.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix pair_network_outputs(const Rcpp::NumericVector& network_weights,
                                         const Rcpp::NumericMatrix& u,
                                         const Rcpp::IntegerVector& worse,
                                         const Rcpp::IntegerVector& better, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const PairsOfR pairs(worse, better, {});
    const std::vector<double> found =
        network::pair_outputs(rankmix::double_view(network_weights),
                              rankmix::matrix_view(u), pairs.view(), host);
    auto out = rankmix::new_matrix<Rcpp::NumericMatrix>(found.size() / 2, 2);
    std::copy(found.begin(), found.end(), out.begin());
    return out;
  });
}

// The matrices of pair_chances(), one after the other.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector pair_network_chances(const Rcpp::NumericVector& network_weights,
                                         const Rcpp::NumericMatrix& u,
                                         const Rcpp::IntegerVector& offsets,
                                         int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const std::vector<double> found =
        network::pair_chances(rankmix::double_view(network_weights),
                              rankmix::matrix_view(u), rankmix::int_view(offsets), host);
    auto out = rankmix::new_vector<Rcpp::NumericVector>(found.size());
    std::copy(found.begin(), found.end(), out.begin());
    return out;
  });
}

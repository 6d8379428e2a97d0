// Glue: click models.
#include <Rcpp.h>

#include <string>

#include "core/click/chain_model.h"
#include "core/click/factor_model.h"
#include "core/click/predict.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace click = rankmix::click;

namespace {

// The vectors of a log, which must outlive the view.
struct LogVectors {
  explicit LogVectors(const Rcpp::List& log)
      : starts(log["starts"]),
        pair(log["pair"]),
        clicked(log["clicked"]),
        pairs(Rcpp::as<Rcpp::List>(log["pairs"])),
        depth(Rcpp::as<int>(log["depth"])) {}

  click::Sessions view(const Rcpp::IntegerVector& copies) const {
    click::Sessions log;
    log.starts = rankmix::int_view(starts);
    log.pair = rankmix::int_view(pair);
    log.clicked = rankmix::int_view(clicked);
    log.copies = rankmix::int_view(copies);
    log.pairs = pairs.size() == 0 ? 0 : static_cast<std::size_t>(Rf_xlength(pairs[0]));
    log.depth = static_cast<std::size_t>(depth);
    return log;
  }

  Rcpp::IntegerVector starts, pair, clicked;
  Rcpp::List pairs;
  int depth;
};

click::ModelKind kind_of(const std::string& name) {
  return name == "pbm"       ? click::ModelKind::kPosition
         : name == "cascade" ? click::ModelKind::kCascade
         : name == "dbn"     ? click::ModelKind::kDynamicBayes
         : name == "ubm"     ? click::ModelKind::kUserBrowsing
                             : click::ModelKind::kDependentClick;
}

Rcpp::List wrap_factors(const click::FactorFit& fit) {
  return Rcpp::List::create(Rcpp::Named("attraction") = rankmix::copied(fit.attraction),
                            Rcpp::Named("position") = rankmix::copied(fit.examination),
                            Rcpp::Named("shown") = rankmix::copied(fit.shown),
                            Rcpp::Named("linked") = rankmix::copied(fit.linked),
                            Rcpp::Named("information") = rankmix::copied(fit.information),
                            Rcpp::Named("log_likelihood") = fit.log_likelihood,
                            Rcpp::Named("iterations") = static_cast<int>(fit.iterations),
                            Rcpp::Named("converged") = fit.converged);
}

Rcpp::List wrap_chain(const click::ChainFit& fit) {
  return Rcpp::List::create(
      Rcpp::Named("attraction") = rankmix::copied(fit.attraction),
      Rcpp::Named("satisfaction") = rankmix::copied(fit.satisfaction),
      Rcpp::Named("position") = rankmix::copied(fit.continuation),
      Rcpp::Named("shown") = rankmix::copied(fit.trials),
      Rcpp::Named("log_likelihood") = fit.log_likelihood,
      Rcpp::Named("iterations") = static_cast<int>(fit.iterations),
      Rcpp::Named("converged") = fit.converged);
}

}  // namespace

// `copies` is the number of copies of each session. If it is empty, each session counts
// once. `fixed` has the examination probability of each position if it is known, else it
// is empty.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_click_model(const Rcpp::List& log, const std::string& model,
                           const Rcpp::IntegerVector& copies,
                           const Rcpp::NumericVector& fixed,
                           const Rcpp::NumericVector& prior, double tolerance,
                           double max_iterations, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const LogVectors vectors(log);
    const click::Sessions sessions = vectors.view(copies);
    const click::FitOptions options{
        {prior[0], prior[1]}, tolerance, static_cast<std::size_t>(max_iterations)};
    switch (kind_of(model)) {
      case click::ModelKind::kCascade:
        return wrap_chain(click::fit_cascade(sessions, options));
      case click::ModelKind::kDependentClick:
        return wrap_chain(click::fit_dependent_clicks(sessions, options, host));
      case click::ModelKind::kDynamicBayes:
        return wrap_chain(click::fit_dynamic_bayes(sessions, options, host));
      default:
        break;
    }
    const click::Contexts contexts(model == "pbm" ? click::ContextKind::kPosition
                                                  : click::ContextKind::kPreviousClick,
                                   sessions.depth);
    return wrap_factors(click::fit_factors(sessions, contexts,
                                           rankmix::double_view(fixed), options, host));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List predict_clicks(const Rcpp::List& log, const std::string& model,
                          const Rcpp::NumericVector& attraction,
                          const Rcpp::NumericVector& satisfaction,
                          const Rcpp::NumericVector& position, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const LogVectors vectors(log);
    click::Parameters parameters;
    parameters.kind = kind_of(model);
    parameters.attraction = rankmix::double_view(attraction);
    parameters.satisfaction = rankmix::double_view(satisfaction);
    parameters.position = rankmix::double_view(position);
    const click::RowPredictions found =
        click::predict_rows(vectors.view(Rcpp::IntegerVector(0)), parameters, host);
    return Rcpp::List::create(
        Rcpp::Named("click") = rankmix::copied(found.click),
        Rcpp::Named("examination") = rankmix::copied(found.examination),
        Rcpp::Named("conditional") = rankmix::copied(found.conditional));
  });
}

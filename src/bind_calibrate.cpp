// Glue: calibration.
#include <Rcpp.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "core/calibrate/calibration.h"
#include "core/calibrate/fit.h"
#include "core/calibrate/naive.h"
#include "core/calibrate/sigmoid.h"
#include "core/calibrate/soft_ndcg.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace {

namespace calibrate = rankmix::calibrate;

Rcpp::NumericVector as_vector(const calibrate::SigmoidTarget& target) {
  return Rcpp::NumericVector::create(Rcpp::Named("value") = target.value,
                                     Rcpp::Named("da") = target.da,
                                     Rcpp::Named("db") = target.db);
}

calibrate::SigmoidLoss loss_of(const std::string& name) {
  static const std::map<std::string, calibrate::SigmoidLoss> table = {
      {"log_sigmoid", calibrate::SigmoidLoss::kLogSigmoid},
      {"entropy_weighted", calibrate::SigmoidLoss::kEntropyWeighted},
      {"expected_loss", calibrate::SigmoidLoss::kExpectedLoss},
      {"expected_label_loss", calibrate::SigmoidLoss::kExpectedLabelLoss}};
  const auto entry = table.find(name);
  if (entry == table.end()) {
    throw rankmix::InvalidArgument("unknown target " + name);
  }
  return entry->second;
}

rankmix::data::Queries queries_of(const Rcpp::IntegerVector& order,
                                  const Rcpp::IntegerVector& offsets) {
  return {rankmix::int_view(order), rankmix::int_view(offsets)};
}

// An element of a list, or NULL. Does not use Rcpp objects, which must be protected from
// the garbage collector. That is too slow here, because elements are read for every
// member of a mixture.
SEXP field_of(SEXP list, const char* name) {
  if (TYPEOF(list) != VECSXP) {
    throw rankmix::InvalidArgument("a calibrator is no list");
  }
  const SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    if (std::strcmp(CHAR(STRING_ELT(names, i)), name) == 0) {
      return VECTOR_ELT(list, i);
    }
  }
  return R_NilValue;
}

std::string text_of(SEXP method, const char* name) {
  const SEXP text = field_of(method, name);
  return Rf_isString(text) && Rf_xlength(text) == 1 ? CHAR(STRING_ELT(text, 0)) : "";
}

double number_of(SEXP method, const char* name, double otherwise) {
  const SEXP number = field_of(method, name);
  return Rf_isNull(number) ? otherwise : Rcpp::as<double>(number);
}

// The result of held_out() in R. Keeps the R vectors alive.
class HeldOutR {
 public:
  explicit HeldOutR(const Rcpp::List& held)
      : grades_(held["relevance"]),
        weights_(held["weight"]),
        order_(held["order"]),
        offsets_(held["offsets"]),
        ideal_(held["ideal"]),
        unit_(number_of(held, "unit", 1.0)) {}
  calibrate::Judgements view() const {
    return {rankmix::int_view(grades_), rankmix::double_view(weights_),
            queries_of(order_, offsets_), rankmix::double_view(ideal_), unit_};
  }

 private:
  Rcpp::IntegerVector grades_;
  Rcpp::NumericVector weights_;
  Rcpp::IntegerVector order_;
  Rcpp::IntegerVector offsets_;
  Rcpp::NumericVector ideal_;
  double unit_;
};

template <class Value>
Value by_name(const std::map<std::string, Value>& table, const std::string& name) {
  const auto entry = table.find(name);
  if (entry == table.end()) {
    throw rankmix::InvalidArgument("unknown calibrator " + name);
  }
  return entry->second;
}

calibrate::Kind kind_of(SEXP method) {
  using calibrate::Kind;
  static const std::map<std::string, Kind> kinds = {
      {"naive", Kind::kNaive},           {"cpc", Kind::kSigmoid},
      {"linear", Kind::kLinear},         {"logistic", Kind::kLogistic},
      {"polynomial", Kind::kPolynomial}, {"network", Kind::kNetwork},
      {"isotonic", Kind::kIsotonic},     {"gaussian_process", Kind::kGaussianProcess}};
  const std::string name = text_of(method, "name");
  return by_name(kinds, name == "rbc" ? text_of(method, "model") : name);
}

// Converts the settings of a calibrator from R.
calibrate::Method method_of(SEXP method) {
  using calibrate::Target;
  static const std::map<std::string, Target> targets = {
      {"log_sigmoid", Target::kLogSigmoid},
      {"entropy_weighted", Target::kEntropyWeighted},
      {"expected_loss", Target::kExpectedLoss},
      {"expected_label_loss", Target::kExpectedLabelLoss},
      {"soft_ndcg", Target::kSoftNdcg}};
  calibrate::Method found;
  found.kind = kind_of(method);
  if (found.kind == calibrate::Kind::kSigmoid) {
    found.target = by_name(targets, text_of(method, "target"));
  }
  found.exponent = number_of(method, "exponent", 0.0);
  found.sigma = number_of(method, "sigma", 0.01);
  found.degree = static_cast<std::size_t>(number_of(method, "degree", 2.0));
  found.decay = number_of(method, "weight_decay", 1.0);
  found.normalize = !Rf_isNull(field_of(method, "normalize"));
  found.grades = text_of(method, "score") == "grade";
  const SEXP start = field_of(method, "start");
  if (!Rf_isNull(start)) {
    found.start = Rcpp::as<std::vector<double>>(start);
  }
  return found;
}

// Converts inputs from R: each is a list of `f`, `range` and `methods`.
class InputsR {
 public:
  explicit InputsR(const Rcpp::List& inputs) {
    for (R_xlen_t i = 0; i < inputs.size(); ++i) {
      const Rcpp::List input(inputs[i]);
      matrices_.emplace_back(input["f"]);
      std::vector<calibrate::Method> methods;
      for (const SEXP method : Rcpp::List(input["methods"])) {
        methods.push_back(method_of(method));
      }
      inputs_.push_back({rankmix::matrix_view(matrices_.back()),
                         Rcpp::as<double>(input["range"]), std::move(methods)});
    }
  }
  const std::vector<calibrate::Input>& view() const { return inputs_; }

 private:
  std::vector<Rcpp::NumericMatrix> matrices_;
  std::vector<calibrate::Input> inputs_;
};

Rcpp::List list_of(const calibrate::Parameters& parameters) {
  Rcpp::List out(static_cast<R_xlen_t>(parameters.size()));
  Rcpp::CharacterVector names(out.size());
  for (R_xlen_t i = 0; i < out.size(); ++i) {
    const calibrate::Numbers& numbers = parameters[static_cast<std::size_t>(i)];
    names[i] = numbers.name;
    if (numbers.rows > 0) {
      out[i] = Rcpp::NumericMatrix(static_cast<int>(numbers.rows),
                                   static_cast<int>(numbers.values.size() / numbers.rows),
                                   numbers.values.begin());
    } else {
      out[i] = Rcpp::NumericVector(numbers.values.begin(), numbers.values.end());
    }
  }
  out.names() = names;
  return out;
}

// Appends the parameters of a fitted calibrator.
void add_numbers(SEXP list, calibrate::Parameters& out) {
  const SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    const SEXP value = VECTOR_ELT(list, i);
    const char* name = CHAR(STRING_ELT(names, i));
    if (std::strcmp(name, "method") == 0) {
      continue;
    }
    if (TYPEOF(value) == REALSXP) {
      out.push_back({name, {REAL(value), REAL(value) + Rf_xlength(value)}, 0});
    } else if (Rf_isNumeric(value)) {
      out.push_back({name, Rcpp::as<std::vector<double>>(value), 0});
    }
  }
}

std::unique_ptr<calibrate::Calibration> calibration_of(SEXP fitted,
                                                       std::size_t discriminants) {
  // Reads only the required part of the method, because this runs for each member in a
  // prediction.
  const SEXP method = field_of(fitted, "method");
  const calibrate::Kind kind = kind_of(method);
  calibrate::Parameters parameters;
  if (kind == calibrate::Kind::kNaive) {
    parameters.push_back(
        {"gains", calibrate::naive_gains(discriminants, method_of(method).grades), 0});
  }
  add_numbers(fitted, parameters);
  return calibrate::make_calibration(kind, parameters, discriminants);
}

// The input matrices of the calibrators of several models. Keeps the R objects alive.
class SeenR {
 public:
  explicit SeenR(const Rcpp::List& inputs) {
    matrices_.reserve(static_cast<std::size_t>(inputs.size()));
    for (const SEXP input : inputs) {
      matrices_.emplace_back(input);
      if (matrices_.back().nrow() != documents()) {
        throw rankmix::InvalidArgument("inputs of calibrators differ in documents");
      }
    }
  }
  int documents() const { return matrices_.empty() ? 0 : matrices_.front().nrow(); }
  // Matrix number i, counted from 1.
  rankmix::MatrixView<const double> view(int i) const {
    return rankmix::matrix_view(matrices_.at(static_cast<std::size_t>(i - 1)));
  }

 private:
  std::vector<Rcpp::NumericMatrix> matrices_;
};

// Calls use(member, scores) for each member, with the scores times `scale`. See
// members_scores().
template <class Use>
void for_each_member(const Rcpp::List& fitted, const SeenR& seen,
                     const Rcpp::IntegerVector& input_of,
                     const Rcpp::NumericVector& scale, rankmix::Host& host,
                     const Use& use) {
  for (R_xlen_t m = 0; m < fitted.size(); ++m) {
    const rankmix::MatrixView<const double> f = seen.view(input_of[m]);
    std::vector<double> scores =
        calibrate::scores_of(*calibration_of(fitted[m], f.cols()), f, host);
    for (double& score : scores) {
      score *= scale[m];
    }
    use(m, scores);
  }
}

}  // namespace

// If `weights` is empty, all documents have equal weights.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector sigmoid_target(const std::string& loss, double exponent,
                                   const Rcpp::NumericMatrix& f,
                                   const Rcpp::IntegerVector& grades,
                                   const Rcpp::NumericVector& weights, double a, double b,
                                   int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return as_vector(calibrate::sigmoid_target(
        loss_of(loss), exponent, rankmix::matrix_view(f), rankmix::int_view(grades),
        rankmix::double_view(weights), a, b, host));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector soft_ndcg_target(double sigma, const Rcpp::NumericMatrix& f,
                                     const Rcpp::List& held, double a, double b,
                                     int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const HeldOutR judged(held);
    const rankmix::MatrixView<const double> view = rankmix::matrix_view(f);
    calibrate::check_holdout(view, judged.view());
    std::vector<std::size_t> queries(judged.view().queries.count());
    std::iota(queries.begin(), queries.end(), std::size_t{0});
    const calibrate::SomeQueries all(view, judged.view(), queries, calibrate::Rows::kAll);
    return as_vector(calibrate::soft_ndcg_target(sigma, all.view(), a, b,
                                                 calibrate::Derivatives::kAll, host));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix sigmoid_probabilities(const Rcpp::NumericMatrix& f, double a,
                                          double b, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    auto out = rankmix::new_zero_matrix<Rcpp::NumericMatrix>(
        static_cast<std::size_t>(f.nrow()), static_cast<std::size_t>(f.ncol()));
    calibrate::sigmoid_probabilities(rankmix::matrix_view(f), a, b, host,
                                     rankmix::writable_view(out));
    return out;
  });
}

// The indices of the queries of positive weight, from 1, sorted by content. `f` is
// documents x discriminants.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector sorted_queries(const Rcpp::List& held, const Rcpp::NumericMatrix& f) {
  return rankmix::guarded([&] {
    const HeldOutR judged(held);
    const rankmix::MatrixView<const double> view = rankmix::matrix_view(f);
    calibrate::check_holdout(view, judged.view());
    const std::vector<std::size_t> sorted =
        calibrate::sorted_queries(view, judged.view());
    auto out = rankmix::new_vector<Rcpp::IntegerVector>(sorted.size());
    std::transform(sorted.begin(), sorted.end(), out.begin(),
                   [](std::size_t query) { return static_cast<int>(query) + 1; });
    return out;
  });
}

// The fitted calibrators of each input, as lists of lists of numbers.
// [[Rcpp::export(rng = false)]]
Rcpp::List calibrators_fit(const Rcpp::List& inputs, const Rcpp::List& held, int threads,
                           const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    const InputsR of(inputs);
    const HeldOutR judged(held);
    const std::vector<calibrate::Fitted> fitted =
        calibrate::fit_all(of.view(), judged.view(), host);
    Rcpp::List out(inputs.size());
    for (std::size_t i = 0; i < fitted.size(); ++i) {
      Rcpp::List each(static_cast<R_xlen_t>(fitted[i].size()));
      for (std::size_t m = 0; m < fitted[i].size(); ++m) {
        each[static_cast<R_xlen_t>(m)] = list_of(fitted[i][m]->parameters());
      }
      out[static_cast<R_xlen_t>(i)] = each;
    }
    return out;
  });
}

// Out-of-fold scores of all documents. For each input a list with one vector for each
// method.
// [[Rcpp::export(rng = false)]]
Rcpp::List calibrators_crossfit(const Rcpp::List& inputs, const Rcpp::List& held,
                                int parts, int threads, const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    const InputsR of(inputs);
    const HeldOutR judged(held);
    const auto scores = calibrate::crossfit_all(of.view(), judged.view(),
                                                static_cast<std::size_t>(parts), host);
    Rcpp::List out(inputs.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      Rcpp::List each(static_cast<R_xlen_t>(scores[i].size()));
      for (std::size_t m = 0; m < scores[i].size(); ++m) {
        each[static_cast<R_xlen_t>(m)] =
            Rcpp::NumericVector(scores[i][m].begin(), scores[i][m].end());
      }
      out[static_cast<R_xlen_t>(i)] = each;
    }
    return out;
  });
}

// A list with the scores of each fitted calibrator.
// [[Rcpp::export(rng = false)]]
Rcpp::List calibrators_scores(const Rcpp::List& fitted, const Rcpp::NumericMatrix& f,
                              int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::MatrixView<const double> view = rankmix::matrix_view(f);
    Rcpp::List out(fitted.size());
    for (R_xlen_t i = 0; i < fitted.size(); ++i) {
      const std::vector<double> scores =
          calibrate::scores_of(*calibration_of(fitted[i], view.cols()), view, host);
      out[i] = Rcpp::NumericVector(scores.begin(), scores.end());
    }
    return out;
  });
}

// The scores of all members, documents x members, each times its `scale`. `input_of` is
// the index of each member's matrix in `inputs`, from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix members_scores(const Rcpp::List& fitted, const Rcpp::List& inputs,
                                   const Rcpp::IntegerVector& input_of,
                                   const Rcpp::NumericVector& scale, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const SeenR seen(inputs);
    auto out = rankmix::new_zero_matrix<Rcpp::NumericMatrix>(
        static_cast<std::size_t>(seen.documents()),
        static_cast<std::size_t>(fitted.size()));
    double* to = REAL(out);
    for_each_member(fitted, seen, input_of, scale, host,
                    [&](R_xlen_t, const std::vector<double>& scores) {
                      to = std::copy(scores.begin(), scores.end(), to);
                    });
    return out;
  });
}

// The weighted sum of the scores of members_scores(), added in the order of the members.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector members_mixed(const Rcpp::List& fitted, const Rcpp::List& inputs,
                                  const Rcpp::IntegerVector& input_of,
                                  const Rcpp::NumericVector& scale,
                                  const Rcpp::NumericVector& weights, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const SeenR seen(inputs);
    auto out = rankmix::new_zeros<Rcpp::NumericVector>(
        static_cast<std::size_t>(seen.documents()));
    for_each_member(fitted, seen, input_of, scale, host,
                    [&](R_xlen_t m, const std::vector<double>& scores) {
                      for (std::size_t i = 0; i < scores.size(); ++i) {
                        out[static_cast<R_xlen_t>(i)] += weights[m] * scores[i];
                      }
                    });
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector naive_gains(const Rcpp::NumericMatrix& f, double range,
                                const Rcpp::NumericVector& gains) {
  return rankmix::guarded([&] {
    auto out =
        rankmix::new_zeros<Rcpp::NumericVector>(static_cast<std::size_t>(f.nrow()));
    rankmix::calibrate::naive_scores(rankmix::matrix_view(f), range,
                                     rankmix::double_view(gains), 0,
                                     static_cast<std::size_t>(f.nrow()), REAL(out));
    return out;
  });
}

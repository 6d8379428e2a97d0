#include "core/click/predict.h"

#include "core/base/blocks.h"
#include "core/click/pair_counts.h"

namespace rankmix::click {
namespace {

class Predictor {
 public:
  Predictor(const Sessions& log, const Parameters& parameters, RowPredictions& out)
      : log_(log), parameters_(parameters), out_(out) {}

  void predict(std::size_t session) {
    switch (parameters_.kind) {
      case ModelKind::kPosition:
        return predict_positions(session);
      case ModelKind::kUserBrowsing:
        return predict_browsing(session);
      default:
        return predict_chain(session);
    }
  }

 private:
  double attraction(std::size_t row) const {
    return parameters_.attraction[log_.pair_of(row)];
  }

  void predict_positions(std::size_t session) {
    for (std::size_t row = log_.begin(session); row < log_.end(session); ++row) {
      const double g = parameters_.position[row - log_.begin(session)];
      out_.examination[row] = g;
      out_.click[row] = attraction(row) * g;
      out_.conditional[row] = out_.click[row];
    }
  }

  // last_[r]: the probability that the last click so far was at position r; 0 for none.
  void predict_browsing(std::size_t session) {
    const Contexts contexts(ContextKind::kPreviousClick, log_.depth);
    last_.assign(log_.depth + 1, 0.0);
    last_[0] = 1.0;
    std::size_t observed = 0;
    for (std::size_t row = log_.begin(session); row < log_.end(session); ++row) {
      const std::size_t position = row - log_.begin(session);
      const double a = attraction(row);
      double examined = 0.0;
      for (std::size_t r = 0; r <= position; ++r) {
        const double g = parameters_.position[contexts.at(position, r)];
        examined += last_[r] * g;
        last_[r] *= 1.0 - a * g;
      }
      last_[position + 1] = a * examined;
      out_.examination[row] = examined;
      out_.click[row] = a * examined;
      out_.conditional[row] = a * parameters_.position[contexts.at(position, observed)];
      observed = log_.clicked[row] == 1 ? position + 1 : observed;
    }
  }

  void predict_chain(std::size_t session) {
    const bool dynamic = parameters_.kind == ModelKind::kDynamicBayes;
    const double skipping = dynamic ? parameters_.position[0] : 1.0;
    double examined = 1.0;
    double given = 1.0;  // examination, given the clicks above
    for (std::size_t row = log_.begin(session); row < log_.end(session); ++row) {
      const double a = attraction(row);
      const double returning = after_click(row, row - log_.begin(session));
      out_.examination[row] = examined;
      out_.click[row] = a * examined;
      out_.conditional[row] = a * given;
      examined *= a * returning + (1.0 - a) * skipping;
      const double missed = 1.0 - a * given;
      given = log_.clicked[row] == 1 ? returning
              : missed > 0.0         ? given * (1.0 - a) * skipping / missed
                                     : 0.0;
    }
  }

  // The probability that the user continues after a click.
  double after_click(std::size_t row, std::size_t position) const {
    switch (parameters_.kind) {
      case ModelKind::kDynamicBayes:
        return parameters_.position[0] *
               (1.0 - parameters_.satisfaction[log_.pair_of(row)]);
      case ModelKind::kDependentClick:
        return parameters_.position[position];
      default:
        return 0.0;
    }
  }

  const Sessions& log_;
  const Parameters& parameters_;
  RowPredictions& out_;
  std::vector<double> last_;
};

}  // namespace

RowPredictions predict_rows(const Sessions& log, const Parameters& parameters,
                            Host& host) {
  check_sessions(log);
  RowPredictions out;
  out.click.resize(log.pair.size());
  out.examination.resize(log.pair.size());
  out.conditional.resize(log.pair.size());
  for_each_block(host, log.count(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   Predictor predictor(log, parameters, out);
                   for (std::size_t i = begin; i < end; ++i) {
                     predictor.predict(i);
                   }
                 });
  return out;
}

}  // namespace rankmix::click

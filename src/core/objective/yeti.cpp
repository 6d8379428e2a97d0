#include "core/objective/yeti.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/errors.h"

namespace rankmix::objective {
namespace {

// 1 / (1 + e^d), and without overflow.
double below(double d) {
  const double e = std::exp(-std::abs(d));
  return (d > 0.0 ? e : 1.0) / (1.0 + e);
}

class Worker : public QueryWorker {
 public:
  Worker(const YetiOptions& options, const std::vector<std::int32_t>& noise,
         std::uint64_t stream)
      : newton_(options.newton), stream_(stream), pairs_(options, noise) {}

  double evaluate(const Query& query, const Slopes& out) override {
    std::fill(out.slope.begin(), out.slope.end(), 0.0);
    std::fill(out.curvature.begin(), out.curvature.end(), 0.0);
    for (const PerturbedPair& pair : pairs_.draw(query, stream_)) {
      const double d = query.scores[pair.first] - query.scores[pair.second];
      const double s = below(d);
      const double push = pair.forth * s - pair.back * (1.0 - s);
      const double both = pair.forth + pair.back;
      const double curvature = newton_ ? both * s * (1.0 - s) : 2.0 * both;
      out.slope[pair.first] -= push;
      out.slope[pair.second] += push;
      out.curvature[pair.first] += curvature;
      out.curvature[pair.second] += curvature;
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  double weight(const Query& query) override {
    double sum = 0.0;
    for (const PerturbedPair& pair : pairs_.draw(query, stream_)) {
      sum += pair.forth + pair.back;
    }
    return sum;
  }

  void visit_pairs(const Query& query,
                   const FunctionRef<void(const Pair&)>& visit) override {
    for (const PerturbedPair& pair : pairs_.draw(query, stream_)) {
      const double d = query.scores[pair.first] - query.scores[pair.second];
      const double s = below(d);
      visit({pair.first, pair.second, pair.forth, d + s});
      if (pair.back > 0.0) {
        visit({pair.second, pair.first, pair.back, 1.0 - s - d});
      }
    }
  }

 private:
  bool newton_;
  std::uint64_t stream_;
  PerturbedPairs pairs_;
};

}  // namespace

Yeti::Yeti(YetiOptions options) : options_(std::move(options)) {
  options_.validate();
  noise_ = noise_table(options_.noise, options_.noise_scale);
}

Traits Yeti::traits() const {
  Traits traits;
  traits.curvature = options_.newton ? Curvature::kNewton : Curvature::kBound;
  traits.has_value = false;
  traits.has_pairs = true;
  traits.shift_invariant = true;
  traits.takes_weights = false;
  traits.in_score_order = false;
  return traits;
}

std::unique_ptr<QueryWorker> Yeti::worker() const {
  return std::make_unique<Worker>(options_, noise_, stream_);
}

void Yeti::check(const Documents& documents) const {
  if (documents.grades.size() != documents.rows()) {
    throw InvalidArgument("the objective needs a grade for each document");
  }
  for (int grade : documents.grades) {
    if (grade < 0 || static_cast<std::size_t>(grade) >= options_.grades) {
      throw InvalidArgument("the objective does not know what grades are worth");
    }
  }
  if (!options_.keys.empty() && options_.keys.size() != documents.queries.count()) {
    throw InvalidArgument("queries and their keys differ in number");
  }
}

}  // namespace rankmix::objective

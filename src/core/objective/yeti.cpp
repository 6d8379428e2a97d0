#include "core/objective/yeti.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/errors.h"
#include "core/base/exp.h"
#include "core/objective/yeti_grades.h"
#include "core/objective/yeti_pairs.h"

namespace rankmix::objective {
namespace {

// 1 / (1 + e^d) without overflow.
double below(double d) {
  const double e = std::exp(-std::abs(d));
  return (d > 0.0 ? e : 1.0) / (1.0 + e);
}

// True if the scores are so close that quotients of their exponentials keep their
// precision.
bool are_near(const Query& query) {
  const auto ends = std::minmax_element(query.scores.begin(), query.scores.end());
  return query.size() > 0 && *ends.second - *ends.first <= GradeGradients::kMaxDifference;
}

// The gradients of a query from the table of all pairs. Needs one exponential for each
// document instead of each pair: 1 / (1 + exp(x - y)) = exp(y) / (exp(x) + exp(y)).
class TableGradients {
 public:
  explicit TableGradients(const YetiOptions& options) : options_(options) {}

  void add_up(const Query& query, const SeenPairs& seen, const Derivatives& out) {
    const std::size_t n = query.size();
    set_query(query);
    for (std::size_t a = 0; a + 1 < n; ++a) {
      const auto grade = static_cast<std::size_t>(query.grades[a]);
      const YetiSums sums = add_yeti_pairs(
          power_[a],
          {power_.data(), both_[grade].data(), back_[grade].data(), seen.of(a), seen.unit,
           gradient_.data(), hessian_.data(), a + 1, n},
          options_.newton);
      gradient_[a] += sums.gradient;
      hessian_[a] += sums.hessian;
    }
    std::copy_n(gradient_.begin(), n, out.gradient.begin());
    std::copy_n(hessian_.begin(), n, out.hessian.begin());
  }

 private:
  // Padded with documents whose pairs have weight 0.
  void set_query(const Query& query) {
    const std::size_t n = query.size();
    const double highest = *std::max_element(query.scores.begin(), query.scores.end());
    power_.assign(n + kYetiWide, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      power_[k] = query.scores[k] - highest;
    }
    exp_of_all({power_.data(), n});
    std::fill_n(power_.data() + n, kYetiWide, 1.0);
    gradient_.assign(n + kYetiWide, 0.0);
    hessian_.assign(n + kYetiWide, 0.0);
    const std::size_t grades = options_.grades;
    both_.resize(grades);
    back_.resize(grades);
    for (std::size_t g = 0; g < grades; ++g) {
      both_[g].assign(n + kYetiWide, 0.0);
      back_[g].assign(n + kYetiWide, 0.0);
      for (std::size_t k = 0; k < n; ++k) {
        const auto other = static_cast<std::size_t>(query.grades[k]);
        back_[g][k] = options_.grade_weights[other * grades + g];
        both_[g][k] = options_.grade_weights[g * grades + other] + back_[g][k];
      }
    }
  }

  const YetiOptions& options_;
  // One element for each document.
  std::vector<double> power_;
  std::vector<double> gradient_;
  std::vector<double> hessian_;
  // Indexed by the grade of the first document of a pair, then by the second document.
  std::vector<std::vector<double>> both_;
  std::vector<std::vector<double>> back_;
};

class Worker : public QueryWorker {
 public:
  Worker(const YetiOptions& options, const std::vector<std::int32_t>& noise,
         std::uint64_t stream)
      : newton_(options.newton),
        drawn_(options.rank_weight != RankWeight::kEqual),
        stream_(stream),
        pairs_(options, noise),
        by_grade_(options),
        table_(options) {}

  double evaluate(const Query& query, const Derivatives& out) override {
    const bool near = are_near(query);
    if (near && !drawn_) {
      by_grade_.add_up(query, out);
    } else if (near && query.size() <= PerturbedPairs::kTableDocuments) {
      table_.add_up(query, pairs_.see(query, stream_), out);
    } else {
      add_pairs(query, out);
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
  void add_pairs(const Query& query, const Derivatives& out) {
    std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
    std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
    for (const PerturbedPair& pair : pairs_.draw(query, stream_)) {
      const double d = query.scores[pair.first] - query.scores[pair.second];
      const double s = below(d);
      const double push = pair.forth * s - pair.back * (1.0 - s);
      const double both = pair.forth + pair.back;
      const double hessian = newton_ ? both * s * (1.0 - s) : 2.0 * both;
      out.gradient[pair.first] -= push;
      out.gradient[pair.second] += push;
      out.hessian[pair.first] += hessian;
      out.hessian[pair.second] += hessian;
    }
  }

  bool newton_;
  bool drawn_;
  std::uint64_t stream_;
  PerturbedPairs pairs_;
  GradeGradients by_grade_;
  TableGradients table_;
};

}  // namespace

Yeti::Yeti(YetiOptions options) : options_(std::move(options)) {
  options_.validate();
  noise_ = noise_table(options_.noise, options_.noise_scale);
}

Traits Yeti::traits() const {
  Traits traits;
  traits.hessian = options_.newton ? HessianKind::kNewton : HessianKind::kBound;
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
      throw InvalidArgument("the objective has no weights for these grades");
    }
  }
  if (!options_.keys.empty() && options_.keys.size() != documents.queries.count()) {
    throw InvalidArgument("queries and their keys differ in number");
  }
}

}  // namespace rankmix::objective

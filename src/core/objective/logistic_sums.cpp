#include "core/objective/logistic_sums.h"

#include <algorithm>
#include <cmath>

#include "core/base/exp.h"

namespace rankmix::objective {
namespace {

// The positive zeros of the Chebyshev polynomial of degree 14. Libraries differ in the
// last bits of cos().
constexpr std::array<double, 7> kPositiveNodes = {
    0.99371220989324258353, 0.94388333030836756290, 0.84672419922828416835,
    0.70710678118654752440, 0.53203207651533656336, 0.33027906195516708177,
    0.11196447610330785847};

double node(std::size_t k) { return k < 7 ? -kPositiveNodes[k] : kPositiveNodes[13 - k]; }

double value_of(LogisticKernel kernel, double d) {
  const double e = exp_not_positive(std::max(-std::abs(d), kMinExponent));
  if (kernel == LogisticKernel::kLoss) {
    return std::max(d, 0.0) + std::log1p(e);
  }
  if (kernel == LogisticKernel::kFirst) {
    return (d >= 0.0 ? 1.0 : e) / (1.0 + e);
  }
  return e / ((1.0 + e) * (1.0 + e));
}

}  // namespace

void LogisticSums::find_tables() {
  for (std::size_t kernel = 0; kernel < tables_.size(); ++kernel) {
    std::vector<std::array<Nodes, kNodes>>& table = tables_[kernel];
    table.resize(2 * kReach + 1);
    for (std::size_t at = 0; at < table.size(); ++at) {
      const double apart = static_cast<double>(at) - kReach;
      for (std::size_t m = 0; m < kNodes; ++m) {
        for (std::size_t k = 0; k < kNodes; ++k) {
          table[at][m][k] = value_of(static_cast<LogisticKernel>(kernel),
                                     apart + 0.5 * (node(k) - node(m)));
        }
      }
    }
  }
}

void LogisticSums::set_scores(View<const double> scores) {
  if (tables_[0].empty()) {
    find_tables();
  }
  scores_ = scores;
  place_.resize(scores.size());
  local_.resize(scores.size());
  const double least = scores.empty() ? 0.0 : scores[scores.size() - 1];
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double above = scores[i] - least;
    place_[i] = std::floor(above);
    local_[i] = 2.0 * (above - place_[i]) - 1.0;
  }
}

// The Lagrange polynomials of the nodes at the document's position in its interval.
LogisticSums::Nodes LogisticSums::basis(std::size_t document) const {
  static const Nodes scale = [] {
    Nodes one_over{};
    for (std::size_t k = 0; k < kNodes; ++k) {
      double product = 1.0;
      for (std::size_t j = 0; j < kNodes; ++j) {
        product *= j == k ? 1.0 : node(k) - node(j);
      }
      one_over[k] = 1.0 / product;
    }
    return one_over;
  }();
  Nodes values = scale;
  double before = 1.0;
  for (std::size_t k = 0; k < kNodes; ++k) {
    values[k] *= before;
    before *= local_[document] - node(k);
  }
  double after = 1.0;
  for (std::size_t k = kNodes; k-- > 0;) {
    values[k] *= after;
    after *= local_[document] - node(k);
  }
  return values;
}

void LogisticSums::find_intervals(Side& side) const {
  side.intervals.clear();
  for (std::size_t i = 0; i < side.documents.size(); ++i) {
    const double place = place_[side.documents[i]];
    if (side.intervals.empty() || side.intervals.back().place != place) {
      side.intervals.push_back({place, i, i});
    }
    ++side.intervals.back().end;
  }
  side.values.assign(side.intervals.size() * side.terms.size(), Nodes{});
}

// Moves the charges to the nodes. `terms` are the terms of the other side.
void LogisticSums::gather(Side& from, View<const LogisticTerm> terms) const {
  from.charges.assign(from.intervals.size() * terms.size(), Nodes{});
  for (std::size_t a = 0; a < from.intervals.size(); ++a) {
    for (std::size_t i = from.intervals[a].begin; i < from.intervals[a].end; ++i) {
      const std::size_t document = from.documents[i];
      const Nodes own = basis(document);
      for (std::size_t t = 0; t < terms.size(); ++t) {
        const double charge = terms[t].charges[document];
        Nodes& to = from.charges[a * terms.size() + t];
        for (std::size_t k = 0; k < kNodes; ++k) {
          to[k] += charge * own[k];
        }
      }
    }
  }
}

// Interpolates the values of the nodes at the documents.
void LogisticSums::spread(const Side& to) const {
  for (std::size_t a = 0; a < to.intervals.size(); ++a) {
    for (std::size_t i = to.intervals[a].begin; i < to.intervals[a].end; ++i) {
      const std::size_t document = to.documents[i];
      const Nodes own = basis(document);
      for (std::size_t t = 0; t < to.terms.size(); ++t) {
        const Nodes& values = to.values[a * to.terms.size() + t];
        double sum = 0.0;
        for (std::size_t k = 0; k < kNodes; ++k) {
          sum += own[k] * values[k];
        }
        to.terms[t].sums[document] += sum;
      }
    }
  }
}

void LogisticSums::add_pairs(const Side& x, const Interval& a, const Side& y,
                             const Interval& b) const {
  for (std::size_t i = a.begin; i < a.end; ++i) {
    for (std::size_t j = b.begin; j < b.end; ++j) {
      const std::size_t own = x.documents[i];
      const std::size_t other = y.documents[j];
      const double d = scores_[other] - scores_[own];
      for (const LogisticTerm& term : x.terms) {
        term.sums[own] += term.charges[other] * value_of(term.kernel, d);
      }
      for (const LogisticTerm& term : y.terms) {
        term.sums[other] += term.charges[own] * value_of(term.kernel, d);
      }
    }
  }
}

void LogisticSums::add_intervals(Side& x, std::size_t a, Side& y, std::size_t b) const {
  const auto at = static_cast<std::size_t>(y.intervals[b].place - x.intervals[a].place +
                                           double{kReach});
  for (std::size_t t = 0; t < x.terms.size(); ++t) {
    const auto& table = tables_[static_cast<std::size_t>(x.terms[t].kernel)][at];
    const Nodes& from = y.charges[b * x.terms.size() + t];
    Nodes& to = x.values[a * x.terms.size() + t];
    for (std::size_t m = 0; m < kNodes; ++m) {
      double sum = 0.0;
      for (std::size_t k = 0; k < kNodes; ++k) {
        sum += table[m][k] * from[k];
      }
      to[m] += sum;
    }
  }
  for (std::size_t t = 0; t < y.terms.size(); ++t) {
    const auto& table = tables_[static_cast<std::size_t>(y.terms[t].kernel)][at];
    const Nodes& from = x.charges[a * y.terms.size() + t];
    Nodes& to = y.values[b * y.terms.size() + t];
    for (std::size_t m = 0; m < kNodes; ++m) {
      for (std::size_t k = 0; k < kNodes; ++k) {
        to[k] += table[m][k] * from[m];
      }
    }
  }
}

void LogisticSums::add_near(Side& x, Side& y) const {
  std::size_t first = 0;
  for (std::size_t a = 0; a < x.intervals.size(); ++a) {
    const double place = x.intervals[a].place;
    while (first < y.intervals.size() && y.intervals[first].place > place + kReach) {
      ++first;
    }
    for (std::size_t b = first;
         b < y.intervals.size() && y.intervals[b].place >= place - kReach; ++b) {
      const std::size_t pairs = (x.intervals[a].end - x.intervals[a].begin) *
                                (y.intervals[b].end - y.intervals[b].begin);
      if (pairs <= kNodes) {
        add_pairs(x, x.intervals[a], y, y.intervals[b]);
      } else {
        add_intervals(x, a, y, b);
      }
    }
  }
}

// Adds the documents of Y that are far above documents of X. There the derivative is 1
// and the loss is the difference. For documents of Y that are far below, both are 0.
void LogisticSums::add_far(const Side& x, const Side& y) const {
  for (const LogisticTerm& term : x.terms) {
    double charge = 0.0;
    double moment = 0.0;
    std::size_t b = 0;
    for (std::size_t a = 0;
         term.kernel != LogisticKernel::kSecond && a < x.intervals.size(); ++a) {
      for (;
           b < y.intervals.size() && y.intervals[b].place > x.intervals[a].place + kReach;
           ++b) {
        for (std::size_t j = y.intervals[b].begin; j < y.intervals[b].end; ++j) {
          const std::size_t other = y.documents[j];
          charge += term.charges[other];
          moment += term.charges[other] * scores_[other];
        }
      }
      for (std::size_t i = x.intervals[a].begin; b > 0 && i < x.intervals[a].end; ++i) {
        const std::size_t own = x.documents[i];
        term.sums[own] += term.kernel == LogisticKernel::kFirst
                              ? charge
                              : moment - charge * scores_[own];
      }
    }
  }
  for (const LogisticTerm& term : y.terms) {
    double charge = 0.0;
    double moment = 0.0;
    std::size_t a = x.intervals.size();
    for (std::size_t b = y.intervals.size();
         term.kernel != LogisticKernel::kSecond && b-- > 0;) {
      for (; a > 0 && y.intervals[b].place > x.intervals[a - 1].place + kReach; --a) {
        for (std::size_t i = x.intervals[a - 1].begin; i < x.intervals[a - 1].end; ++i) {
          const std::size_t other = x.documents[i];
          charge += term.charges[other];
          moment += term.charges[other] * scores_[other];
        }
      }
      for (std::size_t j = y.intervals[b].begin;
           a < x.intervals.size() && j < y.intervals[b].end; ++j) {
        const std::size_t own = y.documents[j];
        term.sums[own] += term.kernel == LogisticKernel::kFirst
                              ? charge
                              : charge * scores_[own] - moment;
      }
    }
  }
}

void LogisticSums::add(View<const std::uint32_t> x, View<const LogisticTerm> of_x,
                       View<const std::uint32_t> y, View<const LogisticTerm> of_y) {
  x_.documents = x;
  x_.terms = of_x;
  y_.documents = y;
  y_.terms = of_y;
  find_intervals(x_);
  find_intervals(y_);
  gather(x_, of_y);
  gather(y_, of_x);
  add_near(x_, y_);
  add_far(x_, y_);
  spread(x_);
  spread(y_);
}

}  // namespace rankmix::objective

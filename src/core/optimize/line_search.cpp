#include "core/optimize/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/errors.h"
#include "core/base/rounding.h"

namespace rankmix::optimize {
namespace {

// A new step lies between these fractions of the bracket. If narrowing is slow, the new
// step is the middle.
constexpr double kMinFraction = 0.05;
constexpr double kMaxFraction = 0.95;
// A step grows by between kMinGrowth and kMaxGrowth times the last increase.
constexpr double kMinGrowth = 0.1;
constexpr double kMaxGrowth = 9.0;
// Narrowing is slow if two steps leave more than this fraction of the bracket.
constexpr double kSlow = 0.66;

bool finite(const LinePoint& at) {
  return std::isfinite(at.value) && std::isfinite(at.derivative);
}

bool descends(const LinePoint& start, double trial) {
  return finite(start) && start.derivative < 0.0 && trial > 0.0 && std::isfinite(trial);
}

// The minimum of the cubic through both values and derivatives. NaN if there is none.
double cubic_minimum(const LinePoint& a, const LinePoint& b) {
  const double length = b.step - a.step;
  const double mean = a.derivative + b.derivative - 3.0 * (b.value - a.value) / length;
  const double root = std::sqrt(mean * mean - a.derivative * b.derivative);
  const double signed_root = length < 0.0 ? -root : root;
  return b.step - length * (b.derivative + signed_root - mean) /
                      (b.derivative - a.derivative + 2.0 * signed_root);
}

// The state of one search.
class WolfeSearch {
 public:
  WolfeSearch(const Line& line, const LinePoint& start, const LineSearchOptions& options)
      : line_(line),
        start_(start),
        options_(options),
        rounding_(std::max(options.rounding, rounding_of(start.value))) {}

  LineStep run(double trial) {
    LinePoint before = start_;
    double step = std::min(trial, options_.longest);
    double wall = std::numeric_limits<double>::infinity();  // not finite from here on
    while (result_.evaluations < options_.most) {
      const LinePoint at = evaluate_at(step);
      if (!finite(at)) {
        wall = step;
        step = before.step + 0.5 * (wall - before.step);
        if (step <= before.step || step >= wall) {
          break;
        }
        continue;
      }
      if (!low_enough(at) || (before.step > 0.0 && at.value > before.value + rounding_)) {
        return narrow(before, at);
      }
      if (flat_enough(at)) {
        return taken(at, LineEnd::kWolfe);
      }
      if (at.derivative >= 0.0) {
        return narrow(at, before);
      }
      step = longer(before, at, wall);
      before = at;
      if (step <= at.step) {
        break;
      }
    }
    return best_of(before);
  }

 private:
  LinePoint evaluate_at(double step) {
    ++result_.evaluations;
    return line_(step);
  }
  bool low_enough(const LinePoint& at) const {
    return at.value <=
           start_.value + options_.decrease * at.step * start_.derivative + rounding_;
  }
  bool flat_enough(const LinePoint& at) const {
    return std::abs(at.derivative) <= -options_.curvature * start_.derivative;
  }
  LineStep taken(const LinePoint& at, LineEnd end) {
    result_.at = at;
    result_.end = end;
    return result_;
  }
  // `low` satisfies the decrease condition up to rounding, or is the start.
  LineStep best_of(const LinePoint& low) {
    return low.value < start_.value ? taken(low, LineEnd::kDecrease)
                                    : taken(start_, LineEnd::kNone);
  }

  double longer(const LinePoint& before, const LinePoint& at, double wall) const {
    const double increase = at.step - before.step;
    double step = cubic_minimum(before, at);
    if (!(step > at.step)) {  // also if NaN: the cubic has no minimum ahead
      step = std::numeric_limits<double>::infinity();
    }
    step = std::min(std::max(step, at.step + kMinGrowth * increase),
                    at.step + kMaxGrowth * increase);
    if (step >= wall) {
      step = at.step + 0.5 * (wall - at.step);
      if (step >= wall) {
        return at.step;
      }
    }
    return std::min(step, options_.longest);
  }

  double between(const LinePoint& low, const LinePoint& high, bool halve) const {
    const double length = high.step - low.step;
    double fraction = 0.5;
    if (!halve && finite(high)) {
      // If rounding hides the difference of values, the derivatives decide.
      const bool hidden = std::abs(high.value - low.value) <= rounding_;
      const double found = hidden ? low.derivative / (low.derivative - high.derivative)
                                  : (cubic_minimum(low, high) - low.step) / length;
      fraction =
          std::isfinite(found) ? std::clamp(found, kMinFraction, kMaxFraction) : 0.5;
    }
    return low.step + fraction * length;
  }

  // Narrows a bracket. `low` satisfies the decrease condition, has the lowest value so
  // far, and descends towards `high`.
  LineStep narrow(LinePoint low, LinePoint high) {
    double length_before = std::numeric_limits<double>::infinity();
    bool halve = false;
    while (result_.evaluations < options_.most) {
      const double step = between(low, high, halve);
      if (step == low.step || step == high.step) {
        break;
      }
      const LinePoint at = evaluate_at(step);
      if (!finite(at) || !low_enough(at) || at.value > low.value + rounding_) {
        high = at;
      } else {
        if (flat_enough(at)) {
          return taken(at, LineEnd::kWolfe);
        }
        if (at.derivative * (high.step - low.step) >= 0.0) {
          high = low;
        }
        low = at;
      }
      const double length = std::abs(high.step - low.step);
      halve = length > kSlow * length_before;
      length_before = length;
    }
    return best_of(low);
  }

  const Line& line_;
  const LinePoint start_;
  const LineSearchOptions& options_;
  const double rounding_;
  LineStep result_;
};

}  // namespace

void LineSearchOptions::validate() const {
  if (!(decrease > 0.0 && decrease < 0.5) || !(curvature > decrease && curvature < 1.0) ||
      most < 1 || !(longest > 0.0) || !(rounding >= 0.0)) {
    throw InvalidArgument("impossible options of a line search");
  }
}

LineStep strong_wolfe(const Line& line, const LinePoint& start, double trial,
                      const LineSearchOptions& options) {
  if (!descends(start, trial)) {
    return {start, LineEnd::kNone, 0};
  }
  return WolfeSearch(line, start, options).run(trial);
}

LineStep backtrack(const Line& line, const LinePoint& start, double trial,
                   const LineSearchOptions& options) {
  if (!descends(start, trial)) {
    return {start, LineEnd::kNone, 0};
  }
  double step = trial;
  for (std::size_t looks = 1; looks <= options.most; ++looks) {
    const LinePoint at = line(step);
    if (finite(at) &&
        at.value <= start.value + options.decrease * step * start.derivative) {
      return {at, LineEnd::kDecrease, looks};
    }
    const double lowest = at.derivative > start.derivative
                              ? -start.derivative / (at.derivative - start.derivative)
                              : 0.5;
    step *= std::min(0.5, std::max(0.05, lowest));
  }
  return {start, LineEnd::kNone, options.most};
}

}  // namespace rankmix::optimize

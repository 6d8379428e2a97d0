#include "core/optimize/shifted_systems.h"

#include <algorithm>
#include <cmath>

namespace rankmix::optimize {
namespace {

// The system of one shift. Its residual is `ratio` times the residual of the smallest
// shift.
struct System {
  double shift;  // minus the smallest shift
  Vector search;
  double ratio = 1.0;
  double last_ratio = 1.0;
  bool open = true;
};

// The steps of the system of the smallest shift.
struct Step {
  double length = 1.0;
  double conjugation = 0.0;
};

void advance(System& system, const Step& now, const Step& last, Vector& x) {
  const double next =
      system.ratio * system.last_ratio * last.length /
      (last.length * system.last_ratio * (1.0 + system.shift * now.length) +
       now.length * last.conjugation * (system.last_ratio - system.ratio));
  add(now.length * next / system.ratio, system.search, x);
  system.last_ratio = system.ratio;
  system.ratio = next;
}

void turn(System& system, const Vector& residual, double conjugation) {
  const double change = system.ratio / system.last_ratio;
  const double kept = conjugation * change * change;
  for (std::size_t i = 0; i < residual.size(); ++i) {
    system.search[i] = system.ratio * residual[i] + kept * system.search[i];
  }
}

}  // namespace

ShiftedSolutions solve_shifted(const Operator& multiply, const Vector& right,
                               const std::vector<double>& shifts,
                               const ConjugateGradientsOptions& options, Host& host) {
  options.validate();
  ShiftedSolutions all;
  all.x.assign(shifts.size(), Vector(right.size(), 0.0));
  all.statuses.assign(shifts.size(), Status::kLimit);
  if (shifts.empty()) {
    return all;
  }
  const double smallest = *std::min_element(shifts.begin(), shifts.end());
  std::vector<System> systems;
  for (double shift : shifts) {
    systems.push_back({shift - smallest, right});
  }
  Vector residual = right;
  Vector search = right;
  double square = dot(residual, residual);
  const double enough = square * options.tolerance * options.tolerance;
  Step last;
  const auto close = [&] {
    for (std::size_t k = 0; k < systems.size(); ++k) {
      if (systems[k].open && systems[k].ratio * systems[k].ratio * square <= enough) {
        systems[k].open = false;
        all.statuses[k] = Status::kConverged;
      }
    }
    return square <= enough;
  };
  while (!close() && all.steps < options.max_steps) {
    host.checkpoint();
    Vector product = multiply(search);
    add(smallest, search, product);
    ++all.steps;
    const double quadratic = dot(search, product);
    if (!(quadratic > 0.0) || !std::isfinite(quadratic)) {
      for (std::size_t k = 0; k < systems.size(); ++k) {
        all.statuses[k] = systems[k].open ? Status::kStalled : all.statuses[k];
      }
      break;
    }
    Step now;
    now.length = square / quadratic;
    for (std::size_t k = 0; k < systems.size(); ++k) {
      if (systems[k].open) {
        advance(systems[k], now, last, all.x[k]);
      }
    }
    add(-now.length, product, residual);
    const double next = dot(residual, residual);
    now.conjugation = next / square;
    square = next;
    for (std::size_t i = 0; i < search.size(); ++i) {
      search[i] = residual[i] + now.conjugation * search[i];
    }
    for (System& system : systems) {
      if (system.open) {
        turn(system, residual, now.conjugation);
      }
    }
    last = now;
  }
  return all;
}

}  // namespace rankmix::optimize

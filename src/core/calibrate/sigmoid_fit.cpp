#include "core/calibrate/sigmoid_fit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/function_ref.h"
#include "core/base/sort.h"
#include "core/calibrate/soft_ndcg.h"
#include "core/calibrate/standard_scale.h"
#include "core/optimize/box.h"

namespace rankmix::calibrate {
namespace {

using optimize::Vector;

// Approximate number of documents for the grid search (kLookedAt) and for the
// minimisation (kSearched).
constexpr std::size_t kLookedAt = 1024;
constexpr std::size_t kSearched = 4096;
constexpr std::size_t kMaxStarts = 3;
// For the soft NDCG: number of coarse points that get a finer grid, and of starts.
constexpr std::size_t kFineGrids = 8;
constexpr std::size_t kSoftStarts = 4;

Vector sequence(double from, double to, double by) {
  Vector values;
  for (int i = 0; from + i * by <= to + 1e-9; ++i) {
    values.push_back(from + i * by);
  }
  return values;
}

// A point (a, b) in standardised units: steepness = log(a s), shift = (b - m) / s, with
// the mean m and the standard deviation s of all discriminants.
struct GridPoint {
  double steepness;
  double shift;
};

struct Grid {
  Vector steepness;
  Vector shift;

  std::size_t size() const { return steepness.size() * shift.size(); }
  GridPoint at(std::size_t i) const {
    return {steepness[i % steepness.size()], shift[i / steepness.size()]};
  }
};

Grid grid_of_losses() { return {sequence(-4.0, 5.75, 0.75), sequence(-4.0, 4.0, 0.5)}; }
Grid grid_of_soft_ndcg() { return {sequence(-4.0, 5.0, 0.75), sequence(-3.0, 3.0, 0.5)}; }

// Mean and standard deviation of all discriminants, and conversion of grid points to a
// and b.
struct Units {
  double center = 0.0;
  double scale = 1.0;

  explicit Units(MatrixView<const double> f) {
    const MeanAndDeviation found = mean_and_deviation({f.col(0), f.rows() * f.cols()},
                                                      [](std::size_t) { return 1.0; });
    center = found.mean;
    if (!std::isfinite(center) || std::isinf(found.deviation)) {
      throw InvalidArgument("the discriminants are too large for a sigmoid");
    }
    if (inverse_deviation(found.deviation) > 0.0) {
      scale = found.deviation;
    }
  }
  double a(const GridPoint& point) const { return std::exp(point.steepness) / scale; }
  double b(const GridPoint& point) const { return center + point.shift * scale; }
};

// A target as a function of (a, b), with derivatives.
using Target = std::function<SigmoidTarget(double a, double b)>;

optimize::BoxMinimum minimise(const Target& target, const Units& units,
                              const GridPoint& start) {
  return optimize::minimise_in_box(
      [&](const Vector& theta, Vector& gradient) {
        const GridPoint point{theta[0], theta[1]};
        const SigmoidTarget found = target(units.a(point), units.b(point));
        gradient[0] = found.da * units.a(point);
        gradient[1] = found.db * units.scale;
        return found.value;
      },
      {start.steepness, start.shift}, {-6.0, -10.0}, {6.0, 10.0});
}

// Minimises from each start on a sample of the documents. The best result is the start of
// a minimisation on all documents.
SigmoidFit best_minimum(const std::vector<GridPoint>& starts, const Target& on_some,
                        const Target& on_all, bool some_are_all, const Units& units) {
  optimize::BoxMinimum best;
  for (const GridPoint& start : starts) {
    const optimize::BoxMinimum found = minimise(on_some, units, start);
    if (best.point.empty() || found.value < best.value) {
      best = found;
    }
  }
  if (!some_are_all) {
    best = minimise(on_all, units, {best.point[0], best.point[1]});
  }
  const GridPoint point{best.point[0], best.point[1]};
  return {units.a(point), units.b(point), best.value,
          best.status == optimize::Status::kConverged};
}

// The best local minima of the grid, at most kMaxStarts. A local minimum is no higher
// than its neighbours.
std::vector<GridPoint> lowest_around(const Grid& grid, const Vector& values) {
  const std::size_t rows = grid.steepness.size();
  const std::size_t columns = grid.shift.size();
  std::vector<std::size_t> low;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const std::size_t i = at % rows;
    const std::size_t j = at / rows;
    bool lowest = true;
    for (std::size_t k = j == 0 ? 0 : j - 1; k < std::min(columns, j + 2); ++k) {
      for (std::size_t h = i == 0 ? 0 : i - 1; h < std::min(rows, i + 2); ++h) {
        lowest = lowest && values[at] <= values[k * rows + h];
      }
    }
    if (lowest) {
      low.push_back(at);
    }
  }
  sort_indices(low, [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  low.resize(std::min(low.size(), kMaxStarts));
  std::vector<GridPoint> points;
  for (const std::size_t at : low) {
    points.push_back(grid.at(at));
  }
  return points;
}

// A copy of about `most` documents, chosen by thin_queries().
class Sample {
 public:
  Sample(const HeldOut& held, std::size_t most)
      : order_(all_rows(held)), chosen_(choose(held, most)) {}
  HeldOut view() const { return chosen_.view(); }
  bool all(const HeldOut& held) const { return chosen_.rows().size() == held.rows(); }

 private:
  static std::vector<int> all_rows(const HeldOut& held) {
    std::vector<int> order(held.rows());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  SomeQueries choose(const HeldOut& held, std::size_t most) const {
    return {held.f,
            {held.grades, held.weights, {order_, held.offsets}, held.ideal, held.unit},
            thin_queries(held, most),
            Rows::kCounting};
  }

  std::vector<int> order_;
  SomeQueries chosen_;
};

std::vector<std::size_t> lowest_first(const Vector& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_indices(order,
               [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  return order;
}

// Starts for the soft NDCG: the best points of finer grids around the best coarse points.
// `coarse` is evaluated on fewer documents than `value`.
std::vector<GridPoint> soft_starts(const FunctionRef<double(const GridPoint&)>& coarse,
                                   const FunctionRef<double(const GridPoint&)>& value) {
  const Grid grid = grid_of_soft_ndcg();
  Vector values(grid.size());
  for (std::size_t at = 0; at < grid.size(); ++at) {
    values[at] = coarse(grid.at(at));
  }
  const std::vector<std::size_t> order = lowest_first(values);
  const Grid around{sequence(-0.5, 0.5, 0.25), sequence(-0.5, 0.5, 0.25)};
  std::vector<std::pair<double, double>> fine;
  for (std::size_t i = 0; i < std::min(kFineGrids, order.size()); ++i) {
    const GridPoint middle = grid.at(order[i]);
    for (std::size_t at = 0; at < around.size(); ++at) {
      fine.emplace_back(middle.steepness + around.at(at).steepness,
                        middle.shift + around.at(at).shift);
    }
  }
  std::sort(fine.begin(), fine.end());
  fine.erase(std::unique(fine.begin(), fine.end()), fine.end());
  Vector fine_values;
  for (const auto& point : fine) {
    fine_values.push_back(value({point.first, point.second}));
  }
  std::vector<GridPoint> starts;
  for (const std::size_t at : lowest_first(fine_values)) {
    if (starts.size() == kSoftStarts) {
      break;
    }
    starts.push_back({fine[at].first, fine[at].second});
  }
  return starts;
}

}  // namespace

std::vector<SigmoidFit> fit_sigmoids(const std::vector<SigmoidLoss>& losses,
                                     double exponent, const HeldOut& held, Host& host) {
  const Units units(held.f);
  const Sample few(held, kLookedAt);
  const Sample sample(held, kSearched);
  const HeldOut looked_at = few.view();
  const HeldOut some = sample.view();
  const Grid grid = grid_of_losses();
  std::vector<Vector> values(kSigmoidLosses);
  for (std::size_t at = 0; at < grid.size(); ++at) {
    const SigmoidValues found =
        sigmoid_values(exponent, looked_at.f, looked_at.grades, looked_at.weights,
                       units.a(grid.at(at)), units.b(grid.at(at)), host);
    for (std::size_t k = 0; k < kSigmoidLosses; ++k) {
      values[k].push_back(found.value[k]);
    }
  }
  std::vector<SigmoidFit> fits;
  for (const SigmoidLoss loss : losses) {
    auto target_on = [&](const HeldOut& part) {
      return [&host, loss, exponent, part](double a, double b) {
        return sigmoid_target(loss, exponent, part.f, part.grades, part.weights, a, b,
                              host);
      };
    };
    fits.push_back(
        best_minimum(lowest_around(grid, values[static_cast<std::size_t>(loss)]),
                     target_on(some), target_on(held), sample.all(held), units));
  }
  return fits;
}

SigmoidFit fit_soft_ndcg(double sigma, const HeldOut& held, Host& host) {
  const Units units(held.f);
  const Sample few(held, kLookedAt);
  const Sample sample(held, kSearched);
  const HeldOut some = sample.view();
  auto target_on = [&](const HeldOut& part) {
    return [&host, sigma, part](double a, double b) {
      return soft_ndcg_target(sigma, part, a, b, Derivatives::kAll, host);
    };
  };
  auto value_on = [&](const HeldOut& part) {
    return [&host, &units, sigma, part](const GridPoint& point) {
      return soft_ndcg_target(sigma, part, units.a(point), units.b(point),
                              Derivatives::kNone, host)
          .value;
    };
  };
  const std::vector<GridPoint> starts = soft_starts(value_on(few.view()), value_on(some));
  return best_minimum(starts, target_on(some), target_on(held), sample.all(held), units);
}

}  // namespace rankmix::calibrate

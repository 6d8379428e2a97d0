// The features of objectives that depend on rounds: random numbers, a state, stages, and
// use of the main thread.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <ostream>
#include <thread>
#include <vector>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/objective/evaluate.h"
#include "core/objective/squared.h"
#include "objective_case.h"
#include "thread_host.h"

using objective_case::Case;
using objective_case::Evaluated;
using objective_case::make_case;
using rankmix::InvalidArgument;
using rankmix::View;
namespace objective = rankmix::objective;

namespace {

// An objective that uses all these features: squared error with random targets near the
// targets of the data. Each stage multiplies the targets by a factor, and the mean score
// of the previous round is subtracted. Runs on the main thread.
class Restless : public objective::Objective {
 public:
  objective::Traits traits() const override {
    objective::Traits traits;
    traits.main_thread_only = true;
    return traits;
  }
  std::unique_ptr<objective::QueryWorker> worker() const override {
    class Worker : public objective::QueryWorker {
     public:
      explicit Worker(const Restless& of) : of_(of) {}
      double evaluate(const objective::Query& query,
                      const objective::Derivatives& out) override {
        double value = 0.0;
        for (std::size_t i = 0; i < query.size(); ++i) {
          const auto row = static_cast<std::uint64_t>(query.rows[i]);
          const double noise =
              rankmix::unit_uniform(rankmix::mix_bits(of_.round_.stream ^ row));
          const double error = query.scores[i] + of_.mean_ - query.targets[i] - noise;
          out.gradient[i] = of_.factor_ * error;
          out.hessian[i] = of_.factor_;
          value += 0.5 * of_.factor_ * error * error;
        }
        CHECK(std::this_thread::get_id() == of_.main_);
        return value;
      }
      double weight(const objective::Query& query) override {
        return static_cast<double>(query.size());
      }

     private:
      const Restless& of_;
    };
    return std::make_unique<Worker>(*this);
  }
  void begin_round(const objective::Round& round, const objective::Documents&,
                   View<const double> scores, rankmix::Host&) override {
    round_ = round;
    double sum = 0.0;
    for (double score : scores) {
      sum += score;
    }
    mean_ = sum / static_cast<double>(scores.size());
  }
  std::vector<double> state() const override { return {mean_}; }
  void set_state(View<const double> state) override { mean_ = state[0]; }
  std::size_t stages() const override { return 3; }
  void begin_stage(std::size_t stage) override {
    Objective::begin_stage(stage);
    factor_ = std::ldexp(1.0, -static_cast<int>(stage));
  }

 private:
  objective::Round round_;
  double mean_ = 0.0;
  double factor_ = 1.0;
  std::thread::id main_ = std::this_thread::get_id();
};

objective::Round round_of(std::size_t number) {
  return {number, rankmix::random_stream(11, rankmix::Purpose::kObjective, number)};
}

}  // namespace

TEST_CASE("an objective can use random numbers, a state and stages") {
  const Case data = make_case({});
  ThreadHost host(4);
  Restless on;
  objective::Objective& any = on;
  any.begin_round(round_of(0), data.documents(), data.scores, host);
  const Evaluated first = evaluate(on, data, data.scores, 4);
  any.begin_round(round_of(1), data.documents(), data.scores, host);
  const Evaluated second = evaluate(on, data, data.scores, 4);
  CHECK(first.gradient != second.gradient);

  Restless resumed;
  objective::Objective& again = resumed;
  again.begin_round(round_of(1), data.documents(), std::vector<double>(data.rows(), 0.0),
                    host);
  CHECK(evaluate(resumed, data, data.scores).gradient != second.gradient);
  again.set_state(any.state());
  CHECK(evaluate(resumed, data, data.scores).gradient == second.gradient);

  any.begin_stage(1);
  const Evaluated easier = evaluate(on, data, data.scores);
  CHECK(easier.value == 0.5 * second.value);
  CHECK_THROWS_AS(any.begin_stage(3), InvalidArgument);
}

TEST_CASE("functions that an objective does not support throw") {
  const Case data = make_case({});
  ThreadHost host(1);
  Restless on;
  std::vector<double> product(data.rows());
  CHECK_THROWS_AS(
      objective::multiply_hessian(on, data.documents(), data.scores, data.scores, host,
                                  {product.data(), product.size()}),
      InvalidArgument);
  CHECK_THROWS_AS(objective::visit_pairs(on, data.documents(), data.scores, 0, host,
                                         [](const objective::Pair&) {}),
                  InvalidArgument);
  objective::Squared squared;
  objective::Objective& any = squared;
  CHECK(any.stages() == 1);
  CHECK(any.state().empty());
  any.set_state({});
  any.begin_stage(0);
  CHECK_THROWS_AS(any.begin_stage(1), InvalidArgument);
  CHECK_THROWS_AS(any.set_state(data.scores), InvalidArgument);
}

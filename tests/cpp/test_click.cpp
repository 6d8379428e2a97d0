#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/base/serial_host.h"
#include "core/click/chain_model.h"
#include "core/click/factor_model.h"
#include "core/click/predict.h"
#include "core/click/tails.h"
#include "draw.h"
#include "thread_host.h"

namespace {

using namespace rankmix::click;

struct Log {
  std::vector<int> starts{0}, pair, clicked;
  std::size_t pairs = 0;
  std::size_t depth = 0;

  Sessions view() const {
    Sessions log;
    log.starts = starts;
    log.pair = pair;
    log.clicked = clicked;
    log.pairs = pairs;
    log.depth = depth;
    return log;
  }
};

// Random sessions. Each shows up to `depth` of the 20 documents of its query.
Log random_log(std::size_t sessions, std::size_t queries, std::size_t depth) {
  std::mt19937_64 random(7);
  Log log;
  log.pairs = queries * 20;
  log.depth = depth;
  for (std::size_t i = 0; i < sessions; ++i) {
    const std::size_t query = random() % queries;
    const std::size_t shift = random() % 20;
    const std::size_t length = i == 0 ? depth : 1 + random() % depth;
    for (std::size_t k = 0; k < length; ++k) {
      log.pair.push_back(static_cast<int>(query * 20 + (shift + k) % 20));
      log.clicked.push_back(random() % (2 + k) == 0 ? 1 : 0);
    }
    log.starts.push_back(static_cast<int>(log.pair.size()));
  }
  return log;
}

std::vector<double> numbers_of(const FactorFit& fit) {
  std::vector<double> all = fit.attraction;
  all.insert(all.end(), fit.examination.begin(), fit.examination.end());
  all.insert(all.end(), fit.information.begin(), fit.information.end());
  all.push_back(fit.log_likelihood);
  return all;
}

std::vector<double> numbers_of(const ChainFit& fit) {
  std::vector<double> all = fit.attraction;
  all.insert(all.end(), fit.satisfaction.begin(), fit.satisfaction.end());
  all.insert(all.end(), fit.continuation.begin(), fit.continuation.end());
  all.push_back(fit.log_likelihood);
  return all;
}

}  // namespace

TEST_CASE("entries count showings and clicks of each pair and context") {
  const Log log = random_log(3000, 5, 6);
  rankmix::SerialHost host;
  const Contexts contexts(ContextKind::kPreviousClick, 6);
  const PairCounts entries = pair_counts(log.view(), contexts, host);
  std::vector<std::uint32_t> shown(log.pairs * contexts.count(), 0), clicked = shown;
  for (std::size_t i = 0; i + 1 < log.starts.size(); ++i) {
    std::size_t previous = 0;
    for (int row = log.starts[i]; row < log.starts[i + 1]; ++row) {
      const auto at = static_cast<std::size_t>(row);
      const auto k = static_cast<std::size_t>(row - log.starts[i]);
      const std::size_t entry =
          static_cast<std::size_t>(log.pair[at]) * contexts.count() +
          contexts.at(k, previous);
      ++shown[entry];
      clicked[entry] += static_cast<std::uint32_t>(log.clicked[at]);
      previous = log.clicked[at] == 1 ? k + 1 : previous;
    }
  }
  std::size_t found = 0;
  for (std::size_t pair = 0; pair < log.pairs; ++pair) {
    for (std::size_t i = entries.starts[pair]; i < entries.starts[pair + 1]; ++i) {
      const PairCount& entry = entries.entries[i];
      CHECK(entry.shown == shown[pair * contexts.count() + entry.context]);
      CHECK(entry.clicked == clicked[pair * contexts.count() + entry.context]);
      found += entry.shown;
    }
  }
  CHECK(found == log.pair.size());
}

TEST_CASE("heads and tails contain each row once") {
  const Log log = random_log(3000, 3, 6);
  rankmix::SerialHost host;
  for (const bool certain : {false, true}) {
    const SplitLog split = split_at_last_click(log.view(), certain, host);
    double rows = 0.0;
    for (const double examined : split.heads.examined) {
      rows += examined;
    }
    for (std::size_t t = 0; t < split.tails.count(); ++t) {
      const double length =
          static_cast<double>(split.tails.starts[t + 1] - split.tails.starts[t]);
      // The row of the last click is in the head, too.
      rows += split.tails.sessions[t] * (length - (split.tails.last[t] > 0 ? 1.0 : 0.0));
    }
    CHECK(rows == static_cast<double>(log.pair.size()));
    CHECK(split.tails.count() < 3000);
  }
}

TEST_CASE("click models have the same bits for any number of threads") {
  const Log log = random_log(30000, 400, 5);
  const FitOptions options{{1.0, 1.0}, 1e-9, 30};
  rankmix::SerialHost serial;
  ThreadHost threads(3);
  for (const ContextKind kind : {ContextKind::kPosition, ContextKind::kPreviousClick}) {
    const Contexts contexts(kind, 5);
    CHECK(numbers_of(fit_factors(log.view(), contexts, {}, options, serial)) ==
          numbers_of(fit_factors(log.view(), contexts, {}, options, threads)));
  }
  CHECK(numbers_of(fit_dependent_clicks(log.view(), options, serial)) ==
        numbers_of(fit_dependent_clicks(log.view(), options, threads)));
  CHECK(numbers_of(fit_dynamic_bayes(log.view(), options, serial)) ==
        numbers_of(fit_dynamic_bayes(log.view(), options, threads)));
}

TEST_CASE("more iterations never lower the likelihood with its prior") {
  const Log log = random_log(500, 3, 5);
  rankmix::SerialHost host;
  const auto penalty = [](const std::vector<double>& p) {
    double sum = 0.0;
    for (const double value : p) {
      sum += value > 0.0 && value < 1.0 ? std::log(value) + std::log(1.0 - value) : 0.0;
    }
    return sum;
  };
  double factors = -1e300;
  double chain = -1e300;
  for (std::size_t n = 1; n < 40; ++n) {
    const FitOptions options{{1.0, 1.0}, 0.0, n, false};
    const FactorFit fit =
        fit_factors(log.view(), Contexts(ContextKind::kPosition, 5), {}, options, host);
    const double value =
        fit.log_likelihood + penalty(fit.attraction) + penalty(fit.examination);
    CHECK(value >= factors - 1e-9);
    factors = value;
    const ChainFit dynamic = fit_dynamic_bayes(log.view(), options, host);
    const double other = dynamic.log_likelihood + penalty(dynamic.attraction) +
                         penalty(dynamic.satisfaction) + penalty(dynamic.continuation);
    CHECK(other >= chain - 1e-9);
    chain = other;
  }
}

TEST_CASE("extrapolation reaches the same maximum in fewer steps") {
  const Log log = random_log(2000, 3, 5);
  rankmix::SerialHost host;
  const FitOptions plain{{1.0, 1.0}, 1e-12, 20000, false};
  const FitOptions fast{{1.0, 1.0}, 1e-12, 20000, true};
  const auto same = [](const auto& a, const auto& b) {
    CHECK(b.converged);
    CHECK(b.iterations < a.iterations);
    for (std::size_t i = 0; i < a.attraction.size(); ++i) {
      CHECK(std::abs(a.attraction[i] - b.attraction[i]) < 1e-8);
    }
  };
  const Contexts contexts(ContextKind::kPosition, 5);
  same(fit_factors(log.view(), contexts, {}, plain, host),
       fit_factors(log.view(), contexts, {}, fast, host));
  same(fit_dependent_clicks(log.view(), plain, host),
       fit_dependent_clicks(log.view(), fast, host));
  same(fit_dynamic_bayes(log.view(), plain, host),
       fit_dynamic_bayes(log.view(), fast, host));
}

TEST_CASE("click models can be interrupted and refuse data of wrong sizes") {
  const Log log = random_log(500, 3, 5);
  ThreadHost host(1);
  host.interrupt_after(3);
  CHECK_THROWS_AS(fit_dynamic_bayes(log.view(), {{1.0, 1.0}, 0.0, 50}, host),
                  rankmix::Interrupted);
  rankmix::SerialHost serial;
  Sessions short_log = log.view();
  short_log.clicked = {};
  CHECK_THROWS_AS(fit_dependent_clicks(short_log, {}, serial), rankmix::InvalidArgument);
  CHECK_THROWS_AS(
      pair_counts(log.view(), Contexts(ContextKind::kPreviousClick, 300), serial),
      rankmix::InvalidArgument);
}

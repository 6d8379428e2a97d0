// Compares the change of a metric for a swap with the metric of the list after the
// swap.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/metric/factory.h"
#include "core/metric/swap.h"

namespace metric = rankmix::metric;
using metric::kWholeList;
using metric::MetricSpec;
using metric::ShortList;

namespace {

constexpr int kHighest = 4;
constexpr std::size_t kLongest = 14;    // of a ranked list
constexpr std::size_t kDocuments = 16;  // of a query

struct List {
  std::vector<int> grades;  // -1: not judged
  metric::GradeCounts counts;
};

// A list of some documents, a few of which are not judged, and some judged documents
// that were not retrieved.
List random_list(std::mt19937_64& random, int highest) {
  List made;
  std::vector<int> judged = {kHighest};
  const std::size_t length = random() % (kLongest + 1);
  const auto grade = [&] { return static_cast<int>(random() % (highest + 1u)); };
  for (std::size_t i = 0; i < length; ++i) {
    made.grades.push_back(random() % 8 == 0 ? -1 : grade());
    judged.push_back(made.grades.back());
  }
  for (std::size_t i = random() % 3; i > 0; --i) {
    judged.push_back(grade());
  }
  metric::count_grades(judged, made.counts);
  --made.counts[kHighest];
  return made;
}

// All values of the parameters that only this metric has.
std::vector<MetricSpec> specs_of(const std::string& name) {
  std::vector<MetricSpec> all;
  MetricSpec spec;
  spec.name = name;
  if (name == "ndcg" || name == "dcg") {
    const std::vector<std::vector<double>> gains = {
        {0, 1, 3, 7, 15}, {0, 1, 2, 3, 4}, {0.5, 0, 2, 2, 1}, {0, 0, 0, 0, 0}};
    std::vector<double> reciprocal;
    for (std::size_t rank = 1; rank <= kDocuments; ++rank) {
      reciprocal.push_back(1.0 / static_cast<double>(rank));
    }
    for (const std::vector<double>& gain : gains) {
      spec.gain = gain;
      for (const char* named : {"log2", "log", "letor"}) {
        spec.discount = named;
        all.push_back(spec);
      }
      spec.discount.clear();
      std::vector<std::vector<double>> tables = {
          reciprocal, std::vector<double>(kDocuments, 1.0), {1.0, 0.5, 0.5}, {0.0, 0.0}};
      if (name == "dcg") {
        tables.push_back({0.1, 0.7, 0.2, 0.9});
      }
      for (const std::vector<double>& table : tables) {
        spec.discounts = table;
        all.push_back(spec);
      }
    }
    return all;
  }
  if (name == "err") {
    for (int highest : {kHighest, kHighest + 1}) {
      spec.max_grade = highest;
      all.push_back(spec);
    }
    return all;
  }
  for (int relevant : {0, 1, 3}) {
    spec.relevant = relevant;
    if (name == "average_precision") {
      for (const char* denominator : {"relevant", "cutoff"}) {
        spec.denominator = denominator;
        all.push_back(spec);
      }
    } else if (name == "reciprocal_rank") {
      for (bool single : {false, true}) {
        spec.single_value = single;
        all.push_back(spec);
      }
    } else {
      all.push_back(spec);
    }
  }
  return all;
}

// All combinations with the parameters that all metrics have.
std::vector<MetricSpec> all_specs(const std::string& name) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<MetricSpec> all;
  for (MetricSpec spec : specs_of(name)) {
    for (std::size_t k : {std::size_t{1}, std::size_t{3}, std::size_t{10}, kWholeList}) {
      for (ShortList rule : {ShortList::kPad, ShortList::kShrink, ShortList::kZero,
                             ShortList::kNoValue, ShortList::kDrop}) {
        for (double empty : {0.0, 0.5, none}) {
          spec.options.k = k;
          spec.options.short_list = rule;
          spec.options.empty = empty;
          all.push_back(spec);
        }
      }
    }
  }
  return all;
}

// The change of values, or 0 if neither list has a value.
double difference(double after, double before) {
  const bool valued = std::isfinite(before);
  CHECK(valued == std::isfinite(after));
  return valued ? after - before : 0.0;
}

struct Tried {
  std::size_t changes = 0;
  double worst = 0.0;
};

void try_list(const metric::Metric& of, metric::SwapChange& swap, const List& list,
              bool backwards, Tried& tried) {
  const std::size_t n = list.grades.size();
  swap.set_list({list.grades, {}, list.counts});
  const double before = of.value({list.grades, {}, list.counts}, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t to = i + 1; to < n; ++to) {
      const std::size_t j = backwards ? n + i - to : to;
      List swapped = list;
      std::swap(swapped.grades[i], swapped.grades[j]);
      const double after = of.value({swapped.grades, {}, swapped.counts}, n);
      const double wanted = difference(after, before);
      const double found = swap.change(i, j);
      const double scale = std::isfinite(before) ? 1.0 + std::abs(before) : 1.0;
      tried.changes += wanted != 0.0 ? 1 : 0;
      tried.worst = std::max(tried.worst, std::abs(found - wanted) / scale);
      if (list.grades[i] == list.grades[j] || i >= swap.depth()) {
        CHECK(found == 0.0);
      }
    }
  }
}

}  // namespace

TEST_CASE("a metric reports its change when two documents are swapped") {
  std::mt19937_64 random(9);
  for (const char* name : {"ndcg", "dcg", "err", "average_precision", "precision",
                           "reciprocal_rank", "judged"}) {
    Tried tried;
    for (const MetricSpec& spec : all_specs(name)) {
      const auto of = metric::make_metric(spec, kDocuments);
      const auto swap = of->swap_change();
      for (int repeat = 0; repeat < 6; ++repeat) {
        const List list = random_list(random, repeat == 0 ? 0 : kHighest);
        try_list(*of, *swap, list, repeat % 2 == 1, tried);
      }
    }
    // Sums of at most 15 terms, each a few roundings of a number below 1 or the DCG.
    CHECK(tried.worst <= 64.0 * std::numeric_limits<double>::epsilon());
    CHECK(tried.changes > 100);
  }
}

TEST_CASE(
    "metrics without a change by swaps return none, and groups of ties are refused") {
  MetricSpec spec;
  spec.gain = {0, 1};
  spec.discount = "log2";
  spec.relevant = 1;
  spec.persistence = 0.8;
  for (const char* name : {"mean_ndcg", "recall", "rbp", "bpref"}) {
    spec.name = name;
    CHECK(metric::make_metric(spec, 5)->swap_change() == nullptr);
  }
  spec.name = "ndcg";
  const auto of = metric::make_metric(spec, 5);
  const std::vector<int> grades = {0, 1};
  const std::vector<std::size_t> ends = {2};
  const metric::GradeCounts counts = {1, 1};
  CHECK_THROWS_AS(of->swap_change()->set_list({grades, ends, counts}),
                  rankmix::InvalidArgument);
}

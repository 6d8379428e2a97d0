#include "core/metric/factory.h"

#include <algorithm>

#include "core/base/errors.h"
#include "core/metric/average_precision.h"
#include "core/metric/bpref.h"
#include "core/metric/dcg.h"
#include "core/metric/err.h"
#include "core/metric/precision.h"
#include "core/metric/reciprocal_rank.h"

namespace rankmix::metric {
namespace {

using MetricPointer = std::unique_ptr<Metric>;

template <class T>
struct Named {
  const char* name;
  T value;
};

// Linear search, because tables are short and a std::map would add more code.
template <class T, std::size_t N>
T lookup(const Named<T> (&table)[N], const std::string& key) {
  for (const Named<T>& entry : table) {
    if (key == entry.name) {
      return entry.value;
    }
  }
  throw InvalidArgument("unknown metric parameter " + key);
}

// Returns a parameter. Throws if the parameter still has its negative default.
template <class T>
T needed(T parameter, const char* name) {
  if (!(parameter >= T{0})) {
    throw InvalidArgument(std::string("a metric lacks its parameter ") + name);
  }
  return parameter;
}

Discounts discounts_of(const MetricSpec& spec, std::size_t ranks) {
  if (spec.discount.empty()) {
    if (spec.discounts.empty() && ranks > 0) {
      throw InvalidArgument("a metric lacks its parameter discount");
    }
    return Discounts::table(spec.discounts, ranks);
  }
  static constexpr Named<Discounts (*)(std::size_t)> named[] = {
      {"log2", Discounts::log2}, {"log", Discounts::log}, {"letor", Discounts::letor}};
  return lookup(named, spec.discount)(ranks);
}

template <class T>
MetricPointer dcg_like(const MetricSpec& spec, std::size_t longest) {
  if (spec.gain.empty()) {
    throw InvalidArgument("a metric lacks its parameter gain");
  }
  return std::make_unique<T>(spec.options, Gains(spec.gain),
                             discounts_of(spec, std::min(spec.options.k, longest)));
}

template <class T>
MetricPointer binary(const MetricSpec& spec, std::size_t) {
  return std::make_unique<T>(spec.options, needed(spec.relevant, "relevant"));
}

MetricPointer err(const MetricSpec& spec, std::size_t) {
  return std::make_unique<Err>(spec.options, needed(spec.max_grade, "max_grade"));
}

MetricPointer average_precision(const MetricSpec& spec, std::size_t) {
  static constexpr Named<bool> by_cutoff[] = {{"relevant", false}, {"cutoff", true}};
  return std::make_unique<AveragePrecision>(spec.options,
                                            needed(spec.relevant, "relevant"),
                                            lookup(by_cutoff, spec.denominator));
}

MetricPointer reciprocal_rank(const MetricSpec& spec, std::size_t) {
  return std::make_unique<ReciprocalRank>(spec.options, needed(spec.relevant, "relevant"),
                                          spec.single_value);
}

MetricPointer rbp(const MetricSpec& spec, std::size_t) {
  return std::make_unique<RankBiasedPrecision>(spec.options,
                                               needed(spec.relevant, "relevant"),
                                               needed(spec.persistence, "persistence"));
}

MetricPointer f_measure(const MetricSpec& spec, std::size_t) {
  return std::make_unique<FMeasure>(spec.options, needed(spec.relevant, "relevant"),
                                    needed(spec.beta, "beta"));
}

MetricPointer judged(const MetricSpec& spec, std::size_t) {
  return std::make_unique<JudgedFraction>(spec.options);
}

}  // namespace

// Lists all metrics, one on each line.
MetricPointer make_metric(const MetricSpec& spec, std::size_t longest) {
  using Maker = MetricPointer (*)(const MetricSpec&, std::size_t);
  static constexpr Named<Maker> makers[] = {{"ndcg", dcg_like<Ndcg>},
                                            {"mean_ndcg", dcg_like<MeanNdcg>},
                                            {"dcg", dcg_like<Dcg>},
                                            {"err", err},
                                            {"average_precision", average_precision},
                                            {"precision", binary<Precision>},
                                            {"recall", binary<Recall>},
                                            {"reciprocal_rank", reciprocal_rank},
                                            {"r_precision", binary<RPrecision>},
                                            {"f_measure", f_measure},
                                            {"success", binary<Success>},
                                            {"judged", judged},
                                            {"bpref", binary<Bpref>},
                                            {"rbp", rbp}};
  return lookup(makers, spec.name)(spec, longest);
}

Ties ties_named(const std::string& name) {
  static constexpr Named<Ties> table[] = {
      {"order", Ties::kOrder},       {"average", Ties::kAverage},
      {"together", Ties::kTogether}, {"best", Ties::kBest},
      {"worst", Ties::kWorst},       {"document", Ties::kDocument}};
  return lookup(table, name);
}

ShortList short_list_named(const std::string& name) {
  static constexpr Named<ShortList> table[] = {{"pad", ShortList::kPad},
                                               {"shrink", ShortList::kShrink},
                                               {"zero", ShortList::kZero},
                                               {"undefined", ShortList::kNoValue},
                                               {"drop", ShortList::kDrop}};
  return lookup(table, name);
}

}  // namespace rankmix::metric

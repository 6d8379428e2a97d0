#include "core/mix/fuse.h"

#include <limits>

namespace rankmix::mix {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool of_ranks(ListValue list_value) {
  return list_value == ListValue::kRank || list_value == ListValue::kBorda ||
         list_value == ListValue::kPoints || list_value == ListValue::kTable;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  return sum;
}

// Normalises the scores of a list, which are sorted, highest first.
void normalize(ListValue list_value, std::vector<double>& scores) {
  const double high = scores.front();
  const double low = scores.back();
  const double largest = std::max(std::abs(high), std::abs(low));
  const auto n = static_cast<double>(scores.size());
  if (list_value == ListValue::kMinMax || list_value == ListValue::kSum) {
    // Differences of halves cannot overflow.
    const double range = 0.5 * high - 0.5 * low;
    for (double& s : scores) {
      s = range > 0.0 ? (0.5 * s - 0.5 * low) / range : 1.0;
    }
    if (list_value == ListValue::kSum) {
      const double sum = sum_of(scores);
      for (double& s : scores) {
        s /= sum;
      }
    }
  } else if (list_value == ListValue::kMax || list_value == ListValue::kZ) {
    for (double& s : scores) {
      s = largest > 0.0 ? s / largest : 0.0;
    }
    if (list_value == ListValue::kZ) {
      const double mean = sum_of(scores) / n;
      double squares = 0.0;
      for (double& s : scores) {
        s -= mean;
        squares += s * s;
      }
      const double deviation = std::sqrt(squares / n);
      for (double& s : scores) {
        s = high > low && deviation > 0.0 ? s / deviation : 0.0;
      }
    }
  }
}

// The values of the documents of one list, by rank, and `rest`, the value of documents
// that are not in the list.
class ListValues {
 public:
  ListValues(const FusionOptions& options, std::size_t ranker, std::size_t all)
      : options_(options), ranker_(ranker), all_(all) {}

  void fill(const ListRanker& list, const double* scores, std::vector<double>& values,
            double& rest) {
    n_ = list.length();
    scores_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      scores_[i] = scores[list.rows()[i]];
    }
    if (of_ranks(options_.list_value)) {
      average_ranks(list.group_ends(), values);
      if (options_.times_scores) {
        normalize(ListValue::kMinMax, scores_);
        for (std::size_t i = 0; i < n_; ++i) {
          values[i] *= 1.0 + scores_[i];
        }
      }
    } else {
      normalize(options_.list_value, scores_);
      values = scores_;
    }
    rest = rest_of(values);
  }

 private:
  double value_of_rank(std::size_t p) const {
    const auto before = static_cast<double>(p - 1);
    switch (options_.list_value) {
      case ListValue::kRank:
        return 1.0 - before / static_cast<double>(n_);
      case ListValue::kBorda:
        return 1.0 - before / static_cast<double>(all_);
      case ListValue::kPoints:
        return static_cast<double>(all_) - before;
      default:
        return options_.table(
            options_.segments == 0 ? p - 1 : (p - 1) * options_.segments / n_, ranker_);
    }
  }

  double mean_of_ranks(std::size_t begin, std::size_t end) const {
    double sum = 0.0;
    for (std::size_t p = begin + 1; p <= end; ++p) {
      sum += value_of_rank(p);
    }
    return sum / static_cast<double>(end - begin);
  }

  void average_ranks(View<const std::size_t> ends, std::vector<double>& values) const {
    values.resize(n_);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(begin),
                values.begin() + static_cast<std::ptrdiff_t>(end),
                mean_of_ranks(begin, end));
      begin = end;
    }
  }

  double rest_of(const std::vector<double>& values) const {
    switch (options_.missing) {
      case Missing::kZero:
        return 0.0;
      case Missing::kGiven:
        return options_.given[ranker_];
      case Missing::kLast:
        if (!of_ranks(options_.list_value) || options_.list_value == ListValue::kRank) {
          return values.back();
        }
        return n_ < all_ ? mean_of_ranks(n_, all_) : kNone;
      default:
        return kNone;
    }
  }

  const FusionOptions& options_;
  std::size_t ranker_;
  std::size_t all_;
  std::size_t n_ = 0;
  std::vector<double> scores_;
};

double median_of(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

// Combines the values of one document over the rankers.
class Combiner {
 public:
  explicit Combiner(const FusionOptions& options) : options_(options) {}

  // `values` has one value for each ranker, NaN if the ranker does not count.
  double operator()(const double* values) {
    const bool weighted = options_.combination == Combination::kSum ||
                          options_.combination == Combination::kMean;
    terms_.clear();
    weights_.clear();
    for (std::size_t r = 0; r < options_.weights.size(); ++r) {
      if (!std::isnan(values[r])) {
        terms_.push_back(weighted ? options_.weights[r] * values[r] : values[r]);
        weights_.push_back(options_.weights[r]);
      }
    }
    std::sort(terms_.begin(), terms_.end());
    std::sort(weights_.begin(), weights_.end());
    return reward() * combined();
  }

 private:
  double combined() const {
    switch (options_.combination) {
      case Combination::kMean:
        return sum_of(terms_) / sum_of(weights_);
      case Combination::kMin:
        return terms_.front();
      case Combination::kMax:
        return terms_.back();
      case Combination::kMedian:
        return median_of(terms_);
      default:
        return sum_of(terms_);
    }
  }

  double reward() const {
    switch (options_.reward) {
      case Reward::kPower:
        return std::pow(sum_of(weights_), options_.parameter);
      case Reward::kLog:
        return std::log(sum_of(weights_) + options_.parameter);
      default:
        return 1.0;
    }
  }

  const FusionOptions& options_;
  std::vector<double> terms_;
  std::vector<double> weights_;
};

// Fuses the lists of one query at a time.
class QueryFusion {
 public:
  QueryFusion(const Lists& lists, const FusionOptions& options)
      : lists_(lists), options_(options), list_(lists), combine_(options) {}

  void fuse(std::size_t query, std::vector<double>& out) {
    const std::size_t rankers = lists_.scores.cols();
    for (const int row : lists_.queries.rows_of(query)) {
      out[static_cast<std::size_t>(row)] = kNone;
    }
    find_retrieved(lists_, query, retrieved_);
    values_.assign(retrieved_.size() * rankers, kNone);
    for (std::size_t r = 0; r < rankers; ++r) {
      add_list(query, r);
    }
    for (std::size_t i = 0; i < retrieved_.size(); ++i) {
      out[static_cast<std::size_t>(retrieved_[i])] =
          combine_(values_.data() + i * rankers);
    }
  }

 private:
  void add_list(std::size_t query, std::size_t ranker) {
    list_.rank(query, ranker);
    if (list_.length() == 0) {
      return;
    }
    double rest = kNone;
    ListValues(options_, ranker, retrieved_.size())
        .fill(list_, lists_.scores.col(ranker), of_list_, rest);
    const std::size_t rankers = lists_.scores.cols();
    for (std::size_t i = 0; i < retrieved_.size(); ++i) {
      values_[i * rankers + ranker] = rest;
    }
    for (std::size_t rank = 0; rank < list_.length(); ++rank) {
      // Both `retrieved_` and the rows of a query are increasing.
      const auto at =
          std::lower_bound(retrieved_.begin(), retrieved_.end(), list_.rows()[rank]);
      const auto i = static_cast<std::size_t>(at - retrieved_.begin());
      values_[i * rankers + ranker] = of_list_[rank];
    }
  }

  const Lists& lists_;
  const FusionOptions& options_;
  ListRanker list_;
  Combiner combine_;
  std::vector<int> retrieved_;
  std::vector<double> of_list_;
  std::vector<double> values_;  // documents x rankers, row-major
};

void check_options(const Lists& lists, const FusionOptions& options) {
  const std::size_t rankers = lists.scores.cols();
  const bool table = options.list_value == ListValue::kTable;
  if (options.weights.size() != rankers || (table && options.table.cols() != rankers) ||
      (table && options.segments > options.table.rows()) ||
      (options.segments > 0 && options.missing == Missing::kLast) ||
      (options.missing == Missing::kGiven && options.given.size() != rankers)) {
    throw InvalidArgument("options of fusion do not fit the rankers");
  }
  if (!table || options.segments > 0) {
    return;
  }
  for (std::size_t q = 0; q < lists.queries.count(); ++q) {
    if (lists.queries.rows_of(q).size() > options.table.rows()) {
      throw InvalidArgument("a list is longer than the table of ranks");
    }
  }
}

}  // namespace

std::vector<double> fuse_lists(const Lists& lists, const FusionOptions& options,
                               Host& host) {
  check_lists(lists);
  check_options(lists, options);
  std::vector<double> out(lists.scores.rows());
  for_each_query(
      lists.queries, host, [&] { return QueryFusion(lists, options); },
      [&](QueryFusion& fusion, std::size_t query) { fusion.fuse(query, out); });
  return out;
}

}  // namespace rankmix::mix

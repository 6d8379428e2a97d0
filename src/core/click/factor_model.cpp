#include "core/click/factor_model.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/click/acceleration.h"

namespace rankmix::click {
namespace {

// Sums over pairs run in at most this many parts, each with a table of contexts.
constexpr std::size_t kParts = 64;

// Calls body(part, begin, end) for parts of the pairs that depend on their number alone.
template <class Body>
void for_parts_of_pairs(Host& host, std::size_t pairs, const Body& body) {
  const std::size_t length = std::max(kShortPiece, (pairs + kParts - 1) / kParts);
  for_each_part(host, pairs, length, pairs > length, body);
}

// Adds `size` numbers of each part, in the order of the parts.
std::vector<double> sum_of_tables(const std::vector<std::vector<double>>& parts,
                                  std::size_t size) {
  std::vector<double> sum(size, 0.0);
  for (const std::vector<double>& part : parts) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      sum[i] += part[i];
    }
  }
  return sum;
}

// Groups of contexts that are linked, by union of sets.
class Links {
 public:
  explicit Links(std::size_t contexts) : parent_(contexts) {
    for (std::size_t c = 0; c < contexts; ++c) {
      parent_[c] = c;
    }
  }
  std::size_t group(std::size_t c) {
    while (parent_[c] != c) {
      parent_[c] = parent_[parent_[c]];
      c = parent_[c];
    }
    return c;
  }
  void join(std::size_t a, std::size_t b) { parent_[group(a)] = group(b); }

 private:
  std::vector<std::size_t> parent_;
};

class Fit {
 public:
  Fit(const PairCounts& entries, std::size_t contexts, View<const double> fixed,
      const FitOptions& options, Host& host)
      : entries_(entries), contexts_(contexts), options_(options), host_(host) {
    pairs_ = entries.starts.size() - 1;
    known_ = !fixed.empty();
    found_.attraction.assign(pairs_, 0.5);
    found_.examination.assign(contexts, 0.5);
    found_.examination[0] = 1.0;
    if (known_) {
      found_.examination.assign(fixed.begin(), fixed.end());
    }
    count_shown();
    find_links();
  }

  FactorFit run() {
    Acceleration acceleration({&found_.examination, &found_.attraction},
                              options_.accelerate && !known_);
    while (found_.iterations < options_.max_iterations && !found_.converged) {
      host_.checkpoint();
      const bool plain = !acceleration.extrapolated();
      acceleration.before_step();
      found_.converged = sweep() <= options_.tolerance && plain;
      ++found_.iterations;
      if (!found_.converged) {
        acceleration.after_step();
      }
    }
    finish();
    return std::move(found_);
  }

 private:
  const PairCount* begin(std::size_t pair) const {
    return entries_.entries.data() + entries_.starts[pair];
  }
  const PairCount* end(std::size_t pair) const {
    return entries_.entries.data() + entries_.starts[pair + 1];
  }

  void count_shown() {
    std::vector<double> shown(contexts_, 0.0);
    for (const PairCount& entry : entries_.entries) {
      shown[entry.context] += static_cast<double>(entry.shown);
    }
    found_.shown = std::move(shown);
  }

  void find_links() {
    Links links(contexts_);
    for (std::size_t pair = 0; pair < pairs_; ++pair) {
      for (const PairCount* entry = begin(pair); entry != end(pair); ++entry) {
        links.join(begin(pair)->context, entry->context);
      }
    }
    for (std::size_t c = 0; c < contexts_; ++c) {
      found_.linked.push_back(links.group(c) == links.group(0) ? 1 : 0);
    }
  }

  double next_attraction(std::size_t pair) const {
    const double a = found_.attraction[pair];
    double attractive = options_.prior.yes;
    double all = options_.prior.yes + options_.prior.no;
    for (const PairCount* entry = begin(pair); entry != end(pair); ++entry) {
      const double g = found_.examination[entry->context];
      const auto missed = static_cast<double>(entry->shown - entry->clicked);
      attractive += static_cast<double>(entry->clicked);
      if (missed > 0.0) {
        attractive += missed * (a * (1.0 - g) / (1.0 - a * g));
      }
      all += static_cast<double>(entry->shown);
    }
    return all > 0.0 ? attractive / all : a;
  }

  // Returns the largest change of an examination, or of an attraction if the
  // examination is known.
  double sweep() {
    std::vector<std::vector<double>> parts(kParts + 1);
    std::vector<double> changes(kParts + 1, 0.0);
    for_parts_of_pairs(
        host_, pairs_, [&](std::size_t part, std::size_t first, std::size_t last) {
          std::vector<double>& examined = parts[part];
          examined.assign(contexts_, 0.0);
          for (std::size_t pair = first; pair < last; ++pair) {
            const double a = next_attraction(pair);
            changes[part] =
                std::max(changes[part], std::abs(a - found_.attraction[pair]));
            found_.attraction[pair] = a;
            if (!known_) {
              add_examined(pair, examined);
            }
          }
        });
    if (known_) {
      return *std::max_element(changes.begin(), changes.end());
    }
    return update_examination(sum_of_tables(parts, contexts_));
  }

  void add_examined(std::size_t pair, std::vector<double>& examined) const {
    const double a = found_.attraction[pair];
    for (const PairCount* entry = begin(pair); entry != end(pair); ++entry) {
      const double g = found_.examination[entry->context];
      const auto missed = static_cast<double>(entry->shown - entry->clicked);
      examined[entry->context] += static_cast<double>(entry->clicked);
      if (missed > 0.0) {
        examined[entry->context] += missed * (g * (1.0 - a) / (1.0 - a * g));
      }
    }
  }

  double update_examination(const std::vector<double>& examined) {
    const Prior& prior = options_.prior;
    double change = 0.0;
    for (std::size_t c = 1; c < contexts_; ++c) {
      if (found_.shown[c] > 0.0) {
        const double next =
            (examined[c] + prior.yes) / (found_.shown[c] + prior.yes + prior.no);
        change = std::max(change, std::abs(next - found_.examination[c]));
        found_.examination[c] = next;
      }
    }
    return change;
  }

  // The log-likelihood and the information at the result.
  void finish() {
    std::vector<std::vector<double>> parts(kParts + 1);
    std::vector<double> values(kParts + 1, 0.0);
    // Large matrices are summed in one part, because each part has its own matrix.
    const std::size_t size = known_ ? 0 : contexts_ * contexts_;
    const auto body = [&](std::size_t part, std::size_t first, std::size_t last) {
      parts[part].assign(size, 0.0);
      for (std::size_t pair = first; pair < last; ++pair) {
        values[part] += log_likelihood(pair);
        if (!known_) {
          add_information(pair, parts[part]);
        }
      }
    };
    if (contexts_ <= 256) {
      for_parts_of_pairs(host_, pairs_, body);
    } else {
      body(0, 0, pairs_);
    }
    found_.log_likelihood = sum_of_parts(values);
    found_.information = sum_of_tables(parts, size);
    add_prior_information();
  }

  double log_likelihood(std::size_t pair) const {
    double sum = 0.0;
    for (const PairCount* entry = begin(pair); entry != end(pair); ++entry) {
      const double p = found_.attraction[pair] * found_.examination[entry->context];
      const auto missed = static_cast<double>(entry->shown - entry->clicked);
      sum += entry->clicked > 0 ? static_cast<double>(entry->clicked) * std::log(p) : 0.0;
      sum += missed > 0.0 ? missed * std::log(1.0 - p) : 0.0;
    }
    return sum;
  }

  void add_information(std::size_t pair, std::vector<double>& sum) const {
    const double a = found_.attraction[pair];
    const Prior& prior = options_.prior;
    double own = prior.yes / (a * a) + prior.no / ((1.0 - a) * (1.0 - a));
    std::vector<double> mixed;
    for (const PairCount* entry = begin(pair); entry != end(pair); ++entry) {
      const double g = found_.examination[entry->context];
      const double rest = 1.0 - a * g;
      const auto clicked = static_cast<double>(entry->clicked);
      const auto missed = static_cast<double>(entry->shown - entry->clicked);
      own += clicked / (a * a) + missed * (g / rest) * (g / rest);
      mixed.push_back(missed / (rest * rest));
      sum[entry->context * (contexts_ + 1)] +=
          clicked / (g * g) + missed * (a / rest) * (a / rest);
    }
    const std::size_t entries = mixed.size();
    for (std::size_t i = 0; i < entries && own > 0.0; ++i) {
      const std::size_t column = begin(pair)[i].context * contexts_;
      for (std::size_t j = 0; j < entries; ++j) {
        sum[column + begin(pair)[j].context] -= mixed[i] * mixed[j] / own;
      }
    }
  }

  void add_prior_information() {
    if (known_) {
      return;
    }
    const Prior& prior = options_.prior;
    for (std::size_t c = 0; c < contexts_; ++c) {
      const double g = found_.examination[c];
      found_.information[c * (contexts_ + 1)] +=
          c > 0 ? prior.yes / (g * g) + prior.no / ((1.0 - g) * (1.0 - g)) : 0.0;
      found_.information[c] = 0.0;  // context 0 is fixed
      found_.information[c * contexts_] = 0.0;
    }
  }

  const PairCounts& entries_;
  std::size_t contexts_;
  std::size_t pairs_ = 0;
  bool known_ = false;
  FitOptions options_;
  Host& host_;
  FactorFit found_;
};

}  // namespace

FactorFit fit_factors(const Sessions& log, const Contexts& contexts,
                      View<const double> fixed, const FitOptions& options, Host& host) {
  if (!fixed.empty() && fixed.size() != contexts.count()) {
    throw InvalidArgument("the known examination does not fit");
  }
  const PairCounts entries = pair_counts(log, contexts, host);
  return Fit(entries, contexts.count(), fixed, options, host).run();
}

}  // namespace rankmix::click

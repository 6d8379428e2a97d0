#include "core/click/chain_model.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/click/acceleration.h"
#include "core/click/tails.h"

namespace rankmix::click {
namespace {

double with_prior(double yes, double all, const Prior& prior) {
  const double sum = all + prior.yes + prior.no;
  return sum > 0.0 ? (yes + prior.yes) / sum : 0.5;
}

// count * log(p), without the logarithm if the count is 0.
double counted_log(double count, double p) {
  return count > 0.0 ? count * std::log(p) : 0.0;
}

// The sums of a block of tails that are added to the sums of the parameters.
struct Sums {
  double log_likelihood = 0.0;
  std::vector<double> trials;     // of each continuation probability
  std::vector<double> continued;  // of each continuation probability
};

class ChainFitter {
 public:
  ChainFitter(const Sessions& log, bool dynamic, const FitOptions& options, Host& host)
      : split_(split_at_last_click(log, !dynamic, host)),
        dynamic_(dynamic),
        options_(options),
        host_(host) {
    found_.attraction.assign(log.pairs, 0.5);
    found_.satisfaction.assign(dynamic ? log.pairs : 0, 0.5);
    found_.continuation.assign(dynamic ? 1 : log.depth, 0.5);
    found_.trials.assign(found_.continuation.size(), 0.0);
    examined_.assign(split_.tails.pair.size(), 0.0);
    satisfied_.assign(dynamic ? split_.tails.pair.size() : 0, 0.0);
  }

  ChainFit run() {
    Acceleration acceleration(
        {&found_.continuation, &found_.attraction, &found_.satisfaction},
        options_.accelerate);
    while (found_.iterations < options_.max_iterations && !found_.converged) {
      host_.checkpoint();
      const bool plain = !acceleration.extrapolated();
      acceleration.before_step();
      const Sums sums = expect();
      found_.converged = maximise(sums) <= options_.tolerance && plain;
      ++found_.iterations;
      if (!found_.converged) {
        acceleration.after_step();
      }
    }
    found_.log_likelihood = expect().log_likelihood + head_log_likelihood();
    return std::move(found_);
  }

 private:
  // The probability that a user who is not satisfied continues after the last click of a
  // tail.
  double continues(std::uint32_t last) const {
    return found_.continuation[dynamic_ ? 0 : last - 1];
  }
  double gamma() const { return dynamic_ ? found_.continuation[0] : 1.0; }

  Sums expect() {
    const Tails& tails = split_.tails;
    std::vector<Sums> parts(block_count(tails.count()));
    for_each_block(host_, tails.count(), RowCost::kHeavy,
                   [&](std::size_t block, std::size_t begin, std::size_t end) {
                     Sums& sums = parts[block];
                     sums.trials.assign(found_.continuation.size(), 0.0);
                     sums.continued = sums.trials;
                     std::vector<double> below;
                     for (std::size_t t = begin; t < end; ++t) {
                       expect_tail(t, below, sums);
                     }
                   });
    Sums all;
    all.trials.assign(found_.continuation.size(), 0.0);
    all.continued = all.trials;
    for (const Sums& part : parts) {
      all.log_likelihood += part.log_likelihood;
      for (std::size_t k = 0; k < all.trials.size(); ++k) {
        all.trials[k] += part.trials[k];
        all.continued[k] += part.continued[k];
      }
    }
    return all;
  }

  // `below` is a buffer for B of the rows of the tail.
  void expect_tail(std::size_t t, std::vector<double>& below, Sums& sums) {
    const Tails& tails = split_.tails;
    const std::size_t begin = tails.starts[t];
    const std::size_t end = tails.starts[t + 1];
    const bool clicked = tails.last[t] > 0;
    const std::size_t first = begin + (clicked ? 1 : 0);
    const double g = gamma();
    below.resize(end - begin);
    double rest = 1.0;  // B of the row below; 1 at the end of the list
    for (std::size_t row = end; row-- > first;) {
      const double a = found_.attraction[tails.pair[row]];
      rest = (1.0 - a) * (row + 1 == end ? 1.0 : 1.0 - g + g * rest);
      below[row - begin] = rest;
    }
    const double n = tails.sessions[t];
    double examined = n;  // sessions that examined the first row after the last click
    if (clicked) {
      examined = expect_after_click(t, rest, sums);
    } else {
      sums.log_likelihood += n * std::log(rest);
    }
    for (std::size_t row = first; row < end; ++row) {
      examined_[row] = examined;
      if (row + 1 < end && dynamic_) {
        const double on = g * below[row + 1 - begin];
        sums.trials[0] += examined;
        examined *= on / (1.0 - g + on);
        sums.continued[0] += examined;
      }
    }
  }

  // Returns the number of sessions that examined the row below the last click. `rest` is
  // B of that row.
  double expect_after_click(std::size_t t, double rest, Sums& sums) {
    const Tails& tails = split_.tails;
    const std::size_t row = tails.starts[t];
    const double n = tails.sessions[t];
    const double c = continues(tails.last[t]);
    const double s = dynamic_ ? found_.satisfaction[tails.pair[row]] : 0.0;
    const double on = (1.0 - s) * c * rest;
    const double all = s + (1.0 - s) * (1.0 - c) + on;
    sums.log_likelihood += n * std::log(all);
    const double examined = n * on / all;
    const double satisfied = n * s / all;
    if (dynamic_) {
      satisfied_[row] = satisfied;
    }
    const std::size_t at = dynamic_ ? 0 : tails.last[t] - 1;
    sums.trials[at] += n - satisfied;
    sums.continued[at] += examined;
    return examined;
  }

  // Returns the largest change of a continuation probability.
  double maximise(const Sums& sums) {
    for_each_piece(host_, found_.attraction.size(),
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t pair = begin; pair < end; ++pair) {
                       maximise_pair(pair);
                     }
                   });
    const Heads& heads = split_.heads;
    double change = 0.0;
    for (std::size_t k = 0; k < found_.continuation.size(); ++k) {
      double sure = 0.0;
      if (dynamic_) {
        for (const double returned : heads.returned_at) {
          sure += returned;
        }
        sure += heads.skipped;
      } else {
        sure = heads.returned_at[k];
      }
      const double next =
          with_prior(sure + sums.continued[k], sure + sums.trials[k], options_.prior);
      change = std::max(change, std::abs(next - found_.continuation[k]));
      found_.continuation[k] = next;
      found_.trials[k] = sure + sums.trials[k];
    }
    return change;
  }

  // Sums the rows of a pair. examined_ is 0 in the row of the last click, and satisfied_
  // is 0 in all other rows.
  void maximise_pair(std::size_t pair) {
    const Tails& tails = split_.tails;
    const Heads& heads = split_.heads;
    double examined = heads.examined[pair];
    double satisfied = 0.0;
    for (std::size_t i = tails.pair_starts[pair]; i < tails.pair_starts[pair + 1]; ++i) {
      examined += examined_[tails.rows[i]];
      satisfied += dynamic_ ? satisfied_[tails.rows[i]] : 0.0;
    }
    found_.attraction[pair] = with_prior(heads.clicked[pair], examined, options_.prior);
    if (dynamic_) {
      found_.satisfaction[pair] =
          with_prior(satisfied, heads.returned[pair] + stops_[pair], options_.prior);
    }
  }

  double head_log_likelihood() const {
    const Heads& heads = split_.heads;
    double sum = counted_log(dynamic_ ? heads.skipped : 0.0, gamma());
    for (std::size_t pair = 0; pair < found_.attraction.size(); ++pair) {
      const double a = found_.attraction[pair];
      sum += counted_log(heads.clicked[pair], a) +
             counted_log(heads.examined[pair] - heads.clicked[pair], 1.0 - a);
      sum += dynamic_ ? counted_log(heads.returned[pair], 1.0 - found_.satisfaction[pair])
                      : 0.0;
    }
    for (std::size_t k = 0; k < heads.returned_at.size(); ++k) {
      sum += counted_log(heads.returned_at[k], found_.continuation[dynamic_ ? 0 : k]);
    }
    return sum;
  }

  // Clicks of each pair that are the last of a session and not at its end.
  std::vector<double> last_clicks(std::size_t pairs) const {
    std::vector<double> found(pairs, 0.0);
    const Tails& tails = split_.tails;
    for (std::size_t t = 0; t < tails.count(); ++t) {
      if (tails.last[t] > 0) {
        found[tails.pair[tails.starts[t]]] += tails.sessions[t];
      }
    }
    return found;
  }

  SplitLog split_;
  bool dynamic_;
  FitOptions options_;
  Host& host_;
  ChainFit found_;
  std::vector<double> examined_;   // of each row of tails: sessions that examined it
  std::vector<double> satisfied_;  // of each row of tails: satisfied sessions
  std::vector<double> stops_ = last_clicks(split_.heads.clicked.size());
};

}  // namespace

ChainFit fit_cascade(const Sessions& log, const FitOptions& options) {
  check_sessions(log);
  std::vector<double> clicked(log.pairs, 0.0);
  std::vector<double> examined(log.pairs, 0.0);
  for (std::size_t i = 0; i < log.count(); ++i) {
    bool looking = true;
    for (std::size_t row = log.begin(i); row < log.end(i) && looking; ++row) {
      examined[log.pair_of(row)] += log.copies_of(i);
      clicked[log.pair_of(row)] += log.clicked[row] * log.copies_of(i);
      looking = log.clicked[row] == 0;
    }
  }
  ChainFit found;
  found.converged = true;
  for (std::size_t pair = 0; pair < log.pairs; ++pair) {
    const double a = with_prior(clicked[pair], examined[pair], options.prior);
    found.attraction.push_back(a);
    found.log_likelihood += counted_log(clicked[pair], a) +
                            counted_log(examined[pair] - clicked[pair], 1.0 - a);
  }
  return found;
}

ChainFit fit_dependent_clicks(const Sessions& log, const FitOptions& options,
                              Host& host) {
  return ChainFitter(log, false, options, host).run();
}

ChainFit fit_dynamic_bayes(const Sessions& log, const FitOptions& options, Host& host) {
  return ChainFitter(log, true, options, host).run();
}

}  // namespace rankmix::click

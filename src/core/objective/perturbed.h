// Weights of pairs of documents of a query, from perturbed rankings.
//
// Given:     scores, and the weight of a pair by its grades: grade_weights[a, b] for a
//            document of grade a before one of grade b.
// Result:    for pairs i, j the weights w_ij = N_ij grade_weights[g_i, g_j] and w_ji.
// Algorithm: rankings by scores to which noise is added; in each, a document and those
//            next below it get, N_ij = N_ji, the weight of the rank of the upper one; or
//            the change of a metric when the two are swapped. N is a sum of whole numbers
//            of units of 2^-32, so that it is exact. Or N = 1 for all pairs.
// Reference: Gulin, Kuralenok & Pavlov 2011, (6) to (8); Lyzhin et al. 2023,
//            arXiv:2204.01500, for weights by a metric.
//
// Noise is by the query's key and the position of the document in its query, so that the
// order of the queries changes nothing. Equal sums, of which there are few, put the
// earlier document first. Cost: rankings x (n log n + n neighbours) for n documents; n^2
// numbers, of long queries one for each neighbour of a ranking.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/views.h"
#include "core/metric/metric.h"
#include "core/metric/swap.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

// The law of the noise, times `noise_scale`.
enum class Noise { kLogistic, kNormal, kNone };
// The weight of the rank R = 1, 2, ... of the upper document.
enum class RankWeight { kEqual, kReciprocal, kDecay, kMetric };

struct PerturbedOptions {
  std::size_t rankings = 100;
  std::size_t neighbours = 1;  // how far below it a document's neighbours are
  Noise noise = Noise::kLogistic;
  double noise_scale = 1.0;
  RankWeight rank_weight = RankWeight::kReciprocal;  // kEqual: N = 1, no ranking is drawn
  double decay = 0.85;                               // decay^(R - 1)
  std::shared_ptr<const metric::Metric> metric;      // of kMetric
  std::size_t grades = 0;
  std::vector<double> grade_weights;  // grades x grades, row by row
  std::vector<std::uint64_t> keys;    // of the queries; empty: their numbers
  void validate() const;
};

struct PerturbedPair {
  std::size_t first;  // of the documents of the query; first < second
  std::size_t second;
  double forth;  // the weight of `first` coming before `second`
  double back;
};

// Noise as whole numbers, a unit being kNoiseUnit, by 16 random bits.
constexpr double kNoiseUnit = 1.0 / (1 << 20);
std::vector<std::int32_t> noise_table(Noise noise, double scale);

// How often the pairs of a query are seen: document a with each one after it, in units.
// Behind the numbers of each document kAfter others may be read.
struct SeenPairs {
  static constexpr std::size_t kAfter = 4;
  const std::uint64_t* units = nullptr;
  std::size_t documents = 0;
  double unit = 1.0;

  // Where the numbers of document a are, with a + 1 first.
  static std::size_t begin(std::size_t a, std::size_t documents) {
    return a * (2 * documents - a - 1) / 2;
  }
  static std::size_t size(std::size_t documents) {
    return begin(documents, documents) + kAfter;
  }
  const std::uint64_t* of(std::size_t a) const { return units + begin(a, documents); }
};

// Of query after query; keeps its memory.
class PerturbedPairs {
 public:
  // Up to so many documents have a number for each pair.
  static constexpr std::size_t kTableDocuments = 3000;

  PerturbedPairs(const PerturbedOptions& options, const std::vector<std::int32_t>& noise);
  // How often rankings see each pair, of at most kTableDocuments documents; valid as
  // draw() is.
  SeenPairs see(const Query& query, std::uint64_t stream);
  // The pairs of positive weight, by `first`, then `second`; valid until the next call.
  // `stream` is that of the round. Documents come in the order of the rows.
  const std::vector<PerturbedPair>& draw(const Query& query, std::uint64_t stream);

 private:
  struct Sum {
    std::uint64_t pair;
    std::uint64_t units;
  };

  void sum_rankings(const Query& query, std::uint64_t stream);
  void set_scores(const Query& query);
  void rank(const Query& query, std::uint64_t stream);
  bool rank_by_count(std::size_t n);
  void rank_by_sorting(std::size_t n);
  void add_neighbours(const Query& query, std::uint64_t times);
  std::uint64_t units_of(std::size_t upper, std::size_t lower);
  void add_pair(std::size_t a, std::size_t b, std::uint64_t units);
  void take_sums(const Query& query);
  void take_pair(const Query& query, std::size_t a, std::size_t b, double seen);

  const PerturbedOptions& options_;
  const std::vector<std::int32_t>& noise_;
  std::unique_ptr<metric::SwapChange> swap_;
  std::size_t documents_ = 0;
  std::vector<std::uint64_t> rank_units_;
  std::vector<std::int64_t> scores_;  // in units of the noise
  bool small_ = false;                // whether their sums with the noise are 32 bits
  std::int64_t max_noise_ = 0;
  std::vector<std::int64_t> sum_;  // of the scores and the noise
  std::vector<std::int32_t> small_keys_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::int64_t> keys_;    // and a buffer of the same size for sorting
  std::vector<std::uint32_t> order_;  // of a ranking: the documents, best first
  std::vector<int> ranked_grades_;
  metric::GradeCounts counts_;
  std::vector<std::uint64_t> table_;  // as SeenPairs has it
  std::vector<Sum> sums_;
  std::vector<PerturbedPair> pairs_;
};

}  // namespace rankmix::objective

// Weights of pairs of documents of a query from perturbed rankings (YetiRank).
//
// Given:     scores, and grade_weights[a, b], the weight of a pair with a document of
//            grade a before a document of grade b.
// Result:    for pairs i, j the weights w_ij = N_ij grade_weights[g_i, g_j] and w_ji.
// Algorithm: rankings by score plus random noise. In each ranking, every document i is
//            paired with its next neighbours j below. N_ij = N_ji increases by the weight
//            of the rank of i, or by the change of a metric when the two are swapped. N
//            is a sum of integers in units of 2^-32, so it is exact. With
//            RankWeight::kEqual, N = 1.
// Reference: Gulin, Kuralenok & Pavlov 2011, (6) to (8); Lyzhin et al. 2023,
//            arXiv:2204.01500, for weights by a metric.
//
// Noise depends on the key of the query and the position of the document in its query, so
// the order of queries does not matter. Equal sums are rare; the earlier document then
// comes first. Time: rankings x (n log n + n neighbours) for n documents. Memory: n^2
// numbers, or for long queries one number for each neighbour in each ranking.
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

// The distribution of the noise, which is multiplied by `noise_scale`.
enum class Noise { kLogistic, kNormal, kNone };
// The weight of the rank R = 1, 2, ... of the upper document: 1, 1 / R, decay^(R - 1), or
// by the metric.
enum class RankWeight { kEqual, kReciprocal, kDecay, kMetric };

struct PerturbedOptions {
  std::size_t rankings = 100;
  std::size_t neighbours = 1;  // number of neighbours below each document
  Noise noise = Noise::kLogistic;
  double noise_scale = 1.0;
  RankWeight rank_weight = RankWeight::kReciprocal;  // kEqual: N = 1, no rankings
  double decay = 0.85;                               // for kDecay
  std::shared_ptr<const metric::Metric> metric;      // for kMetric
  std::size_t grades = 0;
  std::vector<double> grade_weights;  // grades x grades, row-major
  std::vector<std::uint64_t> keys;    // of the queries; empty: their indices
  void validate() const;
};

struct PerturbedPair {
  std::size_t first;  // index in the query; first < second
  std::size_t second;
  double forth;  // weight of `first` before `second`
  double back;
};

// The noise for each of 2^16 values of 16 random bits, in units of kNoiseUnit.
constexpr double kNoiseUnit = 1.0 / (1 << 20);
std::vector<std::int32_t> noise_table(Noise noise, double scale);

// The sum N of each pair of documents (a, b) with a < b, in units, as a packed triangle.
// kAfter additional elements can be read after the numbers of each document.
struct SeenPairs {
  static constexpr std::size_t kAfter = 4;
  const std::uint64_t* units = nullptr;
  std::size_t documents = 0;
  double unit = 1.0;

  // The index of the pair (a, a + 1), the first pair of document a.
  static std::size_t begin(std::size_t a, std::size_t documents) {
    return a * (2 * documents - a - 1) / 2;
  }
  static std::size_t size(std::size_t documents) {
    return begin(documents, documents) + kAfter;
  }
  const std::uint64_t* of(std::size_t a) const { return units + begin(a, documents); }
};

// Processes one query at a time; keeps its buffers.
class PerturbedPairs {
 public:
  // Queries with at most this many documents use a table of all pairs.
  static constexpr std::size_t kTableDocuments = 3000;

  PerturbedPairs(const PerturbedOptions& options, const std::vector<std::int32_t>& noise);
  // The sums N of all pairs. For at most kTableDocuments documents. Valid until the next
  // call of see() or draw().
  SeenPairs see(const Query& query, std::uint64_t stream);
  // The pairs of positive weight, sorted by `first`, then `second`. `stream` is the
  // random stream of the round. Documents must be in the order of the rows. Valid until
  // the next call.
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
  bool small_ = false;                // sums of score and noise fit in 32 bits
  std::int64_t max_noise_ = 0;
  std::vector<std::int64_t> sum_;  // score + noise
  std::vector<std::int32_t> small_keys_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::int64_t> keys_;    // keys, then scratch of the same size
  std::vector<std::uint32_t> order_;  // documents of a ranking, best first
  std::vector<int> ranked_grades_;
  metric::GradeCounts counts_;
  std::vector<std::uint64_t> table_;  // laid out as SeenPairs
  std::vector<Sum> sums_;
  std::vector<PerturbedPair> pairs_;
};

}  // namespace rankmix::objective

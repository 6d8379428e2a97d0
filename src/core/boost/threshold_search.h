// The weak rankers of RankBoost: a feature and a threshold.
//
// Problem:   the weak ranker with the largest |sum_x pi(x) h(x)|, where h(x) is 1 if the
//            feature is above the threshold, else 0.
// Given:     the potentials pi of all rows, see pair_weights.h.
// Result:    feature and threshold, and the value of rows whose feature is missing.
// Algorithm: search_bins() tries the thresholds of bins, with the histograms of trees.
//            search_values() tries all midpoints between adjacent values, in one pass
//            over the rows of each feature in the order of its values, for a single rank.
// Ties: the lowest feature, then the lowest threshold, then missing values above it.
// Reference: Freund, Iyer, Schapire & Singer 2003, figure 3.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/boost/pair_weights.h"
#include "core/data/bins.h"
#include "core/data/columns.h"
#include "core/tree/documents.h"

namespace rankmix::boost {

// Twice the value of a row whose feature is missing.
enum class Absent : std::uint8_t { kBelow = 0, kHalf = 1, kAbove = 2 };

struct Threshold {
  int feature = -1;
  double value = 0.0;  // infinite if it separates missing values
  Absent absent = Absent::kAbove;

  bool exists() const { return feature >= 0; }
};

class ThresholdSearch {
 public:
  // With `halves`, rows whose feature is missing get 1/2, otherwise the better of 0 and
  // 1.
  explicit ThresholdSearch(bool halves) : halves_(halves) {}
  virtual ~ThresholdSearch() = default;
  // The best weak ranker for the rows of all ranks. If all sums are 0, there is none.
  // Potentials have 64 bits per row.
  virtual Threshold best(const std::vector<std::uint32_t>& potentials, Host& host) = 0;
  // Computes the output of a weak ranker for each row. Throws InvalidArgument if the data
  // lack its feature or threshold.
  virtual void rank(const Threshold& threshold, Host& host, Heights& heights) = 0;
  virtual bool has_missing(std::size_t feature) const = 0;

 protected:
  bool halves() const { return halves_; }

 private:
  bool halves_;
};

// `bins` must outlive the result.
std::unique_ptr<ThresholdSearch> search_bins(const data::BinnedMatrix& bins, bool halves);
// Searches all thresholds between the values of rows that count. Sorts each feature once.
// `columns` must outlive the result.
std::unique_ptr<ThresholdSearch> search_values(const data::Columns& columns, bool halves,
                                               const tree::Counted& counted, Host& host);

}  // namespace rankmix::boost

// The weak rankers of RankBoost: a feature and a threshold.
//
// Problem:   the weak ranker with the largest |sum_x pi(x) h(x)|, h(x) = 1 where the
// feature
//            is above the threshold and 0 where it is not.
// Given:     the potentials pi of all rows, see pair_weights.h.
// Result:    feature and threshold, and what rows are given whose feature is missing.
// Algorithm: thresholds of bins by histograms of the trees' engine; or all thresholds
//            half-way between neighbouring values, by going through each feature's rows
//            in the order of its values.
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

// What a row gets whose feature is missing, times two.
enum class Absent : std::uint8_t { kBelow = 0, kHalf = 1, kAbove = 2 };

struct Threshold {
  int feature = -1;
  double value = 0.0;  // infinite where it parts present from missing values
  Absent absent = Absent::kAbove;

  bool exists() const { return feature >= 0; }
};

class ThresholdSearch {
 public:
  // `halves`: where the feature is missing rows get 1/2, and else the better of 0 and 1.
  explicit ThresholdSearch(bool halves) : halves_(halves) {}
  virtual ~ThresholdSearch() = default;
  // None where all sums are 0. Potentials are 64 bits a row.
  virtual Threshold best(const std::vector<std::uint32_t>& potentials, Host& host) = 0;
  // What a weak ranker gives each row. Throws InvalidArgument where there is no such one.
  virtual void rank(const Threshold& threshold, Host& host, Heights& heights) = 0;
  virtual bool has_missing(std::size_t feature) const = 0;

 protected:
  bool halves() const { return halves_; }

 private:
  bool halves_;
};

// `bins` must outlive it.
std::unique_ptr<ThresholdSearch> search_bins(const data::BinnedMatrix& bins, bool halves);
// All thresholds between values of rows that count: sorts each feature once. `columns`
// must outlive it.
std::unique_ptr<ThresholdSearch> search_values(const data::Columns& columns, bool halves,
                                               const tree::Counted& counted, Host& host);

}  // namespace rankmix::boost

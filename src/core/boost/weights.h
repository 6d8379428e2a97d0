// The weights of AdaBoost.MH, one for each document and grade.
//
// Initial weights, with y_il = +1 when document i has grade l and -1 otherwise:
//   uniform     1 / (2 n) for the document's grade, 1 / (2 n (K - 1)) for the others;
//   relevance   2^l_i for the document's grade, 2^l_i / (K - 1) for the others;
// both times the weight of the document, if there are any, and scaled to sum 1. Source:
// Busa-Fekete, Kegl, Elteto & Szarvas 2013, doi:10.1007/s10994-013-5360-9, appendix A.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/histogram.h"

namespace rankmix::boost {

enum class WeightScheme { kRelevance, kUniform };

// The votes of a tree: leaf i votes votes[i * classes + l], +1 or -1, for grade l.
using Votes = std::vector<double>;

class Weights {
 public:
  // Weights of documents, none of them negative and some positive; empty: all are 1.
  Weights(View<const int> grades, View<const double> documents, std::size_t classes,
          WeightScheme scheme, Host& host);

  std::size_t rows() const { return rows_; }
  std::size_t classes() const { return classes_; }
  // The signed weights w_il y_il in units of 2^-30, ready for histograms. Sums over any
  // rows and grades stay below 2^31, because the weights sum to 1.
  tree::Channels channels() const { return {channels_.data(), classes_}; }
  // Edge sum_il w_il h_l(x_i) y_il of a tree; row i is in leaf leaf_of_row[i].
  double edge(const std::vector<std::uint32_t>& leaf_of_row, const Votes& votes,
              Host& host) const;
  // w_il *= exp(-alpha h_l(x_i) y_il), scaled to sum 1.
  void update(const std::vector<std::uint32_t>& leaf_of_row, const Votes& votes,
              double alpha, Host& host);

 private:
  // Sums to 1 again and refreshes the channels.
  void normalise(Host& host);
  // +1 or -1 for each leaf, true grade and grade: h_l y_l, side by side over l.
  std::vector<double> agreements(const Votes& votes) const;

  std::size_t rows_;
  std::size_t classes_;
  std::vector<std::uint8_t> grades_;
  std::vector<double> weights_;  // rows x classes, a row's weights side by side
  std::vector<std::uint32_t> channels_;
};

}  // namespace rankmix::boost

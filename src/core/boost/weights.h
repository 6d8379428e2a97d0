// The weights of AdaBoost.MH, one for each document and grade.
//
// Initial weights, with y_il = +1 if document i has grade l, else -1:
//   uniform     1 / (2 n) for the document's grade, 1 / (2 n (K - 1)) for the others;
//   relevance   2^l_i for the document's grade, 2^l_i / (K - 1) for the others;
// both times the weight of the document, if documents have weights, and scaled to sum 1.
// If the weights of documents equal their counts, the weights of one copy are stored and
// counted repeatedly in all sums. Such a document has the same effect, to the last bit,
// as its copies. Source: Busa-Fekete, Kegl, Elteto & Szarvas 2013,
// doi:10.1007/s10994-013-5360-9, appendix A.
//
// The signed weights w_il y_il are stored in single or double precision. Histograms read
// them in units of 2^-30, and for doubles also their rounding errors. In a sum over all
// weights, each weight is rounded to a multiple of 2^-51, so that the sum does not depend
// on the order of the rows. The weights sum to 1 except for rounding. Edges are relative
// to this sum, and an update divides by the sum. Otherwise errors would grow from round
// to round.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/units.h"
#include "core/base/views.h"
#include "core/boost/draw.h"
#include "core/tree/channels.h"
#include "core/tree/documents.h"
#include "core/tree/leaf_ids.h"

namespace rankmix::boost {

enum class WeightScheme { kRelevance, kUniform };

// The votes of a base classifier, leaves x classes, row-major. Votes are between -1 and
// +1.
using Votes = std::vector<double>;
using tree::LeafIds;

class Weights {
 public:
  // `documents` are weights of documents, none negative and at least one positive; if
  // empty, all are 1. `counts` is how often each document counts; if empty, once. With
  // several ranks, all sums below cover the rows of all ranks. rows(), the channels and
  // magnitudes() cover only the rows of this rank.
  Weights(View<const int> grades, View<const double> documents, View<const int> counts,
          std::size_t classes, WeightScheme scheme, Precision precision, Host& host);

  std::size_t rows() const { return rows_; }
  std::size_t classes() const { return classes_; }
  // The sum of the counts of all rows.
  double documents() const { return documents_; }
  // The signed weights w_il y_il. In double precision, and with up to 16 grades, the
  // channels include rounding errors. Sums over any rows and grades stay below 2^31
  // units, because the weights sum to 1.
  tree::ChannelSource channels() const;
  // The signed weights and their magnitudes. In double precision, and with up to 8
  // grades, the channels include rounding errors. Throws InvalidArgument for more than 16
  // grades.
  tree::ChannelSource magnitude_channels() const;
  // One channel: the sum over a row's grades of the signed weights times `signs`. With
  // `magnitudes`, a second channel has the sum of the weights.
  tree::ChannelSource summed_channels(View<const int> signs, bool magnitudes) const;
  // w_il| times the number of copies of row i, rows x classes, row-major.
  std::vector<double> magnitudes() const;
  // The sum of all weights, which is 1 except for rounding.
  double sum() const { return sum_; }
  // sum_il w_il h_l(x_i) y_il / sum_il w_il
  double edge(const LeafIds& leaf_ids, const Votes& votes, Host& host) const;
  // sum_il w_il (1 - exp(-alpha h_l(x_i) y_il)) / sum_il w_il
  double gain(const LeafIds& leaf_ids, const Votes& votes, double alpha,
              Host& host) const;
  // The total weight of some rows, over all grades.
  double fraction_of(const std::vector<std::uint32_t>& rows, Host& host) const;
  // For each of `count` leaves and each grade, the weight of the labels +1 and of the
  // labels -1.
  std::vector<double> class_sums(const LeafIds& leaf_ids, std::size_t count,
                                 Host& host) const;
  // Moves row order[i] to position i.
  void reorder(View<const std::uint32_t> order, Host& host);
  // w_il *= exp(-alpha h_l(x_i) y_il) / z
  void update(const LeafIds& leaf_ids, const Votes& votes, double alpha, double z,
              Host& host);

 private:
  // A table with a line of numbers for each leaf, or for each leaf and true grade.
  struct Table;
  // Whether channels of doubles include the rounding errors.
  bool is_fine() const { return 2 * classes_ <= tree::kMaxLanes; }
  double finer() const { return fine_units(static_cast<std::size_t>(summed_)); }
  tree::ChannelSource counted(tree::ChannelSource source) const {
    source.counts = copies_.empty() ? nullptr : copies_.data();
    return source;
  }
  std::int64_t copies(std::size_t row) const {
    return copies_.empty() ? 1 : copies_[row];
  }
  void scale_to_one(Host& host);
  Table factors(const Votes& votes, double alpha, double z) const;
  // The sum over all rows and grades of weight times table entry, divided by the sum of
  // all weights.
  double mean_with(const Table& table, const LeafIds& leaf_ids, Host& host) const;
  void multiply(const Table& table, const LeafIds& leaf_ids, Host& host);
  // Calls use(weights), where `weights` is a vector of floats or of doubles.
  template <class Self, class Use>
  static void with_reals(Self& self, const Use& use);
  // Calls use(weights, lines, line_of, lanes): `lines` has the numbers of the table in
  // the type of the weights, and line_of(row) is the beginning of a row's line.
  template <class Self, class Use>
  static void with_lines(Self& self, const Table& table, const LeafIds& leaf_ids,
                         const Use& use);

  std::size_t rows_;
  std::size_t classes_;
  Precision precision_;
  std::vector<std::uint8_t> grades_;
  tree::Counted copies_;  // of each row; empty: all rows count once
  double documents_ = 0.0;
  double summed_ = 0.0;          // number of rows of all ranks, or of their copies
  std::vector<float> singles_;   // rows x classes, row-major;
  std::vector<double> doubles_;  // singles_ or doubles_ is empty
  double sum_ = 1.0;
};

template <class Self, class Use>
void Weights::with_reals(Self& self, const Use& use) {
  if (self.precision_ == Precision::kSingle) {
    use(self.singles_);
  } else {
    use(self.doubles_);
  }
}

}  // namespace rankmix::boost

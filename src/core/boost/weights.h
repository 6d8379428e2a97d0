// The weights of AdaBoost.MH, one for each document and grade.
//
// Initial weights, with y_il = +1 when document i has grade l and -1 otherwise:
//   uniform     1 / (2 n) for the document's grade, 1 / (2 n (K - 1)) for the others;
//   relevance   2^l_i for the document's grade, 2^l_i / (K - 1) for the others;
// both times the weight of the document, if there are any, and scaled to sum 1. Documents
// whose weights equal their counts have the weights of one copy, which is counted
// repeatedly in all sums. So they equal copies to the last bit. Source: Busa-Fekete,
// Kegl, Elteto & Szarvas 2013, doi:10.1007/s10994-013-5360-9, appendix A.
//
// They are kept with their signs, w_il y_il, in single or double precision; histograms
// see them in units of 2^-30, and of doubles also what that leaves. In a sum over all of
// them each is rounded to 2^-51, so that it does not depend on the order of the rows.
// They sum to 1 but for their rounding: edges are relative to their sum, and an update
// divides by it, or errors would grow from round to round.
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

// The votes of a base classifier: leaf i votes votes[i * classes + l], from -1 to +1, for
// grade l.
using Votes = std::vector<double>;
using tree::LeafIds;

class Weights {
 public:
  // Weights of documents, none of them negative and some positive; empty: all are 1.
  // `counts` is how often documents count; empty: once.
  Weights(View<const int> grades, View<const double> documents, View<const int> counts,
          std::size_t classes, WeightScheme scheme, Precision precision, Host& host);

  std::size_t rows() const { return rows_; }
  std::size_t classes() const { return classes_; }
  // How often all rows count.
  double documents() const { return documents_; }
  // The signed weights w_il y_il; doubles of up to 16 grades with what rounding takes
  // from them. Sums over any rows and grades stay below 2^31 units, because the weights
  // sum to 1.
  tree::ChannelSource channels() const;
  // The same with their magnitudes; doubles are finer for up to 8 grades. Throws
  // InvalidArgument where there are more than 16.
  tree::ChannelSource magnitude_channels() const;
  // One channel: the sum over a row's grades of the weights times these signs, and if
  // asked that of their magnitudes.
  tree::ChannelSource summed_channels(View<const int> signs, bool magnitudes) const;
  // The weights without their signs, a row's side by side.
  std::vector<double> magnitudes() const;
  // The sum of all weights, which is 1 but for rounding.
  double sum() const { return sum_; }
  // sum_il w_il h_l(x_i) y_il / sum_il w_il
  double edge(const LeafIds& leaf_ids, const Votes& votes, Host& host) const;
  // sum_il w_il (1 - exp(-alpha h_l(x_i) y_il)) / sum_il w_il
  double gain(const LeafIds& leaf_ids, const Votes& votes, double alpha,
              Host& host) const;
  // The weights of some rows, all grades.
  double fraction_of(const std::vector<std::uint32_t>& rows) const;
  // For each of `count` leaves and each grade the weights of labels of +1 and of -1.
  std::vector<double> class_sums(const LeafIds& leaf_ids, std::size_t count,
                                 Host& host) const;
  // w_il *= exp(-alpha h_l(x_i) y_il) / z
  void update(const LeafIds& leaf_ids, const Votes& votes, double alpha, double z,
              Host& host);

 private:
  // Tables with a line of numbers for each leaf, or for each leaf and true grade.
  struct Table;
  // Whether doubles also store the rounding errors.
  bool is_fine() const { return 2 * classes_ <= tree::kMaxLanes; }
  double finer() const {
    return fine_units(copies_.empty() ? rows_ : static_cast<std::size_t>(documents_));
  }
  tree::ChannelSource counted(tree::ChannelSource source) const {
    source.counts = copies_.empty() ? nullptr : copies_.data();
    return source;
  }
  std::int64_t copies(std::size_t row) const {
    return copies_.empty() ? 1 : copies_[row];
  }
  void scale_to_one(Host& host);
  Table factors(const Votes& votes, double alpha, double z) const;
  // The sum of the weights of rows times their lines, relative to the sum of all.
  double mean_with(const Table& table, const LeafIds& leaf_ids, Host& host) const;
  void multiply(const Table& table, const LeafIds& leaf_ids, Host& host);
  // Calls use(weights), a vector of floats or doubles.
  template <class Self, class Use>
  static void with_reals(Self& self, const Use& use);
  // Calls use(weights, lines, line_of, lanes): the numbers of the table as those of the
  // weights, and where the line of a row begins.
  template <class Self, class Use>
  static void with_lines(Self& self, const Table& table, const LeafIds& leaf_ids,
                         const Use& use);

  std::size_t rows_;
  std::size_t classes_;
  Precision precision_;
  std::vector<std::uint8_t> grades_;
  tree::Counted copies_;  // of rows that are kept once; empty: all are
  double documents_ = 0.0;
  std::vector<float> singles_;   // rows x classes, a row's weights side by side;
  std::vector<double> doubles_;  // one of the two is empty
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

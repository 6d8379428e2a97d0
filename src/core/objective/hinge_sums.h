// Sums over the pairs of a query that violate the margin, without a loop over pairs.
//
// Given:     documents sorted by score, highest first, with grades, weights w and numbers
//            x.
// Result:    for each document i, the sums of w_j, w_j x_j and w_j x_j^2 over two sets of
//            documents j. The first set has the documents of higher grade with
//            s_j < s_i + margin. The second set has the documents of lower grade with
//            s_i < s_j + margin.
// Algorithm: as s_i increases, documents with s_j < s_i + margin are added to a Fenwick
//            tree over the grades, which gives the sum over all higher grades. The second
//            sums are computed in the opposite direction. O(n log n) in total.
// Reference: Lee & Lin 2014, doi:10.1162/NECO_a_00571.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

struct PartnerSums {
  double weight = 0.0;
  double first = 0.0;   // sum of w x
  double second = 0.0;  // sum of w x^2
  PartnerSums& operator+=(const PartnerSums& other) {
    weight += other.weight;
    first += other.first;
    second += other.second;
    return *this;
  }
};

// A Fenwick tree of sums, indexed by the rank of a grade, from 0.
class FenwickTree {
 public:
  void clear(std::size_t size) { sums_.assign(size + 1, {}); }
  void add(std::size_t rank, const PartnerSums& sums) {
    for (std::size_t i = rank + 1; i < sums_.size(); i += i & (~i + 1)) {
      sums_[i] += sums;
    }
  }
  // The sum over the ranks below `end`.
  PartnerSums below(std::size_t end) const {
    PartnerSums all;
    for (std::size_t i = end; i > 0; i -= i & (~i + 1)) {
      all += sums_[i];
    }
    return all;
  }

 private:
  std::vector<PartnerSums> sums_;
};

class HingeSums {
 public:
  // `query` must be sorted by score, highest first.
  void set_query(const Query& query);
  // The total weight of all documents of other grades.
  double others(std::size_t i) const { return all_ - of_grade_[rank_[i]]; }

  // Calls use(i, sums) for every document with the sums of the first set.
  template <class Use>
  void for_uppers(const Query& query, double margin, View<const double> x,
                  const Use& use) {
    const std::size_t n = query.size();
    const std::size_t grades = of_grade_.size();
    tree_.clear(grades);
    std::size_t left = n;  // documents from here on are in the tree
    for (std::size_t i = n; i-- > 0;) {
      while (left > 0 && query.scores[left - 1] - query.scores[i] < margin) {
        --left;
        add(query, x, left, grades - 1 - rank_[left]);
      }
      use(i, tree_.below(grades - 1 - rank_[i]));
    }
  }

  // Calls use(i, sums) for every document with the sums of the second set.
  template <class Use>
  void for_lowers(const Query& query, double margin, View<const double> x,
                  const Use& use) {
    const std::size_t n = query.size();
    tree_.clear(of_grade_.size());
    std::size_t taken = 0;  // documents before it are in the tree
    for (std::size_t i = 0; i < n; ++i) {
      while (taken < n && query.scores[i] - query.scores[taken] < margin) {
        add(query, x, taken, rank_[taken]);
        ++taken;
      }
      use(i, tree_.below(rank_[i]));
    }
  }

 private:
  void add(const Query& query, View<const double> x, std::size_t j, std::size_t rank) {
    const double w = query.weights[j];
    tree_.add(rank, {w, w * x[j], w * x[j] * x[j]});
  }

  std::vector<int> grades_;  // grades that occur, increasing
  std::vector<std::size_t> rank_;
  std::vector<double> of_grade_;  // weight of each grade
  double all_ = 0.0;
  FenwickTree tree_;
};

}  // namespace rankmix::objective

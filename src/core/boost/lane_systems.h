// Small linear systems with Laplacians of leaves. Several systems of one size are stored
// lane by lane.
//
// Given:   Laplacians M, and right sides v whose sum over the leaves of each component
//          of M is 0, so that M c = v has solutions.
// Result:  v' (M + r I)^-1 v for each system, which for small r is v' M^+ v.
//
// The method is a Cholesky factorisation without pivoting. With r on the diagonal, no
// exact pivot is below r, so a pivot that is smaller through rounding is replaced by r.
// Null directions of M are orthogonal to v and add nothing.
#pragma once
#include <cstddef>
#include <vector>

namespace rankmix::boost {

constexpr std::size_t kLanes = 16;

// The index of row i, column j <= i in a lower triangle that is stored row by row.
inline std::size_t lower_at(std::size_t i, std::size_t j) { return i * (i + 1) / 2 + j; }

class LaneSystems {
 public:
  // Prepares `systems` systems of `size` leaves, all of them 0.
  void reset(std::size_t size, std::size_t systems);
  std::size_t systems() const { return systems_; }
  // Adds `sum` to the weight of the edge between leaves p > q of a system.
  void add_edge(std::size_t p, std::size_t q, std::size_t system, double sum) {
    const std::size_t at = system / kLanes;
    const std::size_t lane = system % kLanes;
    double* matrix = matrices_.data() + at * stride_;
    matrix[lower_at(p, q) * kLanes + lane] -= sum;
    matrix[lower_at(p, p) * kLanes + lane] += sum;
    matrix[lower_at(q, q) * kLanes + lane] += sum;
  }
  double& right(std::size_t leaf, std::size_t system) {
    return rights_[(system / kLanes * size_ + leaf) * kLanes + system % kLanes];
  }
  // Computes the score of each system. r is `ridge` times the mean of the diagonal.
  // Overwrites the systems.
  void scores(double ridge, std::vector<double>& scores);

 private:
  std::size_t size_ = 0;
  std::size_t systems_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> matrices_;  // by batch: lower triangles, lanes adjacent
  std::vector<double> rights_;
};

}  // namespace rankmix::boost

// Newton directions for the smoothed problem of mcsvm.h: by Cholesky factors, or by
// conjugate gradients if there are many unknowns.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/dense.h"
#include "core/linear/gram.h"
#include "core/linear/mcsvm.h"
#include "core/optimize/conjugate_gradients.h"

namespace rankmix::linear {
namespace {

// Maximum number of unknowns for a solution by factors.
constexpr std::size_t kMaxDirect = 2048;
// A Gram matrix of more rows is estimated from a regular sample of the rows.
constexpr std::size_t kMaxCurved = 32768;
constexpr std::size_t kGramParts = 4;

bool several(std::uint32_t bits) { return (bits & (bits - 1)) != 0; }

std::size_t bit_count(std::uint32_t bits) {
  std::size_t count = 0;
  for (; bits != 0; bits &= bits - 1) {
    ++count;
  }
  return count;
}

// A symmetric matrix with one block for each pair of classes. The unknowns of a class are
// adjacent. Only the lower triangle is used.
class BlockSystem {
 public:
  BlockSystem(std::size_t classes, std::size_t inputs)
      : classes_(classes),
        inputs_(inputs),
        unknowns_(classes * inputs),
        values_(unknowns_ * unknowns_, 0.0) {
    for (std::size_t i = 0; i < unknowns_; ++i) {
      values_[i * unknowns_ + i] = 1.0;
    }
  }

  // Adds sign * matrix (inputs x inputs) to the block with the rows of class k and the
  // columns of class l.
  void add(std::size_t k, std::size_t l, double sign, const std::vector<double>& matrix) {
    for (std::size_t j = 0; j < inputs_; ++j) {
      double* to = values_.data() + (l * inputs_ + j) * unknowns_ + k * inputs_;
      const double* from = matrix.data() + j * inputs_;
      for (std::size_t i = 0; i < inputs_; ++i) {
        to[i] += sign * from[i];
      }
    }
  }

  // Solves for the Newton direction. In `gradient` the numbers of a feature are adjacent.
  // The result is empty if the matrix is not positive definite.
  std::vector<double> solve(const std::vector<double>& gradient) && {
    std::vector<double> solution(unknowns_);
    for (std::size_t i = 0; i < unknowns_; ++i) {
      solution[position(i)] = -gradient[i];
    }
    if (!dense::solve_positive(values_, solution)) {
      return {};
    }
    std::vector<double> direction(unknowns_);
    for (std::size_t i = 0; i < unknowns_; ++i) {
      direction[i] = solution[position(i)];
    }
    return direction;
  }

 private:
  std::size_t position(std::size_t i) const {
    return i % classes_ * inputs_ + i / classes_;
  }

  std::size_t classes_;
  std::size_t inputs_;
  std::size_t unknowns_;
  std::vector<double> values_;
};

void mirror_lower(std::vector<double>& matrix, std::size_t size) {
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = j + 1; i < size; ++i) {
      matrix[i * size + j] = matrix[j * size + i];
    }
  }
}

}  // namespace

std::vector<std::uint32_t> Mcsvm::curved_rows(Host& host) const {
  std::vector<std::vector<std::uint32_t>> found(block_count(supports_.size()));
  for_each_block(host, supports_.size(), RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     if (several(supports_[i])) {
                       found[block].push_back(static_cast<std::uint32_t>(i));
                     }
                   }
                 });
  std::vector<std::uint32_t> rows;
  for (const auto& part : found) {
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

// The Hessian is I plus a sum over pairs of classes: (e_k - e_l)(e_k - e_l)' times the
// Gram matrix of the documents with both classes in their support S, each weighted by c_i
// C / (delta |S|). Gradients have no component that all classes share. So adding the mean
// Gram matrix to all blocks does not change the solution, but without it the system would
// be nearly singular. Returns an empty vector if the system is singular nevertheless.
std::vector<double> Mcsvm::solve_directly(double cost, double delta,
                                          const std::vector<std::uint32_t>& curved,
                                          double times,
                                          const std::vector<double>& gradient,
                                          Host& host) {
  const std::size_t inputs = features_.inputs();
  struct Pair {
    std::size_t k;
    std::size_t l;
    std::vector<std::uint32_t> rows;
    std::vector<double> factors;
  };
  std::vector<Pair> pairs;
  for (std::size_t k = 0; k < classes_; ++k) {
    for (std::size_t l = k + 1; l < classes_; ++l) {
      Pair pair{k, l, {}, {}};
      const std::uint32_t both = (std::uint32_t{1} << k) | (std::uint32_t{1} << l);
      for (std::uint32_t row : curved) {
        if ((supports_[row] & both) == both) {
          const auto size = static_cast<double>(bit_count(supports_[row]));
          pair.rows.push_back(row);
          pair.factors.push_back(std::sqrt(times * cost * weight(row) / (delta * size)));
        }
      }
      if (!pair.rows.empty()) {
        pairs.push_back(std::move(pair));
      }
    }
  }
  std::vector<std::vector<double>> grams(pairs.size() * kGramParts);
  host.parallel_for(grams.size(), [&](std::size_t task) {
    const Pair& pair = pairs[task / kGramParts];
    const std::size_t part = task % kGramParts;
    const std::size_t begin = pair.rows.size() * part / kGramParts;
    const std::size_t count = pair.rows.size() * (part + 1) / kGramParts - begin;
    grams[task] = gram_matrix(features_, {pair.rows.data() + begin, count},
                              {pair.factors.data() + begin, count});
  });
  BlockSystem system(classes_, inputs);
  std::vector<double> common(inputs * inputs, 0.0);
  for (std::size_t task = 0; task < grams.size(); ++task) {
    std::vector<double>& gram = grams[task];
    mirror_lower(gram, inputs);
    const Pair& pair = pairs[task / kGramParts];
    system.add(pair.k, pair.k, 1.0, gram);
    system.add(pair.l, pair.l, 1.0, gram);
    system.add(pair.l, pair.k, -1.0, gram);
    for (std::size_t i = 0; i < common.size(); ++i) {
      common[i] += gram[i] / static_cast<double>(classes_);
    }
  }
  for (std::size_t k = 0; k < classes_; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      system.add(k, l, 1.0, common);
    }
  }
  return std::move(system).solve(gradient);
}

// Conjugate gradients on the documents with a nonzero Hessian.
std::vector<double> Mcsvm::solve_iteratively(double cost, double delta,
                                             const std::vector<std::uint32_t>& curved,
                                             double times,
                                             const std::vector<double>& gradient,
                                             Host& host) {
  const std::unique_ptr<Features> rows = features_.subset(curved);
  std::vector<double> products;
  auto multiply = [&](const std::vector<double>& v) {
    rows->multiply(v, classes_, products, host);
    for (std::size_t i = 0; i < curved.size(); ++i) {
      const std::uint32_t support = supports_[curved[i]];
      double* u = products.data() + i * classes_;
      double mean = 0.0;
      for (std::size_t k = 0; k < classes_; ++k) {
        mean += (support >> k & 1U) != 0 ? u[k] : 0.0;
      }
      mean /= static_cast<double>(bit_count(support));
      const double factor = times * cost * weight(curved[i]) / delta;
      for (std::size_t k = 0; k < classes_; ++k) {
        u[k] = (support >> k & 1U) != 0 ? factor * (u[k] - mean) : 0.0;
      }
    }
    std::vector<double> product = rows->multiply_transposed(products, classes_, host);
    for (std::size_t i = 0; i < v.size(); ++i) {
      product[i] += v[i];
    }
    return product;
  };
  const optimize::ConjugateGradientsOptions rough{1e-2, 250};
  const std::vector<double> right = optimize::negative(gradient);
  return optimize::conjugate_gradients(multiply, right, rough, host).x;
}

std::vector<double> Mcsvm::newton_direction(double cost, double delta,
                                            const std::vector<double>& gradient,
                                            Host& host) {
  std::vector<std::uint32_t> curved = curved_rows(host);
  const std::size_t every = (curved.size() + kMaxCurved - 1) / kMaxCurved;
  std::vector<std::uint32_t> sample;
  for (std::size_t i = 0; i < curved.size(); i += std::max<std::size_t>(1, every)) {
    sample.push_back(curved[i]);
  }
  const double times = sample.empty() ? 1.0
                                      : static_cast<double>(curved.size()) /
                                            static_cast<double>(sample.size());
  std::vector<double> direction;
  if (gradient.size() <= kMaxDirect) {
    direction = solve_directly(cost, delta, sample, times, gradient, host);
  }
  return direction.empty() ? solve_iteratively(cost, delta, sample, times, gradient, host)
                           : direction;
}

}  // namespace rankmix::linear

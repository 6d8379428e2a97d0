#include "core/objective/long_logistic_pairs.h"

#include <algorithm>

namespace rankmix::objective {

template <class Add>
void LongLogisticPairs::cut(std::vector<std::uint32_t>& documents, std::size_t begin,
                            std::size_t end, const Add& add) {
  if (end - begin < 2) {
    return;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  std::vector<std::uint32_t> uppers;
  std::vector<std::uint32_t> lowers;
  for (std::uint32_t document : documents) {
    (level_[document] >= middle ? uppers : lowers).push_back(document);
  }
  documents = {};  // the memory of all levels would add up
  add(uppers, lowers);
  cut(uppers, middle, end, add);
  cut(lowers, begin, middle, add);
}

template <class Add>
void LongLogisticPairs::for_halves(const Query& query, const Add& add) {
  std::vector<int> grades(query.grades.begin(), query.grades.end());
  std::sort(grades.begin(), grades.end());
  grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
  level_.resize(query.size());
  std::vector<std::uint32_t> documents;
  for (std::size_t i = 0; i < query.size(); ++i) {
    level_[i] = static_cast<std::uint32_t>(
        std::lower_bound(grades.begin(), grades.end(), query.grades[i]) - grades.begin());
    if (query.weights[i] > 0.0) {
      documents.push_back(static_cast<std::uint32_t>(i));
    }
  }
  sums_.set_scores(query.scores);
  cut(documents, 0, grades.size(), add);
}

double LongLogisticPairs::evaluate(const Query& query, const Derivatives& out) {
  const std::size_t n = query.size();
  std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
  std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
  first_.assign(n, 0.0);
  second_.assign(n, 0.0);
  loss_.assign(n, 0.0);
  const double* weights = query.weights.begin();
  const std::array<LogisticTerm, 3> terms = {
      LogisticTerm{LogisticKernel::kFirst, weights, first_.data()},
      LogisticTerm{LogisticKernel::kSecond, weights, second_.data()},
      LogisticTerm{LogisticKernel::kLoss, weights, loss_.data()}};
  double value = 0.0;
  const auto take = [&](View<const std::uint32_t> documents, double sign) {
    for (std::uint32_t i : documents) {
      out.gradient[i] += sign * weights[i] * first_[i];
      out.hessian[i] += weights[i] * std::max(0.0, second_[i]);
      value += weights[i] * std::max(0.0, loss_[i]);
      first_[i] = second_[i] = loss_[i] = 0.0;
    }
  };
  for_halves(query,
             [&](View<const std::uint32_t> uppers, View<const std::uint32_t> lowers) {
               sums_.add(uppers, {terms.data(), 3}, lowers, {terms.data(), 2});
               take(uppers, -1.0);
               take(lowers, 1.0);
             });
  return value;
}

void LongLogisticPairs::multiply(const Query& query, View<const double> direction,
                                 View<double> product) {
  const std::size_t n = query.size();
  std::fill(product.begin(), product.end(), 0.0);
  first_.assign(n, 0.0);
  second_.assign(n, 0.0);
  charges_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    charges_[i] = query.weights[i] * direction[i];
  }
  const std::array<LogisticTerm, 2> terms = {
      LogisticTerm{LogisticKernel::kSecond, query.weights.begin(), second_.data()},
      LogisticTerm{LogisticKernel::kSecond, charges_.data(), first_.data()}};
  const auto take = [&](View<const std::uint32_t> documents) {
    for (std::uint32_t i : documents) {
      product[i] += charges_[i] * second_[i] - query.weights[i] * first_[i];
      first_[i] = second_[i] = 0.0;
    }
  };
  for_halves(query,
             [&](View<const std::uint32_t> uppers, View<const std::uint32_t> lowers) {
               sums_.add(uppers, {terms.data(), 2}, lowers, {terms.data(), 2});
               take(uppers);
               take(lowers);
             });
}

}  // namespace rankmix::objective

#include "core/calibrate/holdout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/base/errors.h"
#include "core/base/sort.h"

namespace rankmix::calibrate {

void check_holdout(MatrixView<const double> f, const Judgements& judgements) {
  const std::size_t rows = f.rows();
  if (judgements.grades.size() != rows || judgements.queries.order.size() != rows ||
      (!judgements.weights.empty() && judgements.weights.size() != rows) ||
      judgements.ideal.size() != judgements.queries.count()) {
    throw InvalidArgument("discriminants, grades, weights and queries differ in size");
  }
  if (f.cols() == 0 || std::any_of(judgements.grades.begin(), judgements.grades.end(),
                                   [](int grade) { return grade < 0; })) {
    throw InvalidArgument("validation documents need discriminants and grades");
  }
}

SomeQueries::SomeQueries(MatrixView<const double> f, const Judgements& judgements,
                         const std::vector<std::size_t>& queries, Rows which)
    : columns_(f.cols()), offsets_{0}, unit_(judgements.unit) {
  const auto before = [&](std::size_t i, std::size_t j) {
    for (std::size_t l = 0; l < columns_; ++l) {
      if (f(i, l) != f(j, l)) {
        return f(i, l) < f(j, l);
      }
    }
    return judgements.grades[i] < judgements.grades[j];
  };
  for (const std::size_t query : queries) {
    for (const int one : judgements.queries.rows_of(query)) {
      const auto row = static_cast<std::size_t>(one);
      if (which == Rows::kAll || judgements.counts(row)) {
        rows_.push_back(row);
      }
    }
    std::stable_sort(rows_.begin() + offsets_.back(), rows_.end(), before);
    offsets_.push_back(static_cast<int>(rows_.size()));
    ideal_.push_back(judgements.ideal[query]);
  }
  f_.reserve(rows_.size() * columns_);
  for (std::size_t l = 0; l < columns_; ++l) {
    for (const std::size_t row : rows_) {
      f_.push_back(f(row, l));
    }
  }
  grades_.reserve(rows_.size());
  for (const std::size_t row : rows_) {
    grades_.push_back(judgements.grades[row]);
    if (!judgements.weights.empty()) {
      weights_.push_back(judgements.weights[row]);
    }
  }
}

HeldOut SomeQueries::view() const {
  return {
      {f_.data(), rows_.size(), columns_}, grades_, weights_, offsets_, ideal_, unit_};
}

std::vector<std::size_t> sorted_queries(MatrixView<const double> f,
                                        const Judgements& judgements) {
  struct Content {
    std::size_t documents;
    double ideal;
    double largest;
    double smallest;
    std::size_t query;
    bool operator<(const Content& other) const {
      return std::tie(documents, ideal, largest, smallest, query) <
             std::tie(other.documents, other.ideal, other.largest, other.smallest,
                      other.query);
    }
  };
  std::vector<Content> contents;
  for (std::size_t q = 0; q < judgements.queries.count(); ++q) {
    const View<const int> rows = judgements.queries.rows_of(q);
    Content content{rows.size(), judgements.ideal[q], -INFINITY, INFINITY, q};
    for (const int row : rows) {
      const double first = f(static_cast<std::size_t>(row), 0);
      content.largest = std::max(content.largest, first);
      content.smallest = std::min(content.smallest, first);
    }
    if (std::any_of(rows.begin(), rows.end(), [&](int row) {
          return judgements.counts(static_cast<std::size_t>(row));
        })) {
      contents.push_back(content);
    }
  }
  std::sort(contents.begin(), contents.end());
  std::vector<std::size_t> queries(contents.size());
  std::transform(contents.begin(), contents.end(), queries.begin(),
                 [](const Content& content) { return content.query; });
  return queries;
}

std::vector<std::size_t> assign_queries(MatrixView<const double> f,
                                        const Judgements& judgements, std::size_t parts) {
  std::vector<std::size_t> part(judgements.queries.count(), 0);
  const std::vector<std::size_t> sorted = sorted_queries(f, judgements);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    part[sorted[i]] = i % parts;
  }
  return part;
}

std::vector<std::size_t> thin_queries(const HeldOut& held, std::size_t most) {
  std::vector<int> order(held.rows());
  std::iota(order.begin(), order.end(), 0);
  const Judgements judgements{
      held.grades, held.weights, {order, held.offsets}, held.ideal, held.unit};
  std::vector<std::size_t> sorted = sorted_queries(held.f, judgements);
  if (held.rows() <= most) {
    return sorted;
  }
  std::vector<std::size_t> useful;
  std::copy_if(sorted.begin(), sorted.end(), std::back_inserter(useful),
               [&](std::size_t query) { return held.ideal[query] > 0.0; });
  if (useful.empty()) {
    useful = std::move(sorted);
  }
  double documents = 0.0;
  for (const std::size_t query : useful) {
    documents += held.offsets[query + 1] - held.offsets[query];
  }
  const double every = std::max(1.0, documents / static_cast<double>(most));
  std::vector<std::size_t> chosen;
  for (double at = 0.0; at < static_cast<double>(useful.size()); at += every) {
    chosen.push_back(useful[static_cast<std::size_t>(at)]);
  }
  return chosen;
}

std::vector<std::size_t> regular_sample(const HeldOut& held, View<const double> targets,
                                        std::size_t most) {
  std::vector<std::size_t> sorted(held.rows());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  sort_indices(sorted, [&](std::size_t i, std::size_t j) {
    for (std::size_t l = 0; l < held.f.cols(); ++l) {
      if (held.f(i, l) != held.f(j, l)) {
        return held.f(i, l) < held.f(j, l);
      }
    }
    return targets[i] != targets[j] ? targets[i] < targets[j]
                                    : held.weight(i) < held.weight(j);
  });
  if (sorted.size() <= most) {
    return sorted;
  }
  std::vector<std::size_t> chosen(most);
  const double step =
      static_cast<double>(sorted.size() - 1) / static_cast<double>(most - 1);
  for (std::size_t i = 0; i < most; ++i) {
    chosen[i] =
        sorted[static_cast<std::size_t>(std::lround(static_cast<double>(i) * step))];
  }
  return chosen;
}

}  // namespace rankmix::calibrate

#include "core/mix/aggregate.h"

#include <algorithm>

#include "core/base/errors.h"
#include "core/base/long_query.h"
#include "core/mix/chain.h"

namespace rankmix::mix {
namespace {

constexpr std::size_t kQueryBlock = 8;

using Vector = std::vector<double>;

// A column-major matrix of one query.
struct Matrix {
  std::size_t rows;
  std::size_t cols;
  Vector values;

  Matrix(std::size_t height, std::size_t width)
      : rows(height), cols(width), values(height * width, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return values[j * rows + i]; }
  double operator()(std::size_t i, std::size_t j) const { return values[j * rows + i]; }
  double row_sum(std::size_t i) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < cols; ++j) {
      sum += (*this)(i, j);
    }
    return sum;
  }
};

// The scores of a query, documents x rankers.
Matrix scores_of(MatrixView<const double> scores, View<const int> rows) {
  Matrix own(rows.size(), scores.cols());
  for (std::size_t r = 0; r < own.cols; ++r) {
    for (std::size_t i = 0; i < own.rows; ++i) {
      own(i, r) = scores(static_cast<std::size_t>(rows[i]), r);
    }
  }
  return own;
}

Vector borda_counts(const Matrix& scores) {
  Vector counts(scores.rows, 0.0);
  Vector sorted(scores.rows);
  for (std::size_t r = 0; r < scores.cols; ++r) {
    std::copy_n(scores.values.data() + r * scores.rows, scores.rows, sorted.begin());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < scores.rows; ++i) {
      const auto range = std::equal_range(sorted.begin(), sorted.end(), scores(i, r));
      const auto below = static_cast<double>(range.first - sorted.begin());
      const auto tied = static_cast<double>(range.second - range.first) - 1.0;
      counts[i] += below + 0.5 * tied;
    }
  }
  for (double& count : counts) {
    count /= static_cast<double>(scores.cols);
  }
  return counts;
}

// Raises the diagonal, the probability of staying, so that each row sums to 1.
void stay(Matrix& moves) {
  for (std::size_t i = 0; i < moves.rows; ++i) {
    moves(i, i) += 1.0 - moves.row_sum(i);
  }
}

// Element (i, r): the number of documents whose score by ranker r is at least the score
// of document i.
Matrix as_high(const Matrix& scores, Host& host) {
  Matrix counts(scores.rows, scores.cols);
  for (std::size_t r = 0; r < scores.cols; ++r) {
    for (std::size_t i = 0; i < scores.rows; ++i) {
      checkpoint_of_document(host, scores.rows);
      for (std::size_t j = 0; j < scores.rows; ++j) {
        counts(i, r) += scores(j, r) >= scores(i, r) ? 1.0 : 0.0;
      }
    }
  }
  return counts;
}

Matrix moves_up(const Matrix& scores, Aggregation method, Host& host) {
  const Matrix counts = as_high(scores, host);
  Matrix moves(scores.rows, scores.rows);
  for (std::size_t i = 0; i < scores.rows; ++i) {
    checkpoint_of_document(host, scores.rows);
    const double all = counts.row_sum(i);
    for (std::size_t r = 0; r < scores.cols; ++r) {
      const double fraction =
          method == Aggregation::kMc1
              ? 1.0 / all
              : 1.0 / (counts(i, r) * static_cast<double>(scores.cols));
      for (std::size_t j = 0; j < scores.rows; ++j) {
        if (scores(j, r) >= scores(i, r)) {
          moves(i, j) += fraction;
        }
      }
    }
  }
  return moves;
}

// The number of rankers that rank j above i.
double rankers_above(const Matrix& scores, std::size_t i, std::size_t j) {
  double count = 0.0;
  for (std::size_t r = 0; r < scores.cols; ++r) {
    count += scores(j, r) > scores(i, r) ? 1.0 : 0.0;
  }
  return count;
}

Matrix moves_by_pairs(const Matrix& scores, Aggregation method, Host& host) {
  const auto documents = static_cast<double>(scores.rows);
  const auto rankers = static_cast<double>(scores.cols);
  Matrix moves(scores.rows, scores.rows);
  for (std::size_t i = 0; i < scores.rows; ++i) {
    checkpoint_of_document(host, scores.rows);
    for (std::size_t j = 0; j < scores.rows; ++j) {
      const double above = rankers_above(scores, i, j);
      const double chance = method == Aggregation::kMc3
                                ? above / rankers
                                : (2.0 * above > rankers ? 1.0 : 0.0);
      moves(i, j) = chance / documents;
    }
  }
  stay(moves);
  return moves;
}

Matrix moves_by_borda(const Matrix& scores) {
  const Vector counts = borda_counts(scores);
  const auto documents = static_cast<double>(scores.rows);
  Matrix moves(scores.rows, scores.rows);
  for (std::size_t i = 0; i < scores.rows; ++i) {
    for (std::size_t j = 0; j < scores.rows; ++j) {
      const double sum = counts[i] + counts[j];
      if (j != i && sum > 0.0) {
        moves(i, j) = counts[j] / sum / documents;
      }
    }
  }
  stay(moves);
  return moves;
}

Vector stationary_of(const Matrix& moves, double damping, Host& host) {
  return stationary(moves.values, moves.rows, damping, host);
}

Vector aggregate_query(const Matrix& scores, Aggregation method, double damping,
                       Host& host) {
  switch (method) {
    case Aggregation::kBorda:
      return borda_counts(scores);
    case Aggregation::kMc1:
    case Aggregation::kMc2:
      return stationary_of(moves_up(scores, method, host), damping, host);
    case Aggregation::kMc3:
    case Aggregation::kMc4:
      return stationary_of(moves_by_pairs(scores, method, host), damping, host);
    default:
      return stationary_of(moves_by_borda(scores), damping, host);
  }
}

}  // namespace

std::vector<double> aggregate_ranks(MatrixView<const double> scores,
                                    const data::Queries& queries, Aggregation method,
                                    double damping, Host& host) {
  if (queries.order.size() != scores.rows() || scores.cols() == 0 ||
      !(damping > 0.0 && damping <= 1.0)) {
    throw InvalidArgument(
        "scores and queries do not fit together, or damping is not in (0, 1]");
  }
  std::vector<double> out(scores.rows());
  const std::size_t blocks = (queries.count() + kQueryBlock - 1) / kQueryBlock;
  // The user can interrupt between batches.
  constexpr std::size_t batch = 32;
  for (std::size_t first = 0; first < blocks; first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, blocks - first), [&](std::size_t in_batch) {
      const std::size_t block = first + in_batch;
      const std::size_t end = std::min(queries.count(), (block + 1) * kQueryBlock);
      for (std::size_t q = block * kQueryBlock; q < end; ++q) {
        const View<const int> rows = queries.rows_of(q);
        const Vector own =
            aggregate_query(scores_of(scores, rows), method, damping, host);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          out[static_cast<std::size_t>(rows[i])] = own[i];
        }
      }
    });
  }
  return out;
}

}  // namespace rankmix::mix

#include "core/mix/aggregate.h"

// The core starts no threads, whatever the compiler is told.
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/LU>
#include <algorithm>

#include "core/base/errors.h"
#include "core/mix/chain.h"

namespace rankmix::mix {
namespace {

constexpr std::size_t kQueryBlock = 8;

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// A query's scores, documents x rankers.
Matrix scores_of(MatrixView<const double> scores, View<const int> rows) {
  Matrix own(static_cast<Eigen::Index>(rows.size()),
             static_cast<Eigen::Index>(scores.cols()));
  for (Eigen::Index r = 0; r < own.cols(); ++r) {
    for (Eigen::Index i = 0; i < own.rows(); ++i) {
      own(i, r) = scores(static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]),
                         static_cast<std::size_t>(r));
    }
  }
  return own;
}

Vector borda_counts(const Matrix& scores) {
  Vector counts = Vector::Zero(scores.rows());
  std::vector<double> sorted(static_cast<std::size_t>(scores.rows()));
  for (Eigen::Index r = 0; r < scores.cols(); ++r) {
    std::copy_n(scores.col(r).data(), sorted.size(), sorted.begin());
    std::sort(sorted.begin(), sorted.end());
    for (Eigen::Index i = 0; i < scores.rows(); ++i) {
      const auto range = std::equal_range(sorted.begin(), sorted.end(), scores(i, r));
      const auto below = static_cast<double>(range.first - sorted.begin());
      const auto tied = static_cast<double>(range.second - range.first) - 1.0;
      counts[i] += below + 0.5 * tied;
    }
  }
  return counts / static_cast<double>(scores.cols());
}

// What is missing to 1 in a row is the probability to stay.
void stay(Matrix& moves) {
  for (Eigen::Index i = 0; i < moves.rows(); ++i) {
    moves(i, i) += 1.0 - moves.row(i).sum();
  }
}

// to(i, r) = how many documents ranker r ranks as high as i or higher.
Matrix as_high(const Matrix& scores) {
  Matrix counts = Matrix::Zero(scores.rows(), scores.cols());
  for (Eigen::Index r = 0; r < scores.cols(); ++r) {
    for (Eigen::Index i = 0; i < scores.rows(); ++i) {
      counts(i, r) = static_cast<double>((scores.col(r).array() >= scores(i, r)).count());
    }
  }
  return counts;
}

Matrix moves_up(const Matrix& scores, Aggregation method) {
  const Matrix counts = as_high(scores);
  Matrix moves = Matrix::Zero(scores.rows(), scores.rows());
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    const double all = counts.row(i).sum();
    for (Eigen::Index r = 0; r < scores.cols(); ++r) {
      const double share =
          method == Aggregation::kMc1
              ? 1.0 / all
              : 1.0 / (counts(i, r) * static_cast<double>(scores.cols()));
      for (Eigen::Index j = 0; j < scores.rows(); ++j) {
        if (scores(j, r) >= scores(i, r)) {
          moves(i, j) += share;
        }
      }
    }
  }
  return moves;
}

Matrix moves_by_pairs(const Matrix& scores, Aggregation method) {
  const auto documents = static_cast<double>(scores.rows());
  const auto rankers = static_cast<double>(scores.cols());
  Matrix moves = Matrix::Zero(scores.rows(), scores.rows());
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    for (Eigen::Index j = 0; j < scores.rows(); ++j) {
      const auto above =
          static_cast<double>((scores.row(j).array() > scores.row(i).array()).count());
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
  const auto documents = static_cast<double>(scores.rows());
  Matrix moves = Matrix::Zero(scores.rows(), scores.rows());
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    for (Eigen::Index j = 0; j < scores.rows(); ++j) {
      const double sum = counts[i] + counts[j];
      if (j != i && sum > 0.0) {
        moves(i, j) = counts[j] / sum / documents;
      }
    }
  }
  stay(moves);
  return moves;
}

Vector stationary(const Matrix& moves, double damping) {
  const auto n = static_cast<std::size_t>(moves.rows());
  const std::vector<double> shares = mix::stationary({moves.data(), n * n}, n, damping);
  return Eigen::Map<const Vector>(shares.data(), moves.rows());
}

Vector aggregate_query(const Matrix& scores, Aggregation method, double damping) {
  switch (method) {
    case Aggregation::kBorda:
      return borda_counts(scores);
    case Aggregation::kMc1:
    case Aggregation::kMc2:
      return stationary(moves_up(scores, method), damping);
    case Aggregation::kMc3:
    case Aggregation::kMc4:
      return stationary(moves_by_pairs(scores, method), damping);
    default:
      return stationary(moves_by_borda(scores), damping);
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
  // Now and then the user may want to stop.
  constexpr std::size_t batch = 32;
  for (std::size_t first = 0; first < blocks; first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, blocks - first), [&](std::size_t in_batch) {
      const std::size_t block = first + in_batch;
      const std::size_t end = std::min(queries.count(), (block + 1) * kQueryBlock);
      for (std::size_t q = block * kQueryBlock; q < end; ++q) {
        const View<const int> rows = queries.rows_of(q);
        const Vector own = aggregate_query(scores_of(scores, rows), method, damping);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          out[static_cast<std::size_t>(rows[i])] = own[static_cast<Eigen::Index>(i)];
        }
      }
    });
  }
  return out;
}

}  // namespace rankmix::mix

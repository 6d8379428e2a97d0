#include "core/calibrate/soft_ndcg.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/errors.h"
#include "core/metric/ranking.h"
#include "core/objective/soft_dcg.h"

namespace rankmix::calibrate {
namespace {

constexpr std::size_t kQueryBlock = 16;

}  // namespace

SigmoidTarget soft_ndcg_target(double sigma, MatrixView<const double> f,
                               View<const int> grades, View<const double> weights,
                               const data::Queries& queries, View<const double> ideal,
                               double a, double b, Host& host) {
  check_judged(f, grades, weights);
  if (queries.order.size() != grades.size() || ideal.size() != queries.count()) {
    throw InvalidArgument("discriminants, grades and queries differ in size");
  }
  const std::size_t classes = f.cols();
  std::vector<double> gain(classes);
  for (std::size_t l = 0; l < classes; ++l) {
    gain[l] = std::ldexp(1.0, static_cast<int>(l)) - 1.0;
  }
  const std::size_t blocks = (queries.count() + kQueryBlock - 1) / kQueryBlock;
  std::vector<SigmoidTarget> parts(blocks);
  host.parallel_for(blocks, [&](std::size_t block) {
    DocumentSigmoid document(f, a, b);
    objective::SoftDcg soft(sigma, metric::kWholeList, objective::TiedRanks::kInOrder);
    std::vector<double> scores;
    std::vector<double> gains;
    std::vector<double> slopes;
    std::vector<double> by_log_p(classes);
    SigmoidTarget sum;
    const std::size_t end = std::min(queries.count(), (block + 1) * kQueryBlock);
    for (std::size_t q = block * kQueryBlock; q < end; ++q) {
      const View<const int> rows = queries.rows_of(q);
      if (!(ideal[q] > 0.0)) {
        continue;
      }
      scores.assign(rows.size(), 0.0);
      gains.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = static_cast<std::size_t>(rows[i]);
        document.set_row(row);
        for (std::size_t l = 0; l < classes; ++l) {
          scores[i] += gain[l] * document.probability(l);
        }
        gains[i] = gain[static_cast<std::size_t>(grades[row])];
      }
      const double first_weight =
          weights.empty() ? 1.0 : weights[static_cast<std::size_t>(rows[0])];
      const double times = -first_weight / ideal[q];
      slopes.resize(rows.size());
      sum.value += times * soft.evaluate(scores, gains, {slopes.data(), slopes.size()});
      for (std::size_t i = 0; i < rows.size(); ++i) {
        document.set_row(static_cast<std::size_t>(rows[i]));
        for (std::size_t l = 0; l < classes; ++l) {
          by_log_p[l] = slopes[i] * gain[l] * document.probability(l);
        }
        document.add_slopes(by_log_p.data(), times, sum);
      }
    }
    parts[block] = sum;
  });
  SigmoidTarget target;
  for (const SigmoidTarget& part : parts) {
    target += part;
  }
  return target;
}

}  // namespace rankmix::calibrate

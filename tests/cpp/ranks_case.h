// Judged queries that are divided among several ranks, and checks that the ranks train
// the model of a single process, bit for bit.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/data/bins.h"
#include "core/data/bins_taken.h"
#include "core/data/queries.h"
#include "core/objective/objective.h"
#include "core/tree/tree.h"
#include "draw.h"
#include "ranks.h"
#include "thread_host.h"

namespace ranks_case {

using rankmix::Host;
using rankmix::View;
namespace data = rankmix::data;

// Some queries with their documents. The thresholds of the bins are those of all queries.
struct Part {
  std::vector<int> order;
  std::vector<int> offsets{0};
  std::vector<int> grades;        // 0 to 4
  std::vector<double> targets;    // gains of the grades, with noise
  std::vector<double> positions;  // 1, 2, ... in each query
  std::vector<double> weights;    // of documents; some are 0
  std::vector<double> query_weights;
  std::vector<int> counts;
  std::vector<double> counts_as_weights;
  std::vector<std::uint64_t> names;     // of queries
  std::vector<std::uint64_t> row_keys;  // of documents
  std::vector<std::uint64_t> query_keys;
  std::vector<double> x;  // rows x kFeatures, row by row
  std::unique_ptr<data::BinnedMatrix> bins;

  std::size_t rows() const { return order.size(); }
  data::Queries queries() const { return {order, offsets}; }
  // Column by column, as matrices are.
  std::vector<double> columns(std::size_t features) const {
    std::vector<double> all(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      all[i % features * rows() + i / features] = x[i];
    }
    return all;
  }
};

constexpr std::size_t kFeatures = 7;

// Feature 0 has few values, and is a factor with the levels 1 to 6. Feature 1 is missing
// in many documents, feature 2 in the documents of one query only. Feature 3 is constant
// except in one query. Feature 4 ranks well, the others are noise.
inline double value_of(std::size_t f, std::size_t query, int grade,
                       std::mt19937_64& random) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double z = draw::Normal<double>()(random);
  switch (f) {
    case 0:
      return 1.0 + static_cast<double>(random() % 6);
    case 1:
      return random() % 3 == 0 ? nan : z + 0.3 * grade;
    case 2:
      return query == 1 && random() % 2 == 0 ? nan : z - 0.2 * grade;
    case 3:
      return query == 2 ? static_cast<double>(random() % 3) : 0.0;
    case 4:
      return 0.5 * z + grade;
    default:
      return z;
  }
}

inline Part draw_queries(std::size_t queries, std::size_t longest, unsigned seed) {
  Part all;
  std::mt19937_64 random(seed);
  for (std::size_t q = 0; q < queries; ++q) {
    const std::uint64_t name = rankmix::mix_bits(q + 77);
    const double query_weight = q % 9 == 4 ? 0.0 : 0.5 + draw::unit(random);
    const int count = q % 5 == 3 ? 0 : 1 + static_cast<int>(random() % 3);
    const std::size_t size = q % 7 == 5 ? 1 : 2 + random() % (longest - 1);
    for (std::size_t i = 0; i < size; ++i) {
      const int grade = q % 6 == 2 ? 1 : static_cast<int>(random() % 5);
      all.grades.push_back(grade);
      all.targets.push_back(std::ldexp(1.0, grade) - 1.0 +
                            (random() % 4 == 0 ? 0.25 : 0.0));
      all.positions.push_back(static_cast<double>(i + 1));
      all.weights.push_back(random() % 7 == 0 ? 0.0 : 0.5 + draw::unit(random));
      all.counts.push_back(count);
      all.counts_as_weights.push_back(count);
      all.row_keys.push_back(rankmix::mix_bits(name) ^ i);
      all.query_keys.push_back(name);
      all.order.push_back(static_cast<int>(all.order.size()));
      for (std::size_t f = 0; f < kFeatures; ++f) {
        all.x.push_back(value_of(f, q, grade, random));
      }
    }
    all.names.push_back(name);
    all.query_weights.push_back(query_weight);
    all.offsets.push_back(static_cast<int>(all.order.size()));
  }
  ThreadHost host(1);
  const std::vector<double> columns = all.columns(kFeatures);
  data::BinOptions options;
  options.max_bins = 20;
  all.bins = std::make_unique<data::BinnedMatrix>(
      rankmix::MatrixView<const double>{columns.data(), all.rows(), kFeatures}, options,
      host);
  return all;
}

// The given queries, in this order.
inline Part take_queries(const Part& all, const std::vector<std::size_t>& queries) {
  Part part;
  std::vector<int> rows;
  for (std::size_t q : queries) {
    for (int row : all.queries().rows_of(q)) {
      part.order.push_back(static_cast<int>(rows.size()));
      rows.push_back(row);
    }
    part.offsets.push_back(static_cast<int>(rows.size()));
    part.names.push_back(all.names[q]);
    part.query_weights.push_back(all.query_weights[q]);
  }
  const auto take = [&](const auto& from, auto& to) {
    for (int row : rows) {
      to.push_back(from[static_cast<std::size_t>(row)]);
    }
  };
  take(all.grades, part.grades);
  take(all.targets, part.targets);
  take(all.positions, part.positions);
  take(all.weights, part.weights);
  take(all.counts, part.counts);
  take(all.counts_as_weights, part.counts_as_weights);
  take(all.row_keys, part.row_keys);
  take(all.query_keys, part.query_keys);
  for (int row : rows) {
    const auto first = all.x.begin() + row * static_cast<std::ptrdiff_t>(kFeatures);
    part.x.insert(part.x.end(), first, first + kFeatures);
  }
  std::vector<std::size_t> features(kFeatures);
  for (std::size_t f = 0; f < kFeatures; ++f) {
    features[f] = f;
  }
  ThreadHost host(1);
  part.bins = data::take_bins(*all.bins, rows, features, host);
  return part;
}

// Each query goes to a random rank, so that ranks may have no query.
inline std::vector<Part> share_out(const Part& all, std::size_t ranks, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::size_t>> queries(ranks);
  for (std::size_t q = 0; q + 1 < all.offsets.size(); ++q) {
    queries[random() % ranks].push_back(q);
  }
  std::vector<Part> parts;
  for (auto& of_rank : queries) {
    draw::shuffle(of_rank.begin(), of_rank.end(), random);
    parts.push_back(take_queries(all, of_rank));
  }
  return parts;
}

inline bool same_forest(const rankmix::tree::Forest& a, const rankmix::tree::Forest& b) {
  return a.outputs == b.outputs && a.round_begin == b.round_begin &&
         a.node_begin == b.node_begin && a.leaf_begin == b.leaf_begin &&
         a.feature == b.feature && a.threshold == b.threshold &&
         a.missing_left == b.missing_left && a.left == b.left && a.right == b.right &&
         a.values == b.values && a.gains == b.gains &&
         a.node_documents == b.node_documents && a.leaf_documents == b.leaf_documents &&
         a.set_begin == b.set_begin && a.set_levels == b.set_levels;
}

// Checks fit(part, host) on parts of the queries against the model of all queries, by
// same(a, b).
template <class Fit, class Same>
void check_ranks(const std::string& name, const Part& all, const Fit& fit,
                 const Same& same) {
  ThreadHost alone(1);
  const auto expected = fit(all, alone);
  unsigned seed = 1;
  for (std::size_t ranks : {1U, 2U, 3U, 5U, 8U}) {
    for (unsigned threads : {1U, 2U}) {
      if (threads == 2 && ranks != 3) {
        continue;
      }
      INFO(name << ", " << ranks << " ranks, " << threads << " threads");
      const std::vector<Part> parts = share_out(all, ranks, ++seed);
      std::vector<decltype(fit(all, alone))> models(ranks);
      try {
        run_ranks(ranks, threads, [&](std::size_t rank, Host& host) {
          models[rank] = fit(parts[rank], host);
        });
      } catch (const std::exception& failure) {
        FAIL_CHECK(std::string(failure.what()));
        continue;
      }
      for (const auto& model : models) {
        CHECK(same(model, expected));
      }
    }
  }
}

}  // namespace ranks_case

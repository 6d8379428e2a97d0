// Compares contributions of forests with Shapley's definition over all subsets of the
// features.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/base/simd.h"
#include "core/explain/by_background.h"
#include "core/explain/by_cover.h"
#include "core/tree/tree.h"
#include "thread_host.h"

using rankmix::MatrixView;
namespace explain = rankmix::explain;
namespace tree = rankmix::tree;

namespace {

constexpr std::size_t kFeatures = 5;
using Random = std::mt19937_64;
using Row = std::vector<double>;

std::size_t below(std::size_t count, Random& random) { return random() % count; }

double draw_value(Random& random) {
  return random() % 8 == 0 ? std::numeric_limits<double>::quiet_NaN()
                           : static_cast<double>(random() % 7) - 3.0;
}

// Draws random trees: each new node is attached to a random open side. Covers may be 0.
tree::Forest draw_forest(std::size_t trees, std::size_t max_nodes, Random& random) {
  tree::Forest forest;
  forest.outputs = 1;
  for (std::size_t t = 0; t < trees; ++t) {
    const std::size_t count = below(max_nodes + 1, random);
    std::vector<tree::Node> nodes;
    std::vector<int*> open;
    int leaves = 0;
    for (std::size_t n = 0; n < count; ++n) {
      nodes.push_back({static_cast<int>(below(kFeatures, random)), draw_value(random),
                       random() % 2 == 0, 0, 0});
      if (std::isnan(nodes[n].threshold)) {
        nodes[n].threshold = 0.5;
      }
    }
    std::vector<std::pair<std::size_t, bool>> sides{{0, true}, {0, false}};
    for (std::size_t n = 1; n < count; ++n) {
      const std::size_t at = below(sides.size(), random);
      (sides[at].second ? nodes[sides[at].first].left : nodes[sides[at].first].right) =
          static_cast<int>(n);
      sides.erase(sides.begin() + static_cast<std::ptrdiff_t>(at));
      sides.push_back({n, true});
      sides.push_back({n, false});
    }
    std::vector<double> values;
    std::vector<int> documents;
    for (std::size_t leaf = 0; leaf < count + 1; ++leaf) {
      values.push_back(std::sin(static_cast<double>(random() % 1000)));
      documents.push_back(static_cast<int>(random() % 4));
    }
    if (count > 0) {
      for (const auto& side : sides) {
        (side.second ? nodes[side.first].left : nodes[side.first].right) = ~leaves;
        ++leaves;
      }
    }
    tree::append_tree(nodes, std::vector<double>(count, 0.0), 1.0, values, documents,
                      forest);
    tree::end_round(forest);
  }
  return forest;
}

bool left_of(const tree::Forest& forest, std::size_t node, double x) {
  return std::isnan(x) ? forest.missing_left[node] != 0 : x <= forest.threshold[node];
}

// The expected value below a node or leaf. Sides of splits on features outside of
// `known` are weighted by covers.
double known_value(const tree::Forest& forest, std::size_t t, int at, const Row& row,
                   std::size_t known) {
  const auto first = static_cast<std::size_t>(forest.node_begin[t]);
  const auto leaf = static_cast<std::size_t>(forest.leaf_begin[t]);
  if (at < 0) {
    return forest.values[leaf + static_cast<std::size_t>(~at)];
  }
  const std::size_t node = first + static_cast<std::size_t>(at);
  const auto feature = static_cast<std::size_t>(forest.feature[node]);
  if ((known >> feature & 1U) != 0) {
    const bool left = left_of(forest, node, row[feature]);
    return known_value(forest, t, left ? forest.left[node] : forest.right[node], row,
                       known);
  }
  auto documents = [&](int child) {
    return child >= 0 ? forest.node_documents[first + static_cast<std::size_t>(child)]
                      : forest.leaf_documents[leaf + static_cast<std::size_t>(~child)];
  };
  const double left = documents(forest.left[node]);
  const double all = left + documents(forest.right[node]);
  const double fraction = all > 0.0 ? left / all : 0.5;
  return fraction * known_value(forest, t, forest.left[node], row, known) +
         (1.0 - fraction) * known_value(forest, t, forest.right[node], row, known);
}

double known_score(const tree::Forest& forest, const Row& row, std::size_t known) {
  double sum = 0.0;
  for (std::size_t t = 0; t + 1 < forest.node_begin.size(); ++t) {
    const bool leaf = forest.node_begin[t] == forest.node_begin[t + 1];
    sum += known_value(forest, t, leaf ? ~0 : 0, row, known);
  }
  return sum;
}

double factorial(std::size_t n) {
  return n == 0 ? 1.0 : static_cast<double>(n) * factorial(n - 1);
}

template <class Value>
Row shapley(const Value& value) {
  Row values(kFeatures, 0.0);
  for (std::size_t known = 0; known < (1U << kFeatures); ++known) {
    std::size_t size = 0;
    for (std::size_t f = 0; f < kFeatures; ++f) {
      size += known >> f & 1U;
    }
    for (std::size_t f = 0; f < kFeatures; ++f) {
      if ((known >> f & 1U) == 0) {
        values[f] += factorial(size) * factorial(kFeatures - size - 1) /
                     factorial(kFeatures) *
                     (value(known | std::size_t{1} << f) - value(known));
      }
    }
  }
  return values;
}

struct Rows {
  std::size_t count;
  std::vector<double> x;

  Rows(std::size_t rows, Random& random) : count(rows) {
    for (std::size_t i = 0; i < rows * kFeatures; ++i) {
      x.push_back(draw_value(random));
    }
  }
  MatrixView<const double> view() const { return {x.data(), count, kFeatures}; }
  Row row(std::size_t i) const {
    Row values;
    for (std::size_t f = 0; f < kFeatures; ++f) {
      values.push_back(x[f * count + i]);
    }
    return values;
  }
};

std::vector<double> by_cover(const tree::Forest& forest, const Rows& rows,
                             unsigned threads, bool wide, double* mean) {
  ThreadHost host(threads);
  std::vector<double> out(rows.count * kFeatures, 0.0);
  rankmix::allow_avx2(wide);
  *mean = explain::contributions_by_cover(view_of(forest),
                                          {forest.node_documents, forest.leaf_documents},
                                          rows.view(), host, out.data());
  rankmix::allow_avx2(true);
  return out;
}

std::vector<double> by_background(const tree::Forest& forest, const Rows& rows,
                                  const Rows& background, unsigned threads) {
  ThreadHost host(threads);
  std::vector<double> out(rows.count * kFeatures, 0.0);
  explain::contributions_by_background(view_of(forest), rows.view(), background.view(),
                                       host, out.data());
  return out;
}

TEST_CASE("contributions equal Shapley's definition over all subsets of features") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Random random(seed);
    const tree::Forest forest = draw_forest(3, 1 + seed * 2, random);
    const Rows rows(6, random);
    const Rows background(5, random);
    double mean = 0.0;
    const std::vector<double> covers = by_cover(forest, rows, 1, true, &mean);
    const std::vector<double> backed = by_background(forest, rows, background, 1);
    CHECK(std::abs(mean - known_score(forest, rows.row(0), 0)) < 1e-12);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const Row row = rows.row(i);
      const Row naive =
          shapley([&](std::size_t known) { return known_score(forest, row, known); });
      const Row naive_backed = shapley([&](std::size_t known) {
        double sum = 0.0;
        for (std::size_t b = 0; b < background.count; ++b) {
          Row mixed = background.row(b);
          for (std::size_t f = 0; f < kFeatures; ++f) {
            mixed[f] = (known >> f & 1U) != 0 ? row[f] : mixed[f];
          }
          sum += known_score(forest, mixed, (1U << kFeatures) - 1);
        }
        return sum / static_cast<double>(background.count);
      });
      for (std::size_t f = 0; f < kFeatures; ++f) {
        CHECK(std::abs(covers[f * rows.count + i] - naive[f]) < 1e-12);
        CHECK(std::abs(backed[f * rows.count + i] - naive_backed[f]) < 1e-12);
      }
    }
  }
}

TEST_CASE("contributions have the same bits on any number of threads") {
  Random random(1);
  const tree::Forest forest = draw_forest(150, 30, random);
  const Rows rows(1100, random);
  const Rows background(20, random);
  double one = 0.0;
  double other = 0.0;
  const std::vector<double> covers = by_cover(forest, rows, 1, true, &one);
  CHECK(by_cover(forest, rows, 3, true, &other) == covers);
  CHECK(other == one);
  CHECK(by_cover(forest, rows, 2, false, &other) == covers);
  CHECK(by_background(forest, rows, background, 3) ==
        by_background(forest, rows, background, 1));
}

}  // namespace

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "core/mix/fuse.h"
#include "core/mix/lists.h"
#include "core/mix/majority.h"
#include "core/mix/pool.h"
#include "draw.h"
#include "thread_host.h"

namespace {

using rankmix::MatrixView;
using rankmix::View;
using namespace rankmix::mix;

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// Queries with few distinct scores, many absent documents, and some empty lists.
struct Case {
  std::vector<double> scores;
  std::vector<int> order;
  std::vector<int> offsets{0};
  std::vector<double> weights;
  std::size_t rows = 0;
  std::size_t rankers = 0;

  Lists lists() const {
    return {MatrixView<const double>(scores.data(), rows, rankers), {order, offsets}, {}};
  }
};

Case draw_case(unsigned seed) {
  std::mt19937_64 random(seed);
  Case drawn;
  drawn.rankers = 1 + random() % 4;
  const std::size_t queries = 1 + random() % 9;
  for (std::size_t q = 0; q < queries; ++q) {
    drawn.rows += 1 + random() % 7;
    drawn.offsets.push_back(static_cast<int>(drawn.rows));
  }
  drawn.order.resize(drawn.rows);
  std::iota(drawn.order.begin(), drawn.order.end(), 0);
  for (std::size_t r = 0; r < drawn.rankers; ++r) {
    drawn.weights.push_back(1.0 + static_cast<double>(random() % 3));
    const bool nothing = random() % 5 == 0;
    for (std::size_t i = 0; i < drawn.rows; ++i) {
      drawn.scores.push_back(nothing || random() % 3 == 0
                                 ? kAbsent
                                 : static_cast<double>(random() % 4) - 1.0);
    }
  }
  return drawn;
}

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::abs(a - b) <= 1e-12 * (1.0 + std::abs(b));
}

// Reciprocal ranks by counting, document by document.
std::vector<double> slow_reciprocal(const Case& from, double k) {
  std::vector<double> out(from.rows, kAbsent);
  for (std::size_t q = 0; q + 1 < from.offsets.size(); ++q) {
    for (int i = from.offsets[q]; i < from.offsets[q + 1]; ++i) {
      for (std::size_t r = 0; r < from.rankers; ++r) {
        const double* scores = from.scores.data() + r * from.rows;
        if (std::isnan(scores[i])) {
          continue;
        }
        int above = 0;
        int equal = 0;
        for (int j = from.offsets[q]; j < from.offsets[q + 1]; ++j) {
          above += scores[j] > scores[i] ? 1 : 0;
          equal += scores[j] == scores[i] ? 1 : 0;
        }
        double value_of_rank = 0.0;
        for (int rank = above + 1; rank <= above + equal; ++rank) {
          value_of_rank += 1.0 / (k + rank) / equal;
        }
        double& sum = out[static_cast<std::size_t>(i)];
        sum = (std::isnan(sum) ? 0.0 : sum) + from.weights[r] * value_of_rank;
      }
    }
  }
  return out;
}

// Copeland scores from all pairs. Documents that a ranker lacks are last in its list.
std::vector<double> slow_copeland(const Case& from) {
  std::vector<double> out(from.rows, kAbsent);
  auto score = [&](int i, std::size_t r) {
    return from.scores[r * from.rows + static_cast<std::size_t>(i)];
  };
  auto retrieved = [&](int i) {
    for (std::size_t r = 0; r < from.rankers; ++r) {
      if (!std::isnan(score(i, r))) {
        return true;
      }
    }
    return false;
  };
  for (std::size_t q = 0; q + 1 < from.offsets.size(); ++q) {
    for (int i = from.offsets[q]; i < from.offsets[q + 1]; ++i) {
      if (!retrieved(i)) {
        continue;
      }
      double wins = 0.0;
      for (int j = from.offsets[q]; j < from.offsets[q + 1]; ++j) {
        if (j == i || !retrieved(j)) {
          continue;
        }
        double margin = 0.0;
        for (std::size_t r = 0; r < from.rankers; ++r) {
          const double a = std::isnan(score(i, r)) ? -1e9 : score(i, r);
          const double b = std::isnan(score(j, r)) ? -1e9 : score(j, r);
          margin += a > b ? from.weights[r] : a < b ? -from.weights[r] : 0.0;
        }
        wins += margin > 0.0 ? 1.0 : margin < 0.0 ? 0.0 : 0.5;
      }
      out[static_cast<std::size_t>(i)] = wins;
    }
  }
  return out;
}

// Returns the same documents in another order of rows.
Case shuffled(const Case& from, const std::vector<int>& to) {
  Case moved = from;
  for (std::size_t r = 0; r < from.rankers; ++r) {
    for (std::size_t i = 0; i < from.rows; ++i) {
      moved.scores[r * from.rows + static_cast<std::size_t>(to[i])] =
          from.scores[r * from.rows + i];
    }
  }
  for (std::size_t q = 0; q + 1 < from.offsets.size(); ++q) {
    std::vector<int> rows;
    for (int i = from.offsets[q]; i < from.offsets[q + 1]; ++i) {
      rows.push_back(to[static_cast<std::size_t>(i)]);
    }
    std::sort(rows.begin(), rows.end());
    std::copy(rows.begin(), rows.end(), moved.order.begin() + from.offsets[q]);
  }
  return moved;
}

bool identical(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

TEST_CASE("fuse_lists() adds the values of ranks, with ties and absent documents") {
  ThreadHost host(2);
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Case drawn = draw_case(seed);
    std::vector<double> table;
    for (std::size_t r = 0; r < drawn.rankers; ++r) {
      for (std::size_t rank = 1; rank <= drawn.rows; ++rank) {
        table.push_back(1.0 / (60.0 + static_cast<double>(rank)));
      }
    }
    FusionOptions options;
    options.list_value = ListValue::kTable;
    options.table = {table.data(), drawn.rows, drawn.rankers};
    options.weights = drawn.weights;
    const std::vector<double> fused = fuse_lists(drawn.lists(), options, host);
    const std::vector<double> slow = slow_reciprocal(drawn, 60.0);
    for (std::size_t i = 0; i < drawn.rows; ++i) {
      CHECK(same(fused[i], slow[i]));
    }
  }
}

TEST_CASE("majority_scores() counts wins and draws of all pairs") {
  ThreadHost host(2);
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Case drawn = draw_case(seed);
    MajorityOptions options;
    options.weights = drawn.weights;
    const std::vector<double> wins = majority_scores(drawn.lists(), options, host);
    const std::vector<double> slow = slow_copeland(drawn);
    options.margins = true;
    const std::vector<double> finer = majority_scores(drawn.lists(), options, host);
    for (std::size_t i = 0; i < drawn.rows; ++i) {
      CHECK(identical(wins[i], slow[i]));
      CHECK((std::isnan(finer[i]) || std::abs(finer[i] - wins[i]) < 0.25));
    }
  }
}

TEST_CASE("fusion depends neither on the order of rows nor on threads") {
  ThreadHost one(1);
  ThreadHost four(4);
  const std::vector<ListValue> list_values = {
      ListValue::kScore, ListValue::kMinMax, ListValue::kSum,   ListValue::kMax,
      ListValue::kZ,     ListValue::kRank,   ListValue::kBorda, ListValue::kPoints};
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Case drawn = draw_case(seed);
    std::vector<int> to(drawn.rows);
    std::iota(to.begin(), to.end(), 0);
    draw::shuffle(to.begin(), to.end(), std::mt19937_64(seed));
    const Case moved = shuffled(drawn, to);
    FusionOptions options;
    options.list_value = list_values[seed % list_values.size()];
    options.missing = static_cast<Missing>(seed % 3);
    options.combination = static_cast<Combination>(seed % 5);
    options.reward = static_cast<Reward>(seed % 3);
    options.weights = drawn.weights;
    MajorityOptions votes;
    votes.weights = drawn.weights;
    votes.margins = true;
    votes.missing_last = seed % 2 == 0;
    const auto fused = fuse_lists(drawn.lists(), options, one);
    const auto again = fuse_lists(moved.lists(), options, four);
    const auto counted = majority_scores(drawn.lists(), votes, one);
    const auto recounted = majority_scores(moved.lists(), votes, four);
    for (std::size_t i = 0; i < drawn.rows; ++i) {
      CHECK(identical(fused[i], again[static_cast<std::size_t>(to[i])]));
      CHECK(identical(counted[i], recounted[static_cast<std::size_t>(to[i])]));
    }
  }
}

TEST_CASE("list_ranks() returns the ranks that documents share") {
  ThreadHost host(1);
  Case drawn;
  drawn.rows = 5;
  drawn.rankers = 1;
  drawn.scores = {1.0, 2.0, kAbsent, 2.0, 0.5};
  drawn.order = {0, 1, 2, 3, 4};
  drawn.offsets = {0, 4, 5};
  std::vector<int> first(5);
  std::vector<int> last(5);
  list_ranks(drawn.lists(), host, {first.data(), 5, 1}, {last.data(), 5, 1});
  CHECK(first == std::vector<int>({3, 1, 0, 1, 1}));
  CHECK(last == std::vector<int>({3, 2, 0, 2, 1}));
  Lists lists = drawn.lists();
  const std::vector<int> positions = {0, 5, 1, 2, 3};
  lists.positions = positions;
  list_ranks(lists, host, {first.data(), 5, 1}, {last.data(), 5, 1});
  CHECK(first == std::vector<int>({3, 2, 0, 1, 1}));
  CHECK(last == first);
}

TEST_CASE("extreme scores are normalised") {
  ThreadHost host(1);
  const double big = std::numeric_limits<double>::max();
  Case drawn;
  drawn.rows = 3;
  drawn.rankers = 1;
  drawn.scores = {big, -big, 0.0};
  drawn.order = {0, 1, 2};
  drawn.offsets = {0, 3};
  const std::vector<double> weights = {1.0};
  FusionOptions options;
  options.weights = weights;
  CHECK(fuse_lists(drawn.lists(), options, host) == std::vector<double>({1.0, 0.0, 0.5}));
  options.list_value = ListValue::kMax;
  CHECK(fuse_lists(drawn.lists(), options, host) ==
        std::vector<double>({1.0, -1.0, 0.0}));
  options.list_value = ListValue::kZ;
  const auto z = fuse_lists(drawn.lists(), options, host);
  CHECK((same(z[0], std::sqrt(1.5)) && same(z[1], -std::sqrt(1.5)) && z[2] == 0.0));
}

TEST_CASE("options that do not match the lists are refused") {
  ThreadHost host(1);
  const Case drawn = draw_case(3);
  FusionOptions options;
  CHECK_THROWS_AS(fuse_lists(drawn.lists(), options, host), rankmix::InvalidArgument);
  options.weights = drawn.weights;
  options.list_value = ListValue::kTable;
  CHECK_THROWS_AS(fuse_lists(drawn.lists(), options, host), rankmix::InvalidArgument);
  const std::vector<double> table(drawn.rankers);
  options.table = {table.data(), 1, drawn.rankers};
  CHECK_THROWS_AS(fuse_lists(drawn.lists(), options, host), rankmix::InvalidArgument);
  options.segments = 1;
  options.missing = Missing::kLast;
  CHECK_THROWS_AS(fuse_lists(drawn.lists(), options, host), rankmix::InvalidArgument);
  CHECK_THROWS_AS(majority_scores(drawn.lists(), {}, host), rankmix::InvalidArgument);
  Lists wrong = drawn.lists();
  const std::vector<int> few = {1};
  wrong.positions = few;
  options.missing = Missing::kSkip;
  CHECK_THROWS_AS(fuse_lists(wrong, options, host), rankmix::InvalidArgument);
}

TEST_CASE("pool_entries() finds each document of a query once") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t runs = 1 + random() % 3;
    std::vector<int> query;
    std::vector<int> document;
    std::vector<int> sizes;
    bool twice = false;
    for (std::size_t r = 0; r < runs; ++r) {
      sizes.push_back(static_cast<int>(random() % 12));
      const std::size_t begin = query.size();
      for (int i = 0; i < sizes.back(); ++i) {
        query.push_back(static_cast<int>(random() % 3));
        document.push_back(static_cast<int>(random() % 9));
        for (std::size_t j = begin; j + 1 < query.size(); ++j) {
          twice = twice || (query[j] == query.back() && document[j] == document.back());
        }
      }
    }
    const Pool pool = pool_entries({query, document, sizes, 3, 9});
    CHECK(twice == (pool.run_with_twice >= 0));
    CHECK(std::is_sorted(pool.query.begin(), pool.query.end()));
    for (std::size_t i = 0; i < query.size(); ++i) {
      const auto row = static_cast<std::size_t>(pool.row[i]);
      CHECK((pool.query[row] == query[i] && pool.document[row] == document[i]));
    }
    for (std::size_t a = 0; a < pool.query.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        CHECK((pool.query[a] != pool.query[b] || pool.document[a] != pool.document[b]));
      }
    }
  }
  const std::vector<int> one = {0};
  const std::vector<int> none;
  CHECK_THROWS_AS(pool_entries({one, one, none, 1, 1}), rankmix::InvalidArgument);
}

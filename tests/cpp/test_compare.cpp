#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/base/hash.h"
#include "core/compare/digest.h"
#include "core/compare/pairs_above.h"
#include "core/compare/resample.h"
#include "draw.h"
#include "thread_host.h"

namespace {

using rankmix::View;
using rankmix::compare::bootstrap_means;

std::vector<double> normal_differences(std::size_t n, double mean, unsigned seed) {
  std::mt19937_64 random(seed);
  draw::Normal<double> normal(mean);
  std::vector<double> d(n);
  for (double& x : d) {
    x = normal(random);
  }
  return d;
}

}  // namespace

TEST_CASE("bootstrap_means() draws all queries equally often on any number of threads") {
  ThreadHost one(1);
  ThreadHost three(3);
  // The mean identifies the query that was drawn, since each query has its own power.
  const std::vector<double> single{1.0, 100.0, 10000.0};
  const std::vector<double> means = bootstrap_means(single, {}, 3000, 1, one);
  double drawn[3] = {0, 0, 0};
  for (const double mean : means) {
    auto rest = static_cast<long>(std::lround(mean * 3.0));
    for (double& count : drawn) {
      count += static_cast<double>(rest % 100);
      rest /= 100;
    }
  }
  CHECK(drawn[0] + drawn[1] + drawn[2] == 9000.0);
  for (const double count : drawn) {
    // Five standard deviations of a binomial count.
    CHECK(std::abs(count - 3000.0) < 5.0 * std::sqrt(9000.0 * 2.0 / 9.0));
  }
  const std::vector<double> d = normal_differences(501, 0.3, 4);
  CHECK(bootstrap_means(d, {}, 1000, 5, one) == bootstrap_means(d, {}, 1000, 5, three));
  CHECK(bootstrap_means(d, {}, 1000, 5, one) != bootstrap_means(d, {}, 1000, 6, one));
}

TEST_CASE("bootstrap_means() treats weights like copies") {
  ThreadHost host(1);
  const std::vector<double> d{0.5, -0.25, 1.0, 2.0};
  const std::vector<double> same(4, 2.0);
  const std::vector<double> plain = bootstrap_means(d, {}, 200, 3, host);
  const std::vector<double> weighted = bootstrap_means(d, same, 200, 3, host);
  for (std::size_t r = 0; r < plain.size(); ++r) {
    CHECK(std::abs(plain[r] - weighted[r]) < 1e-15);
  }
  const std::vector<double> one_counts{1.0, 0.0, 0.0, 0.0};
  for (const double mean : bootstrap_means(d, one_counts, 200, 3, host)) {
    CHECK((mean == 0.5 || mean == 0.0));
  }
  CHECK_THROWS_AS(bootstrap_means({}, {}, 10, 1, host), rankmix::InvalidArgument);
  CHECK_THROWS_AS(bootstrap_means(d, View<const double>(same.data(), 2), 10, 1, host),
                  rankmix::InvalidArgument);
}

TEST_CASE("digests depend on grades and rankings") {
  const std::vector<int> order{0, 1, 2, 3, 4};
  const std::vector<int> offsets{0, 3, 5};
  const rankmix::data::Queries queries{order, offsets};
  const std::vector<int> grades{0, 2, 1, 4, 0};
  const std::vector<int> turned{2, 1, 0, 0, 4};
  const std::vector<int> other{0, 1, 1, 4, 0};
  const auto digest = rankmix::compare::grade_digests(grades, {}, queries);
  CHECK(digest == rankmix::compare::grade_digests(turned, {}, queries));
  CHECK(digest[0] != rankmix::compare::grade_digests(other, {}, queries)[0]);
  CHECK(digest[1] == rankmix::compare::grade_digests(other, {}, queries)[1]);
  // With document ids, the digest depends on which document has a grade.
  std::vector<std::uint64_t> ids;
  for (const char* id : {"a", "b", "c", "d", "e"}) {
    ids.push_back(rankmix::hash_text(id, 1));
  }
  const auto with_ids = rankmix::compare::grade_digests(grades, ids, queries);
  const auto swapped = rankmix::compare::grade_digests(turned, ids, queries);
  CHECK(with_ids[0] != swapped[0]);
  CHECK(with_ids[1] != swapped[1]);
  const std::vector<int> back{4, 3, 2, 1, 0};
  const std::vector<int> ends{0, 2, 5};
  const auto turned_round = rankmix::compare::grade_digests(grades, ids, {back, ends});
  CHECK(turned_round[0] == with_ids[1]);
  CHECK(turned_round[1] == with_ids[0]);
  // Every byte counts, and so does the length.
  const auto hash = [](const std::string& text) {
    return rankmix::hash_text(text.data(), text.size());
  };
  const std::string name = "GX001-22-0123";
  for (std::size_t i = 0; i < name.size(); ++i) {
    std::string changed_name = name;
    changed_name[i] = '_';
    CHECK(hash(changed_name) != hash(name));
    CHECK(hash(name.substr(0, i)) != hash(name));
  }
  CHECK(hash(name) == hash("GX001-22-0123"));
  // Documents without a judgement do not affect the digest.
  const std::vector<int> unjudged{0, 2, 1, 4, -1};
  const std::vector<int> shorter_offsets{0, 3, 4};
  CHECK(rankmix::compare::grade_digests(unjudged, {}, queries) ==
        rankmix::compare::grade_digests(grades, {}, {order, shorter_offsets}));
  const std::vector<int> ranked{2, 0, 1, 3, 4};
  const auto digests = rankmix::compare::ranking_digests(queries);
  const auto changed = rankmix::compare::ranking_digests({ranked, offsets});
  CHECK(digests[0] != changed[0]);
  CHECK(digests[1] == changed[1]);
}

TEST_CASE("counts of items above are those of all pairs") {
  std::mt19937_64 random(5);
  for (int draw = 0; draw < 20; ++draw) {
    const int n = static_cast<int>(random() % 40);
    std::vector<int> rank;
    std::vector<int> ends;
    for (int i = 0; i < n; ++i) {
      rank.push_back(static_cast<int>(random() % 7));
      if (i + 1 == n || random() % 3 > 0) {
        ends.push_back(i + 1);
      }
    }
    const rankmix::compare::PairsAbove found = rankmix::compare::pairs_above(rank, ends);
    std::size_t group = 0;
    for (int i = 0; i < n; ++i) {
      group += i >= ends[group] ? 1 : 0;
      const int begin = group == 0 ? 0 : ends[group - 1];
      int counts[4] = {0, 0, 0, 0};
      for (int j = 0; j < ends[group]; ++j) {
        if (j != i) {
          const int first = j < begin ? 0 : 2;
          const auto mine = static_cast<std::size_t>(i);
          const auto other = static_cast<std::size_t>(j);
          counts[first] += rank[other] > rank[mine] ? 1 : 0;
          counts[first + 1] += rank[other] == rank[mine] ? 1 : 0;
        }
      }
      const auto at = static_cast<std::size_t>(i);
      CHECK(found.higher_before[at] == counts[0]);
      CHECK(found.equal_before[at] == counts[1]);
      CHECK(found.higher_within[at] == counts[2]);
      CHECK(found.equal_within[at] == counts[3]);
    }
  }
}

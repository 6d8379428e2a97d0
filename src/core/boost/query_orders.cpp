#include "core/boost/query_orders.h"

#include <algorithm>
#include <utility>

namespace rankmix::boost {
namespace {

// Least number of documents per block: enough work for a thread, and enough blocks for
// all threads.
constexpr std::size_t kBlockDocuments = 2048;
// Sorting anew takes about as long as this number of moves per document.
constexpr std::size_t kMaxMoves = 8;

}  // namespace

QueryOrders::QueryOrders(const metric::Judged& judged, std::vector<std::size_t> queries)
    : judged_(judged), queries_(std::move(queries)), begin_{0} {
  number_documents();
  blocks_.push_back(0);
  for (std::size_t q = 1; q < queries_.size(); ++q) {
    if (begin_[q] - begin_[blocks_.back()] >= kBlockDocuments) {
      blocks_.push_back(q);
    }
  }
  blocks_.push_back(queries_.size());
}

void QueryOrders::number_documents() {
  metric::Ranker ranker;
  const std::vector<double> alike(judged_.rows(), 0.0);
  const metric::Ties ties = judged_.metric.rule().ties;
  const metric::RankRule rule{metric::needs_groups(ties) ? metric::Ties::kBest : ties,
                              false};
  for (std::size_t query : queries_) {
    const View<const int> rows = judged_.queries.rows_of(query);
    counts_.emplace_back();
    metric::count_grades(rows, judged_.documents.grades, counts_.back());
    ranker.rank(rows, alike.data(), judged_.documents, rule, metric::kWholeList);
    for (int row : ranker.rows()) {
      items_.push_back({0.0, static_cast<std::uint32_t>(items_.size() - begin_.back()),
                        static_cast<std::uint32_t>(row)});
      grades_.push_back(judged_.documents.grades[static_cast<std::size_t>(row)]);
    }
    begin_.push_back(items_.size());
  }
  scores_.assign(items_.size(), 0.0);
}

template <class Body>
void QueryOrders::for_each_query(Host& host, const Body& body) const {
  host.parallel_for(blocks_.size() - 1, [&](std::size_t block) {
    for (std::size_t q = blocks_[block]; q < blocks_[block + 1]; ++q) {
      body(block, q);
    }
  });
}

void QueryOrders::add(double factor, const double* column, Host& host,
                      std::vector<double>& values) {
  values.resize(queries_.size());
  std::vector<Scratch> scratch(blocks_.size());
  for_each_query(host, [&](std::size_t block, std::size_t q) {
    const std::size_t count = begin_[q + 1] - begin_[q];
    Item* items = items_.data() + begin_[q];
    double* scores = scores_.data() + begin_[q];
    for (std::size_t i = 0; i < count; ++i) {
      const double score =
          scores[items[i].position] + factor * column[items[i].row] + 0.0;  // not -0
      scores[items[i].position] = score;
      items[i].score = compared(score);
    }
    repair(items, count);
    values[q] = value_of(q, items, scratch[block]);
  });
}

double QueryOrders::compared(double score) const {
  return judged_.metric.rule().single_scores ? metric::to_single(score) : score;
}

void QueryOrders::measure(double sign, const double* column, Host& host,
                          std::vector<double>& values) const {
  values.resize(queries_.size());
  std::vector<Scratch> scratch(blocks_.size());
  for_each_query(host, [&](std::size_t block, std::size_t q) {
    std::vector<Item>& items = scratch[block].items;
    items.assign(items_.begin() + static_cast<std::ptrdiff_t>(begin_[q]),
                 items_.begin() + static_cast<std::ptrdiff_t>(begin_[q + 1]));
    for (Item& item : items) {
      item.score = compared(sign * column[item.row] + 0.0);
    }
    std::sort(items.begin(), items.end(), before);
    values[q] = value_of(q, items.data(), scratch[block]);
  });
}

void QueryOrders::repair(Item* items, std::size_t count) {
  std::size_t moves = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (!before(items[i], items[i - 1])) {
      continue;
    }
    const Item moved = items[i];
    std::size_t at = i;
    do {
      items[at] = items[at - 1];
      --at;
    } while (at > 0 && before(moved, items[at - 1]));
    items[at] = moved;
    moves += i - at;
    if (moves > kMaxMoves * count) {
      std::sort(items, items + count, before);
      return;
    }
  }
}

double QueryOrders::value_of(std::size_t q, const Item* items, Scratch& scratch) const {
  const std::size_t length = begin_[q + 1] - begin_[q];
  const int* grades = grades_.data() + begin_[q];
  const std::size_t depth = std::min(judged_.metric.depth(counts_[q]), length);
  scratch.grades.clear();
  scratch.tie_ends.clear();
  if (!metric::needs_groups(judged_.metric.rule().ties)) {
    for (std::size_t i = 0; i < depth; ++i) {
      scratch.grades.push_back(grades[items[i].position]);
    }
    return judged_.metric.value({scratch.grades, {}, counts_[q]}, length);
  }
  bool tied = false;
  for (std::size_t i = 0; i < length; ++i) {
    const bool begins = i == 0 || items[i].score != items[i - 1].score;
    if (begins && i >= depth) {
      break;
    }
    if (begins && i > 0) {
      scratch.tie_ends.push_back(i);
    }
    tied = tied || !begins;
    scratch.grades.push_back(grades[items[i].position]);
  }
  scratch.tie_ends.push_back(scratch.grades.size());
  // Without ties, the metric needs no groups.
  return judged_.metric.value(
      {scratch.grades,
       tied ? View<const std::size_t>(scratch.tie_ends) : View<const std::size_t>(),
       counts_[q]},
      length);
}

bool QueryOrders::follows(double sign, const double* column, Host& host) const {
  std::vector<char> follow(blocks_.size(), 1);
  for_each_query(host, [&](std::size_t block, std::size_t q) {
    for (std::size_t i = begin_[q] + 1; i < begin_[q + 1]; ++i) {
      const double upper = sign * column[items_[i - 1].row];
      const double lower = sign * column[items_[i].row];
      const bool alike = items_[i - 1].score == items_[i].score;
      if (upper < lower || (alike && upper != lower)) {
        follow[block] = 0;
      }
    }
  });
  return std::all_of(follow.begin(), follow.end(), [](char f) { return f != 0; });
}

}  // namespace rankmix::boost

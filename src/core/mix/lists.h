// The ranked lists of several rankers for each query.
//
// The input is a matrix of scores, documents x rankers; NaN marks documents that a ranker
// did not retrieve. Lists are sorted, best first. Documents with equal scores share their
// ranks, or are ordered by `positions`. Lists do not depend on the order of rows.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"
#include "core/metric/ranking.h"

namespace rankmix::mix {

struct Lists {
  MatrixView<const double> scores;  // documents x rankers
  data::Queries queries;
  View<const int>
      positions;  // order of documents with equal scores; empty: they share ranks
};

// Ranks one list at a time; keeps its buffers.
class ListRanker {
 public:
  explicit ListRanker(const Lists& lists) : lists_(lists) {}

  void rank(std::size_t query, std::size_t ranker) {
    const bool shared = lists_.positions.empty();
    const metric::RankRule rule{shared ? metric::Ties::kAverage : metric::Ties::kDocument,
                                false};
    ranker_.rank(lists_.queries.rows_of(query), lists_.scores.col(ranker),
                 {{}, lists_.positions}, rule, metric::kWholeList);
    if (!shared) {
      ends_.resize(ranker_.length());
      for (std::size_t i = 0; i < ends_.size(); ++i) {
        ends_[i] = i + 1;
      }
    }
  }

  std::size_t length() const { return ranker_.length(); }
  // The rows, best first.
  View<const int> rows() const { return ranker_.rows(); }
  // One past the last rank of each group of documents that share ranks.
  View<const std::size_t> group_ends() const {
    return lists_.positions.empty() ? ranker_.group_ends()
                                    : View<const std::size_t>(ends_);
  }

 private:
  const Lists& lists_;
  metric::Ranker ranker_;
  std::vector<std::size_t> ends_;
};

inline void check_lists(const Lists& lists) {
  const std::size_t rows = lists.scores.rows();
  if (lists.queries.order.size() != rows || lists.scores.cols() == 0 ||
      !(lists.positions.empty() || lists.positions.size() == rows)) {
    throw InvalidArgument("lists and queries do not fit together");
  }
}

// Calls each(scratch, query) for all queries, in parallel. make() creates the scratch
// memory of a task.
template <class Make, class Each>
void for_each_query(const data::Queries& queries, Host& host, const Make& make,
                    const Each& each) {
  constexpr std::size_t block_size = 4;
  constexpr std::size_t batch = 64;  // blocks between two checks for an interrupt
  const std::size_t blocks = (queries.count() + block_size - 1) / block_size;
  for (std::size_t first = 0; first < blocks; first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, blocks - first), [&](std::size_t in_batch) {
      auto scratch = make();
      const std::size_t begin = (first + in_batch) * block_size;
      const std::size_t end = std::min(queries.count(), begin + block_size);
      for (std::size_t q = begin; q < end; ++q) {
        each(scratch, q);
      }
    });
  }
}

// The rows of a query that some ranker retrieved, in increasing order.
void find_retrieved(const Lists& lists, std::size_t query, std::vector<int>& rows);

// The first and the last rank, from 1, of each document in each list. The two ranks
// differ for documents that share ranks. Both are 0 for documents that are not in the
// list.
void list_ranks(const Lists& lists, Host& host, MatrixView<int> first,
                MatrixView<int> last);

}  // namespace rankmix::mix

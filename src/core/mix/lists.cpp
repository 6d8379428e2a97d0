#include "core/mix/lists.h"

namespace rankmix::mix {

void find_retrieved(const Lists& lists, std::size_t query, std::vector<int>& rows) {
  rows.clear();
  for (const int row : lists.queries.rows_of(query)) {
    for (std::size_t r = 0; r < lists.scores.cols(); ++r) {
      if (!std::isnan(lists.scores(static_cast<std::size_t>(row), r))) {
        rows.push_back(row);
        break;
      }
    }
  }
}

void list_ranks(const Lists& lists, Host& host, MatrixView<int> first,
                MatrixView<int> last) {
  check_lists(lists);
  for_each_query(
      lists.queries, host, [&] { return ListRanker(lists); },
      [&](ListRanker& list, std::size_t query) {
        for (std::size_t r = 0; r < lists.scores.cols(); ++r) {
          for (const int row : lists.queries.rows_of(query)) {
            first(static_cast<std::size_t>(row), r) = 0;
            last(static_cast<std::size_t>(row), r) = 0;
          }
          list.rank(query, r);
          std::size_t begin = 0;
          for (const std::size_t end : list.group_ends()) {
            for (std::size_t rank = begin; rank < end; ++rank) {
              const auto row = static_cast<std::size_t>(list.rows()[rank]);
              first(row, r) = static_cast<int>(begin) + 1;
              last(row, r) = static_cast<int>(end);
            }
            begin = end;
          }
        }
      });
}

}  // namespace rankmix::mix

#include "core/data/shared_thresholds.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/message.h"
#include "core/data/bucket_ranks.h"
#include "core/data/shared_tallies.h"
#include "core/data/visit_column.h"

namespace rankmix::data {
namespace {

// A column whose thresholds are being found.
struct Column {
  Column(std::size_t stored, std::size_t limit, const SharedSizes& sizes)
      : index(stored), few(limit), ranks(sizes.gather, sizes.parts, sizes.top_bits) {}

  std::size_t index;
  FewValues few;
  BucketRanks ranks;
  std::unique_ptr<BucketRanks::Tally> tally;
  std::vector<double> thresholds;
  bool is_open = true;
};
using Group = std::vector<std::unique_ptr<Column>>;

template <class Use>
void for_each_open(Group& group, const Use& use) {
  for (const std::unique_ptr<Column>& column : group) {
    if (column->is_open) {
      use(*column);
    }
  }
}

// Makes the tallies of the rows of this rank.
void count_rows(Group& group, const ColumnStore& store,
                const std::vector<std::uint64_t>& counts, bool is_first, Host& host) {
  std::vector<Column*> open;
  for_each_open(group, [&](Column& column) { open.push_back(&column); });
  const std::size_t batch = columns_at_once(store);
  for (std::size_t first = 0; first < open.size(); first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, open.size() - first), [&](std::size_t j) {
      Column& column = *open[first + j];
      column.tally = std::make_unique<BucketRanks::Tally>(column.ranks);
      StoredBlock block;
      visit_column(store, column.index, counts, block,
                   [&](double value, std::uint64_t count) {
                     if (is_first) {
                       column.few.add(value);
                     }
                     column.tally->add(value, count);
                   });
    });
  }
}

// Columns with few values on all ranks together have a bin for each value.
void close_few(Group& group, Reducer& reducer, std::size_t limit) {
  Message own;
  for (const std::unique_ptr<Column>& column : group) {
    const bool are_few = column->few.are_few();
    own.put(std::vector<std::uint8_t>{static_cast<std::uint8_t>(are_few)});
    own.put(are_few ? column->few.values() : std::vector<double>());
    column->few = FewValues(limit);
  }
  std::vector<MessageReader> messages = gather(reducer, own);
  for (const std::unique_ptr<Column>& column : group) {
    bool are_few = true;
    for (MessageReader& message : messages) {
      are_few = message.next<std::uint8_t>() == std::vector<std::uint8_t>{1} && are_few;
      for (double value : message.next<double>()) {
        column->few.add(value);
      }
    }
    if (are_few && column->few.are_few()) {
      column->thresholds = thresholds_between(column->few.values());
      column->is_open = false;
    }
  }
}

void find_thresholds(Group& group, const ColumnStore& store,
                     const std::vector<std::uint64_t>& counts, int max_bins, Host& host) {
  Reducer& reducer = host.reducer();
  auto any_open = [&] {
    return std::any_of(group.begin(), group.end(),
                       [](const auto& column) { return column->is_open; });
  };
  count_rows(group, store, counts, true, host);
  close_few(group, reducer, static_cast<std::size_t>(max_bins));
  while (any_open()) {
    std::vector<BucketRanks::Tally*> tallies;
    for_each_open(group, [&](Column& column) { tallies.push_back(column.tally.get()); });
    merge_tallies(tallies, reducer);
    host.parallel_for(group.size(), [&](std::size_t j) {
      Column& column = *group[j];
      if (column.is_open) {
        column.ranks.take(*column.tally);
        column.is_open = column.ranks.open_quantiles(max_bins);
        if (!column.is_open) {
          column.thresholds = quantile_thresholds(column.ranks, max_bins);
        }
      }
      column.tally.reset();
    });
    count_rows(group, store, counts, false, host);
  }
}

}  // namespace

std::vector<std::vector<double>> shared_thresholds(
    const ColumnStore& store, const std::vector<std::size_t>& columns,
    const std::vector<std::uint64_t>& counts, int max_bins, Host& host,
    const SharedSizes& sizes) {
  std::vector<std::vector<double>> thresholds;
  for (std::size_t first = 0; first < columns.size(); first += sizes.columns) {
    Group group;
    const std::size_t end = std::min(first + sizes.columns, columns.size());
    for (std::size_t f = first; f < end; ++f) {
      group.push_back(std::make_unique<Column>(
          columns[f], static_cast<std::size_t>(max_bins), sizes));
    }
    find_thresholds(group, store, counts, max_bins, host);
    for (const std::unique_ptr<Column>& column : group) {
      thresholds.push_back(std::move(column->thresholds));
    }
    host.progress(end, 2 * columns.size());
  }
  return thresholds;
}

}  // namespace rankmix::data

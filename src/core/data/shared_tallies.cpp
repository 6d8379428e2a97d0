#include "core/data/shared_tallies.h"

#include <cmath>

#include "core/base/message.h"

namespace rankmix::data {
namespace {

void merge_buckets(const std::vector<BucketRanks::Tally*>& tallies, Reducer& reducer) {
  std::size_t buckets = 0;
  for (const BucketRanks::Tally* tally : tallies) {
    buckets += tally->buckets();
  }
  std::vector<std::uint64_t> sums(2 * buckets);
  std::vector<double> largest(2 * buckets);
  std::size_t at = 0;
  for (const BucketRanks::Tally* tally : tallies) {
    tally->write(sums.data() + at, largest.data() + at);
    at += 2 * tally->buckets();
  }
  reducer.add(View<std::uint64_t>(sums.data(), sums.size()));
  reducer.max({largest.data(), largest.size()});
  at = 0;
  for (BucketRanks::Tally* tally : tallies) {
    tally->read(sums.data() + at, largest.data() + at);
    at += 2 * tally->buckets();
  }
}

void merge_gathered(const std::vector<BucketRanks::Tally*>& tallies, Reducer& reducer) {
  std::vector<std::vector<CountedValue>*> values;
  for (BucketRanks::Tally* tally : tallies) {
    if (tally->gathers()) {
      values.push_back(&tally->gathered());
    }
  }
  if (values.empty()) {
    return;
  }
  Message own;
  for (std::vector<CountedValue>* of_tally : values) {
    merge_counted(*of_tally);
    own.put(*of_tally);
    of_tally->clear();
  }
  std::vector<MessageReader> messages = gather(reducer, own);
  for (std::vector<CountedValue>* of_tally : values) {
    for (MessageReader& message : messages) {
      const std::vector<CountedValue> part = message.next<CountedValue>();
      of_tally->insert(of_tally->end(), part.begin(), part.end());
    }
  }
}

}  // namespace

void merge_tallies(const std::vector<BucketRanks::Tally*>& tallies, Reducer& reducer) {
  merge_buckets(tallies, reducer);
  merge_gathered(tallies, reducer);
}

std::vector<double> spread_values(View<const double> values,
                                  const std::vector<std::uint64_t>& counts,
                                  std::size_t count, Host& host,
                                  const SharedSizes& sizes) {
  BucketRanks ranks(sizes.gather, sizes.parts, sizes.top_bits);
  std::vector<double> found(count);
  do {
    host.checkpoint();
    BucketRanks::Tally tally(ranks);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t copies = counts.empty() ? 1 : counts[i];
      if (copies > 0) {
        tally.add(values[i], copies);
      }
    }
    merge_tallies({&tally}, host.reducer());
    ranks.take(tally);
    for (std::size_t k = 0; k < count; ++k) {
      const double point = (static_cast<double>(k + 1) - 0.5) /
                           static_cast<double>(count) * static_cast<double>(ranks.size());
      found[k] = ranks.cut_after(static_cast<std::uint64_t>(point) + 1).last;
    }
  } while (ranks.open_undecided());
  return found;
}

}  // namespace rankmix::data

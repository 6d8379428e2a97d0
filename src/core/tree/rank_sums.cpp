#include "core/tree/rank_sums.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/views.h"

namespace rankmix::tree {
namespace {

// Calls use(slot) for each slot of the features [begin, end) that are active.
template <class Use>
void for_each_slot(const HistogramLayout& layout, std::size_t begin, std::size_t end,
                   ActiveFeatures active, Histogram& histogram, const Use& use) {
  for (std::size_t f = begin; f < end; ++f) {
    if (!active.empty() && active[f] == 0) {
      continue;
    }
    for (std::size_t i = layout.begin(f); i < layout.end(f); i += layout.numbers()) {
      use(histogram.data() + i);
    }
  }
}

// Gathers the slots, adds them up over the ranks, and puts them back. `most` is the largest
// possible count of slots.
template <class Each>
void add_slots(const HistogramLayout& layout, std::size_t most, Reducer& reducer,
               const Each& for_each) {
  if (layout.lanes() == 1) {
    std::vector<std::uint64_t> sent(most);
    std::uint64_t* end = sent.data();
    for_each([&](const std::uint32_t* slot) { *end++ = read_wide(slot); });
    const std::uint64_t* from = sent.data();
    reducer.add(View<std::uint64_t>(sent.data(), static_cast<std::size_t>(end - from)));
    for_each([&](std::uint32_t* slot) { write_wide(*from++, slot); });
    return;
  }
  const std::size_t channels = layout.channels();
  std::vector<std::uint32_t> sent(most * channels);
  std::uint32_t* end = sent.data();
  for_each([&](const std::uint32_t* slot) { end = std::copy_n(slot, channels, end); });
  const std::uint32_t* from = sent.data();
  reducer.add(View<std::uint32_t>(sent.data(), static_cast<std::size_t>(end - from)));
  for_each([&](std::uint32_t* slot) {
    std::copy_n(from, channels, slot);
    from += channels;
  });
}

}  // namespace

void add_over_ranks(const HistogramLayout& layout, ActiveFeatures active,
                    Histogram& histogram, Totals* total, Reducer& reducer) {
  if (reducer.is_alone()) {
    return;
  }
  add_slots(layout, layout.bins().slots() + 1, reducer, [&](const auto& use) {
    for_each_slot(layout, 0, layout.bins().features(), active, histogram, use);
    if (total != nullptr) {
      use(total->data());
    }
  });
}

void add_feature_over_ranks(const HistogramLayout& layout, std::size_t feature,
                            Histogram& histogram, Reducer& reducer) {
  if (reducer.is_alone()) {
    return;
  }
  const std::size_t slots =
      (layout.end(feature) - layout.begin(feature)) / layout.numbers();
  add_slots(layout, slots, reducer, [&](const auto& use) {
    for_each_slot(layout, feature, feature + 1, {}, histogram, use);
  });
}

}  // namespace rankmix::tree

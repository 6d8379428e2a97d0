#include "core/tree/search.h"

#include <vector>

#include "core/tree/rank_sums.h"

namespace rankmix::tree {

Split search(RowAdder& adder, const ChannelSource& source, const SplitFinder& finder,
             const Sample& sample, Host& host, Sums& sums,
             View<const std::int8_t> negated) {
  adder.lay_out(source);
  const HistogramLayout& layout = adder.layout();
  if (sums.histogram.empty()) {
    sums.histogram = adder.take_histogram();
  }
  sums.histogram.resize(layout.size());
  const data::BinnedMatrix& bins = adder.bins();
  PickedRows picked(sample.rows, sample.rows_of(bins.rows()));
  picked.negated = negated;
  if (sample.chooser != nullptr) {
    return search_chosen(adder, source, picked, finder, *sample.chooser, host, sums);
  }
  sums.total.assign(layout.numbers(), 0U);
  std::vector<Split> found(bins.tiles().size());
  adder.add_up_anew(
      source, picked, false, sums.total, sums.histogram, host, [&](std::size_t t) {
        found[t] = finder.best_of_tile(layout, bins.tiles()[t], sums.histogram,
                                       sums.total, sample.active);
      });
  return best_of(found);
}

Split search_chosen(RowAdder& adder, const ChannelSource& source,
                    const PickedRows& picked, const SplitFinder& finder,
                    FeatureChooser& chooser, Host& host, Sums& sums) {
  const HistogramLayout& layout = adder.layout();
  const std::size_t f = chooser.choose();
  build_feature(layout, f, source, picked, host, sums.histogram);
  add_feature_over_ranks(layout, f, sums.histogram, host.reducer());
  sums.total = feature_totals(layout, f, sums.histogram);
  const Split split = finder.best_of_feature(layout, f, sums.histogram, sums.total);
  chooser.reward(finder.score_kind(),
                 split.gain + finder.node_score(sums.total, layout.lanes()));
  return split;
}

Split search_known(const RowAdder& adder, const SplitFinder& finder, const Sample& sample,
                   Host& host, const Sums& sums) {
  const std::vector<data::Tile>& tiles = adder.bins().tiles();
  std::vector<Split> found(tiles.size());
  adder.for_each_tile(0, host, [&](std::size_t t) {
    found[t] = finder.best_of_tile(adder.layout(), tiles[t], sums.histogram, sums.total,
                                   sample.active);
  });
  return best_of(found);
}

}  // namespace rankmix::tree

// The fits that are recorded: as gbrt(num_leaves = 64), lambdamart(num_leaves = 64) and
// adaboost_mh(base_tree(8)) of R train, without R.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

#include "core/base/host.h"
#include "data_file.h"

namespace replay {

// Called at the begin of each phase: binning, start, order, rounds. In the phase "order"
// the first trees determine an order of the rows, and the rows are reordered.
using Phases = std::function<void(const std::string&)>;

// `kind` is "squared", "lambda" or "adaboost". The phase "rounds" has `rounds` rounds.
void train(const std::string& kind, const DataSet& data, std::size_t rounds,
           rankmix::Host& host, const Phases& phases);

}  // namespace replay

// Grows a regression tree with the search that suits the features.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/regress/documents.h"
#include "core/regress/model_tree.h"

namespace rankmix::regress {

// If `bins` is null, cuts between all values are searched. Empty `weights` means equal
// weights. `order` is the result of content_order(). Features that are not marked in
// `active` are ignored.
ModelTree grow_tree(const Values& values, const data::BinnedMatrix* bins,
                    View<const double> targets, View<const double> weights,
                    const std::vector<std::uint32_t>& order,
                    const std::vector<std::uint8_t>& active, const TreeOptions& options,
                    Host& host);

}  // namespace rankmix::regress

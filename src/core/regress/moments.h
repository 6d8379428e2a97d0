// Moments of some features and of the target over the documents of a node.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/regress/documents.h"
#include "core/regress/selection.h"

namespace rankmix::regress {

// Sums are over blocks of documents in a fixed order, so that they do not depend on the
// number of threads.
Moments find_moments(const Documents& documents, View<const std::uint32_t> rows,
                     const std::vector<int>& features, Host& host);

}  // namespace rankmix::regress

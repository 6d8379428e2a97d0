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

// Summed over blocks of documents in their order: the same bits on any number of threads.
Moments find_moments(const Documents& documents, View<const std::uint32_t> rows,
                     const std::vector<int>& features, Host& host);

}  // namespace rankmix::regress

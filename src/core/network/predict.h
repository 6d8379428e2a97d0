// Computes the scores of new documents by a network.
#pragma once
#include <cstddef>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/network/rows.h"
#include "core/network/shape.h"

namespace rankmix::network {

// One score per row. `numbers` has all numbers of the network. The score of a document
// does not depend on the other documents.
void predict(const Shape& shape, const InputScale& scale, View<const double> numbers,
             MatrixView<const double> x, Host& host, double* scores);
void predict(const Shape& shape, const InputScale& scale, View<const double> numbers,
             const SparseView& x, Host& host, double* scores);

}  // namespace rankmix::network

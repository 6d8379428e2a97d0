#include "core/regress/grow.h"

#include "core/regress/bin_search.h"
#include "core/regress/exact_search.h"

namespace rankmix::regress {

ModelTree grow_tree(const Values& values, const data::BinnedMatrix* bins,
                    View<const double> targets, View<const double> weights,
                    const std::vector<std::uint32_t>& order,
                    const std::vector<std::uint8_t>& active, const TreeOptions& options,
                    Host& host) {
  const Documents documents = make_documents(values, targets, weights, order);
  if (bins == nullptr) {
    ExactSearch search(documents, active);
    return grow_model_tree(documents, search, options, host);
  }
  BinSearch search(*bins, documents, active);
  return grow_model_tree(documents, search, options, host);
}

}  // namespace rankmix::regress

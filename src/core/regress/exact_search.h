// Searches every cut between two adjacent values of a node's documents, which it sorts.
//
// Cost: n log n for the n documents of a node and each feature.
#pragma once
#include "core/regress/documents.h"
#include "core/regress/node_search.h"

namespace rankmix::regress {

class ExactSearch : public NodeSearch {
 public:
  // Features that are not marked in `active` are ignored.
  ExactSearch(const Documents& documents, const std::vector<std::uint8_t>& active)
      : documents_(documents), active_(active) {}
  NodeSplit root(View<const std::uint32_t> rows, const NodeSums& sums, Host& host,
                 std::unique_ptr<Kept>& kept) override;
  void sides(Side& left, Side& right, std::unique_ptr<Kept> parent, Host& host) override;

 private:
  NodeSplit search(View<const std::uint32_t> rows, const NodeSums& sums,
                   Host& host) const;
  NodeSplit best_cut(std::size_t feature, View<const std::uint32_t> rows,
                     const SplitScorer& scorer) const;

  const Documents& documents_;
  const std::vector<std::uint8_t>& active_;
};

}  // namespace rankmix::regress

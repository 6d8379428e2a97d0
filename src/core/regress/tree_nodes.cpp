#include "core/regress/tree_nodes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rankmix::regress {
namespace {

// A node is not split if the standard deviation of its targets is below this fraction of
// the standard deviation of all targets.
constexpr double kMinDeviation = 0.05;
constexpr double kMinSplit = 4.0;

NodeSums sums_of(const Documents& documents, View<const std::uint32_t> rows) {
  NodeSums sums;
  for (std::uint32_t row : rows) {
    const double w = documents.weights[row];
    const double y = documents.targets[row];
    sums += {1.0, w, w * y, w * y * y};
  }
  return sums;
}

// Computed from deviations from the mean, because sums of squares would cancel.
double deviation_of(const Documents& documents, View<const std::uint32_t> rows,
                    const NodeSums& sums) {
  double squares = 0.0;
  for (std::uint32_t row : rows) {
    const double off = documents.targets[row] - sums.mean();
    squares += documents.weights[row] * off * off;
  }
  return std::sqrt(squares / sums.weight);
}

class Growth {
 public:
  Growth(const Documents& documents, NodeSearch& search, double min_split, Host& host)
      : documents_(documents),
        search_(search),
        min_split_(std::max(min_split, kMinSplit)),
        host_(host) {
    tree_.rows = documents.rows;
  }

  TreeNodes grow() {
    tree_.nodes.push_back(node_of(0, tree_.rows.size()));
    const TreeNode& root = tree_.nodes[0];
    tree_.deviation = deviation_of(documents_, tree_.rows, root.sums);
    if (may_split(root)) {
      std::unique_ptr<Kept> kept;
      const NodeSplit best = search_.root(tree_.rows, root.sums, host_, kept);
      split(0, best, std::move(kept));
    }
    return std::move(tree_);
  }

 private:
  TreeNode node_of(std::size_t begin, std::size_t end) const {
    TreeNode node;
    node.begin = begin;
    node.end = end;
    node.sums = sums_of(documents_, tree_.rows_of(node));
    return node;
  }

  bool may_split(const TreeNode& node) const {
    return node.sums.count >= min_split_ && tree_.deviation > 0.0 &&
           !(deviation_of(documents_, tree_.rows_of(node), node.sums) <
             kMinDeviation * tree_.deviation);
  }

  // Moves the documents of the left side to the front. Each side keeps its order.
  std::size_t part(const TreeNode& node, const NodeSplit& best) {
    const View<const std::uint32_t> rows = tree_.rows_of(node);
    values_.resize(rows.size());
    documents_.values->gather(static_cast<std::size_t>(best.feature), rows,
                              values_.data());
    right_.clear();
    std::size_t middle = node.begin;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t row = rows[i];
      if (values_[i] <= best.threshold) {
        tree_.rows[middle++] = row;
      } else {
        right_.push_back(row);
      }
    }
    std::copy(right_.begin(), right_.end(),
              tree_.rows.begin() + static_cast<std::ptrdiff_t>(middle));
    return middle;
  }

  void split(std::size_t at, const NodeSplit& best, std::unique_ptr<Kept> kept) {
    host_.checkpoint();
    if (!best.exists()) {
      return;
    }
    const std::size_t begin = tree_.nodes[at].begin;
    const std::size_t end = tree_.nodes[at].end;
    const std::size_t middle = part(tree_.nodes[at], best);
    const std::size_t children = tree_.nodes.size();
    tree_.nodes.push_back(node_of(begin, middle));
    tree_.nodes.push_back(node_of(middle, end));
    TreeNode& node = tree_.nodes[at];
    node.feature = best.feature;
    node.threshold = best.threshold;
    node.gain = best.score;
    node.left = static_cast<int>(children);
    node.right = static_cast<int>(children + 1);
    NodeSearch::Side sides[2];
    for (std::size_t i = 0; i < 2; ++i) {
      const TreeNode& child = tree_.nodes[children + i];
      sides[i].rows = tree_.rows_of(child);
      sides[i].sums = child.sums;
      sides[i].wanted = may_split(child);
    }
    search_.sides(sides[0], sides[1], std::move(kept), host_);
    for (std::size_t i = 0; i < 2; ++i) {
      if (sides[i].wanted) {
        split(children + i, sides[i].best, std::move(sides[i].kept));
      }
    }
  }

  const Documents& documents_;
  NodeSearch& search_;
  double min_split_;
  Host& host_;
  TreeNodes tree_;
  std::vector<double> values_;
  std::vector<std::uint32_t> right_;
};

}  // namespace

TreeNodes grow_nodes(const Documents& documents, NodeSearch& search, double min_split,
                     Host& host) {
  return Growth(documents, search, min_split, host).grow();
}

}  // namespace rankmix::regress

#include "core/explain/by_background.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "core/explain/paths.h"
#include "core/explain/used_rows.h"

namespace rankmix::explain {
namespace {

// One bit for each feature on the path to a position, set if all splits on the feature
// let a row pass.
using Pattern = std::uint64_t;

// Rows of a task. The number is large, because rows with the same pattern share their
// work.
constexpr std::size_t kRows = 1024;
constexpr std::size_t kTrees = 32;
constexpr std::size_t kBatch = 2;

// Number of background rows with the same pattern at a leaf.
struct Group {
  Pattern pattern;
  double rows;
};

struct BackgroundTree {
  Paths paths;
  std::vector<std::vector<Group>> groups;  // for each leaf
};

// The patterns of a row at all positions of a tree. Bits of features that are not on the
// path are 1.
void find_patterns(const tree::ForestView& forest, const Paths& paths,
                   const UsedFeatures& used, const double* row, Pattern* pattern) {
  pattern[0] = ~Pattern{0};
  for (std::size_t n = 0; n < paths.nodes; ++n) {
    const std::size_t node = paths.first_node + n;
    const Pattern without = pattern[n] & ~(Pattern{1} << paths.number[n]);
    const auto feature = static_cast<std::size_t>(forest.feature[node]);
    const bool left =
        goes_left(forest, node, row[static_cast<std::size_t>(used.number[feature])]);
    pattern[paths.child[2 * n]] = left ? pattern[n] : without;
    pattern[paths.child[2 * n + 1]] = left ? without : pattern[n];
  }
}

BackgroundTree background_tree(const tree::ForestView& forest, std::size_t tree,
                               const UsedFeatures& used, const UsedRows& background) {
  BackgroundTree made;
  made.paths = paths_of(forest, tree);
  const Paths& paths = made.paths;
  std::vector<Pattern> pattern(paths.nodes + paths.leaves);
  std::vector<std::vector<Pattern>> seen(paths.leaves);
  for (std::size_t i = 0; i < background.count(); ++i) {
    find_patterns(forest, paths, used, background.row(i), pattern.data());
    for (std::size_t leaf = 0; leaf < paths.leaves; ++leaf) {
      seen[leaf].push_back(pattern[paths.nodes + leaf]);
    }
  }
  for (std::vector<Pattern>& of_leaf : seen) {
    std::sort(of_leaf.begin(), of_leaf.end());
    std::vector<Group> groups;
    for (Pattern p : of_leaf) {
      if (groups.empty() || groups.back().pattern != p) {
        groups.push_back({p, 0.0});
      }
      groups.back().rows += 1.0;
    }
    made.groups.push_back(groups);
  }
  return made;
}

std::size_t count_bits(Pattern bits) {
  std::size_t count = 0;
  for (; bits != 0; bits &= bits - 1) {
    ++count;
  }
  return count;
}

// The Shapley weight (a - 1)! c! / (a + c)! for a >= 1. It equals 1 / (a * binomial(a +
// c, c)).
double shapley_weight(std::size_t a, std::size_t c) {
  double choose = 1.0;
  for (std::size_t k = 1; k <= c; ++k) {
    choose *= static_cast<double>(a + k) / static_cast<double>(k);
  }
  return 1.0 / (static_cast<double>(a) * choose);
}

// The contributions of one leaf to a row with this pattern, one for each feature on the
// path, in the order of Paths::number.
void leaf_contributions(const std::vector<Group>& groups, Pattern pattern,
                        std::size_t features, double value, double* out) {
  const Pattern blocked = ~pattern;
  const std::size_t c = count_bits(blocked);
  for (const Group& group : groups) {
    if ((group.pattern & blocked) != blocked) {
      continue;
    }
    const Pattern gained = ~group.pattern;
    const std::size_t a = count_bits(gained);
    const double give = a > 0 ? value * group.rows * shapley_weight(a, c) : 0.0;
    const double take = c > 0 ? value * group.rows * shapley_weight(c, a) : 0.0;
    for (std::size_t j = 0; j < features; ++j) {
      const Pattern bit = Pattern{1} << j;
      if ((gained & bit) != 0) {
        out[j] += give;
      } else if ((blocked & bit) != 0) {
        out[j] -= take;
      }
    }
  }
}

// Caches the contributions of each leaf by the pattern of the row.
class Memory {
 public:
  Memory(const tree::ForestView& forest, const BackgroundTree& of_tree, double fraction)
      : forest_(forest),
        tree_(of_tree),
        fraction_(fraction),
        positions_(of_tree.paths.leaves) {}

  const double* of(std::size_t leaf, Pattern pattern) {
    const Paths& paths = tree_.paths;
    const std::size_t features = paths.features[paths.nodes + leaf].size();
    const auto found = positions_[leaf].emplace(pattern, values_.size());
    if (found.second) {
      values_.resize(values_.size() + features, 0.0);
      leaf_contributions(tree_.groups[leaf], pattern, features,
                         fraction_ * forest_.values[paths.first_leaf + leaf],
                         values_.data() + found.first->second);
    }
    return values_.data() + found.first->second;
  }

 private:
  const tree::ForestView& forest_;
  const BackgroundTree& tree_;
  double fraction_;
  std::vector<std::unordered_map<Pattern, std::size_t>> positions_;
  std::vector<double> values_;
};

void add_tree(const tree::ForestView& forest, const BackgroundTree& of_tree,
              const UsedFeatures& used, const UsedRows& rows, double fraction,
              std::vector<double>& sums) {
  const Paths& paths = of_tree.paths;
  Memory memory(forest, of_tree, fraction);
  std::vector<Pattern> pattern(paths.nodes + paths.leaves);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    find_patterns(forest, paths, used, rows.row(i), pattern.data());
    double* sum = sums.data() + i * rows.features();
    for (std::size_t leaf = 0; leaf < paths.leaves; ++leaf) {
      const std::vector<int>& features = paths.features[paths.nodes + leaf];
      const double* given = memory.of(leaf, pattern[paths.nodes + leaf]);
      for (std::size_t j = 0; j < features.size(); ++j) {
        sum[used.number[static_cast<std::size_t>(features[j])]] += given[j];
      }
    }
  }
}

}  // namespace

bool paths_fit(const tree::ForestView& forest) {
  for (std::size_t t = 0; t < forest.trees(); ++t) {
    const int nodes = forest.node_begin[t + 1] - forest.node_begin[t];
    if (static_cast<std::size_t>(nodes) > kMaxPathFeatures &&
        paths_of(forest, t).max_features > kMaxPathFeatures) {
      return false;
    }
  }
  return true;
}

void contributions_by_background(const tree::ForestView& forest,
                                 MatrixView<const double> x,
                                 MatrixView<const double> background, Host& host,
                                 double* contributions) {
  const UsedFeatures used(forest, x.cols());
  const UsedRows of_background(background, used, 0, background.rows());
  const double fraction = 1.0 / static_cast<double>(background.rows());
  for (std::size_t first = 0; first < forest.trees(); first += kTrees) {
    const std::size_t count = std::min(kTrees, forest.trees() - first);
    std::vector<BackgroundTree> trees(count);
    host.checkpoint();
    host.parallel_for(count, [&](std::size_t i) {
      trees[i] = background_tree(forest, first + i, used, of_background);
    });
    for_row_blocks(x.rows(), kRows, kBatch, host,
                   [&](std::size_t begin, std::size_t end) {
                     const UsedRows rows(x, used, begin, end);
                     std::vector<double> sums(rows.count() * rows.features(), 0.0);
                     for (const BackgroundTree& of_tree : trees) {
                       add_tree(forest, of_tree, used, rows, fraction, sums);
                     }
                     for (std::size_t f = 0; f < rows.features(); ++f) {
                       double* column = contributions + used.columns[f] * x.rows();
                       for (std::size_t i = begin; i < end; ++i) {
                         column[i] += sums[(i - begin) * rows.features() + f];
                       }
                     }
                   });
  }
}

}  // namespace rankmix::explain

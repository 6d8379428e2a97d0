#include "core/regress/model_tree.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/serial_host.h"
#include "core/regress/moments.h"
#include "core/regress/tree_nodes.h"

namespace rankmix::regress {
namespace {

constexpr double kSmoothing = 15.0;  // weight of the parent's model, in documents

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// For each inner node, finds the features that are tested in it or below it.
void find_tested(std::vector<TreeNode>& nodes) {
  for (std::size_t at = nodes.size(); at-- > 0;) {
    TreeNode& node = nodes[at];
    if (node.is_leaf()) {
      continue;
    }
    const std::vector<int>& left = nodes[index(node.left)].features;
    const std::vector<int>& right = nodes[index(node.right)].features;
    std::vector<int> all;
    std::set_union(left.begin(), left.end(), right.begin(), right.end(),
                   std::back_inserter(all));
    const auto position = std::lower_bound(all.begin(), all.end(), node.feature);
    if (position == all.end() || *position != node.feature) {
      all.insert(position, node.feature);
    }
    node.features = std::move(all);
  }
}

void fit_model(const Documents& documents, const TreeNodes& tree, TreeNode& node,
               Host& host) {
  const Moments moments =
      find_moments(documents, tree.rows_of(node), node.features, host);
  const Regression found = select_regression(moments);
  node.weights = found.weights;
  node.intercept = found.intercept;
  node.squares = found.squares;
  node.size = 1.0 + static_cast<double>(
                        std::count_if(found.weights.begin(), found.weights.end(),
                                      [](double weight) { return weight != 0.0; }));
}

// Large nodes are fitted one by one, in parallel over blocks of their documents. Small
// nodes are fitted in parallel.
void fit_models(const Documents& documents, TreeNodes& tree, Host& host) {
  std::vector<TreeNode*> small;
  for (TreeNode& node : tree.nodes) {
    if (node.count() > kRowBlock) {
      host.checkpoint();
      fit_model(documents, tree, node, host);
    } else {
      small.push_back(&node);
    }
  }
  constexpr std::size_t at_once = 512;  // between two checks for an interrupt
  for (std::size_t first = 0; first < small.size(); first += at_once) {
    host.checkpoint();
    host.parallel_for(std::min(at_once, small.size() - first), [&](std::size_t i) {
      SerialHost serial;
      fit_model(documents, tree, *small[first + i], serial);
    });
  }
}

// The factor is larger for models with many coefficients on few documents.
double pruning_factor(double n, double v) {
  constexpr double none_left = 10.0;
  return n <= v ? none_left : (n + 2.0 * v) / (n - v);
}

// Prunes the tree from the bottom up. Sets `squares` and `size` to the values of the
// subtree. Children come after their parents.
void settle(TreeNodes& tree, bool prune) {
  constexpr double nothing = 1e-5;  // relative to the deviation
  for (std::size_t at = tree.nodes.size(); at-- > 0;) {
    TreeNode& node = tree.nodes[at];
    if (node.is_leaf()) {
      continue;
    }
    const TreeNode& left = tree.nodes[index(node.left)];
    const TreeNode& right = tree.nodes[index(node.right)];
    const double below = left.squares + right.squares;
    const double size = left.size + right.size + 1.0;
    auto error = [&](double squares, double v) {
      return std::sqrt(squares / node.sums.weight) * pruning_factor(node.sums.count, v);
    };
    const double own = error(node.squares, node.size);
    if (prune && (own <= error(below, size) || own < nothing * tree.deviation)) {
      node.left = -1;
      node.right = -1;
    } else {
      node.squares = below;
      node.size = size;
    }
  }
}

// A linear function of all features, used to smooth models.
struct Function {
  std::vector<double> weights;
  double intercept = 0.0;

  void add(double fraction, const TreeNode& node) {
    for (std::size_t a = 0; a < node.features.size(); ++a) {
      weights[index(node.features[a])] += fraction * node.weights[a];
    }
    intercept += fraction * node.intercept;
  }
};

// Writes a pruned tree, from the top, left before right.
class Writer {
 public:
  Writer(const TreeNodes& tree, std::size_t features, double shift, bool smooth)
      : tree_(tree), shift_(shift), smooth_(smooth) {
    function_.weights.assign(features, 0.0);
    out_.forest.outputs = 1;
    out_.deviation = tree.deviation;
  }

  ModelTree write() {
    write_node(0);
    tree::append_tree(nodes_, gains_, 1.0, intercepts_, documents_, out_.forest);
    tree::end_round(out_.forest);
    return std::move(out_);
  }

 private:
  // Returns the number of the node, or ~leaf, as for children in tree.h.
  int write_node(std::size_t at) {
    const TreeNode& node = tree_.nodes[at];
    path_.push_back(&node);
    const int number = node.is_leaf() ? write_leaf() : write_split(node);
    path_.pop_back();
    return number;
  }

  int write_split(const TreeNode& node) {
    const auto number = static_cast<int>(nodes_.size());
    nodes_.push_back({node.feature, node.threshold, false, -1, -1});
    // The gain of the node, weighted by its fraction of all documents.
    gains_.push_back(node.gain * node.sums.weight / tree_.nodes[0].sums.weight);
    const int left = write_node(index(node.left));
    const int right = write_node(index(node.right));
    nodes_[index(number)].left = left;
    nodes_[index(number)].right = right;
    return number;
  }

  int write_leaf() {
    const TreeNode& leaf = *path_.back();
    smooth_path();
    for (std::size_t j = 0; j < function_.weights.size(); ++j) {
      if (function_.weights[j] != 0.0) {
        out_.feature.push_back(static_cast<int>(j));
        out_.weight.push_back(function_.weights[j]);
        function_.weights[j] = 0.0;
      }
    }
    out_.begin.push_back(static_cast<int>(out_.feature.size()));
    out_.error.push_back(std::sqrt(leaf.squares / leaf.sums.weight));
    intercepts_.push_back(function_.intercept + shift_);
    documents_.push_back(static_cast<int>(leaf.count()));
    return ~static_cast<int>(documents_.size() - 1);
  }

  // The fractions of the models on the path sum to 1.
  void smooth_path() {
    function_.intercept = 0.0;
    double fraction = 1.0;
    if (smooth_) {
      // Fractions of the models on the path, computed from the leaf upward. Each parent
      // gets its fraction, and the fractions of the nodes below it are scaled down.
      std::vector<double> fractions(path_.size(), 0.0);
      fractions.back() = 1.0;
      for (std::size_t i = path_.size() - 1; i > 0; --i) {
        const double n = path_[i]->sums.count;
        for (std::size_t k = i; k < path_.size(); ++k) {
          fractions[k] *= n / (n + kSmoothing);
        }
        fractions[i - 1] = kSmoothing / (n + kSmoothing);
      }
      for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
        function_.add(fractions[i], *path_[i]);
      }
      fraction = fractions.back();
    }
    function_.add(fraction, *path_.back());
  }

  const TreeNodes& tree_;
  double shift_;
  bool smooth_;
  Function function_;
  std::vector<const TreeNode*> path_;
  std::vector<tree::Node> nodes_;
  std::vector<double> gains_;
  std::vector<double> intercepts_;
  std::vector<int> documents_;
  ModelTree out_;
};

}  // namespace

void TreeOptions::validate() const {
  if (!(min_split >= 1.0)) {
    throw InvalidArgument("impossible options of a regression tree");
  }
}

ModelTree grow_model_tree(const Documents& documents, NodeSearch& search,
                          const TreeOptions& options, Host& host) {
  options.validate();
  if (documents.rows.empty()) {
    throw InvalidArgument("a regression tree of no document");
  }
  TreeNodes tree = grow_nodes(documents, search, options.min_split, host);
  find_tested(tree.nodes);
  fit_models(documents, tree, host);
  settle(tree, options.prune);
  return Writer(tree, documents.values->features(), documents.shift, options.smooth)
      .write();
}

}  // namespace rankmix::regress

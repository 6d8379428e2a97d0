#include "core/explain/cover_tables.h"

#include "core/explain/quadrature.h"

namespace rankmix::explain {
namespace {

// The fraction of a node's documents on each side. Both are 0.5 if the node has no
// documents.
struct Fractions {
  double side[2];
};

class TableMaker {
 public:
  TableMaker(const tree::ForestView& forest, const Covers& covers, CoverTables& tables)
      : forest_(forest), covers_(covers), tables_(tables), paths_(tables.paths) {}

  void make() {
    const std::size_t positions = paths_.nodes + paths_.leaves;
    reach_.assign(positions, 1.0);
    kept_.assign(positions, 1.0);
    tables_.passes = (paths_.max_features + 2 * kLanes - 1) / (2 * kLanes);
    const Quadrature rule = quadrature_of(tables_.passes * kLanes);
    tables_.entries.resize(tables_.passes * paths_.nodes * kStates * kEntry);
    for (std::size_t n = 0; n < paths_.nodes; ++n) {
      fill_node(n, rule);
    }
    for (std::size_t leaf = 0; leaf < paths_.leaves; ++leaf) {
      tables_.mean += reach_[paths_.nodes + leaf] * value_of(paths_.nodes + leaf);
    }
  }

 private:
  double documents(std::size_t position) const {
    return position < paths_.nodes
               ? covers_.nodes[paths_.first_node + position]
               : covers_.leaves[paths_.first_leaf + position - paths_.nodes];
  }
  std::size_t child(std::size_t n, std::size_t side) const {
    return static_cast<std::size_t>(paths_.child[2 * n + side]);
  }
  // The factor of an edge: the value of the leaf for edges to a leaf, else 1.
  double value_of(std::size_t position) const {
    return position < paths_.nodes
               ? 1.0
               : forest_.values[paths_.first_leaf + position - paths_.nodes];
  }
  Fractions fractions_of(std::size_t n) const {
    const double left = documents(child(n, 0));
    const double all = left + documents(child(n, 1));
    return all > 0.0 ? Fractions{{left / all, (all - left) / all}}
                     : Fractions{{0.5, 0.5}};
  }

  void fill_node(std::size_t n, const Quadrature& rule) {
    const Fractions fractions = fractions_of(n);
    const int above = paths_.same_above[n];
    const double kept = above < 0 ? 1.0 : kept_[static_cast<std::size_t>(above)];
    for (std::size_t side = 0; side < 2; ++side) {
      reach_[child(n, side)] = reach_[n] * fractions.side[side];
      kept_[child(n, side)] = kept * fractions.side[side];
      for (std::size_t q = 0; q < rule.at.size(); ++q) {
        fill_edge(n, side, q, rule, kept, fractions.side[side]);
      }
    }
  }

  // Fills the entries of one edge at quadrature node q. `kept` is the product of the
  // fractions at the splits on this feature above this edge; z includes this edge.
  void fill_edge(std::size_t n, std::size_t side, std::size_t q, const Quadrature& rule,
                 double kept, double fraction) {
    const double t = rule.at[q];
    const double z = kept * fraction;
    const double value = value_of(child(n, side));
    const double passing_above = t + (1.0 - t) * kept;
    const double passing = t + (1.0 - t) * z;
    const double derivative_above = (1.0 - kept) / passing_above;
    double* entry = tables_.entries.data() +
                    ((q / kLanes) * paths_.nodes + n) * kStates * kEntry + q % kLanes;
    auto put = [&](std::size_t state, double factor, double derivative) {
      entry[state * kEntry + side * kLanes] = value * factor;
      entry[state * kEntry + (2 + side) * kLanes] = rule.weight[q] * derivative;
    };
    put(side, passing / passing_above, (1.0 - z) / passing - derivative_above);
    put(1 - side, (1.0 - t) * z / passing_above, -1.0 / (1.0 - t) - derivative_above);
    put(kOut, fraction, 0.0);
  }

  const tree::ForestView& forest_;
  const Covers& covers_;
  CoverTables& tables_;
  const Paths& paths_;
  std::vector<double> reach_;  // fraction of the documents at each position
  std::vector<double> kept_;   // z of the edge to each position
};

}  // namespace

CoverTables cover_tables(const tree::ForestView& forest, const Covers& covers,
                         std::size_t tree, const std::vector<int>& number) {
  CoverTables tables;
  tables.paths = paths_of(forest, tree);
  TableMaker(forest, covers, tables).make();
  for (std::size_t n = 0; n < tables.paths.nodes; ++n) {
    tables.feature.push_back(
        number[static_cast<std::size_t>(forest.feature[tables.paths.first_node + n])]);
  }
  return tables;
}

}  // namespace rankmix::explain

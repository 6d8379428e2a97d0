#include "core/explain/by_cover.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/base/simd.h"
#include "core/explain/cover_tables.h"
#include "core/explain/used_rows.h"

namespace rankmix::explain {
namespace {

// Rows of a task. Their contributions stay in the L2 cache while all trees are processed.
constexpr std::size_t kRows = 32;
// Trees whose tables are in memory at the same time.
constexpr std::size_t kTrees = 128;
// Blocks of rows between two checks for an interrupt.
constexpr std::size_t kBatch = 64;

// For one row, the state at each node of a tree, as the offset of the node's entry in a
// pass of the tables.
void find_states(const tree::ForestView& forest, const CoverTables& tables,
                 const double* row, std::vector<char>& passed, int* entry) {
  const Paths& paths = tables.paths;
  for (std::size_t n = 0; n < paths.nodes; ++n) {
    const int above = paths.same_above[n];
    std::size_t state = kOut;
    if (above < 0 || passed[static_cast<std::size_t>(above)] != 0) {
      const double x = row[tables.feature[n]];
      state = goes_left(forest, paths.first_node + n, x) ? kLeft : kRight;
    }
    passed[static_cast<std::size_t>(paths.child[2 * n])] = state == kLeft;
    passed[static_cast<std::size_t>(paths.child[2 * n + 1])] = state == kRight;
    entry[n] = static_cast<int>((n * kStates + state) * kEntry);
  }
}

// The data of a pass for one row. A pass computes products from the root to the leaves,
// then sums from the leaves to the root.
struct Pass {
  const double* entries;
  const int* entry;
  const int* child;
  const int* feature;
  std::size_t nodes;
};

// kLanes doubles as a vector. The doubles may not be aligned, so they are copied in and
// out. Compilers differ in whether a reference to a vector type may have a lower
// alignment than the type. Vectors are passed by reference, because without AVX they
// cannot be passed by value.
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
RANKMIX_INLINE void load(const double* from, Lanes& to) {
  std::memcpy(&to, from, sizeof(Lanes));
}
RANKMIX_INLINE void store(const Lanes& from, double* to) {
  std::memcpy(to, &from, sizeof(Lanes));
}

RANKMIX_INLINE double* lanes_of(double* first, int i) {
  return first + static_cast<std::size_t>(i) * kLanes;
}

RANKMIX_INLINE void add_pass_inline(const Pass& pass, double* at, double* sums) {
  std::fill(at, at + kLanes, 1.0);
  for (std::size_t n = 0; n < pass.nodes; ++n) {
    const double* entry = pass.entries + pass.entry[n];
    Lanes here;
    Lanes left;
    Lanes right;
    load(at + n * kLanes, here);
    load(entry, left);
    load(entry + kLanes, right);
    store(here * left, lanes_of(at, pass.child[2 * n]));
    store(here * right, lanes_of(at, pass.child[2 * n + 1]));
  }
  for (std::size_t n = pass.nodes; n-- > 0;) {
    const double* derivative = pass.entries + pass.entry[n] + 2 * kLanes;
    double* const sum = lanes_of(sums, pass.feature[n]);
    Lanes left;
    Lanes right;
    Lanes left_derivative;
    Lanes right_derivative;
    Lanes total;
    load(lanes_of(at, pass.child[2 * n]), left);
    load(lanes_of(at, pass.child[2 * n + 1]), right);
    load(derivative, left_derivative);
    load(derivative + kLanes, right_derivative);
    load(sum, total);
    store(left + right, at + n * kLanes);
    store(total + (left * left_derivative + right * right_derivative), sum);
  }
}

void add_pass_plain(const Pass& pass, double* at, double* sums) {
  add_pass_inline(pass, at, sums);
}
#if RANKMIX_HAS_AVX2
RANKMIX_AVX2 void add_pass_avx2(const Pass& pass, double* at, double* sums) {
  add_pass_inline(pass, at, sums);
}
#endif

void add_pass(const Pass& pass, double* at, double* sums) {
#if RANKMIX_HAS_AVX2
  if (has_avx2()) {
    add_pass_avx2(pass, at, sums);
    return;
  }
#endif
  add_pass_plain(pass, at, sums);
}

// Adds the sums of a tree for each row of a block. Each row has `used` features x kLanes
// sums.
void add_tree(const tree::ForestView& forest, const CoverTables& tables,
              const UsedRows& rows, std::vector<double>& sums) {
  const Paths& paths = tables.paths;
  const std::size_t positions = paths.nodes + paths.leaves;
  std::vector<char> passed(positions, 1);
  std::vector<double> at(positions * kLanes);
  std::vector<int> entry(rows.count() * paths.nodes);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    find_states(forest, tables, rows.row(i), passed, entry.data() + i * paths.nodes);
  }
  for (std::size_t p = 0; p < tables.passes; ++p) {
    for (std::size_t i = 0; i < rows.count(); ++i) {
      add_pass({tables.pass(p), entry.data() + i * paths.nodes, paths.child.data(),
                tables.feature.data(), paths.nodes},
               at.data(), sums.data() + i * rows.features() * kLanes);
    }
  }
}

}  // namespace

double contributions_by_cover(const tree::ForestView& forest, const Covers& covers,
                              MatrixView<const double> x, Host& host,
                              double* contributions) {
  const UsedFeatures used(forest, x.cols());
  double mean = 0.0;
  for (std::size_t first = 0; first < forest.trees(); first += kTrees) {
    const std::size_t count = std::min(kTrees, forest.trees() - first);
    std::vector<CoverTables> tables(count);
    host.parallel_for(count, [&](std::size_t i) {
      tables[i] = cover_tables(forest, covers, first + i, used.number);
    });
    for (const CoverTables& of_tree : tables) {
      mean += of_tree.mean;
    }
    for_row_blocks(
        x.rows(), kRows, kBatch, host, [&](std::size_t begin, std::size_t end) {
          const UsedRows rows(x, used, begin, end);
          std::vector<double> sums(rows.count() * rows.features() * kLanes, 0.0);
          for (const CoverTables& of_tree : tables) {
            add_tree(forest, of_tree, rows, sums);
          }
          for (std::size_t f = 0; f < rows.features(); ++f) {
            double* column = contributions + used.columns[f] * x.rows();
            for (std::size_t i = begin; i < end; ++i) {
              const double* sum =
                  sums.data() + ((i - begin) * rows.features() + f) * kLanes;
              column[i] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
            }
          }
        });
  }
  return mean;
}

}  // namespace rankmix::explain

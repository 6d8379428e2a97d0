#include "core/regress/moments.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/dense.h"
#include "core/base/errors.h"
#include "core/base/square_unit.h"

namespace rankmix::regress {
namespace {

// Sums and ranges of a block of documents.
struct BlockMeans {
  double weight = 0.0;
  std::vector<double> sums;  // weighted, of the features and the target
  std::vector<double> least;
  std::vector<double> most;
};

// Reads a block of documents, feature by feature, the target last.
class BlockReader {
 public:
  BlockReader(const Documents& documents, View<const std::uint32_t> rows,
              const std::vector<int>& features)
      : documents_(documents), rows_(rows), features_(features) {}

  std::size_t columns() const { return features_.size() + 1; }
  View<const std::uint32_t> rows(std::size_t begin, std::size_t end) const {
    return {rows_.data() + begin, end - begin};
  }
  void read(View<const std::uint32_t> rows, std::size_t column, double* to) const {
    if (column < features_.size()) {
      documents_.values->gather(static_cast<std::size_t>(features_[column]), rows, to);
      return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      to[i] = documents_.targets[rows[i]];
    }
  }
  double weight(std::uint32_t row) const { return documents_.weights[row]; }

  BlockMeans means(std::size_t begin, std::size_t end) const {
    const View<const std::uint32_t> block = rows(begin, end);
    BlockMeans found;
    for (std::uint32_t row : block) {
      found.weight += weight(row);
    }
    std::vector<double> values(block.size());
    for (std::size_t j = 0; j < columns(); ++j) {
      read(block, j, values.data());
      double sum = 0.0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        sum += weight(block[i]) * values[i];
      }
      found.sums.push_back(sum);
      const auto range = std::minmax_element(values.begin(), values.end());
      found.least.push_back(*range.first);
      found.most.push_back(*range.second);
    }
    return found;
  }

  // Adds the weighted products of deviations from the means, in units.
  void add_products(const std::vector<double>& means, const std::vector<double>& units,
                    std::size_t begin, std::size_t end,
                    std::vector<double>& products) const {
    constexpr std::size_t at_once = 512;
    std::vector<double> packed(std::min(at_once, end - begin) * columns());
    std::vector<double> root(at_once);
    for (std::size_t first = begin; first < end; first += at_once) {
      const View<const std::uint32_t> some = rows(first, std::min(end, first + at_once));
      for (std::size_t i = 0; i < some.size(); ++i) {
        root[i] = std::sqrt(weight(some[i]));
      }
      for (std::size_t j = 0; j < columns(); ++j) {
        double* to = packed.data() + j * some.size();
        read(some, j, to);
        for (std::size_t i = 0; i < some.size(); ++i) {
          to[i] = (to[i] - means[j]) / units[j] * root[i];
        }
      }
      dense::add_gram({packed.data(), some.size(), columns()}, products.data());
    }
  }

 private:
  const Documents& documents_;
  View<const std::uint32_t> rows_;
  const std::vector<int>& features_;
};

}  // namespace

Moments find_moments(const Documents& documents, View<const std::uint32_t> rows,
                     const std::vector<int>& features, Host& host) {
  const BlockReader reader(documents, rows, features);
  const std::size_t columns = reader.columns();
  const std::size_t blocks = block_count(rows.size());
  std::vector<BlockMeans> parts(blocks);
  for_each_block(host, rows.size(), RowCost::kHeavy,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   parts[block] = reader.means(begin, end);
                 });
  Moments found;
  found.features = features.size();
  found.count = static_cast<double>(rows.size());
  found.means.assign(columns, 0.0);
  for (const BlockMeans& part : parts) {
    found.weight += part.weight;
  }
  for (std::size_t j = 0; j < columns; ++j) {
    double least = parts[0].least[j];
    double most = parts[0].most[j];
    for (const BlockMeans& part : parts) {
      found.means[j] += part.sums[j];
      least = std::min(least, part.least[j]);
      most = std::max(most, part.most[j]);
    }
    found.means[j] /= found.weight;
    found.varies.push_back(least < most ? 1 : 0);
    const bool is_target = j + 1 == columns;
    found.units.push_back(
        is_target ? 1.0 : square_unit(std::max(std::abs(least), std::abs(most))));
  }
  std::vector<std::vector<double>> products(blocks);
  for_each_block(host, rows.size(), RowCost::kHeavy,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   products[block].assign(columns * columns, 0.0);
                   reader.add_products(found.means, found.units, begin, end,
                                       products[block]);
                 });
  found.products = std::move(products[0]);
  for (std::size_t block = 1; block < blocks; ++block) {
    for (std::size_t i = 0; i < found.products.size(); ++i) {
      found.products[i] += products[block][i];
    }
  }
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(found.products.begin(), found.products.end(), is_finite)) {
    throw InvalidArgument("features or relevance are too large for a model tree");
  }
  return found;
}

}  // namespace rankmix::regress

#include "core/regress/predict.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::regress {
namespace {

// The features that nodes or models use, and for each node and each coefficient the
// position of its feature among them.
struct UsedFeatures {
  UsedFeatures(View<const int> nodes, View<const int> models) {
    all.assign(nodes.begin(), nodes.end());
    all.insert(all.end(), models.begin(), models.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    in_nodes = positions(nodes);
    in_models = positions(models);
  }
  std::vector<int> positions(View<const int> features) const {
    std::vector<int> found;
    for (int feature : features) {
      found.push_back(static_cast<int>(std::lower_bound(all.begin(), all.end(), feature) -
                                       all.begin()));
    }
    return found;
  }

  std::vector<int> all;
  std::vector<int> in_nodes;
  std::vector<int> in_models;
};

}  // namespace

void predict_model_tree(const tree::ForestView& forest, const LeafModels& models,
                        const Values& values, std::size_t rows, Host& host, double* out) {
  constexpr std::size_t at_once = 1024;
  const UsedFeatures used(forest.feature, models.feature);
  const std::size_t width = used.all.size();
  if (width > 0 && (used.all.front() < 0 ||
                    static_cast<std::size_t>(used.all.back()) >= values.features())) {
    throw InvalidArgument("the tree has other features");
  }
  for_each_part(
      host, rows, at_once, rows > at_once,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        const std::size_t count = end - begin;
        std::vector<std::uint32_t> some(count);
        std::iota(some.begin(), some.end(), static_cast<std::uint32_t>(begin));
        std::vector<double> column(count);
        std::vector<double> block(count * width);  // row-major
        for (std::size_t k = 0; k < width; ++k) {
          values.gather(static_cast<std::size_t>(used.all[k]), some, column.data());
          for (std::size_t i = 0; i < count; ++i) {
            block[i * width + k] = column[i];
          }
        }
        for (std::size_t i = 0; i < count; ++i) {
          const double* row = block.data() + i * width;
          const auto leaf = static_cast<std::size_t>(
              tree::find_leaf(forest, used.in_nodes.data(), 0, row));
          double sum = forest.values[leaf];
          for (auto term = static_cast<std::size_t>(models.begin[leaf]);
               term < static_cast<std::size_t>(models.begin[leaf + 1]); ++term) {
            sum += models.weight[term] * row[used.in_models[term]];
          }
          out[begin + i] = sum;
        }
      });
}

}  // namespace rankmix::regress

// Processes on different processors train one model together. It must be the model that
// each process trains alone, bit for bit.
//
// `make aarch64` runs this file as one process of this processor and one of 64-bit ARM:
// RANKMIX_RANKS_FOLDER names the folder in which they share files, RANKMIX_RANK is 0 or
// 1. Without these variables, two threads replace the processes.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/boost/gbrt.h"
#include "core/objective/lambda.h"
#include "core/objective/objective.h"
#include "core/objective/softmax.h"
#include "core/objective/squared.h"
#include "folder_ranks.h"
#include "objective_case.h"
#include "ranks_case.h"

namespace boost = rankmix::boost;
namespace objective = rankmix::objective;
namespace fs = std::filesystem;
using rankmix::Host;
using ranks_case::Part;

namespace {

constexpr std::size_t kRanks = 2;

std::vector<std::unique_ptr<objective::Objective>> objectives() {
  std::vector<std::unique_ptr<objective::Objective>> all;
  all.push_back(std::make_unique<objective::Squared>());
  all.push_back(std::make_unique<objective::Softmax>());
  all.push_back(std::make_unique<objective::Lambda>(
      objective_case::metric_named("ndcg", 10), objective::LambdaOptions{}));
  return all;
}

// A model for each objective, with sampled documents and features.
std::vector<boost::GbrtModel> grow(const Part& part, Host& host) {
  std::vector<boost::GbrtModel> models;
  for (std::unique_ptr<objective::Objective>& made : objectives()) {
    boost::GbrtOptions options;
    options.limits.leaves = 9;
    options.learning_rate = 0.3;
    options.seed = 5;
    options.l2 = 1.0;
    options.feature_fraction = 0.7;
    options.bagging_fraction = 0.7;
    options.row_keys = part.row_keys;
    options.query_keys = part.query_keys;
    const objective::Documents documents{
        part.queries(), part.grades, part.targets, {}, part.query_weights, {}};
    boost::Gbrt gbrt(*part.bins, std::move(made), documents, options, host);
    gbrt.run(5, 5, host);
    models.push_back(gbrt.model());
  }
  return models;
}

bool same_models(const std::vector<boost::GbrtModel>& a,
                 const std::vector<boost::GbrtModel>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].start != b[i].start || !ranks_case::same_forest(a[i].forest, b[i].forest)) {
      return false;
    }
  }
  return a.size() == b.size();
}

// Trains as one of the ranks. Returns a description of the failure, or an empty text if
// the models equal the models of one process.
std::string train_as(const fs::path& folder, std::size_t rank) {
  try {
    const Part all = ranks_case::draw_queries(60, 20, 21);
    ThreadHost alone(1);
    FolderHost host(folder, rank, kRanks);
    const std::vector<Part> parts = ranks_case::share_out(all, kRanks, 3);
    const auto models = grow(parts[rank], host);
    if (host.calls() < 100) {
      return "the ranks reduced almost nothing";
    }
    return same_models(models, grow(all, alone)) ? "" : "the models differ";
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "ranks-XXXXXX").string();
    path_ = mkdtemp(&name[0]);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("processes of different processors train the model of one process") {
  const char* folder = std::getenv("RANKMIX_RANKS_FOLDER");
  const char* rank = std::getenv("RANKMIX_RANK");
  if (folder != nullptr && rank != nullptr) {
    CHECK(train_as(folder, std::stoul(rank)) == "");
    return;
  }
  const TemporaryFolder temporary;
  std::string problem;
  std::thread other([&] { problem = train_as(temporary.path(), 1); });
  CHECK(train_as(temporary.path(), 0) == "");
  other.join();
  CHECK(problem == "");
}

// LightGBM through its C API.

#include <LightGBM/c_api.h>

#include "peer.h"

namespace peers {
namespace {

void check(int code) {
  if (code != 0)
    throw std::runtime_error(std::string("LightGBM: ") + LGBM_GetLastError());
}

// `metric` cannot change once a model has begun.
std::string parameters(const Settings& settings, const std::string& metric = "none") {
  const Common common(settings);
  std::map<std::string, std::string> all = {
      {"verbosity", "-1"},
      {"metric", metric},
      {"eval_at", "10"},
      {"learning_rate", "0.1"},
      {"objective", common.objective == "l2" ? "regression" : common.objective},
      {"max_bin", kBins},
      {"num_leaves", std::to_string(common.leaves)},
      {"num_threads", std::to_string(common.threads)}};
  if (common.objective == "lambdarank") all["lambdarank_truncation_level"] = kTruncation;
  if (common.objective == "multiclass") all["num_class"] = kClasses;
  for (const auto& [key, value] : settings.native()) all[key] = value;
  std::string words;
  for (const auto& [key, value] : all) words += key + "=" + value + " ";
  return words;
}

class LightGbm : public Peer {
 public:
  ~LightGbm() override {
    free_booster();
    if (train_ != nullptr) LGBM_DatasetFree(train_);
    if (networked_) LGBM_NetworkFree();
  }

  void bin(Data data, const Settings& settings) override {
    join_machines(settings);
    check(LGBM_DatasetCreateFromMat(data.columns.data(), C_API_DTYPE_FLOAT32,
                                    data.documents, data.features, 0,
                                    parameters(settings).c_str(), nullptr, &train_));
    check(LGBM_DatasetSetField(train_, "label", data.grades.data(), data.documents,
                               C_API_DTYPE_FLOAT32));
    check(LGBM_DatasetSetField(train_, "group", data.sizes.data(),
                               static_cast<int>(data.sizes.size()), C_API_DTYPE_INT32));
  }

  // LightGBM reads the sizes of queries from the file with ".query" appended to the
  // name.
  void load(const std::string& text, const Settings& settings) override {
    metric_ = "ndcg";
    check(LGBM_DatasetCreateFromFile(text.c_str(), parameters(settings, metric_).c_str(),
                                     nullptr, &train_));
  }

  void start(const Settings& settings) override {
    free_booster();
    check(LGBM_BoosterCreate(train_, parameters(settings, metric_).c_str(), &booster_));
  }

  void round() override {
    int finished = 0;
    check(LGBM_BoosterUpdateOneIter(booster_, &finished));
    if (finished != 0) throw std::runtime_error("LightGBM found no more splits.");
  }

  double test_ndcg(const std::string& text, const Settings& settings) override {
    DatasetHandle test = nullptr;
    check(LGBM_DatasetCreateFromFile(text.c_str(), parameters(settings, metric_).c_str(),
                                     train_, &test));
    check(LGBM_BoosterAddValidData(booster_, test));
    int length = 0;
    double value = 0.0;
    check(LGBM_BoosterGetEval(booster_, 1, &length, &value));
    // The data must outlive the model.
    free_booster();
    check(LGBM_DatasetFree(test));
    if (length != 1) throw std::runtime_error("LightGBM did not give one metric.");
    return value;
  }

  void save(const std::string& file) override {
    check(LGBM_BoosterSaveModel(booster_, 0, -1, C_API_FEATURE_IMPORTANCE_SPLIT,
                                file.c_str()));
  }
  void open(const std::string& file) override {
    int iterations = 0;
    check(LGBM_BoosterCreateFromModelfile(file.c_str(), &iterations, &booster_));
  }

  std::vector<Scorer> scorers(int features, int threads) override {
    const std::string words = "num_threads=" + std::to_string(threads);
    const auto matrix = [this, features, words](const float* rows, int documents,
                                                double* scores) {
      std::int64_t length = 0;
      check(LGBM_BoosterPredictForMat(booster_, rows, C_API_DTYPE_FLOAT32, documents,
                                      features, 1, C_API_PREDICT_RAW_SCORE, 0, -1,
                                      words.c_str(), &length, scores));
    };
    std::vector<Scorer> all = {{"matrix", nullptr, matrix}};
    // Single rows have no threads.
    if (threads == 1) all.push_back({"rows", nullptr, single_rows(features, words)});
    return all;
  }

 private:
  using Fast = std::shared_ptr<void>;

  std::function<void(const float*, int, double*)> single_rows(int features,
                                                              const std::string& words) {
    FastConfigHandle handle = nullptr;
    check(LGBM_BoosterPredictForMatSingleRowFastInit(booster_, C_API_PREDICT_RAW_SCORE, 0,
                                                     -1, C_API_DTYPE_FLOAT32, features,
                                                     words.c_str(), &handle));
    const Fast fast(handle, [](void* old) { LGBM_FastConfigFree(old); });
    return [fast, features](const float* rows, int documents, double* scores) {
      std::int64_t length = 0;
      for (int i = 0; i < documents; ++i) {
        const float* row = rows + static_cast<std::size_t>(i) * features;
        check(
            LGBM_BoosterPredictForMatSingleRowFast(fast.get(), row, &length, scores + i));
      }
    };
  }

  // machines=HOST:PORT,... lists all processes. port= is the port of this process.
  void join_machines(const Settings& settings) {
    if (!settings.has("machines")) return;
    const std::string machines = settings.text("machines");
    const auto others = std::count(machines.begin(), machines.end(), ',');
    check(LGBM_NetworkInit(machines.c_str(), settings.number("port", 0), 2,
                           static_cast<int>(others) + 1));
    networked_ = true;
  }

  void free_booster() {
    if (booster_ != nullptr) LGBM_BoosterFree(booster_);
    booster_ = nullptr;
  }

  bool networked_ = false;
  DatasetHandle train_ = nullptr;
  BoosterHandle booster_ = nullptr;
  // Only the whole job evaluates.
  std::string metric_ = "none";
};

}  // namespace

std::unique_ptr<Peer> make_peer() { return std::make_unique<LightGbm>(); }

}  // namespace peers

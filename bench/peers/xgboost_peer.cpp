// XGBoost through its C API, with the quantile matrix that its histograms need.

#include <xgboost/c_api.h>

#include <cstdint>

#include "peer.h"

namespace peers {
namespace {

void check(int code) {
  if (code != 0) throw std::runtime_error(std::string("XGBoost: ") + XGBGetLastError());
}

// The array interface of numpy as JSON: values by row, or a vector if `features` is 0.
std::string array_json(const void* values, const char* type, std::size_t n,
                       int features = 0) {
  std::string shape = std::to_string(n);
  if (features > 0) shape += ", " + std::to_string(features);
  return "{\"data\": [" + std::to_string(reinterpret_cast<std::uintptr_t>(values)) +
         ", true], \"shape\": [" + shape + "], \"typestr\": \"" + type +
         "\", \"version\": 3}";
}

// Passes the only batch of data to the quantile matrix, once per pass over the data.
struct OneBatch {
  DMatrixHandle proxy = nullptr;
  std::string values;
  bool given = false;
  static void reset(DataIterHandle self) { static_cast<OneBatch*>(self)->given = false; }
  static int next(DataIterHandle self) {
    auto* batch = static_cast<OneBatch*>(self);
    if (batch->given) return 0;
    batch->given = true;
    return XGProxyDMatrixSetDataDense(batch->proxy, batch->values.c_str()) == 0 ? 1 : 0;
  }
};

std::map<std::string, std::string> parameters(const Settings& settings) {
  const Common common(settings);
  std::map<std::string, std::string> all = {{"verbosity", "0"},
                                            {"tree_method", "hist"},
                                            {"grow_policy", "lossguide"},
                                            {"max_depth", "0"},
                                            {"learning_rate", "0.1"},
                                            {"eval_metric", "ndcg@10"},
                                            {"max_bin", kBins},
                                            {"max_leaves", std::to_string(common.leaves)},
                                            {"nthread", std::to_string(common.threads)}};
  if (common.objective == "l2") {
    all["objective"] = "reg:squarederror";
    all["eval_metric"] = "rmse";
  } else if (common.objective == "lambdarank") {
    all["objective"] = "rank:ndcg";
    all["lambdarank_pair_method"] = "topk";
    all["lambdarank_num_pair_per_sample"] = kTruncation;
  } else {
    all["objective"] = "multi:softprob";
    all["eval_metric"] = "mlogloss";
    all["num_class"] = kClasses;
  }
  for (const auto& [key, value] : settings.native()) all[key] = value;
  return all;
}

class XgBoost : public Peer {
 public:
  ~XgBoost() override {
    free_booster();
    free_matrix(train_);
    free_matrix(query_);
  }

  void bin(Data data, const Settings& settings) override {
    const std::vector<float> rows = rows_of(data);
    std::vector<float>().swap(data.columns);
    OneBatch batch;
    check(XGProxyDMatrixCreate(&batch.proxy));
    batch.values = array_json(rows.data(), "<f4", data.grades.size(), data.features);
    const std::string config = std::string("{\"missing\": NaN, \"max_bin\": ") + kBins +
                               ", \"nthread\": " + settings.text("threads", "1") + "}";
    check(XGQuantileDMatrixCreateFromCallback(&batch, batch.proxy, nullptr,
                                              OneBatch::reset, OneBatch::next,
                                              config.c_str(), &train_));
    check(XGDMatrixFree(batch.proxy));
    set_info("label", array_json(data.grades.data(), "<f4", data.grades.size()));
    set_info("group", array_json(data.sizes.data(), "<i4", data.sizes.size()));
  }

  void load(const std::string& text, const Settings&) override { train_ = read(text); }

  void start(const Settings& settings) override {
    free_booster();
    check(XGBoosterCreate(&train_, 1, &booster_));
    for (const auto& [key, value] : parameters(settings)) {
      check(XGBoosterSetParam(booster_, key.c_str(), value.c_str()));
    }
    rounds_ = 0;
  }

  void round() override { check(XGBoosterUpdateOneIter(booster_, rounds_++, train_)); }

  double test_ndcg(const std::string& text, const Settings&) override {
    DMatrixHandle test = read(text);
    const char* name = "test";
    const char* line = nullptr;
    check(XGBoosterEvalOneIter(booster_, rounds_ - 1, &test, &name, 1, &line));
    const std::string found = line;
    // The result has the form "[99]\ttest-ndcg@10:0.78".
    const double value = std::stod(found.substr(found.rfind(':') + 1));
    free_matrix(test);
    return value;
  }

  void save(const std::string& file) override {
    check(XGBoosterSaveModel(booster_, file.c_str()));
  }
  void open(const std::string& file) override {
    check(XGBoosterCreate(nullptr, 0, &booster_));
    check(XGBoosterLoadModel(booster_, file.c_str()));
  }

  std::vector<Scorer> scorers(int features, int threads) override {
    check(XGBoosterSetParam(booster_, "nthread", std::to_string(threads).c_str()));
    const auto inplace = [this, features](const float* rows, int documents,
                                          double* scores) {
      const auto n = static_cast<std::size_t>(documents);
      const std::string values = array_json(rows, "<f4", n, features);
      const bst_ulong* shape = nullptr;
      bst_ulong dimensions = 0;
      const float* found = nullptr;
      check(XGBoosterPredictFromDense(booster_, values.c_str(), kMargins, nullptr, &shape,
                                      &dimensions, &found));
      std::copy(found, found + n, scores);
    };
    const auto prepare = [this, features](const float* rows, int documents) {
      // Each call uses a new matrix, because XGBoost caches the predictions of a
      // matrix.
      free_matrix(query_);
      const auto n = static_cast<std::size_t>(documents);
      check(XGDMatrixCreateFromDense(array_json(rows, "<f4", n, features).c_str(),
                                     "{\"missing\": NaN}", &query_));
    };
    const auto of_matrix = [this](const float*, int documents, double* scores) {
      const bst_ulong* shape = nullptr;
      bst_ulong dimensions = 0;
      const float* found = nullptr;
      check(XGBoosterPredictFromDMatrix(booster_, query_, kMargins, &shape, &dimensions,
                                        &found));
      std::copy(found, found + documents, scores);
    };
    return {{"inplace", nullptr, inplace}, {"matrix", prepare, of_matrix}};
  }

 private:
  static constexpr const char* kMargins =
      "{\"type\": 1, \"training\": false, \"iteration_begin\": 0, \"iteration_end\": 0, "
      "\"strict_shape\": false, \"cache_id\": 0, \"missing\": NaN}";

  static DMatrixHandle read(const std::string& text) {
    DMatrixHandle matrix = nullptr;
    check(XGBSetGlobalConfig("{\"verbosity\": 0}"));
    const std::string config = "{\"uri\": \"" + text + "?format=libsvm\", \"silent\": 1}";
    check(XGDMatrixCreateFromURI(config.c_str(), &matrix));
    return matrix;
  }

  void set_info(const char* field, const std::string& values) {
    check(XGDMatrixSetInfoFromInterface(train_, field, values.c_str()));
  }

  static void free_matrix(DMatrixHandle& matrix) {
    if (matrix != nullptr) XGDMatrixFree(matrix);
    matrix = nullptr;
  }
  void free_booster() {
    if (booster_ != nullptr) XGBoosterFree(booster_);
    booster_ = nullptr;
  }

  DMatrixHandle train_ = nullptr;
  DMatrixHandle query_ = nullptr;
  BoosterHandle booster_ = nullptr;
  int rounds_ = 0;
};

}  // namespace

std::unique_ptr<Peer> make_peer() { return std::make_unique<XgBoost>(); }

}  // namespace peers

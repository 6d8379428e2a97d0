// Measures a model that write_model(model, file, "c") of rankmix exported. The program
// is linked with the compiled model, and only predicts.

#include <algorithm>

#include "peer.h"

extern "C" double score(const double* x);

namespace peers {
namespace {

class Compiled : public Peer {
 public:
  void open(const std::string&) override {}

  std::vector<Scorer> scorers(int features, int threads) override {
    // The exported function accepts doubles. Callers usually have doubles, so the
    // conversion is not timed.
    const auto prepare = [this, features](const float* rows, int documents) {
      const auto n = static_cast<std::size_t>(documents) * features;
      values_.resize(std::max(n, values_.size()));
      std::copy(rows, rows + n, values_.begin());
    };
    const auto each = [this, features, threads](const float*, int documents,
                                                double* scores) {
#pragma omp parallel for num_threads(threads) schedule(static)
      for (int i = 0; i < documents; ++i) {
        scores[i] = score(values_.data() + static_cast<std::size_t>(i) * features);
      }
    };
    return {{"rows", prepare, each}};
  }

 private:
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Peer> make_peer() { return std::make_unique<Compiled>(); }

}  // namespace peers

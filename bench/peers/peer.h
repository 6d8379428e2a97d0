// The interface between the drivers and a library. Each library has a file that defines
// make_peer(); run.cpp has the protocols of measurement, which are the same for all
// libraries.

#ifndef RANKMIX_BENCH_PEERS_PEER_H
#define RANKMIX_BENCH_PEERS_PEER_H

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "data.h"
#include "settings.h"

namespace peers {

// A method of scoring documents. The features of a document are stored side by side. A
// library can have several methods. Which method is the fastest depends on the number of
// documents.
struct Scorer {
  std::string name;
  // Prepares the input of score() that a user would have anyway. Not timed.
  std::function<void(const float* rows, int documents)> prepare;
  std::function<void(const float* rows, int documents, double* scores)> score;
};

class Peer {
 public:
  virtual ~Peer() = default;
  // Builds the training set, from memory or from a text file. Features are binned if the
  // library bins them at this stage.
  virtual void bin(Data, const Settings&) { unsupported(); }
  virtual void load(const std::string& /*text*/, const Settings&) { unsupported(); }
  // Begins a new model without trees, and trains one more round.
  virtual void start(const Settings&) { unsupported(); }
  virtual void round() { unsupported(); }
  virtual double test_ndcg(const std::string& /*text*/, const Settings&) {
    unsupported();
    return 0.0;
  }
  virtual void save(const std::string& /*file*/) { unsupported(); }
  virtual void open(const std::string& /*file*/) { unsupported(); }
  virtual std::vector<Scorer> scorers(int features, int threads) = 0;

 protected:
  static void unsupported() { throw std::logic_error("This program only predicts."); }
};

std::unique_ptr<Peer> make_peer();

// The settings that all libraries have, such as the number of leaves, with their names in
// these programs.
struct Common {
  explicit Common(const Settings& settings)
      : objective(settings.text("objective", "l2")),
        leaves(settings.number("leaves", 31)),
        threads(settings.number("threads", 1)) {}
  std::string objective;  // l2, lambdarank or multiclass
  int leaves;
  int threads;
};

// Pairs of LambdaMART have at least one document of the first 30; grades are 0 to 4.
constexpr const char* kTruncation = "30";
constexpr const char* kClasses = "5";
constexpr const char* kBins = "255";

}  // namespace peers

#endif

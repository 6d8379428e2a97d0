// Measures a library of gradient boosting.
//
//   PROGRAM DATA.bin key=value ...   from the binary format of data.h
//   PROGRAM key=value ...            from LETOR text, or prediction alone
//
// - Training: rounds=, short=. Milliseconds per round of the rounds after the first
//   short= rounds, so that binning and set-up do not count.
// - predict=1 test=FILE.bin trees= leaves=: documents a second, and microseconds of a
//   query of documents= documents, for each method of the library. The model is trained
//   once per process, or is read from model=FILE.
// - text=FILE test=FILE rounds=: the whole job, from text to NDCG@10 of the second file.
// - text=FILE load=1: reading of text alone.
// - machines=HOST:PORT,... port= tree_learner=data num_machines=: one of several processes of
//   LightGBM, each with its own data.
// repeats= repeats a measurement, and prints a line for each repetition. With listen=1
// each line of standard input is one more run, on the same data: its settings replace
// the settings of the command. A run that fails prints the line "failed 1".

#include <cstdlib>
#include <exception>
#include <iostream>
#include <thread>

#include "peer.h"

namespace peers {
namespace {

class Session {
 public:
  explicit Session(const std::string& data) : data_(data) {}

  void run(const Settings& settings) {
    for (int i = 0; i < settings.number("repeats", 1); ++i) {
      print_line(settings.has("predict") ? predict(settings)
                 : settings.has("text")  ? from_text(settings)
                                         : train(settings));
    }
  }

 private:
  Peer& peer() {
    if (!peer_) peer_ = make_peer();
    return *peer_;
  }

  void bin_once(const Settings& settings) {
    if (binned_) return;
    if (data_.empty()) throw std::invalid_argument("Training needs a file of data.");
    Data data = read_bin(data_);
    const Timer timer;
    peer().bin(std::move(data), settings);
    bin_seconds_ = timer.seconds();
    binned_ = true;
  }

  Results train(const Settings& settings) {
    bin_once(settings);
    const int rounds = settings.number("rounds", 52);
    const int before = settings.number("short", 2);
    if (before >= rounds) throw std::invalid_argument("short= must be below rounds=.");
    const Timer timer;
    peer().start(settings);
    for (int i = 0; i < before; ++i) peer().round();
    const double early = timer.seconds();
    for (int i = before; i < rounds; ++i) peer().round();
    const double all = timer.seconds();
    return {{"ms_per_round", 1000.0 * (all - early) / (rounds - before)},
            {"train_seconds", all},
            {"bin_seconds", bin_seconds_}};
  }

  Results from_text(const Settings& settings) {
    // A library that is started again reads the file again.
    peer_ = make_peer();
    Results results;
    const Timer timer;
    double last = 0.0;
    const auto mark = [&](const char* name) {
      const double now = timer.seconds();
      results.emplace_back(name, now - last);
      last = now;
    };
    peer().load(settings.text("text"), settings);
    mark("load_seconds");
    if (settings.has("load")) return results;
    peer().start(settings);
    for (int i = 0; i < settings.number("rounds", 100); ++i) peer().round();
    mark("train_seconds");
    const double ndcg = peer().test_ndcg(settings.text("test"), settings);
    mark("test_seconds");
    results.emplace_back("total_seconds", last);
    results.emplace_back("ndcg", ndcg);
    return results;
  }

  void have_model(const Settings& settings) {
    if (trained_) return;
    const std::string file = settings.text("model");
    if (!file.empty() && std::ifstream(file)) {
      peer().open(file);
    } else {
      Settings training = settings;
      const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
      training.add("threads=" + std::to_string(processors));
      bin_once(training);
      peer().start(training);
      for (int i = 0; i < settings.number("trees", 1000); ++i) peer().round();
      if (!file.empty()) peer().save(file);
    }
    trained_ = true;
  }

  Results predict(const Settings& settings) {
    have_model(settings);
    if (rows_.empty()) {
      const Data test = read_bin(settings.text("test"));
      rows_ = rows_of(test);
      documents_ = test.documents;
      features_ = test.features;
      scores_.resize(static_cast<std::size_t>(documents_));
    }
    Results results;
    for (const auto& scorer : peer().scorers(features_, settings.number("threads", 1))) {
      measure_batch(scorer, results);
      measure_queries(scorer, settings, results);
    }
    return results;
  }

  double timed(const Scorer& scorer, const float* rows, int documents) {
    if (scorer.prepare) scorer.prepare(rows, documents);
    return seconds_of([&] { scorer.score(rows, documents, scores_.data()); });
  }

  void measure_batch(const Scorer& scorer, Results& results) {
    const int few = std::min(documents_, 1000);
    timed(scorer, rows_.data(), few);  // warms up
    const double seconds = timed(scorer, rows_.data(), documents_);
    double mean = 0.0;
    for (const double score : scores_) mean += score / documents_;
    results.emplace_back("documents_per_second_" + scorer.name, documents_ / seconds);
    // Methods of a library must agree.
    results.emplace_back("mean_score_" + scorer.name, mean);
  }

  void measure_queries(const Scorer& scorer, const Settings& settings, Results& results) {
    const int size = std::min(documents_, settings.number("documents", 100));
    const int calls = settings.number("calls", 1000);
    const int queries = documents_ / size;
    std::vector<double> times;
    for (int i = -20; i < calls; ++i) {
      const int query = (i + 20) % queries;
      const float* rows =
          rows_.data() + static_cast<std::size_t>(query) * size * features_;
      const double seconds = timed(scorer, rows, size);
      if (i >= 0) times.push_back(1e6 * seconds);
    }
    results.emplace_back("query_us_" + scorer.name, quantile(times, 0.5));
    results.emplace_back("query_us_95_" + scorer.name, quantile(times, 0.95));
    results.emplace_back("query_us_99_" + scorer.name, quantile(times, 0.99));
  }

  std::string data_;
  std::unique_ptr<Peer> peer_;
  bool binned_ = false;
  bool trained_ = false;
  double bin_seconds_ = 0.0;
  std::vector<float> rows_;
  int documents_ = 0;
  int features_ = 0;
  std::vector<double> scores_;
};

int main_of(int argc, char** argv) {
  std::string data;
  Settings command;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (i == 1 && word.find('=') == std::string::npos) {
      data = word;
    } else {
      command.add(word);
    }
  }
  Session session(data);
  if (!command.has("listen")) {
    session.run(command);
    return EXIT_SUCCESS;
  }
  for (std::string line; std::getline(std::cin, line);) {
    try {
      Settings settings = command;
      settings.add_line(line);
      session.run(settings);
    } catch (const std::exception& error) {
      // Not every library has every combination of settings. The program goes to the
      // next run.
      std::cerr << error.what() << "\n";
      print_line({{"failed", 1.0}});
    }
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  try {
    return peers::main_of(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return EXIT_FAILURE;
  }
}

// Settings of a run as words `key=value`, and the line of results that a run prints.
// A key that the drivers do not use themselves is a native parameter of the library.

#ifndef RANKMIX_BENCH_PEERS_SETTINGS_H
#define RANKMIX_BENCH_PEERS_SETTINGS_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace peers {

class Settings {
 public:
  void add(const std::string& word) {
    const auto at = word.find('=');
    if (at == std::string::npos || at == 0) {
      throw std::invalid_argument("'" + word + "' is not of the form key=value.");
    }
    values_[word.substr(0, at)] = word.substr(at + 1);
  }
  void add_line(const std::string& line) {
    std::istringstream words(line);
    for (std::string word; words >> word;) add(word);
  }
  bool has(const std::string& key) const { return values_.count(key) > 0; }
  std::string text(const std::string& key, const std::string& otherwise = "") const {
    const auto found = values_.find(key);
    return found == values_.end() ? otherwise : found->second;
  }
  int number(const std::string& key, int otherwise) const {
    return has(key) ? std::stoi(text(key)) : otherwise;
  }
  // Parameters for the library: everything that the drivers do not use themselves.
  std::map<std::string, std::string> native() const {
    auto rest = values_;
    for (const char* key :
         {"rounds", "short", "threads", "leaves", "objective", "predict", "trees",
          "calls", "documents", "repeats", "text", "test", "model", "load", "listen", "machines",
          "port"}) {
      rest.erase(key);
    }
    return rest;
  }

 private:
  std::map<std::string, std::string> values_;
};

// Pairs of a name and a value, printed as one line.
using Results = std::vector<std::pair<std::string, double>>;

inline void print_line(const Results& results) {
  const char* gap = "";
  for (const auto& [name, value] : results) {
    std::printf("%s%s %.9g", gap, name.c_str(), value);
    gap = " ";
  }
  std::printf("\n");
  // A reader waits for this line.
  std::fflush(stdout);
}

class Timer {
 public:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

template <typename Call>
double seconds_of(Call call) {
  const Timer timer;
  call();
  return timer.seconds();
}

inline double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * (values.size() - 1) + 0.5)];
}

}  // namespace peers

#endif

#include "host_reducer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/errors.h"

namespace rankmix {
namespace {

class RReducer : public Reducer {
 public:
  explicit RReducer(const Rcpp::List& cluster)
      : size_(Rcpp::as<std::size_t>(cluster["size"])),
        rank_(Rcpp::as<std::size_t>(cluster["rank"])),
        add_(Rcpp::as<Rcpp::Function>(cluster["add"])),
        max_(Rcpp::as<Rcpp::Function>(cluster["max"])),
        gather_(Rcpp::as<Rcpp::Function>(cluster["gather"])),
        add_integers_(static_cast<SEXP>(cluster["add_integers"])) {}

  std::size_t size() const override { return size_; }
  std::size_t rank() const override { return rank_; }

  std::vector<std::vector<std::uint8_t>> gather(View<const std::uint8_t> bytes) override {
    const Rcpp::List all(gather_(Rcpp::RawVector(bytes.begin(), bytes.end())));
    if (static_cast<std::size_t>(all.size()) != size_) {
      throw InvalidArgument("the communicator gathered from too few or too many ranks");
    }
    std::vector<std::vector<std::uint8_t>> parts;
    for (R_xlen_t i = 0; i < all.size(); ++i) {
      const Rcpp::RawVector part(all[i]);
      parts.emplace_back(part.begin(), part.end());
    }
    return parts;
  }

 private:
  void add_doubles(View<double> numbers) override { replace(add_, numbers); }
  void max_doubles(View<double> numbers) override { replace(max_, numbers); }

  // Communicators send short vectors quickly.
  static constexpr std::size_t kManyWords = 400;

  bool adds_words(std::size_t count) override {
    return count > kManyWords && !add_integers_.isNULL() && integers_wrap();
  }

  void add_words(View<std::uint32_t> words) override {
    const Rcpp::IntegerVector own(reinterpret_cast<const int*>(words.begin()),
                                  reinterpret_cast<const int*>(words.end()));
    const Rcpp::IntegerVector sums(Rcpp::Function(add_integers_)(own));
    if (static_cast<std::size_t>(sums.size()) != words.size()) {
      throw InvalidArgument("the communicator returned a vector of another length");
    }
    std::memcpy(words.data(), sums.begin(), words.size() * sizeof(std::uint32_t));
  }

  // Tries once whether sums are modulo 2^32 and R's missing value is a number like others.
  // C has no rule for the sum of integers that exceeds them, but processors have.
  bool integers_wrap() {
    if (!has_tried_) {
      const std::uint32_t tried[3] = {0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU};
      std::uint32_t sums[3] = {tried[0], tried[1], tried[2]};
      add_words(View<std::uint32_t>(sums, 3));
      wraps_ = true;
      for (std::size_t i = 0; i < 3; ++i) {
        wraps_ = wraps_ && sums[i] == tried[i] * static_cast<std::uint32_t>(size_);
      }
      has_tried_ = true;
    }
    return wraps_;
  }

  // R gets the memory of longer vectors from the system and returns it, page by page.
  // For such vectors, memory management takes longer than the reduction.
  static constexpr std::size_t kPiece = 15000;

  static void replace(const Rcpp::Function& by, View<double> numbers) {
    for (std::size_t begin = 0; begin < numbers.size(); begin += kPiece) {
      double* first = numbers.data() + begin;
      const std::size_t count = std::min(kPiece, numbers.size() - begin);
      const Rcpp::NumericVector reduced(by(Rcpp::NumericVector(first, first + count)));
      if (static_cast<std::size_t>(reduced.size()) != count) {
        throw InvalidArgument("the communicator returned a vector of another length");
      }
      std::copy(reduced.begin(), reduced.end(), first);
    }
  }

  std::size_t size_;
  std::size_t rank_;
  Rcpp::Function add_;
  Rcpp::Function max_;
  Rcpp::Function gather_;
  Rcpp::RObject add_integers_;  // NULL: there is none
  bool has_tried_ = false;
  bool wraps_ = false;
};

}  // namespace

std::unique_ptr<Reducer> reducer_of(const Rcpp::RObject& cluster) {
  if (cluster.isNULL()) {
    return nullptr;
  }
  return std::make_unique<RReducer>(Rcpp::List(cluster));
}

Rcpp::RObject cluster_of(const Rcpp::List& settings) {
  if (!settings.containsElementNamed("cluster")) {
    return R_NilValue;
  }
  return settings["cluster"];
}

}  // namespace rankmix

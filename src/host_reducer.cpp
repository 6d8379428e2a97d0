#include "host_reducer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
        gather_(Rcpp::as<Rcpp::Function>(cluster["gather"])) {}

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

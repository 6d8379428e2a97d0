// Glue: fusion.
#include <Rcpp.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/mix/fuse.h"
#include "core/mix/lists.h"
#include "core/mix/majority.h"
#include "core/mix/pool.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace {

namespace mix = rankmix::mix;

// If `positions` is empty, documents with equal scores share their ranks.
mix::Lists lists_of(const Rcpp::NumericMatrix& scores, const Rcpp::IntegerVector& order,
                    const Rcpp::IntegerVector& offsets,
                    const Rcpp::IntegerVector& positions) {
  return {rankmix::matrix_view(scores),
          {rankmix::int_view(order), rankmix::int_view(offsets)},
          rankmix::int_view(positions)};
}

template <class Kind>
Kind named(const std::map<std::string, Kind>& kinds, const Rcpp::List& options,
           const char* option) {
  const auto name = Rcpp::as<std::string>(options[option]);
  const auto entry = kinds.find(name);
  if (entry == kinds.end()) {
    throw rankmix::InvalidArgument("unknown kind of fusion " + name);
  }
  return entry->second;
}

const std::map<std::string, mix::ListValue> kListValues = {
    {"none", mix::ListValue::kScore},  {"min_max", mix::ListValue::kMinMax},
    {"sum", mix::ListValue::kSum},     {"max", mix::ListValue::kMax},
    {"z", mix::ListValue::kZ},         {"rank", mix::ListValue::kRank},
    {"borda", mix::ListValue::kBorda}, {"points", mix::ListValue::kPoints},
    {"table", mix::ListValue::kTable}};

const std::map<std::string, mix::Missing> kMissing = {{"skip", mix::Missing::kSkip},
                                                      {"zero", mix::Missing::kZero},
                                                      {"last", mix::Missing::kLast},
                                                      {"given", mix::Missing::kGiven}};

const std::map<std::string, mix::Combination> kCombinations = {
    {"sum", mix::Combination::kSum},
    {"mean", mix::Combination::kMean},
    {"min", mix::Combination::kMin},
    {"max", mix::Combination::kMax},
    {"median", mix::Combination::kMedian}};

const std::map<std::string, mix::Reward> kRewards = {{"none", mix::Reward::kNone},
                                                     {"power", mix::Reward::kPower},
                                                     {"log", mix::Reward::kLog}};

// Assigns the numbers 1, 2, ... to addresses in order of first appearance. A hash table
// with linear probing.
class AddressNumbers {
 public:
  // Returns the number of an address. `is_new` is true if it was not seen before.
  int of(const void* address, bool& is_new) {
    if (2 * (used_ + 1) > slots_.size()) {
      grow();
    }
    Slot& slot = find(address);
    is_new = slot.address == nullptr;
    if (is_new) {
      slot = {address, static_cast<int>(++used_)};
    }
    return slot.number;
  }

 private:
  struct Slot {
    const void* address = nullptr;
    int number = 0;
  };

  Slot& find(const void* address) {
    const auto bits = reinterpret_cast<std::uintptr_t>(address);
    // Fibonacci hashing: the high bits of the product are well mixed.
    std::size_t at = static_cast<std::size_t>(
        (static_cast<std::uint64_t>(bits) * 0x9e3779b97f4a7c15ULL) >> shift_);
    while (slots_[at].address != nullptr && slots_[at].address != address) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : 2 * slots_.size());
    shift_ = slots_.empty() ? 64 - 10 : shift_ - 1;
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.address != nullptr) {
        find(slot.address) = slot;
      }
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  int shift_ = 64;
};

}  // namespace

// Encodes texts of one encoding as integers. `code` numbers distinct texts in order of
// appearance; `first` is the first position of each. Both count from 1. R stores equal
// texts once, so equal texts have the same address.
// [[Rcpp::export(rng = false)]]
Rcpp::List text_codes(const Rcpp::CharacterVector& texts) {
  Rcpp::IntegerVector codes(Rcpp::no_init(texts.size()));
  std::vector<int> first;
  AddressNumbers numbers;
  for (R_xlen_t i = 0; i < texts.size(); ++i) {
    bool is_new = false;
    codes[i] = numbers.of(STRING_ELT(texts, i), is_new);
    if (is_new) {
      first.push_back(static_cast<int>(i) + 1);
    }
  }
  return Rcpp::List::create(Rcpp::Named("code") = codes, Rcpp::Named("first") = first);
}

// Pools the documents of runs. `query` and `document` have codes from 1, and `sizes` are
// the lengths of the runs. Returns the `row` of each entry and the `query` and `document`
// of each row, from 1. `twice` is a run that has a document twice, or 0.
// [[Rcpp::export(rng = false)]]
Rcpp::List pool_codes(const Rcpp::IntegerVector& query,
                      const Rcpp::IntegerVector& document,
                      const Rcpp::IntegerVector& sizes, int queries, int documents) {
  return rankmix::guarded([&] {
    // Codes count from 1, indices of the core from 0. So index 0 exists but is not used.
    const mix::Pool pool = mix::pool_entries(
        {rankmix::int_view(query), rankmix::int_view(document), rankmix::int_view(sizes),
         static_cast<std::size_t>(queries) + 1, static_cast<std::size_t>(documents) + 1});
    Rcpp::IntegerVector rows = rankmix::copied(pool.row);
    for (int& row : rows) {
      ++row;
    }
    return Rcpp::List::create(Rcpp::Named("row") = rows,
                              Rcpp::Named("query") = rankmix::copied(pool.query),
                              Rcpp::Named("document") = rankmix::copied(pool.document),
                              Rcpp::Named("twice") = pool.run_with_twice + 1);
  });
}

// `scores` is documents x rankers; NaN marks documents that were not retrieved. `table`
// is ranks or segments x rankers, with no rows if it is not needed.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector fused_scores(
    const Rcpp::NumericMatrix& scores, const Rcpp::IntegerVector& order,
    const Rcpp::IntegerVector& offsets, const Rcpp::IntegerVector& positions,
    const Rcpp::NumericMatrix& table, const Rcpp::NumericVector& given,
    const Rcpp::NumericVector& weights, const Rcpp::List& options, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    mix::FusionOptions how;
    how.list_value = named(kListValues, options, "value");
    how.table = rankmix::matrix_view(table);
    how.segments = static_cast<std::size_t>(Rcpp::as<int>(options["segments"]));
    how.times_scores = Rcpp::as<bool>(options["times_scores"]);
    how.missing = named(kMissing, options, "missing");
    how.given = rankmix::double_view(given);
    how.combination = named(kCombinations, options, "combination");
    how.reward = named(kRewards, options, "reward");
    how.parameter = Rcpp::as<double>(options["parameter"]);
    how.weights = rankmix::double_view(weights);
    const std::vector<double> out =
        mix::fuse_lists(lists_of(scores, order, offsets, positions), how, host);
    return Rcpp::NumericVector(out.begin(), out.end());
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector majority_counts(const Rcpp::NumericMatrix& scores,
                                    const Rcpp::IntegerVector& order,
                                    const Rcpp::IntegerVector& offsets,
                                    const Rcpp::IntegerVector& positions,
                                    const Rcpp::NumericVector& weights, bool missing_last,
                                    bool margins, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    mix::MajorityOptions how;
    how.weights = rankmix::double_view(weights);
    how.missing_last = missing_last;
    how.margins = margins;
    const std::vector<double> out =
        mix::majority_scores(lists_of(scores, order, offsets, positions), how, host);
    return Rcpp::NumericVector(out.begin(), out.end());
  });
}

// The first and the last rank of each document in each list, documents x rankers. 0 if
// the document is not in the list.
// [[Rcpp::export(rng = false)]]
Rcpp::List places_in_lists(const Rcpp::NumericMatrix& scores,
                           const Rcpp::IntegerVector& order,
                           const Rcpp::IntegerVector& offsets,
                           const Rcpp::IntegerVector& positions, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const auto rows = static_cast<std::size_t>(scores.nrow());
    const auto columns = static_cast<std::size_t>(scores.ncol());
    auto first = rankmix::new_zero_matrix<Rcpp::IntegerMatrix>(rows, columns);
    auto last = rankmix::new_zero_matrix<Rcpp::IntegerMatrix>(rows, columns);
    mix::list_ranks(lists_of(scores, order, offsets, positions), host,
                    {INTEGER(first), rows, columns}, {INTEGER(last), rows, columns});
    return Rcpp::List::create(Rcpp::Named("first") = first, Rcpp::Named("last") = last);
  });
}

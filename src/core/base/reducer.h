// Sums over the ranks that train one model together. A rank is a process with its own
// documents.
//
// Problem: each rank has a vector of numbers. All ranks need the sums, or the largest
//          numbers, of these vectors.
// Result:  the same bits on all ranks, for any number of ranks and any assignment of the
//          documents to them. Integers are added modulo a power of two. Sums of doubles
//          must be exact, so that their order does not matter.
// Use:     all ranks must call the same functions in the same order, with vectors of the
//          same length, on the calling thread of the core. The decision to call a
//          function may depend only on numbers that are equal on all ranks, so that all
//          ranks decide in the same way.
//
// R has no 64-bit integers. An implementation that adds doubles only gets an integer of 64
// bits as two halves of 32 bits. Sums of halves are exact for up to 2^21 ranks. An
// implementation may also add words of 32 bits modulo 2^32, which are about half the bytes
// (core/base/word_sums.h).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"

namespace rankmix {

// This base class is the reducer of a single rank, whose functions do nothing.
class Reducer {
 public:
  virtual ~Reducer() = default;
  virtual std::size_t size() const { return 1; }  // number of ranks
  virtual std::size_t rank() const { return 0; }
  bool is_alone() const { return size() == 1; }

  // Replaces each number by its sum over the ranks. Sums of integers are modulo 2^32 or
  // 2^64.
  void add(View<double> numbers);
  void add(View<std::uint32_t> numbers);
  void add(View<std::uint64_t> numbers);
  void add(View<std::int64_t> numbers);
  // Replaces each number by its maximum, or minimum, over the ranks.
  void max(View<double> numbers);
  void min(View<double> numbers);
  // The bytes of all ranks, in the order of the ranks.
  virtual std::vector<std::vector<std::uint8_t>> gather(View<const std::uint8_t> bytes);

  // The sum over the ranks of a single number.
  double sum_of(double number);
  std::int64_t sum_of(std::int64_t number);
  std::uint64_t sum_of(std::uint64_t number);
  double max_of(double number);
  double min_of(double number);
  // Whether the argument is true on any rank, or on all ranks.
  bool any_of(bool is_true) { return max_of(is_true ? 1.0 : 0.0) > 0.0; }
  bool all_of(bool is_true) { return !any_of(!is_true); }

 private:
  virtual void add_doubles(View<double>) {}
  virtual void max_doubles(View<double>) {}
  // Whether `count` words are added faster than as many halves in doubles. The answer must
  // be equal on all ranks.
  virtual bool adds_words(std::size_t /*count*/) { return false; }
  virtual void add_words(View<std::uint32_t>) {}
  template <class Integer>
  void add_halves(View<Integer> numbers);

  std::vector<double> buffer_;
  std::vector<std::uint32_t> words_;
};

// The reducer of programs with a single rank.
Reducer& single_rank();

}  // namespace rankmix

// Sorts many doubles, none of them NaN, in increasing order.
//
// Least-significant-digit radix sort on the bits, in digits of 11: linear in the number
// of values, several times faster than comparing for the columns of a data set. A digit
// that all values share costs no pass. Short vectors are sorted by comparing. -0 comes
// before 0.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/views.h"

namespace rankmix {

// `spare` is a buffer of the same size.
void sort_doubles(View<double> values, double* spare);

// Sorts indices in a vector, stably, by `before`. It is compiled once, for sorts that
// take little time: each call of std::stable_sort() adds 4 KB of code.
void sort_indices(std::vector<std::size_t>& indices,
                  FunctionRef<bool(std::size_t, std::size_t)> before);

// Sorts whole numbers that all differ, in increasing order, without a branch that depends
// on them: several times faster than std::sort() for lists of some hundred. `spare` is a
// buffer of the same size.
void sort_different(View<std::int64_t> keys, std::int64_t* spare);

// For each key, of which there are kMaxCounted at most, how many are larger: its rank in
// decreasing order. Counts them all, eight at a time, which is faster than to sort. False
// where two keys are the same, and the ranks are invalid then. The buffer has
// kCountedAtOnce more elements behind the keys.
constexpr std::size_t kMaxCounted = 384;
constexpr std::size_t kCountedAtOnce = 8;
bool ranks_by_count(View<std::int32_t> keys, std::uint32_t* ranks);

// A whole number for each double that is not NaN, in the same order; 0 and -0 are one.
std::int64_t order_of(double x);

// Buffers for tasks that sort: each has `size` numbers and as many spare ones. At most
// `count` tasks sort at a time. One thread allocates all of them, since what other
// threads allocate, some allocators keep for those threads when it is freed. They are not
// touched until they are used.
class SortBuffers {
 public:
  SortBuffers(std::size_t count, std::size_t size) : size_(size) {
    buffers_.reserve(count);
    free_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      buffers_.emplace_back(new double[2 * size]);
      free_.push_back(buffers_.back().get());
    }
  }

  // Holds a buffer for its lifetime.
  class Lease {
   public:
    explicit Lease(SortBuffers& buffers) : buffers_(buffers), buffer_(buffers.take()) {}
    ~Lease() { buffers_.give_back(buffer_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    double* values() const { return buffer_; }
    double* spare() const { return buffer_ + buffers_.size_; }

   private:
    SortBuffers& buffers_;
    double* buffer_;
  };

 private:
  double* take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    double* buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void give_back(double* buffer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(buffer);
  }

  std::size_t size_;
  std::vector<std::unique_ptr<double[]>> buffers_;
  std::vector<double*> free_;
  std::mutex mutex_;
};

}  // namespace rankmix

// Sorts of doubles and integers in increasing order.
//
// sort_doubles() is a least-significant-digit radix sort on the bits, in digits of 11
// bits. It is linear in the number of values and several times faster than std::sort() on
// the columns of a data set. If all values have the same digit, no pass is needed for
// this digit. Fewer than 4,096 values are sorted by std::sort().
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/views.h"

namespace rankmix {

// Sorts `values`, none of which may be NaN. `spare` is a buffer of the same size. The
// order of -0 and 0 is not specified.
void sort_doubles(View<double> values, double* spare);

// Stable sort of indices by `before`. For sorts that take little time: each instance of
// std::stable_sort() adds 4 KB of code, and this function has one for all callers.
void sort_indices(std::vector<std::size_t>& indices,
                  FunctionRef<bool(std::size_t, std::size_t)> before);

// Sorts integers that all differ, without branches on the keys. Several times faster than
// std::sort() for lists of a few hundred. `spare` is a buffer of the same size.
void sort_different(View<std::int64_t> keys, std::int64_t* spare);

// For each key, counts the larger keys: its rank in decreasing order, from 0. Comparing
// all pairs, eight at a time, is faster than sorting for at most kMaxCounted keys.
// Returns false if two keys are equal; the ranks are then invalid. The memory behind
// `keys` must have kCountedAtOnce more elements, which are overwritten.
constexpr std::size_t kMaxCounted = 384;
constexpr std::size_t kCountedAtOnce = 8;
bool ranks_by_count(View<std::int32_t> keys, std::uint32_t* ranks);

// Maps a double that is not NaN to an integer of the same order. 0 and -0 have the same
// integer.
std::int64_t order_of(double x);

// A pool of `count` buffers for sorts on several threads. Each buffer holds `size`
// doubles and `size` spare doubles. At most `count` leases may exist at a time. One
// thread allocates all buffers, because some allocators do not return memory to the
// system if another thread allocated it. The memory is not initialised, so the system
// provides only pages that are used.
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

  // Takes a buffer from the pool and returns it when destroyed. The pool must outlive the
  // lease.
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

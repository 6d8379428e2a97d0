// Handling of C++ exceptions at the end of a call from R. Rcpp inserts this code into
// each exported function, which took 100 KB. Here it is compiled once, with the same
// meaning.
#pragma once
#include <Rcpp.h>

namespace rankmix {

// Trivially destructible, because errors of R skip destructors.
struct FailedCall {
  enum class Kind { none, interrupt, jump, error, memory };
  Kind kind = Kind::none;
  SEXP condition = nullptr;  // protected if kind is error
  double bytes = 0.0;        // if kind is memory: the requested size, or 0 if unknown
};

// A reserve of memory for reporting that memory is exhausted, because R may crash if its
// own allocations fail. Functions that need the reserve allocate it again in their next
// call.
void keep_reserve();
void free_reserve();

FailedCall caught_in_call();                 // call inside a catch block
void report_to_r(const FailedCall& failed);  // returns only if nothing failed

}  // namespace rankmix

#undef BEGIN_RCPP
#define BEGIN_RCPP                 \
  rankmix::FailedCall failed_call; \
  try {
#undef END_RCPP
#define END_RCPP                             \
  }                                          \
  catch (...) {                              \
    failed_call = rankmix::caught_in_call(); \
  }                                          \
  rankmix::report_to_r(failed_call);         \
  return R_NilValue;

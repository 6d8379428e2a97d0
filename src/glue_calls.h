// How a call from R ends where C++ throws. Rcpp writes all of it into each exported
// function, which took 100 KB; here it is defined once, with the same meaning.
#pragma once
#include <Rcpp.h>

namespace rankmix {

// Trivial, as what R throws jumps over it.
struct FailedCall {
  enum class Kind { none, interrupt, jump, error, memory };
  Kind kind = Kind::none;
  SEXP condition = nullptr;  // protected where it is an error
};

// Memory that is reserved for reporting that memory is exhausted: R itself does not
// survive every allocation that fails. Taken again by the next call of a function that
// needs it.
void keep_reserve();
void free_reserve();

FailedCall caught_in_call();                 // within a catch
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

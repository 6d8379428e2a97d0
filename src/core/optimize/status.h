// The status of a solver at its end.
#pragma once

namespace rankmix::optimize {

enum class Status {
  kConverged,
  kLimit,   // the step limit was reached
  kStalled  // no progress beyond rounding errors, or numbers not finite
};

inline const char* name_of(Status status) {
  return status == Status::kConverged ? "converged"
         : status == Status::kLimit   ? "limit"
                                      : "stalled";
}

}  // namespace rankmix::optimize

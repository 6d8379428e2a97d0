// How a solver ended.
#pragma once

namespace rankmix::optimize {

enum class Status {
  kConverged,
  kLimit,   // all steps were used
  kStalled  // no step gains anything but rounding errors, or numbers are not finite
};

inline const char* name_of(Status status) {
  return status == Status::kConverged ? "converged"
         : status == Status::kLimit   ? "limit"
                                      : "stalled";
}

}  // namespace rankmix::optimize

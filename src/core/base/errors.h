// Exceptions of the core. The glue in src/ converts them to R conditions.
#pragma once
#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>

namespace rankmix {

// An invalid argument that the R layer should have rejected before, with a message in the
// user's terms. So this exception means that a check in R is missing.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// The user asked to stop. Only Host::checkpoint() throws it. Unwinding then frees all
// memory between the checkpoint and the glue.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted by the user") {}
};

// There is no memory for a large array. Unlike std::bad_alloc, it reports the size.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::size_t asked) : bytes(asked) {}
  std::size_t bytes;
};

}  // namespace rankmix

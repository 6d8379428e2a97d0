// Typed exceptions of the core. The glue in src/ turns them into R conditions.
#pragma once
#include <stdexcept>
#include <string>

namespace rankmix {

// An argument that no caller should have passed on: the R layer checks first, in the
// user's words, so this marks a hole in those checks.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// The user asked to stop. Thrown by Host::checkpoint() only, so that everything between
// it and the glue is released by ordinary unwinding.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted by the user") {}
};

}  // namespace rankmix

// A lock on a file that one process has at a time, and a dead one never: the system takes
// it back when the process ends, however it ends.
//
// Given:   the path of a file, which is made where it is not there, and what to write
// there
//          for others to read about its owner.
// Result:  whether this process has the lock now, another one has it, or there are no
// such
//          locks here, as on some shared file systems; then `reason()` is the system's.
//
// A child of the process does not share the lock. The file stays when the lock is given
// back: to delete it would let two others have it, one by the old file and one by a new
// one.
#pragma once
#include <string>

namespace rankmix {

class FileLock {
 public:
  enum class State { kHeld, kBusy, kUnknown };

  FileLock(const std::string& path, const std::string& owner);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  State state() const { return state_; }
  const std::string& reason() const { return reason_; }

 private:
  State state_ = State::kUnknown;
  std::string reason_;
#ifdef _WIN32
  void* file_ = nullptr;
#else
  int file_ = -1;
#endif
};

}  // namespace rankmix

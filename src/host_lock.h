// A lock on a file that at most one process holds. The system releases it when the
// process ends for any reason.
//
// Given:   the path of a file, which is created if necessary, and a text about the owner,
//          which is written there for other processes.
// Result:  kHeld, kBusy if another process holds the lock, or kUnknown if locks do not
//          work here, as on some shared file systems. For kUnknown, reason() is the
//          message of the system.
//
// Child processes do not share the lock. The file is not deleted on release. Otherwise
// two processes could hold the lock at the same time, one on the old file and one on a
// new one.
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

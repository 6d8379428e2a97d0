#include "host_lock.h"

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#endif

namespace rankmix {

#ifdef _WIN32

// While the lock is held, other processes can open the file for reading but not for
// writing.
FileLock::FileLock(const std::string& path, const std::string& owner) {
  file_ = CreateFileA(path.c_str(), GENERIC_WRITE, FILE_SHARE_READ, nullptr,
                      CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file_ == INVALID_HANDLE_VALUE) {
    const DWORD error = GetLastError();
    file_ = nullptr;
    state_ = error == ERROR_SHARING_VIOLATION ? State::kBusy : State::kUnknown;
    reason_ = "error " + std::to_string(error);
    return;
  }
  state_ = State::kHeld;
  DWORD written = 0;
  WriteFile(file_, owner.data(), static_cast<DWORD>(owner.size()), &written, nullptr);
  FlushFileBuffers(file_);
}

FileLock::~FileLock() {
  if (file_ != nullptr) {
    CloseHandle(file_);
  }
}

#else

// fcntl() locks belong to the process. flock() locks would survive in child processes.
FileLock::FileLock(const std::string& path, const std::string& owner) {
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) {
    reason_ = std::strerror(errno);
    return;
  }
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  int failed = 0;
  do {
    failed = fcntl(file_, F_SETLK, &whole);
  } while (failed != 0 && errno == EINTR);
  if (failed != 0) {
    state_ = errno == EACCES || errno == EAGAIN ? State::kBusy : State::kUnknown;
    reason_ = std::strerror(errno);
    return;
  }
  state_ = State::kHeld;
  // The lock is valid even if the text about the owner cannot be written.
  if (ftruncate(file_, 0) == 0) {
    const ssize_t written = write(file_, owner.data(), owner.size());
    static_cast<void>(written);
  }
}

FileLock::~FileLock() {
  if (file_ >= 0) {
    close(file_);
  }
}

#endif

}  // namespace rankmix

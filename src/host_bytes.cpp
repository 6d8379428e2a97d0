#include "host_bytes.h"

#include <algorithm>
#include <cerrno>

#include "host_files.h"

#ifdef _WIN32
// The header would define min() and max() as macros.
#define NOMINMAX
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace rankmix {

DiskFile::DiskFile(const std::string& path) : file_(std::fopen(path.c_str(), "w+b")) {
  if (file_ == nullptr) {
    fail_by_errno("it cannot be made");
  }
  // Pieces are large, so no buffer is needed. Without a buffer, a failure is reported by
  // the call in which it happens.
  std::setvbuf(file_, nullptr, _IONBF, 0);
}

DiskFile::~DiskFile() {
  if (file_ != nullptr) {
    std::fclose(file_);
  }
}

void DiskFile::seek(std::uint64_t at) const {
  errno = 0;
#ifdef _WIN32
  const bool done = _fseeki64(file_, static_cast<long long>(at), SEEK_SET) == 0;
#else
  const bool done = fseeko(file_, static_cast<off_t>(at), SEEK_SET) == 0;
#endif
  if (!done) {
    fail_by_errno("no such position");
  }
}

void DiskFile::read(std::uint64_t at, View<std::uint8_t> bytes) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  seek(at);
  if (std::fread(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    fail_by_errno("it cannot be read");
  }
}

void DiskFile::write(std::uint64_t at, View<const std::uint8_t> bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  seek(at);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    fail_by_errno("it cannot be written");
  }
  size_ = std::max<std::uint64_t>(size_, at + bytes.size());
}

void DiskFile::close() {
  errno = 0;
  const int state = std::fclose(file_);
  file_ = nullptr;
  if (state != 0) {
    fail_by_errno("it cannot be written");
  }
}

#ifdef _WIN32

MappedFile::MappedFile(const std::string& path) {
  const HANDLE file = CreateFileA(path.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    throw FileError("it cannot be opened");
  }
  LARGE_INTEGER size;
  const HANDLE mapping =
      GetFileSizeEx(file, &size) && size.QuadPart > 0
          ? CreateFileMappingA(file, nullptr, PAGE_READONLY, 0, 0, nullptr)
          : nullptr;
  CloseHandle(file);
  if (mapping == nullptr) {
    throw FileError("it is empty or cannot be mapped");
  }
  // The view keeps the mapping open.
  begin_ =
      static_cast<const std::uint8_t*>(MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0));
  CloseHandle(mapping);
  if (begin_ == nullptr) {
    throw FileError("it cannot be mapped");
  }
  size_ = static_cast<std::size_t>(size.QuadPart);
}

MappedFile::~MappedFile() { UnmapViewOfFile(begin_); }

#else

MappedFile::MappedFile(const std::string& path) {
  errno = 0;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    fail_by_errno("it cannot be opened");
  }
  struct stat status = {};
  void* memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  }
  const int problem = errno;
  ::close(file);
  if (memory == MAP_FAILED) {
    errno = problem;
    fail_by_errno("it is empty");
  }
  begin_ = static_cast<const std::uint8_t*>(memory);
}

MappedFile::~MappedFile() {
  munmap(const_cast<std::uint8_t*>(begin_), size_);  // NOLINT
}

#endif

}  // namespace rankmix

// Binary files, which are written and read at any position, or mapped into memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

#include "core/base/views.h"
#include "core/data/column_store.h"

namespace rankmix {

// A new file. Failures, such as a full disk, throw FileError (host_files.h).
class DiskFile : public data::ByteStore {
 public:
  explicit DiskFile(const std::string& path);
  ~DiskFile() override;
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;

  std::uint64_t size() const override { return size_; }
  void append(View<const std::uint8_t> bytes) override { write(size_, bytes); }
  void read(std::uint64_t at, View<std::uint8_t> bytes) const override;
  void write(std::uint64_t at, View<const std::uint8_t> bytes);
  // Closes the file, and throws if some data were not written. The destructor cannot
  // throw.
  void close();

 private:
  void seek(std::uint64_t at) const;

  mutable std::mutex mutex_;
  std::FILE* file_;
  std::uint64_t size_ = 0;
};

// A whole file in memory, whose pages the system reads when they are used. The file must
// not change while it is mapped.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  View<const std::uint8_t> bytes() const { return {begin_, size_}; }

 private:
  const std::uint8_t* begin_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace rankmix

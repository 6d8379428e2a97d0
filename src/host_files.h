// Text files, plain or gzip-compressed, read as batches of whole lines. Files belong to
// the host, because the core handles text only.
#pragma once
#include <zlib.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/data/letor_write.h"
#include "core/data/text.h"

namespace rankmix {

// A file cannot be opened, read, decompressed or written.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws the error of the last call of the system by errno, which the caller sets to 0
// before the call. Too little memory, also to map a file, is no fault of the file.
[[noreturn]] void fail_by_errno(const char* otherwise);

class TextFile : public data::TextSource {
 public:
  explicit TextFile(const std::string& path);
  ~TextFile() override;
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const data::TextBatch& next() override;
  void rewind() override;
  // In bytes of the file, which may be compressed.
  std::uint64_t position() const override;

 private:
  void fill();
  void cut(std::size_t end);
  void check_unchanged() const;

  // Size and modification time of a file; unknown unless it is a regular file.
  struct FileState {
    bool known = false;
    long long size = 0;
    long long changed = 0;
  };
  static FileState state_of(const std::string& path);

  std::string path_;
  FileState state_;  // before it was opened
  std::vector<char> buffer_;
  std::size_t size_ = 0;   // of the text in the buffer
  std::size_t taken_ = 0;  // size of the part that the last batch used
  bool ended_ = false;
  data::TextBatch batch_;
  gzFile file_;  // last member: after it is open, no initialisation can fail
};

// An output file, plain or compressed.
class OutputFile : public data::TextSink {
 public:
  OutputFile(const std::string& path, bool compress);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const std::string& text) override;
  // Closes the file, and throws if some data were not written. The destructor cannot
  // throw.
  void close();

 private:
  [[noreturn]] void fail() const;

  gzFile file_;
};

}  // namespace rankmix

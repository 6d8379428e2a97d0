// Text files as a stream of pieces, plain or compressed by gzip. Files are the host's
// business: the core only parses text.
#pragma once
#include <zlib.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankmix {

// A file that cannot be opened, read or decompressed to its end.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class TextFile {
 public:
  explicit TextFile(const std::string& path);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  // Reads the next piece; false at the end of the file.
  bool next();
  const char* data() const { return buffer_.data(); }
  std::size_t size() const { return size_; }

 private:
  std::vector<char> buffer_;
  std::size_t size_ = 0;
  gzFile file_;  // last, so that nothing can fail once it is open
};

}  // namespace rankmix

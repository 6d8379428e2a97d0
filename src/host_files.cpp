#include "host_files.h"

#include <cerrno>
#include <cstring>

namespace rankmix {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

}  // namespace

TextFile::TextFile(const std::string& path)
    : buffer_(kPiece), file_(gzopen(path.c_str(), "rb")) {
  if (file_ == nullptr) {
    throw FileError(errno == 0 ? "out of memory" : std::strerror(errno));
  }
}

TextFile::~TextFile() { gzclose_r(file_); }

bool TextFile::next() {
  const int read = gzread(file_, buffer_.data(), static_cast<unsigned>(kPiece));
  // A file that breaks off within its compressed data ends without an error of gzread();
  // the state of the stream knows.
  int state = Z_OK;
  const char* message = gzerror(file_, &state);
  if (read < 0 || (state != Z_OK && state != Z_STREAM_END)) {
    throw FileError(state == Z_ERRNO ? std::strerror(errno) : message);
  }
  size_ = static_cast<std::size_t>(read);
  return size_ > 0;
}

}  // namespace rankmix

#include "host_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace rankmix {
namespace {

// Throws the error of a file that could not be opened. errno is 0 if zlib has no memory.
[[noreturn]] void fail_open() {
  if (errno == 0) {
    throw std::bad_alloc();
  }
  fail_by_errno("it cannot be opened");
}

// Sizes in bytes: enough pieces in a batch for several threads, but little memory.
constexpr std::size_t kBatch = std::size_t{1} << 22;
constexpr std::size_t kPiece = std::size_t{1} << 18;
// Files with a longer line are not treated as text.
constexpr std::size_t kLongestLine = std::size_t{1} << 28;

}  // namespace

void fail_by_errno(const char* otherwise) {
  if (errno == ENOMEM) {
    throw std::bad_alloc();
  }
  throw FileError(errno == 0 ? otherwise : std::strerror(errno));
}

TextFile::FileState TextFile::state_of(const std::string& path) {
  struct stat status = {};
  FileState state;
  state.known = stat(path.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == S_IFREG;
  if (state.known) {
    state.size = static_cast<long long>(status.st_size);
    state.changed = static_cast<long long>(status.st_mtime);
  }
  return state;
}

TextFile::TextFile(const std::string& path)
    : path_(path),
      state_(state_of(path)),
      buffer_(kBatch + 1),
      file_(gzopen(path.c_str(), "rb")) {
  if (file_ == nullptr) {
    fail_open();
  }
  gzbuffer(file_, static_cast<unsigned>(kPiece));
}

TextFile::~TextFile() { gzclose_r(file_); }

void TextFile::rewind() {
  if (gzrewind(file_) != 0) {
    throw FileError("it cannot be read twice");
  }
  size_ = 0;
  taken_ = 0;
  ended_ = false;
}

std::uint64_t TextFile::position() const {
  const auto at = gzoffset(file_);
  return at > 0 ? static_cast<std::uint64_t>(at) : 0;
}

// Fills the buffer except for one byte, in which an end-of-line mark may be added.
void TextFile::fill() {
  while (!ended_ && size_ + 1 < buffer_.size()) {
    const std::size_t free_bytes = buffer_.size() - 1 - size_;
    const int read = gzread(file_, buffer_.data() + size_,
                            static_cast<unsigned>(std::min(free_bytes, kBatch)));
    // For a truncated compressed file gzread() reports no error; the state of the stream
    // does.
    int state = Z_OK;
    const char* message = gzerror(file_, &state);
    if (state == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    if (read < 0 || (state != Z_OK && state != Z_STREAM_END)) {
      throw FileError(state == Z_ERRNO ? std::strerror(errno) : message);
    }
    size_ += static_cast<std::size_t>(read);
    ended_ = read == 0;
  }
  if (ended_) {
    check_unchanged();
  }
}

// If another process wrote to the file, the text may be a mix of old and new contents.
void TextFile::check_unchanged() const {
  const FileState now = state_of(path_);
  if (state_.known &&
      (!now.known || now.size != state_.size || now.changed != state_.changed)) {
    throw data::TextChanged();
  }
}

const data::TextBatch& TextFile::next() {
  batch_.clear();
  std::copy(buffer_.data() + taken_, buffer_.data() + size_, buffer_.data());
  size_ -= taken_;
  taken_ = 0;
  for (;;) {
    fill();
    if (ended_ && size_ > 0 && buffer_[size_ - 1] != '\n') {
      buffer_[size_++] = '\n';
    }
    std::size_t end = size_;
    while (end > 0 && buffer_[end - 1] != '\n') {
      --end;
    }
    if (end > 0 || size_ == 0) {
      cut(end);
      return batch_;
    }
    if (buffer_.size() > kLongestLine) {
      throw FileError("a line has more than 268435456 bytes");
    }
    buffer_.resize(2 * buffer_.size());
  }
}

// Splits the text up to `end` into pieces of whole lines.
void TextFile::cut(std::size_t end) {
  std::size_t begin = 0;
  while (begin < end) {
    std::size_t stop = std::min(end, begin + kPiece);
    const void* eol = std::memchr(buffer_.data() + stop - 1, '\n', end - stop + 1);
    stop = static_cast<std::size_t>(static_cast<const char*>(eol) - buffer_.data()) + 1;
    batch_.push_back({buffer_.data() + begin, buffer_.data() + stop});
    begin = stop;
  }
  taken_ = end;
}

// "T" writes without compression through the same functions; "3" is a fast compression
// level.
OutputFile::OutputFile(const std::string& path, bool compress)
    : file_(gzopen(path.c_str(), compress ? "wb3" : "wbT")) {
  if (file_ == nullptr) {
    fail_open();
  }
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) {
    gzclose_w(file_);
  }
}

void OutputFile::fail() const {
  fail_by_errno("the text cannot be written");
}

void OutputFile::write(const std::string& text) {
  errno = 0;
  if (!text.empty() &&
      gzwrite(file_, text.data(), static_cast<unsigned>(text.size())) == 0) {
    fail();
  }
}

void OutputFile::close() {
  errno = 0;
  const int state = gzclose_w(file_);
  file_ = nullptr;
  if (state != Z_OK) {
    fail();
  }
}

}  // namespace rankmix

// Vectors of numbers as bytes, for Reducer::gather().
//
// Numbers have the byte order of the processor, because all ranks run the same build of
// the package.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "core/base/reducer.h"

namespace rankmix {

class Message {
 public:
  template <class T>
  void put(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>, "bytes of numbers");
    const std::uint64_t size = values.size();
    append(&size, sizeof size);
    append(values.data(), values.size() * sizeof(T));
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  void append(const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }
  std::vector<std::uint8_t> bytes_;
};

// Reads the vectors of a message in their order.
class MessageReader {
 public:
  explicit MessageReader(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  std::vector<T> next() {
    std::uint64_t size = 0;
    take(&size, sizeof size);
    if (size > bytes_.size() / sizeof(T)) {
      throw InvalidArgument("a message of another rank is too short");
    }
    std::vector<T> values(static_cast<std::size_t>(size));
    take(values.data(), values.size() * sizeof(T));
    return values;
  }
  bool is_at_end() const { return at_ == bytes_.size(); }

 private:
  void take(void* to, std::size_t size) {
    if (size > bytes_.size() - at_) {
      throw InvalidArgument("a message of another rank is too short");
    }
    if (size > 0) {
      std::memcpy(to, bytes_.data() + at_, size);
    }
    at_ += size;
  }
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

// The messages of all ranks.
inline std::vector<MessageReader> gather(Reducer& reducer, const Message& own) {
  std::vector<MessageReader> messages;
  for (std::vector<std::uint8_t>& bytes : reducer.gather(own.bytes())) {
    messages.emplace_back(std::move(bytes));
  }
  return messages;
}

}  // namespace rankmix

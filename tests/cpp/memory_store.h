// A store of bytes in memory, for tests of tables on disk.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/data/column_store.h"

class MemoryStore : public rankmix::data::ByteStore {
 public:
  std::uint64_t size() const override { return bytes_.size(); }
  void append(rankmix::View<const std::uint8_t> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void read(std::uint64_t at, rankmix::View<std::uint8_t> bytes) const override {
    std::copy_n(bytes_.data() + at, bytes.size(), bytes.data());
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

// Text in memory as batches of pieces of at least a given size. Each piece is a
// separate copy of exactly its size, so that sanitizers detect reading past its end.
#pragma once
#include <string>
#include <vector>

#include "core/data/text.h"

class MemoryText : public rankmix::data::TextSource {
 public:
  MemoryText(const std::string& text, std::size_t piece) {
    std::size_t begin = 0;
    while (begin < text.size()) {
      std::size_t eol = text.find('\n', std::min(text.size(), begin + piece) - 1);
      eol = eol == std::string::npos ? text.size() : eol;
      std::string part = text.substr(begin, eol - begin) + "\n";
      pieces_.emplace_back(part.begin(), part.end());
      begin = eol + 1;
    }
  }
  const rankmix::data::TextBatch& next() override {
    batch_.clear();
    for (; at_ < pieces_.size() && batch_.size() < 3; ++at_) {
      const std::vector<char>& piece = pieces_[at_];
      batch_.push_back({piece.data(), piece.data() + piece.size()});
    }
    return batch_;
  }
  void rewind() override { at_ = 0; }

 private:
  std::vector<std::vector<char>> pieces_;
  std::size_t at_ = 0;
  rankmix::data::TextBatch batch_;
};

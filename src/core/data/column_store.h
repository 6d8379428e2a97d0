// A table of features that is larger than the memory: rows are appended, and columns are
// read.
//
// Rows are collected into blocks of up to 65,536. Each column of a block is encoded
// separately and appended to a store of bytes, which is a file of the host. The encoding
// is one value; or up to 256 distinct values and a byte for each row; or the values as
// floats, if floats are exact; or as doubles. Most features of judged data have few
// values in a block, so a value takes one byte.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

// A store of bytes. Bytes are appended, and can be read at any position by several
// threads at a time.
class ByteStore {
 public:
  virtual ~ByteStore() = default;
  virtual std::uint64_t size() const = 0;
  virtual void append(View<const std::uint8_t> bytes) = 0;
  virtual void read(std::uint64_t at, View<std::uint8_t> bytes) const = 0;
};

// One column of a block. Row i has the value dictionary[codes[i]], or values[i] if there
// are no codes. Missing values are NaN.
struct StoredBlock {
  std::size_t rows = 0;
  std::vector<double> dictionary;
  std::vector<std::uint8_t> codes;
  std::vector<double> values;
  std::vector<std::uint8_t> bytes;  // scratch

  bool has_codes() const { return !codes.empty(); }
  double operator[](std::size_t i) const {
    return has_codes() ? dictionary[codes[i]] : values[i];
  }
};

class ColumnStore {
 public:
  explicit ColumnStore(ByteStore& bytes, std::size_t block_rows = kBlockRows)
      : bytes_(bytes), max_rows_(block_rows) {}
  ColumnStore(const ColumnStore&) = delete;
  ColumnStore& operator=(const ColumnStore&) = delete;

  // Appends rows. Rows may have more or fewer columns than earlier rows. Missing columns
  // are 0.
  void append(MatrixView<const double> x, Host& host);
  // Must be called after the last row.
  void finish(Host& host);
  // Adds a column for each of these values of a column, after finish(). The new column is
  // 1 where the column has the value, 0 where it has another value, and missing where
  // the column is missing. Returns the first new column. Nothing is stored: read()
  // computes the new columns.
  std::size_t add_indicators(std::size_t feature, View<const double> values);

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return states_.size(); }
  std::size_t blocks() const { return blocks_.size(); }
  std::size_t block_of(std::size_t row) const;
  std::size_t first_row(std::size_t block) const { return blocks_[block].first; }
  std::size_t rows_of(std::size_t block) const { return blocks_[block].rows; }
  // Decodes a column of a block. Any thread may call it. `into` is reused.
  void read(std::size_t block, std::size_t feature, StoredBlock& into) const;

  // For a feature: the number of missing values, and whether all other values are equal.
  std::size_t missing(std::size_t feature) const { return states_[feature].missing; }
  bool is_constant(std::size_t feature) const { return states_[feature].constant; }
  // The first value that is not missing, or NaN.
  double first_value(std::size_t feature) const { return states_[feature].value; }

 private:
  static constexpr std::size_t kBlockRows = std::size_t{1} << 16;
  // At most this many values are collected, so wide rows have shorter blocks.
  static constexpr std::size_t kBlockValues = std::size_t{1} << 23;

  struct Piece {
    std::uint64_t at = 0;
    std::size_t bytes = 0;
  };
  struct Block {
    std::size_t first;
    std::size_t rows;
    std::vector<Piece> pieces;  // one for each feature known at the time
  };
  struct Indicator {
    std::size_t feature;
    double value;
  };
  struct State {
    std::size_t missing = 0;
    bool constant = true;
    double value = std::numeric_limits<double>::quiet_NaN();
  };

  std::size_t block_limit() const;
  void widen(std::size_t features);
  void follow(State& state, View<const double> values) const;
  void flush(Host& host);

  ByteStore& bytes_;
  std::size_t max_rows_;
  std::size_t rows_ = 0;
  std::size_t features_ = 0;                 // without indicators
  std::size_t filled_ = 0;                   // rows in the buffer
  std::vector<std::vector<double>> buffer_;  // a column for each feature
  std::vector<Block> blocks_;
  std::vector<Indicator> indicators_;
  std::vector<State> states_;
};

}  // namespace rankmix::data

#include "core/data/column_store.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "core/base/random.h"

namespace rankmix::data {
namespace {

enum Kind : std::uint8_t { kOneValue, kCodes, kFloats, kDoubles };
constexpr std::size_t kMaxDictionary = 256;

// The bits of a value. All zeros have the same bits, and all missing values.
std::uint64_t bits_of(double x) {
  x = std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x + 0.0;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

template <class T>
void put(std::vector<std::uint8_t>& out, const T* values, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values);
  out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

// Finds up to 256 distinct values by an open hash table.
class Dictionary {
 public:
  // Returns the code of a value, or -1 if it is the 257th.
  int code_of(double x) {
    const std::uint64_t bits = bits_of(x);
    std::size_t slot = static_cast<std::size_t>(mix_bits(bits) >> 54);
    while (codes_[slot] >= 0 && known_[static_cast<std::size_t>(codes_[slot])] != bits) {
      slot = (slot + 1) % codes_.size();
    }
    if (codes_[slot] < 0) {
      if (known_.size() == kMaxDictionary) {
        return -1;
      }
      codes_[slot] = static_cast<int>(known_.size());
      known_.push_back(bits);
    }
    return codes_[slot];
  }
  const std::vector<std::uint64_t>& known() const { return known_; }
  Dictionary() { codes_.fill(-1); }

 private:
  std::array<int, 1024> codes_;
  std::vector<std::uint64_t> known_;
};

bool are_floats(View<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) {
    return std::isnan(x) || static_cast<double>(static_cast<float>(x)) == x;
  });
}

bool encode_codes(View<const double> values, std::vector<std::uint8_t>& out) {
  Dictionary dictionary;
  std::vector<std::uint8_t> codes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int code = dictionary.code_of(values[i]);
    if (code < 0) {
      return false;
    }
    codes[i] = static_cast<std::uint8_t>(code);
  }
  const std::vector<std::uint64_t>& known = dictionary.known();
  out.push_back(known.size() == 1 ? kOneValue : kCodes);
  if (known.size() > 1) {
    out.push_back(static_cast<std::uint8_t>(known.size() - 1));
  }
  put(out, known.data(), known.size());
  if (known.size() > 1) {
    put(out, codes.data(), codes.size());
  }
  return true;
}

std::vector<std::uint8_t> encode(View<const double> values) {
  std::vector<std::uint8_t> out;
  if (encode_codes(values, out)) {
    return out;
  }
  if (are_floats(values)) {
    const std::vector<float> floats(values.begin(), values.end());
    out.push_back(kFloats);
    put(out, floats.data(), floats.size());
  } else {
    out.push_back(kDoubles);
    put(out, values.data(), values.size());
  }
  return out;
}

template <class T>
void get(const std::uint8_t*& from, T* to, std::size_t count) {
  std::memcpy(to, from, count * sizeof(T));
  from += count * sizeof(T);
}

void decode(StoredBlock& block) {
  const std::uint8_t* at = block.bytes.data();
  const std::uint8_t kind = *at++;
  block.codes.clear();
  if (kind == kOneValue || kind == kCodes) {
    block.dictionary.resize(kind == kOneValue ? 1 : std::size_t{*at++} + 1);
    get(at, block.dictionary.data(), block.dictionary.size());
    block.codes.resize(block.rows, 0);
    if (kind == kCodes) {
      get(at, block.codes.data(), block.rows);
    }
    return;
  }
  block.values.resize(block.rows);
  if (kind == kDoubles) {
    get(at, block.values.data(), block.rows);
    return;
  }
  std::vector<float> floats(block.rows);
  get(at, floats.data(), block.rows);
  std::copy(floats.begin(), floats.end(), block.values.begin());
}

// Whether x is the value, as a number; missing if x is missing.
double indicator(double x, double value) {
  if (std::isnan(x)) {
    return x;
  }
  return x == value ? 1.0 : 0.0;
}

}  // namespace

std::size_t ColumnStore::block_limit() const {
  return std::max<std::size_t>(
      1, std::min(max_rows_, kBlockValues / std::max<std::size_t>(1, features_)));
}

void ColumnStore::widen(std::size_t features) {
  if (features <= features_) {
    return;
  }
  // Earlier rows have zeros in the new columns.
  State zeros;
  zeros.value = rows_ > 0 ? 0.0 : zeros.value;
  states_.resize(features, zeros);
  buffer_.resize(features);
  for (std::size_t f = features_; f < features; ++f) {
    buffer_[f].assign(filled_, 0.0);
  }
  features_ = features;
}

void ColumnStore::follow(State& state, View<const double> values) const {
  for (double x : values) {
    if (std::isnan(x)) {
      ++state.missing;
    } else if (std::isnan(state.value)) {
      state.value = x;
    } else if (x != state.value) {
      state.constant = false;
    }
  }
}

void ColumnStore::append(MatrixView<const double> x, Host& host) {
  widen(x.cols());
  std::size_t row = 0;
  while (row < x.rows()) {
    if (filled_ >= block_limit()) {
      flush(host);
    }
    const std::size_t some = std::min(block_limit() - filled_, x.rows() - row);
    host.parallel_for(features_, [&](std::size_t f) {
      std::vector<double>& column = buffer_[f];
      if (f < x.cols()) {
        const double* from = x.col(f) + row;
        follow(states_[f], {from, some});
        column.insert(column.end(), from, from + some);
      } else {
        column.resize(column.size() + some, 0.0);
        follow(states_[f], {column.data() + filled_, some});
      }
    });
    filled_ += some;
    rows_ += some;
    row += some;
  }
}

void ColumnStore::finish(Host& host) {
  if (filled_ > 0) {
    flush(host);
  }
  buffer_.clear();
  buffer_.shrink_to_fit();
}

void ColumnStore::flush(Host& host) {
  host.checkpoint();
  std::vector<std::vector<std::uint8_t>> encoded(features_);
  host.parallel_for(features_, [&](std::size_t f) { encoded[f] = encode(buffer_[f]); });
  Block block{rows_ - filled_, filled_, {}};
  for (std::size_t f = 0; f < features_; ++f) {
    block.pieces.push_back({bytes_.size(), encoded[f].size()});
    bytes_.append(encoded[f]);
    buffer_[f].clear();
  }
  blocks_.push_back(std::move(block));
  filled_ = 0;
}

std::size_t ColumnStore::block_of(std::size_t row) const {
  const auto after = std::upper_bound(
      blocks_.begin(), blocks_.end(), row,
      [](std::size_t at, const Block& block) { return at < block.first; });
  return static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

std::size_t ColumnStore::add_indicators(std::size_t feature, View<const double> values) {
  const std::size_t first = states_.size();
  std::map<double, std::size_t> counts;
  StoredBlock block;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    read(b, feature, block);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (!std::isnan(block[i])) {
        ++counts[block[i]];
      }
    }
  }
  const State of = states_[feature];
  for (const double value : values) {
    State state;
    state.missing = of.missing;
    const std::size_t count = counts.count(value) > 0 ? counts[value] : 0;
    state.constant = count == 0 || count == rows_ - of.missing;
    state.value = indicator(of.value, value);
    indicators_.push_back({feature, value});
    states_.push_back(state);
  }
  return first;
}

void ColumnStore::read(std::size_t block, std::size_t feature, StoredBlock& into) const {
  if (feature >= features_) {
    const Indicator& of = indicators_[feature - features_];
    read(block, of.feature, into);
    for (double& x : into.has_codes() ? into.dictionary : into.values) {
      x = indicator(x, of.value);
    }
    return;
  }
  const Block& of = blocks_[block];
  into.rows = of.rows;
  if (feature >= of.pieces.size()) {
    into.dictionary.assign(1, 0.0);
    into.codes.assign(of.rows, 0);
    return;
  }
  into.bytes.resize(of.pieces[feature].bytes);
  bytes_.read(of.pieces[feature].at, {into.bytes.data(), into.bytes.size()});
  decode(into);
}

}  // namespace rankmix::data

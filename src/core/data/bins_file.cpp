#include "core/data/bins_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "core/base/blocks.h"
#include "core/base/hash.h"

namespace rankmix::data {
namespace {

constexpr char kMagic[] = "rankmix bins";
constexpr std::uint32_t kVersion = 1;

template <class T>
void put(std::vector<std::uint8_t>& out, T value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof(T));
}

[[noreturn]] void damaged() { throw BinsFileError("it is damaged or incomplete"); }

// Reads numbers from bytes, but never beyond the end of the bytes.
class Bytes {
 public:
  explicit Bytes(View<const std::uint8_t> bytes) : bytes_(bytes) {}
  const std::uint8_t* take(std::uint64_t count) {
    if (count > bytes_.size() - at_) {
      damaged();
    }
    const std::uint8_t* from = bytes_.data() + at_;
    at_ += static_cast<std::size_t>(count);
    return from;
  }
  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    return value;
  }
  std::size_t left() const { return bytes_.size() - at_; }

 private:
  View<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

std::uint64_t hash_of(View<const std::uint8_t> bytes) {
  return hash_text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

FeatureBins feature_of(Bytes& bytes) {
  FeatureBins feature;
  const auto count = bytes.number<std::uint32_t>();
  if (count >= static_cast<std::uint32_t>(kMaxBins)) {
    damaged();
  }
  feature.has_missing = bytes.number<std::uint8_t>() != 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto threshold = bytes.number<double>();
    if (std::isnan(threshold) || (i > 0 && !(threshold > feature.thresholds.back()))) {
      damaged();
    }
    feature.thresholds.push_back(threshold);
  }
  feature.zero_bin = BinLookup(feature)(0.0);
  return feature;
}

// R's strings have at most 2^31 - 1 bytes, none of which is 0.
void check_text(const std::uint8_t* text, std::uint64_t size) {
  if (size > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()) ||
      std::find(text, text + size, std::uint8_t{0}) != text + size) {
    damaged();
  }
}

void check_texts(const BinsSection& section) {
  Bytes bytes(section.bytes);
  for (std::uint64_t i = 0; i < section.count; ++i) {
    const auto size = bytes.number<std::uint32_t>();
    if (size != BinsSection::kNoText) {
      check_text(bytes.take(size), size);
    }
  }
  if (bytes.left() > 0) {
    damaged();
  }
}

BinsSection section_of(Bytes& bytes) {
  BinsSection section;
  const auto letters = bytes.number<std::uint32_t>();
  const std::uint8_t* name = bytes.take(letters);
  check_text(name, letters);
  section.name.assign(name, name + letters);
  section.type = static_cast<BinsSection::Type>(bytes.number<std::uint8_t>());
  section.count = bytes.number<std::uint64_t>();
  const auto size = bytes.number<std::uint64_t>();
  section.bytes = {bytes.take(size), static_cast<std::size_t>(size)};
  const std::uint64_t width = section.type == BinsSection::kIntegers ? 4 : 8;
  if (section.type == BinsSection::kTexts) {
    check_texts(section);
  } else if (section.type > BinsSection::kTexts || size % width != 0 ||
             section.count != size / width) {
    damaged();
  }
  return section;
}

std::vector<std::uint8_t> start_of_index(const BinsIndex& index) {
  std::vector<std::uint8_t> out;
  for (const FeatureBins& feature : index.features) {
    put(out, static_cast<std::uint32_t>(feature.thresholds.size()));
    put(out, static_cast<std::uint8_t>(feature.has_missing ? 1 : 0));
    for (double threshold : feature.thresholds) {
      put(out, threshold);
    }
  }
  put(out, static_cast<std::uint32_t>(index.sections.size()));
  return out;
}

// What comes before the bytes of a section.
std::vector<std::uint8_t> start_of_section(const BinsSection& section) {
  std::vector<std::uint8_t> out;
  put(out, static_cast<std::uint32_t>(section.name.size()));
  out.insert(out.end(), section.name.begin(), section.name.end());
  put(out, static_cast<std::uint8_t>(section.type));
  put(out, section.count);
  put(out, static_cast<std::uint64_t>(section.bytes.size()));
  return out;
}

// Calls use(piece) for all pieces of the index.
template <class Use>
void for_each_piece(const BinsIndex& index, const Use& use) {
  use(View<const std::uint8_t>(start_of_index(index)));
  for (const BinsSection& section : index.sections) {
    use(View<const std::uint8_t>(start_of_section(section)));
    use(section.bytes);
  }
}

}  // namespace

std::vector<std::uint8_t> write_index(const BinsIndex& index,
                                      FunctionRef<void(View<const std::uint8_t>)> write) {
  std::size_t size = 0;
  for_each_piece(index, [&](View<const std::uint8_t> piece) { size += piece.size(); });
  PiecewiseHash hash(size);
  for_each_piece(index, [&](View<const std::uint8_t> piece) {
    hash.add(reinterpret_cast<const char*>(piece.data()), piece.size());
    write(piece);
  });
  std::vector<std::uint8_t> header(kMagic, kMagic + sizeof kMagic - 1);
  put(header, kVersion);
  put(header, index.rows);
  put(header, static_cast<std::uint64_t>(index.features.size()));
  put(header, kBinsBegin + index.bytes_of_bins());
  put(header, static_cast<std::uint64_t>(size));
  put(header, hash.finish());
  return header;
}

BinsIndex parse_bins_file(View<const std::uint8_t> file) {
  const std::size_t name = sizeof kMagic - 1;
  if (file.size() < kBinsHeader || std::memcmp(file.data(), kMagic, name) != 0) {
    throw BinsFileError("it is not a complete file of binned data");
  }
  Bytes header({file.data() + name, kBinsHeader - name});
  if (header.number<std::uint32_t>() != kVersion) {
    throw BinsFileError("it was written by another version of rankmix");
  }
  BinsIndex index;
  index.rows = header.number<std::uint64_t>();
  const auto features = header.number<std::uint64_t>();
  const auto at = header.number<std::uint64_t>();
  const auto size = header.number<std::uint64_t>();
  const auto hash = header.number<std::uint64_t>();
  if (at > file.size() || size != file.size() - at || at < kBinsBegin || features == 0 ||
      (at - kBinsBegin) % features != 0 || (at - kBinsBegin) / features != index.rows) {
    damaged();
  }
  const View<const std::uint8_t> part(file.data() + at, static_cast<std::size_t>(size));
  if (hash_of(part) != hash) {
    damaged();
  }
  Bytes bytes(part);
  for (std::uint64_t f = 0; f < features; ++f) {
    index.features.push_back(feature_of(bytes));
  }
  std::set<std::string> names;
  for (auto sections = bytes.number<std::uint32_t>(); sections > 0; --sections) {
    index.sections.push_back(section_of(bytes));
    if (!names.insert(index.sections.back().name).second) {
      damaged();
    }
  }
  return index;
}

void check_bins(const BinnedMatrix& bins, Host& host) {
  for (const Tile& tile : bins.tiles()) {
    host.checkpoint();
    std::vector<std::uint8_t> largest;
    for (const std::size_t f : tile.features) {
      largest.push_back(static_cast<std::uint8_t>(bins.feature(f).bins() - 1));
    }
    const auto wrong = sum_over_blocks<std::size_t>(
        host, bins.rows(), [&](std::size_t begin, std::size_t end) {
          std::size_t found = 0;
          for (std::size_t i = begin; i < end; ++i) {
            const std::uint8_t* row = tile.bins + i * tile.width();
            for (std::size_t j = 0; j < tile.width(); ++j) {
              found += static_cast<std::size_t>(row[j] > largest[j]);
            }
          }
          return found;
        });
    if (wrong > 0) {
      damaged();
    }
  }
}

}  // namespace rankmix::data

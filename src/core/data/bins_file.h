// The file format of binned data.
//
//   bytes 0 .. 55     header: "rankmix bins" and the version, then as 64-bit numbers rows,
//                     features, and position, size and hash of the index
//   from byte 4096    the bins, tile after tile, as BinnedMatrix holds them
//   then              the index: bins of the features, and named sections
//
// Numbers are little-endian. Bins can be mapped into memory, so they begin at a page. The
// header is written last, so an incomplete file has no header.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"

namespace rankmix::data {

constexpr std::size_t kBinsBegin = 4096;
constexpr std::size_t kBinsHeader = 56;

// The file does not contain binned data, or is damaged.
class BinsFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A named vector, such as the grades. The bytes are the elements in memory, which the
// section does not own, because they can be large; a text has its length as 32 bits before
// it, or kNoText if it is missing.
struct BinsSection {
  enum Type : std::uint8_t { kIntegers = 0, kDoubles = 1, kTexts = 2 };
  static constexpr std::uint32_t kNoText = 0xFFFFFFFFU;
  std::string name;
  Type type = kIntegers;
  std::uint64_t count = 0;
  View<const std::uint8_t> bytes;
};

struct BinsIndex {
  std::uint64_t rows = 0;
  std::vector<FeatureBins> features;
  std::vector<BinsSection> sections;

  std::uint64_t bytes_of_bins() const { return rows * features.size(); }
};

// Calls write(piece) for all pieces of the index, from first to last. Returns the header.
std::vector<std::uint8_t> write_index(const BinsIndex& index,
                                      FunctionRef<void(View<const std::uint8_t>)> write);

// Reads header and index of a whole file, which must outlive the result. Throws
// BinsFileError unless all positions are within the file and the index is undamaged.
BinsIndex parse_bins_file(View<const std::uint8_t> file);

// Throws BinsFileError if a bin is larger than its feature allows. Such a bin would be
// counted outside of the histograms.
void check_bins(const BinnedMatrix& bins, Host& host);

}  // namespace rankmix::data

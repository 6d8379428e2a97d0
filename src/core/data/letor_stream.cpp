#include "core/data/letor_stream.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/data/letor_piece.h"

namespace rankmix::data {
namespace {

// Values that are parsed at a time: 32 MB.
constexpr std::size_t kPartValues = std::size_t{1} << 22;

}  // namespace

void LetorStream::read(TextSource& source, ColumnStore& store) {
  std::size_t line = 1;
  for (const TextBatch* batch = &source.next(); !batch->empty(); batch = &source.next()) {
    host_.checkpoint();
    line = read_batch(*batch, line, store);
    if (size_ > 0) {
      host_.progress(static_cast<std::size_t>(done_ + source.position()),
                     static_cast<std::size_t>(size_));
    }
  }
  done_ += source.position();
}

std::size_t LetorStream::read_batch(const TextBatch& batch, std::size_t line,
                                    ColumnStore& store) {
  std::vector<LetorPieceSize> sizes(batch.size());
  host_.parallel_for(batch.size(), [&](std::size_t i) {
    // A byte-order mark can stand only at the start of a file.
    sizes[i] = measure_letor(batch[i], i == 0 ? line : 2, options_.max_index);
  });
  for (const LetorPieceSize& size : sizes) {
    features_ = std::max(features_, size.features);
  }
  // If rows are wide, pieces are parsed one after the other, because each value takes
  // eight bytes.
  for (std::size_t first = 0; first < batch.size();) {
    Part part{batch.data() + first, sizes.data() + first, 0, line};
    for (std::size_t values = 0; first < batch.size(); ++first, ++part.count) {
      values += sizes[first].rows * features_;
      if (part.count > 0 && values > kPartValues) {
        break;
      }
      line += sizes[first].lines;
    }
    read_part(part, store);
  }
  return line;
}

void LetorStream::read_part(const Part& part, ColumnStore& store) {
  std::size_t rows = 0;
  for (std::size_t i = 0; i < part.count; ++i) {
    rows += part.sizes[i].rows;
  }
  std::vector<double> values(rows * features_);
  const MatrixView<double> x(values.data(), rows, features_);
  const std::size_t before = relevance_.size();
  relevance_.resize(before + rows);
  std::vector<PieceParser<DenseRows>> parsers;
  std::vector<std::size_t> lines;
  std::size_t row = 0;
  std::size_t line = part.line;
  for (std::size_t i = 0; i < part.count; ++i) {
    const LetorPieceSize& size = part.sizes[i];
    parsers.emplace_back(DenseRows(x, row), options_,
                         View<double>(relevance_.data() + before, rows), row, size.rows,
                         size.digest);
    lines.push_back(line);
    row += size.rows;
    line += size.lines;
  }
  host_.parallel_for(part.count,
                     [&](std::size_t i) { parsers[i].run(part.pieces[i], lines[i]); });
  for (PieceParser<DenseRows>& parser : parsers) {
    if (parser.failure()) {
      std::rethrow_exception(parser.failure());
    }
    for (const LetorRun& run : parser.runs()) {
      queries_.insert(queries_.end(), run.rows, ids_.index_of(run));
    }
    for (std::pair<std::size_t, std::string>& document : parser.documents()) {
      documents_.resize(before + document.first);
      documents_.push_back(std::move(document.second));
    }
  }
  store.append(MatrixView<const double>(values.data(), rows, features_), host_);
}

}  // namespace rankmix::data

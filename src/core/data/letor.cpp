#include "core/data/letor.h"

#include <algorithm>
#include <utility>

#include "core/base/errors.h"
#include "core/data/letor_piece.h"

namespace rankmix::data {
namespace {

// The index of the last feature of a line without its comment. 0 if the line does not end
// in a valid feature.
std::size_t last_index(const char* begin, const char* end, std::size_t max_index) {
  while (end > begin && is_blank(end[-1])) {
    --end;
  }
  const char* token = end;
  while (token > begin && !is_blank(token[-1])) {
    --token;
  }
  std::size_t index = 0;
  const char* colon = std::find(token, end, ':');
  const bool good = colon != end && parse_whole(token, colon, index);
  return good && index <= max_index ? index : 0;
}

}  // namespace

LetorPieceSize measure_letor(const TextPiece& piece, std::size_t line,
                             std::size_t max_index) {
  LetorPieceSize size;
  const std::size_t next =
      for_each_line(piece, line, [&](const char* begin, const char* end, std::size_t) {
        const char* comment = find_comment(begin, end);
        if (skip_blanks(begin, comment) == comment) {
          return;
        }
        ++size.rows;
        size.features = std::max(size.features, last_index(begin, comment, max_index));
      });
  size.lines = next - line;
  size.digest = piece_digest(piece);
  return size;
}

void LetorReader::count(TextSource& source) {
  const std::size_t file = sizes_.size();
  for (const TextBatch* batch = &source.next(); !batch->empty(); batch = &source.next()) {
    host_.checkpoint();
    const std::size_t first = sizes_.size();
    sizes_.resize(first + batch->size());
    host_.parallel_for(batch->size(), [&](std::size_t i) {
      // A byte-order mark can stand only at the start of a file, so only that piece
      // counts as line 1.
      sizes_[first + i] =
          measure_letor((*batch)[i], first + i == file ? 1 : 2, options_.max_index);
    });
  }
  for (std::size_t i = file; i < sizes_.size(); ++i) {
    rows_ += sizes_[i].rows;
    features_ = std::max(features_, sizes_[i].features);
  }
  ends_.push_back(sizes_.size());
}

template <class MakeRows, class Take>
void LetorReader::read_pieces(TextSource& source, View<double> relevance,
                              View<int> queries, const MakeRows& make_rows,
                              const Take& take) {
  using Parser = PieceParser<decltype(make_rows(std::size_t{0}))>;
  const std::size_t last = ends_.at(texts_++);
  std::size_t line = 1;
  for (const TextBatch* batch = &source.next(); !batch->empty(); batch = &source.next()) {
    host_.checkpoint();
    if (piece_ + batch->size() > last) {
      throw TextChanged();
    }
    std::vector<Parser> parsers;
    std::vector<std::size_t> lines;
    for (std::size_t i = 0; i < batch->size(); ++i, ++piece_) {
      parsers.emplace_back(make_rows(row_), options_, relevance, row_,
                           sizes_[piece_].rows, sizes_[piece_].digest);
      lines.push_back(line);
      row_ += sizes_[piece_].rows;
      line += sizes_[piece_].lines;
    }
    host_.parallel_for(batch->size(),
                       [&](std::size_t i) { parsers[i].run((*batch)[i], lines[i]); });
    for (Parser& parser : parsers) {
      if (parser.failure()) {
        std::rethrow_exception(parser.failure());
      }
      take_queries(parser.runs(), queries);
      take_documents(parser.documents());
      take(parser.rows());
    }
  }
  if (piece_ != last) {
    throw TextChanged();
  }
}

void LetorReader::read(TextSource& source, MatrixView<double> x, View<double> relevance,
                       View<int> queries) {
  read_pieces(
      source, relevance, queries, [&](std::size_t row) { return DenseRows(x, row); },
      [](const DenseRows&) {});
}

void LetorReader::read(TextSource& source, CompressedRows& rows, View<double> relevance,
                       View<int> queries) {
  read_pieces(
      source, relevance, queries, [&](std::size_t) { return SparseRows(features_); },
      [&](const SparseRows& piece) { rows.append(piece.rows()); });
}

int LetorQueries::index_of(const LetorRun& run) {
  const auto entry = index_.emplace(run.id, static_cast<int>(ids_.size()));
  const int query = entry.first->second;
  if (entry.second) {
    ids_.push_back(run.id);
    apart_.push_back(false);
  } else if (query != last_ && !apart_[static_cast<std::size_t>(query)]) {
    apart_[static_cast<std::size_t>(query)] = true;
    ++scattered_;
  }
  last_ = query;
  return query;
}

void LetorReader::take_queries(const std::vector<LetorRun>& runs, View<int> queries) {
  for (const LetorRun& run : runs) {
    std::fill_n(queries.data() + filled_, run.rows, queries_.index_of(run));
    filled_ += run.rows;
  }
}

void LetorReader::take_documents(
    std::vector<std::pair<std::size_t, std::string>>& documents) {
  for (std::pair<std::size_t, std::string>& document : documents) {
    documents_.resize(document.first);
    documents_.push_back(std::move(document.second));
  }
}

}  // namespace rankmix::data

// Glue: lines of text files, for sources that are read in chunks.
//
// R's connections end silently where a compressed file was cut off, and cut lines at a NUL
// byte. Rows would be lost. So chunks are read by the reader of whole files.
#include <Rcpp.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/data/text.h"
#include "host_files.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "text_r.h"

namespace rankmix {

// Reads a file line by line.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : file_(path) {}

  // Up to `count` lines without their ends. The lines are valid until the next call.
  const std::vector<data::TextPiece>& next(std::size_t count) {
    lines_.clear();
    // A batch is valid until the next one is read, so only the first line may need one.
    if (!has_text() && !read_batch()) {
      return lines_;
    }
    while (lines_.size() < count && has_text()) {
      const data::TextPiece& piece = (*batch_)[piece_];
      const auto* end = static_cast<const char*>(
          std::memchr(at_, '\n', static_cast<std::size_t>(piece.end - at_)));
      lines_.push_back({at_, end});
      at_ = end + 1;
      if (at_ == piece.end) {
        ++piece_;
        at_ = has_text() ? (*batch_)[piece_].begin : nullptr;
      }
    }
    return lines_;
  }

 private:
  bool has_text() const { return batch_ != nullptr && piece_ < batch_->size(); }

  bool read_batch() {
    batch_ = &file_.next();
    piece_ = 0;
    for (const data::TextPiece& piece : *batch_) {
      line_ = data::check_no_nul(piece, line_);
    }
    at_ = has_text() ? batch_->front().begin : nullptr;
    return has_text();
  }

  TextFile file_;
  const data::TextBatch* batch_ = nullptr;
  std::size_t piece_ = 0;  // of the batch
  const char* at_ = nullptr;
  std::size_t line_ = 1;  // the first line of the next batch, from 1
  std::vector<data::TextPiece> lines_;
};

}  // namespace rankmix

using LineReaderPointer = Rcpp::XPtr<rankmix::LineReader>;

// A list with the reader, or with the element `error`.
// [[Rcpp::export(rng = false)]]
Rcpp::List open_lines(const std::string& path) {
  return rankmix::guarded([&] {
    return rankmix::read_text([&](int&) {
      auto reader = std::make_unique<rankmix::LineReader>(path);
      return Rcpp::List::create(Rcpp::Named("reader") =
                                    LineReaderPointer(reader.release()));
    });
  });
}

// A list with `lines`, at most `count`, or with the element `error`. There may be fewer lines
// before the end of the file, but no lines only at the end.
// [[Rcpp::export(rng = false)]]
Rcpp::List next_lines(SEXP reader, double count) {
  return rankmix::guarded([&] {
    return rankmix::read_text([&](int&) {
      const std::vector<rankmix::data::TextPiece>& lines =
          LineReaderPointer(reader)->next(static_cast<std::size_t>(count));
      auto out = rankmix::new_vector<Rcpp::CharacterVector>(lines.size());
      const SEXP texts = out;
      // A text of R has at most 2^31 - 1 bytes, and lines of files have fewer.
      Rcpp::unwindProtect([&lines, texts] {
        R_xlen_t i = 0;
        for (const auto& line : lines) {
          SET_STRING_ELT(
              texts, i++,
              Rf_mkCharLenCE(line.begin, static_cast<int>(line.end - line.begin),
                             CE_NATIVE));
        }
        return R_NilValue;
      });
      return Rcpp::List::create(Rcpp::Named("lines") = out);
    });
  });
}

// Closes the file at once, not when R frees the reader.
// [[Rcpp::export(rng = false)]]
void close_lines(SEXP reader) { LineReaderPointer(reader).release(); }

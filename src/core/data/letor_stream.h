// Reads LETOR text of any size, batch by batch, into a table on disk. Each batch is read
// once. The format is described in core/data/letor.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/host.h"
#include "core/data/column_store.h"
#include "core/data/letor.h"
#include "core/data/text.h"

namespace rankmix::data {

// Largest feature index. The table is dense, so wide rows would fill the disk with zeros.
constexpr std::size_t kMaxStreamIndex = 10000;

class LetorStream {
 public:
  // `size` is the size of all texts, for the progress; 0 if that is not known.
  LetorStream(const LetorOptions& options, Host& host, std::uint64_t size = 0)
      : options_(options), host_(host), size_(size) {}

  // Appends the rows of a text. Call it once for each file.
  void read(TextSource& source, ColumnStore& store);
  // One element for each row. Queries are indices in query_ids(), from 0.
  const std::vector<double>& relevance() const { return relevance_; }
  const std::vector<int>& queries() const { return queries_; }
  const std::vector<std::string>& query_ids() const { return ids_.ids(); }
  std::size_t scattered() const { return ids_.scattered(); }
  // Same as LetorReader::documents().
  const std::vector<std::string>& documents() const { return documents_; }

 private:
  // The pieces of a batch, with their sizes. The batch begins at this line.
  struct Part {
    const TextPiece* pieces;
    const LetorPieceSize* sizes;
    std::size_t count;
    std::size_t line;
  };
  // Reads a batch that begins at `line`. Returns the number of the line after the batch.
  std::size_t read_batch(const TextBatch& batch, std::size_t line, ColumnStore& store);
  void read_part(const Part& part, ColumnStore& store);

  LetorOptions options_;
  Host& host_;
  std::uint64_t size_;
  std::uint64_t done_ = 0;  // size of the texts that were read completely
  std::size_t features_ = 0;
  std::vector<double> relevance_;
  std::vector<int> queries_;
  LetorQueries ids_;
  std::vector<std::string> documents_;
};

}  // namespace rankmix::data

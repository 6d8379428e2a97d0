// Reads LETOR text: "grade qid:ID feature:value ... # comment", one document a line; a
// comment may give the id of the document as "docid = X".
//
// The text is gone through twice: first its rows and features are counted, so that the
// matrix can be made in its size, then it is parsed straight into that. A text that is
// not the same the second time, piece by piece, throws TextChanged, so that no row is
// left as it was made. Pieces of a batch are worked on in parallel; what comes out
// depends on the text alone. Features that a line leaves out are 0, "NULL", "NA" and
// "NaN" are missing. Numbers round exactly as strtod() rounds them. The first line that
// does not parse throws TextError.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/sparse.h"
#include "core/data/text.h"

namespace rankmix::data {

// A dense matrix with more features would not fit in memory; such an index is a typing
// error more often than data.
constexpr std::size_t kMaxDenseIndex = 100000;
constexpr std::size_t kMaxSparseIndex = 1000000;

struct LetorOptions {
  std::size_t max_index = kMaxDenseIndex;
  bool queries = true;                                        // whether lines have a qid
  double missing = std::numeric_limits<double>::quiet_NaN();  // marks a missing value
};

// Lines of one query that stand together.
struct LetorRun {
  std::string id;
  std::size_t rows;
};

class LetorReader {
 public:
  LetorReader(const LetorOptions& options, Host& host) : options_(options), host_(host) {}

  // The first time through the text; once for each of several files.
  void count(TextSource& source);
  std::size_t rows() const { return rows_; }
  // The largest index; what lines that do not parse have counts for nothing.
  std::size_t features() const { return features_; }

  // The second time, in the same order of files: x has rows() x at least features()
  // elements, the others rows(); `queries` are not touched where lines have no qid.
  void read(TextSource& source, MatrixView<double> x, View<int> grades,
            View<int> queries);
  // The same, with the values that are not 0 appended to `rows`.
  void read(TextSource& source, CompressedRows& rows, View<int> grades,
            View<int> queries);
  // For each row the position of its query, from 0, in query_ids(), which are in order of
  // appearance.
  const std::vector<std::string>& query_ids() const { return query_ids_; }
  // How many queries have lines that do not all stand together.
  std::size_t scattered() const { return scattered_; }
  // The ids in comments "#docid = X" of the first rows; empty text where a row has none,
  // and nothing for the rows after the last one that has.
  const std::vector<std::string>& documents() const { return documents_; }

 private:
  struct PieceSize {
    std::size_t rows = 0;
    std::size_t lines = 0;
    std::size_t features = 0;
    std::uint64_t digest = 0;
  };
  PieceSize measure(const TextPiece& piece, std::size_t line) const;
  template <class MakeRows, class Take>
  void read_pieces(TextSource& source, View<int> grades, View<int> queries,
                   const MakeRows& make_rows, const Take& take);
  void take_queries(const std::vector<LetorRun>& runs, View<int> queries);
  void take_documents(std::vector<std::pair<std::size_t, std::string>>& documents);

  LetorOptions options_;
  Host& host_;
  std::vector<PieceSize> sizes_;   // of all pieces, in order
  std::vector<std::size_t> ends_;  // of each text among the pieces
  std::size_t texts_ = 0;          // read so far
  std::size_t rows_ = 0;
  std::size_t features_ = 0;
  std::size_t scattered_ = 0;
  std::size_t piece_ = 0;   // read so far
  std::size_t row_ = 0;     // read so far
  std::size_t filled_ = 0;  // rows whose query is known
  int last_query_ = -1;
  std::vector<std::string> query_ids_;
  std::vector<bool> apart_;  // of the queries that were met again
  std::vector<std::string> documents_;
  std::unordered_map<std::string, int> query_index_;
};

}  // namespace rankmix::data

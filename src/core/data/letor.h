// Reads LETOR text: "relevance qid:ID feature:value ... # comment", one document a line. The
// comment may contain the id of the document as "docid = X".
//
// The text is read twice. count() counts rows and features, so that the caller can
// allocate the matrix. read() parses the text into that matrix. If a piece differs at the
// second reading, read() throws TextChanged, because rows could otherwise stay
// uninitialised. The pieces of a batch are parsed in parallel, and the result depends on
// the text alone. Features that are not listed are 0; "NULL", "NA" and "NaN" are missing.
// Numbers are rounded exactly as by strtod(). TextError reports the first line that does
// not parse.
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

// Limits of the feature index. A dense matrix with more features would not fit in memory.
// A larger index is usually a typing error.
constexpr std::size_t kMaxDenseIndex = 100000;
constexpr std::size_t kMaxSparseIndex = 1000000;

struct LetorOptions {
  std::size_t max_index = kMaxDenseIndex;
  bool queries = true;  // lines have a qid
  bool graded = true;   // the relevance must be a grade, otherwise any finite number
  double missing = std::numeric_limits<double>::quiet_NaN();  // value for missing values
};

// Consecutive lines of one query.
struct LetorRun {
  std::string id;
  std::size_t rows;
};

// The queries of all lines so far.
class LetorQueries {
 public:
  // Returns the index of the query of this run of lines.
  int index_of(const LetorRun& run);
  // The ids in order of appearance.
  const std::vector<std::string>& ids() const { return ids_; }
  // Number of queries whose lines are not all consecutive.
  std::size_t scattered() const { return scattered_; }

 private:
  std::size_t scattered_ = 0;
  int last_ = -1;
  std::vector<std::string> ids_;
  std::vector<bool> apart_;  // per query: its lines are not all consecutive
  std::unordered_map<std::string, int> index_;
};

// The contents of one piece of text, known before parsing.
struct LetorPieceSize {
  std::size_t rows = 0;
  std::size_t lines = 0;
  std::size_t features = 0;
  std::uint64_t digest = 0;
};
LetorPieceSize measure_letor(const TextPiece& piece, std::size_t line,
                             std::size_t max_index);

class LetorReader {
 public:
  LetorReader(const LetorOptions& options, Host& host) : options_(options), host_(host) {}

  // The first reading. Call it once for each file.
  void count(TextSource& source);
  std::size_t rows() const { return rows_; }
  // The largest feature index. Lines that do not parse do not count.
  std::size_t features() const { return features_; }

  // The second reading, with the files in the same order. `x` has rows() rows and at
  // least features() columns. `relevance` and `queries` have rows() elements. `queries` is
  // not written if lines have no qid.
  void read(TextSource& source, MatrixView<double> x, View<double> relevance,
            View<int> queries);
  // Reads sparse data: values that are not 0 are appended to `rows`.
  void read(TextSource& source, CompressedRows& rows, View<double> relevance,
            View<int> queries);
  // The ids of the queries in order of appearance. `queries` of read() has positions in
  // this vector, from 0.
  const std::vector<std::string>& query_ids() const { return queries_.ids(); }
  std::size_t scattered() const { return queries_.scattered(); }
  // The ids in comments "#docid = X". A row without an id has an empty string. The vector
  // ends at the last row that has an id.
  const std::vector<std::string>& documents() const { return documents_; }

 private:
  template <class MakeRows, class Take>
  void read_pieces(TextSource& source, View<double> relevance, View<int> queries,
                   const MakeRows& make_rows, const Take& take);
  void take_queries(const std::vector<LetorRun>& runs, View<int> queries);
  void take_documents(std::vector<std::pair<std::size_t, std::string>>& documents);

  LetorOptions options_;
  Host& host_;
  std::vector<LetorPieceSize> sizes_;  // of all pieces, in order
  std::vector<std::size_t> ends_;      // end of each text among the pieces
  std::size_t texts_ = 0;              // texts read so far
  std::size_t rows_ = 0;
  std::size_t features_ = 0;
  std::size_t piece_ = 0;   // pieces read so far
  std::size_t row_ = 0;     // rows read so far
  std::size_t filled_ = 0;  // rows whose query is set
  LetorQueries queries_;
  std::vector<std::string> documents_;
};

}  // namespace rankmix::data

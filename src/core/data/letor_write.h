// Writes LETOR text: the other direction of core/data/letor.h.
#pragma once
#include <string>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

// What a row is, but for its features.
struct LetorRow {
  int grade;
  const char* query;
  const char* document;  // null where it has none
};

// Takes the text piece by piece.
class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual void write(const std::string& text) = 0;
};

// Appends a line: every feature of row i in the shortest decimals that are read back as
// the same number, missing ones as NULL.
void append_letor_line(std::string& text, MatrixView<const double> x, std::size_t i,
                       const LetorRow& row);

// Writes all rows in order; row_of(i) gives what is not in x, on any thread.
template <class RowOf>
void write_letor(MatrixView<const double> x, const RowOf& row_of, Host& host,
                 TextSink& sink) {
  constexpr std::size_t rows_of_task = 256;
  constexpr std::size_t tasks = 16;
  std::vector<std::string> texts(tasks);
  for (std::size_t first = 0; first < x.rows(); first += tasks * rows_of_task) {
    host.checkpoint();
    host.parallel_for(tasks, [&](std::size_t t) {
      texts[t].clear();
      const std::size_t begin = first + t * rows_of_task;
      for (std::size_t i = begin; i < begin + rows_of_task && i < x.rows(); ++i) {
        append_letor_line(texts[t], x, i, row_of(i));
      }
    });
    for (const std::string& text : texts) {
      sink.write(text);
    }
  }
}

}  // namespace rankmix::data

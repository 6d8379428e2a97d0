// Texts and the failures of their readers, as R values.
#pragma once
#include <Rcpp.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/text.h"
#include "host_files.h"
#include "memory_r.h"

namespace rankmix {

// Empty strings and rows after the last string are NA.
inline Rcpp::CharacterVector utf8_vector(const std::vector<std::string>& strings,
                                         std::size_t rows) {
  auto out = new_vector<Rcpp::CharacterVector>(rows);
  const SEXP texts = out;
  Rcpp::unwindProtect([&strings, texts, rows] {
    for (std::size_t i = 0; i < rows; ++i) {
      const bool known = i < strings.size() && !strings[i].empty();
      SET_STRING_ELT(texts, static_cast<R_xlen_t>(i),
                     !known
                         ? NA_STRING
                         : Rf_mkCharLenCE(strings[i].data(),
                                          static_cast<int>(strings[i].size()), CE_UTF8));
    }
    return R_NilValue;
  });
  return out;
}

// The description of a failure to read a file: `kind` is "parse", "file" or "changed".
inline Rcpp::List text_failure(const std::string& kind, const std::string& problem) {
  return Rcpp::List::create(Rcpp::Named("kind") = kind, Rcpp::Named("error") = problem);
}

// Returns the result of read(at), or a list with the element `error`. read() sets `at` to
// the index of the current file.
template <class Read>
Rcpp::List read_text(const Read& read) {
  int at = 0;
  Rcpp::List failure;
  try {
    return read(at);
  } catch (const FileError& e) {
    failure = text_failure("file", e.what());
  } catch (const data::TextChanged& e) {
    failure = text_failure("changed", e.what());
  } catch (const data::TextError& e) {
    failure = text_failure("parse", e.what());
    failure["line"] = static_cast<double>(e.line);
    // Converted separately, because utf8_vector() turns empty strings into NA.
    failure["found"] =
        e.found.empty() ? Rcpp::CharacterVector::create("") : utf8_vector({e.found}, 1);
    failure["remedy"] = e.remedy;
  }
  failure["file"] = at + 1;
  return failure;
}

// 16 hexadecimal digits.
std::string hexadecimal(std::uint64_t number);

}  // namespace rankmix

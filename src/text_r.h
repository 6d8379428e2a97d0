// Texts and the failures of their readers, as R values.
#pragma once
#include <Rcpp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/data/text.h"
#include "host_files.h"
#include "memory_r.h"

namespace rankmix {

// The string of R, or NA for an empty text. May raise an error of R, such as for a text with
// a byte of 0. So it is called inside of Rcpp::unwindProtect().
inline SEXP utf8_string(const std::string& text) {
  return text.empty()
             ? NA_STRING
             : Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8);
}

// Empty strings and rows after the last string are NA.
inline Rcpp::CharacterVector utf8_vector(const std::vector<std::string>& strings,
                                         std::size_t rows) {
  auto out = new_vector<Rcpp::CharacterVector>(rows);
  const SEXP texts = out;
  Rcpp::unwindProtect([&strings, texts, rows] {
    for (std::size_t i = 0; i < rows; ++i) {
      SET_STRING_ELT(texts, static_cast<R_xlen_t>(i),
                     i < strings.size() ? utf8_string(strings[i]) : NA_STRING);
    }
    return R_NilValue;
  });
  return out;
}

// The texts that make(i, text) appends to an empty text. Empty texts are NA.
template <class Make>
Rcpp::CharacterVector made_texts(std::size_t size, const Make& make) {
  auto out = new_vector<Rcpp::CharacterVector>(size);
  const SEXP texts = out;
  // make() may throw, which must not happen inside of unwindProtect().
  std::vector<std::string> block(std::min<std::size_t>(size, 1024));
  for (std::size_t first = 0; first < size; first += block.size()) {
    const std::size_t count = std::min(block.size(), size - first);
    for (std::size_t k = 0; k < count; ++k) {
      block[k].clear();
      make(first + k, block[k]);
    }
    Rcpp::unwindProtect([&block, texts, first, count] {
      for (std::size_t k = 0; k < count; ++k) {
        SET_STRING_ELT(texts, static_cast<R_xlen_t>(first + k), utf8_string(block[k]));
      }
      return R_NilValue;
    });
  }
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

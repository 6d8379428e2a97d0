// Hashes of queries, to detect evaluations that are not comparable.
//
// grade_digests(): a hash of the grades of the documents of each query, independent of
// their order. If `documents` has hashes of document ids, the hash covers them too. It is
// a sum of pseudo-random integers below 2^32, one for each judged document. Doubles hold
// the sum exactly for up to 2^21 documents. If two evaluations have different hashes,
// their judgements differ.
//
// ranking_digests(): a hash of the order of the documents of each query. `ranked` lists
// the rows of each query, best first. Hashes have 53 bits, so that doubles hold them
// exactly.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::compare {

// `documents` has a hash of the id of each document. It is empty if documents have no
// ids.
inline std::vector<double> grade_digests(View<const int> grades,
                                         View<const std::uint64_t> documents,
                                         const data::Queries& queries) {
  std::vector<double> digests;
  digests.reserve(queries.count());
  for (std::size_t q = 0; q < queries.count(); ++q) {
    double sum = 0.0;
    const View<const int> rows = queries.rows_of(q);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = static_cast<std::size_t>(rows[i]);
      if (grades[row] >= 0) {
        const std::uint64_t document = documents.empty() ? 0 : documents[row];
        const auto grade = static_cast<std::uint64_t>(grades[row]);
        sum += static_cast<double>(mix_bits(document ^ mix_bits(grade)) >> 32);
      }
    }
    digests.push_back(sum);
  }
  return digests;
}

inline std::vector<double> ranking_digests(const data::Queries& ranked) {
  std::vector<double> digests;
  digests.reserve(ranked.count());
  for (std::size_t q = 0; q < ranked.count(); ++q) {
    std::uint64_t digest = 0;
    for (const int row : ranked.rows_of(q)) {
      digest = mix_bits(digest ^ static_cast<std::uint64_t>(row));
    }
    digests.push_back(static_cast<double>(digest >> 11));
  }
  return digests;
}

}  // namespace rankmix::compare

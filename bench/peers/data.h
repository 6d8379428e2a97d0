// The shared binary format: int32 documents, features, queries; features by column as
// float32; grades as float32; the number of documents of each query as int32.

#ifndef RANKMIX_BENCH_PEERS_DATA_H
#define RANKMIX_BENCH_PEERS_DATA_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace peers {

struct Data {
  int documents = 0;
  int features = 0;
  std::vector<float> columns;
  std::vector<float> grades;
  std::vector<std::int32_t> sizes;
};

template <typename T>
void read_values(std::ifstream& file, std::vector<T>& values, std::size_t n) {
  values.resize(n);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(n * sizeof(T)));
}

inline Data read_bin(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::int32_t> header;
  Data data;
  read_values(file, header, 3);
  if (file) {
    data.documents = header[0];
    data.features = header[1];
    const auto n = static_cast<std::size_t>(data.documents);
    read_values(file, data.columns, n * static_cast<std::size_t>(data.features));
    read_values(file, data.grades, n);
    read_values(file, data.sizes, static_cast<std::size_t>(header[2]));
  }
  if (!file) throw std::runtime_error("Cannot read '" + path + "'.");
  return data;
}

// The features of each document side by side. Blocks keep the writes in the cache.
inline std::vector<float> rows_of(const Data& data) {
  const auto n = static_cast<std::size_t>(data.documents);
  const auto p = static_cast<std::size_t>(data.features);
  constexpr std::size_t kBlock = 512;
  std::vector<float> rows(n * p);
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t end = std::min(n, begin + kBlock);
    for (std::size_t j = 0; j < p; ++j) {
      for (std::size_t i = begin; i < end; ++i) rows[i * p + j] = data.columns[j * n + i];
    }
  }
  return rows;
}

}  // namespace peers

#endif

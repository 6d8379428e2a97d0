#include "data_file.h"

#include <cstdint>
#include <fstream>
#include <numeric>
#include <stdexcept>

namespace replay {
namespace {

template <class T>
std::vector<T> read_some(std::ifstream& in, std::size_t count) {
  std::vector<T> values(count);
  in.read(reinterpret_cast<char*>(values.data()),
          static_cast<std::streamsize>(count * sizeof(T)));
  if (!in) {
    throw std::runtime_error("the file of data is too short");
  }
  return values;
}

}  // namespace

DataSet read_data(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const auto sizes = read_some<std::int32_t>(in, 3);
  DataSet data;
  data.rows = static_cast<std::size_t>(sizes[0]);
  data.columns = static_cast<std::size_t>(sizes[1]);
  data.x.reserve(data.rows * data.columns);
  for (std::size_t j = 0; j < data.columns; ++j) {
    const auto column = read_some<float>(in, data.rows);
    data.x.insert(data.x.end(), column.begin(), column.end());
  }
  for (float grade : read_some<float>(in, data.rows)) {
    data.grades.push_back(static_cast<int>(grade));
    data.targets.push_back(static_cast<double>(grade));
  }
  for (std::int32_t size :
       read_some<std::int32_t>(in, static_cast<std::size_t>(sizes[2]))) {
    data.offsets.push_back(data.offsets.back() + size);
  }
  data.order.resize(data.rows);
  std::iota(data.order.begin(), data.order.end(), 0);
  return data;
}

}  // namespace replay

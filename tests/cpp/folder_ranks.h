// Ranks for tests: processes, also on different processors, that share files in a
// folder. A file has the bytes of one call of one rank: the kind of the call, then its
// numbers.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/reducer.h"
#include "thread_host.h"

// Both processors must be little endian and have the same doubles.
class FolderReducer : public rankmix::Reducer {
 public:
  FolderReducer(std::filesystem::path folder, std::size_t rank, std::size_t size)
      : folder_(std::move(folder)), rank_(rank), size_(size) {}
  std::size_t size() const override { return size_; }
  std::size_t rank() const override { return rank_; }
  std::size_t calls() const { return calls_; }

  std::vector<std::vector<std::uint8_t>> gather(
      rankmix::View<const std::uint8_t> bytes) override {
    std::vector<std::vector<std::uint8_t>> parts;
    for (const std::string& text : meet('g', std::string(bytes.begin(), bytes.end()))) {
      parts.emplace_back(text.begin(), text.end());
    }
    return parts;
  }

 private:
  void add_doubles(rankmix::View<double> numbers) override {
    combine('a', numbers, [](double a, double b) { return a + b; });
  }
  void max_doubles(rankmix::View<double> numbers) override {
    combine('m', numbers, [](double a, double b) { return std::max(a, b); });
  }

  template <class Combine>
  void combine(char kind, rankmix::View<double> numbers, const Combine& both) {
    std::string own(numbers.size() * sizeof(double), '\0');
    std::memcpy(&own[0], numbers.data(), own.size());
    const std::vector<std::string> parts = meet(kind, own);
    std::vector<double> part(numbers.size());
    for (std::size_t rank = 0; rank < size_; ++rank) {
      if (parts[rank].size() != own.size()) {
        throw std::runtime_error("ranks reduce vectors of different lengths");
      }
      std::memcpy(part.data(), parts[rank].data(), own.size());
      for (std::size_t i = 0; i < part.size(); ++i) {
        numbers[i] = rank == 0 ? part[i] : both(numbers[i], part[i]);
      }
    }
  }

  std::filesystem::path file_of(std::size_t call, std::size_t rank) const {
    return folder_ / (std::to_string(call) + "-" + std::to_string(rank));
  }

  // The bytes of all ranks. A rank that has begun the next call has read the files of
  // this call.
  std::vector<std::string> meet(char kind, const std::string& bytes) {
    const std::filesystem::path partial = folder_ / ("partial-" + std::to_string(rank_));
    std::ofstream(partial, std::ios::binary) << kind << bytes;
    std::filesystem::rename(partial, file_of(calls_, rank_));
    std::vector<std::string> parts;
    for (std::size_t rank = 0; rank < size_; ++rank) {
      parts.push_back(read(file_of(calls_, rank)));
      if (parts.back()[0] != kind) {
        throw std::runtime_error("ranks make different calls");
      }
      parts.back().erase(0, 1);
    }
    if (calls_ > 0) {
      std::filesystem::remove(file_of(calls_ - 1, rank_));
    }
    ++calls_;
    return parts;
  }

  // Throws if a rank does not answer in time, so that the test ends.
  std::string read(const std::filesystem::path& file) const {
    for (int waited = 0; !std::filesystem::exists(file); ++waited) {
      if (waited == 600000) {
        throw std::runtime_error("a rank did not come");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

  std::filesystem::path folder_;
  std::size_t rank_;
  std::size_t size_;
  std::size_t calls_ = 0;
};

class FolderHost : public ThreadHost {
 public:
  FolderHost(const std::filesystem::path& folder, std::size_t rank, std::size_t size)
      : ThreadHost(1), reducer_(folder, rank, size) {}
  rankmix::Reducer& reducer() override { return reducer_; }
  std::size_t calls() const { return reducer_.calls(); }

 private:
  FolderReducer reducer_;
};

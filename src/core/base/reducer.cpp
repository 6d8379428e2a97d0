#include "core/base/reducer.h"

#include "core/base/word_sums.h"

namespace rankmix {

std::vector<std::vector<std::uint8_t>> Reducer::gather(View<const std::uint8_t> bytes) {
  return {std::vector<std::uint8_t>(bytes.begin(), bytes.end())};
}

void Reducer::add(View<double> numbers) {
  if (!is_alone() && !numbers.empty()) {
    add_doubles(numbers);
  }
}

void Reducer::max(View<double> numbers) {
  if (!is_alone() && !numbers.empty()) {
    max_doubles(numbers);
  }
}

void Reducer::min(View<double> numbers) {
  for (double& number : numbers) {
    number = -number;
  }
  max(numbers);
  for (double& number : numbers) {
    number = -number;
  }
}

void Reducer::add(View<std::uint32_t> numbers) {
  if (is_alone()) {
    return;
  }
  if (adds_words(numbers.size())) {
    add_words(numbers);
    return;
  }
  buffer_.assign(numbers.begin(), numbers.end());
  add(View<double>(buffer_.data(), buffer_.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(buffer_[i]));
  }
}

template <class Integer>
void Reducer::add_halves(View<Integer> numbers) {
  if (is_alone()) {
    return;
  }
  if (size() <= kMaxRanksOfWords && adds_words(2 * numbers.size())) {
    split_words(numbers, size(), words_);
    add_words(View<std::uint32_t>(words_.data(), words_.size()));
    join_words(words_, size(), numbers);
    return;
  }
  buffer_.resize(2 * numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto bits = static_cast<std::uint64_t>(numbers[i]);
    buffer_[2 * i] = static_cast<double>(bits & 0xFFFFFFFFU);
    buffer_[2 * i + 1] = static_cast<double>(bits >> 32);
  }
  add(View<double>(buffer_.data(), buffer_.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto low = static_cast<std::uint64_t>(buffer_[2 * i]);
    const auto high = static_cast<std::uint64_t>(buffer_[2 * i + 1]);
    numbers[i] = static_cast<Integer>(low + (high << 32));
  }
}

void Reducer::add(View<std::uint64_t> numbers) { add_halves(numbers); }
void Reducer::add(View<std::int64_t> numbers) { add_halves(numbers); }

double Reducer::sum_of(double number) {
  add(View<double>(&number, 1));
  return number;
}
std::int64_t Reducer::sum_of(std::int64_t number) {
  add(View<std::int64_t>(&number, 1));
  return number;
}
std::uint64_t Reducer::sum_of(std::uint64_t number) {
  add(View<std::uint64_t>(&number, 1));
  return number;
}
double Reducer::max_of(double number) {
  max(View<double>(&number, 1));
  return number;
}
double Reducer::min_of(double number) {
  min(View<double>(&number, 1));
  return number;
}

Reducer& single_rank() {
  static Reducer alone;
  return alone;
}

}  // namespace rankmix

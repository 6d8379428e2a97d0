// Random numbers as a hash of (seed, purpose, round, index).
//
// A number depends on these four values, not on its position in a sequence. So it does
// not depend on the thread or on the order of calls, and neighbouring seeds or rounds
// give unrelated numbers. The hash is the finaliser of SplitMix64 (Steele, Lea & Flood
// 2014, doi:10.1145/2660193.2660195).
#pragma once
#include <cstdint>

namespace rankmix {

enum class Purpose : std::uint64_t {
  kFeatureSample = 1,
  kClassifier = 2,
  kDocumentSample = 3,
  kBandit = 4,
  kSignFlip = 5,
  kBootstrap = 6,
  kObjective = 7,
  kStart = 8,
  kFeatureOrder = 9,
  kInitialWeights = 10,
  kBatches = 11,
  kDropout = 12,
  kPermutation = 13,
  kBag = 21,
  kQuerySample = 31,
  kTreeDropout = 32,
  kRounding = 41
};

inline std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// The part of the hash that all numbers of a round share: mix_bits(stream ^ index) is the
// number at `index`.
inline std::uint64_t random_stream(std::uint64_t seed, Purpose purpose,
                                   std::uint64_t round) {
  std::uint64_t h = mix_bits(seed);
  h = mix_bits(h ^ static_cast<std::uint64_t>(purpose));
  return mix_bits(h ^ round);
}

// The 64-bit random number for these values.
inline std::uint64_t random_bits(std::uint64_t seed, Purpose purpose, std::uint64_t round,
                                 std::uint64_t index) {
  return mix_bits(random_stream(seed, purpose, round) ^ index);
}

// Converts random bits to a uniform number in [0, 1), from the upper 53 bits.
inline double unit_uniform(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) / static_cast<double>(std::uint64_t{1} << 53);
}

}  // namespace rankmix

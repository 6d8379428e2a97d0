#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/boost/term_signs.h"
#include "thread_host.h"

using rankmix::View;
namespace boost = rankmix::boost;

namespace {

// A plain implementation of TermSigns, with one number for each row.
class PlainSigns {
 public:
  PlainSigns(std::size_t rows, std::size_t terms)
      : sides(terms, boost::LeafIds(rows, 0)), known(sides) {}

  boost::LeafIds needed(std::size_t j) const {
    boost::LeafIds signs(sides[0].size(), 0);
    for (std::size_t k = 0; k < sides.size(); ++k) {
      for (std::size_t i = 0; k != j && i < signs.size(); ++i) {
        signs[i] ^= sides[k][i];
      }
    }
    return signs;
  }

  // The number of rows in which the nearest of the first `positions` sums differ, up to
  // their sign.
  std::size_t fewest(std::size_t j, std::size_t positions) const {
    const boost::LeafIds need = needed(j);
    std::size_t fewest = need.size() + 1;
    for (std::size_t k = 0; k < positions; ++k) {
      std::size_t differ = 0;
      for (std::size_t i = 0; i < need.size(); ++i) {
        differ += need[i] ^ known[k][i];
      }
      fewest = std::min({fewest, differ, need.size() - differ});
    }
    return fewest;
  }

  boost::TurnedRows rest(const boost::NearestSums& nearest, std::size_t j,
                         const std::vector<std::uint32_t>& row_of) const {
    const boost::LeafIds need = needed(j);
    boost::TurnedRows rest;
    for (std::size_t i = 0; i < need.size(); ++i) {
      if ((need[i] ^ known[nearest.position][i]) != (nearest.negated == 0 ? 0U : 1U)) {
        rest.rows.push_back(row_of.empty() ? static_cast<std::uint32_t>(i) : row_of[i]);
        rest.negated.push_back(static_cast<std::int8_t>(need[i] == 1 ? -1 : 0));
      }
    }
    return rest;
  }

  std::vector<boost::LeafIds> sides;
  std::vector<boost::LeafIds> known;  // the signs in the sums of each position
};

std::size_t wrong_parities(const boost::TermSigns& signs, const PlainSigns& plain,
                           std::size_t j) {
  const boost::LeafIds need = plain.needed(j);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < need.size(); ++i) {
    wrong += signs.parity_without(j, i) == need[i] ? 0 : 1;
    wrong += signs.parity(i) == (need[i] ^ plain.sides[j][i]) ? 0 : 1;
  }
  return wrong;
}

}  // namespace

TEST_CASE("bits of a word are counted and found") {
  CHECK(rankmix::bit_count(0) == 0);
  CHECK(rankmix::bit_count(~std::uint64_t{0}) == 64);
  std::mt19937_64 random(21);
  for (int k = 0; k < 200; ++k) {
    const std::uint64_t word = random() & random();
    std::vector<std::size_t> expected;
    for (std::size_t bit = 0; bit < 64; ++bit) {
      if ((word >> bit & 1U) != 0) {
        expected.push_back(bit);
      }
    }
    std::vector<std::size_t> found;
    rankmix::for_each_bit(word, [&](std::size_t bit) { found.push_back(bit); });
    CHECK(found == expected);
    CHECK(rankmix::bit_count(word) == expected.size());
  }
}

// Terms are fitted one after the other, and then refitted in turn. There are fewer
// positions for sums than terms.
TEST_CASE("the nearest sums and their wrong rows equal a search row by row") {
  ThreadHost host(3);
  constexpr std::size_t terms = 4;
  constexpr std::size_t positions = 3;
  std::mt19937 random(22);
  for (std::size_t rows : {std::size_t{1}, std::size_t{64}, std::size_t{2 * 8192 + 77}}) {
    boost::TermSigns signs;
    signs.reset(rows, terms, positions);
    CHECK(signs.rows() == rows);
    PlainSigns plain(rows, terms);
    std::vector<std::uint32_t> sample(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      sample[i] = static_cast<std::uint32_t>(3 * i + 1);
    }
    for (std::size_t step = 0; step < 6 * terms; ++step) {
      const std::size_t j = step % terms;
      const std::vector<std::uint32_t> row_of =
          step % 2 == 0 ? sample : std::vector<std::uint32_t>();
      boost::TurnedRows listed;
      if (step > 0) {
        const std::size_t fitted = std::min(step, positions);
        const boost::NearestSums nearest = signs.nearest(j, fitted, host);
        CHECK(nearest.rows == plain.fewest(j, fitted));
        signs.list_rest(nearest, j, j % positions, row_of, host, listed);
        const boost::TurnedRows expected = plain.rest(nearest, j, row_of);
        CHECK(listed.rows == expected.rows);
        CHECK(listed.negated == expected.negated);
        plain.known[j % positions] = plain.needed(j);
      }
      std::vector<std::int8_t> negated;
      signs.turn_all(j, host, negated);
      std::vector<std::int8_t> expected_turned;
      for (std::uint32_t bit : plain.needed(j)) {
        expected_turned.push_back(static_cast<std::int8_t>(bit == 1 ? -1 : 0));
      }
      CHECK(negated == expected_turned);
      // With each step, more rows are on one side.
      for (std::uint32_t& side : plain.sides[j]) {
        side = random() % (step + 2) == 0 ? 1 : 0;
      }
      signs.set_sides(j, plain.sides[j], host);
      CHECK(wrong_parities(signs, plain, j) == 0);
    }
  }
}

// Compares products of strips of rows with plain sums. The bits must be the same in
// wide registers.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "core/base/simd.h"
#include "core/linear/strips.h"
#include "draw.h"

namespace linear = rankmix::linear;

namespace {

struct Case {
  std::size_t rows;
  std::size_t stride;
  std::size_t columns;
  std::size_t classes;
  std::vector<double> x;
  std::vector<double> weights;  // by column, then class
  std::vector<double> values;   // by class, then row

  linear::Strip strip() const { return {x.data(), stride, columns, rows}; }
};

std::vector<double> numbers(std::size_t count, std::mt19937& random) {
  draw::Normal<double> normal;
  std::vector<double> drawn(count);
  for (double& one : drawn) {
    one = normal(random);
  }
  return drawn;
}

Case make_case(std::size_t rows, std::size_t columns, std::size_t classes,
               std::mt19937& random) {
  const std::size_t stride = rows + 3;  // a strip can begin at any row of a longer matrix
  return {rows,
          stride,
          columns,
          classes,
          numbers(stride * columns, random),
          numbers(columns * classes, random),
          numbers(rows * classes, random)};
}

std::vector<double> products_of(const Case& of) {
  std::vector<double> products(of.values);
  linear::multiply_strip(of.strip(), of.weights.data(), of.classes, products.data());
  return products;
}

std::vector<double> sums_of(const Case& of) {
  std::vector<double> sums(of.weights);
  linear::add_strip(of.strip(), of.values.data(), of.classes, sums.data());
  return sums;
}

// The results include the initial values, to which products are added.
bool products_are_sums(const Case& of, const std::vector<double>& products) {
  for (std::size_t k = 0; k < of.classes; ++k) {
    for (std::size_t r = 0; r < of.rows; ++r) {
      double sum = of.values[k * of.rows + r];
      for (std::size_t j = 0; j < of.columns; ++j) {
        sum += of.x[j * of.stride + r] * of.weights[j * of.classes + k];
      }
      if (std::abs(products[k * of.rows + r] - sum) > 1e-12) {
        return false;
      }
    }
  }
  return true;
}

bool sums_are_sums(const Case& of, const std::vector<double>& sums) {
  for (std::size_t j = 0; j < of.columns; ++j) {
    for (std::size_t k = 0; k < of.classes; ++k) {
      double sum = of.weights[j * of.classes + k];
      for (std::size_t r = 0; r < of.rows; ++r) {
        sum += of.x[j * of.stride + r] * of.values[k * of.rows + r];
      }
      if (std::abs(sums[j * of.classes + k] - sum) > 1e-11) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

TEST_CASE("strips of rows are multiplied and summed, in wide registers bit for bit") {
  std::mt19937 random(7);
  for (const std::size_t rows : {16U, 112U, 256U}) {
    for (const std::size_t columns : {1U, 2U, 7U, 10U}) {
      for (const std::size_t classes : {1U, 3U, 4U, 5U, 9U}) {
        const Case of = make_case(rows, columns, classes, random);
        const std::vector<double> products = products_of(of);
        const std::vector<double> sums = sums_of(of);
        rankmix::allow_avx2(false);
        CHECK(products_of(of) == products);
        CHECK(sums_of(of) == sums);
        rankmix::allow_avx2(true);
        CHECK(products_are_sums(of, products));
        CHECK(sums_are_sums(of, sums));
      }
    }
  }
}

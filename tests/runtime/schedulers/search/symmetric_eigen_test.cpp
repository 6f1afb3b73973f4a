#include "runtime/schedulers/search/symmetric_eigen.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "runtime/kernel/random.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using search::symmetric_eigen;
using search::SymmetricEigen;

namespace {

// The values ascending, once each vector is found to be one of them, and all to stand upright on each other.
std::vector<double> checked_values(const std::vector<double>& matrix, std::size_t n) {
  const SymmetricEigen eigen = symmetric_eigen(matrix, n);
  REQUIRE(eigen.values.size() == n);
  REQUIRE(eigen.vectors.size() == n * n);
  double scale = 0, wrong = 0, skew = 0;
  for (const double value : eigen.values) scale = std::max(scale, std::abs(value));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      double product = 0;
      for (std::size_t j = 0; j < n; ++j) product += matrix[i * n + j] * eigen.vectors[k * n + j];
      wrong = std::max(wrong, std::abs(product - eigen.values[k] * eigen.vectors[k * n + i]));
    }
    for (std::size_t l = 0; l < n; ++l) {
      double dot = 0;
      for (std::size_t i = 0; i < n; ++i) dot += eigen.vectors[k * n + i] * eigen.vectors[l * n + i];
      skew = std::max(skew, std::abs(dot - (k == l ? 1 : 0)));
    }
  }
  CHECK(wrong <= 1e-13 * scale);
  CHECK(skew <= 1e-13);
  std::vector<double> values = eigen.values;
  std::ranges::sort(values);
  return values;
}

}  // namespace

TEST_CASE("values and vectors of matrices whose values are known") {
  CHECK(symmetric_eigen({}, 0).values.empty());
  CHECK(checked_values({-3}, 1) == std::vector<double>{-3});
  const std::vector<double> two = checked_values({2, 1, 1, 2}, 2);
  CHECK(two[0] == Approx(1));
  CHECK(two[1] == Approx(3));
  CHECK(checked_values(std::vector<double>(9, 0.0), 3) == std::vector<double>(3, 0.0));
  CHECK(checked_values({4, 0, 0, 0, -1, 0, 0, 0, 2}, 3) == std::vector<double>{-1, 2, 4});
  const std::vector<double> ones = checked_values(std::vector<double>(25, 1.0), 5);  // of rank 1
  for (std::size_t i = 0; i < 4; ++i) CHECK(ones[i] == Approx(0).margin(1e-14));
  CHECK(ones[4] == Approx(5));
  // 2 beside -1: 2 - 2 cos(k pi / (n + 1)).
  const std::size_t n = 20;
  std::vector<double> chain(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    chain[i * n + i] = 2;
    if (i + 1 < n) chain[i * n + i + 1] = chain[(i + 1) * n + i] = -1;
  }
  const std::vector<double> values = checked_values(chain, n);
  for (std::size_t k = 0; k < n; ++k)
    CHECK(values[k] == Approx(2 - 2 * std::cos(static_cast<double>(k + 1) * std::numbers::pi /
                                               static_cast<double>(n + 1))));
}

TEST_CASE("values of random matrices are those that Eigen finds") {
  Stream random(1, "eigen");
  for (std::size_t n = 1; n <= 24; ++n)
    for (const double spread : {1.0, 1e-8, 1e150}) {
      std::vector<double> matrix(n * n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          matrix[i * n + j] = matrix[j * n + i] = random.standard_normal() * (i % 2 == 0 ? 1 : spread);
      const std::vector<double> values = checked_values(matrix, n);
      const auto size = static_cast<Eigen::Index>(n);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
          Eigen::Map<const Eigen::MatrixXd>(matrix.data(), size, size));
      const double scale = std::max(std::abs(values.front()), std::abs(values.back()));
      for (std::size_t i = 0; i < n; ++i)
        CHECK(values[i] == Approx(solver.eigenvalues()[static_cast<Eigen::Index>(i)]).margin(1e-13 * scale));
    }
}

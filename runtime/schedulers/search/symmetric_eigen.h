#pragma once

#include <span>
#include <vector>

#include "runtime/layers.h"

namespace perigee::search {

struct SymmetricEigen {
  std::vector<double> values;   // in no order
  std::vector<double> vectors;  // row k: that of value k, of length 1
};

// The eigenvalues and vectors of a symmetric matrix of n rows, row by row; finite. Made of + - * / and roots in a fixed
// order, so that the bits are the same everywhere. Householder's tridiagonal form, then the QR algorithm with Wilkinson's
// shifts: Golub, Van Loan, "Matrix Computations", 4th ed., 2013, algorithms 8.3.1 to 8.3.3. Cost: O(n^3).
SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::size_t n);

}  // namespace perigee::search

#include "tests/support/linear.h"

#include <Eigen/Dense>

namespace perigee::test {

std::vector<double> least_squares(const Rows& rows, const std::vector<double>& right) {
  Eigen::MatrixXd a(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.front().size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
  const Eigen::Map<const Eigen::VectorXd> b(right.data(), static_cast<Eigen::Index>(right.size()));
  const Eigen::VectorXd x = a.colPivHouseholderQr().solve(b);
  return {x.begin(), x.end()};
}

}  // namespace perigee::test

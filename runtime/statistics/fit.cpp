#include "runtime/statistics/fit.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/kernel/math.h"
#include "runtime/statistics/checks.h"

namespace perigee::statistics {

using namespace statistics;

namespace {

const char* name_of(Fit::Curve curve) {
  switch (curve) {
    case Fit::Curve::linear:
      return "linear fit";
    case Fit::Curve::quadratic:
      return "quadratic fit";
    case Fit::Curve::exponential:
      break;
  }
  return "exponential fit";
}

double r_squared(const Eigen::VectorXd& y, const Eigen::VectorXd& predicted) {
  const double total = (y.array() - y.mean()).matrix().squaredNorm();
  if (total == 0) return std::numeric_limits<double>::quiet_NaN();
  return 1 - (y - predicted).squaredNorm() / total;
}

}  // namespace

Fit fit(Fit::Curve curve, std::span<const double> x, std::span<const double> y) {
  const char* name = name_of(curve);
  const bool is_exponential = curve == Fit::Curve::exponential;
  const Eigen::Index terms = curve == Fit::Curve::quadratic ? 3 : 2;
  if (x.size() != y.size())
    fail("bad_parameter", "{}: x and y must have the same length, got {} and {} values", name, x.size(),
         y.size());
  need_all_finite(name, x);
  need_all_finite(name, y);
  std::vector<double> distinct(x.begin(), x.end());
  std::sort(distinct.begin(), distinct.end());
  const auto different = std::unique(distinct.begin(), distinct.end()) - distinct.begin();
  if (different < terms)
    fail("bad_parameter", "{}: {} coefficients need as many points with different x, got {}", name, terms,
         different);
  // u = (x - centre) / scale runs from -1 to 1, so that x far from 0 are told apart as well as those around
  // it.
  const double least = distinct.front(), most = distinct[static_cast<std::size_t>(different) - 1];
  Fit out{curve, {}, 0, 0, x.size(), least / 2 + most / 2, most / 2 - least / 2, {}};
  if (out.scale == 0) out.scale = most - least;  // halves of the smallest numbers
  const auto n = static_cast<Eigen::Index>(x.size());
  Eigen::MatrixXd powers(n, terms);
  Eigen::VectorXd target(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double u = out.centred(x[static_cast<std::size_t>(i)]), yi = y[static_cast<std::size_t>(i)];
    if (is_exponential) need_positive(name, "each y", yi);
    target(i) = is_exponential ? math::log(yi) : yi;
    powers(i, 0) = 1;
    for (Eigen::Index k = 1; k < terms; ++k) powers(i, k) = powers(i, k - 1) * u;
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(powers);
  if (qr.rank() < terms)
    fail("bad_parameter", "{}: the x are too close to each other to tell them apart", name);
  const Eigen::VectorXd solution = qr.solve(target);
  out.of_centred.assign(solution.begin(), solution.end());
  out.coefficients = out.of_centred;
  for (std::size_t k = 1; k < out.coefficients.size(); ++k)
    for (std::size_t j = 0; j < k; ++j) out.coefficients[k] /= out.scale;
  const double c = out.centre;  // a polynomial of x - c, to one of x
  if (terms == 3) {
    out.coefficients[0] += (out.coefficients[2] * c - out.coefficients[1]) * c;
    out.coefficients[1] -= 2 * out.coefficients[2] * c;
  } else {
    out.coefficients[0] -= out.coefficients[1] * c;
  }
  if (is_exponential) out.coefficients[0] = math::exp(out.coefficients[0]);
  for (const double coefficient : out.coefficients)
    if (!std::isfinite(coefficient))
      fail("bad_parameter", "{}: a coefficient is beyond 1.8e308; the x are from {} to {}", name,
           format_number(least), format_number(most));
  out.r_squared_log = r_squared(target, powers * solution);
  Eigen::VectorXd actual(n), predicted(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    actual(i) = y[static_cast<std::size_t>(i)];
    predicted(i) = out.predict(x[static_cast<std::size_t>(i)]);
  }
  out.r_squared = is_exponential ? r_squared(actual, predicted) : out.r_squared_log;
  return out;
}

std::vector<double> fit_terms(std::span<const std::vector<double>> rows, std::span<const double> y) {
  constexpr const char* kName = "fit of terms";
  if (rows.size() != y.size())
    fail("bad_parameter", "{}: there are {} points and {} y", kName, rows.size(), y.size());
  const std::size_t terms = rows.empty() ? 0 : rows.front().size();
  if (terms == 0 || rows.size() < terms)
    fail("bad_parameter", "{}: {} coefficients need as many points, got {}", kName, terms, rows.size());
  need_all_finite(kName, y);
  const auto n = static_cast<Eigen::Index>(rows.size()), m = static_cast<Eigen::Index>(terms);
  Eigen::MatrixXd points(n, m);
  Eigen::VectorXd target(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::vector<double>& row = rows[static_cast<std::size_t>(i)];
    if (row.size() != terms)
      fail("bad_parameter", "{}: point {} has {} terms, the first {}", kName, i + 1, row.size(), terms);
    need_all_finite(kName, row);
    for (Eigen::Index k = 0; k < m; ++k) points(i, k) = row[static_cast<std::size_t>(k)];
    target(i) = y[static_cast<std::size_t>(i)];
  }
  // The terms are scaled to one magnitude, so that none passes for a rounding error of another.
  Eigen::VectorXd scale = points.cwiseAbs().colwise().maxCoeff();
  for (double& each : scale)
    if (each == 0) each = 1;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(points * scale.cwiseInverse().asDiagonal());
  if (qr.rank() < m)
    fail("bad_parameter",
         "{}: the points do not tell the {} terms apart: one is a sum of multiples of the others", kName,
         terms);
  const Eigen::VectorXd solution = qr.solve(target).cwiseQuotient(scale);
  return {solution.begin(), solution.end()};
}

double Fit::centred(double x) const { return (x - centre) / scale; }

double Fit::predict(double x) const {
  const double u = centred(x);
  double value = 0;
  for (std::size_t k = of_centred.size(); k-- > 0;) value = value * u + of_centred[k];
  return curve == Curve::exponential ? math::exp(value) : value;
}

std::string Fit::text() const {
  const auto r2 = [](double value) {
    return std::isnan(value) ? std::string("not defined") : fmt::format("{:.4f}", value);
  };
  if (curve == Curve::exponential)
    return fmt::format("y = {:.6g} e^({:.6g} x) (R² = {}, of ln y {}, n = {})", coefficients[0],
                       coefficients[1] + 0.0, r2(r_squared), r2(r_squared_log), n);
  std::string out = fmt::format("y = {:.6g}", coefficients[0] + 0.0);
  for (std::size_t k = 1; k < coefficients.size(); ++k)
    out += fmt::format(" {} {:.6g} x{}", coefficients[k] < 0 ? "-" : "+", std::fabs(coefficients[k]),
                       k == 1 ? "" : "²");
  return out + fmt::format(" (R² = {}, n = {})", r2(r_squared), n);
}

}  // namespace perigee::statistics

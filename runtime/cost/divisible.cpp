#include "runtime/cost/divisible.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"

namespace perigee::cost {
namespace {

// (u / (1 - exp(-u)) - 1) / u, also for u = 0. The direct form loses digits when u is small.
double excess_of(double u) {
  if (u > 0.25) return (u / -math::expm1(-u) - 1) / u;
  // Bernoulli numbers: B2 / 2!, B4 / 4!, ... of odd powers.
  constexpr std::array coefficients = {1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160};
  double sum = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * u * u + coefficients[i];
  return 0.5 + u * sum;
}

// The largest n >= 1 with holds(n), which is true up to it and false beyond; kEveryNode if there is no
// largest.
template <class F>
std::size_t last_of(F&& holds) {
  constexpr std::size_t kMost = std::size_t{1} << 52;
  std::size_t low = 1, high = 2;
  while (holds(high)) {
    if (high >= kMost) return kEveryNode;
    low = std::exchange(high, high * 2);
  }
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::string_view name_of(Partition partition) {
  return partition == Partition::optimal ? "optimal" : "equal";
}

bool at_most(double a, double b, double tolerance) {
  return a <= b + tolerance * std::max({1.0, std::fabs(a), std::fabs(b)});
}

DivisibleCosts::DivisibleCosts(const UnitCosts& costs, Partition partition, std::size_t tabulated)
    : unit_(costs), partition_(partition) {
  const auto check = [](double value, std::string_view name) {
    if (!(value >= 0) || value == kInfinity)
      fail("bad_costs", "the {} must be a number of seconds from 0, got {}", name, format_number(value));
  };
  check(costs.transmission, "transmission of a unit of load");
  check(costs.computation, "computation of a unit of load");
  check(costs.transmission_setup, "set-up of a transmission");
  check(costs.computation_setup, "set-up of a computation");
  const Seconds both = costs.transmission + costs.computation;
  if (both == 0) fail("bad_costs", "a unit of load must take time to be transmitted or to be computed");
  share_ = costs.transmission / both;
  decay_ = -math::log1p(-share_);
  std::vector<OnNodes> table;
  for (std::size_t n = 1; n <= tabulated; ++n) table.push_back(on(n));
  table_ = std::move(table);
}

DivisibleCosts::OnNodes DivisibleCosts::on(std::size_t nodes) const {
  if (nodes <= table_.size()) return table_[nodes - 1];
  const auto n = static_cast<double>(nodes);
  return {.rest = -math::expm1(-n * decay_), .extra_setups = extra_setups(n)};
}

// Let x = `share_` and y = 1 - exp(-n decay_). The first chunk is the fraction x / y + setup (n / y - 1 / x)
// / (load (tau + chi)) of the load. This function is n / y - 1 / x.
double DivisibleCosts::extra_setups(double n) const {
  if (share_ == 1) return n - 1;  // decay_ is infinite
  return n * excess_of(n * decay_) - excess_of(decay_);
}

Seconds DivisibleCosts::time(double load, std::size_t nodes) const {
  const auto n = static_cast<double>(nodes);
  if (partition_ == Partition::equal)
    return n * unit_.transmission_setup + load * unit_.transmission + unit_.computation_setup +
           load * unit_.computation / n;
  const OnNodes here = on(nodes);
  const Seconds work = share_ == 0 ? load * unit_.computation / n : load * unit_.transmission / here.rest;
  return work + unit_.transmission_setup * (1 + here.extra_setups) + unit_.computation_setup;
}

std::size_t DivisibleCosts::useful_nodes(double load) const {
  const Seconds setup = unit_.transmission_setup;
  if (unit_.computation == 0) return 1;
  if (setup == 0) return kEveryNode;
  if (partition_ == Partition::equal) {
    const double most = load * unit_.computation / setup;  // the smallest n with n (n + 1) >= most
    return last_of([&](std::size_t n) { return static_cast<double>(n - 1) * static_cast<double>(n) < most; });
  }
  // The condition is that the last chunk is larger than 0. Without transmission time, its limit is taken.
  constexpr double kNoShare = 1e-7;
  return last_of([&](std::size_t nodes) {
    const auto n = static_cast<double>(nodes);
    if (share_ < kNoShare) return n * (n - 1) / 2 < load * unit_.computation / setup;
    const double exponent = n * decay_;
    if (exponent > 700) return false;
    return unit_.computation / unit_.transmission * math::expm1(exponent) - n <
           load * unit_.transmission / setup;
  });
}

std::size_t DivisibleCosts::fewest_nodes(double load, Seconds within, std::size_t nodes) const {
  return fewest_useful_nodes(load, within, std::min(nodes, useful_nodes(load)));
}

std::size_t DivisibleCosts::fewest_useful_nodes(double load, Seconds within, std::size_t most) const {
  const auto fits = [&](std::size_t n) { return at_most(time(load, n), within); };
  std::size_t high = most, low = 0;
  if (high == 0 || !(within > 0) || !fits(high)) return 0;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  return high;
}

std::vector<double> DivisibleCosts::fractions(double load, std::size_t nodes) const {
  const auto n = static_cast<double>(nodes);
  std::vector<double> out(nodes, 1 / n);
  if (partition_ == Partition::equal || nodes == 1) return out;
  const double setup = unit_.transmission_setup / (load * (unit_.transmission + unit_.computation));
  const double first = share_ == 0 ? 1 / n : share_ / -math::expm1(-n * decay_);
  out[0] = first + setup * extra_setups(n);
  for (std::size_t i = 1; i < nodes; ++i) out[i] = (1 - share_) * out[i - 1] - setup;
  return out;
}

Seconds DivisibleCosts::workload_derivative(double load, std::size_t nodes) const {
  const auto n = static_cast<double>(nodes);
  return (n + 1) * time(load, nodes + 1) - n * time(load, nodes);
}

StaggeredNodes::StaggeredNodes(const UnitCosts& costs, std::span<const Time> free, Time channel)
    : unit_(costs), free_(free), channel_(channel) {}

// Calls chunk(i, size, slope) for each node: its chunk, and the growth of the chunk with the common end.
template <class F>
void StaggeredNodes::walk(Time end, std::size_t nodes, F&& chunk) const {
  const Seconds both = unit_.transmission + unit_.computation;
  Time sent = channel_;
  double moves = 0;  // d sent / d end
  for (std::size_t i = 0; i < nodes; ++i) {
    const bool waits = free_[i] > sent;
    const Time start = waits ? free_[i] : sent;
    const double size = std::max(0.0, (end - start) / both);
    const double slope = size > 0 ? (1 - (waits ? 0 : moves)) / both : 0;
    if (!chunk(i, size, slope)) return;
    moves = (waits ? 0 : moves) + slope * unit_.transmission;
    sent = start + size * unit_.transmission;
  }
}

double StaggeredNodes::load_by(Time end, std::size_t nodes) const {
  double sum = 0;
  walk(end, nodes, [&](std::size_t, double size, double) {
    sum += size;
    return true;
  });
  return sum;
}

std::size_t StaggeredNodes::fewest_nodes(double load, Time end) const {
  double sum = 0;
  std::size_t found = 0;
  walk(end, free_.size(), [&](std::size_t i, double size, double) {
    sum += size;
    if (at_most(load, sum)) found = i + 1;
    return found == 0;
  });
  return found;
}

Time StaggeredNodes::completion(double load, std::size_t nodes) const {
  // The load finished by a time is continuous, piecewise linear and growing. Newton's method in a bracket is
  // exact once it has reached the right piece.
  Time low = std::max(channel_, free_[0]);
  Time high = std::max(channel_, free_[nodes - 1]) + load * (unit_.transmission + unit_.computation);
  Time end = high;
  while (true) {
    double sum = 0, slope = 0;
    walk(end, nodes, [&](std::size_t, double size, double growth) {
      sum += size;
      slope += growth;
      return true;
    });
    (sum < load ? low : high) = end;
    Time next = end + (load - sum) / slope;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (next == end || !(next > low && next < high)) return high;
    if (std::fabs(next - end) <= 1e-15 * std::fabs(end)) return next;
    end = next;
  }
}

std::vector<double> StaggeredNodes::chunks(Time end, std::size_t nodes) const {
  std::vector<double> out(nodes);
  chunks(end, out);
  return out;
}

void StaggeredNodes::chunks(Time end, std::span<double> out) const {
  walk(end, out.size(), [&](std::size_t i, double size, double) {
    out[i] = size;
    return true;
  });
}

}  // namespace perigee::cost

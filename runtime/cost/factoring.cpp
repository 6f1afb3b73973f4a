#include "runtime/cost/factoring.h"

#include <algorithm>
#include <cmath>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"

namespace perigee::cost {
namespace {

constexpr double kQuotientRounding = 1e-9;  // of a quotient that is whole
constexpr std::size_t kMostBatches = 1'000'000;

}  // namespace

double batch_factor(double left, std::size_t hosts, double cv, bool first) {
  if (std::isnan(cv)) return 2;
  const double b = static_cast<double>(hosts) / (2 * math::sqrt(left)) * cv;
  return first ? 1 + b * b + b * math::sqrt(b * b + 2) : 2 + b * b + b * math::sqrt(b * b + 4);
}

double factoring_chunk(double left, std::size_t hosts, double factor, double weight) {
  const double share = left / (factor * static_cast<double>(hosts)) * weight;
  return std::max(1.0, math::ceil(share - kQuotientRounding * std::max(1.0, share)));
}

std::vector<double> factoring_sequence(double runs, std::size_t hosts, double cv) {
  if (!(runs >= 1) || math::floor(runs) != runs || !(runs <= 1e15))
    fail("bad_size", "factoring: runs must be a whole number from 1 to 1e15, got {}", runs);
  if (hosts < 1) fail("bad_size", "factoring: hosts must be at least 1, got {}", hosts);
  if (cv < 0) fail("bad_number", "factoring: cv must be at least 0, got {}", cv);
  std::vector<double> chunks;
  for (double left = runs; left > 0;) {
    chunks.push_back(factoring_chunk(left, hosts, batch_factor(left, hosts, cv, chunks.empty())));
    left -= chunks.back() * static_cast<double>(hosts);
    if (chunks.size() == kMostBatches) fail("too_large", "factoring: more than {} batches", kMostBatches);
  }
  return chunks;
}

std::vector<double> weights_of(std::span<const double> seconds_a_run) {
  double speeds = 0;
  std::size_t measured = 0;
  for (const double time : seconds_a_run)
    if (time > 0) speeds += 1 / time, ++measured;
  std::vector<double> weights;
  double sum = 0;
  for (const double time : seconds_a_run) {
    weights.push_back(time > 0 ? static_cast<double>(measured) * (1 / time) / speeds : 1);
    sum += weights.back();
  }
  for (double& weight : weights) weight *= static_cast<double>(weights.size()) / sum;
  return weights;
}

}  // namespace perigee::cost

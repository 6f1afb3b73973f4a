#include "interpreter/values/declarations.h"

#include <fmt/format.h>

#include <algorithm>

namespace perigee::values {

std::string PlatformPart::text() const {
  if (const auto* name = std::get_if<std::string>(&what)) return fmt::format("router '{}'", *name);
  if (const auto* declared = std::get_if<PlatformSpec::LinkSpec>(&what))
    return fmt::format("link '{}'", declared->link.name);
  if (std::get_if<model::CompleteNetwork>(&what) != nullptr) return "complete network";
  if (const auto* licence = std::get_if<Licence>(&what)) return fmt::format("licence '{}'", licence->name);
  return fmt::format("{} '{}'", is_host ? "host" : "cluster", std::get<PlatformSpec::ClusterSpec>(what).name);
}

std::int64_t WorkloadValue::size() const {
  std::int64_t count = 0;
  for (const WorkloadPart& part : parts)
    if (!part.is_stream) count += part.count;
  return count;
}

std::uint64_t WorkloadValue::steps_to_copy() const {
  std::uint64_t steps = 0;
  for (const WorkloadPart& part : parts) steps += kStepsOfRecord * (1 + part.record_count());
  return steps;
}

bool WorkloadValue::is_stream() const { return parts.size() == 1 && parts.front().is_stream; }

bool WorkloadValue::counted() const {
  return std::ranges::none_of(parts, [](const WorkloadPart& part) {
    return part.generates_matrix || part.is_stream || part.draw != nullptr;
  });
}

std::string WorkloadValue::pieces() const {
  const std::int64_t count = size();
  std::string known = fmt::format("{} {}", count, count == 1 ? "piece" : "pieces");
  if (counted()) return known;
  if (is_stream()) return "a stream";
  const bool matrix = std::ranges::any_of(parts, &WorkloadPart::generates_matrix);
  const char* made = matrix ? "a matrix made when a run starts" : "loads drawn when a run starts";
  return count == 0 ? made : fmt::format("{} and {}", known, made);
}

}  // namespace perigee::values

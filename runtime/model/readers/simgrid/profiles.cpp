// Traces of a platform file of SimGrid, and the hosts that have them as profiles.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/readers/simgrid/document_reader.h"

namespace perigee::readers::simgrid {

void DocumentReader::read_trace(pugi::xml_node node) {
  std::string name = name_in(node, "id");
  Trace trace;
  trace.elsewhere = *node.attribute("file").value() != 0;
  if (const pugi::xml_attribute given = node.attribute("periodicity"))
    trace.loop_after = readers::number_of(trimmed(given.value()));
  if (std::isnan(trace.loop_after))
    fail(node, "bad_xml", "{}: periodicity must be a number, got '{}'", subject(node),
         shown(node.attribute("periodicity").value()));
  std::string all;
  for (const pugi::xml_node part : node) {
    if (part.type() == pugi::node_element)
      fail(part, "bad_xml", "<{}> does not belong into <trace>", shown(part.name()));
    all += part.value();
  }
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::string_view line = next_part(rest, "\n");
    if (line.empty() || line.front() == '#') continue;
    std::string_view words = line;
    const std::string_view first = next_part(words, " \t");
    const double value = readers::number_of(trimmed(words));
    if (first == "LOOPAFTER" || first == "PERIODICITY") {
      trace.loop_after = value;
      if (value >= 0) continue;
    }
    const double time = readers::number_of(first);
    if (!(time >= 0) || !(value >= 0) || (!trace.times.empty() && !(time > trace.times.back())))
      fail(node, "bad_xml",
           "{}: a line must be a time, later than that before it, and a value >= 0, or LOOPAFTER and a time, "
           "got '{}'",
           subject(node), shown(line));
    trace.times.push_back(time);
    trace.values.push_back(value);
  }
  did_work(trace.times.size());
  if (trace.loop_after > 0 && !trace.times.empty()) {
    constexpr double kLeastPeriod = 1e-200;  // of a profile
    const double period = trace.times.back() + trace.loop_after;
    if (!(period > trace.times.back() && period >= kLeastPeriod && std::isfinite(period)))
      fail(node, "bad_xml", "{}: after its last time {} it cannot be repeated {} s later", subject(node),
           trace.times.back(), trace.loop_after);
  }
  if (!trace.elsewhere) trace.profile = availability(trace);
  if (!traces_.emplace(name, std::move(trace)).second)
    fail(node, "duplicate_name", "{}: a trace of that name is there already", subject(node));
}

void DocumentReader::connect(pugi::xml_node node) {
  constexpr std::string_view kKinds = "HOST_AVAIL SPEED LINK_AVAIL BANDWIDTH LATENCY POWER";
  constexpr std::size_t kSpeed = 1, kPower = 5;
  const std::size_t kind = choice(node, "kind", kKinds, 0);
  const auto found = traces_.find(std::string(node.attribute("trace").value()));
  if (found == traces_.end()) {
    std::vector<std::string> names;
    for (const auto& each : traces_) names.push_back(each.first);
    std::ranges::sort(names);
    const std::string_view name = node.attribute("trace").value();
    fail(node, "unknown_reference", "<trace_connect>: trace: unknown trace '{}'{}", shown(name),
         did_you_mean(name, names));
  }
  const Trace& trace = found->second;
  const bool of_speed = kind == kSpeed || kind == kPower;
  if (!of_speed) {
    const bool of_link = kind != 0;
    if (!options_.batsim || !of_link)
      (void)(of_link ? resolve(node, "element", "link", out_.link_of)
                     : resolve(node, "element", "host", out_.point_of));
    notes_.add(of_link ? "profiles of links" : "profiles of hosts that go and come back",
               text_.line_of(node));
    return;
  }
  const Point& point = out_.points[resolve(node, "element", "host", out_.point_of)];
  if (point.kind != Point::Kind::host)
    fail(node, "bad_xml", "<trace_connect>: element: '{}' is no host", shown(point.name));
  if (trace.elsewhere) {
    notes_.add("profiles from other files (trace)", text_.line_of(node));
    return;
  }
  if (point.index == kNone) return;
  if (trace.profile)
    out_.hosts[point.index].host.availability = *trace.profile;
  else
    notes_.add("profiles of availability above 1, or that loop with another beginning", text_.line_of(node));
}

std::optional<Profile> DocumentReader::availability(const Trace& trace) {
  if (trace.times.empty()) return Profile(1.0);
  if (std::ranges::any_of(trace.values, [](double value) { return value > 1; })) return std::nullopt;
  std::vector<double> times = trace.times, values = trace.values;
  const bool loops = trace.loop_after > 0;
  if (times.front() > 0) {
    if (loops && values.back() != 1) return std::nullopt;
    times.insert(times.begin(), 0);
    values.insert(values.begin(), 1);
  }
  if (!loops) return Profile::steps(std::move(times), std::move(values));
  const double period = trace.times.back() + trace.loop_after;
  return Profile::periodic(std::move(times), std::move(values), period);
}

}  // namespace perigee::readers::simgrid

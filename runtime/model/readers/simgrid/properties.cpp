// Properties in a platform file of SimGrid: roles of hosts, and their power.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/readers/simgrid/document_reader.h"

namespace perigee::readers::simgrid {

namespace {

constexpr std::size_t kMostNamedProperties = 8;
constexpr std::size_t kMostStates = 250;  // of speed, of a host

// Properties of power, with SimGrid's older names. The properties of hosts come first.
struct PowerProperty {
  std::string_view name, older_name;
};
constexpr PowerProperty kPowerProperties[] = {{"wattage_per_state", "watt_per_state"},
                                              {"wattage_off", "watt_off"},
                                              {"sleep_pstates", ""},
                                              {"wattage_range", "watt_range"}};

}  // namespace

void DocumentReader::read_properties(pugi::xml_node parent, std::string_view element, HostTemplate* host) {
  for (const pugi::xml_node node : parent) {
    if (row_of(node, element) == nullptr) continue;
    const std::string_view id = node.attribute("id").value();
    if (host != nullptr && options_.batsim && id == "role") {
      read_role(node, *host);
      continue;
    }
    if (host != nullptr && take_power(node, *host)) continue;
    note_property(node);
  }
}

void DocumentReader::read_role(pugi::xml_node node, HostTemplate& host) {
  const std::string_view all = node.attribute("value").value();
  std::string_view list = all;
  do {
    const std::string_view role = next_part(list, ", ");
    static constexpr std::string_view kRoles[] = {"compute_node", "master", "storage"};
    if (role == "master" || role == "storage")
      host.left_out = true;
    else if (!role.empty() && role != "compute_node")
      fail(node, "unknown_reference", "{}: unknown role '{}'; known are compute_node, master, storage{}",
           subject(node.parent()), shown(role), did_you_mean(role, kRoles));
  } while (!list.empty());
}

std::size_t DocumentReader::place_of_power(std::string_view id) {
  const auto same = [&](const PowerProperty& each) {
    return each.name == id || (each.older_name == id && !id.empty());
  };
  return static_cast<std::size_t>(std::ranges::find_if(kPowerProperties, same) -
                                  std::begin(kPowerProperties));
}

bool DocumentReader::take_power(pugi::xml_node node, HostTemplate& host) {
  const std::size_t place = place_of_power(node.attribute("id").value());
  if (place >= kPowersOfHost) return false;
  if (const pugi::xml_node other = std::exchange(host.power[place], node))
    fail(node, "bad_xml", "{}: '{}' is there already, as '{}' in line {}", subject(node.parent()),
         node.attribute("id").value(), other.attribute("id").value(), text_.line_of(other));
  return true;
}

std::shared_ptr<const PowerModel> DocumentReader::read_power(const HostTemplate& given,
                                                             std::span<const double> speeds,
                                                             std::size_t start) {
  const pugi::xml_node watts = given.power[kWatts], off = given.power[kWattsOff], sleep = given.power[kSleep];
  if (!watts) {  // The power of the host while it is on is not known.
    for (const pugi::xml_node node : {off, sleep})
      if (node)
        notes_.add(
            fmt::format("power ({}) without {}", node.attribute("id").value(), kPowerProperties[kWatts].name),
            text_.line_of(node));
    return nullptr;
  }
  const std::vector<SpeedState> draws = read_watts(watts);
  if (draws.size() != speeds.size())
    fail(watts, "bad_xml", "{}: {} has the watts of {} p-states, and speed has {} p-states",
         subject(watts.parent()), watts.attribute("id").value(), draws.size(), speeds.size());
  PowerModel power;
  if (off) power.off = power.down = one_watt(off, off.attribute("value").value());
  std::vector<bool> is_sleep(speeds.size());
  if (sleep) read_sleep(sleep, draws, speeds, start, is_sleep, power);
  const auto add = [&](std::size_t i) {
    power.states.push_back(draws[i]);
    power.states.back().factor = speeds[i] / speeds[start];
    if (!std::isfinite(power.states.back().factor))
      fail(watts, "bad_xml", "{}: the speed {} of p-state {} is too far from {}, that of the start",
           subject(watts.parent()), speeds[i], i, speeds[start]);
  };
  add(start);
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    if (i == start || is_sleep[i]) continue;
    if (speeds[i] / speeds[start] > 0)
      add(i);
    else
      notes_.add("p-states of speed 0", text_.line_of(watts));
  }
  if (power.states.size() > kMostStates)
    fail(watts, "bad_xml", "{}: a host may have {} p-states in which it computes, got {}",
         subject(watts.parent()), kMostStates, power.states.size());
  return std::make_shared<const PowerModel>(std::move(power));
}

double DocumentReader::one_watt(pugi::xml_node node, std::string_view text) const {
  const double value = readers::number_of(trimmed(text));
  if (!(value >= 0 && std::isfinite(value)))
    fail(node, "bad_xml", "{}: {} must be a number of watts >= 0, got '{}'", subject(node.parent()),
         node.attribute("id").value(), shown(text));
  return value;
}

std::vector<SpeedState> DocumentReader::read_watts(pugi::xml_node node) const {
  std::vector<SpeedState> all;
  std::string_view list = node.attribute("value").value();
  do {
    const std::string_view part = next_part(list, ",");
    const auto count = std::ranges::count(part, ':') + 1;
    if (count != 2 && count != 3)
      fail(node, "bad_xml", "{}: {} must be idle:all or idle:epsilon:all for each p-state, got '{}'",
           subject(node.parent()), node.attribute("id").value(), shown(part));
    std::string_view rest = part;
    SpeedState state;
    state.idle = one_watt(node, next_part(rest, ":"));
    state.epsilon = count == 3 ? one_watt(node, next_part(rest, ":")) : state.idle;
    state.busy = one_watt(node, rest);
    if (!(state.idle <= state.epsilon && state.epsilon <= state.busy))
      fail(node, "bad_power", "{}: {} must not fall from idle to all cores, got '{}'", subject(node.parent()),
           node.attribute("id").value(), shown(part));
    all.push_back(state);
  } while (!list.empty());
  return all;
}

void DocumentReader::read_sleep(pugi::xml_node node, std::span<const SpeedState> draws,
                                std::span<const double> speeds, std::size_t start,
                                std::vector<bool>& is_sleep, PowerModel& power) {
  std::string_view list = node.attribute("value").value();
  for (bool first = true; first || !list.empty(); first = false) {
    const std::string_view part = next_part(list, ",");
    const auto wrong = [&](std::string_view what) {
      fail(node, "bad_xml", "{}: sleep_pstates {}, got '{}'", subject(node.parent()), what, shown(part));
    };
    std::array<std::size_t, 3> states{};
    std::string_view rest = part;
    for (std::size_t& state : states) {
      const std::string_view text = next_part(rest, ":");
      const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), state);
      if (std::ranges::count(part, ':') != 2 || error != std::errc() || stop != text.data() + text.size())
        wrong("must be three p-states: sleep:shutdown:boot");
      if (state >= speeds.size()) wrong(fmt::format("must be p-states from 0 to {}", speeds.size() - 1));
      if (state == start) wrong(fmt::format("must not have the p-state of the start, {}", start));
      if (is_sleep[state]) wrong(fmt::format("has the p-state {} twice", state));
      is_sleep[state] = true;
    }
    if (!first) {
      notes_.add("p-states of sleep besides the first", text_.line_of(node));
      continue;
    }
    const auto way = [&](std::size_t state) {
      const double time = 1 / speeds[state];
      if (!std::isfinite(time))
        wrong(fmt::format("takes 1 / speed, and p-state {} has the speed {}", state, speeds[state]));
      return PowerTransition{time, draws[state].busy};
    };
    power.off = draws[states[0]].idle;
    power.shutdown = way(states[1]);
    power.boot = way(states[2]);
  }
}

void DocumentReader::note_property(pugi::xml_node node) {
  const std::string_view id = node.attribute("id").value();
  const int line = text_.line_of(node);
  if (place_of_power(id) != std::size(kPowerProperties)) {
    notes_.add(fmt::format("power ({})", id), line);
    return;
  }
  const bool known = std::ranges::find(named_properties_, id) != named_properties_.end();
  if (!known && named_properties_.size() == kMostNamedProperties) {
    notes_.add("other properties", line);
    return;
  }
  if (!known) named_properties_.emplace_back(id);
  notes_.add(fmt::format("property {}", shown(id)), line);
}

}  // namespace perigee::readers::simgrid

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/irmasim/fields.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {
namespace {

constexpr double kLargestSeed = 9007199254740992;  // 2^53
constexpr std::array<std::string_view, 4> kManagers{"Minimal", "Heuristic", "Duplex", "AStar"};
constexpr std::array<std::string_view, 7> kJobSelections{"random",   "first",   "shortest",  "longest",
                                                         "smallest", "low_mem", "low_mem_bw"};
constexpr std::array<std::string_view, 7> kResourceSelections{
    "random", "first", "high_gflops", "high_cores", "low_cores", "high_mem", "low_power"};
constexpr std::array<std::string_view, 3> kSchedulingOptions{"duplex", "min_min", "max_min"};
constexpr std::array<std::string_view, 2> kSameInstant{"completion_first", "submit_first"};
constexpr std::array<std::string_view, 4> kJobOrders{"submission", "shortest", "longest", "random"};

class OptionsReader {
 public:
  OptionsReader(const JsonText& text, std::span<const std::string_view> managers)
      : text_(text), managers_(managers) {}

  IrmasimOptionsFile read() {
    const Cursor root = text_.root();
    others(root,
           std::array<std::string_view, 10>{"seed", "workload_file", "platform_file", "platform_name",
                                            "trajectory_origin", "trajectory_length", "enforce_req_time",
                                            "same_instant", "output_dir", "workload_manager"});
    IrmasimOptions out;
    const auto count = [&](std::string_view name, std::uint64_t& value) {
      if (const Cursor at = root.member(name))
        value = static_cast<std::uint64_t>(whole_number(text_, at, 0, kLargestSeed));
    };
    const auto text = [&](std::string_view name, std::string& value) {
      if (const Cursor at = root.member(name)) value = text_.string(at);
    };
    count("seed", out.seed);
    count("trajectory_origin", out.trajectory_origin);
    count("trajectory_length", out.trajectory_length);
    text("workload_file", out.workload_file);
    text("platform_file", out.platform_file);
    text("platform_name", out.platform_name);
    text("output_dir", out.output_dir);
    if (const Cursor at = root.member("enforce_req_time")) out.enforce_req_time = text_.boolean(at);
    out.submit_first = is_submit_first(root);
    if (const Cursor manager = root.member("workload_manager")) {
      out.workload_manager = read_manager(manager);
      out.submit_first = out.submit_first || is_submit_first(manager);
    }
    return {std::move(out), ignored_.take()};
  }

 private:
  // Keys that play no part are reported, but a misspelt known key is an error. A file without any known key
  // is of another kind, and then no key counts as misspelt.
  void others(const Cursor& at, std::span<const std::string_view> known) {
    const Json::object_t& object = text_.object(at);
    const bool any_known =
        std::ranges::any_of(known, [&](std::string_view key) { return static_cast<bool>(at.member(key)); });
    for (const auto& [key, value] : object) {
      if (std::ranges::find(known, key) != known.end()) continue;
      const Cursor field{&value, &at, key, 0};
      if (const std::string nearest = did_you_mean(key, known); any_known && !nearest.empty())
        text_.fail(field, "unknown_field", "E_OPTION", "there is no such field{}", nearest);
      ignored_.add(field);
    }
  }

  // The option stands at the top of the file, or in a manager beside its other rules.
  bool is_submit_first(const Cursor& where) {
    const Cursor at = where.member("same_instant");
    if (!at) return false;
    const std::string& value = text_.string(at);
    if (std::ranges::find(kSameInstant, value) == kSameInstant.end())
      text_.fail(at, "bad_parameter", "E_OPTION", "must be one of {}, got '{}'{}",
                 fmt::join(kSameInstant, ", "), shown(std::string_view(value)),
                 did_you_mean(value, kSameInstant));
    return value == "submit_first";
  }

  IrmasimOptions::Manager read_manager(const Cursor& manager) {
    IrmasimOptions::Manager out;
    const Cursor type = required(text_, manager, "type");
    out.type = text_.string(type);
    const bool own = std::ranges::find(kManagers, out.type) != kManagers.end();
    if (out.type.empty() ||
        (!own && !managers_.empty() && std::ranges::find(managers_, out.type) == managers_.end())) {
      std::vector<std::string_view> known(kManagers.begin(), kManagers.end());
      known.insert(known.end(), managers_.begin(), managers_.end());
      text_.fail(type, "unknown_scheduler", "E_MANAGER", "unknown workload manager '{}'{}",
                 shown(std::string_view(out.type)), did_you_mean(out.type, known));
    }
    std::vector<std::string_view> keys{"type", "same_instant"};
    if (out.type == "Heuristic") {
      // Accepts another spelling of two of the selections.
      keys.insert(keys.end(), {"job_selection", "resource_selection"});
      read_selection(manager, "job_selection", out.job_selection, {"low_mem_ops", "low_mem_bw"},
                     kJobSelections);
      read_selection(manager, "resource_selection", out.resource_selection, {"high_core", "high_cores"},
                     kResourceSelections);
    }
    if (out.type == "Duplex") {
      keys.emplace_back("scheduling_option");
      read_choice(manager, "scheduling_option", out.scheduling_option, kSchedulingOptions);
    }
    if (out.type == "AStar") {
      keys.insert(keys.end(), {"job_order", "max_tree_nodes"});
      read_choice(manager, "job_order", out.job_order, kJobOrders);
      read_tree_limit(manager, out);
    }
    // Managers that map accept options that IRMaSim's program does not know. Minimal and Heuristic do not
    // map.
    if (out.type == "Minimal" || out.type == "Heuristic")
      others(manager, keys);
    else
      read_more(manager, keys, own, out);
    return out;
  }

  void read_choice(const Cursor& manager, std::string_view name, std::string& value,
                   std::span<const std::string_view> choices) {
    const Cursor at = manager.member(name);
    if (!at) return;
    value = text_.string(at);
    if (std::ranges::find(choices, value) == choices.end())
      text_.fail(at, "bad_parameter", "E_OPTION", "must be one of {}, got '{}'{}", fmt::join(choices, ", "),
                 shown(std::string_view(value)), did_you_mean(value, choices));
  }

  struct Spelling {
    std::string_view other, name;
  };

  void read_selection(const Cursor& manager, std::string_view name, std::string& value, Spelling spelling,
                      std::span<const std::string_view> choices) {
    const Cursor at = manager.member(name);
    if (!at) return;
    value = text_.string(at);
    if (value == spelling.other) value = spelling.name;
    if (value == "high_mem_bw")
      text_.fail(at, "bad_parameter", "E_POLICY",
                 "'{}' needs the memory bandwidth of nodes, which is not modelled; there are {}", value,
                 fmt::join(choices, ", "));
    if (std::ranges::find(choices, value) == choices.end())
      text_.fail(at, "bad_parameter", "E_POLICY", "must be one of {}, got '{}'{}", fmt::join(choices, ", "),
                 shown(std::string_view(value)), did_you_mean(value, choices));
  }

  void read_tree_limit(const Cursor& manager, IrmasimOptions::Manager& out) {
    const Cursor at = manager.member("max_tree_nodes");
    if (!at) return;
    const double value = text_.number(at);
    if (value != std::floor(value) || value == 1 || !(value >= 0 && value <= kLargestCount))
      text_.fail(at, "bad_parameter", "E_OPTION", "must be 0 (no limit) or a whole number >= 2, got {}",
                 json_shown(*at.value));
    out.max_tree_nodes = static_cast<std::int64_t>(value);
  }

  // The options of a manager besides `keys`. `own`: it is one of IRMaSim's.
  void read_more(const Cursor& manager, std::span<const std::string_view> keys, bool own,
                 IrmasimOptions::Manager& out) {
    constexpr std::array<std::string_view, 5> kMore = {"ct_scope", "overtake", "duplex_sticky",
                                                       "max_expansions", "h2"};
    if (own) {
      std::vector<std::string_view> known(keys.begin(), keys.end());
      known.insert(known.end(), kMore.begin(), kMore.end());
      others(manager, known);
    }
    for (const auto& [key, value] : text_.object(manager)) {
      if (std::ranges::find(keys, key) != keys.end()) continue;
      if (own && std::ranges::find(kMore, key) == kMore.end()) continue;
      if (value.is_boolean())
        out.others.emplace_back(key, value.get<bool>());
      else if (value.is_number())
        out.others.emplace_back(key, value.get<double>());
      else if (value.is_string())
        out.others.emplace_back(key, value.get<std::string>());
      else
        ignored_.add(Cursor{&value, &manager, key, 0});
    }
  }

  const JsonText& text_;
  std::span<const std::string_view> managers_;
  Ignored ignored_;
};

}  // namespace

IrmasimOptionsFile parse_irmasim_options(std::string_view text, std::string_view name,
                                         std::span<const std::string_view> managers) {
  const JsonText json(text, name);
  return OptionsReader(json, managers).read();
}

IrmasimOptionsFile read_irmasim_options(const std::filesystem::path& path,
                                        std::span<const std::string_view> managers) {
  return parse_irmasim_options(Lines::whole(path, kLargestIrmasimFile), path.string(), managers);
}

std::string write_irmasim(const IrmasimOptions& options) {
  std::string out = fmt::format("{{\n  \"seed\": {}", options.seed);
  const auto text = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) out += fmt::format(",\n  \"{}\": {}", name, json_string(value));
  };
  text("workload_file", options.workload_file);
  text("platform_file", options.platform_file);
  text("platform_name", options.platform_name);
  out += fmt::format(",\n  \"trajectory_origin\": {},\n  \"trajectory_length\": {}",
                     options.trajectory_origin, options.trajectory_length);
  if (options.enforce_req_time) out += ",\n  \"enforce_req_time\": true";
  if (options.submit_first) out += ",\n  \"same_instant\": \"submit_first\"";
  text("output_dir", options.output_dir);
  const IrmasimOptions::Manager& manager = options.workload_manager;
  if (!manager.type.empty()) {
    out += fmt::format(",\n  \"workload_manager\": {{ \"type\": {}", json_string(manager.type));
    for (const auto& [name, value] :
         {std::pair<std::string_view, const std::string&>{"job_selection", manager.job_selection},
          {"resource_selection", manager.resource_selection},
          {"scheduling_option", manager.scheduling_option},
          {"job_order", manager.job_order}})
      if (!value.empty()) out += fmt::format(", \"{}\": {}", name, json_string(value));
    if (manager.max_tree_nodes) out += fmt::format(", \"max_tree_nodes\": {}", *manager.max_tree_nodes);
    for (const auto& [key, value] : manager.others) {
      out += fmt::format(", {}: ", json_string(key));
      if (const bool* flag = std::get_if<bool>(&value))
        out += *flag ? "true" : "false";
      else if (const double* number = std::get_if<double>(&value))
        out += format_number(*number);
      else
        out += json_string(std::get<std::string>(value));
    }
    out += " }";
  }
  return out + "\n}\n";
}

}  // namespace perigee::readers

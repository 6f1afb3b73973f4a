#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/irmasim/fields.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {
namespace {

constexpr std::size_t kMostNodes = std::size_t{1} << 20;
constexpr double kMostPower = 1e9;   // W of a core
constexpr double kMostMemory = 9e6;  // GB of a node
constexpr double kBytesOfGb = 1e9;

class PlatformReader {
 public:
  PlatformReader(const JsonText& text, std::string_view platform_name)
      : text_(text), wanted_(platform_name) {}

  IrmasimPlatformFile read() {
    const Cursor root = text_.root();
    ignored_.others(text_, root, std::array<std::string_view, 3>{"platform", "node", "processor"});
    const Cursor platforms = required(text_, root, "platform");
    const Cursor platform = choose(platforms);
    ignored_.others(text_, platform, std::array<std::string_view, 3>{"id", "model_name", "clusters"});
    out_.name = platform.key;
    const Cursor id = platform.member("id"), model = platform.member("model_name");
    out_.id = text_or(text_, id, "");
    out_.model_name = text_or(text_, model, "");
    const Cursor clusters = required(text_, platform, "clusters");
    for (std::size_t c = 0; c < text_.array(clusters).size(); ++c) read_cluster(clusters.item(c));
    if (out_.nodes.empty()) text_.fail(clusters, "empty_platform", "E_EMPTY", "there is no node");
    return {std::move(out_), ignored_.take()};
  }

 private:
  // The cursor returned has those of the caller as parents.
  Cursor choose(const Cursor& platforms) {
    const Json::object_t& all = text_.object(platforms);
    std::vector<std::string> names;
    for (const auto& [name, value] : all) names.push_back(name);
    const std::size_t shown_names = std::min<std::size_t>(names.size(), 20);
    const std::string list = fmt::format(
        "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown_names), ", "));
    if (wanted_.empty() && all.size() != 1)
      text_.fail(platforms, "unknown_reference", "E_REF", "there are {} platforms{}; one has to be named",
                 all.size(), all.empty() ? "" : fmt::format(": {}", list));
    const Cursor found = wanted_.empty() ? platforms.member(names.front()) : platforms.member(wanted_);
    if (!found)
      text_.fail(platforms, "unknown_reference", "E_REF", "unknown platform '{}'{} (there are: {})",
                 shown(wanted_), did_you_mean(wanted_, names), list);
    return found;
  }

  std::size_t number(const Cursor& object) {
    const Cursor number = object.member("number");
    return number ? static_cast<std::size_t>(whole_number(text_, number, 0, kLargestCount)) : 1;
  }

  [[noreturn]] void too_many(const Cursor& at) const {
    text_.fail(at, "out_of_range", "E_RANGE", "the platform has more than {} nodes or clusters", kMostNodes);
  }

  void read_cluster(const Cursor& cluster) {
    ignored_.others(text_, cluster, std::array<std::string_view, 3>{"id", "nodes", "number"});
    const Cursor id = cluster.member("id");
    const std::size_t count = number(cluster);
    const Cursor nodes = required(text_, cluster, "nodes");
    text_.array(nodes);
    for (std::size_t copy = 0; copy < count; ++copy) {
      if (out_.clusters.size() >= kMostNodes) too_many(cluster);
      std::string name = id ? name_at(text_, id) : fmt::format("cluster{}", out_.clusters.size());
      if (!cluster_ids_.insert(name).second)
        text_.fail(id ? id : cluster, "duplicate_id", "E_ID", "there are two clusters '{}'",
                   shown(std::string_view(name)));
      out_.clusters.push_back(std::move(name));
      std::unordered_set<std::string> ids;  // asked only whether they are there
      std::size_t position = 0;
      for (std::size_t n = 0; n < nodes.value->size(); ++n) read_nodes(nodes.item(n), ids, position);
    }
  }

  void read_nodes(const Cursor& node, std::unordered_set<std::string>& ids, std::size_t& position) {
    ignored_.others(text_, node, std::array<std::string_view, 3>{"id", "type", "number"});
    const Cursor id = node.member("id"), type = required(text_, node, "type");
    const std::size_t count = number(node);
    if (count == 0) return;
    const std::uint32_t index = node_type(type);
    for (std::size_t copy = 0; copy < count; ++copy, ++position) {
      if (out_.nodes.size() >= kMostNodes) too_many(node);
      std::string name = id ? name_at(text_, id) : fmt::format("node{}", position);
      if (!ids.insert(name).second)
        text_.fail(id ? id : node, "duplicate_id", "E_ID", "there are two nodes '{}' in cluster '{}'{}",
                   shown(std::string_view(name)), shown(std::string_view(out_.clusters.back())),
                   count > 1 && id ? ": with a number, leave the id out" : "");
      out_.nodes.push_back({std::move(name), static_cast<std::uint32_t>(out_.clusters.size() - 1), index});
    }
  }

  // The definition that `reference` names, in the dictionary `kind` of the file.
  Cursor definition(const Cursor& dictionary, std::string_view kind, const Cursor& reference) const {
    const std::string& name = text_.string(reference);
    std::vector<std::string> names;
    if (dictionary) {
      text_.object(dictionary);
      const Cursor found = dictionary.member(name);
      if (found) return found;
      for (const auto& [known, value] : text_.object(dictionary)) names.push_back(known);
    }
    text_.fail(reference, "unknown_reference", "E_REF", "there is no {} type '{}'{}", kind,
               shown(std::string_view(name)), did_you_mean(name, names));
  }

  std::uint32_t node_type(const Cursor& reference) {
    const std::string& name = text_.string(reference);
    const auto known = node_types_.find(name);
    if (known != node_types_.end()) return known->second;
    const Cursor root = text_.root(), dictionary = root.member("node");
    const Cursor node = definition(dictionary, "node", reference);
    ignored_.others(text_, node, std::array<std::string_view, 3>{"id", "processors", "memory"});
    IrmasimPlatform::NodeType type{name, "", 0, 0};
    if (const Cursor memory = node.member("memory")) {
      const Cursor capacity = required(text_, memory, "capacity");
      ignored_.others(text_, memory, std::array<std::string_view, 1>{"capacity"});
      type.memory = number_between(text_, capacity, 0, kMostMemory, "GB");
    }
    const Cursor id = node.member("id");
    if (id) type.id = name_at(text_, id);
    const Cursor processors = required(text_, node, "processors");
    const std::string* processor_name = nullptr;
    double count = 0;
    for (std::size_t p = 0; p < text_.array(processors).size(); ++p) {
      const Cursor processor = processors.item(p);
      ignored_.others(text_, processor, std::array<std::string_view, 3>{"id", "type", "number"});
      const Cursor reference_to = required(text_, processor, "type");
      const std::size_t copies = number(processor);
      const std::string& its_type = text_.string(reference_to);
      if (processor_name != nullptr && *processor_name != its_type)
        text_.fail(reference_to, "not_homogeneous", "E_HOMOGENEOUS",
                   "the processors of a node must be of one type, got '{}' and '{}'",
                   shown(std::string_view(*processor_name)), shown(std::string_view(its_type)));
      type.processor = processor_type(reference_to);
      processor_name = &its_type;
      count += static_cast<double>(copies);
    }
    const double cores = processor_name == nullptr ? 0 : count * out_.processors[type.processor].cores;
    if (!(cores >= 1 && cores <= kLargestCount))
      text_.fail(processors, "out_of_range", "E_RANGE", "a node must have 1 to {} cores, got {}",
                 kLargestCount, cores);
    type.count = static_cast<std::int32_t>(count);
    const auto index = static_cast<std::uint32_t>(out_.node_types.size());
    node_types_.emplace(name, index);
    out_.node_types.push_back(std::move(type));
    return index;
  }

  std::optional<IrmasimPlatform::CorePower> core_power(const Cursor& processor) const {
    if (!processor.member("static_power") && !processor.member("dynamic_power") &&
        !processor.member("min_power"))
      return std::nullopt;
    const auto number = [&](std::string_view name, double largest, std::string_view unit) {
      return number_between(text_, required(text_, processor, name), 0, largest, unit);
    };
    return IrmasimPlatform::CorePower{.static_power = number("static_power", kMostPower, "W"),
                                      .dynamic_power = number("dynamic_power", kMostPower, "W"),
                                      .min_power = number("min_power", 1, "")};
  }

  std::uint32_t processor_type(const Cursor& reference) {
    const std::string& name = text_.string(reference);
    const auto known = processors_.find(name);
    if (known != processors_.end()) return known->second;
    const Cursor root = text_.root(), dictionary = root.member("processor");
    const Cursor processor = definition(dictionary, "processor", reference);
    ignored_.others(
        text_, processor,
        std::array<std::string_view, 9>{"id", "type", "cores", "clock_rate", "flops_per_cycle",
                                        "dpflops_per_cycle", "static_power", "dynamic_power", "min_power"});
    IrmasimPlatform::Processor type;
    type.name = name;
    const Cursor id = processor.member("id"), kind = processor.member("type");
    if (id) type.id = name_at(text_, id);
    type.kind = text_or(text_, kind, "CPU");
    const Cursor cores = required(text_, processor, "cores"),
                 clock = required(text_, processor, "clock_rate");
    type.cores = static_cast<std::int32_t>(whole_number(text_, cores, 1, kLargestCount));
    type.clock_rate = positive_number(text_, clock, "GHz");
    const Cursor flops = either(text_, processor, "flops_per_cycle", "dpflops_per_cycle");
    if (!flops)
      text_.fail(processor, "missing_field", "E_FIELD",
                 "'flops_per_cycle' (or 'dpflops_per_cycle') is missing");
    type.flops_per_cycle = positive_number(text_, flops, "operations");
    if (!(type.rate() > 0) || std::isinf(type.rate()))
      text_.fail(clock, "out_of_range", "E_RANGE",
                 "clock_rate * 1e9 * flops_per_cycle must be finite and > 0, got {}", type.rate());
    type.power = core_power(processor);
    const auto index = static_cast<std::uint32_t>(out_.processors.size());
    processors_.emplace(name, index);
    out_.processors.push_back(std::move(type));
    return index;
  }

  const JsonText& text_;
  std::string_view wanted_;
  IrmasimPlatform out_;
  Ignored ignored_;
  std::unordered_map<std::string, std::uint32_t> node_types_, processors_;  // looked up only
  std::unordered_set<std::string> cluster_ids_;
};

// A clock rate in GHz and operations per cycle. Their product is the speed, to the last bit.
std::pair<double, double> divided(double speed) {
  double clock = speed / 1e9;
  for (const double near : {clock, std::nextafter(clock, 0.0), std::nextafter(clock, kNever)})
    if (near * 1e9 * 1.0 == speed && near > 0) return {near, 1};
  return {1e-9, speed};  // 1e-9 * 1e9 is 1
}

}  // namespace

std::int32_t IrmasimPlatform::cores(const Node& node) const {
  const NodeType& type = node_types[node.type];
  return type.count * processors[type.processor].cores;
}

namespace {

std::shared_ptr<const PowerModel> power_of_node(const IrmasimPlatform::CorePower& core, std::int32_t cores) {
  SpeedState state;
  state.epsilon = cores * core.static_power;
  state.idle = core.min_power * state.epsilon;
  state.busy = state.epsilon + cores * core.dynamic_power;
  PowerModel power;
  power.states.push_back(state);
  return std::make_shared<const PowerModel>(std::move(power));
}

// The fields of the format for a host beside its name; < 0: not declared.
struct KindOfHost {
  double speed = 0;
  std::int32_t cores = 1, architecture = 0;
  double idle = -1, epsilon = -1, busy = -1, memory = -1;
  auto operator<=>(const KindOfHost&) const = default;
};

KindOfHost kind_of(const Host& host) {
  KindOfHost kind{.speed = host.speed, .cores = host.cores, .architecture = host.architecture};
  if (host.power != nullptr) {
    const SpeedState& state = host.power->states.front();
    kind.idle = state.idle;
    kind.epsilon = state.epsilon;
    kind.busy = state.busy;
  }
  if (host.supply != nullptr && host.supply->memory < kNeverShort) kind.memory = host.supply->memory;
  return kind;
}

// One processor with the power of the host.
std::optional<IrmasimPlatform::CorePower> core_power(const KindOfHost& kind) {
  if (kind.idle < 0) return std::nullopt;
  return IrmasimPlatform::CorePower{.static_power = kind.epsilon / kind.cores,
                                    .dynamic_power = (kind.busy - kind.epsilon) / kind.cores,
                                    .min_power = kind.epsilon > 0 ? kind.idle / kind.epsilon : 1};
}

bool draws_elsewhere(const PowerModel& power) {
  return power.states.size() > 1 || power.off != 0 || power.down != 0 || power.boot.time != 0 ||
         power.shutdown.time != 0;
}

}  // namespace

PlatformSpec IrmasimPlatform::spec() const {
  PlatformSpec spec;
  std::vector<std::shared_ptr<const PowerModel>> powers;  // of the node types
  std::vector<std::shared_ptr<const Supply>> supplies;
  for (const NodeType& type : node_types) {
    const Processor& processor = processors[type.processor];
    powers.push_back(processor.power ? power_of_node(*processor.power, type.count * processor.cores)
                                     : nullptr);
    supplies.push_back(
        type.memory ? std::make_shared<const Supply>(Supply{.memory = std::floor(*type.memory * kBytesOfGb)})
                    : nullptr);
  }
  for (const std::string& cluster : clusters) spec.clusters.push_back({.name = cluster, .hosts = {}});
  for (const Node& node : nodes) {
    Host host;
    host.name = clusters[node.cluster] + "." + node.id;
    host.cores = cores(node);
    host.speed = processors[node_types[node.type].processor].rate();
    host.architecture = static_cast<std::int32_t>(node_types[node.type].processor);
    host.power = powers[node.type];
    host.supply = supplies[node.type];
    spec.clusters[node.cluster].hosts.push_back(std::move(host));
  }
  return spec;
}

IrmasimPlatformFile parse_irmasim_platform(std::string_view text, std::string_view name,
                                           std::string_view platform_name) {
  const JsonText json(text, name);
  return PlatformReader(json, platform_name).read();
}

IrmasimPlatformFile read_irmasim_platform(const std::filesystem::path& path, std::string_view platform_name) {
  return parse_irmasim_platform(Lines::whole(path, kLargestIrmasimFile), path.string(), platform_name);
}

IrmasimPlatform irmasim_platform(const Platform& platform, std::string_view name,
                                 std::vector<std::string>* lost) {
  IrmasimPlatform out;
  out.name = out.id = name;
  out.model_name = "modelV1";
  std::map<KindOfHost, std::uint32_t> types;
  bool links = false, partly = false, setups = false, modes = false, powers = false, resources = false;
  for (const Cluster& cluster : platform.clusters()) {
    out.clusters.push_back(cluster.name);
    links = links || !platform[cluster.link].implied;
    for (const HostId id : cluster.hosts) {
      const Host& host = platform[id];
      partly = partly || host.availability != Profile{1.0};
      setups = setups || host.setup != 0;
      modes = modes || host.exclusive || host.overtake || host.slots != host.cores;
      powers = powers || (host.power != nullptr && draws_elsewhere(*host.power));
      resources = resources || (host.supply != nullptr && !host.supply->resources.empty());
      const auto [entry, added] =
          types.try_emplace(kind_of(host), static_cast<std::uint32_t>(out.node_types.size()));
      if (added) {
        const auto [clock, flops] = divided(host.speed);
        const std::string number = std::to_string(entry->second);
        out.processors.push_back(
            {"p" + number, "p" + number, "CPU", host.cores, clock, flops, core_power(entry->first)});
        out.node_types.push_back({"n" + number, "n" + number, entry->second, 1});
        if (entry->first.memory >= 0) out.node_types.back().memory = entry->first.memory / kBytesOfGb;
      }
      const bool prefixed =
          host.name.starts_with(cluster.name + ".") && host.name.size() > cluster.name.size() + 1;
      out.nodes.push_back({prefixed ? host.name.substr(cluster.name.size() + 1) : host.name,
                           static_cast<std::uint32_t>(out.clusters.size() - 1), entry->second});
    }
  }
  if (lost != nullptr) {
    if (links) lost->emplace_back("links");
    if (partly) lost->emplace_back("availability below 1");
    if (setups) lost->emplace_back("set-up times");
    if (modes) lost->emplace_back("slots, exclusive use and overtaking");
    if (powers) lost->emplace_back("states of speed and powers of hosts that are off or away");
    if (resources) lost->emplace_back("resources");
  }
  return out;
}

std::string write_irmasim(const IrmasimPlatform& platform) {
  std::string out = fmt::format("{{\n  \"platform\": {{\n    {}: {{\n", json_string(platform.name));
  if (!platform.id.empty()) out += fmt::format("      \"id\": {},\n", json_string(platform.id));
  if (!platform.model_name.empty())
    out += fmt::format("      \"model_name\": {},\n", json_string(platform.model_name));
  out += "      \"clusters\": [";
  std::size_t n = 0;
  for (std::uint32_t c = 0; c < platform.clusters.size(); ++c) {
    out += fmt::format("{}\n        {{ \"id\": {}, \"nodes\": [", c == 0 ? "" : ",",
                       json_string(platform.clusters[c]));
    const std::size_t first = n;
    const auto unnamed = [&](std::size_t i) {
      return platform.nodes[i].id == fmt::format("node{}", i - first);
    };
    while (n < platform.nodes.size() && platform.nodes[n].cluster == c) {
      const IrmasimPlatform::Node& node = platform.nodes[n];
      out += fmt::format("{}\n          {{ ", n == first ? "" : ",");
      std::size_t end = n + 1;
      if (unnamed(n))
        while (end < platform.nodes.size() && platform.nodes[end].cluster == c &&
               platform.nodes[end].type == node.type && unnamed(end))
          ++end;
      else
        out += fmt::format("\"id\": {}, ", json_string(node.id));
      out += fmt::format("\"type\": {}, \"number\": {} }}", json_string(platform.node_types[node.type].name),
                         end - n);
      n = end;
    }
    out += " ] }";
  }
  out += " ]\n    }\n  },\n  \"node\": {";
  for (std::size_t t = 0; t < platform.node_types.size(); ++t) {
    const IrmasimPlatform::NodeType& type = platform.node_types[t];
    out += fmt::format("{}\n    {}: {{ ", t == 0 ? "" : ",", json_string(type.name));
    if (!type.id.empty()) out += fmt::format("\"id\": {}, ", json_string(type.id));
    out += fmt::format("\"processors\": [ {{ \"type\": {}, \"number\": {} }} ]",
                       json_string(platform.processors[type.processor].name), type.count);
    if (type.memory) out += fmt::format(", \"memory\": {{ \"capacity\": {} }}", format_number(*type.memory));
    out += " }";
  }
  out += "\n  },\n  \"processor\": {";
  for (std::size_t p = 0; p < platform.processors.size(); ++p) {
    const IrmasimPlatform::Processor& type = platform.processors[p];
    out += fmt::format("{}\n    {}: {{ ", p == 0 ? "" : ",", json_string(type.name));
    if (!type.id.empty()) out += fmt::format("\"id\": {}, ", json_string(type.id));
    out += fmt::format("\"type\": {}, \"cores\": {}, \"clock_rate\": {}, \"dpflops_per_cycle\": {}",
                       json_string(type.kind), type.cores, format_number(type.clock_rate),
                       format_number(type.flops_per_cycle));
    if (type.power)
      out += fmt::format(", \"static_power\": {}, \"dynamic_power\": {}, \"min_power\": {}",
                         format_number(type.power->static_power), format_number(type.power->dynamic_power),
                         format_number(type.power->min_power));
    out += " }";
  }
  return out + "\n  }\n}\n";
}

}  // namespace perigee::readers

#include "runtime/model/readers/irmasim.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/readers/table.h"

namespace perigee::readers {
namespace {

using readers::Json;
using readers::json_string;
using readers::JsonText;
using readers::Lines;
using readers::shown;
using Cursor = JsonText::Cursor;

constexpr double kLargestSeed = 9007199254740992;  // 2^53
constexpr std::size_t kMostNodes = std::size_t{1} << 20;

// Fields that play no part, each name once.
class Ignored {
 public:
  template <class Where>
  void add(std::string_view key, Where where) {
    const auto found = std::ranges::find(all_, key, &IrmasimIgnored::key);
    if (found != all_.end())
      ++found->count;
    else if (all_.size() < kMost)
      all_.push_back({std::string(key), where(), 1});
  }
  void add(const Cursor& at) {
    add(at.key, [&] { return at.path(); });
  }
  // Adds the members that are not among `known`.
  void others(const JsonText& text, const Cursor& at, std::span<const std::string_view> known) {
    for (const auto& [key, value] : text.object(at))
      if (std::ranges::find(known, key) == known.end()) add({&value, &at, key, 0});
  }
  std::vector<IrmasimIgnored> take() { return std::move(all_); }

 private:
  static constexpr std::size_t kMost = 1000;  // names
  std::vector<IrmasimIgnored> all_;
};

// The member under either name; it is an error if both are there and differ.
Cursor either(const JsonText& text, const Cursor& object, std::string_view name, std::string_view other) {
  const Cursor first = object.member(name), second = object.member(other);
  if (first && second && *first.value != *second.value)
    text.fail(second, "conflicting_fields", "E_FIELD", "{} is another spelling of {}, but they are {} and {}",
              other, name, shown(*second.value), shown(*first.value));
  return first ? first : second;
}

Cursor required(const JsonText& text, const Cursor& object, std::string_view name) {
  text.object(object);
  const Cursor found = object.member(name);
  if (!found) text.fail(object, "missing_field", "E_FIELD", "'{}' is missing", name);
  return found;
}

double whole(const JsonText& text, const Cursor& at, double smallest, double largest) {
  const double value = text.number(at);
  if (!(value >= smallest && value <= largest) || value != std::floor(value))
    text.fail(at, "out_of_range", "E_RANGE", "must be a whole number, {} to {}, got {}", smallest, largest,
              shown(*at.value));
  return value;
}

double positive(const JsonText& text, const Cursor& at, std::string_view unit) {
  const double value = text.number(at);
  if (!(value > 0) || std::isinf(value))
    text.fail(at, "out_of_range", "E_RANGE", "must be > 0{}{}, got {}", unit.empty() ? "" : " ", unit,
              shown(*at.value));
  return value;
}

std::string text_or(const JsonText& text, const Cursor& at, const std::string& fallback) {
  return at ? text.string(at) : fallback;
}

// A name: a string, or a whole number as Batsim writes them.
std::string name_at(const JsonText& text, const Cursor& at) {
  if (at.value->is_number_integer()) return at.value->dump();
  const std::string& name = text.string(at);
  if (name.empty()) text.fail(at, "bad_json", "E_JSON", "must not be empty");
  return name;
}

}  // namespace

std::string IrmasimIgnored::text() const {
  return fmt::format("field '{}' is ignored (first at {}{})", shown(std::string_view(key)), first,
                     count > 1 ? fmt::format(", {} times", count) : "");
}

// ---- platform ----

namespace {

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
    return number ? static_cast<std::size_t>(whole(text_, number, 0, kLargestCount)) : 1;
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
    ignored_.others(text_, node, std::array<std::string_view, 2>{"id", "processors"});
    IrmasimPlatform::NodeType type{name, "", 0, 0};
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

  std::uint32_t processor_type(const Cursor& reference) {
    const std::string& name = text_.string(reference);
    const auto known = processors_.find(name);
    if (known != processors_.end()) return known->second;
    const Cursor root = text_.root(), dictionary = root.member("processor");
    const Cursor processor = definition(dictionary, "processor", reference);
    ignored_.others(text_, processor,
                    std::array<std::string_view, 6>{"id", "type", "cores", "clock_rate", "flops_per_cycle",
                                                    "dpflops_per_cycle"});
    IrmasimPlatform::Processor type;
    type.name = name;
    const Cursor id = processor.member("id"), kind = processor.member("type");
    if (id) type.id = name_at(text_, id);
    type.kind = text_or(text_, kind, "CPU");
    const Cursor cores = required(text_, processor, "cores"),
                 clock = required(text_, processor, "clock_rate");
    type.cores = static_cast<std::int32_t>(whole(text_, cores, 1, kLargestCount));
    type.clock_rate = positive(text_, clock, "GHz");
    const Cursor flops = either(text_, processor, "flops_per_cycle", "dpflops_per_cycle");
    if (!flops)
      text_.fail(processor, "missing_field", "E_FIELD",
                 "'flops_per_cycle' (or 'dpflops_per_cycle') is missing");
    type.flops_per_cycle = positive(text_, flops, "operations");
    if (!(type.rate() > 0) || std::isinf(type.rate()))
      text_.fail(clock, "out_of_range", "E_RANGE",
                 "clock_rate * 1e9 * flops_per_cycle must be finite and > 0, got {}", type.rate());
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

PlatformSpec IrmasimPlatform::spec() const {
  PlatformSpec spec;
  for (const std::string& cluster : clusters) spec.clusters.push_back({.name = cluster, .hosts = {}});
  for (const Node& node : nodes) {
    Host host;
    host.name = clusters[node.cluster] + "." + node.id;
    host.cores = cores(node);
    host.speed = processors[node_types[node.type].processor].rate();
    host.architecture = static_cast<std::int32_t>(node_types[node.type].processor);
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
  std::map<std::tuple<double, std::int32_t, std::int32_t>, std::uint32_t>
      types;  // speed, cores, architecture
  bool links = false, partly = false, setups = false, modes = false;
  for (const Cluster& cluster : platform.clusters()) {
    out.clusters.push_back(cluster.name);
    links = links || !platform[cluster.link].implied;
    for (const HostId id : cluster.hosts) {
      const Host& host = platform[id];
      partly = partly || host.availability != Profile{1.0};
      setups = setups || host.setup != 0;
      modes = modes || host.exclusive || host.overtake || host.slots != host.cores;
      const auto [entry, added] = types.try_emplace({host.speed, host.cores, host.architecture},
                                                    static_cast<std::uint32_t>(out.node_types.size()));
      if (added) {
        const auto [clock, flops] = divided(host.speed);
        const std::string number = std::to_string(entry->second);
        out.processors.push_back({"p" + number, "p" + number, "CPU", host.cores, clock, flops});
        out.node_types.push_back({"n" + number, "n" + number, entry->second, 1});
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
    out += fmt::format("\"processors\": [ {{ \"type\": {}, \"number\": {} }} ] }}",
                       json_string(platform.processors[type.processor].name), type.count);
  }
  out += "\n  },\n  \"processor\": {";
  for (std::size_t p = 0; p < platform.processors.size(); ++p) {
    const IrmasimPlatform::Processor& type = platform.processors[p];
    out += fmt::format("{}\n    {}: {{ ", p == 0 ? "" : ",", json_string(type.name));
    if (!type.id.empty()) out += fmt::format("\"id\": {}, ", json_string(type.id));
    out += fmt::format("\"type\": {}, \"cores\": {}, \"clock_rate\": {}, \"dpflops_per_cycle\": {} }}",
                       json_string(type.kind), type.cores, format_number(type.clock_rate),
                       format_number(type.flops_per_cycle));
  }
  return out + "\n  }\n}\n";
}

// ---- workload ----

namespace {

constexpr std::array<std::string_view, 14> kJobFields{"id",    "subtime",  "submit_time", "ntasks", "res",
                                                      "nodes", "req_time", "req_ops",     "ipc",    "opc",
                                                      "mem",   "mem_vol",  "req_energy",  "profile"};

// The numbers of a job as they are, in this order.
enum Field : std::uint8_t {
  submit_time,
  ntasks,
  nodes,
  req_time,
  req_ops,
  opc,
  mem,
  mem_vol,
  req_energy,
  kFieldCount
};
struct FieldNames {
  std::string_view name, other;
};
constexpr std::array<FieldNames, kFieldCount> kFieldNames{{{"submit_time", "subtime"},
                                                           {"ntasks", "res"},
                                                           {"nodes", "nodes"},
                                                           {"req_time", "req_time"},
                                                           {"req_ops", "req_ops"},
                                                           {"opc", "ipc"},
                                                           {"mem", "mem"},
                                                           {"mem_vol", "mem_vol"},
                                                           {"req_energy", "req_energy"}}};
using Numbers = std::array<std::optional<double>, kFieldCount>;

// `fault(field, code, alias, message)` throws; without a field the job is at fault.
template <class Fault>
IrmasimJob make_job(const Numbers& given, const Fault& fault) {
  for (const Field field : {submit_time, ntasks, req_time})
    if (!given[field]) {
      const auto [name, other] = kFieldNames[field];
      fault(std::optional<Field>(), "missing_field", "E_FIELD",
            name == other ? fmt::format("'{}' is missing", name)
                          : fmt::format("'{}' (or '{}') is missing", name, other));
    }
  const auto check = [&](Field field, bool good, std::string_view rule) {
    if (!good)
      fault(std::optional(field), "out_of_range", "E_RANGE",
            fmt::format("must be {}, got {}", rule, format_number(*given[field])));
  };
  for (std::size_t f = 0; f < kFieldCount; ++f)
    if (given[f]) check(static_cast<Field>(f), std::isfinite(*given[f]), "finite");
  check(submit_time, *given[submit_time] >= 0, ">= 0 s");
  check(
      ntasks,
      *given[ntasks] >= 1 && *given[ntasks] <= kLargestCount && *given[ntasks] == std::floor(*given[ntasks]),
      "a whole number, 1 to 2147483647");
  check(req_time, *given[req_time] > 0, "> 0 s");
  if (given[req_ops]) check(req_ops, *given[req_ops] >= 0, ">= 0 operations");
  for (const Field field : {mem, mem_vol})
    if (given[field]) check(field, *given[field] >= 0, ">= 0 bytes");
  if (given[opc]) check(opc, *given[opc] > 0, "> 0 operations per cycle");
  if (given[nodes] && *given[nodes] != 1)
    fault(std::optional(nodes), "bad_nodes", "E_NODES",
          fmt::format("must be 1: all tasks of a job run on one node, got {}", format_number(*given[nodes])));
  IrmasimJob job;
  job.submit_time = *given[submit_time] + 0.0;  // no -0
  job.ntasks = static_cast<std::int32_t>(*given[ntasks]);
  job.req_time = *given[req_time];
  job.req_ops = given[req_ops];
  job.opc = given[opc].value_or(1);
  job.mem = given[mem];
  job.mem_vol = given[mem_vol];
  job.req_energy = given[req_energy];
  return job;
}

class JobReader {
 public:
  explicit JobReader(const JsonText& text) : text_(text) {}

  IrmasimWorkloadFile read() {
    const Cursor root = text_.root();
    ignored_.others(text_, root, std::array<std::string_view, 2>{"jobs", "profiles"});
    const Cursor jobs = required(text_, root, "jobs");
    const Cursor profiles = root.member("profiles");
    if (profiles) text_.object(profiles);
    IrmasimWorkloadFile out;
    const std::size_t count = text_.array(jobs).size();
    out.jobs.reserve(count);
    std::unordered_map<std::string, std::size_t> ids;  // looked up only
    for (std::size_t j = 0; j < count; ++j) {
      const Cursor job = jobs.item(j);
      out.jobs.push_back(read_job(job, j, profiles));
      const auto [entry, added] = ids.emplace(out.jobs.back().id, j);
      if (!added) {
        const Cursor id = job.member("id");
        text_.fail(id ? id : job, "duplicate_id", "E_ID", "'{}' is already the id of $.jobs[{}]",
                   shown(std::string_view(entry->first)), entry->second);
      }
    }
    out.ignored = ignored_.take();
    return out;
  }

 private:
  IrmasimJob read_job(const Cursor& job, std::size_t index, const Cursor& profiles) {
    ignored_.others(text_, job, kJobFields);
    Numbers given;
    std::array<bool, kFieldCount> from_profile{};
    take(job, given);
    const Cursor reference = job.member("profile");
    const Cursor profile = reference ? find_profile(reference, profiles) : Cursor{};
    if (profile) {
      Numbers filled;
      ignored_.others(text_, profile, kJobFields);
      take(profile, filled);
      for (std::size_t f = 0; f < kFieldCount; ++f) {
        if (given[f] || !filled[f]) continue;
        given[f] = filled[f];
        from_profile[f] = true;
      }
    }
    IrmasimJob out = make_job(given, [&](std::optional<Field> field, std::string_view code,
                                         std::string_view alias, const std::string& message) {
      if (!field) text_.fail(job, code, alias, "{}", message);
      const auto [name, other] = kFieldNames[*field];
      const Cursor& owner = from_profile[*field] ? profile : job;
      const Cursor at = owner.member(name), at_other = owner.member(other);
      text_.fail(at ? at : at_other, code, alias, "{}", message);
    });
    const Cursor id = job.member("id");
    out.id = id ? name_at(text_, id) : fmt::format("job{}", index);
    if (profile) out.profile = text_.string(reference);
    return out;
  }

  void take(const Cursor& object, Numbers& into) const {
    for (std::size_t f = 0; f < kFieldCount; ++f) {
      const auto [name, other] = kFieldNames[f];
      const Cursor found = name == other ? object.member(name) : either(text_, object, name, other);
      if (found) into[f] = text_.number(found);
    }
  }

  Cursor find_profile(const Cursor& reference, const Cursor& profiles) const {
    const std::string& name = text_.string(reference);
    std::vector<std::string> names;
    if (profiles) {
      const Cursor found = profiles.member(name);
      if (found) {
        text_.object(found);
        return found;
      }
      for (const auto& [known, value] : text_.object(profiles)) names.push_back(known);
    }
    text_.fail(reference, "unknown_reference", "E_REF", "there is no profile '{}'{}",
               shown(std::string_view(name)), did_you_mean(name, names));
  }

  const JsonText& text_;
  Ignored ignored_;
};

IrmasimWorkloadFile read_csv(const std::function<TableHeader(const std::vector<TableColumn>&,
                                                             const TableRows&, const TableOptions&)>& read) {
  // Both spellings are columns of their own: the same value in both is allowed.
  std::vector<TableColumn> columns{{.name = "id", .required = false}, {.name = "profile", .required = false}};
  std::array<std::array<std::size_t, 2>, kFieldCount> places{};
  for (std::size_t f = 0; f < kFieldCount; ++f) {
    places[f][0] = columns.size();
    columns.push_back(
        {.name = std::string(kFieldNames[f].name), .kind = TableColumn::Kind::number, .required = false});
    places[f][1] = places[f][0];
    if (kFieldNames[f].name == kFieldNames[f].other) continue;
    places[f][1] = columns.size();
    columns.push_back(
        {.name = std::string(kFieldNames[f].other), .kind = TableColumn::Kind::number, .required = false});
  }
  IrmasimWorkloadFile out;
  std::unordered_map<std::string, int> ids;  // looked up only
  const auto add = [&](const TableRow& row) {
    if (row.has(1))
      row.fail(1, "unknown_reference", "there is no profile '{}': a CSV file has none (E_REF)",
               shown(row.text(1)));
    Numbers given;
    for (std::size_t f = 0; f < kFieldCount; ++f) {
      const auto [first, second] = places[f];
      if (row.has(first) && row.has(second) && row.number(first) != row.number(second))
        row.fail(second, "conflicting_fields",
                 "{} is another spelling of {}, but they are {} and {} (E_FIELD)", kFieldNames[f].other,
                 kFieldNames[f].name, row.text(second), row.text(first));
      if (row.has(first) || row.has(second)) given[f] = row.number(row.has(first) ? first : second);
    }
    IrmasimJob job = make_job(given, [&](std::optional<Field> field, std::string_view code,
                                         std::string_view alias, const std::string& message) {
      if (!field) row.fail(0, code, "{} ({})", message, alias);
      const auto [first, second] = places[*field];
      const std::size_t column = row.has(first) ? first : second;
      row.fail(column, code, "{}: {} ({})", row.heading(column), message, alias);
    });
    job.id = row.has(0) ? std::string(row.text(0)) : fmt::format("job{}", out.jobs.size());
    if (!readers::is_utf8(job.id))
      row.fail(0, "bad_table", "id: '{}' is not UTF-8", shown(std::string_view(job.id)));
    const auto [entry, added] = ids.emplace(job.id, row.line());
    if (!added)
      row.fail(0, "duplicate_id", "'{}' is already the id of line {} (E_ID)", shown(std::string_view(job.id)),
               entry->second);
    out.jobs.push_back(std::move(job));
  };
  const TableHeader header = read(columns, add, {.other_columns = true});
  Ignored ignored;
  for (const std::string& name : header.ignored)
    ignored.add(name, [&] { return "column " + shown(std::string_view(name)); });
  out.ignored = ignored.take();
  return out;
}

bool names_csv(std::string_view name) {
  const std::string lower = lower_case(name);
  return lower.ends_with(".csv") || lower.ends_with(".csv.gz");
}

double slowest_rate(const Platform& platform) {
  if (platform.hosts().empty()) fail("empty_platform", "the platform has no node (E_EMPTY)");
  double slowest = kNever;
  for (const Host& host : platform.hosts()) slowest = std::min(slowest, host.speed);
  return slowest;
}

// An x with x * factor == product, if the quotient or a neighbour of it is one; else the quotient.
double quotient(double product, double factor) {
  const double near = product / factor;
  for (const double x : {near, std::nextafter(near, 0.0), std::nextafter(near, kNever)})
    if (x * factor == product) return x;
  return near;
}

// The fields of a job in the order in which they are written; an empty `text` = left out.
template <class Put>
void for_each_field(const IrmasimJob& job, const Put& put) {
  const auto number = [](const std::optional<double>& value) {
    return value ? format_number(*value) : std::string();
  };
  put("subtime", format_number(job.submit_time));
  put("nodes", "1");
  put("ntasks", std::to_string(job.ntasks));
  put("req_time", format_number(job.req_time));
  put("req_ops", number(job.req_ops));
  put("ipc", format_number(job.opc));
  put("mem", number(job.mem));
  put("mem_vol", number(job.mem_vol));
  put("req_energy", number(job.req_energy));
}

}  // namespace

IrmasimWorkloadFile parse_irmasim_workload(std::string_view text, std::string_view name) {
  if (names_csv(name))
    return read_csv([&](const auto& columns, const auto& row, const auto& options) {
      return parse_table(text, name, columns, row, options);
    });
  const JsonText json(text, name);
  return JobReader(json).read();
}

IrmasimWorkloadFile read_irmasim_workload(const std::filesystem::path& path) {
  if (names_csv(path.string()))
    return read_csv([&](const auto& columns, const auto& row, const auto& options) {
      return read_table(path, columns, row, options);
    });
  return parse_irmasim_workload(Lines::whole(path, kLargestIrmasimFile), path.string());
}

Workload irmasim_workload(const std::vector<IrmasimJob>& jobs, const Platform& platform,
                          const IrmasimTrajectory& trajectory) {
  const double slowest = slowest_rate(platform);
  Workload out;
  if (trajectory.origin > 0 && trajectory.origin >= jobs.size())
    fail("out_of_range", "trajectory_origin must be below the number of jobs, {}, got {} (E_RANGE)",
         jobs.size(), trajectory.origin);
  const auto first = static_cast<std::size_t>(trajectory.origin);
  const std::size_t rest = jobs.size() - first;
  if (trajectory.length > rest)
    fail("out_of_range", "trajectory_length must be at most {} (jobs from number {} on), got {} (E_RANGE)",
         rest, first, trajectory.length);
  const std::size_t count = trajectory.length == 0 ? rest : static_cast<std::size_t>(trajectory.length);
  const double zero = first > 0 ? jobs[first].submit_time : 0;
  for (std::size_t j = first; j < first + count; ++j) {
    const IrmasimJob& job = jobs[j];
    Work work;
    work.kind = WorkKind::job;
    work.form = TimeForm::operations;
    work.cores = job.ntasks;
    work.arrival = std::max(0.0, job.submit_time - zero);
    work.estimate = job.req_time * slowest;
    work.amount = job.req_ops ? std::ceil(*job.req_ops / job.opc) : work.estimate;
    if (trajectory.enforce_req_time) work.amount = std::min(work.amount, work.estimate);
    if (!std::isfinite(work.estimate) || !std::isfinite(work.amount))
      fail("out_of_range", "{}: its operations are too many, {} as requested and {} in truth (E_RANGE)",
           shown(std::string_view(job.id)), work.estimate, work.amount);
    out.works.push_back(work);
    out.names.push_back(job.id);
    out.needs.push_back({job.mem.value_or(Needs::kUndeclared), job.mem_vol.value_or(Needs::kUndeclared),
                         job.req_energy.value_or(Needs::kUndeclared),
                         job.req_ops.value_or(Needs::kUndeclared), job.opc, job.profile});
  }
  return out;
}

std::vector<IrmasimJob> irmasim_jobs(const Workload& workload, const Platform& platform,
                                     std::vector<std::string>* lost) {
  const double slowest = slowest_rate(platform);
  const bool equal =
      std::ranges::all_of(platform.hosts(), [&](const Host& host) { return host.speed == slowest; });
  bool files = false, deadlines = false, users = false, priorities = false, fractions = false;
  std::vector<IrmasimJob> jobs;
  std::unordered_set<std::string> ids;
  for (std::size_t w = 0; w < workload.size(); ++w) {
    const Work& work = workload.works[w];
    const std::string name = workload.name_of(WorkId(w));
    if (work.kind != WorkKind::job && work.kind != WorkKind::task)
      fail("not_irmasim", "{}: the format has jobs only, got a {}", name, name_of(work.kind));
    if (work.form != TimeForm::operations && !(work.form == TimeForm::seconds && equal))
      fail("not_irmasim", "{}: the format has operations only, got {}", name,
           work.form == TimeForm::seconds ? "seconds on hosts of several speeds"
                                          : "a time for each host or architecture");
    files = files || work.input_count > 0 || work.output_count > 0;
    deadlines = deadlines || work.deadline != kNever;
    priorities = priorities || work.priority != 0;
    users = users || work.user.valid();
    const double factor = work.form == TimeForm::seconds ? slowest : 1;
    IrmasimJob job;
    job.id =
        w < workload.names.size() && !workload.names[w].empty() ? workload.names[w] : fmt::format("job{}", w);
    if (!ids.insert(job.id).second) fail("duplicate_id", "there are two jobs '{}' (E_ID)", job.id);
    job.submit_time = work.arrival;
    job.ntasks = work.cores;
    job.req_time = quotient(work.estimate * factor, slowest);
    if (!(job.req_time > 0))
      fail("out_of_range", "{}: its estimate must be > 0 for req_time, got {} (E_RANGE)", name,
           work.estimate);
    const Needs needs = workload.needs_of(WorkId(w));
    const auto declared = [](double value) {
      return std::isnan(value) ? std::nullopt : std::optional(value);
    };
    job.mem = declared(needs.memory);
    job.mem_vol = declared(needs.memory_traffic);
    job.req_energy = declared(needs.energy);
    job.profile = needs.profile;
    if (work.form == TimeForm::operations &&
        std::ceil(needs.operations / needs.operations_per_cycle) == work.amount) {
      job.req_ops = needs.operations;
      job.opc = needs.operations_per_cycle;
    } else if (work.amount * factor != job.req_time * slowest) {
      job.req_ops = work.amount * factor;
      fractions = fractions || *job.req_ops != std::ceil(*job.req_ops);
    } else if (std::isnan(needs.operations)) {
      job.opc = needs.operations_per_cycle;
    }
    jobs.push_back(std::move(job));
  }
  if (lost != nullptr) {
    if (files) lost->emplace_back("files");
    if (deadlines) lost->emplace_back("deadlines");
    if (priorities) lost->emplace_back("priorities");
    if (users) lost->emplace_back("users");
    if (fractions) lost->emplace_back("fractions of operations");
  }
  return jobs;
}

std::string write_irmasim(std::span<const IrmasimJob> jobs) {
  std::string out = "{\n  \"jobs\": [";
  std::set<std::string> profiles;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    out += fmt::format("{}\n    {{ \"id\": {}", j == 0 ? "" : ",", json_string(jobs[j].id));
    for_each_field(jobs[j], [&](std::string_view name, const std::string& text) {
      if (!text.empty()) out += fmt::format(", \"{}\": {}", name, text);
    });
    if (!jobs[j].profile.empty()) {
      out += fmt::format(", \"profile\": {}", json_string(jobs[j].profile));
      profiles.insert(jobs[j].profile);
    }
    out += " }";
  }
  out += "\n  ]";
  const char* before = ",\n  \"profiles\": { ";
  for (const std::string& profile : profiles) {  // the jobs have all their fields
    out += fmt::format("{}{}: {{}}", before, json_string(profile));
    before = ", ";
  }
  return out + (profiles.empty() ? "\n}\n" : " }\n}\n");
}

// ---- options ----

namespace {

constexpr std::array<std::string_view, 4> kManagers{"Minimal", "Heuristic", "Duplex", "AStar"};
constexpr std::array<std::string_view, 7> kJobSelections{"random",   "first",   "shortest",  "longest",
                                                         "smallest", "low_mem", "low_mem_bw"};
constexpr std::array<std::string_view, 5> kResourceSelections{"random", "first", "high_gflops", "high_cores",
                                                              "low_cores"};
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
        value = static_cast<std::uint64_t>(whole(text_, at, 0, kLargestSeed));
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
    const auto choice = [&](std::string_view name, std::string& value,
                            std::span<const std::string_view> choices, std::string_view code,
                            std::string_view alias) {
      keys.push_back(name);
      const Cursor at = manager.member(name);
      if (!at) return;
      value = text_.string(at);
      if (std::ranges::find(choices, value) == choices.end())
        text_.fail(at, code, alias, "must be one of {}, got '{}'{}", fmt::join(choices, ", "),
                   shown(std::string_view(value)), did_you_mean(value, choices));
    };
    if (out.type == "Heuristic") {
      // Accepts another spelling of two of the selections.
      const auto same = [](std::string& value, std::string_view other, std::string_view name) {
        if (value == other) value = name;
      };
      keys.insert(keys.end(), {"job_selection", "resource_selection"});
      const auto selection = [&](std::string_view name, std::string& value, std::string_view other,
                                 std::string_view meant, std::span<const std::string_view> choices) {
        const Cursor at = manager.member(name);
        if (!at) return;
        value = text_.string(at);
        same(value, other, meant);
        if (value == "high_mem" || value == "high_mem_bw" || value == "low_power")
          text_.fail(at, "bad_parameter", "E_POLICY",
                     "'{}' needs the memory or power of nodes, which is not modelled; there are {}", value,
                     fmt::join(choices, ", "));
        if (std::ranges::find(choices, value) == choices.end())
          text_.fail(at, "bad_parameter", "E_POLICY", "must be one of {}, got '{}'{}",
                     fmt::join(choices, ", "), shown(std::string_view(value)), did_you_mean(value, choices));
      };
      selection("job_selection", out.job_selection, "low_mem_ops", "low_mem_bw", kJobSelections);
      selection("resource_selection", out.resource_selection, "high_core", "high_cores", kResourceSelections);
    }
    if (out.type == "Duplex")
      choice("scheduling_option", out.scheduling_option, kSchedulingOptions, "bad_parameter", "E_OPTION");
    if (out.type == "AStar") {
      choice("job_order", out.job_order, kJobOrders, "bad_parameter", "E_OPTION");
      keys.emplace_back("max_tree_nodes");
      if (const Cursor at = manager.member("max_tree_nodes")) {
        const double value = text_.number(at);
        if (value != std::floor(value) || value == 1 || !(value >= 0 && value <= kLargestCount))
          text_.fail(at, "bad_parameter", "E_OPTION", "must be 0 (no limit) or a whole number >= 2, got {}",
                     shown(*at.value));
        out.max_tree_nodes = static_cast<std::int64_t>(value);
      }
    }
    // Managers that map accept options that IRMaSim's program does not know. Minimal and Heuristic do not
    // map.
    if (out.type == "Minimal" || out.type == "Heuristic") {
      others(manager, keys);
      return out;
    }
    constexpr std::array<std::string_view, 5> kMore = {"ct_scope", "overtake", "duplex_sticky",
                                                       "max_expansions", "h2"};
    if (own) {
      std::vector<std::string_view> known = keys;
      known.insert(known.end(), kMore.begin(), kMore.end());
      others(manager, known);
    }
    for (const auto& [key, value] : text_.object(manager)) {
      if (std::ranges::find(keys, key) != keys.end()) continue;
      if (own && std::ranges::find(kMore, key) == kMore.end()) continue;
      const Cursor at{&value, &manager, key, 0};
      if (value.is_boolean())
        out.others.emplace_back(key, value.get<bool>());
      else if (value.is_number())
        out.others.emplace_back(key, value.get<double>());
      else if (value.is_string())
        out.others.emplace_back(key, value.get<std::string>());
      else
        ignored_.add(at);
    }
    return out;
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

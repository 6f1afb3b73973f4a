// A run as a trace in the Paje format, for ViTE, pj_dump and the like. Definitions follow "Paje trace file",
// de Oliveira Stein, Chassin de Kergommeaux and Mounie, 2010.
//
// Containers: platform > cluster > host > core, and links below their cluster or the platform. States: what a
// core works on (one value per work), who keeps a whole host, when a host or link is away. Variables: works
// submitted and not settled, transfers under way on each link.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

#include "runtime/kernel/quantity.h"
#include "runtime/results/executions.h"
#include "runtime/results/export.h"

namespace perigee {
namespace {

constexpr std::string_view kHeader =
    "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineVariableType 2\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 3\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeCreateContainer 4\n%  Time date\n%  Alias string\n%  Type string\n%  Container string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 5\n%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajePushState 6\n%  Time date\n%  Type string\n%  Container string\n%  Value "
    "string\n%EndEventDef\n"
    "%EventDef PajePopState 7\n%  Time date\n%  Type string\n%  Container string\n%EndEventDef\n"
    "%EventDef PajeSetVariable 8\n%  Time date\n%  Type string\n%  Container string\n%  Value double\n"
    "%EndEventDef\n"
    "0 PL 0 platform\n0 CL PL cluster\n0 HO CL host\n0 CO HO core\n0 LC CL link\n0 LP PL \"backbone link\"\n"
    "1 SC CO work\n1 SK HO kept\n1 SA HO away\n1 TC LC away\n1 TP LP away\n"
    "2 VW PL \"works in the system\" \"0 0 0\"\n2 VC LC transfers \"0 0 0\"\n2 VP LP transfers \"0 0 0\"\n";

// The format knows no escapes.
std::string paje_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? '\'' : static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return out + '"';
}

std::string exact(double value) { return format_number(value == 0 ? 0.0 : value); }

// Colours that neighbours in order do not share.
std::string_view colour(std::size_t i) {
  constexpr std::array<std::string_view, 12> kColours = {
      "0.12 0.47 0.71", "1.00 0.50 0.05", "0.17 0.63 0.17", "0.84 0.15 0.16",
      "0.58 0.40 0.74", "0.55 0.34 0.29", "0.89 0.47 0.76", "0.74 0.74 0.13",
      "0.09 0.75 0.81", "0.68 0.78 0.91", "1.00 0.73 0.47", "0.60 0.87 0.54"};
  return kColours[i % kColours.size()];
}

class Writer {
 public:
  explicit Writer(const Outcome& outcome)
      : outcome_(outcome),
        platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        runs_(executions(outcome)),
        away_(absences(outcome)) {}

  std::string write() {
    out_ = kHeader;
    create_containers();
    add_cores();
    add_links();
    add_absences();
    add_works();
    // In order of time and, at the same time, of the trace: what ends is over before something else begins.
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
      return a.time != b.time ? a.time < b.time : a.record < b.record;
    });
    for (const Event& event : events_) out_ += event.text;
    for (auto each = containers_.rbegin(); each != containers_.rend(); ++each)
      out_ += fmt::format("5 {} {}\n", exact(outcome_.end), *each);
    return std::move(out_);
  }

 private:
  struct Event {
    Time time;
    std::size_t record;
    std::string text;
  };

  void create(std::string_view type, const std::string& alias, std::string_view within,
              std::string_view name) {
    out_ += fmt::format("4 0 {} {} {} {}\n", alias, type, within, paje_text(name));
    containers_.push_back(fmt::format("{} {}", type, alias));
  }

  void create_containers() {
    create("PL", "p", "0", "platform");
    link_cluster_.assign(platform_.links().size(), kNone);
    for (std::size_t c = 0; c < platform_.clusters().size(); ++c) {
      const Cluster& cluster = platform_.clusters()[c];
      create("CL", fmt::format("c{}", c), "p", cluster.name);
      if (cluster.link.valid()) link_cluster_[cluster.link.index] = static_cast<std::uint32_t>(c);
    }
    for (std::size_t h = 0; h < platform_.hosts().size(); ++h) {
      const Host& host = platform_.hosts()[h];
      create("HO", fmt::format("h{}", h), fmt::format("c{}", host.cluster.at()), host.name);
      for (std::int32_t core = 0; core < host.cores; ++core)
        create("CO", fmt::format("h{}.{}", h, core), fmt::format("h{}", h),
               fmt::format("{} core {}", host.name, core + 1));
    }
    for (std::size_t l = 0; l < platform_.links().size(); ++l) {
      if (platform_.links()[l].implied) continue;
      const bool backbone = link_cluster_[l] == kNone;
      create(backbone ? "LP" : "LC", fmt::format("l{}", l),
             backbone ? "p" : fmt::format("c{}", link_cluster_[l]), platform_.links()[l].name);
      variable(0, 0, backbone ? "VP" : "VC", fmt::format("l{}", l), 0);
    }
  }

  void state(std::string_view type, const std::string& on, const std::string& value, Time from,
             std::size_t from_record, Time to, std::size_t to_record) {
    events_.push_back({from, from_record, fmt::format("6 {} {} {} {}\n", exact(from), type, on, value)});
    events_.push_back({to, to_record, fmt::format("7 {} {} {}\n", exact(to), type, on)});
  }
  void variable(Time time, std::size_t record, std::string_view type, const std::string& on,
                std::int64_t value) {
    events_.push_back({time, record, fmt::format("8 {} {} {} {}\n", exact(time), type, on, value)});
  }

  // The value of a state, made known when it is first used.
  std::string value_of(WorkId work, std::string_view type) {
    const std::string alias =
        work.valid() ? fmt::format("{}{}", type, work.index) : fmt::format("{}none", type);
    if (defined_.insert(alias).second)
      out_ += fmt::format("3 {} {} {} \"{}\"\n", alias, type,
                          paje_text(work.valid() ? workload_.name_of(work) : "none"),
                          colour(work.valid() ? work.index : 0));
    return alias;
  }

  void add_cores() {
    const std::vector<std::vector<Lane>> cores = lanes(outcome_, runs_);
    for (std::size_t h = 0; h < cores.size(); ++h)
      for (const Lane& lane : cores[h]) {
        const Execution& run = runs_.all[lane.execution];
        const bool whole = lane.core < 0;
        state(whole ? "SK" : "SC", whole ? fmt::format("h{}", h) : fmt::format("h{}.{}", h, lane.core),
              value_of(run.work, whole ? "SK" : "SC"), run.started, run.start_record, run.ended,
              run.end_record);
      }
  }

  void add_links() {
    std::vector<std::vector<std::pair<std::size_t, int>>> changes(
        platform_.links().size());  // record, by how much
    std::vector<Time> when(outcome_.trace.size() + 1, outcome_.end);
    for (const Execution& run : runs_.all)
      for (const ResourceId on : runs_.on(run)) {
        if (on.kind() != ResourceKind::link || platform_[on.link()].implied || !run.is_transfer()) continue;
        changes[on.at()].emplace_back(run.start_record, 1);
        changes[on.at()].emplace_back(run.end_record, -1);
        when[run.start_record] = run.started;
        when[run.end_record] = run.ended;
      }
    for (std::size_t l = 0; l < changes.size(); ++l) {
      std::stable_sort(changes[l].begin(), changes[l].end());
      std::int64_t under_way = 0;
      for (const auto& [record, by] : changes[l])
        variable(when[record], record, link_cluster_[l] == kNone ? "VP" : "VC", fmt::format("l{}", l),
                 under_way += by);
    }
  }

  void add_absences() {
    const auto add = [&](const std::vector<Away>& all, std::string_view type, const std::string& on) {
      for (const Away& each : all) {
        const std::string alias = fmt::format("{}_{}", type, name_of(each.why));
        if (defined_.insert(alias).second)
          out_ += fmt::format("3 {} {} {} \"0.6 0.6 0.6\"\n", alias, type, paje_text(name_of(each.why)));
        state(type, on, alias, each.from, 0, each.to, 0);
      }
    };
    for (std::size_t h = 0; h < away_.hosts.size(); ++h) add(away_.hosts[h], "SA", fmt::format("h{}", h));
    for (std::size_t l = 0; l < away_.links.size(); ++l)
      if (!platform_.links()[l].implied)
        add(away_.links[l], link_cluster_[l] == kNone ? "TP" : "TC", fmt::format("l{}", l));
  }

  void add_works() {
    std::int64_t unsettled = 0;
    variable(0, 0, "VW", "p", 0);
    for (std::size_t i = 0; i < outcome_.trace.size(); ++i) {
      const Record& record = outcome_.trace[i];
      const bool settled = record.kind == RecordKind::finished || record.kind == RecordKind::rejected ||
                           record.kind == RecordKind::expired;
      if (record.kind == RecordKind::arrived || settled)
        variable(record.time, i, "VW", "p", unsettled += settled ? -1 : 1);
    }
  }

  const Outcome& outcome_;
  const Platform& platform_;
  const Workload& workload_;
  const Executions runs_;
  const Absences away_;
  std::vector<std::uint32_t> link_cluster_;  // whose gateway it is
  std::vector<std::string> containers_;
  std::unordered_set<std::string> defined_;  // looked up only
  std::vector<Event> events_;
  std::string out_;
};

}  // namespace

std::string paje_trace(const Outcome& outcome) { return Writer(outcome).write(); }

}  // namespace perigee

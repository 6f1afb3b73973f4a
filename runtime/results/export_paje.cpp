// A run as a trace in the Paje format, for ViTE, pj_dump and the like. Definitions follow "Paje trace file",
// de Oliveira Stein, Chassin de Kergommeaux and Mounie, 2010.
//
// Containers: platform > cluster > host > core; links stand below their cluster or the platform. States: the
// work on a core (one value per work), the holder of a whole host, and the absence of a host or link.
// Variables: works submitted and not settled, transfers under way on each link. Where jobs have several hosts, the
// containers of a host are as many as activities it serves at a time: a job has one state on each of its hosts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <unordered_map>

#include "runtime/kernel/quantity.h"
#include "runtime/results/executions.h"
#include "runtime/results/export.h"
#include "runtime/results/export_lanes.h"
#include "runtime/results/numbers.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::results {
namespace {

constexpr std::string_view kPajeHeader =
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

// A text in quotes. The format has no escapes.
std::string paje_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? '\'' : static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return out + '"';
}

// Neighbours in order have different colours.
std::string_view colour(std::size_t i) {
  constexpr std::array<std::string_view, 12> kColours = {
      "0.12 0.47 0.71", "1.00 0.50 0.05", "0.17 0.63 0.17", "0.84 0.15 0.16",
      "0.58 0.40 0.74", "0.55 0.34 0.29", "0.89 0.47 0.76", "0.74 0.74 0.13",
      "0.09 0.75 0.81", "0.68 0.78 0.91", "1.00 0.73 0.47", "0.60 0.87 0.54"};
  return kColours[i % kColours.size()];
}

class Writer : RunInLanes {
 public:
  explicit Writer(const Outcome& outcome) : RunInLanes(outcome) {}

  std::string write() {
    out_ = kPajeHeader;
    create_containers();
    add_cores();
    add_links();
    add_absences();
    add_works();
    // In order of time, then of the trace, so that an activity ends before another one begins at the same
    // time.
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
      return a.time != b.time ? a.time < b.time : a.record < b.record;
    });
    for (const Event& event : events_) write(event);
    for (const auto& each : std::views::reverse(containers_))
      out_ += fmt::format("5 {} {} {}\n", exact(outcome_.end), each.type, each.alias);
    return std::move(out_);
  }

 private:
  enum class Kind : std::uint8_t { push = 6, pop = 7, set = 8 };  // as the header numbers them
  struct Event {
    Time time;
    std::size_t record;
    Kind kind;
    const char* type;
    std::uint32_t on;    // in containers_
    std::int64_t value;  // of a variable; of a state in values_
  };
  struct Container {
    const char* type;
    std::string alias;
  };

  void write(const Event& event) {
    out_ += fmt::format("{} {} {} {}", static_cast<int>(event.kind), exact(event.time), event.type,
                        containers_[event.on].alias);
    if (event.kind == Kind::push) out_ += " " + values_[static_cast<std::size_t>(event.value)];
    if (event.kind == Kind::set) out_ += fmt::format(" {}", event.value);
    out_ += '\n';
  }

  std::uint32_t create(const char* type, std::string alias, std::string_view within, std::string_view name) {
    out_ += fmt::format("4 0 {} {} {} {}\n", alias, type, within, paje_text(name));
    containers_.push_back({type, std::move(alias)});
    return static_cast<std::uint32_t>(containers_.size() - 1);
  }

  void create_containers() {
    create("PL", "p", "0", "platform");
    std::vector<std::size_t> cluster_of(platform_.links().size(), platform_.clusters().size());
    for (std::size_t c = 0; c < platform_.clusters().size(); ++c) {
      const Cluster& cluster = platform_.clusters()[c];
      create("CL", fmt::format("c{}", c), "p", cluster.name);
      if (cluster.link.valid()) cluster_of[cluster.link.index] = c;
    }
    for (std::size_t h = 0; h < platform_.hosts().size(); ++h) {
      const Host& host = platform_.hosts()[h];
      hosts_.push_back(create("HO", fmt::format("h{}", h), fmt::format("c{}", host.cluster.at()), host.name));
      const std::int32_t count = by_host_ ? lanes_.counts[h] : host.cores;
      for (std::int32_t lane = 0; lane < count; ++lane)
        create("CO", fmt::format("h{}.{}", h, lane), fmt::format("h{}", h),
               fmt::format("{} {} {}", host.name, by_host_ ? "lane" : "core", lane + 1));
    }
    for (std::size_t l = 0; l < platform_.links().size(); ++l) {
      links_.push_back({kNone, "", ""});
      if (platform_.links()[l].implied) continue;
      const bool backbone = cluster_of[l] == platform_.clusters().size();
      links_[l] = {create(backbone ? "LP" : "LC", fmt::format("l{}", l),
                          backbone ? "p" : fmt::format("c{}", cluster_of[l]), platform_.links()[l].name),
                   backbone ? "TP" : "TC", backbone ? "VP" : "VC"};
      events_.push_back({0, 0, Kind::set, links_[l].transfers, links_[l].container, 0});
    }
  }

  void add_state(const char* type, std::uint32_t on, std::int64_t value, Time from, std::size_t from_record,
                 Time to, std::size_t to_record) {
    events_.push_back({from, from_record, Kind::push, type, on, value});
    events_.push_back({to, to_record, Kind::pop, type, on, 0});
  }

  // The number of a state's value; the value is defined when it is first used.
  std::int64_t value(const char* type, std::string_view suffix, std::string_view name,
                     std::string_view color) {
    const auto [known, is_new] =
        value_of_.try_emplace(fmt::format("{}{}", type, suffix), static_cast<std::int64_t>(values_.size()));
    if (is_new) {
      values_.push_back(known->first);
      out_ += fmt::format("3 {} {} {} \"{}\"\n", known->first, type, paje_text(name), color);
    }
    return known->second;
  }
  std::int64_t value(const char* type, WorkId work) {
    if (!work.valid()) return value(type, "none", "none", colour(0));
    return value(type, std::to_string(work.index), workload_.name_of(work), colour(work.index));
  }

  void add_cores() {
    for (std::size_t h = 0; h < lanes_.of.size(); ++h)
      for (const Lane& lane : lanes_.of[h]) {
        const Execution& run = runs_.all[lane.execution];
        const char* const type = lane.core < 0 ? "SK" : "SC";  // a hold has the whole host
        add_state(type, hosts_[h] + static_cast<std::uint32_t>(lane.core + 1), value(type, run.work),
                  run.started, run.start_record, run.ended, run.end_record);
      }
  }

  void add_links() {
    struct Change {
      Time time;
      std::size_t record;
      int by;
    };
    std::vector<std::vector<Change>> changes(links_.size());
    for (const Execution& run : runs_.all)
      for (const ResourceId on : runs_.on(run)) {
        if (on.kind() != ResourceKind::link || links_[on.at()].container == kNone || !run.is_transfer())
          continue;
        changes[on.at()].push_back({run.started, run.start_record, 1});
        changes[on.at()].push_back({run.ended, run.end_record, -1});
      }
    for (std::size_t l = 0; l < changes.size(); ++l) {
      std::stable_sort(changes[l].begin(), changes[l].end(),
                       [](const Change& a, const Change& b) { return a.record < b.record; });
      std::int64_t under_way = 0;
      for (const Change& change : changes[l])
        events_.push_back({change.time, change.record, Kind::set, links_[l].transfers, links_[l].container,
                           under_way += change.by});
    }
  }

  void add_absences() {
    const auto add = [&](const std::vector<Away>& all, const char* type, std::uint32_t on) {
      for (const Away& each : all)
        add_state(type, on,
                  value(type, fmt::format("_{}", schedulers::name_of(each.why)),
                        schedulers::name_of(each.why), "0.6 0.6 0.6"),
                  each.from, 0, each.to, 0);
    };
    for (std::size_t h = 0; h < hosts_.size(); ++h) add(away_.hosts[h], "SA", hosts_[h]);
    for (std::size_t l = 0; l < links_.size(); ++l)
      if (links_[l].container != kNone) add(away_.links[l], links_[l].away, links_[l].container);
  }

  void add_works() {
    std::int64_t unsettled = 0;
    events_.push_back({0, 0, Kind::set, "VW", 0, 0});
    for (std::size_t i = 0; i < outcome_.trace.size(); ++i) {
      const Record& record = outcome_.trace[i];
      const bool settled = record.kind == RecordKind::finished || record.kind == RecordKind::rejected ||
                           record.kind == RecordKind::expired || record.kind == RecordKind::killed;
      if (record.kind == RecordKind::arrived || settled)
        events_.push_back({record.time, i, Kind::set, "VW", 0, unsettled += settled ? -1 : 1});
    }
  }

  std::vector<Container> containers_;  // the first is the platform; a host is followed by its cores or lanes
  std::vector<std::uint32_t> hosts_;   // their containers
  struct Place {
    std::uint32_t container;  // kNone: an implied link has none
    const char *away, *transfers;
  };
  std::vector<Place> links_;
  std::vector<std::string> values_;                         // aliases of the values of states
  std::unordered_map<std::string, std::int64_t> value_of_;  // looked up only
  std::vector<Event> events_;
  std::string out_;
};

}  // namespace

std::string paje_trace(const Outcome& outcome) { return Writer(outcome).write(); }

}  // namespace perigee::results

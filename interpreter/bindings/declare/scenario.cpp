// scenario { platform =, workload =, events = { outage { ... }, ... }, on_failure = { ... } }
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "interpreter/bindings/declare/events.h"
#include "interpreter/bindings/declare/scenario.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/process.h"
#include "interpreter/session/interpreter.h"
#include "runtime/results/table.h"

namespace perigee::bindings {

namespace {

// ---- the fields of each kind of event ----

Fields scenario_fields_of(lua_State* L, int index, const std::string& kind) {
  const Subject subject{kind};
  if (kind == "outage") return {L, index, subject, {"host", "cluster", "link", "from", "to", "announced"}};
  if (kind == "leave") return {L, index, subject, {"host", "cluster", "at"}};
  if (kind == "join") return {L, index, subject, {"host", "cluster", "at", "architecture", "with_hosts"}};
  if (kind == "change")
    return {L,
            index,
            subject,
            {"host", "link", "at", "speed", "factor", "availability", "bandwidth", "latency", "announced"}};
  if (kind == "reserve")
    return {L, index, subject, {"hosts", "host", "cluster", "link", "from", "to", "announced"}};
  if (kind == "mark") return {L, index, subject, {"at", "name"}};
  return {L,
          index,
          subject,
          {"hosts", "host", "cluster", "all", "mtbf", "mttr", "law", "shape", "repair_law", "repair_shape",
           "announced"}};
}

Time time_of(const Fields& fields, const char* name) {
  return fields.number(name, Dimension::seconds, std::nullopt, kNotNegative);
}

void check_interval(const Fields& fields) {
  const Time from = time_of(fields, "from"), to = time_of(fields, "to");
  if (!(to > from))
    fields.fail("to", "to must be after from = {} s, got {}", format_number(from), format_number(to));
}

void check_change(const Fields& fields) {
  if (int{fields.has("speed")} + int{fields.has("factor")} + int{fields.has("availability")} +
          int{fields.has("bandwidth")} + int{fields.has("latency")} !=
      1)
    fields.fail(nullptr,
                "exactly one of speed, factor, availability, bandwidth and latency says what changes");
  (void)fields.number("factor", Dimension::fraction, 1, kNotNegative);
}

// Checks as much of an event as can be checked before the platform is known.
void check_event(const Fields& fields, const std::string& kind) {
  (void)fields.flag("announced", true);
  if (kind == "outage" || kind == "reserve") {
    check_interval(fields);
  } else if (kind == "failures") {
    (void)fields.number("mtbf", Dimension::seconds, std::nullopt, kPositive);
    (void)fields.number("mttr", Dimension::seconds, std::nullopt, kPositive);
    (void)fields.choice("law", 0, {"exponential", "weibull"});
    (void)fields.choice("repair_law", 0, {"exponential", "weibull"});
    (void)fields.number("shape", Dimension::count, 1, kPositive);
    (void)fields.number("repair_shape", Dimension::count, 1, kPositive);
  } else {
    (void)time_of(fields, "at");
  }
  if (kind == "join" && fields.has("with_hosts")) {
    (void)fields.flag("with_hosts", true);
    if (fields.has("host")) fields.fail("with_hosts", "with_hosts is for a cluster that joins");
  }
  if (kind == "change") check_change(fields);
}

bool is_plain_table(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TTABLE) return false;
  if (lua_getmetatable(L, index) == 0) return true;
  lua_pop(L, 1);
  return false;
}

// Pushes a copy of the table and of the tables in it, so that later changes by the script have no effect.
void push_copy(lua_State* L, int index, int depth = 4) {
  luaL_checkstack(L, 6, "an event");
  index = lua_absindex(L, index);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, index) != 0;) {
    if (depth > 0 && is_plain_table(L, -1)) {
      push_copy(L, -1, depth - 1);
      lua_remove(L, -2);
    }
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
}
Reference declared(lua_State* L, int index) {
  if (!is_plain_table(L, index)) return {L, index};
  push_copy(L, index);
  Reference copy(L, -1);
  lua_pop(L, 1);
  return copy;
}

template <class Text>
int make_event(lua_State* L) {
  return guard(L, [&] {
    const std::string kind(Text::value);
    check_event(scenario_fields_of(L, 1, kind), kind);
    push_new(L, EventPart{kind, declared(L, 1), caller(L)});
    return 1;
  });
}

struct Outage {
  static constexpr const char* value = "outage";
};
struct Leave {
  static constexpr const char* value = "leave";
};
struct Join {
  static constexpr const char* value = "join";
};
struct Change {
  static constexpr const char* value = "change";
};
struct Reserve {
  static constexpr const char* value = "reserve";
};
struct Mark {
  static constexpr const char* value = "mark";
};
struct Failures {
  static constexpr const char* value = "failures";
};

// process(function(sim) ... end) or process { run = function(sim) ... end, name =, keeps_alive = }
int make_process(lua_State* L) {
  return guard(L, [&] {
    check_process(L, 1);
    push_new(L, EventPart{"process", declared(L, 1), caller(L)});
    return 1;
  });
}

// ---- outages from a file ----

// outages_from "file.csv": columns host (or cluster or link), from, to.
int outages_from(lua_State* L) {
  return guard(L, [&] {
    const auto path = text_at(L, 1);
    if (!path) fail("bad_type", "outages_from: the name of a file is needed, got {}", shown(L, 1));
    push_new(L, EventPart{"outages_from " + Interpreter::of(L).files().data_file(std::string(*path)),
                          Reference(L, 1), caller(L)});
    return 1;
  });
}

struct Listed {
  std::string kind, name;
  Time from = 0, to = 0;
  SourceLocation where;
};

std::vector<Listed> read_outages(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  std::istringstream text(bytes.str());
  std::vector<Listed> all;
  std::vector<std::string> header;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    const SourceLocation where{path, number};
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    try {
      const auto rows = parse_csv(line);
      if (rows.empty()) continue;
      cells = rows.front();
    } catch (const Error& error) {  // it counts lines within this one
      const std::string& message = error.diagnostic().message;
      fail_at(where, "bad_file", "{}", message.starts_with("line 1: ") ? message.substr(8) : message);
    }
    for (std::string& cell : cells) {
      const std::size_t first = cell.find_first_not_of(" \t");
      cell = first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(" \t") - first + 1);
    }
    if (header.empty()) {
      header = cells;
      const bool good = header.size() == 3 &&
                        (header[0] == "host" || header[0] == "cluster" || header[0] == "link") &&
                        header[1] == "from" && header[2] == "to";
      if (!good)
        fail_at(where, "bad_file",
                "the first line must be 'host,from,to' (or cluster, or link, for host), got '{}'", line);
      continue;
    }
    if (cells.size() != 3) fail_at(where, "bad_file", "3 columns are needed, got {}", cells.size());
    Listed listed{header[0], cells[0], 0, 0, where};
    try {
      listed.from = parse_quantity(cells[1], Dimension::seconds);
      listed.to = parse_quantity(cells[2], Dimension::seconds);
    } catch (const Error& error) {
      fail_at(where, "bad_file", "{}", error.diagnostic().message);
    }
    if (!(listed.from >= 0) || !(listed.to > listed.from))
      fail_at(where, "bad_file", "an outage must begin at >= 0 s and end later, got {} to {}", cells[1],
              cells[2]);
    all.push_back(std::move(listed));
  }
  if (header.empty())
    fail_at({path, 1}, "bad_file", "the file is empty; its first line must be 'host,from,to'");
  return all;
}

// ---- into the scenario ----

class Events {
 public:
  Events(const PlatformValue& platform, Scenario& scenario) : platform_(platform), scenario_(scenario) {}

  void add(lua_State* L, const EventPart& part) {
    const Anchor anchor(L, part.declared_at);
    try {
      if (part.kind.starts_with("outages_from ")) return outages_of_file(part);
      if (part.file) return add(*part.file);
      const Balanced balanced(L);
      part.fields.push(L);
      if (part.kind == "process")
        scenario_.processes.push_back(
            process_at(L, -1, scenario_.processes.size() + 1, platform_, part.declared_at));
      else
        add(part, scenario_fields_of(L, -1, part.kind));
    } catch (const ScriptError&) {
      throw;
    } catch (const Error& error) {
      Diagnostic diagnostic = error.diagnostic();
      if (!diagnostic.where.known()) {
        diagnostic.message = fmt::format("{}: {}", part.kind, diagnostic.message);
        diagnostic.where = part.declared_at;
      }
      throw Error(std::move(diagnostic));
    }
  }

  // Who leaves has to be there, and who joins away. A cluster takes its hosts along, and brings those that were
  // declared in it unless it joins without hosts.
  void check_members() {
    std::ranges::stable_sort(members_, {}, [](const Member& each) { return each.happening.at; });
    std::map<std::uint32_t, const Happening*> last;
    const auto goes_along = [&](HostId host, const Happening& cluster) {
      const Happening*& before = last[ResourceId::of(host).packed()];
      if (before == nullptr || before->kind != cluster.kind) before = &cluster;
    };
    std::vector<ClusterId> cluster_of;  // per host
    for (const Host& host : platform().hosts()) cluster_of.push_back(host.cluster);
    std::map<std::uint32_t, const Happening*> first;
    for (const Member& each : members_) first.try_emplace(each.happening.on.packed(), &each.happening);
    for (const Member& member : members_) {
      const Happening& each = member.happening;
      const bool joins = each.kind == HappeningKind::join, is_host = each.on.kind() == ResourceKind::host;
      const Happening*& before = last[each.on.packed()];
      if (before != nullptr && before->kind == each.kind)
        fail_at(each.declared_at, "bad_event",
                "{}: '{}' {}{} already at t = {} s, in line {}; {} between the two is missing",
                joins ? "join" : "leave", platform().name_of(each.on), joins ? "joins" : "leaves",
                before->on == each.on ? "" : fmt::format(" with '{}'", platform().name_of(before->on)),
                format_number(before->at), before->declared_at.line, joins ? "a leave" : "a join");
      if (is_host && !joins && before == nullptr) {
        const auto cluster = first.find(ResourceId::of(cluster_of[each.on.at()]).packed());
        if (cluster != first.end() && cluster->second->kind == HappeningKind::join &&
            each.at < cluster->second->at)
          fail_at(each.declared_at, "bad_event", "leave: '{}' is not there before '{}' joins at t = {} s",
                  platform().name_of(each.on), platform().name_of(cluster->second->on),
                  format_number(cluster->second->at));
      }
      before = &each;
      if (is_host) {
        if (each.cluster.valid()) cluster_of[each.on.at()] = each.cluster;
      } else if (!joins) {
        for (std::size_t h = 0; h < cluster_of.size(); ++h)
          if (cluster_of[h] == each.on.store()) goes_along(HostId(h), each);
      } else if (member.with_hosts) {
        for (const HostId host : platform()[each.on.store()].hosts) {
          goes_along(host, each);
          cluster_of[host.index] = each.on.store();
        }
      }
    }
  }

 private:
  const Platform& platform() const { return *platform_.platform; }

  ResourceId resource(std::string_view kind, std::string_view name) const {
    if (kind == "host") return ResourceId::of(platform().host(name));
    if (kind == "cluster") return ResourceId::of(platform().cluster(name));
    return ResourceId::of(platform().link(name));
  }

  void outages_of_file(const EventPart& part) {
    constexpr std::string_view kBefore = "outages_from ";
    for (const Listed& listed : read_outages(part.kind.substr(kBefore.size()))) {
      try {
        span(resource(listed.kind, listed.name), Cause::outage, listed.from, listed.to, true,
             part.declared_at);
      } catch (const Error& error) {
        fail_at(listed.where, "bad_file", "{}", error.diagnostic().message);
      }
    }
  }

  void add(const EventPart& part, const Fields& fields) {
    const bool announced = fields.flag("announced", true);
    if (part.kind == "outage")
      return span(only_resource(fields), Cause::outage, time_of(fields, "from"), time_of(fields, "to"),
                  announced, part.declared_at);
    if (part.kind == "reserve") return reserve(fields, announced, part.declared_at);
    if (part.kind == "failures") return failures(fields, announced, part.declared_at);
    Happening happening;
    happening.at = time_of(fields, "at");
    happening.announced = announced;
    happening.declared_at = part.declared_at;
    if (part.kind == "join" || part.kind == "leave") return membership(part.kind, fields, happening);
    if (part.kind == "mark")
      happening.name = fields.text("name", std::nullopt);
    else
      change(fields, happening);
    scenario_.happenings.push_back(happening);
  }

  void membership(std::string_view kind, const Fields& fields, Happening& happening) {
    const bool joins = kind == "join";
    happening.kind = joins ? HappeningKind::join : HappeningKind::leave;
    happening.cause = Cause::membership;
    if (joins && fields.has("host")) {
      happening.on = ResourceId::of(platform().host(fields.text("host", std::nullopt)));
      if (fields.has("cluster")) happening.cluster = platform().cluster(fields.text("cluster", std::nullopt));
    } else {
      happening.on = only_resource(fields);
    }
    if (joins && fields.has("architecture"))
      happening.architecture = architecture_named(fields, platform_.architectures);
    const ResourceId on = happening.on;
    scenario_.happenings.push_back(happening);
    const bool with_hosts = joins && on.kind() == ResourceKind::store && fields.flag("with_hosts", true);
    members_.push_back({happening, with_hosts});
    if (!with_hosts) return;
    for (const HostId host : platform()[on.store()].hosts) {  // declared hosts come back with it
      happening.on = ResourceId::of(host);
      happening.cluster = on.store();
      scenario_.happenings.push_back(happening);
    }
  }

  // Adds the events of a file. On a platform other than that of the file they concern the resources of the
  // same names.
  void add(const FileEvents& file) {
    const auto places = static_cast<std::uint32_t>(scenario_.profiles.size());
    scenario_.profiles.insert(scenario_.profiles.end(), file.profiles.begin(), file.profiles.end());
    for (Happening happening : file.happenings) {
      for (std::uint32_t* place : {&happening.profile, &happening.latency})
        if (*place != kNone) *place += places;
      try {
        if (file.platform != platform_.platform) rename(*file.platform, happening);
        if (happening.architecture >= static_cast<std::int32_t>(platform_.architectures.size()))
          fail("out_of_range", "the platform has {} architectures, counted from 0, got {}",
               platform_.architectures.size(), happening.architecture);
      } catch (const Error& error) {
        Diagnostic diagnostic = error.diagnostic();
        diagnostic.where = happening.declared_at;
        throw Error(std::move(diagnostic));
      }
      scenario_.happenings.push_back(std::move(happening));
    }
  }

  void rename(const Platform& from, Happening& happening) const {
    const std::string name = from.name_of(happening.on);
    const ResourceKind kind = happening.on.kind();
    happening.on = resource(kind == ResourceKind::host    ? "host"
                            : kind == ResourceKind::store ? "cluster"
                                                          : "link",
                            name);
    if (happening.cluster.valid()) happening.cluster = platform().cluster(from[happening.cluster].name);
  }

  ResourceId only_resource(const Fields& fields) const {
    const char* found = nullptr;
    for (const char* kind : {"host", "cluster", "link"})
      if (fields.has(kind)) {
        if (found != nullptr) fields.fail(kind, "only one of {} and {} can be given", found, kind);
        found = kind;
      }
    if (found == nullptr) fields.fail(nullptr, "it names no host, cluster or link");
    refuse_list(fields, found, "each has an event of its own");
    return resource(found, fields.text(found, std::nullopt));
  }

  static void refuse_list(const Fields& fields, const char* field, std::string_view instead) {
    if (!fields.push(field)) return;
    const bool is_list = lua_type(fields.state(), -1) == LUA_TTABLE;
    lua_pop(fields.state(), 1);
    if (is_list) fields.fail(field, "{} must be one name, got a table; {}", field, instead);
  }

  std::vector<HostId> hosts(const Fields& fields, bool all_by_default) const {
    std::vector<HostId> found;
    const char* first = nullptr;
    for (const char* kind : {"host", "cluster", "hosts"}) {
      if (!fields.has(kind)) continue;
      if (first != nullptr)
        fields.fail(kind, "only one of {} and {} can be given; hosts = {{ ... }} lists any hosts", first,
                    kind);
      first = kind;
    }
    refuse_list(fields, "host", "hosts = { ... } lists several");
    refuse_list(fields, "cluster", "each cluster has an event of its own");
    if (fields.has("host")) found.push_back(platform().host(fields.text("host", std::nullopt)));
    if (fields.has("cluster")) {
      const auto& members = platform()[platform().cluster(fields.text("cluster", std::nullopt))].hosts;
      found.insert(found.end(), members.begin(), members.end());
    }
    if (fields.push("hosts")) {
      lua_State* L = fields.state();
      if (lua_type(L, -1) != LUA_TTABLE)
        fields.fail("hosts",
                    "hosts must be a list of names, got {}; host = names one, and cluster = its hosts",
                    shown(L, -1));
      const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
      for (lua_Integer i = 1; i <= count; ++i) {
        lua_rawgeti(L, -1, i);
        const auto name = text_at(L, -1);
        if (!name) fields.fail("hosts", "hosts[{}] must be a name, got {}", i, shown(L, -1));
        found.push_back(platform().host(*name));
        lua_pop(L, 1);
      }
      lua_pop(L, 1);
    }
    if (found.empty() && all_by_default)
      for (std::size_t h = 0; h < platform().hosts().size(); ++h) found.emplace_back(h);
    std::vector<bool> named(platform().hosts().size());
    for (const HostId host : found) {
      if (named[host.index]) fields.fail("hosts", "host '{}' is named twice", platform()[host].name);
      named[host.index] = true;
    }
    return found;
  }

  void span(ResourceId on, Cause cause, Time from, Time to, bool announced, const SourceLocation& where) {
    Happening down;
    down.at = from;
    down.kind = HappeningKind::down;
    down.cause = cause;
    down.on = on;
    down.announced = announced;
    down.outage = outage_number(OutageOrigin::scenario, scenario_.happenings.size());
    down.declared_at = where;
    Happening up = down;
    up.at = to;
    up.kind = HappeningKind::up;
    scenario_.happenings.push_back(std::move(down));
    scenario_.happenings.push_back(std::move(up));
  }

  void reserve(const Fields& fields, bool announced, const SourceLocation& where) {
    const Time from = time_of(fields, "from"), to = time_of(fields, "to");
    const std::vector<HostId> reserved = hosts(fields, false);
    if (reserved.empty() && !fields.has("link")) fields.fail(nullptr, "it names no hosts and no link");
    for (const HostId host : reserved)
      span(ResourceId::of(host), Cause::reservation, from, to, announced, where);
    if (fields.has("link"))
      span(ResourceId::of(platform().link(fields.text("link", std::nullopt))), Cause::reservation, from, to,
           announced, where);
  }

  void failures(const Fields& fields, bool announced, const SourceLocation& where) {
    FailureModel model;
    const bool all = fields.flag("all", false);
    if (all && (fields.has("host") || fields.has("hosts") || fields.has("cluster")))
      fields.fail("all", "all = true names every host; leave out host, hosts and cluster");
    model.hosts = hosts(fields, all);
    if (model.hosts.empty()) fields.fail(nullptr, "it names no hosts: hosts, cluster or all = true");
    model.mtbf = fields.number("mtbf", Dimension::seconds, std::nullopt, kPositive);
    model.mttr = fields.number("mttr", Dimension::seconds, std::nullopt, kPositive);
    model.law = static_cast<FailureLaw>(fields.choice("law", 0, {"exponential", "weibull"}));
    model.repair_law = static_cast<FailureLaw>(fields.choice("repair_law", 0, {"exponential", "weibull"}));
    if (fields.has("shape") && model.law != FailureLaw::weibull)
      fields.fail("shape", "only law = \"weibull\" has a shape");
    if (fields.has("repair_shape") && model.repair_law != FailureLaw::weibull)
      fields.fail("repair_shape", "only repair_law = \"weibull\" has a shape");
    model.shape = fields.number("shape", Dimension::count, 1, kPositive);
    model.repair_shape = fields.number("repair_shape", Dimension::count, 1, kPositive);
    model.announced = announced;
    model.declared_at = where;
    scenario_.failures.push_back(std::move(model));
  }

  void change(const Fields& fields, Happening& happening) {
    happening.on = only_resource(fields);
    read_change(fields, platform(), happening, [this](Profile profile) {
      scenario_.profiles.push_back(std::move(profile));
      return static_cast<std::uint32_t>(scenario_.profiles.size() - 1);
    });
  }

  const PlatformValue& platform_;
  Scenario& scenario_;
  struct Member {
    Happening happening;
    bool with_hosts;
  };
  std::vector<Member> members_;  // that leave and join, as declared
};

void read_events(lua_State* L, int table, Events& events, int depth) {
  if (test<EventPart>(L, table) != nullptr)
    fail("bad_type",
         "scenario: events must be a list, as in events = {{ outage {{ ... }} }}, got a single event");
  const Fields list(L, table, {"events"}, {}, true);
  const auto count = list.count();
  if (depth > 16) list.fail(nullptr, "lists within lists are too deep");
  for (std::int64_t i = 1; i <= count; ++i) {
    lua_rawgeti(L, list.index(), i);
    if (const EventPart* part = test<EventPart>(L, -1))
      events.add(L, *part);
    else if (lua_type(L, -1) == LUA_TTABLE)
      read_events(L, -1, events, depth + 1);  // a list that a function of the script made
    else
      list.fail(nullptr, "entry {} must be an event such as outage {{ }}, got {}", i, shown(L, -1));
    lua_pop(L, 1);
  }
}

int make_scenario(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"scenario"}, {"platform", "workload", "events", "on_failure"});
    auto value = std::make_shared<ScenarioValue>();
    if (!fields.push("platform")) fields.fail(nullptr, "'platform' is missing");
    value->platform = check<PlatformValue>(L, -1, "scenario: platform");
    if (!fields.push("workload")) fields.fail(nullptr, "'workload' is missing");
    const auto& work = check<WorkloadValue>(L, -1, "scenario: workload");
    did_work(work.steps_to_copy());
    value->workload = work;
    lua_pop(L, 2);
    value->base.platform = value->platform.platform;
    if (fields.push("events")) {
      Events events(value->platform, value->base);
      read_events(L, lua_gettop(L), events, 0);
      events.check_members();
      lua_pop(L, 1);
    }
    if (fields.push("on_failure")) {
      const Fields rules(L, -1, {"scenario: on_failure"},
                         {"compute", "transfer", "hold", "requeue_stranded"});
      const auto rule = [&](const char* name) {
        return static_cast<OnFailure>(rules.choice(name, 0, {"lost", "resumed", "restarted"}));
      };
      value->base.compute_rule = rule("compute");
      value->base.transfer_rule = rule("transfer");
      value->base.hold_rule = rule("hold");
      value->base.requeue_stranded = rules.flag("requeue_stranded", true);
      lua_pop(L, 1);
    }
    {
      Scenario checked = value->base;
      checked.workload = std::make_shared<const Workload>();
      checked.check();
    }
    push_new(L, ScenarioPtr(std::move(value)));
    return 1;
  });
}

int scenario_text(lua_State* L) {
  return guard(L, [&] {
    const ScenarioValue& value = *check<ScenarioPtr>(L, 1);
    host::push(L, fmt::format("scenario of {} of work on {} hosts", value.workload.pieces(),
                              value.platform.platform->hosts().size()));
    return 1;
  });
}

int event_text(lua_State* L) {
  return guard(L, [&] {
    host::push(L, check<EventPart>(L, 1).kind);
    return 1;
  });
}

bool scenario_property(lua_State* L, int index, std::string_view name) {
  const ScenarioValue& value = *check<ScenarioPtr>(L, index);
  if (name == "platform")
    push_new(L, value.platform);
  else if (name == "workload") {
    did_work(value.workload.steps_to_copy());
    push_new(L, value.workload);
  } else
    return false;
  return true;
}

constexpr luaL_Reg kEventMeta[] = {{"__tostring", event_text}, {nullptr, nullptr}};
constexpr luaL_Reg kScenarioMeta[] = {{"__tostring", scenario_text}, {nullptr, nullptr}};

}  // namespace

extern const luaL_Reg kScenarioMethods[];  // run, start, compare: simulation.cpp

void read_change(const Fields& fields, const Platform& platform, Happening& change,
                 const std::function<std::uint32_t(Profile)>& add) {
  check_change(fields);
  change.kind = HappeningKind::change;
  change.cause = Cause::change;
  const bool is_host = change.on.kind() == ResourceKind::host;
  const bool is_link = change.on.kind() == ResourceKind::link;
  if (!is_host && !is_link)
    fields.fail(nullptr, "only a host or a link changes, and '{}' is a cluster", platform.name_of(change.on));
  if (fields.has("bandwidth") && !is_link) fields.fail("bandwidth", "only a link has a bandwidth");
  if (fields.has("latency") && !is_link) fields.fail("latency", "only a link has a latency");
  if ((fields.has("speed") || fields.has("availability")) && !is_host)
    fields.fail(nullptr, "only a host has speed and availability");
  if (fields.has("factor")) change.factor = fields.number("factor", Dimension::fraction, 1, kNotNegative);
  if (fields.has("speed"))
    change.factor = fields.number("speed", Dimension::operations_per_second, std::nullopt, kNotNegative) /
                    platform[change.on.host()].speed;
  if (fields.has("availability"))
    change.profile = add(fields.profile("availability", Dimension::fraction, Profile(1.0), {0, 1, false}));
  if (fields.has("bandwidth"))
    change.profile =
        add(fields.profile("bandwidth", Dimension::bytes_per_second, Profile(0.0), kNotNegative));
  if (fields.has("latency"))
    change.latency = add(fields.profile("latency", Dimension::seconds, Profile(0.0), kNotNegative));
}

std::int32_t architecture_named(const Fields& fields, const std::vector<std::string>& names) {
  const std::string name = fields.text("architecture", std::nullopt);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    fields.fail("architecture", "unknown architecture '{}'{}", name, did_you_mean(name, names));
  return static_cast<std::int32_t>(found - names.begin());
}

ResourceId resource_named(const Platform& platform, std::string_view name) {
  std::vector<std::string> names;
  ResourceId found;
  const auto look = [&](const auto& all, auto make) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (found.valid()) return;
      names.push_back(all[i].name);
      if (all[i].name == name) found = make(i);
    }
  };
  look(platform.hosts(), [](std::size_t i) { return ResourceId::of(HostId(i)); });
  look(platform.clusters(), [](std::size_t i) { return ResourceId::of(ClusterId(i)); });
  look(platform.links(), [](std::size_t i) { return ResourceId::of(LinkId(i)); });
  if (!found.valid())
    fail("unknown_name", "there is no host, cluster or link '{}'{}", name,
         did_you_mean(std::string(name), names));
  return found;
}

std::shared_ptr<const Scenario> scenario_for(lua_State* L, ScenarioValue& scenario, std::uint64_t seed) {
  Interpreter& interpreter = Interpreter::of(L);
  const bool stopped = interpreter.stopped();  // by Ctrl-C: the run under way is kept, which nobody pays for
  const std::uint64_t before = stopped ? 0 : interpreter.settle_steps();
  if (scenario.last && scenario.last->seed == seed) {
    interpreter.note_reads(scenario.last->reads);
    if (!stopped) interpreter.spend(scenario.last->steps);
    return scenario.last->scenario;
  }
  if (scenario.realizing) fail("bad_call", "a generator of the workload cannot run its own scenario");
  struct Flag {
    bool& on;
    explicit Flag(bool& flag) : on(flag) { on = true; }
    ~Flag() { on = false; }
  };
  const Flag flag(scenario.realizing);
  const CellState::Reading reading(interpreter.cell());
  auto made = std::make_shared<Scenario>(scenario.base);
  made->workload = std::make_shared<const Workload>(realize(L, scenario.workload, scenario.platform, seed));
  try {
    made->check();
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (!diagnostic.where.known() && !scenario.workload.parts.empty())
      diagnostic.where = scenario.workload.parts.front().declared_at;
    throw Error(std::move(diagnostic));
  }
  std::shared_ptr<const Scenario> shared = std::move(made);
  scenario.last = ScenarioValue::Realized{seed, shared, reading.reads(), interpreter.settle_steps() - before};
  return shared;
}

void open_scenario(lua_State* L) {
  new_type<EventPart>(L, nullptr, kEventMeta);
  new_type<ScenarioPtr>(L, kScenarioMethods, kScenarioMeta, scenario_property, {"platform", "workload"});
  define(L, "scenario", make_scenario);
  define(L, "outage", make_event<Outage>);
  define(L, "leave", make_event<Leave>);
  define(L, "join", make_event<Join>);
  define(L, "change", make_event<Change>);
  define(L, "reserve", make_event<Reserve>);
  define(L, "mark", make_event<Mark>);
  define(L, "failures", make_event<Failures>);
  define(L, "outages_from", outages_from);
  define(L, "process", make_process);
}

}  // namespace perigee::bindings

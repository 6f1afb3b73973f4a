// Makes the events that a script has declared, and those of files, events of a scenario.
#include "interpreter/bindings/declare/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/event_words.h"
#include "interpreter/bindings/declare/outages.h"
#include "interpreter/bindings/declare/scenario.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

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
            part.process(L, -1, scenario_.processes.size() + 1, platform_, part.declared_at));
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

  // Who leaves has to be there, and who joins away. A cluster takes its hosts along, and brings those that
  // were declared in it unless it joins without hosts.
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
    for (const ListedOutage& listed : read_outages(part.kind.substr(kBefore.size()))) {
      try {
        span(resource(listed.kind, listed.name), Cause::outage, listed.from, listed.to, true,
             part.declared_at);
      } catch (const Error& error) {
        fail_at(listed.where, "bad_file", "{}", error.diagnostic().message);
      }
    }
  }

  void add(const EventPart& part, const Fields& fields) {
    if (part.kind == "maintenance") return maintenance(fields, part.declared_at);
    const bool announced = fields.flag(event_fields::kAnnounced);
    if (part.kind == "outage")
      return span(only_resource(fields), Cause::outage, fields.number(event_fields::kFrom),
                  fields.number(event_fields::kTo), announced, part.declared_at,
                  check_known(fields, event_fields::kKnown, announced));
    if (part.kind == "reserve") return reserve(fields, announced, part.declared_at);
    if (part.kind == "failures") return failures(fields, announced, part.declared_at);
    Happening happening;
    happening.at = fields.number(event_fields::kAt);
    happening.announced = announced;
    happening.declared_at = part.declared_at;
    if (part.kind == "join" || part.kind == "leave") return membership(part.kind, fields, happening);
    if (part.kind == "mark")
      happening.name = fields.text(event_fields::kName);
    else
      change(fields, happening);
    scenario_.happenings.push_back(happening);
  }

  void membership(std::string_view kind, const Fields& fields, Happening& happening) {
    const bool joins = kind == "join";
    happening.kind = joins ? HappeningKind::join : HappeningKind::leave;
    happening.cause = Cause::membership;
    happening.known = fields.number(event_fields::kKnownMember, kNever);
    if (joins && fields.has(event_fields::kHost)) {
      happening.on = ResourceId::of(platform().host(fields.text(event_fields::kHost)));
      if (fields.has(join_fields::kCluster))
        happening.cluster = platform().cluster(fields.text(join_fields::kCluster));
    } else {
      happening.on = only_resource(fields);
    }
    if (joins && fields.has(join_fields::kArchitecture))
      happening.architecture = architecture_named(fields, platform_.architectures);
    const ResourceId on = happening.on;
    scenario_.happenings.push_back(happening);
    const bool with_hosts = joins && on.kind() == ResourceKind::store && fields.flag(join_fields::kWithHosts);
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
    const FieldRow* found = nullptr;
    for (const FieldRow* kind : {&event_fields::kHost, &event_fields::kCluster, &event_fields::kLink})
      if (fields.has(*kind)) {
        if (found != nullptr)
          fields.fail(*kind, "only one of {} and {} can be given", found->name, kind->name);
        found = kind;
      }
    if (found == nullptr) fields.fail(nullptr, "it names no host, cluster or link");
    refuse_list(fields, *found, "each has an event of its own");
    return resource(found->name, fields.text(*found));
  }

  static void refuse_list(const Fields& fields, const FieldRow& field, std::string_view instead) {
    if (!fields.push(field)) return;
    const bool is_list = lua_type(fields.state(), -1) == LUA_TTABLE;
    lua_pop(fields.state(), 1);
    if (is_list) fields.fail(field, "{} must be one name, got a table; {}", field.name, instead);
  }

  std::vector<HostId> hosts(const Fields& fields, bool all_by_default) const {
    std::vector<HostId> found;
    const FieldRow* first = nullptr;
    for (const FieldRow* kind : {&event_fields::kHost, &event_fields::kCluster, &event_fields::kHosts}) {
      if (!fields.has(*kind)) continue;
      if (first != nullptr)
        fields.fail(*kind, "only one of {} and {} can be given; hosts = {{ ... }} lists any hosts",
                    first->name, kind->name);
      first = kind;
    }
    refuse_list(fields, event_fields::kHost, "hosts = { ... } lists several");
    refuse_list(fields, event_fields::kCluster, "each cluster has an event of its own");
    if (fields.has(event_fields::kHost)) found.push_back(platform().host(fields.text(event_fields::kHost)));
    if (fields.has(event_fields::kCluster)) {
      const auto& members = platform()[platform().cluster(fields.text(event_fields::kCluster))].hosts;
      found.insert(found.end(), members.begin(), members.end());
    }
    if (fields.push(event_fields::kHosts)) {
      lua_State* L = fields.state();
      if (lua_type(L, -1) != LUA_TTABLE)
        fields.fail(event_fields::kHosts,
                    "hosts must be a list of names, got {}; host = names one, and cluster = its hosts",
                    shown(L, -1));
      const lua_Integer count = list_length(L, -1, fmt::format("{}: hosts", fields.subject()));
      for (lua_Integer i = 1; i <= count; ++i) {
        lua_rawgeti(L, -1, i);
        const auto name = text_at(L, -1);
        if (!name) fields.fail(event_fields::kHosts, "hosts[{}] must be a name, got {}", i, shown(L, -1));
        found.push_back(platform().host(*name));
        lua_pop(L, 1);
      }
      lua_pop(L, 1);
    }
    if (found.empty() && all_by_default)
      for (std::size_t h = 0; h < platform().hosts().size(); ++h) found.emplace_back(h);
    std::vector<bool> named(platform().hosts().size());
    for (const HostId host : found) {
      if (named[host.index])
        fields.fail(event_fields::kHosts, "host '{}' is named twice", platform()[host].name);
      named[host.index] = true;
    }
    return found;
  }

  void span(ResourceId on, Cause cause, Time from, Time to, bool announced, const SourceLocation& where,
            Time known = kNever) {
    Happening down;
    down.at = from;
    down.kind = HappeningKind::down;
    down.cause = cause;
    down.on = on;
    down.announced = announced;
    down.outage = outage_number(OutageOrigin::scenario, scenario_.happenings.size());
    down.declared_at = where;
    Happening up = down;
    down.known = known;
    up.at = to;
    up.kind = HappeningKind::up;
    scenario_.happenings.push_back(std::move(down));
    scenario_.happenings.push_back(std::move(up));
  }

  void reserve(const Fields& fields, bool announced, const SourceLocation& where) {
    const Time from = fields.number(event_fields::kFrom), to = fields.number(event_fields::kTo);
    const std::vector<HostId> reserved = hosts(fields, false);
    if (reserved.empty() && !fields.has(event_fields::kLink))
      fields.fail(nullptr, "it names no hosts and no link");
    const Time known = check_known(fields, event_fields::kKnown, announced);
    for (const HostId host : reserved)
      span(ResourceId::of(host), Cause::reservation, from, to, announced, where, known);
    if (fields.has(event_fields::kLink))
      span(ResourceId::of(platform().link(fields.text(event_fields::kLink))), Cause::reservation, from, to,
           announced, where, known);
  }

  void maintenance(const Fields& fields, const SourceLocation& where) {
    const Time from = fields.number(event_fields::kFrom), to = fields.number(event_fields::kTo),
               known = fields.number(event_fields::kKnownBefore),
               every = fields.number(event_fields::kEvery, 0);
    const bool all = fields.flag(event_fields::kAll);
    if (all && (fields.has(event_fields::kHost) || fields.has(event_fields::kHosts) ||
                fields.has(event_fields::kCluster)))
      fields.fail(event_fields::kAll, "all = true names every host; leave out host, hosts and cluster");
    const std::vector<HostId> closed = hosts(fields, all);
    if (closed.empty()) fields.fail(nullptr, "it names no hosts: host, hosts, cluster or all = true");
    const std::int64_t times = fields.integer(event_fields::kTimes);
    for (std::int64_t k = 0; k < times; ++k) {
      const double later = every * static_cast<double>(k);
      did_work(closed.size());
      for (const HostId host : closed)
        span(ResourceId::of(host), Cause::maintenance, from + later, to + later, true, where, known);
    }
  }

  void failures(const Fields& fields, bool announced, const SourceLocation& where) {
    FailureModel model;
    const bool all = fields.flag(failure_fields::kAll);
    if (all && (fields.has(event_fields::kHost) || fields.has(event_fields::kHosts) ||
                fields.has(event_fields::kCluster)))
      fields.fail(failure_fields::kAll, "all = true names every host; leave out host, hosts and cluster");
    model.hosts = hosts(fields, all);
    if (model.hosts.empty()) fields.fail(nullptr, "it names no hosts: hosts, cluster or all = true");
    model.mtbf = fields.number(failure_fields::kMtbf);
    model.mttr = fields.number(failure_fields::kMttr);
    model.law = static_cast<FailureLaw>(fields.choice(failure_fields::kLaw));
    model.repair_law = static_cast<FailureLaw>(fields.choice(failure_fields::kRepairLaw));
    if (fields.has(failure_fields::kShape) && model.law != FailureLaw::weibull)
      fields.fail(failure_fields::kShape, "only law = \"weibull\" has a shape");
    if (fields.has(failure_fields::kRepairShape) && model.repair_law != FailureLaw::weibull)
      fields.fail(failure_fields::kRepairShape, "only repair_law = \"weibull\" has a shape");
    model.shape = fields.number(failure_fields::kShape);
    model.repair_shape = fields.number(failure_fields::kRepairShape);
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

}  // namespace

void read_events_of(lua_State* L, int table, const PlatformValue& platform, Scenario& scenario) {
  Events events(platform, scenario);
  read_events(L, table, events, 0);
  events.check_members();
}

void read_change(const Fields& fields, const Platform& platform, Happening& change,
                 const std::function<std::uint32_t(Profile)>& add) {
  check_change(fields);
  change.kind = HappeningKind::change;
  change.cause = Cause::change;
  const bool is_host = change.on.kind() == ResourceKind::host;
  const bool is_link = change.on.kind() == ResourceKind::link;
  if (!is_host && !is_link)
    fields.fail(nullptr, "only a host or a link changes, and '{}' is a cluster", platform.name_of(change.on));
  if (fields.has(change_fields::kBandwidth) && !is_link)
    fields.fail(change_fields::kBandwidth, "only a link has a bandwidth");
  if (fields.has(change_fields::kLatency) && !is_link)
    fields.fail(change_fields::kLatency, "only a link has a latency");
  if ((fields.has(change_fields::kSpeed) || fields.has(change_fields::kAvailability)) && !is_host)
    fields.fail(nullptr, "only a host has speed and availability");
  if (fields.has(change_fields::kFactor)) change.factor = fields.number(change_fields::kFactor);
  if (fields.has(change_fields::kSpeed))
    change.factor = fields.number(change_fields::kSpeed) / platform[change.on.host()].speed;
  for (const FieldRow* field : {&change_fields::kAvailability, &change_fields::kBandwidth})
    if (fields.has(*field)) change.profile = add(fields.profile(*field));
  if (fields.has(change_fields::kLatency)) change.latency = add(fields.profile(change_fields::kLatency));
}

std::int32_t architecture_named(const Fields& fields, const std::vector<std::string>& names) {
  const std::string name = fields.text(join_fields::kArchitecture);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    fields.fail(join_fields::kArchitecture, "unknown architecture '{}'{}", name, did_you_mean(name, names));
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

}  // namespace perigee::bindings

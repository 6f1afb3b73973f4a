// A run for SimGrid: its platform in SimGrid's XML, and the activities that the policy began, for a program that
// executes them there and compares when they end. docs/logs.md has the form of the list.
//
// A host off in the files is one whose activities fail then; where they stand still instead, its speed is next to 0.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/results/energy.h"
#include "runtime/results/executions.h"
#include "runtime/results/export.h"
#include "runtime/results/numbers.h"
#include "runtime/results/platform_changes.h"

#ifndef PERIGEE_VERSION
#define PERIGEE_VERSION "unknown"
#endif

namespace perigee::results {
namespace {

constexpr const char* kSimgridPlatform = "simgrid_platform.xml";
constexpr const char* kSimgridActivities = "simgrid_activities.json";
// In place of a rate of 0, relative to the nominal one: the models Cas01 and CM02 of SimGrid 3.32 go on at the old rate
// when the new one is 0.
constexpr double kNextToNothing = 1e-15;
constexpr std::size_t kMostSteps = 1'000'000;  // of all profiles in the files

[[noreturn]] void not_simgrid(const std::string& what) {
  fail("not_simgrid", "this run cannot be written for SimGrid: {}", what);
}

// A function of time, constant between its steps.
struct Steps {
  std::vector<std::pair<Time, double>> all;
  double period = 0;  // 0: the steps do not repeat

  void add(Time at, double value) {
    if (!all.empty() && all.back().first >= at) all.pop_back();
    if (all.empty() || all.back().second != value) all.emplace_back(at, value);
  }
  bool is(double value) const { return all.size() == 1 && all.front().second == value; }
  std::string text() const {
    std::string text;
    for (const auto& [at, value] : all) text += fmt::format("{} {}\n", exact(at), exact(value));
    return text;
  }
};

class SimgridRun {
 public:
  explicit SimgridRun(const Outcome& outcome)
      : outcome_(outcome),
        platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        runs_(executions(outcome)),
        away_(absences(outcome)),
        rates_(rates_of(outcome)) {
    if (outcome.works.first() > 0) not_simgrid("works of its stream are not kept");
    choose_runs();
    judge_absences();
  }

  std::vector<std::string> lost() const {
    std::vector<std::string> lost;
    if (holds_ > 0) lost.push_back(fmt::format("holds ({})", holds_));
    if (thoughts_ > 0) lost.push_back(fmt::format("scheduling time ({})", thoughts_));
    if (immediate_ > 0) lost.push_back(fmt::format("transfers over no declared link ({})", immediate_));
    return lost;
  }

  std::vector<NamedText> files() {
    std::string activities = list();  // first: it tells which routes and clocks there are
    std::vector<NamedText> files{{kSimgridPlatform, ""}, {kSimgridActivities, std::move(activities)}};
    files[0].text = document(files);
    return files;
  }

 private:
  // A time when a resource is away.
  struct Absence {
    Time from, to;
    bool off;  // what uses it fails; otherwise that stands still
  };
  using Absences = std::vector<Absence>;

  // ---- what is told ----

  void choose_runs() {
    for (std::uint32_t r = 0; r < runs_.all.size(); ++r) {
      const Execution& run = runs_.all[r];
      if (run.kind == ActivityKind::hold) {
        ++holds_;
      } else if (run.kind == ActivityKind::think) {
        ++thoughts_;
      } else if (run.is_transfer() && route_of(run).empty()) {
        ++immediate_;
      } else {
        if (run.kind == ActivityKind::dump ||
            (run.kind == ActivityKind::compute && workload_.checkpoint_of(run.work) != nullptr))
          not_simgrid(fmt::format("{} writes checkpoints", workload_.name_of(run.work)));
        chosen_.push_back(r);
      }
    }
  }

  // The declared links of a transfer, from the origin on.
  std::vector<LinkId> route_of(const Execution& run) const {
    std::vector<LinkId> route;
    for (const UsedResource& on : runs_.on(run))
      if (on.kind() == ResourceKind::link && !platform_[on.link()].implied) route.push_back(on.link());
    return route;
  }

  bool is_measured_on(const Execution& run, const ResourceId& on) const {
    return run.is_transfer() ? on.kind() == ResourceKind::link && !platform_[on.link()].implied
                             : on.kind() == ResourceKind::host;
  }

  // ---- absences ----

  // A resource is off where nothing goes on using it: what used it has failed. Otherwise that stands still.
  void judge_absences() {
    std::vector<std::vector<std::uint32_t>> of_hosts(platform_.hosts().size()),
        of_links(platform_.links().size());
    for (const std::uint32_t r : chosen_)
      for (const UsedResource& on : runs_.on(runs_.all[r])) {
        if (is_measured_on(runs_.all[r], on))
          (on.kind() == ResourceKind::host ? of_hosts : of_links)[on.at()].push_back(r);
        else if (on.kind() == ResourceKind::host)
          refuse_waiting_receiver(runs_.all[r], on);
      }
    for (std::size_t h = 0; h < of_hosts.size(); ++h)
      hosts_.push_back(judged(away_.hosts[h], of_hosts[h], platform_.hosts()[h].name));
    for (std::size_t l = 0; l < of_links.size(); ++l)
      links_.push_back(judged(away_.links[l], of_links[l], platform_.links()[l].name));
  }

  static bool goes_on(const Execution& run, const Away& away) {
    return run.started < away.to && run.ended > away.from;
  }

  void refuse_waiting_receiver(const Execution& run, const UsedResource& host) const {
    for (const Away& away : away_.hosts[host.at()])
      if (goes_on(run, away))
        not_simgrid(fmt::format("what is sent to '{}' waits for that host from t = {} on",
                                platform_.name_of(host), exact(away.from)));
  }

  Absences judged(const std::vector<Away>& spells, const std::vector<std::uint32_t>& users,
                  const std::string& name) const {
    Absences all;
    for (const Away& away : spells) {
      Absence absence{away.from, away.came_back ? away.to : kNever, true};
      for (const std::uint32_t r : users) {
        const Execution& run = runs_.all[r];
        if (!goes_on(run, away)) continue;
        absence.off = false;
        const OnFailure rule =
            run.is_transfer() ? outcome_.scenario->transfer_rule : outcome_.scenario->compute_rule;
        if (rule == OnFailure::restarted)
          not_simgrid(fmt::format("work on '{}' is begun anew after its absence from t = {} on", name,
                                  exact(away.from)));
        if (run.is_transfer() && away.from < run.started + latency_of(run))
          not_simgrid(fmt::format("a latency stands still while '{}' is away from t = {} on", name,
                                  exact(away.from)));
      }
      all.push_back(absence);
    }
    return all;
  }

  Seconds latency_of(const Execution& run) const {
    Seconds sum = 0;
    for (const LinkId link : route_of(run)) {
      const std::vector<Rates::Rate>& rates = rates_.links[link.index].all;
      const auto after = std::ranges::upper_bound(rates, run.started, {}, &Rates::Rate::from);
      const Rates::Rate& rate = after == rates.begin() ? *after : *std::prev(after);
      sum += rate.latency->at(run.started - rate.latency_anchor);
    }
    return sum;
  }

  const Absences& absences_of(const ResourceId& on) const {
    return (on.kind() == ResourceKind::host ? hosts_ : links_)[on.at()];
  }

  // ---- profiles ----

  enum class Of : std::uint8_t { rate, latency };

  Steps steps_of(const Rates& rates, Of what, const std::string& name) {
    if (!rates.known) not_simgrid(fmt::format("the scenario does not say how '{}' changed", name));
    Steps steps;
    for (std::size_t r = 0; r < rates.all.size(); ++r) {
      const Rates::Rate& rate = rates.all[r];
      const Profile& profile = what == Of::rate ? *rate.profile : *rate.latency;
      const Time anchor = what == Of::rate ? rate.anchor : rate.latency_anchor;
      const double factor = what == Of::rate ? rate.factor : 1;
      const Time until = r + 1 < rates.all.size() ? rates.all[r + 1].from : outcome_.end;
      steps.add(rate.from, factor * profile.at(rate.from - anchor));
      for (Time t = profile.next_change(rate.from - anchor); t + anchor < until; t = profile.next_change(t)) {
        steps.add(t + anchor, factor * profile.at(t));
        count_step();
      }
    }
    return steps;
  }

  // The loop itself, where that is all: SimGrid repeats it then.
  static bool is_plain_loop(const Rates& rates) {
    const Profile& profile = *rates.all[0].profile;
    return rates.all.size() == 1 && profile.is_periodic() && profile.loop_begin() == 0 &&
           profile.times()[0] == 0;
  }

  void count_step() {
    if (++steps_ > kMostSteps) not_simgrid(fmt::format("its profiles have more than {} steps", kMostSteps));
  }

  // The steps with the times in which all stands still.
  static Steps stopped(const Steps& steps, const Absences& absences) {
    Steps out;
    std::size_t next = 0;
    double value = steps.all.front().second;
    const auto pass = [&](Time until, bool shown) {
      for (; next < steps.all.size() && steps.all[next].first < until; ++next) {
        value = steps.all[next].second;
        if (shown) out.add(steps.all[next].first, value);
      }
    };
    for (const Absence& absence : absences) {
      if (absence.off) continue;
      pass(absence.from, true);
      out.add(absence.from, 0);
      pass(absence.to, false);
      if (absence.to < kNever) out.add(absence.to, value);
    }
    pass(kNever, true);
    return out;
  }

  static Steps presence(const Absences& absences) {
    Steps out;
    out.add(0, 1);
    for (const Absence& absence : absences) {
      if (!absence.off) continue;
      out.add(absence.from, 0);
      if (absence.to < kNever) out.add(absence.to, 1);
    }
    return out;
  }

  static void lift_from_zero(Steps& steps, double nominal) {
    for (auto& [at, value] : steps.all)
      if (value == 0) value = kNextToNothing * nominal;
  }

  // ---- the platform ----

  std::string document(std::vector<NamedText>& files) {
    pugi::xml_document xml;
    pugi::xml_node declaration = xml.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    xml.append_child(pugi::node_doctype).set_value("platform SYSTEM \"https://simgrid.org/simgrid.dtd\"");
    pugi::xml_node platform = xml.append_child("platform");
    platform.append_attribute("version") = "4.1";
    zone_ = platform.append_child("zone");
    zone_.append_attribute("id") = "@perigee";
    zone_.append_attribute("routing") = "Full";
    Traces traces;
    add_host("@origin", "1f", 1, nullptr);
    for (std::size_t h = 0; h < platform_.hosts().size(); ++h) add_traced_host(h, traces);
    for (const auto& [route, end] : ends_of_routes_) add_host(end, "1f", 1, nullptr);
    for (std::size_t l = 0; l < platform_.links().size(); ++l)
      if (!platform_.links()[l].implied) add_link(l, files);
    add_routes();
    add_traces(traces);
    std::ostringstream text;
    xml.save(text, "  ");
    return text.str();
  }

  // Traces of hosts, with the kind of each.
  using Traces = std::vector<std::pair<std::string, std::pair<const char*, Steps>>>;

  // The host, and its clock where one is needed.
  void add_traced_host(std::size_t h, Traces& traces) {
    const Host& host = platform_.hosts()[h];
    if (host.name.starts_with('@')) not_simgrid(fmt::format("'{}' begins with @", host.name));
    add_host(host.name, exact(host.speed) + "f", host.cores, host.power.get());
    Steps speed;
    const bool stands = std::ranges::any_of(hosts_[h], [](const Absence& each) { return !each.off; });
    if (const Rates& rates = rates_.hosts[h]; is_plain_loop(rates) && !stands && rates.known) {
      const Profile& profile = *rates.all[0].profile;
      for (std::size_t i = 0; i < profile.times().size(); ++i)
        speed.all.emplace_back(profile.times()[i], profile.values()[i]);
      speed.period = profile.period();
    } else {
      speed = stopped(steps_of(rates, Of::rate, host.name), hosts_[h]);
    }
    lift_from_zero(speed, 1);
    if (!speed.is(1)) traces.emplace_back(host.name, std::pair("SPEED", speed));
    const Steps up = presence(hosts_[h]);
    if (!up.is(1)) traces.emplace_back(host.name, std::pair("HOST_AVAIL", up));
    if (!clocks_.contains(h)) return;
    add_host(clock_of(h), "1f", host.cores, nullptr);
    Steps ticks = stopped(Steps{{{0, 1}}}, hosts_[h]);
    lift_from_zero(ticks, 1);
    if (!ticks.is(1)) traces.emplace_back(clock_of(h), std::pair("SPEED", ticks));
    if (!up.is(1)) traces.emplace_back(clock_of(h), std::pair("HOST_AVAIL", up));
  }

  void add_routes() {
    for (const auto& [route, end] : ends_of_routes_) {
      pugi::xml_node node = zone_.append_child("route");
      node.append_attribute("src") = "@origin";
      node.append_attribute("dst") = end.c_str();
      node.append_attribute("symmetrical") = "YES";
      for (const LinkId link : route)
        node.append_child("link_ctn").append_attribute("id") = platform_[link].name.c_str();
    }
  }

  // Traces come behind what they are connected to.
  void add_traces(const Traces& traces) {
    for (std::size_t i = 0; i < traces.size(); ++i) {
      const auto& [element, trace] = traces[i];
      const std::string id = fmt::format("@{}", i + 1);
      pugi::xml_node node = zone_.append_child("trace");
      node.append_attribute("id") = id.c_str();
      node.append_attribute("periodicity") =
          trace.second.period > 0 ? exact(trace.second.period).c_str() : "-1";
      node.append_child(pugi::node_pcdata).set_value(("\n" + trace.second.text()).c_str());
      pugi::xml_node connection = zone_.append_child("trace_connect");
      connection.append_attribute("kind") = trace.first;
      connection.append_attribute("trace") = id.c_str();
      connection.append_attribute("element") = element.c_str();
    }
  }

  void add_host(const std::string& name, const std::string& speed, std::int32_t cores,
                const PowerModel* power) {
    pugi::xml_node node = zone_.append_child("host");
    node.append_attribute("id") = name.c_str();
    node.append_attribute("speed") = speed.c_str();
    node.append_attribute("core") = cores;
    if (!platform_.has_power()) return;
    const auto set = [&](const char* property, const std::string& value) {
      pugi::xml_node prop = node.append_child("prop");
      prop.append_attribute("id") = property;
      prop.append_attribute("value") = value.c_str();
    };
    if (power == nullptr) return set("wattage_per_state", "0:0:0");
    const SpeedState& state = power->states.front();
    set("wattage_per_state",
        fmt::format("{}:{}:{}", exact(state.idle), exact(state.epsilon), exact(state.busy)));
    set("wattage_off", exact(power->down));
  }

  // SimGrid 3.32 knows profiles of links from files only: <trace_connect> comes when a link can have none any more.
  void add_link(std::size_t l, std::vector<NamedText>& files) {
    const Link& link = platform_.links()[l];
    const Rates& rates = rates_.links[l];
    Steps bandwidth = stopped(steps_of(rates, Of::rate, link.name), links_[l]);
    const Steps latency = steps_of(rates, Of::latency, link.name);
    double most = 0;
    for (const auto& [at, value] : bandwidth.all) most = std::max(most, value);
    lift_from_zero(bandwidth, most > 0 ? most : 1);
    pugi::xml_node node = zone_.append_child("link");
    node.append_attribute("id") = link.name.c_str();
    node.append_attribute("bandwidth") = (exact(bandwidth.all.front().second) + "Bps").c_str();
    node.append_attribute("latency") = (exact(latency.all.front().second) + "s").c_str();
    node.append_attribute("sharing_policy") = link.sharing == Sharing::unlimited ? "FATPIPE" : "SHARED";
    const auto follow = [&](const char* attribute, const char* name, const Steps& steps) {
      if (steps.all.size() == 1) return;
      files.push_back({fmt::format("simgrid_link_{}_{}.txt", l + 1, name), steps.text()});
      node.append_attribute(attribute) = files.back().name.c_str();
    };
    follow("bandwidth_file", "bandwidth", bandwidth);
    follow("latency_file", "latency", latency);
    Steps up = presence(links_[l]);
    follow("state_file", "state", up);
  }

  std::string clock_of(std::size_t host) const { return "@clock " + platform_.hosts()[host].name; }

  // ---- the list ----

  using json = nlohmann::ordered_json;

  std::string list() {
    std::string text = fmt::format("{{\n\"perigee\": {},\n\"end\": {},\n", json(PERIGEE_VERSION).dump(),
                                   json(outcome_.end).dump());
    if (const json known = energies(); !known.empty()) text += fmt::format("\"energy\": {},\n", known.dump());
    text += "\"activities\": [\n";
    std::vector<std::uint32_t> ends = chosen_;
    std::ranges::sort(ends, {}, [&](std::uint32_t r) { return runs_.all[r].end_record; });
    std::size_t ended = 0;
    const char* separator = "";
    for (const std::uint32_t r : chosen_) {
      const Execution& run = runs_.all[r];
      for (; ended < ends.size() && runs_.all[ends[ended]].end_record < run.start_record; ++ended)
        note_end(runs_.all[ends[ended]]);
      json activity = {{"id", run.serial}};
      if (run.work.valid()) activity["work"] = workload_.name_of(run.work);
      if (run.file.valid()) activity["file"] = workload_.files[run.file.index].name;
      activity["kind"] = run.is_transfer() ? "transfer" : "compute";
      run.is_transfer() ? add_transfer(activity, run) : add_computation(activity, run);
      add_start(activity, run);
      if (const Time stop = stop_of(run); stop < kNever) activity["stop"] = stop;
      activity["observed"] = {{"start", run.started},
                              {"end", run.ended},
                              {"how", run.how == RecordKind::started ? "running" : name_of(run.how)}};
      text += separator + activity.dump(-1, ' ', false, json::error_handler_t::replace);
      separator = ",\n";
    }
    return text + "\n]\n}\n";
  }

  // J of the hosts that draw in SimGrid what they draw here: of the declared speed all the time, without a set-up, off while
  // they are away, never switched, for jobs with a load of 1.
  json energies() const {
    json known = json::object();
    if (!platform_.has_power()) return known;
    std::set<std::size_t> others;
    for (std::size_t i = 0; i < outcome_.trace.size(); ++i) {
      const Record record = outcome_.trace[i];
      if (record.on.kind() != ResourceKind::host) continue;
      const bool computes = record.kind == RecordKind::started && record.what == ActivityKind::compute;
      if (record.kind == RecordKind::powered || record.kind == RecordKind::changed ||
          record.kind == RecordKind::left || record.kind == RecordKind::joined ||
          (computes && workload_.load_of(record.work) != 1))
        others.insert(record.on.at());
    }
    const EnergyMeter meter = energy_of(outcome_);
    for (std::size_t h = 0; h < platform_.hosts().size(); ++h) {
      const Host& host = platform_.hosts()[h];
      const bool stands = std::ranges::any_of(hosts_[h], [](const Absence& each) { return !each.off; });
      const bool steady = host.availability.is_constant() && host.availability.at(0) == 1;
      if (!steady) continue;
      if (host.power == nullptr || host.setup > 0 || stands || others.contains(h)) continue;
      known[host.name] = meter.hosts()[h].all();
    }
    return known;
  }

  void add_computation(json& activity, const Execution& run) {
    std::vector<Share> shares;
    for (const UsedResource& on : runs_.on(run))
      if (on.kind() == ResourceKind::host) shares.push_back({on.host(), on.cores});
    const Work& work = workload_[run.work];
    const bool whole = work.kind == WorkKind::task || work.kind == WorkKind::job;
    const Piece piece = whole ? workload_.piece_on(run.work, shares) : Piece{run.work, run.first, run.size};
    const bool in_operations = whole && work.form == TimeForm::operations && piece.mold == 0;
    Seconds setup = 0;
    json hosts = json::array();
    for (const Share& share : shares) {
      const Host& host = platform_[share.host];
      const std::int32_t architecture = rates_.hosts[share.host.index].architecture(run.start_record);
      setup = std::max(setup, host.setup);
      hosts.push_back({{"host", host.name},
                       {"cores", share.cores},
                       {"ops", in_operations ? work.amount
                                             : true_time(workload_, piece, host, share.host, architecture) *
                                                   host.speed}});
    }
    if (setup > 0) {
      activity["setup"] = setup;
      for (std::size_t i = 0; i < shares.size(); ++i) {
        clocks_.insert(shares[i].host.index);
        hosts[i]["clock"] = clock_of(shares[i].host.index);
      }
    }
    activity["hosts"] = std::move(hosts);
  }

  void add_transfer(json& activity, const Execution& run) {
    const std::vector<LinkId> route = route_of(run);
    std::string& end = ends_of_routes_[route];
    if (end.empty()) end = fmt::format("@route {}", ends_of_routes_.size());
    const bool home = run.kind == ActivityKind::transfer_out;
    activity["from"] = home ? end : "@origin";
    activity["to"] = home ? "@origin" : end;
    activity["bytes"] = bytes_of(workload_, run);
    json links = json::array();
    for (const LinkId link : route) links.push_back(platform_[link].name);
    activity["links"] = std::move(links);
  }

  // Notes the executions that ended in the instant of the last end, by resource; the last of all under an invalid one.
  void note_end(const Execution& run) {
    if (run.ended != instant_) ended_.clear();
    instant_ = run.ended;
    for (const UsedResource& on : runs_.on(run)) ended_[on.packed()].insert(run.serial);
    ended_[ResourceId().packed()] = {run.serial};
  }

  // It was waiting for what ended on its resources in that instant; otherwise for whatever ended last.
  void add_start(json& activity, const Execution& run) const {
    std::set<std::uint32_t> after;
    if (run.started == instant_ && !ended_.empty()) {
      for (const UsedResource& on : runs_.on(run))
        if (const auto found = ended_.find(on.packed()); found != ended_.end())
          after.insert(found->second.begin(), found->second.end());
      if (after.empty()) after = ended_.at(ResourceId().packed());
    }
    if (after.empty())
      activity["start"] = {{"at", run.started}};
    else
      activity["start"] = {{"after", after}};
  }

  // When it was stopped, without that SimGrid could tell why; kNever where it ended well or its resource went away.
  Time stop_of(const Execution& run) const {
    if (run.how == RecordKind::ended) return kNever;
    if (run.how == RecordKind::lost)
      for (const UsedResource& on : runs_.on(run)) {
        if (!is_measured_on(run, on)) continue;
        for (const Absence& absence : absences_of(on))
          if (absence.off && absence.from == run.ended) return kNever;
      }
    return run.ended;
  }

  const Outcome& outcome_;
  const Platform& platform_;
  const Workload& workload_;
  const Executions runs_;
  const results::Absences away_;
  const ResourceRates rates_;
  std::vector<std::uint32_t> chosen_;  // in runs_, those that are told
  std::size_t holds_ = 0, thoughts_ = 0, immediate_ = 0;
  std::vector<Absences> hosts_, links_;
  std::size_t steps_ = 0;
  pugi::xml_node zone_;
  std::set<std::size_t> clocks_;  // hosts that have one, which runs while the host is there, at 1 op/s
  std::map<std::vector<LinkId>, std::string> ends_of_routes_;  // far from the origin
  Time instant_ = -1;
  std::map<std::uint32_t, std::set<std::uint32_t>> ended_;
};

}  // namespace

std::vector<NamedText> simgrid_files(const Outcome& outcome) { return SimgridRun(outcome).files(); }
std::vector<std::string> simgrid_lost(const Outcome& outcome) { return SimgridRun(outcome).lost(); }

}  // namespace perigee::results

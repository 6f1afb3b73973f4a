// Executes in SimGrid what the policies of saved runs decided, and compares the times with those that perigee observed.
//
//   simgrid_replay [--model ptask|cm02] [--amounts FACTOR] FOLDER...
//
// A folder was written by r:save(folder, { "simgrid" }); docs/logs.md says what is in its files. Nothing of perigee is
// included here: the times come from SimGrid alone. Prints what was compared, the largest relative difference, and in
// each folder the first activity that differs by more than 1e-9. The exit status is then 1; 2 is wrong usage.
//
// ptask is SimGrid's model ptask_L07, for hosts and links alike; cm02 is Cas01 for hosts and CM02 for links, which has
// whole bytes only and nothing over several hosts. Where the list has "energy", J of some hosts from 0 to "end", cm02 is
// asked for that too, by the plug-in host_energy; ptask_L07 takes more for a process on each core than its power says.
// The folder energy beside this file is such a list by hand.
//
// All amounts are multiplied by the factor, so that one can see that a difference would be seen.
#include <sys/wait.h>
#include <unistd.h>

#include <simgrid/plugins/energy.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <simgrid/Exception.hpp>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace s4u = simgrid::s4u;
using nlohmann::json;

constexpr double kTolerance = 1e-9;
constexpr double kNever = std::numeric_limits<double>::infinity();

struct Part {
  std::string host, clock;
  int cores = 0;
  double ops = 0;
};

struct Activity {
  long id = 0;
  std::string work;
  bool is_transfer = false;
  std::vector<Part> parts;  // of a computation
  double setup = 0;
  std::string from, to;  // of a transfer
  double bytes = 0;
  std::vector<std::string> links;
  double at = 0;            // when it was decided, where it waited for nothing
  std::vector<long> after;  // ends that it waited for
  double stop = kNever;     // when the policy ended it
  double observed_start = 0, observed_end = 0;
  std::string observed_how;

  // By SimGrid.
  double start = kNever, end = kNever;
  std::string how = "never began";  // ended, failed, stopped
  s4u::ActivityPtr under_way;
  bool stopped = false;
  s4u::SemaphorePtr over;
};

struct Energy {
  std::string host;
  double observed = 0;  // J, from 0 to the end of the run
  double joules = -1;   // by SimGrid
};

struct Run {
  double end = 0;
  std::vector<Activity> activities;
  std::vector<Energy> energies;
};

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

Run read(const std::string& path, double factor) {
  const json list = json::parse(text_of(path));
  Run run;
  run.end = list.at("end");
  if (list.contains("energy"))
    for (const auto& [host, joules] : list["energy"].items()) run.energies.push_back({host, joules});
  for (const json& entry : list.at("activities")) {
    Activity a;
    a.id = entry.at("id");
    a.work = entry.value("work", entry.value("file", ""));
    a.is_transfer = entry.at("kind") == "transfer";
    if (a.is_transfer) {
      a.from = entry.at("from");
      a.to = entry.at("to");
      a.bytes = factor * entry.at("bytes").get<double>();
      a.links = entry.at("links").get<std::vector<std::string>>();
    } else {
      a.setup = entry.value("setup", 0.0);
      for (const json& part : entry.at("hosts"))
        a.parts.push_back({part.at("host"), part.value("clock", ""), part.at("cores"),
                           factor * part.at("ops").get<double>()});
    }
    if (const json& start = entry.at("start"); start.contains("after"))
      a.after = start["after"].get<std::vector<long>>();
    else
      a.at = start.at("at");
    a.stop = entry.value("stop", kNever);
    a.observed_start = entry.at("observed").at("start");
    a.observed_end = entry.at("observed").at("end");
    a.observed_how = entry.at("observed").at("how");
    run.activities.push_back(std::move(a));
  }
  return run;
}

// ---- in SimGrid ----

class Replay {
 public:
  Replay(Run& run, bool ptask) : run_(run), ptask_(ptask), engine_(s4u::Engine::get_instance()) {
    for (Activity& a : run.activities) by_id_[a.id] = &a;
    grain_ = precision(run);
  }

  // Times nearer to each other than this are one instant of SimGrid: some roundings of the last one.
  static double precision(const Run& run) { return std::max(1e-12, 1e-13 * run.end); }

  void go() {
    s4u::Host* home = engine_->host_by_name("@origin");
    for (Activity& a : run_.activities) a.over = s4u::Semaphore::create(0);
    for (Activity& a : run_.activities) {
      s4u::Actor::create("activity", home, [this, &a] { live(a); });
      if (a.stop < kNever) s4u::Actor::create("stop", home, [this, &a] { stop(a); });
    }
    if (!run_.energies.empty())
      s4u::Actor::create("energy", home, [this] {
        s4u::this_actor::sleep_until(run_.end);
        for (Energy& each : run_.energies)
          each.joules = sg_host_get_consumed_energy(engine_->host_by_name(each.host));
      });
    engine_->run();
  }

 private:
  static double now() { return s4u::Engine::get_clock(); }

  void live(Activity& a) {
    for (const long id : a.after) {
      const s4u::SemaphorePtr& over = by_id_.at(id)->over;
      over->acquire();
      over->release();  // for the next one
    }
    if (a.after.empty()) s4u::this_actor::sleep_until(a.at);
    a.start = now();
    a.how = "ended";
    try {
      a.is_transfer ? send(a) : compute(a);
    } catch (const simgrid::Exception&) {
      a.how = a.stopped ? "stopped" : "failed";
    }
    a.under_way = nullptr;
    a.end = now();
    a.over->release();
  }

  void stop(Activity& a) {
    s4u::this_actor::sleep_until(a.stop);
    a.stopped = true;
    if (a.under_way != nullptr) a.under_way->cancel();
  }

  void wait_for(Activity& a, const s4u::ActivityPtr& phase) {
    if (a.stopped) throw simgrid::CancelException(XBT_THROW_POINT, "stopped");
    a.under_way = phase;
    phase->start();
    phase->wait();
    if (a.stopped && a.stop < now()) throw simgrid::CancelException(XBT_THROW_POINT, "stopped");
  }

  // A decision made when a host came back finds the host there: a rounding may lie between.
  void await(const std::vector<s4u::Host*>& hosts) {
    for (int i = 0; i < 10; ++i) {
      if (std::all_of(hosts.begin(), hosts.end(), [](s4u::Host* host) { return host->is_on(); })) return;
      s4u::this_actor::sleep_for(grain_);
    }
    throw simgrid::HostFailureException(XBT_THROW_POINT, "off from the beginning");
  }

  void compute(Activity& a) {
    if (a.setup > 0) {
      std::vector<Part> clocks;
      for (const Part& part : a.parts) clocks.push_back({part.clock, "", 1, a.setup});
      execute(a, clocks);
    }
    execute(a, a.parts);
  }

  void execute(Activity& a, const std::vector<Part>& parts) {
    std::vector<s4u::Host*> hosts;
    std::vector<double> amounts;
    for (const Part& part : parts)
      for (int core = 0; core < (ptask_ ? part.cores : 1); ++core) {  // a process on each core
        hosts.push_back(engine_->host_by_name(part.host));
        amounts.push_back(part.ops);
      }
    await(hosts);
    if (*std::max_element(amounts.begin(), amounts.end()) <= 0) return;
    s4u::ExecPtr exec = s4u::Exec::init();
    if (ptask_) {
      exec->set_flops_amounts(amounts)->set_hosts(hosts);
    } else {
      exec->set_flops_amount(amounts[0])->set_host(hosts[0]);
      exec->set_thread_count(parts[0].cores);
    }
    wait_for(a, exec);
  }

  void send(Activity& a) {
    s4u::Host* from = engine_->host_by_name(a.from);
    s4u::Host* to = engine_->host_by_name(a.to);
    std::vector<s4u::Link*> links;
    double latency = 0;
    from->route_to(to, links, &latency);
    for (int i = 0; i < 10; ++i) {
      if (std::all_of(links.begin(), links.end(), [](s4u::Link* link) { return link->is_on(); })) break;
      s4u::this_actor::sleep_for(grain_);
    }
    if (!ptask_) {
      s4u::CommPtr comm = s4u::Comm::sendto_init(from, to);
      comm->set_payload_size(static_cast<std::uint64_t>(a.bytes));
      wait_for(a, comm);
    } else if (a.bytes > 0) {
      s4u::ExecPtr exec = s4u::Exec::init();
      exec->set_flops_amounts({0, 0})->set_bytes_amounts({0, a.bytes, 0, 0})->set_hosts({from, to});
      wait_for(a, exec);
    } else {
      s4u::this_actor::sleep_for(latency);  // ptask_L07 moves nothing in no time
    }
  }

  Run& run_;
  bool ptask_;
  s4u::Engine* engine_;
  std::map<long, Activity*> by_id_;
  double grain_;
};

// ---- what came out ----

enum Count : std::size_t {
  kActivities,
  kComputations,
  kSeveralCores,
  kSeveralHosts,
  kSetups,
  kTransfers,
  kSeveralHops,
  kShared,
  kAfterOthers,
  kFailed,
  kStopped,
  kSpeedProfiles,
  kLoops,
  kStandstills,
  kAbsences,
  kLinkProfiles,
  kUnshared,
  kEnergies,
  kCounts
};
constexpr const char* kCounted[kCounts] = {"activities",
                                           "computations",
                                           "of several cores of a host",
                                           "over several hosts",
                                           "with a set-up",
                                           "transfers",
                                           "over several links",
                                           "beside another on a link",
                                           "that waited for the end of others",
                                           "lost with a host or link",
                                           "stopped from outside",
                                           "hosts of changing speed",
                                           "in loops",
                                           "times in which a host stands still",
                                           "hosts off for a time",
                                           "profiles of links",
                                           "links that are not shared",
                                           "hosts with an energy"};

struct Verdict {
  double counts[kCounts] = {};
  double largest = 0;
  char difference[1000] = {};  // the first one; empty: none
};

double apart(double x, double y) {
  if (x == y) return 0;
  return std::abs(x - y) / std::max(std::abs(x), std::abs(y));
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Two transfers at the same time over one link.
bool share(const Activity& a, const Activity& b) {
  if (&a == &b || !(a.observed_start < b.observed_end && b.observed_start < a.observed_end)) return false;
  return std::any_of(a.links.begin(), a.links.end(), [&](const std::string& link) {
    return std::find(b.links.begin(), b.links.end(), link) != b.links.end();
  });
}

Verdict judge(const Run& run, const std::string& platform) {
  Verdict verdict;
  double* counts = verdict.counts;
  std::vector<const Activity*> in_order;
  for (const Activity& a : run.activities) in_order.push_back(&a);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const Activity* x, const Activity* y) { return x->observed_end < y->observed_end; });
  for (const Activity* one : in_order) {
    const Activity& a = *one;
    ++counts[kActivities];
    ++counts[a.is_transfer ? kTransfers : kComputations];
    if (a.parts.size() > 1) ++counts[kSeveralHosts];
    if (std::any_of(a.parts.begin(), a.parts.end(), [](const Part& part) { return part.cores > 1; }))
      ++counts[kSeveralCores];
    if (a.setup > 0) ++counts[kSetups];
    if (a.links.size() > 1) ++counts[kSeveralHops];
    if (std::any_of(run.activities.begin(), run.activities.end(),
                    [&](const Activity& b) { return share(a, b); }))
      ++counts[kShared];
    if (!a.after.empty()) ++counts[kAfterOthers];
    const std::string expected = a.stop < kNever ? "stopped" : a.observed_how == "lost" ? "failed" : "ended";
    if (expected == "failed") ++counts[kFailed];
    if (expected == "stopped") ++counts[kStopped];
    const double difference = std::max(apart(a.start, a.observed_start), apart(a.end, a.observed_end));
    // An activity that ends in the instant in which it is stopped may be either.
    const bool same = a.how == expected || expected == "stopped";
    if (same && std::isfinite(difference)) verdict.largest = std::max(verdict.largest, difference);
    if ((same && difference <= kTolerance) || verdict.difference[0] != '\0') continue;
    std::snprintf(verdict.difference, sizeof verdict.difference,
                  "activity %ld (%s of %s) of [%.17g, %.17g] %s; in SimGrid it has [%.17g, %.17g] and %s",
                  a.id, a.is_transfer ? "transfer" : "computation", a.work.c_str(), a.observed_start,
                  a.observed_end, expected.c_str(), a.start, a.end, a.how.c_str());
  }
  for (const Energy& each : run.energies) {
    ++counts[kEnergies];
    const double difference = apart(each.joules, each.observed);
    verdict.largest = std::max(verdict.largest, difference);
    if (difference <= kTolerance || verdict.difference[0] != '\0') continue;
    std::snprintf(verdict.difference, sizeof verdict.difference,
                  "'%s' takes %.17g J; in SimGrid it takes %.17g J", each.host.c_str(), each.observed,
                  each.joules);
  }
  counts[kSpeedProfiles] = static_cast<double>(occurrences(platform, "kind=\"SPEED\""));
  counts[kLoops] = static_cast<double>(occurrences(platform, "periodicity=\"") -
                                       occurrences(platform, "periodicity=\"-1\""));
  counts[kStandstills] = static_cast<double>(occurrences(platform, " 1e-15\n"));
  counts[kAbsences] = static_cast<double>(occurrences(platform, "kind=\"HOST_AVAIL\""));
  counts[kLinkProfiles] = static_cast<double>(occurrences(platform, "_file=\""));
  counts[kUnshared] = static_cast<double>(occurrences(platform, "\"FATPIPE\""));
  return verdict;
}

// SimGrid simulates once in a process.
Verdict replay(const std::string& folder, bool ptask, double factor) {
  if (chdir(folder.c_str()) != 0) throw std::runtime_error("there is no folder " + folder);
  Run run = read("simgrid_activities.json", factor);
  if (ptask) run.energies.clear();
  for (const Activity& a : run.activities)
    if (!ptask && (a.parts.size() > 1 || a.bytes != std::floor(a.bytes)))
      throw std::runtime_error("cm02 has whole bytes and single hosts only, see activity " +
                               std::to_string(a.id));
  std::vector<std::string> words = {"simgrid_replay", "--log=root.thresh:critical"};
  const auto set = [&](const std::string& option) { words.push_back("--cfg=" + option); };
  set(ptask ? "host/model:ptask_L07" : "network/model:CM02");
  set("network/bandwidth-factor:1");
  set("network/latency-factor:1");
  set("network/weight-S:0");
  set("network/TCP-gamma:0");
  set("network/crosstraffic:0");
  char number[40];
  std::snprintf(number, sizeof number, "%.17g", Replay::precision(run));
  set(std::string("surf/precision:") + number);
  set("maxmin/precision:1e-12");
  set("contexts/stack-size:256");  // KiB
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int count = static_cast<int>(words.size());
  s4u::Engine engine(&count, arguments.data());
  if (!run.energies.empty()) sg_host_energy_plugin_init();
  engine.load_platform("simgrid_platform.xml");
  Replay(run, ptask).go();
  return judge(run, text_of("simgrid_platform.xml"));
}

Verdict replay_in_child(const std::string& folder, bool ptask, double factor) {
  Verdict verdict;
  std::snprintf(verdict.difference, sizeof verdict.difference, "SimGrid ended without an answer");
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    close(ends[0]);
    Verdict mine;
    try {
      mine = replay(folder, ptask, factor);
    } catch (const std::exception& error) {
      std::snprintf(mine.difference, sizeof mine.difference, "%s", error.what());
    }
    const bool written = write(ends[1], &mine, sizeof mine) == sizeof mine;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Verdict answer;
  std::size_t got = 0;
  while (got < sizeof answer) {
    const ssize_t more = ::read(ends[0], reinterpret_cast<char*>(&answer) + got, sizeof answer - got);
    if (more <= 0) break;
    got += static_cast<std::size_t>(more);
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return got == sizeof answer ? answer : verdict;
}

}  // namespace

int main(int argc, char** argv) {
  bool ptask = true;
  double factor = 1;
  std::vector<std::string> folders;
  bool understood = true;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i], next = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--model" && (next == "ptask" || next == "cm02")) {
      ptask = next == "ptask";
      ++i;
    } else if (word == "--amounts" && std::atof(next.c_str()) > 0) {
      factor = std::atof(next.c_str());
      ++i;
    } else if (word.rfind("--", 0) == 0) {
      understood = false;
    } else {
      folders.push_back(word);
    }
  }
  if (!understood || folders.empty()) {
    std::fprintf(stderr, "usage: simgrid_replay [--model ptask|cm02] [--amounts FACTOR] FOLDER...\n");
    return 2;
  }
  Verdict all;
  std::size_t differing = 0;
  for (const std::string& folder : folders) {
    const Verdict verdict = replay_in_child(folder, ptask, factor);
    for (std::size_t c = 0; c < kCounts; ++c) all.counts[c] += verdict.counts[c];
    all.largest = std::max(all.largest, verdict.largest);
    if (verdict.difference[0] == '\0') continue;
    ++differing;
    std::printf("%s: %s\n", folder.c_str(), verdict.difference);
  }
  std::printf("%zu runs in SimGrid's %s", folders.size(), ptask ? "ptask_L07" : "Cas01 and CM02");
  for (std::size_t c = 0; c < kCounts; ++c)
    if (all.counts[c] > 0) std::printf("%s %.0f %s", c == 0 ? ":" : ",", all.counts[c], kCounted[c]);
  std::printf("\nlargest relative difference %.2g; %zu runs differ by more than %g or end otherwise\n",
              all.largest, differing, kTolerance);
  return differing > 0 ? 1 : 0;
}

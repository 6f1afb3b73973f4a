// The validator's walk through a trace. Its picture of the platform, the works and the activities comes from
// the scenario and the records alone.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/quantity.h"

namespace perigee::validation {

inline constexpr double kTolerance = 1e-9;  // of values and, times two for both ends, of times
inline constexpr std::size_t kMostLines = 100;

inline std::string text(double value) { return format_number(value); }

// The state of a resource from a time on.
struct Step {
  Time at = 0;
  bool up = true;
  bool rate_known = true;
  double factor = 1;  // of the rate, >= 0
  const Profile* profile = nullptr;
  Time anchor = 0;
  const Profile* latency = nullptr;  // of a link
  Time latency_anchor = 0;
  double by_state = 1;  // a factor too: of a host's state of speed
};
using Timeline = std::vector<Step>;  // ascending; of equal times the last counts

// The index of the step in force at t.
inline std::size_t step_at(const Timeline& timeline, Time t) {
  const auto after = std::upper_bound(timeline.begin(), timeline.end(), t,
                                      [](Time x, const Step& step) { return x < step.at; });
  return after == timeline.begin() ? 0 : static_cast<std::size_t>(after - timeline.begin()) - 1;
}
inline Time end_of_step(const Timeline& timeline, std::size_t i) {
  return i + 1 < timeline.size() ? timeline[i + 1].at : kNever;
}

struct Count {
  Time at;
  int count;
};

struct Span {
  double first, end;  // runs or units
};

enum class Life : std::uint8_t { posted, withdrawn, running, over };

struct Dump {
  Time at = 0;       // when it is whole
  double share = 0;  // of the job's time
};

struct Act {
  std::uint32_t serial = 0;
  ActivityKind kind = ActivityKind::none;
  Life life = Life::posted;
  RecordKind how = RecordKind::started;  // how it ended; started: it has not
  bool copy = false;
  bool interrupted = false;  // an outage stops it now
  bool checkable = true;     // its place and rates are known
  bool broken = false;       // its records make no sense, which has been reported
  WorkId work;
  FileId file;
  ClusterId cluster;           // transfers
  ClusterId room_in;           // there is room kept for what it will put there; none: for nothing
  double first = 0, size = 0;  // runs or units
  std::int32_t cores = 0;
  std::int32_t architecture = 0;  // of the host when it started
  Time posted = -kNever, started = kNaN, ended = kNaN;
  std::vector<ResourceId> on;
  // A job with a Shape has these per host of `on`.
  std::vector<std::int32_t> cores_of, architectures;
  double begun_with = 0;    // the share of its job that was done when it started
  bool dumped = false;      // by the trace one of its dumps is whole
  std::vector<Dump> dumps;  // by the trace
  struct Asked {            // of a dump that the interval did not ask for
    Time at = 0;
    bool requeues = false;
  };
  std::vector<Asked> asked;
  struct Pause {  // it is suspended
    Time from = 0, to = kNever;
  };
  std::vector<Pause> pauses;
  std::vector<std::size_t> transfers;  // its dumps and restarts over a link, in order of posting
  std::size_t job = SIZE_MAX;          // of such a transfer: the computation
  Reason why = Reason::none;           // of its end

  bool over_hosts() const { return !cores_of.empty(); }
  bool is_suspended() const { return !pauses.empty() && pauses.back().to == kNever; }
  Seconds paused_by(Time at) const {
    Seconds sum = 0;
    for (const Pause& each : pauses) sum += std::max(0.0, std::min(each.to, at) - each.from);
    return sum;
  }
  bool moves() const {
    return kind == ActivityKind::transfer_in || kind == ActivityKind::transfer_out ||
           kind == ActivityKind::chunk || kind == ActivityKind::dump;
  }
  HostId host() const {
    for (const ResourceId r : on)
      if (r.kind() == ResourceKind::host) return r.host();
    return {};
  }
};

struct Track {  // of a work
  bool arrived = false, accepted = false, missed = false, covered = false;
  RecordKind settled = RecordKind::arrived;  // arrived = not
  Time finished = kNaN, covered_at = kNaN, killed = kNaN, requeued = kNaN;
  Time cancelled = kNaN;  // the last of its computations that was
  Reason why_cancelled = Reason::none;
  double saved = 0;                  // the share that its last whole dump holds
  std::vector<ResourceId> saved_on;  // the hosts that wrote it
  double done = 0;                   // runs or units
  std::vector<Span> pieces;          // finished, ascending
  std::vector<std::size_t> running;  // computations
  std::vector<std::size_t> chunks;   // started
};

struct Presence {
  bool present = true, down = false;
  bool silent = false;  // the policy may not know that it is down
  bool up() const { return present && !down; }
  // Goes up or down, joins or leaves; false if it is so already.
  bool turn(RecordKind kind) {
    switch (kind) {
      case RecordKind::down:
        return !std::exchange(down, true);
      case RecordKind::up:
        return std::exchange(down, false);
      case RecordKind::left:
        return std::exchange(present, false);
      default:
        return !std::exchange(present, true);
    }
  }
};

struct HostNow : Presence {
  bool place_known = true;
  ClusterId cluster;
  std::int32_t architecture = 0;
  std::size_t held_by = SIZE_MAX;
  std::vector<std::size_t> acts;  // without holds
  Power power = Power::on;
  std::size_t state = 0;      // of speed
  Time power_until = kNever;  // when it is on or off, by its declared times
  Time away_since = kNaN;     // of the last time
  std::vector<std::size_t> suspended;
};

struct LinkNow : Presence {
  std::vector<std::size_t> acts;  // transfers
  std::size_t reserved_by = SIZE_MAX;
  Time reserved_until = 0;
};

class Check {
 public:
  explicit Check(const Outcome& outcome)
      : outcome_(outcome),
        scenario_(*outcome.scenario),
        platform_(*scenario_.platform),
        workload_(*scenario_.workload),
        trace_(outcome.trace) {}

  std::vector<std::string> run();

 private:
  // The slack of times at t. An event within the tolerance of an instant is recorded at the instant.
  double slack(Time t) const {
    return 2 * std::max(kTolerance, outcome_.tolerance) * std::max(1.0, std::abs(t));
  }
  bool near(Time a, Time b) const {
    if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
    return std::abs(a - b) <= slack(std::max(std::abs(a), std::abs(b)));
  }

  // ---- messages ----
  template <class... Args>
  void bad(Time t, fmt::format_string<Args...> format, Args&&... args) {
    if (lines_.size() < kMostLines)
      lines_.push_back(fmt::format("t = {}: ", text(t)) + fmt::format(format, std::forward<Args>(args)...));
    else
      ++more_;
  }
  template <class... Args>
  void bad(Time t, const Act& act, fmt::format_string<Args...> format, Args&&... args) {
    bad(t, "{}: {}", describe(act), fmt::format(format, std::forward<Args>(args)...));
  }
  std::vector<std::string> finish() {
    if (more_ > 0) lines_.push_back(fmt::format("... and {} more", more_));
    return std::move(lines_);
  }
  std::string work_name(WorkId work) const {
    return work.index < workload_.size() ? workload_.name_of(work) : fmt::format("work #{}", work.index);
  }
  std::string describe(const Act& act) const;
  bool partial(WorkId work) const {
    const WorkKind kind = workload_[work].kind;
    return kind == WorkKind::sweep || kind == WorkKind::load;
  }

  // ---- validator.cpp: the walk ----
  bool sound();  // records that can be read at all
  void prepare();
  void prepare_files();
  void find_who_comes_later();
  void sort_happenings();
  void list_changes();
  std::size_t step(std::size_t i);  // the next record to look at
  // Checks that everything due in the instant that is over has happened.
  void settle_instant(Time next);

  // ---- works.cpp ----
  std::span<const FileId> inputs(WorkId w) const {
    return workload_[w].input_count > 0 ? workload_.inputs(w) : std::span<const FileId>{};
  }
  std::span<const FileId> outputs(WorkId w) const {
    return workload_[w].output_count > 0 ? workload_.outputs(w) : std::span<const FileId>{};
  }
  void of_work(const Record& r);
  void of_requeueing(const Record& r);
  void of_stranding(const Record& r);
  void of_finish(const Record& r);
  bool all_home(WorkId work) const;
  void at_the_end();
  // True if the policy has promised to keep deadlines and the promise holds in this run.
  bool promised() const;
  void promises();

  // ---- platform.cpp: the scenario's events, by resource ----
  struct Listed {  // a happening as it concerns one resource
    const Happening* happening;
    bool used = false;
  };
  Timeline& timeline(ResourceId r) {
    return r.kind() == ResourceKind::host ? host_lines_[r.at()] : link_lines_[r.at()];
  }
  std::vector<Listed>& changes(ResourceId r) {
    return r.kind() == ResourceKind::host ? host_changes_[r.at()] : link_changes_[r.at()];
  }
  // The beginning of the outage that ends there, of those that have begun; end() if there is none.
  using Begun = std::vector<const Happening*>;
  static Begun::const_iterator begun_of(const Begun& begun, const Happening& up);
  // Calls hear(announced) for the outages that may begin at t.
  template <class F>
  void each_outage(ResourceId r, Time t, Reason why, F hear) const;
  // The same for the outages that the scenario lists for the resource and that cover t.
  template <class F>
  void each_in_force(ResourceId r, Time t, F hear) const;
  // True if the policy was told of an outage that begins at t; none if the scenario does not list it.
  std::optional<bool> announced(ResourceId r, Time t, Reason why) const;
  // `joined`: the happening by which it joined, if any.
  void push_step(ResourceId r, Time t, const Happening* joined = nullptr);
  // Applies the speed, bandwidth and latency of a change or a join.
  void install(const Happening& happening, Step& step) const;
  // The entry, not yet used, that was to happen at t; null if there is none.
  const Happening* use(std::vector<Listed>& list, Time t) const;
  // An announced outage during a silent one is recorded too, even if both begin at the same time.
  bool tells_at_last(const Record& r, bool silent);
  void of_resource(const Record& r);
  void changed(const Record& r, bool applied);
  void turned(const Record& r, Presence& now, bool was, bool told_at_last);
  void outage(const Record& r, bool was_up, bool& silent);
  // The end of an outage of which nobody was told. Activities that stood still go on as the rule says.
  void recovery(const Record& r);
  bool up(ResourceId r) const;
  bool up(const Act& act) const;
  std::vector<std::size_t> acts_on(ResourceId r) const;
  OnFailure rule(const Act& act) const;
  // Checks that the trace has everything that the scenario says of the platform.
  void platform_events();
  void powered(const Record& r);  // power.cpp
  void power_at_the_end();
  void must_be_away(ResourceId on, Time at);
  // Checks that nothing brought the resource back before the outage was over, nor used a reserved one.
  void stays_away(const Happening& down, Time to);
  void keep_free(ResourceId on, Time from, Time to);
  // All activities that ever used the resource.
  const std::vector<std::size_t>& everything_on(ResourceId on);

  // ---- activities.cpp ----
  // The records of a change of one activity, one for each of its resources.
  struct Change {
    const Record& record;  // the first of them
    std::size_t act = 0;
    bool fresh = false;  // the first of its activity
    std::vector<ResourceId> on;
    std::vector<std::int32_t> cores;  // of each
  };
  void of_activity(std::size_t begin, std::size_t end);
  void of_posting(const Change& change);
  void of_withdrawal(const Change& change);
  void of_start(Change& change);
  void of_end(const Change& change);  // or a suspension, or the end of one
  void wrong(const Change& change, std::string_view what);
  std::size_t act_of(const Record& r);  // the activity of the record, a new one where it is the first
  void start(std::size_t a, const Record& r);
  bool uses_what_its_kind_does(const Act& act) const;
  void check_up(Act& act, const Record& r);
  void start_hold(const Act& act, std::size_t hosts, const Record& r);
  void stop(std::size_t a, const Record& r);
  void ended(std::size_t a);
  void covered(WorkId work, Time at);
  std::string names(const std::vector<ResourceId>& on) const;

  // ---- resources.cpp ----
  void take(std::size_t a);
  void take_host(std::size_t a, HostId id, std::int32_t cores);
  bool is_alone(const Act& act) const;  // whether its job shares its hosts with nobody
  void take_link(std::size_t a, LinkId id);
  WorkId reservation_of(const Act& act) const;  // inside of which its job runs; invalid: of none
  // Whether a hold of its reservation ends then.
  bool ends_with_reservation(const Act& act, Time at) const;
  bool reservation_link(const Act& act) const;
  const Demand* demand_of(const Act& act) const;
  void check_consumables(const Act& act);  // which has taken its hosts
  // True for runs of a sweep that are sent to a host, whatever the host does meanwhile.
  bool beside(const Act& act) const;
  // An activity that uses cores of the host; null if there is none.
  const Act* user_of(const HostNow& host) const;
  void give_back(std::size_t a);

  // ---- pieces.cpp ----
  void start_compute(std::size_t a, HostId host);
  void check_piece(const Act& act);
  static bool overlap(const Act& a, const Act& b);
  const Span* finished_piece(const Track& track, double first, double end) const;
  void check_shape(const Act& act);
  std::optional<std::size_t> place_of_size(const Act& act) const;
  // Checks that the data of a piece is sent before it is computed. Without bytes there is nothing to send.
  void check_chunks(const Act& act, HostId host);

  // ---- files.cpp ----
  void start_transfer(Act& act, HostId host);
  ClusterId source_of(const Act& act) const;
  // The files that it puts into a store when it ends well.
  std::span<const FileId> brings(const Act& act) const;
  void take_room(Act& act);  // in a store that has a size
  void give_room_back(Act& act);
  void discarded(const Record& r);

  // ---- queues.cpp: the queue of a job and its quality of service ----
  bool takes_turns(const Act& act) const;
  void check_turns(const Act& act);  // which has taken its hosts
  bool is_over_queue(WorkId work) const;
  void check_rejection(const Record& r);

  // ---- suspensions.cpp ----
  void suspend(std::size_t a, const Record& r);
  void resume(std::size_t a, const Record& r);

  // ---- durations.cpp ----
  // Steps of the timelines of an activity, walked side by side.
  struct Cursor {
    const Timeline* line;
    std::size_t i;
    LinkId link;      // valid: a rate of the transfer
    double pace = 1;  // of a job over several hosts: the longest of their times / that of this one
  };
  void durations();
  Seconds time_on(const Act& act, std::size_t place) const;  // of a job, on that host of `on`
  void check_inside(const Act& act);                         // its reservation lasted as long as it ran
  void check_limit(const Act& act);
  void hold_duration(const Act& act);
  // Dumps of jobs, by records and by the rates of their hosts.
  void saved(const Record& r);
  void check_dumps(const Act& act);
  void check_transfers(const Act& act);  // dumps and restarts over a link
  void check_asked(const Act& act);
  void asked_to_dump(const Record& r);
  void posts_dump(std::size_t a, const Record& r);  // over a link
  void start_dump(const Act& act);
  Seconds cost_of_dump(const Act& act, const Checkpoint& checkpoint) const;
  Seconds dump_interval(const Act& act) const;  // kNever = it writes none
  struct Sending {
    Time at = 0;
    bool reads = false;
  };
  std::vector<Sending> begun_;  // the same of transfers
  std::vector<Dump> dumps_;     // of the activity of the last end_with(), but those that hold nothing more
  // Counts, over time, the transfers that share each fair link in their moving phases.
  void count_sharers();
  std::optional<double> amount(const Act& act) const;
  bool moves_at_rate_of(const Act& act, const Cursor& c) const;
  // The transfers, 1 at least, that share the link at t, where a transfer alone has it; it lowers `until` to
  // when their number may change.
  int users(const Act& act, LinkId link, Time t, Time& until) const;
  // The speed of the moving phase at t; it is constant until `until`. NaN = not known.
  double rate(const Act& act, const std::vector<Cursor>& all, Time t, Time& until) const;
  // A loop of the profile by which alone the speed changes until `until`, if there are several; no length:
  // none.
  struct Period {
    Seconds length = 0;
    double amount = 0;  // done in each
    Time until = kNever;
    // Goes on from t by the whole periods until `until`, or until no more is left, all but the last one, in which
    // rounding counts. False when they never end.
    bool skip(Time& t, double& left) const;
  };
  Period period(const Act& act, const std::vector<Cursor>& all, Time t) const;
  Seconds fixed_phase(const Act& act, Time at) const;
  // The timelines of the activity's resources, each at the step in force at its start.
  std::vector<Cursor> cursors(const Act& act);
  static bool all_up(const std::vector<Cursor>& all);
  static Time next_step(const std::vector<Cursor>& all);
  // True if one of the resources was away in a step that is over, be it a step of no length.
  static bool advance(std::vector<Cursor>& all, Time to);

  // ---- ends.cpp ----
  class Walk;
  // The time when an activity with this amount would have ended; kNever = never, NaN = cannot be told.
  // `forgiving`: an end within the tolerance behind a step counts as in the step's instant, where ends come
  // first.
  Time end_with(const Act& act, double amount, bool forgiving = false);

  const Outcome& outcome_;
  const Scenario& scenario_;
  const Platform& platform_;
  const Workload& workload_;
  const Trace& trace_;
  std::vector<std::string> lines_;
  std::size_t more_ = 0;
  Time now_ = -kNever;

  std::vector<const Happening*> in_order_;
  std::vector<HostNow> hosts_;
  std::vector<LinkNow> links_;
  std::vector<Timeline> host_lines_, link_lines_;
  std::vector<std::vector<Listed>> host_changes_, link_changes_;
  std::vector<std::vector<Listed>> joins_, arrivals_;  // of hosts, of clusters
  std::vector<std::uint8_t> clusters_up_;
  ClusterId last_left_;                            // records of the works that this stranded follow at once
  std::vector<std::vector<std::uint8_t>> stored_;  // per cluster and file
  std::vector<std::vector<int>> coming_;           // per cluster and file; empty where no store has a size
  std::vector<std::uint8_t> home_;                 // per file
  std::vector<WorkId> makers_;                     // per file: the work whose output it is
  std::vector<Track> tracks_;
  std::vector<Act> acts_;  // in order of appearance
  std::unordered_map<std::uint32_t, std::size_t> by_serial_;
  std::size_t thinking_ = SIZE_MAX;
  std::vector<std::size_t> licensed_;                    // acts that have licences
  std::vector<std::size_t> in_turn_;                     // acts of which their queues bound how many run
  std::map<WorkId, std::vector<std::size_t>> holds_of_;  // acts that hold hosts for a reservation
  struct MustGo {
    std::size_t act;
    std::string why;
  };
  std::vector<MustGo> must_go_;  // they must end by the end of this instant
  struct ToFinish {
    WorkId work;
    Time at;
  };
  std::vector<ToFinish> to_finish_;
  std::vector<std::size_t> just_ended_;  // computations, at the time of the last one
  std::vector<std::vector<Count>> counts_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_resource_;
};

}  // namespace perigee::validation

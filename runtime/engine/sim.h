#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/engine/policy.h"
#include "runtime/engine/state/state.h"
#include "runtime/engine/trace.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/kernel/event_queue.h"
#include "runtime/kernel/random.h"
#include "runtime/model/scenario.h"

namespace perigee::engine {

// The facts of an activity that may be known: never its true amount or end.
struct ActivityView {
  ActivityId id;
  ActivityKind kind = ActivityKind::none;
  bool posted = false;
  bool copy = false;
  bool suspended = false;
  WorkId work;
  FileId file;
  Piece piece;
  HostId host;
  ClusterId cluster;
  ClusterId from;  // of a transfer to a cluster; none: home, or not chosen yet
  std::int32_t cores = 0;
  Time started = 0;  // later by as long as it was suspended
  LinkId link;       // of a dump
};

// An activity that starts by itself: see Sim::post.
struct Posting {
  ActivityKind kind = ActivityKind::compute;  // compute, transfer_in, transfer_out, chunk or hold
  Piece piece = {};                           // compute, chunk
  FileId file = {};                           // transfer_in, transfer_out
  std::vector<Share> shares = {};  // compute: of a job with a Shape, no host twice; `host` is the first
  HostId host = {};        // compute; chunk: the receiving node, held meanwhile by a load, not by a sweep
  ClusterId cluster = {};  // transfer_in, transfer_out
  ClusterId from =
      {};  // transfer_in: the store that it comes from; none: the one from which it would come first
  std::vector<HostId> hosts = {};  // hold
  bool with_link = false;          // hold: the gateway of the first host's cluster too, until io_until
  Time to = 0, io_until = 0;       // hold
  std::int32_t cores = 0;          // compute; 0 = what the work asks for
  ActivityId after = {};
  Time not_before = 0;
  double rank = 0;  // queues serve the lowest (rank, order of posting) first
};

class Recorder;  // runtime/engine/why.h

// The simulation as its policy sees and changes it. Each action is checked here, applies at once and shows in
// the view; an impossible one throws Error (code "bad_action") naming policy, time and decision, and ends the
// run.
class Sim {
 public:
  Time now() const { return state_.now; }
  const View& view() const { return state_; }
  const Scenario& scenario() const { return *state_.scenario; }
  Estimator& estimate() { return *estimator_; }
  Stream& stream(std::string_view name);  // the run's own, made at first use
  std::uint64_t seed() const { return seed_; }
  Recorder* recorder() const { return recorder_; }  // null: no decision is recorded

  // Starts now, or Error.
  ActivityId start(const Piece& piece, HostId host, std::int32_t cores = 0);
  ActivityId start(WorkId work, HostId host);  // the whole work
  // A job on the cores that are listed, no host twice: see Shape.
  ActivityId start(WorkId work, std::span<const Share> shares);
  ActivityId start_transfer(FileId file, ClusterId cluster, ActivityKind direction);

  // Posts an activity. It starts by itself once `after` has ended, `not_before` is reached, its inputs are in
  // the store and it is first in the queue of each of its resources. When `after` does not end well, the
  // activity is withdrawn and reported lost.
  ActivityId post(const Posting& posting);
  void withdraw(ActivityId posted);
  void cancel(ActivityId running);
  // A running job begins a dump now. With `requeue` it waits again, as by requeue(), when that is whole; a dump that is
  // lost with its link does not do so. Error, with the reason, where it cannot begin one.
  void checkpoint(ActivityId running, bool requeue = false);
  // A running job or task ends now and waits again, at its old place in line. It goes on from its last whole dump, or
  // begins anew.
  void requeue(ActivityId running);
  // A running job or task gives its cores back. It keeps memory, resources and licences, and nothing of it goes on until it
  // is resumed: then its own cores of its own hosts have to be idle.
  void suspend(ActivityId running);
  void resume(ActivityId suspended);
  // Says what stands in the way of resuming it now; empty: nothing does.
  std::string obstacle_of_resume(ActivityId suspended) const;
  bool is_suspended_on(HostId host) const;    // something is
  std::vector<ActivityId> suspended() const;  // in order of suspension
  // Starts the piece of a running computation again on another host. The first to end wins; the others are
  // superseded.
  ActivityId copy(ActivityId running, HostId host);
  void settle() { start_posted(); }
  // Removes a file from a store. Error while a computation there uses the file, and for an output that is not
  // at home. A posted activity that needs the file there waits until the file is sent again.
  void discard(FileId file, ClusterId cluster);

  void accept(WorkId work);
  void reject(WorkId work, Reason reason = Reason::policy);
  void expire(WorkId work, Reason reason = Reason::deadline);

  // Switch a host off or on that declares its power. A host that is up and idle, without a hold, shuts down and is off
  // then. A host that is off boots, and a host that shuts down boots when it is off.
  void power_off(HostId host);
  void power_on(HostId host);
  // Its state of speed from now on, a place in PowerModel::states; what runs there goes on.
  void set_state(HostId host, std::size_t state);
  // When it could be on at the earliest, if it were switched on now; now if it is.
  Time on_from(HostId host) const;
  // It boots, or will when it has been shut down.
  bool boots(HostId host) const {
    return state_.hosts[host].power == Power::booting || state_.hosts.transition(host).boots_next;
  }

  TimerId timer(Time at, TimerPhase phase = TimerPhase::due, Keeps keeps = Keeps::run);
  void cancel(TimerId timer);  // nothing happens when it is over
  // Spends scheduling time; a `thought` event ends it. Error while already thinking.
  ActivityId think(Seconds duration);
  void note(std::string_view name, std::span<const double> values);

  std::optional<ActivityView> activity(ActivityId id) const;  // none when the activity is over
  std::vector<Share> allocation(ActivityId id) const;  // of a computation, ascending; empty when it is over
  // Computations and chunks under way on the host, in order of start; with the hold before them, where there
  // is one; posted activities, in order of service.
  std::vector<ActivityId> running_on(HostId host) const;
  std::vector<ActivityId> under_way_on(HostId host) const;
  std::vector<ActivityId> queued_on(ResourceId resource) const;
  // Transfers under way between a cluster and home, in order of start.
  std::vector<ActivityId> transfers_of(ClusterId cluster) const;
  bool in_store(FileId file, ClusterId cluster) const {  // the cluster may be away
    return state_.stores.has(file, cluster);
  }
  bool in_transfer(FileId file, ClusterId cluster) const {  // under way or posted, inwards
    return state_.stores.is_moving(file, cluster, Direction::in);
  }
  bool in_transfer_home(FileId file, ClusterId cluster) const {
    return state_.stores.is_moving(file, cluster, Direction::out);
  }
  bool at_home(FileId file) const { return state_.stores.is_home(file); }
  // The output has to be sent home before its work is finished.
  bool comes_home(FileId file) const { return !state_.stores.stays(file); }
  // All works before it have been computed.
  bool is_ready(WorkId work) const { return state_.readiness.is_ready(work); }
  WorkId maker_of(FileId file) const { return state_.stores.maker(file); }  // none: it is an input from home
  bool is_output(FileId file) const { return state_.stores.maker(file).valid(); }
  // Whether `start` would accept some piece of the work on the host now, if its data were in place.
  bool fits(WorkId work, HostId host) const {
    const Work& declared = (*state_.workload)[work];
    const bool simple = is_plain(declared) && !state_.stores.any_limit();
    return simple && state_.hosts[host].idle >= declared.cores ? is_ready(work) : fits_otherwise(work, host);
  }
  bool fits(WorkId work, std::span<const Share> shares) const;
  // Why the work could never have these cores, ascending by host, whatever runs; empty: it could.
  std::string misfit_of(WorkId work, std::span<const Share> shares) const;
  // Total size of the undealt parts of a sweep or load.
  double undealt(WorkId work) const { return state_.works.undealt(work); }
  // The work has arrived, and a part of it is undealt.
  bool waits(WorkId work) const { return state_.works.waits(work); }
  // The first undealt piece of at most `size` that begins at `from` or later; size 0 when nothing is left.
  Piece next_piece(WorkId work, double size, double from = 0) const {
    return state_.works.next_piece(work, size, from);
  }

  // Outages of which policies know, those that are over too, in the order in which they became known; and whether there
  // are others that will, or hosts that are held.
  std::span<const Window> windows() const { return std::span(state_.windows).first(state_.windows_known); }
  // Whether it has not left, or is known to be back by then.
  bool is_there(HostId host, Time at) const {
    return state_.hosts.presence(host).is_present() || is_back_by(host, at);
  }
  bool is_back_by(HostId host, Time at) const;
  // Whether it says when a host leaves, which is back since, or of which it has become known when it will be.
  bool is_superseded(const Window& window) const;
  bool has_windows() const { return !state_.windows.empty() || state_.activities.any_hold_yet(); }
  // Calls f(hold, under_way) for each hold that is posted or under way, in no order in time.
  template <class F>
  void each_hold(F f) const {
    for (std::uint32_t slot = 0; state_.activities.any_hold_yet() && slot < state_.activities.slots(); ++slot)
      if (const Activity& activity = state_.activities[slot]; activity.serial != 0 && activity.hold != kNone)
        f(state_.activities.hold_of(activity), activity.stage != Stage::posted);
  }
  // The hold of that reservation, which is under way; null if it is not.
  const Hold* hold_under_way(WorkId reservation) const;
  // Idle cores of the host for works inside of the reservation.
  std::int32_t idle_inside(WorkId reservation, HostId host) const;
  bool is_held(HostId host) const { return state_.hosts.hold_on(host) != kNone; }

  std::string_view mark_name(const Event& mark) const;

  // For "who waits for what".
  std::string obstacle_of(ActivityId posted) const;
  std::vector<ActivityId> stuck() const;  // under way with no end in sight, in order of start
  std::string_view obstacle_of_stuck(ActivityId running) const;
  std::string why_unstartable(WorkId work) const;  // "; every host is down", or ""
  // B that are free in the store of the cluster, with room kept for what is on its way there or will be made there by what
  // is under way; +inf: the store has no size.
  double room_in(ClusterId cluster) const { return state_.stores.room(cluster); }
  // Why the outputs of the work have no room now in the store of the host's cluster: "its outputs need 300 B, and 100 B of
  // the 1 kB of the store of cluster 'a' are free"; empty: they have.
  std::string shortage_of_room(WorkId work, HostId host) const;
  // See model::why_never.
  std::string why_never(WorkId work) const;
  // The sizes of a moldable job that it could ever have; empty for all other works.
  std::span<const std::int32_t> possible_sizes(WorkId work) const {
    return model::possible_sizes(*state_.workload, *state_.platform, work);
  }
  // As many jobs run as its queue or quality of service allows: it cannot start in any size, and is to be passed over.
  bool is_held_back(WorkId work) const {
    const Shape* shape = state_.workload->shape_of(work);
    return shape != nullptr && shape->takes_turns && !why_held_back(work).empty();
  }
  // "queue 'short' runs 4 jobs, as many as it may"; empty: nothing of that kind.
  std::string why_held_back(WorkId work) const;
  // The sizes in which the work is not held back, from these ascending ones.
  std::span<const std::int32_t> not_held_back(WorkId work, std::span<const std::int32_t> sizes) const;

  // The truth, for the perfect estimator and the validator's twin only.
  Time true_end(const Piece& piece, HostId host, Time start) const;
  // The duration of a start now. To the last bit the declared one if the host's rate does not change
  // meanwhile.
  Seconds true_duration(const Piece& piece, HostId host) const;
  // Mean of |estimate at the start - true duration| / true duration over computations and transfers that
  // ended well. NaN with perfect information, and when none has ended.
  double estimate_error() const {
    return error_count_ > 0 ? error_sum_ / static_cast<double>(error_count_)
                            : std::numeric_limits<double>::quiet_NaN();
  }
  Time true_end(WorkId work, std::span<const Share> shares, Time start) const;
  Time true_end(const Piece& whole, std::span<const Share> shares,
                Time start) const;  // in the size that it says
  Time true_end(FileId file, ClusterId cluster, Time start) const;
  Time true_end(ActivityId running) const;
  // The truth for an amount: `amount` seconds of a dedicated host of nominal speed, without its set-up, or
  // `bytes`, without the latency.
  Time computed_by(Seconds amount, HostId host, Time from) const;
  Seconds duration_of(Seconds amount, HostId host) const;  // with the set-up
  // The same for a job of which `done` seconds are done, from the amount for each of its hosts.
  Time computed_by(std::span<const Seconds> amounts, std::span<const Share> shares, WorkId work, Time from,
                   Seconds done = 0) const;
  // The dumps that a job on these hosts writes: `next` s of computing until the next one; the share that is done.
  struct DumpsView {
    Seconds interval = kNever, next = kNever, cost = 0;
    double begun_with = 0;
    LinkId link = {};  // valid: each is `bytes` on that link, and `cost` what that would take now
    double bytes = 0;
  };
  DumpsView dumps_of(ActivityId running) const;
  DumpsView dumps_of(WorkId work, std::span<const Share> shares) const;
  // The same with dumps, from `since` on.
  Time end_with_dumps(std::span<const Seconds> amounts, std::span<const Share> shares, WorkId work,
                      Time since, double done, const DumpsView& dumps) const;
  Seconds setup_of(std::span<const Share> shares) const;  // the longest
  // The time until the last dump is read that begins then, on a link as if it were idle from now on.
  Seconds restart_time(const Checkpoint& declared, Time at) const;
  // The requested time of a job that ends it; +inf = none does.
  Seconds limit_of(WorkId work) const {
    return state_.scenario->at_limit == AtLimit::keep ? kNever : state_.workload->limit_of(work);
  }
  // The share of the job's time that its last whole dump holds; on these hosts, where it can go on from there.
  double saved(WorkId work) const;
  double saved(WorkId work, std::span<const Share> shares) const;
  // The number of the route that a transfer of the file to the cluster, or home from it, would take if it began now.
  // Where nobody has made the file yet, that from home. kNone = there is none.
  std::uint32_t route_of(FileId file, ClusterId cluster) const;
  std::uint32_t route_of(ActivityId transfer) const { return state_.activities[transfer.slot].route; }
  const Links& links() const { return state_.links; }  // for questions about routes
  Time sent_by(double bytes, std::uint32_t route, Time from) const;
  // The links over which data goes to the cluster and back; empty = the cluster cannot be reached.
  std::span<const LinkId> route_to(ClusterId cluster) const {
    return state_.links.route(state_.links.route_to(cluster));
  }
  // Transfers under way that have a part of the link's bandwidth each.
  std::int32_t sharing(LinkId link) const { return state_.links.sharing(link); }
  // The progress of a running computation or transfer: dedicated seconds or bytes so far, as far as can be
  // measured from outside, and the end of its latency or set-up.
  struct Progress {
    double done = 0;  // s or B
    Time since = 0;
  };
  Progress progress_of(ActivityId running) const;
  // Whether the host's rate changes only by events.
  bool is_steady(HostId host) const { return state_.hosts.rate(host).profile.is_constant(); }
  bool is_steady(ClusterId cluster) const { return state_.links.is_steady(state_.links.route_to(cluster)); }

  // The rates in force now; that of a host is relative to its nominal speed.
  const Rate& availability_of(HostId host) const { return state_.hosts.rate(host); }
  // Another number after each change of a host, announced or not: see Hosts::changes.
  std::uint64_t host_changes() const { return state_.hosts.changes(); }
  const Rate& bandwidth_of(LinkId link) const { return state_.links.bandwidth(link); }
  const Rate& latency_of(LinkId link) const { return state_.links.latency(link); }

 protected:  // Loop derives from this, and calls its functions in the order of time
  // The meaning of an entry of the event queue, in the top bits of its tag; the slot is in the other bits.
  enum class Due : std::uint32_t {
    end,
    phase,
    wake,
    timer,
    happening,
    process,
    failure,
    step,
    policy,
    limit,
    window,
    dump,
    power
  };
  static constexpr std::uint32_t kSlotBits = Activities::kSlotBits;
  // The serial of a happening, and of the event of a mark. It tells whether its slot is a place among
  // injected happenings or in the scenario's list.
  static constexpr std::uint32_t kInjected = 0, kListed = 1;

  // A kind of activity: the resources that it has while it is under way, and what is done in its life. A null
  // function does nothing. The rows stand in sim/kinds.cpp.
  struct Kind {
    ActivityKind kind;
    std::string_view name;
    bool on_host = false;   // its host, with some or none of the cores
    bool on_route = false;  // the links of the route to its cluster
    OnFailure Scenario::*rule = &Scenario::transfer_rule;
    // While it is posted. `check` is an Error where that is impossible, and returns the cores of a host that
    // it takes. Without a `check` it cannot be posted. `obstacle` returns null when it can start now.
    std::int32_t (Sim::*check)(const Posting&) const = nullptr;
    void (Sim::*fill_in)(Activity&, const Posting&) = nullptr;
    void (Sim::*withdrawn)(const Activity&) = nullptr;
    const char* (Sim::*obstacle)(const Activity&) const = nullptr;
    void (Sim::*begin)(std::uint32_t slot) = nullptr;
    // At its end. `ended` frees its resources, and returns whether its work is finished with it. They are
    // free already when it is `lost`.
    bool (Sim::*ended)(std::uint32_t slot) = nullptr;
    void (Sim::*lost)(const Activity&) = nullptr;
  };
  static const std::array<Kind, 8> kKinds;  // by ActivityKind
  static const Kind& row_of(ActivityKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
  friend std::string_view name_of(ActivityKind kind);

  Sim(std::shared_ptr<const Scenario> scenario, std::uint64_t seed, Trace trace);
  Sim(const Sim&) = default;
  Sim& operator=(const Sim&) = default;
  ~Sim() = default;

  [[noreturn]] void bad(std::string_view decision, std::string_view problem) const;
  std::string text_of(const Piece& piece) const;
  [[noreturn]] void bad_work(WorkId work, std::string_view action) const;
  [[noreturn]] void bad_host(HostId host, std::string_view action) const;
  [[noreturn]] void bad_piece(const Piece& piece, std::string_view action, std::string_view problem) const;
  [[gnu::always_inline]] inline void check_open(WorkId work, std::string_view action) const;
  [[gnu::always_inline]] inline void check_host(HostId host, std::string_view action) const;
  [[gnu::always_inline]] inline void check_piece(const Piece& piece, std::string_view action) const;
  Activity& live(ActivityId id, std::string_view action);

  // A task or job without files that takes as long on each host of a speed.
  static bool is_plain(const Work& declared) {
    return declared.extra == kNone && declared.input_count == 0 && declared.form != TimeForm::by_host &&
           declared.form != TimeForm::by_architecture;
  }
  bool fits_otherwise(WorkId work, HostId host) const;
  std::string name_of_start(const Piece& piece, HostId host) const;
  std::string name_of_start(WorkId work, std::span<const Share> shares) const;
  std::int32_t check_start(const Piece& piece, HostId host, std::int32_t cores) const;
  // Jobs over several hosts: sim/allocations.cpp.
  std::int32_t cores_taken(const Shape& shape, const Share& share) const;
  static WorkId holder_of(const Shape& shape, WorkId work) {
    return shape.reservation.valid() ? shape.reservation : work;
  }
  void end_jobs_inside(const Activity& hold);
  bool is_out_of_time(WorkId work) const;  // its reservation holds nothing any more
  static std::string misfit_of_size(const Shape& shape, std::int64_t size);
  bool is_apart(Together same, HostId a, HostId b) const;
  std::string obstacle_of_start(WorkId work, std::span<const Share> shares) const;
  std::string shortage_of(const Demand& demand, std::span<const Share> shares) const;
  void take_turn(const Activity& job, int more);  // it begins, or is over
  std::vector<Share> in_order(std::span<const Share> shares) const;
  void check_shares(WorkId work, std::span<const Share> shares, std::string_view action) const;
  Allocation make_allocation(std::span<const Share> sorted) const;
  Piece piece_on(WorkId work, const Allocation& allocation) const;  // see Workload::piece_on
  std::vector<Share> shares_of(const Posting& posting) const;
  std::int32_t check_allocated(const Posting& posting) const;
  const char* obstacle_of_allocated(const Activity& activity) const;
  void begin_allocated(std::uint32_t slot);
  Seconds fill_in_paces(const Piece& whole, Allocation& allocation) const;
  std::pair<const Rate*, double> slowest_of(const Allocation& allocation) const;
  LeastRate rate_of(const Allocation& allocation, Time now) const;
  Time computed_by(Seconds amount, const Allocation& allocation, WorkId work, Time from) const;
  Time computed_by(const Activity& job, Time from) const;
  Seconds computed(const Activity& job, Time from, Time to) const;
  Seconds computed(const Allocation& allocation, Seconds left, Time from, Time to) const;
  std::pair<Allocation, Seconds> allocation_by(std::span<const Seconds> amounts,
                                               std::span<const Share> shares) const;
  void leave_hosts(std::uint32_t slot);

  // A computation that has its slot and its amount, but no cores yet. kNone if the host cannot run the piece.
  [[gnu::always_inline]] inline std::uint32_t allocate_compute(const Piece& piece, HostId host,
                                                               std::int32_t cores, bool plain);
  void push(Due due, Time at, std::uint32_t serial, std::uint32_t slot) {
    queue_.push({at, serial, static_cast<std::uint32_t>(due) << kSlotBits | slot});
  }
  static Direction direction_of(ActivityKind transfer) {
    return transfer == ActivityKind::transfer_in ? Direction::in : Direction::out;
  }
  static Due due_of(const Pending& pending) { return static_cast<Due>(pending.tag >> kSlotBits); }
  static std::uint32_t slot_of(const Pending& pending) { return pending.tag & ((1U << kSlotBits) - 1); }
  // Whether the activity or timer is over, or ends at another time. Never of entries that only the loop
  // pushes.
  [[gnu::always_inline]] inline bool stale(const Pending& pending) const;
  [[gnu::always_inline]] inline bool ends(
      const Pending& pending) const;  // an entry of an end that is not stale
  [[gnu::always_inline]] inline void push_end(std::uint32_t slot);
  void prune_queue();
  [[gnu::always_inline]] inline void record(RecordKind kind, const Activity& activity,
                                            Reason why = Reason::none);
  void record_on_each(RecordKind kind, const Activity& activity, Reason why);
  [[gnu::always_inline]] inline void record_on(RecordKind kind, const Activity& activity, ResourceId on,
                                               Reason why);
  [[gnu::always_inline]] inline void record_work(RecordKind kind, WorkId work, Reason why = Reason::none);
  void record_resource(RecordKind kind, ResourceId on, Reason why);
  [[gnu::always_inline]] inline void tell(EventKind kind, const Activity& activity, std::uint32_t slot,
                                          Reason why, bool finishes = false);
  void tell(EventKind kind, ResourceId on, Reason why, bool announced);
  void tell(EventKind kind, WorkId work, ResourceId on, Reason why);

  // The data of a part of a load or sweep is on the host, or comes with the chunk that the part is posted
  // after.
  bool has_data(const Piece& piece, HostId host, ActivityId after) const;

  [[gnu::always_inline]] inline std::int32_t cores_for(WorkId work, HostId host, std::int32_t cores) const;
  const char* obstacle(const Activity& activity) const;  // null when it can start now
  const char* obstacle_of_compute(const Activity& activity) const;
  const char* obstacle_of_chunk(const Activity& activity) const;
  const char* obstacle_of_transfer(const Activity& activity) const;
  const char* obstacle_of_hold(const Activity& activity) const;
  const char* obstacle_of_dump(const Activity& activity) const;
  // Room in stores that have a size.
  static constexpr const char* kNoRoom = "room in the store of its cluster";
  bool has_room_for_outputs(WorkId work, HostId host) const {
    return !state_.stores.any_limit() ||
           state_.stores.has_room(state_.workload->outputs(work), state_.hosts[host].cluster);
  }
  std::string shortage_text(std::string_view what, double bytes, ClusterId cluster) const;
  void reserve_room(const Activity& compute);  // for its outputs
  void release_room(const Activity& compute);
  void release_room(std::span<const FileId> files, ClusterId cluster);
  void touch_store(ClusterId cluster);  // there is more room than before
  bool first_in_queues(const Activity& activity, std::uint32_t slot) const;
  bool waits_for_room(const Post& post) const;  // a transfer, and for nothing else
  bool passes(const Activity& activity, std::uint32_t slot, const PostQueue& queue) const;
  void begin(std::uint32_t slot);  // takes the resources, computes the end
  void begin_posted_compute(std::uint32_t slot);
  void begin_chunk(std::uint32_t slot);
  void begin_hold(std::uint32_t slot);
  [[gnu::always_inline]] inline void begin_compute(std::uint32_t slot);
  [[gnu::always_inline]] inline void leave_host(std::uint32_t slot);
  void free_resources(std::uint32_t slot);
  void free_hold(Hold& hold);
  void free_link(Hold& hold);
  bool resources_up(const Activity& activity) const;
  [[gnu::always_inline]] inline Seconds compute_amount(const Activity& activity) const;
  Seconds true_amount(const Piece& piece, HostId host) const;
  Time moved_by(const Activity& transfer, Time from) const;  // end of the data phase
  double moved(const Activity& transfer, Time from, Time to) const;
  Time end_of_compute(const Activity& activity) const {
    if (activity.since == kNever) return kNever;  // a dump is on its way
    return activity.allocation == kNone
               ? state_.hosts.rate(activity.host).end_of(activity.since, activity.left)
               : computed_by(activity, activity.since);
  }
  Seconds computed_since(const Activity& activity) const {
    return activity.allocation == kNone
               ? state_.hosts.rate(activity.host).integral(activity.since, state_.now)
               : computed(activity, activity.since, state_.now);
  }
  void bring_up_to_date(std::uint32_t slot);
  // An activity under way stands still, and a computation that stood still goes on: sim/suspensions.cpp.
  void stand_still(std::uint32_t slot, Reason why);
  void compute_on(std::uint32_t slot);
  void reschedule(std::uint32_t slot);
  // Where a file comes from, and over which route; kNone = there is no way now.
  struct Source {
    ClusterId from = {};  // none: home
    std::uint32_t route = kNone;
  };
  Source source_of(const Activity& transfer) const;
  Source best_source(FileId file, ClusterId cluster) const;
  void share(std::uint32_t slot, bool begins);
  void go_on(std::uint32_t slot);
  void enter_link(std::uint32_t slot);
  void enter_route(std::uint32_t slot);
  void leave_link(std::uint32_t slot);

  // The policy has cancelled, withdrawn or discarded something. Counts once an instant, while nothing goes
  // on.
  void note_undone() {
    if (progressing_ == 0 && std::exchange(undone_at_, state_.now) < state_.now) ++idle_ends_;
  }
  void finish_activity(std::uint32_t slot);  // the activity ended well
  // Works that waited for others: sim/precedence.cpp.
  void make_outputs(WorkId work, ClusterId cluster);
  void join_queues(FileId file, ClusterId at);  // transfers that awaited the file, which is in that store now
  void await_files();                           // transfers in queues whose files have gone leave these
  void release_successors(WorkId work);         // its computation has ended
  void reject_successors(WorkId work);          // it will never be computed
  bool has_lost_predecessor(WorkId work) const;
  bool is_there(FileId file) const;   // in the store of a cluster that has not left, or at home
  bool is_needed(FileId file) const;  // by somebody who is not computed, or at home
  WorkId reader_to_come(
      FileId file) const;  // the first that is not computed; none: nobody, or nobody makes the file
  bool has_lost_output(WorkId work) const;  // one that is needed and not there
  void strand(ClusterId cluster);           // its store is out of reach
  void come_back(ClusterId cluster);        // its store is within reach
  void recover(ClusterId cluster);
  void give_back(WorkId work, ClusterId cluster);
  void unready(WorkId work);
  std::uint32_t posted_compute(WorkId work) const;  // its slot; kNone: nothing is posted
  HostId take_back(WorkId work, Reason why);
  [[gnu::always_inline]] inline bool compute_ended(std::uint32_t slot);
  bool chunk_ended(std::uint32_t slot);
  bool file_arrived(std::uint32_t slot);
  bool file_came_home(std::uint32_t slot);
  bool hold_ended(std::uint32_t slot);
  bool thinking_ended(std::uint32_t slot);
  bool dump_sent(std::uint32_t slot);
  bool holds_reservation(const Activity& activity) const {
    return activity.kind == ActivityKind::hold && activity.work.valid() &&
           (*state_.workload)[activity.work].kind == WorkKind::reservation;
  }
  void lose(std::uint32_t slot, Reason why, bool tell_policy, RecordKind kind = RecordKind::lost);
  void supersede_twins(std::uint32_t slot);
  // Power of hosts: sim/power.cpp.
  const PowerModel& power_model(HostId host, std::string_view action) const;
  void record_power(HostId host);
  void begin_transition(HostId host, Power power);
  void end_transition(HostId host);
  void cut_transition(HostId host);  // an outage begins, or it leaves
  void show_outage(HostId host);     // if it has one, of which nobody need have been told
  // It boots, at once or when it has been shut down; not while it is down.
  void keep_on(HostId host);
  // Brings what runs on the host up to date, calls set(), and computes new ends.
  template <class F>
  void change_rate(HostId host, F set);
  // Limits of jobs. Their clocks stand while an outage that was announced keeps the job from going on.
  void set_limit(std::uint32_t slot);
  void stop_limit(std::uint32_t slot);
  void go_on_to_limit(std::uint32_t slot);
  void reach_limit(std::uint32_t slot);
  void requeue(std::uint32_t slot, Reason why);
  bool write_last_dump(std::uint32_t slot);
  // Dumps of jobs: sim/checkpoints.cpp.
  Seconds dump_interval(const Checkpoint& declared, std::span<const Share> shares) const;
  Seconds go_on_from_dump(std::uint32_t slot);
  Time end_with_dumps(const Allocation& allocation, WorkId work, Time since, double left,
                      DumpsView dumps) const;
  void expect_dump(std::uint32_t slot);  // to be called when the job's end or stage has changed
  void reach_dump(std::uint32_t slot);
  void begin_dump(std::uint32_t slot, Reason why);
  void send_dump(std::uint32_t slot, Reason why);     // or reads it
  void give_up_dump(std::uint32_t slot, Reason why);  // of the job, if one is on its way
  void lose_dump(std::uint32_t slot, Reason why);     // that is on its way in this slot
  Seconds cost_of_dump(const Checkpoint& declared) const;
  Seconds time_over(LinkId link, double bytes, Time at) const;
  DumpsView dumps_of(const Activity& job) const;
  Time true_end_of_suspended(const Activity& activity) const;
  Time goes_on_at(const Activity& job) const;  // at the earliest: now, or after what it stands still for
  void end_dump(std::uint32_t slot);
  void forget_dumps_on(HostId host);
  void record_saved(WorkId work, std::uint32_t activity, HostId host, double share);
  void forget_dumps_of(WorkId work) {  // which is settled
    if (!state_.saved.empty()) state_.saved.erase(work);
    if (!state_.requeued.empty()) state_.requeued.erase(work);
  }
  void drop_dependents(std::uint32_t slot, bool tell_policy);
  void piece_lost(const Activity& activity);
  void hold_lost(const Activity& activity);
  void transfer_given_up(const Activity& transfer) {
    state_.stores.give_up(transfer.file, transfer.cluster, direction_of(transfer.kind));
    if (transfer.kind == ActivityKind::transfer_in && transfer.stage != Stage::posted)
      release_room({&transfer.file, 1}, transfer.cluster);
  }
  void wake_dependents(std::uint32_t slot);
  void withdraw_slot(std::uint32_t slot, Reason why);
  void piece_withdrawn(const Activity& activity);
  [[gnu::always_inline]] inline bool piece_ended(const Activity& activity);  // true: its work is finished
  // `ending`: how many activities besides computations are tied to it and end now.
  [[gnu::always_inline]] inline void finish_work(WorkId work, std::uint32_t ending = 0);
  void withdraw_posts_of(WorkId work, FileId file = {});  // those of the file only, if there is one
  void settle_work(WorkId work, WorkState state, RecordKind kind, Reason why);
  void expect_end(std::uint32_t slot);
  void compare_end(std::uint32_t slot);

  [[noreturn]] void bad_posting(const Posting& posting, std::string_view problem) const;
  std::int32_t check_posting(const Posting& posting) const;
  std::int32_t check_compute(const Posting& posting) const;
  std::int32_t check_chunk(const Posting& posting) const;
  std::int32_t check_transfer(const Posting& posting) const;
  void check_source(const Posting& posting) const;
  std::int32_t check_hold(const Posting& posting) const;
  Hold make_hold(const Posting& posting) const;
  void fill_in_compute(Activity& activity, const Posting& posting);
  void fill_in_chunk(Activity& activity, const Posting& posting);
  void fill_in_transfer(Activity& activity, const Posting& posting);
  void enqueue(std::uint32_t slot);
  void dequeue(std::uint32_t slot);
  template <class F>
  void for_each_queue_of(const Activity& activity, F f) const;
  void touch_users(LinkId link);
  void touch_all(std::uint32_t slot);
  bool begins(const Post& post);
  void serve(const PostQueue& queue, std::span<const Post> some);
  void start_posted() {
    if (state_.posts.any_touched()) serve_touched();
  }
  void serve_touched();
  void serve_in_order(std::span<const LinkId> links);

  State state_;
  ClonePtr<Estimator> estimator_;
  std::string policy_name_;
  Trace trace_;
  EventQueue queue_;
  std::size_t prune_above_ = 64;  // entries of queue_ at which stale ones are removed
  std::map<std::string, Stream, std::less<>> streams_;
  std::uint64_t seed_ = 1;
  bool tells_pending_ = false;     // the policy is told of works that are not ready, and when they are
  bool tells_saved_ = false;       // the policy has asked to be told of whole dumps
  bool learning_ = false;          // the estimator learns from ended activities
  bool comparing_ = false;         // estimates are compared with durations:
  std::vector<Seconds> expected_;  // per slot, by the estimate when it began
  double error_sum_ = 0;           // relative
  std::uint64_t error_count_ = 0;
  std::vector<Event> events_;     // to be delivered at the next ask
  std::int64_t progressing_ = 0;  // activities under way with an end in sight
  std::uint64_t ended_ = 0;       // activities that ended well, no thinking
  std::uint64_t in_vain_ = 0;     // computations that were lost or begun anew since one ended well
  WorkId last_in_vain_;
  // Ends of holds and of scheduling time, and instants in which the policy undid something (see
  // note_undone()), since a computation ended or anything happened to a work.
  std::uint64_t idle_ends_ = 0;
  Time undone_at_ = -1;           // the last of these instants
  Recorder* recorder_ = nullptr;  // belongs to the replay; a fork has none
};

template <class F>
void Sim::change_rate(HostId host, F set) {
  for (std::uint32_t slot = state_.hosts.first_on(host); slot != kNone; slot = state_.activities[slot].next)
    bring_up_to_date(state_.activities.leader_of(slot));
  set();
  for (std::uint32_t slot = state_.hosts.first_on(host); slot != kNone; slot = state_.activities[slot].next)
    if (state_.activities[slot].kind == ActivityKind::compute) reschedule(state_.activities.leader_of(slot));
}

// ---- functions that every event passes through ----

inline bool Sim::ends(const Pending& pending) const {
  const Activity& activity = state_.activities[slot_of(pending)];
  return activity.serial == pending.serial && activity.end == pending.at && activity.stage == Stage::moving;
}

inline bool Sim::stale(const Pending& pending) const {
  const std::uint32_t slot = slot_of(pending);
  switch (due_of(pending)) {
    case Due::end:
      return !ends(pending);
    case Due::phase:
      return state_.activities[slot].serial != pending.serial || state_.activities[slot].end != pending.at ||
             state_.activities[slot].stage != Stage::fixed;
    case Due::wake:
      return state_.activities[slot].serial != pending.serial ||
             state_.activities[slot].stage != Stage::posted;
    case Due::timer:
      return state_.timers[slot].serial != pending.serial;
    case Due::dump:
      return state_.activities[slot].serial != pending.serial ||
             state_.activities.allocation_of(state_.activities[slot]).dumps.due != pending.at;
    case Due::power:
      return state_.hosts.transition(HostId(slot)).serial != pending.serial;
    case Due::limit:
      return state_.activities[slot].serial != pending.serial ||
             state_.activities[slot].limit_at != pending.at;
    default:  // known to the loop
      return false;
  }
}

inline void Sim::push_end(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  if (activity.end == kNever) return;
  if (queue_.size() > prune_above_) prune_queue();
  push(activity.stage == Stage::fixed ? Due::phase : Due::end, activity.end, activity.serial, slot);
}

inline void Sim::record_on(RecordKind kind, const Activity& activity, ResourceId on, Reason why) {
  Record record;
  record.time = state_.now;
  record.first = activity.first;
  record.size = activity.size;
  record.work = activity.work;
  record.activity = activity.serial;
  record.on = on;
  record.file = activity.file;
  record.kind = kind;
  record.what = activity.kind;
  record.why = why;
  record.copy = activity.is_copy ? 1 : 0;
  record.cores = activity.cores;
  trace_.add(record);
}

inline void Sim::record(RecordKind kind, const Activity& activity, Reason why) {
  if (activity.kind == ActivityKind::compute && activity.allocation == kNone)
    record_on(kind, activity, ResourceId::of(activity.host), why);
  else
    record_on_each(kind, activity, why);
}

inline void Sim::record_work(RecordKind kind, WorkId work, Reason why) {
  idle_ends_ = 0;
  Record record;
  record.time = state_.now;
  record.work = work;
  record.kind = kind;
  record.why = why;
  trace_.add(record);
}

inline void Sim::tell(EventKind kind, const Activity& activity, std::uint32_t slot, Reason why,
                      bool finishes) {
  Event event;
  event.at = state_.now;
  event.work = activity.work;
  const bool moves = activity.moves_data();
  event.on = activity.host.valid() ? ResourceId::of(activity.host)
             : moves               ? ResourceId::of((*state_.platform)[activity.cluster].link)
                                   : ResourceId::scheduler();
  event.serial = activity.serial;
  event.slot = slot;
  event.kind = kind;
  event.why = why;
  event.finishes = finishes;
  event.transfer = moves;
  events_.push_back(event);
}

}  // namespace perigee::engine

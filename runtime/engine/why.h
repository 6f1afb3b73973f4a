// Why a work is where it is: the candidates of the decision, their scores, and the rule or constraint that
// decided. Runs record nothing for this. The question is answered by a replay that makes the decision again.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/kernel/comparison.h"

namespace perigee::engine {

class Simulation;

// The last decision about a work, as far as its policy had a say in it.
struct Decision {
  enum class Kind : std::uint8_t { none, waits, planned, posted, started, rejected, expired };
  Kind kind = Kind::none;  // none: it has not arrived
  WorkId work;
  HostId host;                       // its host, or its lowest; none while it waits and when it was refused
  std::vector<HostId> also_on = {};  // the others of a job over several hosts, ascending
  Time time = 0;                     // of the decision, or of the question when it waits
  Time started = kNever;             // start on the host; later than `time` when it was planned or posted
  Reason reason = Reason::none;      // of a refusal
  std::string policy;
  std::string rule = {};                // the rule that decided, in the policy's words
  Comparison works = {};                // the works compared, by index; empty: the policy does not say
  Comparison hosts = {};                // the hosts compared; all of them are listed
  std::vector<std::string> notes = {};  // further remarks, a line each

  bool is_on(HostId each) const;  // it is one of its hosts
};
std::string_view name_of(Decision::Kind kind);

// Why the work cannot start on the host now, whatever its policy thinks: "down", "boots until t = 60 s", "1 of 4
// cores idle, 2 are needed". Empty if it can.
std::string obstacle(Sim& sim, WorkId work, HostId host);

// Attached to a simulation, keeps what the policy says of its decisions about one work, just before they take
// effect.
class Recorder {
 public:
  // Starts before `from` are passed over. So are starts and posts of pieces that do not begin at `first`;
  // NaN: all pieces count.
  explicit Recorder(WorkId work, Time from = 0, double first = std::numeric_limits<double>::quiet_NaN())
      : work_(work), from_(from), first_(first) {}

  WorkId work() const { return work_; }
  bool asks_of(const Piece& piece) const {
    return piece.work == work_ && (std::isnan(first_) || piece.first == first_);
  }
  // The work is about to be started, posted, ...; `planned`: its policy will start it later.
  void decides(Sim& sim, Decision::Kind kind, HostId host = {}, Reason reason = Reason::none);
  void decides(Sim& sim, Decision::Kind kind, std::span<const Share> shares);  // ascending by host
  // It is still there and waits.
  void waits();
  // Brings what keeps a waiting work from the hosts up to date, by a recorder of the same simulation with
  // changes of which its policy has not been told.
  void take_changes(const Recorder& changed);
  // The engine refused it when it arrived: no host could ever run it. Its policy was never told.
  void refused_at_arrival(Time at);

  const Decision& last() const { return last_; }

 private:
  void decides(Sim& sim, Decision decision);
  void ask(Sim& sim, Decision& decision);
  void list_hosts(Sim& sim, Decision& decision) const;

  friend class Simulation;
  Simulation* simulation_ = nullptr;  // to which it is attached
  Sim* sim_ = nullptr;
  WorkId work_;
  Time from_;
  double first_;
  Decision last_;
};

// The last decision about the work in the simulation `now`. `again` is the same simulation as it was before
// the work arrived, and step(again) does its next instant (see History::step_from).
Decision why(const Simulation& now, WorkId work, Simulation again,
             const std::function<void(Simulation&)>& step);
// The same for a simulation with changes of which its policy has not been told (Simulation::with_changes).
Decision why_changed(Simulation changed, WorkId work);
// The time when the work arrived, by the trace; 0 if the trace does not tell.
Time arrival_of(const Trace& trace, WorkId work);

}  // namespace perigee::engine

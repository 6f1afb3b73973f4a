#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/event.h"
#include "runtime/model/workload.h"

namespace perigee::model {
class Platform;
struct Scenario;
}  // namespace perigee::model

namespace perigee::engine {

class Sim;
class View;
struct ActivityView;
struct Decision;  // runtime/engine/why.h

// When a policy is asked during an instant.
enum class Ask : std::uint8_t {
  once,    // the whole instant, then one call
  phases,  // after each phase that had events
  each,    // after every single event, those born meanwhile included
};
std::string_view name_of(Ask ask);

// How simultaneous events are gathered and delivered for a policy.
struct Instants {
  double tolerance = 0;  // events within tolerance * max(1, t) of the earliest are one instant
  Ask ask = Ask::once;
  bool submit_first = false;  // arrivals before ends
  bool steps = false;         // tell the policy every known step of availability and bandwidth
  bool saves = false;         // tell the policy every dump that is whole
};

// A family of policies demands this of a scenario besides the flags of Accepts.
struct Demands {
  std::string_view loads, platform;  // for people: "loads without set-ups", "a platform of one cluster"
  // Error "not_accepted", or one of its own, unless they hold for the platform and for the works from `first` on. All works are
  // of kinds that the policy accepts.
  void (*check)(const Platform&, const Workload&, WorkId first, std::string_view policy);
};

// The kinds of scenario that a policy can deal with. Any other scenario is refused before the run.
struct Accepts {
  bool tasks = false, jobs = false, sweeps = false, loads = false, reservations = false;
  bool files = false;          // inputs and outputs, and data of runs that is sent
  bool several_cores = false;  // work that needs more than one core
  bool several_hosts = false;  // jobs with a Shape, moldable ones too
  bool limits = false;         // jobs that are killed at a limit
  bool memory = false;         // jobs that take memory, resources or licences
  bool precedence =
      false;  // it is told of works when they arrive, and again, by `ready`, when those before them are done
  bool streams = false;  // works of which nobody knows before they arrive, nor after they are settled
  const Demands* demands = nullptr;  // null: none
};

// The part of the work that the flags do not accept, for people: "'inputs', which task 3 has". Empty: they accept
// it. The workload may be a longer one than that of the scenario.
std::string refusal_of(const Accepts& accepts, const model::Scenario& scenario, const Workload& workload,
                       WorkId id);

// "Who waits for what", in a policy's own words.
using Waiting = std::vector<std::string>;

// A policy may deal with works that one before it has suspended, and with hosts that it has left off. When one takes over
// that does not, the works wait again, as by Sim::requeue, and the hosts are switched on.
struct TakesOver {
  bool suspended = false, off = false;
};

// Decides. A regular value behind one pointer: ids only, no pointers into the simulation or into itself.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::unique_ptr<Policy> clone() const = 0;
  // Called at the start and when the policy takes over from another one. It reads the view and adopts what is
  // running or promised.
  virtual void begin(Sim&) {}
  virtual TakesOver takes_over() const { return {}; }
  // The only call made while time passes, once per ask. `events` is valid during the call.
  virtual void react(Sim& sim, std::span<const Event> events) = 0;
  virtual void explain(const View&, Waiting&) const {}
  // Explains what the policy does with the work. It is called just before an action of the policy on the work
  // takes effect; then the policy must go on as if nobody had asked. It is also called between instants for
  // work that waits; that call may use the policy up.
  virtual void why(Sim&, WorkId, Decision&) {}
  // True if the policy promises that no load it accepts is late. The promise holds while nothing happens to
  // the platform, which must not change by itself either, and everything declared is true. For the validator.
  virtual bool keeps_deadlines(const Platform&) const { return false; }
  // Bytes that a copy takes, roughly, beyond a few for each work and host.
  virtual std::size_t bytes() const { return 0; }
};

// Gives a policy its clone() by copy construction.
template <class Self>
class PolicyOf : public Policy {
 public:
  std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
};

// The only source of predicted times. An estimator is a value: its caches never change an answer.
class Estimator {
 public:
  virtual ~Estimator() = default;
  virtual std::unique_ptr<Estimator> clone() const = 0;
  // The time when `piece` would end on the host if it started at `start`; +inf = never.
  virtual Time end_of(const Sim& sim, const Piece& piece, HostId host, Time start) = 0;
  // The same of a job on the cores that are listed, ascending by host. The default: when its last host would be done.
  // The piece has the size of a moldable job, whose cores may be some of those that it would have.
  virtual Time end_of(const Sim& sim, const Piece& whole, std::span<const Share> shares, Time start);
  // In the size that it has on these cores.
  Time end_of(const Sim& sim, WorkId work, std::span<const Share> shares, Time start);
  // The time when a file would arrive in (or come home from) the cluster if its transfer started at `start`.
  virtual Time end_of(const Sim& sim, FileId file, ClusterId cluster, Time start) = 0;
  // The bytes sent for each unit of a load, or each run of a sweep. They are the declared ones unless the
  // estimator knows better.
  virtual double bytes(const Sim& sim, WorkId work);
  // The time when a running activity will end.
  virtual Time end_of(const Sim& sim, ActivityId activity) = 0;
  // True if durations on the host, or on the route to the cluster, do not depend on the start, as far as is
  // known now.
  virtual bool is_steady(const Sim&, HostId) { return false; }
  virtual bool is_steady(const Sim&, ClusterId) { return false; }
  // The time that `piece` would take on the host from now; +inf = it cannot run there. The default is a
  // difference of two times, which loses low bits of the duration. An estimator that has the duration itself
  // should return that.
  virtual Seconds duration(const Sim& sim, const Piece& piece, HostId host);
  // out[i * hosts.size() + j]: duration of all of works[i] on hosts[j].
  virtual void matrix(const Sim& sim, std::span<const WorkId> works, std::span<const HostId> hosts,
                      std::span<double> out);
  // True if estimates are true or declared values, not guesses. Promises made on them then hold as long as
  // declarations are true.
  virtual bool is_faithful() const { return true; }
  // True if the estimate made at a start is the true end unless something happens. Errors are then not
  // measured.
  virtual bool is_perfect() const { return false; }
  // True if finished() is to be called for each computation or transfer that ends well. `amount`: seconds
  // that it took of a dedicated host of nominal speed, or bytes that it sent.
  virtual bool learns() const { return false; }
  virtual void finished(const Sim&, const ActivityView&, double /*amount*/) {}
};

std::unique_ptr<Estimator> perfect_estimator();   // the engine's own truth: same start, same bits
std::unique_ptr<Estimator> declared_estimator();  // what submissions declare, on hosts as they are now

}  // namespace perigee::engine

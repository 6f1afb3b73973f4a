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
}

namespace perigee::engine {

class Sim;
class View;
struct ActivityView;
struct Decision;  // runtime/engine/why.h

// When a policy is asked within an instant.
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
};

// What a family of policies demands of a scenario, where the flags of Accepts cannot say it.
struct Demands {
  std::string_view loads, platform;  // for people: "loads without set-ups", "a platform of one cluster"
  // Error "not_accepted" unless they hold for the platform and for the works from `first` on. All works are of kinds
  // that the policy accepts.
  void (*check)(const Platform&, const Workload&, WorkId first, std::string_view policy);
};

// What a policy can deal with; a scenario with anything else is refused before the run.
struct Accepts {
  bool tasks = false, jobs = false, sweeps = false, loads = false, reservations = false;
  bool files = false;                // inputs and outputs, and data of runs that is sent
  bool several_cores = false;        // work that needs more than one core
  const Demands* demands = nullptr;  // null: none
};

// "Who waits for what", in a policy's own words.
using Waiting = std::vector<std::string>;

// Decides. A regular value behind one pointer: ids only, no pointers into the simulation or into itself.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::unique_ptr<Policy> clone() const = 0;
  // At the start, and when it takes over from another policy: read the view, adopt what is running or
  // promised.
  virtual void begin(Sim&) {}
  // The only call made while time passes: one per ask. `events` is valid during the call.
  virtual void react(Sim& sim, std::span<const Event> events) = 0;
  virtual void explain(const View&, Waiting&) const {}
  // Why it does what it does with the work: called just before an action of its own on it takes effect, and
  // then it goes on as if nobody had asked; or between instants, of work that waits, which may use it up.
  virtual void why(Sim&, WorkId, Decision&) {}
  // It promises that no load that it accepts is late, as long as nothing happens to the platform, which never
  // changes by itself either, and all that is declared is true. For the validator.
  virtual bool keeps_deadlines(const Platform&) const { return false; }
  // That a copy takes beyond some for each work and host, roughly.
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

// The only source of predicted times. A value: its caches never change an answer.
class Estimator {
 public:
  virtual ~Estimator() = default;
  virtual std::unique_ptr<Estimator> clone() const = 0;
  // When `piece` would end on the host if it started at `start`; +inf = never.
  virtual Time end_of(const Sim& sim, const Piece& piece, HostId host, Time start) = 0;
  // When a file would arrive in (or come home from) the cluster if its transfer started at `start`.
  virtual Time end_of(const Sim& sim, FileId file, ClusterId cluster, Time start) = 0;
  // What is sent for each unit of a load, or each run of a sweep; as declared unless something better is
  // known.
  virtual double bytes(const Sim& sim, WorkId work);
  // When a running activity will end.
  virtual Time end_of(const Sim& sim, ActivityId activity) = 0;
  // Whether what something takes on the host, or on the way to the cluster, is the same whenever it starts,
  // as far as is known now.
  virtual bool is_steady(const Sim&, HostId) { return false; }
  virtual bool is_steady(const Sim&, ClusterId) { return false; }
  // What `piece` would take on the host from now; +inf = it cannot run there. The difference of two times has
  // lost low bits of what was added: an estimator that has the duration itself should return that.
  virtual Seconds duration(const Sim& sim, const Piece& piece, HostId host);
  // out[i * hosts.size() + j]: duration of all of works[i] on hosts[j].
  virtual void matrix(const Sim& sim, std::span<const WorkId> works, std::span<const HostId> hosts,
                      std::span<double> out);
  // What it says is what is true or declared, not guessed: promises made on it hold where what is declared is
  // true.
  virtual bool is_faithful() const { return true; }
  // What it says when something begins is its end, unless something happens: errors are not measured.
  virtual bool is_perfect() const { return false; }
  // Whether finished() is to be called: when a computation or transfer has ended well, which took so many
  // seconds of a dedicated host of nominal speed, or sent so many bytes.
  virtual bool learns() const { return false; }
  virtual void finished(const Sim&, const ActivityView&, double /*amount*/) {}
};

std::unique_ptr<Estimator> perfect_estimator();   // the engine's own truth: same start, same bits
std::unique_ptr<Estimator> declared_estimator();  // what submissions declare, on hosts as they are now

}  // namespace perigee::engine

// The common part of all policies for parameter sweeps: which sweep is dealt out, which hosts are idle, and
// where each package is.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/engine/sim.h"

namespace perigee::sweep {

// Runs of the current sweep that are under way on a host.
struct Package {
  ActivityId id;
  Piece piece;           // first run and number of runs
  Time start = 0;        // when it was given, or the one before it on the host ended
  bool copy = false;     // of a package of another host
  ActivityId data = {};  // the transfer of its data, where the sweep has any
  Time arrived = 0;      // of the data; 0: not yet, or there is none
};

// Deals out the runs of sweeps, one sweep after another in order of arrival; the next one is opened when the
// one before is finished. A package has the whole host. A host computes one package at a time; others may
// wait behind it or be on their way. Runs that a host loses go back to the front of the queue, because
// next_piece gives the first runs that nobody has. So do packages that have not begun on a host that goes. A
// package that stands still on a host is left to be resumed; if nothing else makes progress, it is copied to
// idle hosts.
//
// A scheduler overrides open() and deal(), and perhaps the other calls. Within an instant they are made in
// this order: finished() for each package, host by host; host_came(), host_went(); open() if the instant has
// finished a sweep or brought one; deal().
class Coordinator : public Policy {
 public:
  void begin(Sim& sim) final;
  void react(Sim& sim, std::span<const Event> events) final;
  void explain(const View& view, Waiting& lines) const override;
  void why(Sim& sim, WorkId work, Decision& out) final;

 protected:
  // work() is the sweep now. Nothing of another sweep runs, unless this policy has taken over from another
  // one.
  virtual void open(Sim& sim) = 0;
  // A package has ended for the first time, at `at`. It has left the host, which is idle.
  virtual void finished(Sim&, HostId, const Package&, Time /*at*/) {}
  virtual void host_came(Sim&, HostId) {}
  virtual void host_went(Sim&, HostId) {}
  // The whole instant has been told: give() and copy() packages to idle hosts. Called at every instant while
  // there is a sweep, whether or not there is anything to deal out.
  virtual void deal(Sim& sim) = 0;
  // Explains why work() waits, or why a package of it has just been given to out.host. Called for the
  // decisions in deal().
  virtual void why_package(Sim&, Decision&) {}

  // ---- functions for schedulers ----
  WorkId work() const { return work_; }
  double runs(const Sim& sim) const { return sim.view().workload().size_of(work_); }
  double undealt(const Sim& sim) const { return sim.undealt(work_); }
  double dealt(const Sim& sim) const { return runs(sim) - undealt(sim); }
  // True if the host is up and can run the sweep.
  bool present(HostId host) const { return present_[host.index] != 0; }
  std::span<const std::uint8_t> present() const { return present_; }
  // The hosts that may be given a package now, as declared. A copy, because giving changes it.
  std::vector<HostId> idle(Sim& sim);
  // The idle hosts that became idle in this instant: their package ended, was superseded or lost, or they
  // came.
  std::vector<HostId> freed(Sim& sim);
  // The package under way on the host; null if there is none.
  const Package* package_on(HostId host) const {
    return packages_[host.index].empty() ? nullptr : &packages_[host.index].front();
  }
  // The same package and those behind it.
  std::span<const Package> packages_on(HostId host) const { return packages_[host.index]; }
  std::size_t under_way() const { return under_way_; }  // packages, copies included
  // True if nothing in the whole simulation makes progress: this is the last chance to act.
  bool stalled() const { return stalled_; }

  // Starts the next runs on an idle host, at most `most`; fewer if fewer are left, or were lost. Returns how
  // many. If the sweep has data, it is sent first.
  double give(Sim& sim, HostId host, double most) { return give(sim, host, sim.next_piece(work_, most)); }
  double give(Sim& sim, HostId host, const Piece& piece);
  // The same behind the packages that the host has. Its data is sent after the data of earlier packages,
  // while the host computes.
  double send(Sim& sim, HostId host, double most);
  // Starts the runs of a package under way again on an idle host. The first copy to end counts.
  void copy(Sim& sim, const Package& package, HostId host);

 private:
  void offer(HostId host);
  void look_at(Sim& sim, HostId host);
  void rescue(Sim& sim);
  bool able(const View& view, HostId host) const;
  void next_sweep(Sim& sim);
  void post(Sim& sim, HostId host, const Piece& piece);
  void take_back(Sim& sim, HostId host);
  bool has_data(const Sim& sim) const;

  std::vector<WorkId> queue_;  // sweeps to come, the next one last
  WorkId work_;
  std::vector<std::vector<Package>> packages_;  // per host, in the order in which they are computed
  std::vector<std::uint8_t> present_;           // per host
  std::vector<std::uint8_t> is_offered_;        // per host: it is in offered_
  std::vector<HostId> offered_, freed_;
  std::size_t under_way_ = 0;
  bool stalled_ = false;
};

// Gives a coordinator its clone() by copy construction.
template <class Self, class Base = Coordinator>
class CoordinatorOf : public Base {
 public:
  using Base::Base;
  std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
};

}  // namespace perigee::sweep

// First come, first served: work starts in order of arrival; when the first in line fits no host, all wait.
//
// Source: Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2 (FCFS); with
// host = "fastest" it is first + high_gflops of the IRMaSim thesis, Table 1.
// Cost: O(H) an assignment. Ties: lowest host; arrivals at the same time in order of input.

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee {
namespace {

enum class Place : std::uint8_t { fastest, first, most_idle };

class Fcfs final : public PolicyOf<Fcfs> {
 public:
  explicit Fcfs(Place place) : place_(place) {}

  void begin(Sim& sim) override {
    waiting_.reset(sim);
    serve(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    waiting_.follow(sim.view(), events);
    serve(sim);
  }

 private:
  void serve(Sim& sim) {
    while (!waiting_.empty()) {
      const WorkId work = waiting_[0];
      if (sim.view()[work].state == WorkState::waiting) {  // else settled by somebody else
        const HostId host = choose(sim, work);
        if (!host.valid()) return;
        sim.start(work, host);
      }
      waiting_.erase(0);
    }
  }

  HostId choose(Sim& sim, WorkId work) const {
    const View& view = sim.view();
    const Work& declared = view.workload()[work];
    HostId best;
    double best_value = 0;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostView& host = view.hosts()[h];
      if (!host.up || host.idle < declared.cores) continue;
      if ((declared.form == TimeForm::by_host || declared.form == TimeForm::by_architecture) &&
          !(sim.estimate().end_of(sim, Piece{work, 0, 1}, HostId(h), view.now()) < kNever))
        continue;
      const double value = place_ == Place::fastest ? host.speed : place_ == Place::most_idle ? host.idle : 0;
      if (!best.valid() || value > best_value) {
        best = HostId(h);
        best_value = value;
      }
      if (place_ == Place::first) break;
    }
    return best;
  }

  Place place_;
  ArrivalQueue waiting_;
};

}  // namespace

Entry batch::fcfs() {
  Entry entry;
  entry.name = "fcfs";
  entry.family = Family::batch;
  entry.role = Role::policy;
  entry.summary = "work starts in order of arrival; the first in line blocks the rest";
  entry.source = "Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2";
  entry.complexity = "O(H) an assignment";
  entry.ties = "lowest host, order of input";
  entry.parameters = {{.name = "host",
                       .type = ParameterType::choice,
                       .summary = "which of the hosts with enough idle cores",
                       .fallback = std::string("fastest"),
                       .choices = {"fastest", "first", "most_idle"}}};
  entry.accepts = {.tasks = true, .jobs = true, .several_cores = true};
  entry.make_policy = [](const Arguments& arguments) -> std::unique_ptr<Policy> {
    const std::string& host = arguments.choice("host");
    return std::make_unique<Fcfs>(host == "fastest" ? Place::fastest
                                  : host == "first" ? Place::first
                                                    : Place::most_idle);
  };
  return entry;
}

}  // namespace perigee

#include <algorithm>

#include "runtime/engine/policy.h"
#include "runtime/engine/sim.h"

namespace perigee {
namespace {

class Perfect final : public Estimator {
 public:
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<Perfect>(*this); }
  Time end_of(const Sim& sim, const Piece& piece, HostId host, Time start) override {
    return sim.true_end(piece, host, start);
  }
  Time end_of(const Sim& sim, FileId file, ClusterId cluster, Time start) override {
    return sim.true_end(file, cluster, start);
  }
  double bytes(const Sim& sim, WorkId work) override {
    const std::uint32_t extra = sim.view().workload()[work].extra;
    return extra == kNone ? 0 : sim.view().workload().extras[extra].bytes;
  }
  Time end_of(const Sim& sim, ActivityId activity) override { return sim.true_end(activity); }
  bool is_steady(const Sim& sim, HostId host) override { return sim.is_steady(host); }
  bool is_steady(const Sim& sim, ClusterId cluster) override { return sim.is_steady(cluster); }
  Seconds duration(const Sim& sim, const Piece& piece, HostId host) override {
    return sim.true_duration(piece, host);
  }
};

// What submissions declare; hosts at their nominal speed, links at their bandwidth now.
class Declared final : public Estimator {
 public:
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<Declared>(*this); }
  bool is_steady(const Sim&, HostId) override { return true; }
  bool is_steady(const Sim&, ClusterId) override { return true; }
  Time end_of(const Sim& sim, const Piece& piece, HostId host, Time start) override {
    return start + sim.view().platform()[host].setup + run_time(sim.view(), piece, host);
  }
  Seconds duration(const Sim& sim, const Piece& piece, HostId host) override {
    return sim.view().platform()[host].setup + run_time(sim.view(), piece, host);
  }
  Time end_of(const Sim& sim, FileId file, ClusterId cluster, Time start) override {
    return start + sending_time(sim, sim.view().workload().files[file.index].estimate, cluster);
  }
  Time end_of(const Sim& sim, ActivityId id) override {
    const auto activity = sim.activity(id);
    if (!activity || activity->posted) return sim.now();
    Time end = sim.now();
    if (activity->kind == ActivityKind::compute)
      end = end_of(sim, activity->piece, activity->host, activity->started);
    else if (activity->file.valid())
      end = end_of(sim, activity->file, activity->cluster, activity->started);
    else if (activity->kind == ActivityKind::chunk)
      end = activity->started + sending_time(sim, activity->piece.size * bytes(sim, activity->work),
                                             sim.view()[activity->host].cluster);
    return std::max(end, sim.now());
  }

 private:
  static Seconds sending_time(const Sim& sim, double size, ClusterId cluster) {
    const View& view = sim.view();
    double rate = kNever;
    Seconds latency = 0;
    for (const LinkId link : view.platform().route(cluster, {}, view.now())) {
      if (view.platform()[link].implied) continue;
      const Sim::Installed bandwidth = sim.bandwidth_of(link), delay = sim.latency_of(link);
      rate = std::min(rate, bandwidth.profile.at(view.now() - bandwidth.since) * bandwidth.factor);
      latency += delay.profile.at(view.now() - delay.since);
    }
    return latency + (rate == kNever ? 0 : size / rate);
  }
  static Seconds run_time(const View& view, const Piece& piece, HostId host) {
    const Host& declared = view.platform()[host];
    return declared_time(view.workload(), piece, declared, host, view[host].architecture) * declared.speed /
           view[host].speed;
  }
};

}  // namespace

Seconds Estimator::duration(const Sim& sim, const Piece& piece, HostId host) {
  return end_of(sim, piece, host, sim.now()) - sim.now();
}

double Estimator::bytes(const Sim& sim, WorkId work) { return sim.view().workload().declared_bytes(work); }

void Estimator::matrix(const Sim& sim, std::span<const WorkId> works, std::span<const HostId> hosts,
                       std::span<double> out) {
  const Workload& workload = sim.view().workload();
  for (std::size_t i = 0; i < works.size(); ++i)
    for (std::size_t j = 0; j < hosts.size(); ++j)
      out[i * hosts.size() + j] = duration(sim, {works[i], 0, workload.size_of(works[i])}, hosts[j]);
}

std::unique_ptr<Estimator> perfect_estimator() { return std::make_unique<Perfect>(); }
std::unique_ptr<Estimator> declared_estimator() { return std::make_unique<Declared>(); }

}  // namespace perigee

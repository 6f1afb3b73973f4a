// Source: Hummel, Schonberg and Flynn, CACM 35(8), 1992, see the header.
#include "runtime/schedulers/sweep/batches.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/engine/why.h"
#include "runtime/schedulers/sweep/workers.h"

namespace perigee::sweep {

void OnDemand::deal(Sim& sim) {
  if (undealt(sim) == 0) return;
  std::vector<HostId> hosts = idle(sim);
  power_.sort(hosts);
  for (const HostId host : hosts) {
    if (undealt(sim) == 0) return;
    const Piece piece = next(sim, host);
    choice_ = piece.size;
    give(sim, host, piece);
  }
}

std::size_t OnDemand::hosts_here() const {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ranges::count_if(
                                      present(), [](std::uint8_t here) { return here != 0; })));
}

void OnDemand::why_package(Sim& sim, Decision& out) {
  const View& view = sim.view();
  out.rule = rule();
  if (out.host.valid())
    out.rule = fmt::format("{}: {} runs for {}", how(), choice_, view.platform()[out.host].name);
  out.hosts = {
      .score = "share of all cores", .better = Prefer::largest, .ties = "runs/s of the last package, order"};
  for (std::size_t h = 0; h < present().size(); ++h)
    if (const HostId host(h); present(host))
      out.hosts.candidates.push_back(
          {.index = host.index,
           .score = power_.enpr(host),
           .open = host == out.host || (package_on(host) == nullptr && view[host].idle > 0),
           .note = power_.npp(host) > 0 ? fmt::format("{:.6g} runs/s", power_.npp(host)) : std::string()});
}

namespace {

class Batches final : public CoordinatorOf<Batches, OnDemand> {
 public:
  explicit Batches(const BatchSettings& settings) : settings_(settings) {}

 protected:
  void open(Sim& sim) override {
    OnDemand::open(sim);
    taken_ = in_batch_ = 0;
    first_ = true;
    const std::size_t hosts = present().size();
    const bool goes_on = settings_.learns == BatchSettings::Learns::per_sweep;  // from sweep to sweep
    if (!goes_on || means_.size() != hosts) means_.assign(hosts, {});
    for (std::size_t h = 0; goes_on && h < step_.size(); ++h)
      if (step_[h].runs > 0) means_[h].add(step_[h].runs, step_[h].time);
    step_.assign(hosts, {});
    weigh(sim);
  }
  void finished(Sim& sim, HostId host, const Package& package, Time at) override {
    OnDemand::finished(sim, host, package, at);
    if (settings_.weights != BatchSettings::Weights::learnt || package.copy) return;
    const double time = at - package.start;
    if (settings_.learns == BatchSettings::Learns::per_sweep) {
      step_[host.index].runs += package.piece.size;
      step_[host.index].time += time;
      return;
    }
    means_[host.index].add(package.piece.size, time);
    if (settings_.learns == BatchSettings::Learns::per_chunk) weigh(sim);
  }
  void host_came(Sim& sim, HostId host) override {
    OnDemand::host_came(sim, host);
    weigh(sim);
  }
  void host_went(Sim& sim, HostId host) override {
    OnDemand::host_went(sim, host);
    weigh(sim);
  }

  Piece next(Sim& sim, HostId host) override {
    if (taken_ == in_batch_) {  // the next batch
      left_ = undealt(sim);
      in_batch_ = hosts_here();
      factor_ = batch_factor(left_, in_batch_, settings_.cv, first_);
      first_ = false;
      taken_ = 0;
      if (settings_.learns == BatchSettings::Learns::per_batch) weigh(sim);
    }
    ++taken_;
    weight_ = weights_.empty() ? 1 : weights_[host.index];
    return sim.next_piece(work(), factoring_chunk(left_, in_batch_, factor_, weight_));
  }
  std::string how() const override {
    std::string text = fmt::format("chunk {} of {} in a batch that began with {} runs left: 1/{:.6g} of them",
                                   taken_, in_batch_, left_, factor_ * static_cast<double>(in_batch_));
    if (!weights_.empty()) text += fmt::format(" by the weight {:.6g}", weight_);
    return text + ", rounded up";
  }
  std::string rule() const override { return "an idle host takes the next chunk of the batch"; }

 private:
  // Computes the weights of the present hosts; their mean is 1.
  void weigh(Sim& sim) {
    if (settings_.weights == BatchSettings::Weights::none) return;
    std::vector<HostId> hosts;
    for (std::size_t h = 0; h < present().size(); ++h)
      if (present(HostId(h))) hosts.emplace_back(h);
    std::vector<double> times;
    times.reserve(hosts.size());
    for (const HostId host : hosts) times.push_back(seconds_a_run(sim, host));
    const std::vector<double> found = weights_of(times);
    weights_.assign(present().size(), 1);
    for (std::size_t i = 0; i < hosts.size(); ++i) weights_[hosts[i].index] = found[i];
  }
  double seconds_a_run(Sim& sim, HostId host) const {
    switch (settings_.weights) {
      case BatchSettings::Weights::cores:
        return 1.0 / sim.view().platform()[host].cores;
      case BatchSettings::Weights::estimate:
        return 1 / workers_of(sim, work(), {&host, 1}).front().speed;
      default:
        return means_[host.index].count > 0 ? means_[host.index].seconds_a_run() : 0;
    }
  }

  struct Step {
    double runs = 0, time = 0;
  };
  BatchSettings settings_;
  std::size_t taken_ = 0, in_batch_ = 0;  // chunks of this batch
  double left_ = 0, factor_ = 2, weight_ = 1;
  bool first_ = true;
  std::vector<double> weights_;      // per host; empty: all are 1
  std::vector<WeightedMean> means_;  // per host
  std::vector<Step> step_;           // per host: of this sweep
};

}  // namespace

std::unique_ptr<Policy> batches(const BatchSettings& settings) { return std::make_unique<Batches>(settings); }

Parameter cv_parameter() {
  return {.name = "cv",
          .type = ParameterType::number,
          .summary =
              "standard deviation over mean of a run's time, from which "
              "batches are sized; fac2: each is half of what is left",
          .fallback = "fac2",
          .min = 0,
          .max = 1e6,
          .words = {"fac2"}};
}

double cv_of(const Arguments& given) {
  return given.is("cv", "fac2") ? std::numeric_limits<double>::quiet_NaN() : given.number("cv");
}

}  // namespace perigee::sweep

// Source: Berman et al., LIP RR 1999-46, sections 5.5 and 5.6.1 (strategies S1, S2 and S3).
#include "runtime/schedulers/grid/plan_intervals.h"

#include <algorithm>

#include "runtime/schedulers/grid/plan_notes.h"

namespace perigee::grid {

void PlanIntervals::predict(const PlanDrawing& plan, const GridQueues& queues, Time at) {
  servers_.resize(queues.servers().size());
  channels_.resize(queues.channels().size());
  has_prediction_ = at < kNever;
  for (OfServer& server : servers_) server.predicted = {};
  for (OfChannel& channel : channels_) channel.predicted = {};
  if (!has_prediction_) return;
  const auto covers = [at](const Slot& slot) { return slot.start <= at && at < slot.end; };
  for (const auto& [server, work, slot] : plan.computations())
    if (covers(slot)) servers_[server].predicted = work;
  for (const auto& [cluster, file, home, slot] : plan.transfers())
    if (covers(slot)) {
      channels_[cluster].predicted = file;
      channels_[cluster].home = home;
    }
}

void PlanIntervals::measure(Sim& sim, const GridQueues& queues) {
  using S = PlannerSettings;
  if (!has_prediction_) return;
  double wrong = 0, all = 0;
  const auto count = [&](bool correct, double& weight) {
    const double counts = settings_.strategy == S::Strategy::weighted ? weight : 1;
    all += counts;
    if (!correct) wrong += counts;
    weight = correct ? std::min(1.0, weight + settings_.weight_gain)
                     : std::max(settings_.min_weight, weight * settings_.weight_shrink);
  };
  for (std::size_t s = 0; s < servers_.size(); ++s)
    if (OfServer& each = servers_[s]; each.predicted.valid())
      count(queues.servers()[s].running.work == each.predicted, each.weight);
  for (std::size_t c = 0; c < channels_.size(); ++c)
    if (OfChannel& each = channels_[c]; each.predicted.valid()) {
      const GridQueues::Activity& sending = queues.channels()[c].sending;
      count(sending.file == each.predicted && sending.work.valid() == each.home, each.weight);
    }
  const double deviation = all > 0 ? wrong / all : 0;
  const bool low = deviation <= settings_.threshold;
  if (settings_.strategy != S::Strategy::constant)
    interval_ = low ? std::min(settings_.max_interval, interval_ * settings_.grow)
                    : std::max(settings_.min_interval, interval_ * settings_.shrink);
  if (settings_.margin_policy == S::MarginPolicy::adaptive)
    margin_ *= low ? settings_.margin_shrink : settings_.margin_grow;
  DeviationNote{deviation, interval_, margin_}.write(sim);
}

}  // namespace perigee::grid

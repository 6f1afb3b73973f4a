// How policies estimate times. Source: Berman et al., LIP RR 1999-46, section 5.2.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "runtime/engine/information.h"
#include "runtime/engine/sim.h"

namespace perigee::engine {
namespace {

using Amounts = Information::Amounts;
using Rates = Information::Rates;

constexpr double kLeastAvailability = 0.01, kLeastBandwidth = 1;
constexpr double kMostMeasurements = 1e8;  // of one resource; a minute's work

double true_bytes(const Sim& sim, WorkId work) {
  const std::uint32_t extra = sim.view().workload()[work].extra;
  return extra == kNone ? 0 : sim.view().workload().extras[extra].bytes;
}

// The end of a work that is killed at its limit. Where it would never end it may be that it cannot run there at all.
template <class CanRun>
Time within_limit(const Sim& sim, WorkId work, Time start, Time end, CanRun can_run) {
  const Seconds limit = sim.limit_of(work);
  if (!(limit < kNever) || (!(end < kNever) && !can_run())) return end;
  return std::min(end, start + limit);
}

class Perfect final : public Estimator {
 public:
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<Perfect>(*this); }
  bool is_perfect() const override { return true; }
  Time end_of(const Sim& sim, const Piece& piece, HostId host, Time start) override {
    return within_limit(sim, piece.work, start, sim.true_end(piece, host, start),
                        [&] { return can_run(sim, piece, host, start); });
  }
  Time end_of(const Sim& sim, const Piece& whole, std::span<const Share> shares, Time start) override {
    return within_limit(sim, whole.work, start, sim.true_end(whole, shares, start), [&] {
      return std::ranges::all_of(shares,
                                 [&](const Share& share) { return can_run(sim, whole, share.host, start); });
    });
  }
  Time end_of(const Sim& sim, FileId file, ClusterId cluster, Time start) override {
    return sim.true_end(file, cluster, start);
  }
  double bytes(const Sim& sim, WorkId work) override { return true_bytes(sim, work); }
  Time end_of(const Sim& sim, ActivityId activity) override { return sim.true_end(activity); }
  bool is_steady(const Sim& sim, HostId host) override { return sim.is_steady(host); }
  bool is_steady(const Sim& sim, ClusterId cluster) override { return sim.is_steady(cluster); }
  Seconds duration(const Sim& sim, const Piece& piece, HostId host) override {
    return within_limit(sim, piece.work, 0, sim.true_duration(piece, host),
                        [&] { return can_run(sim, piece, host, sim.now()); });
  }

 private:
  static bool can_run(const Sim& sim, const Piece& piece, HostId host, Time at) {
    const View& view = sim.view();
    return sim.is_there(host, at) &&
           true_time(view.workload(), piece, view.platform()[host], host, view[host].architecture) < kNever;
  }
};

// The predicted rate of one profile. It is a cache: the rate depends only on the profile, the time and the
// settings.
class Sensor {
 public:
  double predict(const Profile& profile, Time anchor, Time now, const Information& how) {
    if (asked_ == now && anchor_ == anchor && profile_ == profile) return rate_;
    const bool same = anchor_ == anchor && profile_ == profile;
    if (!same) {
      profile_ = profile;
      anchor_ = anchor;
      seen_ = Forecaster(how.forecast);
    }
    if (!same || how.rates != Rates::mean) rate_ = found(std::max(0.0, now - how.age - anchor), how);
    asked_ = now;
    return rate_;
  }

 private:
  // `known`: seconds from the installation to the last measurement that may be known.
  double found(Seconds known, const Information& how) {
    if (how.rates == Rates::mean) return long_run_mean(profile_);
    if (how.rates == Rates::current) return profile_.at(known);
    const double last = std::floor(known / how.sample_period + 1e-9);
    if (!(last < kMostMeasurements))
      fail("too_many_measurements",
           "information: a resource has been measured more "
           "than {:.0f} times; a longer sample_period is needed",
           kMostMeasurements);
    for (auto k = static_cast<double>(seen_.count()); k <= last; ++k)
      seen_.add(profile_.at(k * how.sample_period));
    return seen_.next();
  }

  Profile profile_;
  Time anchor_ = std::numeric_limits<double>::quiet_NaN(), asked_ = anchor_;
  double rate_ = 0;
  Forecaster seen_;
};

class Informed final : public Estimator {
 public:
  explicit Informed(const Information& information)
      : how_(information),
        overdue_(information.overdue.value_or(information.rates == Rates::nominal ? 0 : 10)) {}
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<Informed>(*this); }

  bool is_steady(const Sim& sim, HostId host) override { return !is_exact() || sim.is_steady(host); }
  bool is_steady(const Sim& sim, ClusterId cluster) override { return !is_exact() || sim.is_steady(cluster); }
  bool is_faithful() const override {
    return how_.error == 0 && how_.amounts != Amounts::learnt && (is_exact() || how_.rates == Rates::nominal);
  }

  Time end_of(const Sim& sim, const Piece& piece, HostId host, Time start) override {
    const Seconds amount = amount_of(sim, piece, host), setup = sim.view().platform()[host].setup;
    const double factor = error_of(sim, piece, host);
    const auto limited = [&](Time end) {
      return within_limit(sim, piece.work, start, end, [&] { return can_run(sim, amount, host, start); });
    };
    if (is_exact()) return limited(stretched(start, sim.computed_by(amount, host, start + setup), factor));
    const Seconds run = run_time(sim, amount, host);
    return limited(factor == 1 ? start + setup + run : start + factor * (setup + run));
  }

  // The error is that of the work and its lowest host.
  Time end_of(const Sim& sim, const Piece& whole, std::span<const Share> shares, Time start) override {
    return end_of_attempt(sim, whole, shares, start, sim.saved(whole.work, shares));
  }

  Time end_of_attempt(const Sim& sim, const Piece& whole, std::span<const Share> shares, Time start,
                      double share) {
    const WorkId work = whole.work;
    const double factor = error_of(sim, whole, shares.front().host);
    Seconds setup = sim.setup_of(shares);
    const auto limited = [&](Time end) {
      return within_limit(sim, work, start, end, [&] {
        bool can = true;
        each_amount(sim, whole, shares,
                    [&](HostId host, Seconds amount) { can = can && can_run(sim, amount, host, start); });
        return can;
      });
    };
    if (const Checkpoint* checkpoint = sim.view().workload().checkpoint_of(work); checkpoint != nullptr) {
      Sim::DumpsView dumps = sim.dumps_of(work, shares);
      if (share > 0) setup += sim.restart_time(*checkpoint, start + setup);
      if (!knows_dumps(*checkpoint)) dumps = {};
      if (is_exact()) {
        const std::vector<Seconds> amounts = amounts_of(sim, whole, shares);
        const Seconds longest = *std::ranges::max_element(amounts);
        if (!(longest < kNever)) return kNever;
        const Time end = sim.end_with_dumps(amounts, shares, work, start + setup, share * longest, dumps);
        return limited(stretched(start, end, factor));
      }
      const Seconds run = run_time(sim, whole, shares, 1 - share);
      if (!(run < kNever)) return kNever;
      return limited(start + factor * (setup + run + time_of_dumps(run, dumps)));
    }
    if (is_exact())
      return limited(stretched(
          start, sim.computed_by(amounts_of(sim, whole, shares), shares, work, start + setup), factor));
    const Seconds run = run_time(sim, whole, shares, 1);
    return limited(factor == 1 ? start + setup + run : start + factor * (setup + run));
  }

  Seconds duration(const Sim& sim, const Piece& piece, HostId host) override {
    const Seconds amount = amount_of(sim, piece, host);
    const double factor = error_of(sim, piece, host);
    const Seconds duration = is_exact()
                                 ? factor * sim.duration_of(amount, host)
                                 : factor * (sim.view().platform()[host].setup + run_time(sim, amount, host));
    return within_limit(sim, piece.work, 0, duration, [&] { return can_run(sim, amount, host, sim.now()); });
  }

  Time end_of(const Sim& sim, FileId file, ClusterId cluster, Time start) override {
    return sent(sim, size_of(sim, file), cluster, sim.route_of(file, cluster), start,
                error_of(sim, file, cluster));
  }

  double bytes(const Sim& sim, WorkId work) override {
    return how_.amounts == Amounts::truth ? true_bytes(sim, work)
                                          : sim.view().workload().declared_bytes(work) * ratio(sent_[0]);
  }

  Time end_of(const Sim& sim, ActivityId id) override {
    const auto activity = sim.activity(id);
    if (!activity || activity->posted) return sim.now();
    const bool computes = activity->kind == ActivityKind::compute, file = activity->file.valid();
    if (!computes && !file && activity->kind != ActivityKind::chunk)
      return sim.true_end(id);  // holds and thinking end as they were asked for
    const ClusterId cluster = file || computes ? activity->cluster : sim.view()[activity->host].cluster;
    const double factor = computes ? error_of(sim, activity->piece, activity->host)
                          : file   ? error_of(sim, activity->file, cluster)
                                   : 1;
    Time end = kNever;
    if (computes && sim.view().workload().shape_of(activity->work) != nullptr) {
      end = end_of_job(sim, *activity);
    } else if (computes && !how_.progress) {
      end = end_of(sim, activity->piece, activity->host, activity->started);
    } else if (computes) {
      end = computed(sim, factor * amount_of(sim, activity->piece, activity->host), activity->host, id);
    } else {
      const double size =
          file ? size_of(sim, activity->file) : activity->piece.size * bytes(sim, activity->work);
      end = how_.progress ? moved(sim, factor * size, cluster, id)
                          : sent(sim, size, cluster, sim.route_of(id), activity->started, factor);
    }
    if (computes) end = std::min(end, activity->started + sim.limit_of(activity->work));
    return end > sim.now() ? end : sim.now() + overdue_;
  }

  bool learns() const override { return how_.amounts == Amounts::learnt; }
  void finished(const Sim& sim, const ActivityView& activity, double amount) override {
    const Workload& workload = sim.view().workload();
    if (activity.kind == ActivityKind::compute && workload.checkpoint_of(activity.work) != nullptr) return;
    if (activity.kind == ActivityKind::compute) {
      const std::vector<Share> shares = sim.allocation(activity.id);
      Seconds declared = 0;
      for (const Share& share : shares)
        declared = std::max(declared, declared_amount(sim, activity.piece, share.host));
      if (how_.rates == Rates::nominal)
        amount = (sim.now() - activity.started - sim.setup_of(shares)) * sim.view()[activity.host].speed /
                 sim.view().platform()[activity.host].speed;
      taken_.resize(sim.view().hosts().size());
      for (const Share& share : shares) note(taken_[share.host.index], amount, declared);
      note(taken_anywhere_, amount, declared);
    } else if (activity.file.valid()) {
      note(sent_[activity.kind == ActivityKind::transfer_out ? 1 : 0], amount,
           workload.files[activity.file.index].estimate);
    } else if (activity.kind == ActivityKind::chunk) {
      note(sent_[0], amount, activity.piece.size * workload.declared_bytes(activity.work));
    }
  }

 private:
  struct Observed {
    double ratios = 0, count = 0;
  };
  static void note(Observed& observed, double amount, double declared) {
    const double ratio = amount / declared;
    if (!(declared > 0 && std::isfinite(ratio))) return;
    observed.ratios += ratio;
    ++observed.count;
  }
  static double ratio(const Observed& observed, double prior = 1) {
    return (observed.ratios + prior) / (observed.count + 1);
  }

  bool is_exact() const { return how_.rates == Rates::perfect; }
  // Whether the host can run a work of so many seconds at that time, as far as is known.
  bool can_run(const Sim& sim, Seconds amount, HostId host, Time at) const {
    return amount < kNever && (!is_exact() || sim.is_there(host, at));
  }

  // A factor in [1 - error, 1 + error].
  double error_of(const Sim& sim, const Piece& piece, HostId host) const {
    return how_.error == 0 ? 1 : error_of(sim, 1, piece.work.index, host.index);
  }
  double error_of(const Sim& sim, FileId file, ClusterId cluster) const {
    return how_.error == 0 ? 1 : error_of(sim, 2, file.index, cluster.index);
  }
  double error_of(const Sim& sim, std::uint64_t kind, std::uint64_t what, std::uint64_t where) const {
    return 1 + how_.error * (2 * hash_unit(how_.error_seed.value_or(sim.seed()), {kind, what, where}) - 1);
  }
  static Time stretched(Time start, Time end, double factor) {
    return factor == 1 || !(end < kNever) ? end : start + factor * (end - start);
  }

  static Seconds declared_amount(const Sim& sim, const Piece& piece, HostId host) {
    const View& view = sim.view();
    const Seconds declared =
        declared_time(view.workload(), piece, view.platform()[host], host, view[host].architecture);
    const Work& work = view.workload()[piece.work];
    if (work.kind != WorkKind::job || work.extra == kNone || !(declared < kNever)) return declared;
    const WorkExtra& extra = view.workload().extras[work.extra];
    return extra.limit_is_estimate ? extra.limit : declared;
  }
  // The amount in seconds on a dedicated host of nominal speed.
  Seconds amount_of(const Sim& sim, const Piece& piece, HostId host) const {
    const View& view = sim.view();
    if (how_.amounts == Amounts::truth)
      return true_time(view.workload(), piece, view.platform()[host], host, view[host].architecture);
    const Seconds declared = declared_amount(sim, piece, host);
    if (how_.amounts == Amounts::declared) return declared;
    const Observed here = host.index < taken_.size() ? taken_[host.index] : Observed{};
    return declared * ratio(here, ratio(taken_anywhere_));
  }
  double size_of(const Sim& sim, FileId file) const {
    const File& declared = sim.view().workload().files[file.index];
    return how_.amounts == Amounts::truth ? declared.size
                                          : declared.estimate * ratio(sent_[sim.is_output(file) ? 1 : 0]);
  }

  // Calls f(host, amount) for each host of the job.
  template <class F>
  void each_amount(const Sim& sim, const Piece& piece, std::span<const Share> shares, F f) const {
    const View& view = sim.view();
    const bool depends_on_host =
        how_.amounts == Amounts::learnt || view.workload()[piece.work].form == TimeForm::by_host;
    const Host* before = nullptr;
    std::int32_t architecture = 0;
    Seconds amount = 0;  // on the host before, which is often alike
    for (const Share& share : shares) {
      const Host& host = view.platform()[share.host];
      const std::int32_t now = view[share.host].architecture;
      if (before == nullptr || depends_on_host || host.speed != before->speed || now != architecture)
        amount = amount_of(sim, piece, share.host);
      before = &host;
      architecture = now;
      f(share.host, amount);
    }
  }
  std::vector<Seconds> amounts_of(const Sim& sim, const Piece& piece, std::span<const Share> shares) const {
    std::vector<Seconds> amounts;
    amounts.reserve(shares.size());
    each_amount(sim, piece, shares, [&](HostId, Seconds amount) { amounts.push_back(amount); });
    return amounts;
  }
  // An estimate that is declared says all; otherwise a job is known to write dumps.
  bool knows_dumps(const Checkpoint& checkpoint) const {
    return how_.amounts == Amounts::truth || !checkpoint.estimate_is_given;
  }
  // None begins when the job ends.
  static Seconds time_of_dumps(Seconds run, const Sim::DumpsView& dumps) {
    return run > dumps.interval ? (std::ceil(run / dumps.interval) - 1) * dumps.cost : 0;
  }

  // The rest of a job, by the slowest of its hosts.
  Seconds run_time(const Sim& sim, const Piece& piece, std::span<const Share> shares, double rest) {
    Seconds longest = 0;
    each_amount(sim, piece, shares, [&](HostId host, Seconds amount) {
      longest = std::max(longest, run_time(sim, rest * amount, host));
    });
    return longest;
  }
  Time end_of_job(const Sim& sim, const ActivityView& job) {
    const std::vector<Share> shares = sim.allocation(job.id);
    const Sim::DumpsView dumps = sim.dumps_of(job.id);
    if (!how_.progress) return end_of_attempt(sim, job.piece, shares, job.started, dumps.begun_with);
    const auto [done, since] = sim.progress_of(job.id);
    const Time from = std::max(sim.now(), since);
    const double factor = error_of(sim, job.piece, shares.front().host);
    std::vector<Seconds> amounts = amounts_of(sim, job.piece, shares);
    for (Seconds& amount : amounts) amount *= factor;
    const Checkpoint* checkpoint = sim.view().workload().checkpoint_of(job.work);
    const bool with_dumps = checkpoint != nullptr && knows_dumps(*checkpoint);
    if (is_exact())
      return with_dumps ? sim.end_with_dumps(amounts, shares, job.work, from, done, dumps)
                        : sim.computed_by(amounts, shares, job.work, from, done);
    const Seconds longest = *std::ranges::max_element(amounts);
    const double rest = longest > 0 ? std::max(0.0, longest - done) / longest : 0;
    const Seconds run = run_time(sim, job.piece, shares, factor * rest);
    return from + run + (with_dumps ? time_of_dumps(run, dumps) : 0);
  }

  // The time at the announced speed, with the predicted availability.
  Seconds run_time(const Sim& sim, Seconds amount, HostId host) {
    const Seconds alone = amount * sim.view().platform()[host].speed / sim.view()[host].speed;
    if (how_.rates == Rates::nominal) return alone;
    return alone / std::max(kLeastAvailability, foretold(sim, sim.availability_of(host), host.index, 0));
  }

  struct Way {
    double rate = kNever;
    Seconds latency = 0;
  };
  // The predicted latency and bandwidth of the route, or of that from home to the cluster if it has no number; none if
  // there is no route.
  std::optional<Way> way_over(const Sim& sim, std::uint32_t number, ClusterId cluster) {
    const View& view = sim.view();
    if (const Links::Direct* direct = sim.links().direct(number); direct != nullptr)
      return Way{direct->bandwidth, direct->latency};
    std::span<const LinkId> route = sim.links().route(number);
    std::vector<LinkId> expected;
    if (route.empty()) {  // a link is down, which nobody need have been told
      std::vector<std::uint8_t> up;
      for (const LinkView& link : view.links()) up.push_back(link.up ? 1 : 0);
      expected = view.platform().route(cluster, up, view.now());
      route = expected;
    }
    if (route.empty()) return std::nullopt;
    Way way;
    for (const LinkId link : route) {
      if (view.platform()[link].implied) continue;
      const Rate &bandwidth = sim.bandwidth_of(link), &latency = sim.latency_of(link);
      if (how_.rates == Rates::nominal) {
        way.rate = std::min(way.rate, bandwidth.at(view.now()));
        way.latency += latency.at(view.now());
      } else {
        const double rate =
            std::max(kLeastBandwidth, foretold(sim, bandwidth, link.index, 1) * bandwidth.factor);
        way.rate = std::min(way.rate, rate / static_cast<double>(sim.sharing(link)));
        way.latency += foretold(sim, latency, link.index, 2);
      }
    }
    return way;
  }
  static Seconds sending_time(const Way& way, double bytes) { return bytes > 0 ? bytes / way.rate : 0; }

  Time sent(const Sim& sim, double bytes, ClusterId cluster, std::uint32_t route, Time start, double factor) {
    if (is_exact())
      return stretched(start, sim.sent_by(bytes, route, start + sim.links().latency_of(route, start)),
                       factor);
    const std::optional<Way> way = way_over(sim, route, cluster);
    return way ? start + factor * (way->latency + sending_time(*way, bytes)) : kNever;
  }

  // The end of a running computation of `amount` in all, from its measured progress.
  Time computed(const Sim& sim, Seconds amount, HostId host, ActivityId running) {
    const auto [done, since] = sim.progress_of(running);
    const Time from = std::max(sim.now(), since);
    const Seconds rest = std::max(0.0, amount - done);
    return is_exact() ? sim.computed_by(rest, host, from) : from + run_time(sim, rest, host);
  }
  Time moved(const Sim& sim, double bytes, ClusterId cluster, ActivityId running) {
    const auto [done, since] = sim.progress_of(running);
    const Time from = std::max(sim.now(), since);
    const double rest = std::max(0.0, bytes - done);
    if (is_exact()) return sim.sent_by(rest, sim.route_of(running), from);
    const std::optional<Way> way = way_over(sim, sim.route_of(running), cluster);
    return way ? from + sending_time(*way, rest) : kNever;
  }

  // `what`: a host's availability, a link's bandwidth, a link's latency.
  double foretold(const Sim& sim, const Rate& installed, std::uint32_t index, std::size_t what) {
    if (installed.profile.is_constant()) return installed.profile.at(0);
    std::vector<Sensor>& sensors = sensors_[what];
    if (index >= sensors.size()) sensors.resize(index + 1);
    return sensors[index].predict(installed.profile, installed.since, sim.now(), how_);
  }

  Information how_;
  Seconds overdue_;
  std::array<std::vector<Sensor>, 3> sensors_;
  std::vector<Observed> taken_;  // on each host
  Observed taken_anywhere_;
  std::array<Observed, 2> sent_;  // inwards, outwards
};

}  // namespace

Time Estimator::end_of(const Sim& sim, const Piece& whole, std::span<const Share> shares, Time start) {
  Time last = start;
  for (const Share& share : shares) last = std::max(last, end_of(sim, whole, share.host, start));
  return last;
}

Time Estimator::end_of(const Sim& sim, WorkId work, std::span<const Share> shares, Time start) {
  return end_of(sim, sim.view().workload().piece_on(work, shares), shares, start);
}

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

double long_run_mean(const Profile& profile) {
  if (!profile.is_periodic()) return profile.values().back();
  const Time from = profile.times()[profile.loop_begin()];
  return profile.integral(from, from + profile.period()) / profile.period();
}

std::unique_ptr<Estimator> estimator(const Information& information) {
  information.check();
  if (information.is_perfect()) return std::make_unique<Perfect>();
  return std::make_unique<Informed>(information);
}

std::unique_ptr<Estimator> perfect_estimator() { return std::make_unique<Perfect>(); }
std::unique_ptr<Estimator> declared_estimator() {
  return estimator({.amounts = Amounts::declared, .rates = Rates::nominal});
}

}  // namespace perigee::engine

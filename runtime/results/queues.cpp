#include "runtime/results/queues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "runtime/kernel/constants.h"
#include "runtime/results/resource_rows.h"

namespace perigee::results {
namespace {

// A stay at one place: it begins at `came`, goes into service at `taken` and ends at `left`. Each is a record
// of the trace; the trace's size stands for an event that has not happened.
struct Stay {
  std::uint32_t of;  // a work; at a host the serial of an activity
  HostId host;
  std::size_t came, taken, left;
  bool waits = true;
};

bool is_service(const Record& record) {
  return record.what == ActivityKind::compute || record.what == ActivityKind::chunk ||
         record.what == ActivityKind::hold;
}

// The stays at the scheduler, and in the system from arrival to settlement, of all works.
class AtScheduler {
 public:
  explicit AtScheduler(const Outcome& outcome)
      : trace_(outcome.trace), end_(trace_.size()), works_(outcome.scenario->workload->size()) {
    for (std::size_t i = 0; i < end_; ++i) take(i);
    for (std::size_t w = 0; w < works_.size(); ++w) {
      if (works_[w].since != kNone) leave(w, end_, end_);
      leave_system(w, end_);
    }
  }

  std::vector<Stay> stays, system;

 private:
  struct State {
    std::int32_t active = 0;                     // posted or running
    std::size_t since = kNone, arrived = kNone;  // since = kNone: it does not wait
    bool given_back = false;
  };

  void take(std::size_t i) {
    const Record& record = trace_[i];
    if (record.what == ActivityKind::think) return think(i);
    const std::size_t w = record.work.index;
    if (w >= works_.size()) return;
    State& work = works_[w];
    switch (record.kind) {
      case RecordKind::arrived:
        work.since = work.arrived = i;
        break;
      case RecordKind::finished:
      case RecordKind::rejected:
      case RecordKind::expired:
      case RecordKind::killed:
        if (work.since != kNone) leave(w, i, i);
        leave_system(w, i);
        break;
      case RecordKind::stranded:
        if (work.active == 0) give_back(work, i);
        break;
      case RecordKind::posted:
      case RecordKind::started:
        if (is_service(record) && is_first_of_activity(i)) begin(w, i);
        break;
      case RecordKind::withdrawn:
      case RecordKind::ended:
      case RecordKind::lost:
      case RecordKind::cancelled:
      case RecordKind::superseded:
        if (!is_service(record) || !is_first_of_activity(i)) break;
        --work.active;
        if (work.active == 0 && record.kind != RecordKind::ended) give_back(work, i);
        break;
      default:
        break;
    }
  }

  void think(std::size_t i) {
    if (trace_[i].kind == RecordKind::started) begun_ = i;
    if (trace_[i].kind == RecordKind::ended) {
      thought_ = begun_;
      over_ = trace_[i].time;
    }
  }

  // An activity has a record for each of its resources.
  bool is_first_of_activity(std::size_t i) const {
    return i == 0 || trace_[i - 1].activity != trace_[i].activity || trace_[i - 1].kind != trace_[i].kind;
  }

  // A service of the work is posted or begins.
  void begin(std::size_t w, std::size_t i) {
    const Record& record = trace_[i];
    State& work = works_[w];
    if (record.activity >= posted_.size()) posted_.resize(std::size_t{record.activity} * 2 + 16);
    if (!posted_[record.activity]) ++work.active;
    posted_[record.activity] = true;
    if (work.since == kNone || record.copy != 0) return;
    const bool was_thought_of = over_ == record.time && thought_ > work.since;
    leave(w, was_thought_of ? thought_ : i, i);
  }

  static void give_back(State& work, std::size_t i) {
    if (work.since == kNone) work = {0, i, work.arrived, true};
  }

  void leave(std::size_t w, std::size_t taken, std::size_t left) {
    State& work = works_[w];
    const Time came = trace_[work.since].time;
    const auto is_now = [&](std::size_t at) { return at < end_ && trace_[at].time == came; };
    if (!work.given_back || !is_now(left))
      stays.push_back(
          {static_cast<std::uint32_t>(w), {}, work.since, taken, left, !work.given_back || !is_now(taken)});
    work.since = kNone;
  }

  void leave_system(std::size_t w, std::size_t left) {
    const std::size_t arrived = std::exchange(works_[w].arrived, kNone);
    if (arrived != kNone) system.push_back({static_cast<std::uint32_t>(w), {}, arrived, left, left});
  }

  const Trace& trace_;
  const std::size_t end_;
  std::vector<State> works_;
  std::vector<bool> posted_;  // by serial
  std::size_t begun_ = end_,
              thought_ = end_;  // beginnings: of thinking under way, and of the last that is over
  Time over_ = kNaN;            // end of the last thinking
};

std::vector<Stay> at_hosts(const Outcome& outcome) {
  const Trace& trace = outcome.trace;
  const std::size_t end = trace.size();
  std::vector<Stay> stays;
  std::vector<std::size_t> by_serial;  // its first stay
  const auto find = [&](const Record& record) -> Stay* {
    if (record.activity >= by_serial.size()) return nullptr;
    for (std::size_t s = by_serial[record.activity]; s < stays.size() && stays[s].of == record.activity; ++s)
      if (stays[s].host == record.on.host()) return &stays[s];
    return nullptr;
  };
  for (std::size_t i = 0; i < end; ++i) {
    const Record& record = trace[i];
    if (!is_service(record) || !record.on.host().valid()) continue;
    Stay* stay = find(record);
    switch (record.kind) {
      case RecordKind::posted:
      case RecordKind::started:
        if (stay == nullptr) {
          if (record.activity >= by_serial.size())
            by_serial.resize(std::size_t{record.activity} * 2 + 16, std::numeric_limits<std::size_t>::max());
          std::size_t& first = by_serial[record.activity];
          first = std::min(first, stays.size());
          stay = &stays.emplace_back(Stay{record.activity, record.on.host(), i, end, end});
        }
        if (record.kind == RecordKind::started) stay->taken = i;
        break;
      case RecordKind::withdrawn:
        if (stay != nullptr) stay->taken = stay->left = i;
        break;
      case RecordKind::ended:
      case RecordKind::lost:
      case RecordKind::cancelled:
      case RecordKind::superseded:
        if (stay != nullptr) stay->left = i;
        break;
      default:
        break;
    }
  }
  return stays;
}

// The events at the places, in order.
struct Edge {
  std::size_t record;
  std::uint32_t stay;
  enum class What : std::uint8_t { comes, is_taken, leaves } what;
};

void gather(const Outcome& outcome, Time from, const std::vector<Stay>& stays, std::vector<QueueRow>& rows,
            const std::vector<std::uint32_t>& row_of) {
  using enum Edge::What;
  const Trace& trace = outcome.trace;
  std::vector<Edge> edges;
  edges.reserve(3 * stays.size());
  for (std::uint32_t s = 0; s < stays.size(); ++s) {
    edges.push_back({stays[s].came, s, comes});
    if (stays[s].taken < trace.size()) edges.push_back({stays[s].taken, s, is_taken});
    if (stays[s].left < trace.size()) edges.push_back({stays[s].left, s, leaves});
  }
  std::ranges::sort(edges, {}, [](const Edge& e) { return std::tuple(e.record, e.stay, e.what); });
  bool warm = false;
  const auto warm_up = [&] {
    for (QueueRow& row : rows) {
      row.length.reset(from);
      row.number.reset(from);
    }
    warm = true;
  };
  for (const Edge& edge : edges) {
    const Stay& stay = stays[edge.stay];
    const Time now = trace[edge.record].time, came = trace[stay.came].time;
    if (!warm && now >= from) warm_up();
    QueueRow& row = rows[row_of[edge.stay]];
    switch (edge.what) {
      case comes:
        if (warm) ++row.arrivals;
        row.number.set(now, row.number.value() + 1);
        if (stay.waits) row.length.set(now, row.length.value() + 1);
        break;
      case is_taken:
        if (!stay.waits) break;
        row.length.set(now, row.length.value() - 1);
        if (warm) row.wait.add(now - came);
        break;
      case leaves:
        row.number.set(now, row.number.value() - 1);
        if (warm) row.time.add(now - came);
        break;
    }
  }
  if (!warm) warm_up();
}

double off(const Observations& each, const TimeWeighted& number) {
  const double rate = static_cast<double>(each.count()) / number.period();
  if (!std::isfinite(rate)) return kNaN;
  return std::abs(littles_law(rate, each.count() > 0 ? each.mean() : 0, number.mean()).relative_difference());
}

}  // namespace

double QueueRow::littles_law() const {
  return id.valid() ? std::max(off(wait, length), off(time, number)) : off(time, number);
}

std::vector<QueueRow> queue_rows(const Outcome& outcome) {
  const Platform& platform = *outcome.scenario->platform;
  const Trace& trace = outcome.trace;
  std::size_t first = 0;
  while (first < trace.size() && trace[first].kind != RecordKind::arrived) ++first;
  const Time from = std::max(outcome.warmup, first < trace.size() ? trace[first].time : 0);
  const Time to = std::max(from, outcome.end);

  const auto hosts = static_cast<std::uint32_t>(platform.hosts().size());
  std::vector<QueueRow> rows(hosts + 2);
  rows.front().id = ResourceId::scheduler();
  for (std::uint32_t host = 0; host < hosts; ++host) rows[host + 1].id = ResourceId::of(HostId(host));
  for (QueueRow& row : rows) row.name = platform.name_of(row.id);
  rows.back().name = "all";

  AtScheduler scheduler(outcome);
  std::vector<Stay>& stays = scheduler.stays;
  std::vector<std::uint32_t> row_of(stays.size(), 0);
  for (const Stay& stay : at_hosts(outcome)) {
    stays.push_back(stay);
    row_of.push_back(stay.host.index + 1);
  }
  stays.insert(stays.end(), scheduler.system.begin(), scheduler.system.end());
  row_of.resize(stays.size(), hosts + 1);
  gather(outcome, from, stays, rows, row_of);

  double thinking = 0;
  for (const Execution& execution : executions(outcome).all)
    if (execution.kind == ActivityKind::think)
      thinking += std::max(0.0, std::min(execution.ended, to) - std::max(execution.started, from));
  const std::vector<ResourceRow> resources = resource_rows(outcome);
  for (QueueRow& row : rows) {
    row.length.advance(to);
    row.number.advance(to);
    const HostId host = row.id.host();
    row.utilization = host.valid()                  ? resources[host.index].utilization
                      : row.id.valid() && to > from ? thinking / (to - from)
                                                    : kNaN;
  }
  return rows;
}

Table queues(const Outcome& outcome) {
  Table table;
  const auto column = [&](std::string name, std::string unit) {
    table.columns.push_back(std::move(name));
    table.units.push_back(std::move(unit));
  };
  const auto columns = [&](const std::string& of, const std::string& unit) {
    for (const char* what : {"mean_", "sd_", "min_", "max_"}) column(what + of, unit);
  };
  column("queue", "");
  column("arrivals", "");
  column("waits", "");
  columns("wait", "s");
  columns("length", "");
  column("departures", "");
  columns("time", "s");
  columns("number", "");
  column("utilization", "");
  column("littles_law", "");
  for (const QueueRow& row : queue_rows(outcome)) {
    auto& cells = table.rows.emplace_back();
    const auto add = [&](const auto& of, bool known = true) {
      for (const double value : {of.mean(), of.sd(), of.min(), of.max()})
        cells.push_back(known ? Cell(value) : Cell());
    };
    const bool waits = row.id.valid();
    cells.emplace_back(row.name);
    cells.emplace_back(static_cast<double>(row.arrivals));
    cells.push_back(waits ? Cell(static_cast<double>(row.wait.count())) : Cell());
    add(row.wait, waits);
    add(row.length, waits);
    cells.emplace_back(static_cast<double>(row.time.count()));
    add(row.time);
    add(row.number);
    cells.push_back(waits ? Cell(row.utilization) : Cell());
    cells.emplace_back(row.littles_law());
  }
  return table;
}

std::vector<Seconds> scheduler_waits(const Outcome& outcome) {
  const Trace& trace = outcome.trace;
  std::vector<Seconds> waits(outcome.scenario->workload->size(), kNaN);
  const AtScheduler scheduler(outcome);
  for (const Stay& stay : scheduler.stays) {
    double& wait = waits[stay.of];
    if (std::isnan(wait)) wait = 0;
    if (stay.waits)
      wait += (stay.taken < trace.size() ? trace[stay.taken].time
                                         : std::max(outcome.end, trace[stay.came].time)) -
              trace[stay.came].time;
  }
  return waits;
}

}  // namespace perigee::results

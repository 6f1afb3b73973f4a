#include "tests/support/scenarios.h"
#include "tests/support/layers.h"

#include <algorithm>

#include "tests/support/toys.h"

namespace perigee::test {

Story& Story::work(double time, RecordKind kind, std::uint32_t work, Reason why) {
  Record record;
  record.time = time;
  record.kind = kind;
  record.work = WorkId(work);
  record.why = why;
  records.push_back(record);
  return *this;
}

Story& Story::on(double time, RecordKind kind, ResourceId resource, Reason why) {
  Record record;
  record.time = time;
  record.kind = kind;
  record.on = resource;
  record.why = why;
  records.push_back(record);
  return *this;
}

Story& Story::note(double time, std::string name, std::vector<double> values) {
  Record record;
  record.time = time;
  record.kind = RecordKind::note;
  record.file = FileId(notes.size());
  records.push_back(record);
  notes.push_back({time, std::move(name), std::move(values)});
  return *this;
}

Story& Story::activity(double time, RecordKind kind, Record what, const std::vector<ResourceId>& resources,
                       Reason why) {
  what.time = time;
  what.kind = kind;
  what.why = why;
  for (const ResourceId resource : resources) {
    what.on = resource;
    records.push_back(what);
  }
  return *this;
}

Story& Story::compute(std::uint32_t serial, std::uint32_t work, std::uint32_t host, double from, double to,
                      RecordKind how, std::int32_t cores, bool copy) {
  Record what;
  what.activity = serial;
  what.what = ActivityKind::compute;
  what.work = WorkId(work);
  what.size = 1;
  what.cores = cores;
  what.copy = copy ? 1 : 0;
  const std::vector<ResourceId> on{ResourceId::of(HostId(host))};
  activity(from, RecordKind::started, what, on);
  return activity(to, how, what, on, how == RecordKind::lost ? Reason::outage : Reason::none);
}

Story& Story::wide(std::uint32_t serial, std::uint32_t work, const std::vector<std::uint32_t>& hosts,
                   double from, double to, std::int32_t cores, RecordKind how, Reason why) {
  Record what;
  what.activity = serial;
  what.what = ActivityKind::compute;
  what.work = WorkId(work);
  what.size = 1;
  what.cores = cores;
  std::vector<ResourceId> on;
  for (const std::uint32_t host : hosts) on.push_back(ResourceId::of(HostId(host)));
  activity(from, RecordKind::started, what, on);
  return activity(to, how, what, on, how == RecordKind::lost && why == Reason::none ? Reason::outage : why);
}

Story& Story::piece(std::uint32_t serial, std::uint32_t work, double first, double size, std::uint32_t host,
                    double from, double to, RecordKind how) {
  Record what;
  what.activity = serial;
  what.what = ActivityKind::compute;
  what.work = WorkId(work);
  what.first = first;
  what.size = size;
  what.cores = 1;
  const std::vector<ResourceId> on{ResourceId::of(HostId(host))};
  activity(from, RecordKind::started, what, on);
  return activity(to, how, what, on);
}

Story& Story::transfer(std::uint32_t serial, std::uint32_t file, std::uint32_t link, double from, double to,
                       ActivityKind direction, RecordKind how) {
  Record what;
  what.activity = serial;
  what.what = direction;
  what.file = FileId(file);
  what.size = scenario->workload->files[file].size;
  if (direction == ActivityKind::transfer_out)
    for (std::size_t w = 0; w < scenario->workload->size(); ++w)
      for (const FileId output : scenario->workload->outputs(WorkId(w)))
        if (output == what.file) what.work = WorkId(w);
  const std::vector<ResourceId> on{ResourceId::of(LinkId(link))};
  activity(from, RecordKind::started, what, on);
  return activity(to, how, what, on);
}

Story& Story::sort() {
  const auto phase = [](const Record& r) {
    switch (r.kind) {
      case RecordKind::mark:
        return 0;
      case RecordKind::ended:
        return r.what == ActivityKind::hold ? 2 : 1;
      case RecordKind::superseded:
        return 2;
      case RecordKind::finished:
        return 3;
      case RecordKind::missed:
        return 4;
      case RecordKind::up:
      case RecordKind::down:
      case RecordKind::joined:
      case RecordKind::left:
      case RecordKind::changed:
        return 5;
      case RecordKind::lost:
      case RecordKind::cancelled:
        return 6;
      case RecordKind::arrived:
        return 7;
      case RecordKind::posted:
        return 8;
      default:
        return 9;
    }
  };
  std::stable_sort(records.begin(), records.end(), [&](const Record& a, const Record& b) {
    return a.time != b.time ? a.time < b.time : phase(a) < phase(b);
  });
  return *this;
}

Outcome Story::outcome() const {
  Outcome outcome;
  outcome.scenario = scenario;
  outcome.policy = policy;
  outcome.status = status;
  outcome.trace = Trace(level);
  outcome.works = std::vector<WorkState>(scenario->workload->size(), WorkState::future);
  for (const Record& record : records) {
    if (record.kind == RecordKind::note)
      outcome.trace.add(notes[record.file.index]);
    else
      outcome.trace.add(record);
    if (record.time > outcome.end) outcome.end = record.time;
    if (!record.work.valid() || record.work.index >= outcome.works.size()) continue;
    WorkState& state = outcome.works[record.work.index];
    if (record.kind == RecordKind::arrived) state = WorkState::waiting;
    if (record.kind == RecordKind::finished) state = WorkState::finished;
    if (record.kind == RecordKind::rejected) state = WorkState::rejected;
    if (record.kind == RecordKind::expired) state = WorkState::expired;
    if (record.kind == RecordKind::killed) state = WorkState::killed;
  }
  if (end >= 0) outcome.end = end;
  if (!states.empty()) outcome.works = states;
  outcome.events = records.size();
  outcome.physical = outcome.trace.physical();
  outcome.full = outcome.trace.full();
  return outcome;
}

std::shared_ptr<Scenario> four_jobs() {
  PlatformSpec::ClusterSpec cluster = cluster_of({1, 2}, "a");
  cluster.hosts[0].cores = 2;
  auto workload = std::make_shared<Workload>();
  const auto add = [&](double arrival, std::int32_t cores, double operations, double deadline = kNever) {
    Work work;
    work.kind = WorkKind::job;
    work.form = TimeForm::operations;
    work.amount = work.estimate = operations;
    work.arrival = arrival;
    work.cores = cores;
    work.deadline = deadline;
    workload->works.push_back(work);
  };
  add(0, 1, 10);
  add(0, 2, 4);
  add(3, 1, 6);
  add(5, 1, 20, 16);
  return scenario_of(platform_of({cluster}), workload);
}

Story four_jobs_story() {
  Story story(four_jobs());
  const double arrivals[] = {0, 0, 3, 5};
  for (std::uint32_t w = 0; w < 4; ++w) story.work(arrivals[w], RecordKind::arrived, w);
  story.compute(1, 0, 1, 0, 5).compute(2, 1, 0, 0, 4, RecordKind::ended, 2);
  story.compute(3, 2, 0, 4, 10).compute(4, 3, 1, 5, 15);
  const double finishes[] = {5, 4, 10, 15};
  for (std::uint32_t w = 0; w < 4; ++w) story.work(finishes[w], RecordKind::finished, w);
  return story.sort();
}

std::shared_ptr<Workload> wide_jobs(const std::vector<WideSpec>& jobs) {
  auto workload = std::make_shared<Workload>();
  for (const WideSpec& job : jobs) {
    Work work;
    work.kind = WorkKind::job;
    work.form = TimeForm::operations;
    work.amount = work.estimate = 1;
    work.arrival = job.arrival;
    work.cores = job.cores;
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    workload->works.push_back(work);
    WorkExtra& extra = workload->extras.emplace_back();
    extra.shape.nodes = job.nodes;
    extra.shape.exclusive = job.exclusive;
    extra.limit = job.limit;
  }
  return workload;
}

}  // namespace perigee::test

#include "runtime/results/validator.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "runtime/kernel/random.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using Lines = std::vector<std::string>;

// True if some line contains the whole text.
bool validator_says(const Lines& lines, const std::string& text) {
  for (const std::string& line : lines)
    if (line.find(text) != std::string::npos) return true;
  return false;
}

struct Doctored {
  std::string text;  // the validator must say this
  std::function<void(Story&)> damage;
};

void check_all(const Story& valid, const std::vector<Doctored>& all) {
  REQUIRE(validate(valid.outcome()) == Lines{});
  for (const Doctored& each : all) {
    Story story = valid;
    each.damage(story);
    const Lines lines = validate(story.outcome());
    INFO("expected: " << each.text);
    for (const std::string& line : lines) UNSCOPED_INFO(line);
    CHECK(validator_says(lines, each.text));
  }
}

// The n-th record, from 0, of a kind of an activity or work.
Record& record(Story& story, RecordKind kind, std::uint32_t serial, std::size_t which = 0) {
  for (Record& r : story.records)
    if (r.kind == kind && r.activity == serial && which-- == 0) return r;
  throw std::logic_error("no such record");
}
Record& work_record(Story& story, RecordKind kind, std::uint32_t work) {
  for (Record& r : story.records)
    if (r.kind == kind && r.work == WorkId(work) && r.activity == 0) return r;
  throw std::logic_error("no such record");
}
void erase(Story& story, const Record& r) {
  story.records.erase(story.records.begin() + (&r - story.records.data()));
}

// Moves an activity and everything that follows from it, later or earlier.
void shift(Story& story, std::uint32_t serial, double by) {
  for (Record& r : story.records)
    if (r.activity == serial) r.time += by;
}

ResourceId the_host(std::uint32_t h) { return ResourceId::of(HostId(h)); }
ResourceId link(std::uint32_t l) { return ResourceId::of(LinkId(l)); }

constexpr auto kStarted = RecordKind::started;
constexpr auto kEnded = RecordKind::ended;

}  // namespace

TEST_CASE("only full traces can be validated") {
  Story story = four_jobs_story();
  story.level = TraceLevel::work;
  CHECK_THROWS_WITH(validate(story.outcome()), Catch::Contains("level 'work'"));
}

TEST_CASE("jobs: time, works, capacity, pieces, durations") {
  check_all(
      four_jobs_story(),
      {
          {"goes back in time", [](Story& s) { std::swap(s.records[5].time, s.records.back().time); }},
          {"is at no time", [](Story& s) { s.records[2].time = kNever; }},
          {"names a host that the scenario does not have",
           [](Story& s) { record(s, kStarted, 1).on = the_host(7); }},
          {"names a work that the scenario does not have",
           [](Story& s) { record(s, kStarted, 1).work = WorkId(9); }},
          {"the run ended before, at 3", [](Story& s) { s.end = 3; }},
          {"but it is submitted at 3",
           [](Story& s) {
             work_record(s, RecordKind::arrived, 2).time = 2;
             s.sort();
           }},
          {"job 1 arrives twice", [](Story& s) { s.work(1, RecordKind::arrived, 0).sort(); }},
          {"t = 4: activity 3 (compute of job 3 on a.1): it starts before its work arrived",
           [](Story& s) {
             work_record(s, RecordKind::arrived, 2).time = 4.5;
             s.sort();
           }},
          {"job 3 is 'future' in the outcome, but in the trace it arrived",
           [](Story& s) {
             s.states.assign(4, WorkState::finished);
             s.states[2] = WorkState::future;
           }},
          {"job 4 is finished after it was finished", [](Story& s) { s.work(15, RecordKind::finished, 3); }},
          {"job 1 is rejected after it was finished", [](Story& s) { s.work(15, RecordKind::rejected, 0); }},
          {"job 4 is complete, but not reported as finished",
           [](Story& s) { erase(s, work_record(s, RecordKind::finished, 3)); }},
          {"the run is complete, but job 4 is 'waiting'",
           [](Story& s) { erase(s, work_record(s, RecordKind::finished, 3)); }},
          {"job 3 is finished, but of its size 1 only 0 is done",
           [](Story& s) { record(s, kEnded, 3).kind = RecordKind::cancelled; }},
          {"job 3 is finished, but it was complete at 10",
           [](Story& s) {
             work_record(s, RecordKind::finished, 2).time = 11;
             s.sort();
           }},
          {"it starts after its work was rejected",
           [](Story& s) { s.work(4.5, RecordKind::rejected, 3).work(4.4, RecordKind::arrived, 3).sort(); }},
          // capacity
          {"it needs 1 cores, but 2 of the 2 of host 'a.1' are in use",
           [](Story& s) {
             shift(s, 3, -0.5);
             s.sort();
           }},
          {"it has 1 cores, the job asks for 2",
           [](Story& s) { record(s, kStarted, 2).cores = record(s, kEnded, 2).cores = 1; }},
          // life of an activity
          {"activity 1 (compute of job 1 on a.2): it starts twice",
           [](Story& s) {
             Record again = record(s, kStarted, 1);
             again.time = 2;
             s.records.push_back(again);
             s.sort();
           }},
          {"it is ended, but never started", [](Story& s) { erase(s, record(s, kStarted, 1)); }},
          {"it is cancelled after it was over",
           [](Story& s) {
             Record again = record(s, kEnded, 1);
             again.kind = RecordKind::cancelled;
             again.time = 6;
             s.records.push_back(again);
             s.sort();
           }},
          {"it gives back other resources than it took (a.1)",
           [](Story& s) { record(s, kEnded, 1).on = the_host(0); }},
          {"disagrees with the one before", [](Story& s) { record(s, kEnded, 1).work = WorkId(1); }},
          {"it is withdrawn, but was never posted",
           [](Story& s) {
             Record r = record(s, kStarted, 1);
             r.activity = 77;
             r.kind = RecordKind::withdrawn;
             s.records.push_back(r);
             s.records.back().time = 15;
           }},
          {"an activity of its kind does not use these resources",
           [](Story& s) {
             for (Record& r : s.records)
               if (r.activity == 1) r.on = ResourceId::scheduler();
           }},
          // pieces
          {"activity 1 computes the same piece",
           [](Story& s) { s.compute(9, 0, 0, 4, 5, RecordKind::cancelled).sort(); }},
          {"it starts after its work was finished", [](Story& s) { s.compute(9, 0, 0, 10, 15).sort(); }},
          {"it is a copy of nothing that runs",
           [](Story& s) { record(s, kStarted, 3).copy = record(s, kEnded, 3).copy = 1; }},
          {"its work has no parts",
           [](Story& s) { record(s, kStarted, 3).size = record(s, kEnded, 3).size = 0.5; }},
          {"it is superseded, but nothing else finished its piece now",
           [](Story& s) { s.compute(9, 2, 0, 4, 9, RecordKind::superseded, 1, true).sort(); }},
          // durations: relative to 1e-9 they must be right
          {"it ran from 5 to 15.0001 (10.0001 s), but it takes until 15 (10 s)",
           [](Story& s) {
             record(s, kEnded, 4).time = work_record(s, RecordKind::finished, 3).time = 15.0001;
           }},
          {"it ran from 5 to 14.9999999",
           [](Story& s) {
             record(s, kEnded, 4).time = work_record(s, RecordKind::finished, 3).time = 14.9999999;
           }},
      });
}

TEST_CASE("what is cancelled or still runs must not be overdue") {
  Story story = four_jobs_story();
  std::erase_if(story.records,
                [](const Record& r) { return r.work == WorkId(3) && r.kind == RecordKind::finished; });
  story.status = RunStatus::horizon;
  record(story, kEnded, 4).kind = RecordKind::cancelled;
  check_all(story, {{"it is cancelled, but should have ended at 15",
                     [](Story& s) { record(s, RecordKind::cancelled, 4).time = 16; }},
                    {"it is running, but should have ended at 15", [](Story& s) {
                       erase(s, record(s, RecordKind::cancelled, 4));
                       s.end = 16;
                     }}});
}

TEST_CASE("deadlines") {
  Story story = four_jobs_story();
  shift(story, 4, 2);  // [7, 17), the deadline is 16
  work_record(story, RecordKind::finished, 3).time = 17;
  story.work(17, RecordKind::missed, 3, Reason::deadline).sort();
  check_all(story, {{"job 4 missed its deadline 16, which is not reported",
                     [](Story& s) { erase(s, work_record(s, RecordKind::missed, 3)); }},
                    {"job 1 is said to miss its deadline inf",
                     [](Story& s) { s.work(5, RecordKind::missed, 0).sort(); }}});
}

TEST_CASE("copies: the first to end wins") {
  Story story = four_jobs_story();
  // job 3 is copied from a.1 to ... a.1 as well, on the core that is left
  story.compute(9, 2, 0, 5, 10, RecordKind::superseded, 1, true).sort();
  check_all(story,
            {{"activity 3 computes the same piece",
              [](Story& s) { record(s, kStarted, 9).copy = record(s, RecordKind::superseded, 9).copy = 0; }},
             {"[0, 1) of it is finished twice",
              [](Story& s) { record(s, RecordKind::superseded, 9).kind = kEnded; }},
             {"is superseded, but nothing else", [](Story& s) {
                record(s, RecordKind::superseded, 9).time = 9.5;
                s.sort();
              }}});
}

TEST_CASE("exclusive hosts serve one activity at a time") {
  Story story = four_jobs_story();
  auto scenario = std::make_shared<Scenario>(*story.scenario);
  PlatformSpec::ClusterSpec cluster = cluster_of({1, 2}, "a");
  cluster.hosts[0].cores = 2;
  scenario->platform = platform_of({cluster});
  Story pair(scenario);
  const double arrivals[] = {0, 0, 3, 5};
  for (std::uint32_t w = 0; w < 4; ++w) pair.work(arrivals[w], RecordKind::arrived, w);
  pair.compute(1, 0, 0, 3, 13)
      .compute(2, 2, 0, 4, 10)
      .work(13, RecordKind::finished, 0)
      .work(10, RecordKind::finished, 2);
  pair.work(1, RecordKind::rejected, 1).work(6, RecordKind::rejected, 3).sort();
  REQUIRE(validate(pair.outcome()) == Lines{});
  cluster.hosts[0].exclusive = true;
  scenario->platform = platform_of({cluster});
  CHECK(validator_says(validate(pair.outcome()), "host 'a.1' serves one activity at a time, now 1"));
}

namespace {

// One task on c.1: file 1 (20 B) in, 5 s, file 2 (10 B) out, over a link of 10 B/s and 1 s latency.
Story files_story(Sharing sharing = Sharing::exclusive) {
  auto workload = tasks_of({{5}});
  workload->files = {{"in", 20, 20}, {"out", 10, 10}};
  workload->file_lists = {FileId(0), FileId(1)};
  workload->works[0].inputs = 0;
  workload->works[0].input_count = 1;
  workload->works[0].outputs = 1;
  workload->works[0].output_count = 1;
  Story story(scenario_of(platform_of({with_link(cluster_of({1}), 10, 1, sharing),
                                       with_link(cluster_of({1}, "d"), 10, 1, sharing)}),
                          workload));
  story.work(0, RecordKind::arrived, 0).transfer(1, 0, 0, 0, 3).compute(2, 0, 0, 3, 8);
  story.transfer(3, 1, 0, 8, 10, ActivityKind::transfer_out).work(10, RecordKind::finished, 0);
  return story.sort();
}

}  // namespace

TEST_CASE("files are there before they are used") {
  check_all(
      files_story(),
      {
          {"its input 'in' is not in the store of cluster 'c'",
           [](Story& s) {
             shift(s, 2, -0.5);
             s.sort();
           }},
          {"its input 'in' is not in the store of cluster 'c'",
           [](Story& s) {
             for (Record& r : s.records)
               if (r.activity == 1) r.on = link(1);
           }},
          {"the file is not in the store of cluster 'c'",
           [](Story& s) {
             shift(s, 3, -0.5);
             s.sort();
           }},
          {"the file is not in the store of cluster 'd'",
           [](Story& s) {
             for (Record& r : s.records)
               if (r.activity == 3) r.on = link(1);
           }},
          {"task 1 is finished, but its output 'out' is not home",
           [](Story& s) {
             erase(s, record(s, kStarted, 3));
             erase(s, record(s, kEnded, 3));
           }},
          {"activity 1 (transfer_in of file 'in' on c.link): it moves 30 B, the file has 20 B",
           [](Story& s) { record(s, kStarted, 1).size = record(s, kEnded, 1).size = 30; }},
          {"link 'c.link' carries one transfer at a time, now activity 3",
           [](Story& s) {
             s.transfer(9, 0, 0, 9, 10, ActivityKind::transfer_in, RecordKind::cancelled).sort();
           }},
          {"cluster 'c' has the file already", [](Story& s) { s.transfer(9, 0, 0, 3, 6).sort(); }},
          {"the origin has the file already",
           [](Story& s) { s.transfer(9, 1, 0, 8, 10, ActivityKind::transfer_out).sort(); }},
          {"it ran from 8 to 9.5",
           [](Story& s) { record(s, kEnded, 3).time = work_record(s, RecordKind::finished, 0).time = 9.5; }},
          {"the origin does not have the file",
           [](Story& s) {
             for (Record& r : s.records)
               if (r.activity == 1) {
                 r.file = FileId(1);
                 r.size = 10;
               }
           }},
          {"its links are no way from the origin to a cluster",
           [](Story& s) {
             Record second = record(s, kStarted, 1);
             second.on = link(1);
             s.records.insert(s.records.begin() + 1, second);
           }},
      });
}

TEST_CASE("transfers on fair links are checked against those that share them") {
  // A: 20 B from 0, data from 1. B: 20 B from 2, data from 3. Until 3 A moves 20 B: no overlap yet ...
  // ... with 40 B: 20 B alone in [1, 3), then 5 B/s each; A's other 20 B until 7, B's 20 B until 7 as well.
  auto workload = tasks_of({});
  workload->files = {{"a", 40, 40}, {"b", 20, 20}};
  Story story(scenario_of(platform_of({with_link(cluster_of({1}), 10, 1, Sharing::fair)}), workload));
  story.transfer(1, 0, 0, 0, 7).transfer(2, 1, 0, 2, 7).sort();
  check_all(story, {{"activity 2 (transfer_in of file 'b' on c.link): it ran from 2 to 6",
                     [](Story& s) {
                       record(s, kEnded, 2).time = 6;
                       s.sort();
                     }},
                    {"activity 1 (transfer_in of file 'a' on c.link): it ran", [](Story& s) {
                       record(s, kEnded, 1).time = 5;
                       s.sort();
                     }}});
  // B is cancelled at 5: A has 10 B left and takes a second.
  Story cancelled(story.scenario);
  cancelled.transfer(1, 0, 0, 0, 6)
      .transfer(2, 1, 0, 2, 5, ActivityKind::transfer_in, RecordKind::cancelled)
      .sort();
  CHECK(validate(cancelled.outcome()) == Lines{});
}

namespace {

// 10 s of work on c.1; the host is away in [4, 6).
std::shared_ptr<Scenario> outage_scenario(OnFailure rule, Cause cause = Cause::outage,
                                          bool announced = true) {
  auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{10}}));
  Happening down = happening(4, HappeningKind::down, the_host(0), cause),
            up = happening(6, HappeningKind::up, the_host(0), cause);
  down.announced = up.announced = announced;
  scenario->happenings = {down, up};
  scenario->compute_rule = rule;
  return scenario;
}
Story with_outage(std::shared_ptr<Scenario> scenario, Reason why = Reason::outage) {
  Story story(scenario);
  story.work(0, RecordKind::arrived, 0)
      .on(4, RecordKind::down, the_host(0), why)
      .on(6, RecordKind::up, the_host(0), why);
  return story;
}

}  // namespace

TEST_CASE("a host that comes back before one of its outages is over is noticed") {
  auto scenario = outage_scenario(OnFailure::resumed);
  scenario->happenings[0].outage = scenario->happenings[1].outage = 0;
  Happening down = happening(3, HappeningKind::down, the_host(0)),
            up = happening(8, HappeningKind::up, the_host(0));
  down.outage = up.outage = 1;
  scenario->happenings.insert(scenario->happenings.end(), {down, up});
  const auto away_until = [&](Time until) {
    Story story(scenario);
    story.work(0, RecordKind::arrived, 0)
        .on(3, RecordKind::down, the_host(0), Reason::outage)
        .on(until, RecordKind::up, the_host(0), Reason::outage)
        .compute(1, 0, 0, 0, until + 7)
        .work(until + 7, RecordKind::finished, 0)
        .sort();
    return validate(story.outcome());
  };
  CHECK(away_until(8) == Lines{});
  CHECK(away_until(6) == Lines{"t = 6: 'c.1' is up again inside its outage [3, 8)"});
}

TEST_CASE("a computation that begins anew after an outage without length takes all of its time") {
  auto scenario = outage_scenario(OnFailure::restarted);
  scenario->happenings[1].at = 4;
  const auto until = [&](Time end) {
    Story story(scenario);
    story.work(0, RecordKind::arrived, 0)
        .on(4, RecordKind::down, the_host(0), Reason::outage)
        .on(4, RecordKind::up, the_host(0), Reason::outage)
        .compute(1, 0, 0, 0, end)
        .work(end, RecordKind::finished, 0)
        .sort();
    return validate(story.outcome()).size();
  };
  CHECK(until(14) == 0);
  CHECK(until(10) == 1);
}

TEST_CASE("what an outage interrupts follows the rule of the scenario") {
  Story lost = with_outage(outage_scenario(OnFailure::lost));
  lost.compute(1, 0, 0, 0, 4, RecordKind::lost)
      .compute(2, 0, 0, 6, 16)
      .work(16, RecordKind::finished, 0)
      .sort();
  check_all(lost,
            {{"goes on although 'c.1' went down",
              [](Story& s) {
                record(s, RecordKind::lost, 1).time = 4.5;
                s.sort();
              }},
             {"it starts while 'c.1' is away",
              [](Story& s) {
                shift(s, 2, -1);
                s.sort();
              }},
             {"the outage of 'c.1' is not in the trace",
              [](Story& s) {
                std::erase_if(s.records, [](const Record& r) {
                  return r.kind == RecordKind::down || r.kind == RecordKind::up;
                });
              }},
             {"none of its resources went away or came back now",
              [](Story& s) {
                record(s, RecordKind::lost, 1).time = 3;
                s.sort();
              }},
             {"host 'c.1' is down already", [](Story& s) { s.on(5, RecordKind::down, the_host(0)).sort(); }},
             {"it ends well while 'c.1' is away", [](Story& s) {
                record(s, RecordKind::lost, 1).kind = kEnded;
                record(s, kEnded, 1).time = 5;
                s.sort();
              }}});

  Story resumed = with_outage(outage_scenario(OnFailure::resumed));
  resumed.compute(1, 0, 0, 0, 12).work(12, RecordKind::finished, 0).sort();
  check_all(resumed, {{"it ran from 0 to 10 (10 s), but it takes until 12", [](Story& s) {
                         record(s, kEnded, 1).time = work_record(s, RecordKind::finished, 0).time = 10;
                         s.sort();
                       }}});

  Story restarted = with_outage(outage_scenario(OnFailure::restarted));
  restarted.compute(1, 0, 0, 0, 16).work(16, RecordKind::finished, 0).sort();
  check_all(restarted, {{"but it takes until 16", [](Story& s) {
                           record(s, kEnded, 1).time = work_record(s, RecordKind::finished, 0).time = 12;
                           s.sort();
                         }}});
}

TEST_CASE("an outage that nobody is told of shows when it is over") {
  Story story = with_outage(outage_scenario(OnFailure::lost, Cause::outage, false));
  story.compute(1, 0, 0, 0, 6, RecordKind::lost)
      .compute(2, 0, 1, 6, 16)
      .work(16, RecordKind::finished, 0)
      .sort();
  check_all(story, {{"goes on although 'c.1' had been down", [](Story& s) {
                       record(s, RecordKind::lost, 1).time = 7;
                       shift(s, 2, 1);
                       work_record(s, RecordKind::finished, 0).time = 17;
                       s.sort();
                     }}});
}

TEST_CASE("what starts on a host that nobody knows is down waits with its set-up") {
  auto scenario = outage_scenario(OnFailure::resumed, Cause::outage, false);
  PlatformSpec::ClusterSpec cluster = cluster_of({1, 1});
  cluster.hosts[0].setup = 1;
  scenario->platform = platform_of({cluster});
  Story story = with_outage(scenario);
  story.compute(1, 0, 0, 5, 17).work(17, RecordKind::finished, 0).sort();
  check_all(story, {{"it ran from 5 to 16 (11 s), but it takes until 17", [](Story& s) {
                       record(s, kEnded, 1).time = work_record(s, RecordKind::finished, 0).time = 16;
                     }}});
}

TEST_CASE("work of no length stands still on a host that nobody knows is down") {
  auto scenario = outage_scenario(OnFailure::resumed, Cause::outage, false);
  scenario->workload = tasks_of({{0}});
  Story story = with_outage(scenario);
  story.compute(1, 0, 0, 5, 6).work(6, RecordKind::finished, 0);
  std::rotate(story.records.begin() + 2, story.records.begin() + 3,
              story.records.begin() + 4);  // it starts, it is up
  check_all(story, {{"it ran from 5 to 5.5 (0.5 s), but it takes until 6", [](Story& s) {
                       record(s, kEnded, 1).time = work_record(s, RecordKind::finished, 0).time = 5.5;
                       s.sort();
                     }}});
  // It may be over before the outage begins in the same instant, and not long after that.
  Story before(scenario);
  before.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 4, 4).work(4, RecordKind::finished, 0);
  before.on(4, RecordKind::down, the_host(0), Reason::outage)
      .on(6, RecordKind::up, the_host(0), Reason::outage);
  CHECK(validate(before.outcome()) == Lines{});
}

TEST_CASE("whole periods of a profile are skipped") {
  // 1 and 0.5 in turn every 1 ms: 0.75 op/s in the long run.
  PlatformSpec::ClusterSpec cluster = cluster_of({1});
  cluster.hosts[0].availability = Profile::circular({1, 0.5}, 0.001);
  Story story(scenario_of(platform_of({cluster}), tasks_of({{36000}})));
  story.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 0, 48000).work(48000, RecordKind::finished, 0);
  check_all(story, {{"but it takes until 48000", [](Story& s) {
                       record(s, kEnded, 1).time = work_record(s, RecordKind::finished, 0).time = 47999;
                     }}});
  // Three files of 3000 B share a link of 30 and 60 B/s in turn: 15 B/s each, all until 200.
  auto workload = tasks_of({});
  workload->files = {{"a", 3000, 3000}, {"b", 3000, 3000}, {"c", 3000, 3000}};
  cluster = with_link(cluster_of({1}), 1, 0, Sharing::fair);
  cluster.link.bandwidth = Profile::circular({30, 60}, 1e-6);
  Story files(scenario_of(platform_of({cluster}), workload));
  files.transfer(1, 0, 0, 0, 200).transfer(2, 1, 0, 0, 200).transfer(3, 2, 0, 0, 200).sort();
  check_all(files, {{"it ran from 0 to 199", [](Story& s) {
                       record(s, kEnded, 3).time = 199;
                       s.sort();
                     }}});
}

TEST_CASE("reserved hosts are free of other work") {
  Story story = with_outage(outage_scenario(OnFailure::lost, Cause::reservation), Reason::reservation);
  story.compute(1, 0, 0, 0, 4, RecordKind::lost)
      .compute(2, 0, 0, 6, 16)
      .work(16, RecordKind::finished, 0)
      .sort();
  check_all(story, {{"(compute of task 1 on c.1): 'c.1' is reserved in [4, 6)",
                     [](Story& s) {
                       shift(s, 2, -1);
                       s.sort();
                     }},
                    {"'c.1' is reserved in [4, 6)",
                     [](Story& s) {
                       record(s, RecordKind::lost, 1).time = 5;
                       s.sort();
                     }},
                    {"'c.1' is up again inside its reservation [4, 6)", [](Story& s) {
                       for (Record& r : s.records)
                         if (r.kind == RecordKind::up) r.time = 5;
                       s.sort();
                     }}});
}

TEST_CASE("what leaves takes its work with it, and starts nothing until it joins") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{3}}));
  scenario->happenings = {happening(2, HappeningKind::leave, the_host(0), Cause::membership),
                          happening(5, HappeningKind::join, the_host(0), Cause::membership)};
  scenario->compute_rule = OnFailure::resumed;
  Story story(scenario);
  story.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 0, 2, RecordKind::lost);
  story.on(2, RecordKind::left, the_host(0), Reason::membership)
      .on(5, RecordKind::joined, the_host(0), Reason::membership);
  story.compute(2, 0, 0, 5, 8).work(8, RecordKind::finished, 0).sort();
  check_all(story, {{"goes on although 'c.1' left",
                     [](Story& s) {
                       record(s, RecordKind::lost, 1).time = 4;
                       s.sort();
                     }},
                    {"it starts while 'c.1' is away",
                     [](Story& s) {
                       shift(s, 2, -1);
                       s.sort();
                     }},
                    {"host 'c.1' is joined already",
                     [](Story& s) { s.on(6, RecordKind::joined, the_host(0)).sort(); }}});
}

TEST_CASE("set-up, availability, and changes of speed") {
  // setup 1, availability 1 until 4 and 0.5 from then on; at 8 the speed becomes twice the nominal one.
  // 10 op from 0: [1, 4) 3, [4, 8) 2, then 1 op/s: until 13.
  PlatformSpec::ClusterSpec cluster = cluster_of({1});
  cluster.hosts[0].setup = 1;
  cluster.hosts[0].availability = Profile::steps({0, 4}, {1, 0.5});
  auto scenario = scenario_of(platform_of({cluster}), tasks_of({{10}}));
  Happening change = happening(8, HappeningKind::change, the_host(0), Cause::change);
  change.factor = 2;
  scenario->happenings = {change};
  Story story(scenario);
  story.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 0, 13).work(13, RecordKind::finished, 0);
  story.on(8, RecordKind::changed, the_host(0), Reason::change).sort();
  const auto end_at = [](double t) {
    return [t](Story& s) {
      record(s, kEnded, 1).time = work_record(s, RecordKind::finished, 0).time = t;
      s.sort();
    };
  };
  check_all(story, {{"but it takes until 13 (13 s)", end_at(12)},
                    {"but it takes until 13 (13 s)", end_at(13.000001)},
                    {"the change of 'c.1' is not in the trace", [](Story& s) {
                       std::erase_if(s.records,
                                     [](const Record& r) { return r.kind == RecordKind::changed; });
                     }}});

  // A whole new profile, anchored at its change: from 8 on 0 for 2 s, then 1: 5 op left, until 15.
  scenario->happenings[0].factor = 1;
  scenario->happenings[0].profile = 0;
  scenario->profiles = {Profile::steps({0, 2}, {0, 1})};
  Story anchored = story;
  end_at(15)(anchored);
  check_all(anchored, {{"but it takes until 15", end_at(13)}});
  // Work that is done when the standstill begins ends then, and not after it.
  scenario->workload = tasks_of({{5}});
  end_at(8)(anchored);
  check_all(anchored, {{"but it takes until 8", end_at(9)}});
}

TEST_CASE("packages of a sweep do not overlap and add up") {
  auto workload = std::make_shared<Workload>();
  Work sweep;
  sweep.kind = WorkKind::sweep;
  sweep.amount = 1;
  sweep.extra = 0;
  workload->works.push_back(sweep);
  workload->extras.push_back({.size = 10, .trials = 2});
  PlatformSpec::ClusterSpec cluster = cluster_of({1, 1});
  for (Host& each : cluster.hosts) each.slots = 2;
  Story story(scenario_of(platform_of({cluster}), workload));
  // trials fill two slots: 6 runs take 6 s, 4 runs 4 s
  story.work(0, RecordKind::arrived, 0).piece(1, 0, 0, 6, 0, 0, 6).piece(2, 0, 6, 4, 1, 0, 4);
  story.work(6, RecordKind::finished, 0).sort();
  const auto resize = [](double first, double size, double to) {
    return [=](Story& s) {
      for (Record& r : s.records)
        if (r.activity == 2) {
          r.first = first;
          r.size = size;
          if (r.kind == kEnded) r.time = to;
        }
      s.sort();
    };
  };
  check_all(story, {{"activity 1 computes the same piece", resize(5, 5, 5)},
                    {"sweep 1 is finished, but of its size 10 only 9 is done", resize(7, 3, 3)},
                    {"its piece [6, 11) is not inside [0, 10)", resize(6, 5, 5)},
                    {"a package is a whole number of runs", resize(6, 3.5, 4)},
                    {"[0, 6) of it is finished already",
                     [](Story& s) {
                       s.piece(3, 0, 2, 1, 0, 6, 7, RecordKind::cancelled);
                       std::erase_if(s.records,
                                     [](const Record& r) { return r.kind == RecordKind::finished; });
                       s.sort();
                     }},
                    {"it ran from 0 to 3 (3 s), but it takes until 4", resize(6, 4, 3)}});
}

namespace {

// A load of 6 units (2 B, 1 s each) on c.1, held in [0, 10) while its data comes in [1, 3) over 6 B/s; c.2 is
// reserved in [12, 16), with the link in [12, 14).
Story load_story() {
  auto workload = std::make_shared<Workload>();
  Work load;
  load.kind = WorkKind::load;
  load.amount = 1;
  load.extra = 0;
  Work reservation;
  reservation.kind = WorkKind::reservation;
  reservation.extra = 1;
  workload->works = {load, reservation};
  workload->extras = {{.size = 6, .bytes = 2}, {.hosts = 1, .from = 12, .to = 16, .io_ratio = 0.5}};
  workload->files = {{"f", 6, 6}};
  Story story(scenario_of(platform_of({with_link(cluster_of({1, 1}), 6, 0)}), workload));
  story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1);
  Record hold;
  hold.activity = 1;
  hold.what = ActivityKind::hold;
  hold.work = WorkId(0);
  story.activity(0, RecordKind::started, hold, {the_host(0)})
      .activity(10, RecordKind::ended, hold, {the_host(0)});
  Record chunk;
  chunk.activity = 2;
  chunk.what = ActivityKind::chunk;
  chunk.work = WorkId(0);
  chunk.size = 6;
  chunk.cores = 1;
  story.activity(1, RecordKind::started, chunk, {the_host(0), link(0)})
      .activity(3, RecordKind::ended, chunk, {the_host(0), link(0)});
  story.piece(3, 0, 0, 6, 0, 3, 9).work(9, RecordKind::finished, 0);
  hold.activity = 4;
  hold.work = WorkId(1);
  story.activity(12, RecordKind::started, hold, {the_host(1), link(0)})
      .activity(16, RecordKind::ended, hold, {the_host(1), link(0)});
  return story.work(16, RecordKind::finished, 1).sort();
}

}  // namespace

TEST_CASE("loads and reservations: holds, chunks, the link") {
  const auto compute_on = [](std::uint32_t h, double from) {
    return [=](Story& s) {
      Record what = record(s, kStarted, 3);
      what.activity = 9;
      what.copy = 1;
      s.activity(from, kStarted, what, {the_host(h)})
          .activity(from + 1, RecordKind::cancelled, what, {the_host(h)})
          .sort();
    };
  };
  check_all(
      load_story(),
      {
          {"its data from 0 on has not been sent to 'c.1'",
           [](Story& s) {
             shift(s, 3, -1);
             s.sort();
           }},
          {"it needs 1 cores, but 1 of the 1 of host 'c.1' are in use", compute_on(0, 4)},
          {"host 'c.2' is held by activity 4 for reservation 2",
           [](Story& s) {
             for (Record& r : s.records) {
               if (r.activity == 3) r.on = the_host(1), r.time += 10;
               if (r.work == WorkId(0) && r.kind == RecordKind::finished) r.time = 19;
             }
             s.sort();
           }},
          {"host 'c.1' is held by activity 1",
           [](Story& s) {
             for (Record& r : s.records)
               if (r.activity == 4 && r.on == the_host(1)) {
                 r.on = the_host(0);
                 if (r.kind == kStarted) r.time = 9;
               }
             s.sort();
           }},
          {"link 'c.link' is reserved by activity 4 until 14",
           [](Story& s) { s.transfer(9, 0, 0, 13, 14).sort(); }},
          {"the reservation is from 12",
           [](Story& s) {
             for (Record& r : s.records)
               if (r.activity == 4 && r.kind == kStarted) r.time = 11;
           }},
          {"the reservation lasts until 16",
           [](Story& s) {
             for (Record& r : s.records)
               if (r.activity == 4 && r.kind == kEnded) r.time = 15;
             work_record(s, RecordKind::finished, 1).time = 15;
             s.sort();
           }},
          {"it is late, but begins as promised", [](Story& s) { record(s, kStarted, 4).why = Reason::late; }},
          {"it holds 2 hosts, the reservation is for 1",
           [](Story& s) {
             for (std::size_t i = 0; i < s.records.size(); ++i)
               if (s.records[i].activity == 4 && s.records[i].on == the_host(1)) {
                 Record twin = s.records[i];
                 twin.on = the_host(0);
                 s.records.insert(s.records.begin() + static_cast<std::ptrdiff_t>(i), twin);
                 ++i;
               }
           }},
          {"activity 2 (chunk of load 1 [0, 6) on c.1, c.link): it ran from 1 to 2.5",
           [](Story& s) {
             for (Record& r : s.records)
               if (r.activity == 2 && r.kind == kEnded) r.time = 2.5;
             s.sort();
           }},
      });
}

TEST_CASE("one scheduler thinks one thing at a time") {
  Story story = four_jobs_story();
  Record think;
  think.what = ActivityKind::think;
  const auto add = [&](Story& s, std::uint32_t serial, double from, double to) {
    think.activity = serial;
    s.activity(from, kStarted, think, {ResourceId::scheduler()})
        .activity(to, kEnded, think, {ResourceId::scheduler()})
        .sort();
  };
  add(story, 20, 1, 2);
  check_all(story, {{"the scheduler is busy with activity 20", [&](Story& s) { add(s, 21, 1.5, 2); }}});
}

TEST_CASE("many violations are counted, not listed") {
  Story story(four_jobs());
  for (int i = 0; i < 150; ++i) story.work(0, RecordKind::finished, 0);
  const Lines lines = validate(story.outcome());
  CHECK(lines.size() == 101);
  CHECK(lines.back().substr(0, 7) == "... and");
}

TEST_CASE("what the engine does is valid: random scenarios") {
  Stream rng(7, "validator");
  int finished = 0, lost = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<PlatformSpec::ClusterSpec> clusters;
    const std::size_t count = 1 + rng.below(3);
    for (std::size_t c = 0; c < count; ++c) {
      auto cluster = cluster_of({rng.uniform(0.5, 2), rng.uniform(0.5, 2)}, "k" + std::to_string(c),
                                1 + static_cast<int>(rng.below(3)));
      for (Host& each : cluster.hosts) {
        each.setup = rng.bernoulli(0.5) ? 0 : rng.uniform(0, 2);
        if (rng.bernoulli(0.5)) each.availability = Profile::circular({1, 0.5, 0, 0.25}, rng.uniform(1, 4));
      }
      clusters.push_back(
          with_link(cluster, rng.uniform(5, 20), rng.uniform(0, 1), static_cast<Sharing>(rng.below(3))));
    }
    PlatformSpec spec;
    if (rng.bernoulli(0.5)) {  // behind a router
      spec.routers = {"r"};
      Link shared;
      shared.name = "backbone";
      shared.bandwidth = Profile::circular({10, 20}, rng.uniform(1, 5));
      shared.latency = Profile(rng.uniform(0, 0.5));
      shared.sharing = static_cast<Sharing>(rng.below(3));
      spec.links.push_back({shared, "origin", "r"});
      for (auto& cluster : clusters)
        if (rng.bernoulli(0.7)) cluster.at = "r";
    }
    spec.clusters = std::move(clusters);
    auto platform = std::make_shared<const Platform>(spec);
    auto workload = tasks_of({});
    for (int w = 0; w < 25; ++w) {
      Work work;
      work.form = TimeForm::operations;
      work.amount = rng.uniform(0, 20);
      work.arrival = std::floor(rng.uniform(0, 30));
      work.inputs = static_cast<std::uint32_t>(workload->file_lists.size());
      work.input_count = 1;
      if (workload->files.empty() || rng.bernoulli(0.5))
        workload->files.push_back({"f" + std::to_string(w), rng.uniform(1, 50), 1});
      FileId input(workload->files.size() - 1);
      while (workload->files[input.index].name[0] != 'f') input = FileId(input.index - 1);
      workload->file_lists.push_back(input);
      work.outputs = static_cast<std::uint32_t>(workload->file_lists.size());
      if (rng.bernoulli(0.5)) {
        workload->file_lists.push_back(FileId(workload->files.size()));
        workload->files.push_back({"o" + std::to_string(w), rng.uniform(1, 30), 1});
        work.output_count = 1;
      }
      workload->works.push_back(work);
    }
    auto scenario = scenario_of(platform, workload);
    scenario->compute_rule = static_cast<OnFailure>(rng.below(3));
    scenario->transfer_rule = static_cast<OnFailure>(rng.below(3));
    const bool told = rng.bernoulli(0.7);
    for (std::uint32_t h = 0; h < platform->hosts().size(); ++h) {
      const double from = rng.uniform(0, 40), until = from + rng.uniform(1, 10);
      const Cause cause = rng.bernoulli(0.5) ? Cause::outage : Cause::reservation;
      const ResourceId on = rng.bernoulli(0.7) ? the_host(h) : link(h % static_cast<std::uint32_t>(count));
      scenario->happenings.push_back(happening(from, HappeningKind::down, on, cause));
      scenario->happenings.push_back(happening(until, HappeningKind::up, on, cause));
      scenario->happenings.end()[-1].announced = scenario->happenings.end()[-2].announced = told;
      Happening change = happening(
          rng.uniform(0, 60), HappeningKind::change,
          rng.bernoulli(0.5) ? the_host(h) : link(h % static_cast<std::uint32_t>(count)), Cause::change);
      change.factor = rng.uniform(0.5, 2);
      if (rng.bernoulli(0.3)) {
        change.profile = static_cast<std::uint32_t>(scenario->profiles.size());
        scenario->profiles.push_back(Profile::periodic({0, 2, 3}, {10, 4, 7}, 5));
      }
      scenario->happenings.push_back(change);
    }
    if (rng.bernoulli(0.5)) {
      FailureModel model;
      model.hosts = {HostId(0), HostId(1)};
      model.mtbf = 30;
      model.mttr = 3;
      model.announced = told;
      scenario->failures.push_back(model);
    }
    // Sends the needed files to the cluster of a host, computes, and fetches the results.
    const auto act = [](Sim& sim, std::span<const Event>, std::vector<double>&) {
      const View& view = sim.view();
      const Workload& all = view.workload();
      for (std::uint32_t w = 0; w < view.works().size(); ++w) {
        const WorkView& work = view.works()[w];
        const HostId target(w % view.hosts().size());
        const ClusterId cluster = view[target].cluster;
        if (work.state == WorkState::computed) {
          for (const FileId file : all.outputs(WorkId(w)))
            for (std::uint32_t c = 0; c < view.platform().clusters().size(); ++c) {
              bool queued = false;
              for (const ActivityId id : sim.queued_on(ResourceId::of(view.platform()[ClusterId(c)].link)))
                queued = queued || sim.activity(id)->file == file;
              if (!sim.in_store(file, ClusterId(c)) || sim.at_home(file) || queued) continue;
              bool moving = false;
              for (std::uint32_t k = 0; k < sim.view().links().size(); ++k)
                moving = moving || sim.view().links()[k].transfers > 0;
              if (!moving)
                sim.post({.kind = ActivityKind::transfer_out, .file = file, .cluster = ClusterId(c)});
            }
          continue;
        }
        if (work.state != WorkState::waiting || work.posted > 0) continue;
        for (const FileId file : all.inputs(WorkId(w)))
          if (!sim.in_store(file, cluster) && !sim.in_transfer(file, cluster))
            sim.post({.kind = ActivityKind::transfer_in, .file = file, .cluster = cluster});
        if (!view[target].up) continue;
        if (w % 2 == 0) {
          sim.post({.piece = {WorkId(w), 0, 1}, .host = target});
        } else if (sim.fits(WorkId(w), target)) {  // now, though the host may be down and nobody knows
          bool ready = true;
          for (const FileId file : all.inputs(WorkId(w))) ready = ready && sim.in_store(file, cluster);
          if (ready) sim.start(WorkId(w), target);
        }
      }
    };
    const Ask asks[] = {Ask::once, Ask::phases, Ask::each};
    Simulation simulation(scenario, toy({}, act, {rng.bernoulli(0.5) ? 1e-9 : 0, asks[rng.below(3)]}),
                          perfect_estimator(), {.seed = rng(), .horizon = 400});
    simulation.run();
    const Lines lines = validate(simulation.outcome());
    for (std::size_t i = 0; i < simulation.trace().size(); ++i) {
      finished += simulation.trace()[i].kind == RecordKind::finished ? 1 : 0;
      lost += simulation.trace()[i].kind == RecordKind::lost ? 1 : 0;
    }
    INFO("round " << round << ", rules " << name_of(scenario->compute_rule) << " "
                  << name_of(scenario->transfer_rule) << (told ? "" : ", outages not announced"));
    for (const std::string& line : lines) UNSCOPED_INFO(line);
    CHECK(lines.empty());
  }
  CHECK(finished > 1000);
  CHECK(lost > 100);
}

TEST_CASE("what the engine does is valid: random loads, packages and reservations") {
  Stream rng(11, "validator");
  int finished = 0;
  for (int round = 0; round < 40; ++round) {
    auto cluster = with_link(cluster_of({1, 0.5, 2, 1}), rng.uniform(5, 50),
                             rng.bernoulli(0.5) ? 0 : rng.uniform(0, 1), static_cast<Sharing>(rng.below(3)));
    for (Host& each : cluster.hosts) {
      each.exclusive = true;
      each.overtake = rng.bernoulli(0.5);
      each.slots = 1 + static_cast<int>(rng.below(3));
      each.setup = rng.uniform(0, 1);
    }
    cluster.link.overtake = rng.bernoulli(0.5);
    auto platform = platform_of({cluster});
    auto workload = std::make_shared<Workload>();
    for (int w = 0; w < 12; ++w) {
      Work work;
      work.arrival = w * 4;
      work.amount = rng.uniform(0.1, 1);
      work.extra = static_cast<std::uint32_t>(workload->extras.size());
      WorkExtra extra;
      switch (w % 3) {
        case 0:
          work.kind = WorkKind::load;
          work.deadline = work.arrival + 20;
          extra.size = rng.uniform(5, 30);
          extra.bytes = rng.uniform(0, 5);
          break;
        case 1:
          work.kind = WorkKind::sweep;
          extra.size = 12;
          extra.trials = 3;
          break;
        default:
          work.kind = WorkKind::reservation;
          extra.hosts = 1 + static_cast<int>(rng.below(2));
          extra.from = work.arrival + rng.uniform(200, 210) + 20 * w;
          extra.to = extra.from + rng.uniform(1, 8);
          extra.io_ratio = rng.uniform(0, 1);
      }
      workload->works.push_back(work);
      workload->extras.push_back(extra);
    }
    auto scenario = scenario_of(platform, workload);
    scenario->compute_rule = scenario->transfer_rule = scenario->hold_rule =
        static_cast<OnFailure>(rng.below(3));
    for (std::uint32_t h = 0; h < 3; ++h) {
      const double from = rng.uniform(0, 60), until = from + rng.uniform(1, 10);
      scenario->happenings.push_back(happening(from, HappeningKind::down, h == 2 ? link(0) : the_host(h)));
      scenario->happenings.push_back(happening(until, HappeningKind::up, h == 2 ? link(0) : the_host(h)));
    }
    const auto act = [](Sim& sim, std::span<const Event> events, std::vector<double>&) {
      const Workload& all = sim.view().workload();
      for (const Event& event : events) {
        if (event.kind != EventKind::arrived) continue;
        const Work& work = all[event.work];
        const WorkExtra& extra = all.extras[work.extra];
        if (work.kind == WorkKind::reservation) {
          Posting hold{.kind = ActivityKind::hold,
                       .piece = {event.work, 0, 1},
                       .with_link = true,
                       .to = extra.to,
                       .io_until = extra.from + extra.io_ratio * (extra.to - extra.from),
                       .not_before = extra.from,
                       .rank = 1};
          for (std::int32_t h = 0; h < extra.hosts; ++h) hold.hosts.push_back(HostId(h));
          sim.post(hold);
          continue;
        }
        for (std::uint32_t h = 0; h < 4; ++h) {
          const Piece piece{event.work, extra.size / 4 * h, extra.size / 4};
          ActivityId chunk;
          if (work.kind == WorkKind::load)
            chunk = sim.post({.kind = ActivityKind::chunk, .piece = piece, .host = HostId(h)});
          sim.post({.piece = piece, .host = HostId(h), .after = chunk});
        }
      }
    };
    Simulation simulation(scenario, toy({}, act), perfect_estimator(), {.horizon = 1000});
    simulation.run();
    const Lines lines = validate(simulation.outcome());
    for (std::size_t i = 0; i < simulation.trace().size(); ++i)
      finished += simulation.trace()[i].kind == RecordKind::finished ? 1 : 0;
    INFO("round " << round << ", rule " << name_of(scenario->compute_rule));
    for (const std::string& line : lines) UNSCOPED_INFO(line);
    CHECK(lines.empty());
  }
  CHECK(finished > 300);
}

TEST_CASE("whatever is damaged in a real trace is noticed") {
  // Tasks on two hosts, one of which fails. Jobs fill the machine, so that hardly any time is free for moves.
  auto workload = tasks_of({});
  Stream rng(5, "damage");
  for (int w = 0; w < 40; ++w) {
    Work work;
    work.form = TimeForm::operations;
    work.amount = rng.uniform(1, 5);
    work.arrival = w;
    workload->works.push_back(work);
  }
  auto scenario = scenario_of(platform_of({cluster_of({1, 1.5})}), workload);
  scenario->happenings = {happening(20, HappeningKind::down, the_host(0)),
                          happening(25, HappeningKind::up, the_host(0))};
  Simulation simulation(scenario, greedy());
  simulation.run();
  Story story(scenario);
  for (std::size_t i = 0; i < simulation.trace().size(); ++i) story.records.push_back(simulation.trace()[i]);
  story.end = simulation.now();
  REQUIRE(validate(story.outcome()).empty());
  for (std::size_t i = 0; i < story.records.size(); ++i)
    for (int damage = 0; damage < 7; ++damage) {
      Story bad = story;
      Record& r = bad.records[i];
      switch (damage) {
        case 0:
          bad.records.erase(bad.records.begin() + static_cast<std::ptrdiff_t>(i));
          break;
        case 1:
          bad.records.insert(bad.records.begin() + static_cast<std::ptrdiff_t>(i), Record(r));
          break;
        case 2:
          r.time = std::max(0.0, r.time - 1e-3);
          break;
        case 3:
          r.time += 1e-3;
          break;
        case 4:
          r.work = WorkId(r.work.valid() ? (r.work.index + 1) % 40 : 0U);
          break;
        case 5:
          r.on = r.on == the_host(0) ? the_host(1) : the_host(0);
          break;
        default:
          r.kind =
              static_cast<RecordKind>((static_cast<int>(r.kind) + 1) % static_cast<int>(RecordKind::note));
          break;
      }
      const Record& whole = story.records[i];
      if (damage == 4 && !whole.work.valid()) continue;
      if (damage == 5 && whole.work.valid() && whole.activity == 0)
        continue;  // no resource is looked for there
      if (damage == 2 && whole.time == 0) continue;
      // Some damaged traces are still possible: the policy started a little later an activity that an outage
      // then interrupted, or cancelled it at that instant; or the host was repaired a little earlier.
      if (damage == 3 && whole.time > 18 && whole.time < 20 && whole.on == the_host(0)) continue;
      if (damage == 6 && whole.kind == RecordKind::lost) continue;
      if (damage == 2 && whole.kind == RecordKind::up) continue;
      bad.states.assign(40, WorkState::finished);
      INFO("record " << i << " (" << name_of(story.records[i].kind) << " at " << story.records[i].time
                     << "), damage " << damage);
      CHECK_FALSE(validate(bad.outcome()).empty());
    }
}

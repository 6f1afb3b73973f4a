#include "runtime/results/validator.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "runtime/kernel/random.h"
#include "tests/runtime/results/doctored.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

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

// The validator looks at files and links, and at hosts that are down, change or leave.
#include "runtime/results/validator.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "runtime/kernel/random.h"
#include "tests/runtime/results/doctored.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

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

TEST_CASE("a store that has a size never has more") {
  // 20 B from 0 to 3, which stay; 10 B from 4 to 6.
  const auto story_in = [&](double store) {
    auto workload = tasks_of({});
    workload->files = {{"a", 20, 20}, {"b", 10, 10}};
    auto cluster = with_link(cluster_of({1}), 10, 1, Sharing::unlimited);
    cluster.store = store;
    Story story(scenario_of(platform_of({cluster}), workload));
    return story.transfer(1, 0, 0, 0, 3).transfer(2, 1, 0, 4, 6).sort();
  };
  CHECK(validate(story_in(30).outcome()) == Lines{});
  const Lines lines = validate(story_in(29).outcome());
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("with it the store of cluster 'c' has 30 B of 29 B") != std::string::npos);
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

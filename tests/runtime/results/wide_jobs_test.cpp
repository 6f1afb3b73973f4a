// Metrics, tables, pictures and traces of jobs over several hosts. All stories are told by hand.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "runtime/kernel/name_ranges.h"
#include "runtime/plots/plot.h"
#include "runtime/results/export.h"
#include "runtime/results/gantt.h"
#include "runtime/results/job_classes.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/metrics.h"
#include "runtime/results/quote.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

ResourceId host_at(std::uint32_t h) { return ResourceId::of(HostId(h)); }

std::shared_ptr<Scenario> hosts_with(std::size_t hosts, const std::vector<WideSpec>& jobs, int cores = 1,
                                     Seconds setup = 0) {
  auto cluster = cluster_of(std::vector<double>(hosts, 1.0), "n", cores);
  for (Host& host : cluster.hosts) host.setup = setup;
  return scenario_of(platform_of({cluster}), wide_jobs(jobs));
}

// Three hosts with a set-up of 2 s, a job on all of them, and n.2 away from 5 to 20.
Story outage_of_one(OnFailure rule) {
  auto scenario = hosts_with(3, {{3}}, 1, 2);
  scenario->compute_rule = rule;
  Story story(scenario);
  story.work(0, RecordKind::arrived, 0);
  story.on(5, RecordKind::down, host_at(1), Reason::outage)
      .on(20, RecordKind::up, host_at(1), Reason::outage);
  return story;
}

// Three hosts of two cores: job 1 takes all, job 2 a core of n.1 and of n.3, job 3 both of n.2, until
// it is killed.
Story three_jobs() {
  Story story(hosts_with(3, {{3, 2}, {2, 1, 1}, {1, 2, 1, 2}}, 2));
  for (std::uint32_t w = 0; w < 3; ++w) story.work(w == 0 ? 0 : 1, RecordKind::arrived, w);
  story.wide(1, 0, {0, 1, 2}, 0, 4, 2).work(4, RecordKind::finished, 0);
  story.wide(2, 1, {0, 2}, 4, 6).work(6, RecordKind::finished, 1);
  story.wide(3, 2, {1}, 4, 6, 2, RecordKind::cancelled, Reason::limit);
  return story.work(6, RecordKind::killed, 2, Reason::limit).sort();
}

}  // namespace

TEST_CASE("what core-seconds went into, by hand") {
  SECTION("lost: 5 s on three hosts in vain, then 2 s of set-up and 10 s") {
    Story story = outage_of_one(OnFailure::lost);
    story.wide(1, 0, {0, 1, 2}, 0, 5, 1, RecordKind::lost).wide(2, 0, {0, 1, 2}, 20, 32);
    const Metrics m = measure(story.work(32, RecordKind::finished, 0).sort().outcome());
    CHECK(m["core_time.useful"] == 30);
    CHECK(m["core_time.setup"] == 6);
    CHECK(m["core_time.standing"] == 0);
    CHECK(m["core_time.lost"] == 15);
    CHECK(m["core_time.killed"] == 0);
    CHECK(m["waste"] == 21.0 / 51);
  }
  SECTION("resumed: all three are kept for 15 s") {
    Story story = outage_of_one(OnFailure::resumed);
    story.wide(1, 0, {0, 1, 2}, 0, 27);
    Outcome outcome = story.work(27, RecordKind::finished, 0).sort().outcome();
    const Metrics m = measure(outcome);
    CHECK(m["core_time.useful"] == 30);
    CHECK(m["core_time.setup"] == 6);
    CHECK(m["core_time.standing"] == 45);
    CHECK(m["core_time.lost"] == 0);
    outcome.warmup = 19;  // then 1 s of standing still, and 7 of work
    CHECK(measure(outcome)["core_time.useful"] == 21);
    CHECK(measure(outcome)["core_time.standing"] == 3);
    CHECK(measure(outcome)["core_time.setup"] == 0);
  }
  SECTION("restarted: all before 20 s is in vain") {
    Story story = outage_of_one(OnFailure::restarted);
    story.wide(1, 0, {0, 1, 2}, 0, 32);
    const Metrics m = measure(story.work(32, RecordKind::finished, 0).sort().outcome());
    CHECK(m["core_time.useful"] == 30);
    CHECK(m["core_time.setup"] == 6);
    CHECK(m["core_time.standing"] == 0);
    CHECK(m["core_time.lost"] == 60);
  }
  SECTION("two hosts away in turns, one of them in the set-up") {
    // From 1 to 4 and from 3 to 6: the set-up goes on at 6 and ends at 7.
    auto scenario = hosts_with(2, {{2}}, 1, 2);
    scenario->compute_rule = OnFailure::resumed;
    Story story(scenario);
    story.work(0, RecordKind::arrived, 0).wide(1, 0, {0, 1}, 0, 10).work(10, RecordKind::finished, 0);
    story.on(1, RecordKind::down, host_at(0)).on(4, RecordKind::up, host_at(0));
    story.on(3, RecordKind::down, host_at(1)).on(6, RecordKind::up, host_at(1));
    const Metrics m = measure(story.sort().outcome());
    CHECK(m["core_time.setup"] == 4);
    CHECK(m["core_time.standing"] == 10);
    CHECK(m["core_time.useful"] == 6);
  }
  SECTION("an exclusive job holds all cores, what is killed counts apart, what still runs is useful") {
    Story story(hosts_with(2, {{1, 1, 0, kNever, true}, {1, 2, 0, 3}}, 4));
    story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1);
    story.wide(1, 0, {0}, 0, 10, 1, RecordKind::started);
    std::erase_if(story.records,
                  [](const Record& r) { return r.kind == RecordKind::started && r.time == 10; });
    story.wide(2, 1, {1}, 0, 3, 2, RecordKind::cancelled, Reason::limit).work(3, RecordKind::killed, 1);
    story.status = RunStatus::horizon;
    story.end = 10;
    const Metrics m = measure(story.sort().outcome());
    CHECK(m["core_time.useful"] == 40);
    CHECK(m["core_time.killed"] == 6);
    CHECK(m["waste"] == 6.0 / 46);
  }
  SECTION("nothing is held") {
    const Metrics m = measure(Story(hosts_with(1, {})).outcome());
    CHECK(m["core_time.useful"] == 0);
    CHECK(std::isnan(m["waste"]));
  }
}

TEST_CASE("idle cores while jobs wait, by hand") {
  // Four hosts. A job on three of them until 10. Two jobs wait from 2 and 4 on: one core is idle.
  const auto story_of = [](std::int32_t first, std::int32_t second) {
    Story story(hosts_with(4, {{3}, {first, 1, 2}, {second, 1, 4}}));
    story.work(0, RecordKind::arrived, 0).work(2, RecordKind::arrived, 1).work(4, RecordKind::arrived, 2);
    story.wide(1, 0, {0, 1, 2}, 0, 10).work(10, RecordKind::finished, 0);
    const std::vector<std::uint32_t> one = {0}, two = {0, 1};
    story.wide(2, 1, first == 1 ? one : two, 10, 15).work(15, RecordKind::finished, 1);
    story.wide(3, 2, {3}, 10, 12).work(12, RecordKind::finished, 2);
    return story;
  };
  {
    const Metrics m = measure(story_of(2, 1).sort().outcome());  // the first in line asks for two
    CHECK(m["lost_capacity"] == 8.0 / 60);
    CHECK(m["fragmentation"] == 0);
  }
  {
    const Metrics m = measure(story_of(1, 1).sort().outcome());  // it asks for one, and could not have it
    CHECK(m["lost_capacity"] == 8.0 / 60);
    CHECK(m["fragmentation"] == 8.0 / 60);
  }
  {
    Story story = story_of(1, 1);  // the idle host is away for 3 of these 8 s, and held for another 2
    story.on(5, RecordKind::down, host_at(3)).on(8, RecordKind::up, host_at(3));
    Record hold;
    hold.activity = 9;
    hold.what = ActivityKind::hold;
    story.activity(8, RecordKind::started, hold, {host_at(3)})
        .activity(10, RecordKind::ended, hold, {host_at(3)});
    const Metrics m = measure(story.sort().outcome());
    CHECK(m["lost_capacity"] == 3.0 / 57);
    CHECK(m["fragmentation"] == 3.0 / 57);
  }
  {
    // An exclusive job on one of four cores leaves none. A lost job waits again, at its old place.
    Story story(hosts_with(1, {{1, 1, 0, kNever, true}, {1, 2, 1}}, 4));
    story.work(0, RecordKind::arrived, 0).work(1, RecordKind::arrived, 1);
    story.wide(1, 0, {0}, 0, 5, 1, RecordKind::lost);
    story.wide(2, 1, {0}, 7, 10, 2).work(10, RecordKind::finished, 1);
    story.wide(3, 0, {0}, 10, 20).work(20, RecordKind::finished, 0);
    const Metrics m = measure(story.sort().outcome());
    // From 5 to 7 both wait for 3 cores of 4; from 7 to 10 the first for one of two.
    CHECK(m["lost_capacity"] == (2.0 * 3 + 3 * 1) / 80);
    CHECK(m["fragmentation"] == (2.0 * 3 + 3 * 1) / 80);
  }
}

TEST_CASE("classes of jobs by width and length, by hand") {
  // Widths 6, 2, 2; run times 4, 2, 2; waits 0, 3, 3. The last one is killed.
  const Outcome outcome = three_jobs().outcome();
  CHECK(classes(outcome, {.widths = {1, 4}, .lengths = {3, 3600}}).csv() ==
        "width,length,works,killed,core_seconds,mean_wait,mean_response,mean_slowdown,mean_bounded_slowdown\n"
        "2-4,up to 3 s,2,1,4,3,5,2.5,1\n"
        "above 4,3 s to 1 h,1,0,24,0,4,1,1\n");
  // The jobs have 3, 2 and 1 nodes. A job on a border is below it.
  CHECK(classes(outcome, {.by_nodes = true, .widths = {1, 2}, .lengths = {}}).csv() ==
        "width,length,works,killed,core_seconds,mean_wait,mean_response,mean_slowdown,mean_bounded_slowdown\n"
        "1,all,1,1,0,3,5,2.5,1\n"
        "2,all,1,0,4,3,5,2.5,1\n"
        "above 2,all,1,0,24,0,4,1,1\n");
  CHECK(class_rows(outcome, {.widths = {}, .lengths = {1}})[0].length == "above 1 s");
  CHECK(class_rows(Story(hosts_with(1, {})).outcome()).empty());
}

TEST_CASE("jobs over several hosts have further columns") {
  const Table table = jobs(three_jobs().outcome());
  REQUIRE(table.columns.size() == 26);
  CHECK(std::vector<std::string>(table.columns.end() - 4, table.columns.end()) ==
        std::vector<std::string>{"nodes", "allocation", "attempts", "limit"});
  CHECK(std::get<double>(table.rows[0][22]) == 3);
  CHECK(std::get<std::string>(table.rows[0][23]) == "n.1:2 n.2:2 n.3:2");
  CHECK(std::get<double>(table.rows[0][24]) == 1);
  CHECK(table.rows[0][25].index() == 0);
  CHECK(std::get<std::string>(table.rows[1][23]) == "n.1:1 n.3:1");
  CHECK(std::get<std::string>(table.rows[2][23]) == "n.2:2");
  CHECK(std::get<double>(table.rows[2][25]) == 2);
  // The nodes of a job of processes are those that it had; each attempt counts.
  Story story(hosts_with(3, {{0, 3}}));
  story.work(0, RecordKind::arrived, 0).wide(1, 0, {0, 1, 2}, 0, 5, 1, RecordKind::lost);
  CHECK(jobs(story.outcome()).rows[0][22].index() == 0);
  story.wide(2, 0, {0, 1, 2}, 5, 8).work(8, RecordKind::finished, 0);
  const JobRow row = job_rows(story.sort().outcome())[0];
  CHECK((row.nodes == 3 && row.attempts == 2 && row.cores == 3));
  CHECK(jobs(four_jobs_story().outcome()).columns.back() == "reason");
}

TEST_CASE("lists of hosts in texts have ranges, values have all names") {
  CHECK(name_ranges("n.1") == "n.1");
  CHECK(name_ranges("n.1 n.2") == "n.1 n.2");
  CHECK(name_ranges("n.1 n.2 n.3") == "n.1..n.3");
  CHECK(name_ranges("n.1 n.2 n.3 n.5 n.7 n.8 n.9 n.10 m.11") == "n.1..n.3 n.5 n.7..n.10 m.11");
  CHECK(name_ranges("n.1:2 n.2:2 n.3:2 n.4:1") == "n.1..n.3:2 n.4:1");
  CHECK(name_ranges("n.1:2 n.2:2 n.3:2 n.4:2 n.5:1") == "n.1..n.4:2 n.5:1");
  CHECK(name_ranges("r08 r09 r10 r11") == "r08..r11");
  CHECK(name_ranges("r8 r09 r10") == "r8 r09 r10");
  CHECK(name_ranges("r99 r100 r101") == "r99..r101");
  CHECK(name_ranges("1 2 3 4") == "1 2 3 4");  // numbers are no names
  CHECK(name_ranges("n.3 n.2 n.1") == "n.3 n.2 n.1");
  CHECK(name_ranges("n.99999999999999999998 n.99999999999999999999 a b") ==
        "n.99999999999999999998 n.99999999999999999999 a b");
  CHECK(name_ranges("").empty());
  const std::vector<std::string> some = {"n.1", "n.2", "n.3", "m.1", "m.3"};
  CHECK(name_ranges(some, ", ") == "n.1..n.3, m.1, m.3");
  CHECK(name_ranges(some, ", ", 1) == "n.1..n.3 and 2 more");
  CHECK(name_ranges(some, ", ", 3) == "n.1..n.3, m.1, m.3");

  const Table table = attempts(three_jobs().outcome());
  CHECK(table.text().find("n.1..n.3") != std::string::npos);
  CHECK(table.csv().find("n.1 n.2 n.3") != std::string::npos);
  CHECK(table.csv().find("..") == std::string::npos);
  CHECK(Table{{"name"}, {{"n.1 n.2 n.3"}}}.text().find("n.1 n.2 n.3") != std::string::npos);
  Quote quote;
  quote.admitted = true;
  quote.job = job_rows(three_jobs().outcome())[0];
  CHECK(text_of(quote, *three_jobs().scenario->platform) ==
        "job 1 would be admitted: from 0 s to 4 s on n.1..n.3");
}

TEST_CASE("the Gantt chart of jobs over several hosts has rectangles") {
  const Figure figure = gantt_figure(three_jobs().outcome());
  CHECK(figure.y.categories == std::vector<std::string>{"n.1", "n.2", "n.3"});
  // Job 1 is one; job 2 has half of n.1 and half of n.3.
  CHECK(data(figure).csv() ==
        "what,lane,from,to,label,last_lane,top,bottom\n"
        "job,n.1,0,4,1,n.3,0,1\njob,n.1,4,6,2,n.1,0,0.5\njob,n.3,4,6,2,n.3,0,0.5\n"
        "killed,n.2,4,6,3,n.2,0,1\n");
  CHECK(figure.series[0].gantt_bars[0].tint != figure.series[0].gantt_bars[1].tint);
  CHECK_FALSE(figure.series[0].hatched);
  CHECK(figure.series[1].hatched);
  CHECK(svg(figure).find("<svg") != std::string::npos);

  // In another order job 1 is two: n.3, n.1 side by side, and n.2 is not shown.
  ChartPart part;
  part.hosts = {HostId(2), HostId(0)};
  part.from = 1;
  part.to = 3;
  CHECK(data(gantt_figure(three_jobs().outcome(), part)).csv() ==
        "what,lane,from,to,label,last_lane,top,bottom\njob,n.3,1,3,1,n.1,0,1\n");
}

TEST_CASE("an exclusive job takes the height of its hosts, windows and reservations are hatched") {
  auto scenario = hosts_with(3, {{2, 1, 0, kNever, true}, {2, 1, 0}}, 4);
  Happening down = happening(30, HappeningKind::down, ResourceId(ResourceKind::store, 0), Cause::maintenance);
  down.known = 0;
  down.outage = 0;
  Happening up = down;
  up.kind = HappeningKind::up;
  up.at = 40;
  up.known = kNever;
  scenario->happenings = {down, up};
  Story story(scenario);
  for (std::uint32_t w = 0; w < 2; ++w) story.work(0, RecordKind::arrived, w);
  story.wide(1, 0, {0, 1}, 0, 4).work(4, RecordKind::finished, 0);
  story.wide(2, 1, {1, 2}, 5, 20).work(20, RecordKind::finished, 1);
  story.on(6, RecordKind::down, host_at(0), Reason::maintenance).on(8, RecordKind::up, host_at(0));
  const Outcome outcome = story.sort().outcome();
  CHECK(data(gantt_figure(outcome)).csv() ==
        "what,lane,from,to,label,last_lane,top,bottom\n"
        "job,n.1,0,4,1,n.2,0,1\njob,n.2,5,20,2,n.2,0,0.25\njob,n.3,5,20,2,n.3,0,0.25\n"
        "maintenance,n.1,6,8,,n.1,0,1\n");
  // A window that is known to come is seen where the chart goes so far.
  ChartPart part;
  part.from = 10;
  part.to = 35;
  CHECK(data(gantt_figure(outcome, part)).csv() ==
        "what,lane,from,to,label,last_lane,top,bottom\n"
        "job,n.2,10,20,2,n.2,0,0.25\njob,n.3,10,20,2,n.3,0,0.25\n"
        "maintenance,n.1,30,35,,n.3,0,1\n");
  CHECK(gantt(outcome, 40, false, false, part).find("-----") != std::string::npos);
}

TEST_CASE("hosts in rows show the shares of their cores") {
  // Two hosts of two cores: all from 0 to 5, one core from 5 to 10; n.2 is away from 7.5 on.
  Story story(hosts_with(2, {{2, 2}, {1, 1, 0}}, 2));
  story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1);
  story.wide(1, 0, {0, 1}, 0, 5, 2).work(5, RecordKind::finished, 0);
  story.wide(2, 1, {0}, 5, 10).work(10, RecordKind::finished, 1);
  story.on(7.5, RecordKind::down, host_at(1), Reason::failure);
  ChartPart part;
  part.rows = 1;
  const Figure figure = gantt_figure(story.sort().outcome(), part);
  CHECK(data(figure).csv() ==
        "what,lane,from,to,label,last_lane,top,bottom\n"
        "job,n.1..n.2,0,5,,n.1..n.2,0,1\njob,n.1..n.2,5,10,,n.1..n.2,0.75,1\n"
        "away,n.1..n.2,7.5,10,,n.1..n.2,0,0.5\n");
  CHECK(figure.note == "2 hosts in rows of 2; heights are shares of their cores, means over 400 intervals");
  const std::string picture = gantt(story.outcome(), 40, false, false, part);
  CHECK(picture.starts_with("n.1..n.2|"));
  CHECK(picture.find("2 hosts in rows of 2\n") != std::string::npos);
  // Hosts of other work are put together too.
  CHECK(gantt_figure(four_jobs_story().outcome(), part).y.categories == std::vector<std::string>{"a.1..a.2"});
}

TEST_CASE("18,000 jobs on 128 hosts are put together") {
  constexpr std::uint32_t kJobs = 18'000, kHosts = 128, kWidth = 8;
  Story story(hosts_with(kHosts, std::vector<WideSpec>(kJobs, WideSpec{static_cast<std::int32_t>(kWidth)})));
  // 16 jobs side by side, each 100 s long.
  for (std::uint32_t w = 0; w < kJobs; ++w) {
    std::vector<std::uint32_t> hosts;
    for (std::uint32_t k = 0; k < kWidth; ++k) hosts.push_back(w % (kHosts / kWidth) * kWidth + k);
    const double from = 100.0 * (w / (kHosts / kWidth));
    story.work(0, RecordKind::arrived, w).wide(w + 1, w, hosts, from, from + 100);
    story.work(from + 100, RecordKind::finished, w);
  }
  const Outcome outcome = story.sort().outcome();
  const Figure all = gantt_figure(outcome);
  CHECK(all.y.categories.size() == 32);
  CHECK(all.note.starts_with("128 hosts in rows of 4; "));
  CHECK(all.series.size() == 1);
  // All is busy always: one bar a row.
  CHECK(all.series[0].gantt_bars.size() == 32);
  ChartPart part;
  part.from = 1000;
  part.to = 3000;
  const Figure some = gantt_figure(outcome, part);
  CHECK(some.y.categories.size() == kHosts);
  CHECK(some.series[0].gantt_bars.size() == 16 * 20);
}

TEST_CASE("in the terminal, hosts that serve one job at a time have one row") {
  Story story(hosts_with(3, {{3, 2}, {2, 2, 1}}, 2));
  story.work(0, RecordKind::arrived, 0).work(1, RecordKind::arrived, 1);
  story.wide(1, 0, {0, 1, 2}, 0, 4, 2).work(4, RecordKind::finished, 0);
  story.wide(2, 1, {0, 1}, 4, 8, 2).work(8, RecordKind::finished, 1);
  CHECK(gantt(story.sort().outcome(), 42, false) ==
        "n.1|[1================][2===============]|\n"
        "n.2|[1================][2===============]|\n"
        "n.3|[1================]                  |\n"
        "   ++--------+---------+--------+--------+\n"
        "    0 s      2         4        6        8\n"
        "= computing\n");
  Story shared(hosts_with(2, {{2}, {1}}, 2));  // n.1 serves both
  shared.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1);
  shared.wide(1, 0, {0, 1}, 0, 4).wide(2, 1, {0}, 0, 4);
  CHECK(gantt(shared.sort().outcome(), 42, false).starts_with("n.1 1|"));
}

TEST_CASE("traces for viewers have one bar for each host of a job") {
  const Outcome outcome = three_jobs().outcome();
  std::multiset<std::string> bars;
  std::set<std::string> threads;
  const nlohmann::json chrome = nlohmann::json::parse(chrome_trace(outcome));
  for (const nlohmann::json& event : chrome["traceEvents"]) {
    if (event["ph"] == "X")
      bars.insert(event["name"].get<std::string>() + " " + event["args"]["cores"].dump());
    if (event["name"] == "thread_name") threads.insert(event["args"]["name"].get<std::string>());
  }
  CHECK(bars == std::multiset<std::string>{"job 1 2", "job 1 2", "job 1 2", "job 2 1", "job 2 1", "job 3 2"});
  CHECK(threads.contains("n.1 lane 1"));
  CHECK_FALSE(threads.contains("n.1 lane 2"));
  const std::string paje = paje_trace(outcome);
  std::size_t states = 0;
  for (std::size_t at = 0; (at = paje.find("\n6 ", at)) != paje.npos; ++at) ++states;
  CHECK(states == 6);
  CHECK(paje.find("\"n.1 lane 1\"") != paje.npos);
  CHECK(paje.find("core 1") == paje.npos);
}

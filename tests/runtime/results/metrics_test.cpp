#include "runtime/results/metrics.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/resource_rows.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/results/compare.h"
#include "runtime/schedulers/realtime/reasons.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("metrics of four jobs, by hand") {
  const Metrics m = measure(four_jobs_story().outcome());
  // waits 0, 0, 1, 0; responses 5, 4, 7, 10; runs 5, 4, 6, 10
  CHECK(m["makespan"] == 15);
  CHECK(m["total_time"] == 15);
  CHECK(m["arrived"] == 4);
  CHECK(m["finished"] == 4);
  CHECK(m["unfinished"] == 0);
  CHECK(m["missed"] == 0);
  CHECK(m["mean_wait"] == 0.25);
  CHECK(m["max_wait"] == 1);
  CHECK(m["min_wait"] == 0);
  CHECK(m["mean_response"] == 6.5);
  CHECK(m["max_response"] == 10);
  CHECK(m["median_response"] == 6);  // of 4, 5, 7 and 10
  CHECK(m["p95_response"] == Approx(7 + 0.85 * 3).epsilon(1e-15));
  CHECK(m["flowtime"] == 26);
  CHECK(m["mean_slowdown"] == Approx((1 + 1 + 7.0 / 6 + 1) / 4).epsilon(1e-15));
  CHECK(m["max_slowdown"] == 7.0 / 6);
  CHECK(m["mean_bounded_slowdown"] == 1);  // all responses are below 10 s, or the run time
  CHECK(m["total_run"] == 25);
  CHECK(m["mean_run"] == 6.25);
  CHECK(m["min_run"] == 4);
  CHECK(m["max_run"] == 10);
  CHECK(m["zero_run"] == 0);
  CHECK(m["future"] + m["queued"] + m["executing"] == 0);
  CHECK(m["utilization.jobs"] == 29.0 / 45);
  CHECK(m["total_wait"] == 1);
  CHECK(m["total_slowdown"] == Approx(4 + 1 / 6.0).epsilon(1e-15));
  CHECK(m["total_bounded_slowdown"] == 4);
  // requested on the slower host: 10, 4, 6, 20
  CHECK(m["total_user_slowdown"] == Approx(0.5 + 1 + 7 / 6.0 + 0.5).epsilon(1e-15));
  CHECK(m["max_user_slowdown"] == 7.0 / 6);
  CHECK(m["min_user_slowdown"] == 0.5);
  CHECK(m["mean_relative_run"] == 0.75);
  CHECK(m["min_relative_run"] == 0.5);
  CHECK(m["max_relative_run"] == 1);
  CHECK(std::isnan(m["fairness"]));  // no users
  CHECK(m["throughput"] == 4.0 / 15);
  // 5 * 1 + 4 * 2 + 6 * 1 + 10 * 1 of 3 cores * 15 s
  CHECK(m["busy_time"] == 29);
  CHECK(m["utilization"] == 29.0 / 45);
  CHECK(m["utilization.busy"] == m["utilization"]);
  CHECK(m["utilization.held"] == m["utilization"]);
  CHECK(m["utilization.useful"] == m["utilization"]);
  CHECK(m["utilization.up"] == m["utilization"]);
  CHECK(m["lost"] == 0);
  CHECK(m["lost_time"] == 0);
  CHECK(m["bytes_moved"] == 0);
  CHECK(std::isnan(m["link_utilization"]));  // no link is declared
  const std::vector<Metric> all = m.all();
  std::vector<std::string> left_out;
  std::size_t i = 0;
  for (const MetricInfo& info : metric_infos()) {
    INFO(info.name);
    if (i == all.size() || all[i].info.name != info.name) {
      left_out.push_back(std::string(info.name));
      continue;
    }
    const double alone = measure(four_jobs_story().outcome())[info.name];  // before any other
    CHECK((alone == all[i].value || (std::isnan(alone) && std::isnan(all[i].value))));
    ++i;
  }
  CHECK(i == all.size());
  CHECK(left_out == std::vector<std::string>{"mean_workflow_response", "slr", "speedup",
                                             "workflow_efficiency", "critical_path_bound",
                                             "workflow_bound_ratio", "mean_slack", "bytes_between",
                                             "transfers_between", "recomputed", "recovered",
                                             "workflows_finished", "workflows_missed"});
}

TEST_CASE("ratios of misses, and the utilization of the whole time, by hand") {
  // Deadlines 16, 16, 16, 16, 30, 16: in time; late; given up; running at the end; running, and not due yet;
  // rejected.
  auto scenario = four_jobs();
  auto workload = std::make_shared<Workload>(*scenario->workload);
  workload->works = std::vector<Work>(6, workload->works[3]);  // arrives 5, 20 op, deadline 16
  workload->works[4].deadline = 30;
  scenario->workload = workload;
  Story story(scenario);
  for (std::uint32_t w = 0; w < 6; ++w) story.work(5, RecordKind::arrived, w);
  story.work(5, RecordKind::rejected, 5, realtime::refusal::plan)
      .work(17, RecordKind::expired, 2, Reason::deadline);
  story.compute(1, 0, 1, 5, 15).work(15, RecordKind::finished, 0);
  story.compute(2, 1, 0, 5, 18).work(18, RecordKind::finished, 1).work(18, RecordKind::missed, 1);
  story.compute(3, 3, 1, 15, 20, RecordKind::started).compute(4, 4, 0, 18, 20, RecordKind::started);
  std::erase_if(story.records, [](const Record& r) { return r.kind == RecordKind::started && r.time == 20; });
  story.status = RunStatus::horizon;
  story.end = 20;
  story.states = {WorkState::finished, WorkState::finished, WorkState::expired,
                  WorkState::running,  WorkState::running,  WorkState::rejected};
  const Metrics m = measure(story.sort().outcome());
  CHECK(m["reject_ratio"] == 1.0 / 6);
  CHECK(m["miss_ratio"] == 3.0 / 5);
  CHECK(m["missed"] == 1);
  CHECK(m["busy_time"] == 10 + 13 + 5 + 2);
  CHECK(m["utilization.busy"] == 30.0 / (3 * 15));    // from the first arrival
  CHECK(m["utilization.system"] == 30.0 / (3 * 20));  // from 0
}

TEST_CASE("users, by hand") {
  auto scenario = four_jobs();
  auto workload = std::make_shared<Workload>(*scenario->workload);
  workload->users = {"ann", "bob", "eve"};
  for (std::uint32_t w = 0; w < 4; ++w) workload->works[w].user = UserId(w == 3 ? 1 : 0);
  scenario->workload = workload;
  Story story(scenario);
  const double arrivals[] = {0, 0, 3, 5};
  for (std::uint32_t w = 0; w < 4; ++w) story.work(arrivals[w], RecordKind::arrived, w);
  // ann: waits 0 and 6, runs 5 and 4 on two cores; her third job never starts. bob: waits 5, runs 10.
  story.compute(1, 0, 1, 0, 5).compute(2, 1, 0, 6, 10, RecordKind::ended, 2).compute(3, 3, 1, 10, 20);
  const double finishes[] = {5, 10};
  for (std::uint32_t w = 0; w < 2; ++w) story.work(finishes[w], RecordKind::finished, w);
  story.work(20, RecordKind::finished, 3);
  const Outcome outcome = story.sort().outcome();
  const std::vector<GroupRow> rows = group_rows(outcome, GroupBy::user);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].name == "ann");
  CHECK(rows[0].works == 3);
  CHECK(rows[0].finished == 2);
  CHECK(rows[0].core_seconds == 5 + 8);
  CHECK(rows[0].mean_wait == 3);
  CHECK(rows[0].mean_response == 7.5);
  CHECK(rows[0].mean_slowdown == (1 + 2.5) / 2);
  CHECK(rows[0].mean_bounded_slowdown == 1);
  CHECK(rows[1].mean_bounded_slowdown == 1.5);
  CHECK(rows[2].works == 0);
  CHECK(std::isnan(rows[2].mean_wait));
  CHECK(measure(outcome)["fairness"] == Approx(2.5 * 2.5 / (2 * (1 + 2.25))).epsilon(1e-15));
}

TEST_CASE("work lost to an outage, copies, and the work that is left") {
  auto scenario = four_jobs();
  Story story(scenario);
  for (std::uint32_t w = 0; w < 4; ++w) story.work(0, RecordKind::arrived, w);
  const ResourceId a2 = ResourceId::of(HostId(1));
  story.compute(1, 0, 1, 0, 3, RecordKind::lost).on(3, RecordKind::down, a2, Reason::outage);
  story.compute(2, 0, 0, 3, 13).compute(3, 0, 0, 4, 13, RecordKind::superseded, 1, true);
  story.on(8, RecordKind::up, a2, Reason::outage).work(13, RecordKind::finished, 0);
  story.work(2, RecordKind::rejected, 1, Reason::policy).work(9, RecordKind::expired, 2, Reason::deadline);
  story.compute(4, 3, 1, 8, 18).work(18, RecordKind::finished, 3).work(18, RecordKind::missed, 3);
  const Metrics m = measure(story.sort().outcome());
  CHECK(m["rejected"] == 1);
  CHECK(m["expired"] == 1);
  CHECK(m["finished"] == 2);
  CHECK(m["missed"] == 1);
  CHECK(m["reject_ratio"] == 0.25);
  CHECK(m["miss_ratio"] == 1.0 / 3);
  CHECK(m["lost"] == 1);
  CHECK(m["superseded"] == 1);
  CHECK(m["copies"] == 1);
  CHECK(m["lost_time"] == 3 + 9);
  CHECK(m["busy_time"] == 3 + 10 + 9 + 10);
  CHECK(m["utilization.busy"] == 32.0 / 54);
  CHECK(m["utilization.useful"] == 20.0 / 54);
  CHECK(m["utilization.up"] == 32.0 / (54 - 5));
  CHECK(m["utilization.system"] == 32.0 / (54 - 5));
  CHECK(m["utilization.jobs"] == 20.0 / 54);  // finished jobs: 10 s each
  CHECK(m["queued"] == 1);                    // the rejected one
  CHECK(m["mean_wait"] == (3 + 8) / 2.0);     // job 1 counts from the start of what served it in the end
  CHECK(m["mean_bounded_slowdown"] == (1.3 + 1.8) / 2);

  const std::vector<JobRow> rows = job_rows(story.outcome());
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].start == 3);
  CHECK(rows[0].finish == 13);
  CHECK(rows[0].hosts == std::vector<HostId>{HostId(0)});
  CHECK(rows[1].state == WorkState::rejected);
  CHECK(std::isnan(rows[1].start));
  CHECK(rows[3].missed);
  const std::vector<ResourceRow> hosts = resource_rows(story.outcome());
  REQUIRE(hosts.size() == 2);
  CHECK(hosts[1].down == 5);
  CHECK(hosts[1].busy == 13);
  CHECK(hosts[1].lost == 3);
  CHECK(hosts[1].useful == 10);
  CHECK(hosts[1].activities == 2);
  CHECK(hosts[0].activities == 2);
}

TEST_CASE("held time counts what runs inside a hold once; reserved work is busy") {
  auto workload = std::make_shared<Workload>();
  Work load;
  load.kind = WorkKind::load;
  load.amount = 1;
  load.extra = 0;
  workload->works.push_back(load);
  workload->extras.push_back({.size = 6, .bytes = 100});
  Work reservation;
  reservation.kind = WorkKind::reservation;
  reservation.extra = 1;
  workload->works.push_back(reservation);
  workload->extras.push_back({.hosts = 1, .from = 12, .to = 16});
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1, 1}), 100, 0)}), workload);

  Story story(scenario);
  story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1);
  Record hold;
  hold.activity = 1;
  hold.what = ActivityKind::hold;
  hold.work = WorkId(0);
  const std::vector<ResourceId> both{ResourceId::of(HostId(0)), ResourceId::of(HostId(1))};
  story.activity(0, RecordKind::started, hold, both);
  Record chunk;
  chunk.activity = 2;
  chunk.what = ActivityKind::chunk;
  chunk.work = WorkId(0);
  chunk.size = 6;
  chunk.cores = 1;
  const std::vector<ResourceId> path{ResourceId::of(HostId(0)), ResourceId::of(LinkId(0))};
  story.activity(1, RecordKind::started, chunk, path).activity(3, RecordKind::ended, chunk, path);
  story.piece(3, 0, 0, 6, 0, 3, 9);
  story.activity(10, RecordKind::ended, hold, both).work(9, RecordKind::finished, 0);
  hold.activity = 4;
  hold.work = WorkId(1);
  const std::vector<ResourceId> one{ResourceId::of(HostId(1))};
  story.activity(12, RecordKind::started, hold, one).activity(16, RecordKind::ended, hold, one);
  story.work(16, RecordKind::finished, 1).sort();
  const Metrics m = measure(story.outcome());
  CHECK(m["busy_time"] == 2 + 6 + 4);
  CHECK(m["utilization.busy"] == 12.0 / 32);
  CHECK(m["utilization.held"] == 24.0 / 32);
  CHECK(m["bytes_moved"] == 600);
  CHECK(m["link_utilization"] == 2.0 / 16);
  const std::vector<JobRow> rows = job_rows(story.outcome());
  CHECK(rows[0].start == 1);  // its data began to move
  CHECK(rows[1].start == 12);
  CHECK(rows[1].hosts == std::vector<HostId>{HostId(1)});
}

TEST_CASE("a warm-up leaves out what was settled before it") {
  Outcome outcome = four_jobs_story().outcome();
  outcome.warmup = 5;
  const Metrics m = measure(outcome);
  CHECK(m["finished"] == 3);  // jobs 1 (at 5), 3 and 4
  CHECK(m["mean_response"] == (5 + 7 + 10) / 3.0);
  CHECK(m["utilization"] == (5 + 10) / 30.0);  // [5, 15)
}

TEST_CASE("what a lesser trace does not tell is left out; no job gives no averages") {
  Story story = four_jobs_story();
  story.level = TraceLevel::work;
  const Metrics m = measure(story.outcome());
  CHECK(m["makespan"] == 15);
  CHECK(m["mean_response"] == 6.5);
  CHECK_FALSE(m.has("utilization"));
  CHECK(std::isnan(m["utilization"]));
  story.level = TraceLevel::none;
  CHECK(measure(story.outcome())["finished"] == 4);
  CHECK_FALSE(measure(story.outcome()).has("makespan"));

  Story nothing(four_jobs());
  nothing.status = RunStatus::complete;
  const Metrics none = measure(nothing.outcome());
  for (const char* name : {"total_time", "total_wait", "mean_wait", "total_run", "mean_run", "mean_response",
                           "flowtime", "total_slowdown", "mean_slowdown", "mean_bounded_slowdown",
                           "mean_user_slowdown", "mean_relative_run"})
    CHECK(none[name] == 0);
  for (const char* name : {"makespan", "min_wait", "max_wait", "min_slowdown", "max_run", "utilization.jobs"})
    CHECK(std::isnan(none[name]));
  CHECK(none["unfinished"] == 4);
  // A window in which nothing finished has no means of the works that it cuts.
  nothing.status = RunStatus::horizon;
  CHECK(std::isnan(measure(nothing.outcome())["mean_response"]));
  CHECK(measure(nothing.outcome())["flowtime"] == 0);
  nothing.status = RunStatus::complete;
  Outcome late = nothing.outcome();
  late.warmup = 5;
  CHECK(std::isnan(measure(late)["mean_wait"]));
  CHECK_THROWS_WITH(m["makspan"], Catch::Contains("did you mean 'makespan'"));
}

TEST_CASE("tables") {
  Table table;
  table.columns = {"name", "time"};
  table.rows = {{std::string("a,\"b\""), 1.0 / 3},
                {std::string("longer"), std::nan("")},
                {std::string("c"), 12345.678}};
  CHECK(table.text() ==
        "name       time\n"
        "---------------\n"
        "a,\"b\"   0.33333\n"
        "longer        -\n"
        "c         12346\n");
  CHECK(table.csv() == "name,time\n\"a,\"\"b\"\"\",0.3333333333333333\nlonger,\nc,12345.678\n");
  const auto lines = parse_csv(table.csv());
  REQUIRE(lines.size() == 4);
  CHECK(lines[1] == std::vector<std::string>{"a,\"b\"", "0.3333333333333333"});
  CHECK(lines[2] == std::vector<std::string>{"longer", ""});
  CHECK(parse_csv("a,\"x\ny\"\r\nb,\r\n") == std::vector<std::vector<std::string>>{{"a", "x\ny"}, {"b", ""}});
  CHECK_THROWS_WITH(parse_csv("a,\"x"), Catch::Contains("not closed"));
  CHECK(short_number(0.1 + 0.2) == "0.3");
  CHECK(short_number(1234.56789) == "1234.6");
  CHECK(short_number(-0.00012345) == "-0.00012345");
  CHECK(short_number(1.5e9) == "1500000000");
  CHECK(short_number(0x1p53) == "9007199254740992");
  CHECK(short_number(1.5e9 + 0.5) == "1.5e+09");
  CHECK(short_number(1.2345e20) == "1.234e+20");
  CHECK(short_number(1e7) == "10000000");
  CHECK(short_number(0) == "0");
}

TEST_CASE("true and false in tables") {
  const Table table{{"name", "admitted"}, {{"one", true}, {"two", false}}};
  CHECK(table.text() == "name  admitted\n--------------\none   yes\ntwo   no\n");
  CHECK(table.csv() == "name,admitted\none,true\ntwo,false\n");
}

TEST_CASE("jobs and resources as tables") {
  const Table rows = jobs(four_jobs_story().outcome());
  CHECK(parse_csv(rows.csv())[3] ==
        std::vector<std::string>{
            "3",        "job 3", "job", "", "3", "4", "10", "1", "7", "6", "1.1666666666666667",
            "finished", "a.1",   "1",   "", "6", "4", "1",  "0", "",  "",  ""});
  CHECK(parse_csv(rows.csv())[4][14] == "16");
  const Table hosts = resources(four_jobs_story().outcome());
  CHECK(parse_csv(hosts.csv())[1] == std::vector<std::string>{"a.1", "host", "a", "2", "14", "14", "0", "0",
                                                              "0.4666666666666667", "2", "0", "0", "0", "2",
                                                              "0", "0"});
}

TEST_CASE("outcomes side by side") {
  Story slow = four_jobs_story();
  slow.policy = "slow";
  for (Record& record : slow.records)  // job 4 waits a second longer
    if (record.work == WorkId(3) && record.kind != RecordKind::arrived) record.time += 1;
  slow.sort();
  Story stopped = four_jobs_story();
  stopped.policy = "stopped";
  stopped.status = RunStatus::horizon;
  stopped.records.resize(stopped.records.size() - 2);
  stopped.sort();
  const std::vector<Outcome> outcomes{four_jobs_story().outcome(), slow.outcome(), stopped.outcome()};
  CHECK(comparison_table(outcomes, std::vector<std::string>{"makespan", "utilization", "finished"}) ==
        "policy   makespan  utilization  finished  status\n"
        "--------------------------------------------------\n"
        "told          15*     0.64444*         4  complete\n"
        "slow          16      0.60417          4  complete\n"
        "stopped       10          0.8          3  horizon\n");
  CHECK(comparison(outcomes).columns == std::vector<std::string>{"policy", "makespan", "mean_wait",
                                                                 "mean_response", "mean_slowdown",
                                                                 "utilization", "lost", "status"});
  CHECK_THROWS_WITH(comparison(outcomes, std::vector<std::string>{"make_span"}),
                    Catch::Contains("did you mean"));
}

TEST_CASE("jobs that take no time have no slowdown, and are counted; states at the end") {
  // Job 1 takes 0 s after waiting 3, job 2 takes 4 s at once; job 3 waits, job 4 is to come.
  Story story(four_jobs());
  story.status = RunStatus::horizon;
  for (std::uint32_t w = 0; w < 3; ++w) story.work(0, RecordKind::arrived, w);
  story.compute(1, 0, 1, 3, 3).compute(2, 1, 0, 0, 4, RecordKind::ended, 2);
  story.work(3, RecordKind::finished, 0).work(4, RecordKind::finished, 1);
  std::ranges::stable_sort(story.records, {}, &Record::time);  // what takes no time begins before it ends
  const Metrics m = measure(story.outcome());
  CHECK(m["zero_run"] == 1);
  CHECK(m["finished"] == 2);
  CHECK(m["future"] == 1);
  CHECK(m["queued"] == 1);
  CHECK(m["executing"] == 0);
  CHECK(m["mean_slowdown"] == 1);
  CHECK(m["mean_bounded_slowdown"] == 1);
  CHECK(m["mean_wait"] == 1.5);
  CHECK(m["mean_run"] == 2);
  CHECK(m["total_time"] == 4);
  CHECK(m["utilization.jobs"] == 8 / 12.0);  // 4 s on 2 of 3 cores, of 4 s
}

TEST_CASE(
    "the utilization of jobs counts core-seconds, neither the way home of outputs nor gaps between parts") {
  {
    auto workload = tasks_of({{2}, {8}});
    workload->files.push_back({"out", 8, 8});
    workload->file_lists.push_back(FileId(0));
    workload->works[0].output_count = 1;
    Story story(scenario_of(platform_of({with_link(cluster_of({1}), 1)}), workload));
    // Task 1 computes [0, 2), its output goes home [2, 10) while task 2 computes.
    story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1);
    story.compute(1, 0, 0, 0, 2).transfer(2, 0, 0, 2, 10, ActivityKind::transfer_out).compute(3, 1, 0, 2, 10);
    story.work(10, RecordKind::finished, 0).work(10, RecordKind::finished, 1);
    const Metrics m = measure(story.sort().outcome());
    CHECK(m["total_run"] == 18);
    CHECK(m["utilization.jobs"] == (2 + 8) / 10.0);
  }
  {
    auto workload = sweep_of(2, 1);
    workload->works.push_back(workload->works[0]);
    workload->extras.push_back(workload->extras[0]);
    workload->works[1].extra = 1;
    Story story(scenario_of(platform_of({cluster_of({1})}), workload));
    // Runs of sweep 1 in [0, 1) and [3, 4), of sweep 2 in [1, 2) and [2, 3).
    story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1);
    story.piece(1, 0, 0, 1, 0, 0, 1).piece(2, 1, 0, 1, 0, 1, 2).piece(3, 1, 1, 1, 0, 2, 3);
    story.piece(4, 0, 1, 1, 0, 3, 4).work(3, RecordKind::finished, 1).work(4, RecordKind::finished, 0);
    const Metrics m = measure(story.sort().outcome());
    CHECK(m["total_run"] == 4 + 2);
    CHECK(m["utilization.jobs"] == 1);
  }
}

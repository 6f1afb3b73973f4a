#include "runtime/results/gantt.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "runtime/results/table.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// Every line of the picture, columns counted in code points.
std::size_t widest(const std::string& picture) {
  std::istringstream lines(picture);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, display_width(line));
  return most;
}

}  // namespace

TEST_CASE("four jobs: a row per core, 3 columns a second") {
  // 52 columns: 5 for the labels, 2 for the bars at the ends, 45 for 15 s
  CHECK(gantt(four_jobs_story().outcome(), 52, false) ==
        "a.1 1|[2=========][3===============]               |\n"
        "  2  |[2=========]                                 |\n"
        "a.2  |[1============][4===========================]|\n"
        "     ++--------------+--------------+--------------+\n"
        "      0 s            5              10            15\n"
        "= computing\n");
  CHECK(gantt(four_jobs_story().outcome(), 52) ==
        "a.1 1|▐2█████████▌▐3███████████████▌               |\n"
        "  2  |▐2█████████▌                                 |\n"
        "a.2  |▐1████████████▌▐4███████████████████████████▌|\n"
        "     ++--------------+--------------+--------------+\n"
        "      0 s            5              10            15\n"
        "█ computing\n");
}

TEST_CASE("outages, reservations, lost work, copies, and files on a link") {
  auto workload = tasks_of({{4}, {4}});
  workload->files = {{"f", 20, 20}};
  Story story(scenario_of(platform_of({with_link(cluster_of({1, 1, 1}), 10, 0)}), workload));
  const auto host = [](std::uint32_t h) { return ResourceId::of(HostId(h)); };
  story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1).transfer(1, 0, 0, 0, 2);
  story.compute(2, 0, 0, 2, 5, RecordKind::lost).on(5, RecordKind::down, host(0), Reason::outage);
  story.on(8, RecordKind::up, host(0), Reason::outage);
  story.on(2, RecordKind::down, host(1), Reason::reservation)
      .on(4, RecordKind::up, host(1), Reason::reservation);
  story.compute(3, 0, 1, 5, 9)
      .compute(4, 0, 2, 6, 9, RecordKind::superseded, 1, true)
      .work(9, RecordKind::finished, 0);
  story.compute(5, 1, 2, 9, 10, RecordKind::cancelled);
  story.end = 10;
  CHECK(gantt(story.sort().outcome(), 48, false) ==
        "c.1   |        [1=========!------------        |\n"
        "c.2   |        rrrrrrrr    [1=============]    |\n"
        "c.3   |                        [1%%%%%%%%%/[2=x|\n"
        "      |                                        |\n"
        "c.link|[>>>>>>]                                |\n"
        "      ++-------+-------+-------+-------+-------+\n"
        "       0 s     2       4       6       8      10\n"
        "= computing  > file in  ! lost  x cancelled\n"
        "/ superseded  % copy  - away\n"
        "r set aside by a reservation\n");
}

TEST_CASE("a job that is killed at its limit has a mark of its own") {
  Story story(scenario_of(platform_of({cluster_of({1})}), tasks_of({{9}})));
  story.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 0, 4, RecordKind::cancelled);
  story.records.back().why = Reason::limit;
  const std::string picture = gantt(story.work(4, RecordKind::killed, 0).sort().outcome(), 30, false);
  CHECK(picture.find("|[1===") != std::string::npos);
  CHECK(picture.find("===k|\n") != std::string::npos);
  CHECK(picture.ends_with("= computing  k killed at its limit\n"));
}

TEST_CASE("transfers that share a link are counted") {
  auto workload = tasks_of({});
  workload->files = {{"a", 40, 40}, {"b", 20, 20}};
  Story story(scenario_of(platform_of({with_link(cluster_of({1}), 10, 1, Sharing::fair)}), workload));
  story.transfer(1, 0, 0, 0, 6).transfer(2, 1, 0, 2, 8);
  const std::string picture = gantt(story.sort().outcome(), 40, false);
  CHECK(picture ==
        "c.1   |                                |\n"
        "      |                                |\n"
        "c.link|11111111222222222222222211111111|\n"
        "      ++-------+-------+-------+-------+\n"
        "       0 s     2       4       6       8\n"
        "1-9 transfers at a time\n");
}

TEST_CASE("many hosts: shaded rows, groups, and those without work left out") {
  auto workload = tasks_of({});
  for (int w = 0; w < 60; ++w) {
    Work work;
    work.form = TimeForm::seconds;
    work.amount = 36000;
    workload->works.push_back(work);
  }
  Story story(scenario_of(platform_of({cluster_of(std::vector<double>(100, 1.0), "n")}), workload));
  for (std::uint32_t w = 0; w < 60; ++w) {
    story.work(0, RecordKind::arrived, w).compute(w + 1, w, w, 0, w % 2 == 0 ? 36000 : 18000);
    story.work(w % 2 == 0 ? 36000 : 18000, RecordKind::finished, w);
  }
  const std::string picture = gantt(story.sort().outcome(), 60);
  CHECK(widest(picture) <= 60);
  CHECK(picture.substr(0, picture.find('\n')) ==
        "n.1..n.2  |████████████████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒|");
  CHECK(picture.find("60 hosts in rows of 2\n40 hosts without work are left out\n") != std::string::npos);
  CHECK(picture.find(" 0 h") != std::string::npos);
  CHECK(std::count(picture.begin(), picture.end(), '\n') == 30 + 2 + 1 + 2);
}

TEST_CASE("pictures of next to nothing") {
  CHECK(gantt(Story(four_jobs()).outcome(), 80) == "nothing has run\n");
  Story story = four_jobs_story();
  for (Record& record : story.records) record.time = record.time * 1e-5 + 1000;  // far from zero, and short
  CHECK(widest(gantt(story.outcome(), 3)) <= 40);
  const std::string far = gantt(story.outcome(), 70, false);
  CHECK(far.find("0 us") != std::string::npos);
  CHECK(far.find("times from 1000 s on\n") != std::string::npos);
  for (Record& record : story.records) record.time = record.time > 1000 ? 5e-324 : 0;
  CHECK_THROWS_WITH(gantt(story.outcome(), 70),
                    "gantt: 5e-324 s are shown, which is too short to be drawn; at least 1e-300 s can be");
  // colours do not change what is seen
  std::string coloured = gantt(four_jobs_story().outcome(), 60, true, true);
  CHECK(coloured.find("\033[32m") != std::string::npos);
  for (std::size_t at; (at = coloured.find('\033')) != std::string::npos;)
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  CHECK(coloured == gantt(four_jobs_story().outcome(), 60));
}

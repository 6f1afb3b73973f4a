#include "runtime/pages/chart.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/gzip.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::string unpacked(const nlohmann::json& text) {
  constexpr std::size_t kMost = 1'000'000;
  return unzipped(pages::from_base64(text.get<std::string>()), kMost);
}

// Columns by name, as assets/data.js reads them.
std::map<std::string, std::vector<std::uint32_t>> columns_of(const nlohmann::json& run) {
  const std::string bytes = unpacked(run["data"]);
  const auto bars = run["bars"].get<std::size_t>();
  std::map<std::string, std::vector<std::uint32_t>> columns;
  std::size_t at = 0;
  for (const auto& [name, type] : run["columns"].items()) {
    const std::size_t width = std::stoul(type.get<std::string>().substr(1)) / 8;
    auto& values = columns[name];
    values.resize(bars);
    for (std::size_t byte = 0; byte < width; ++byte)
      for (std::size_t i = 0; i < bars; ++i)
        values[i] |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes.at(at++))) << (8 * byte);
  }
  CHECK(at == bytes.size());
  return columns;
}

std::int64_t unzigzag(std::uint32_t value) {
  return static_cast<std::int32_t>(value >> 1) ^ -static_cast<std::int32_t>(value & 1U);
}

// "a.1 rows 0+2 from 0 to 4 job 2" for each bar.
std::vector<std::string> bars_of(const nlohmann::json& run) {
  const auto columns = columns_of(run);
  const std::string text = unpacked(run["names"]);
  std::vector<std::string> names, bars;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    names.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const double from = run["from"], tick = run["tick"];
  std::int64_t lane = 0, work = 0, end = 0;
  for (std::size_t i = 0; i < run["bars"]; ++i) {
    if (columns.at("lane")[i] != 0) end = 0;
    lane += columns.at("lane")[i];
    work += unzigzag(columns.at("work")[i]);
    const std::int64_t start = end + unzigzag(columns.at("start")[i]);
    end = start + columns.at("length")[i];
    const std::string name = work < std::ssize(names) ? names[static_cast<std::size_t>(work)] : "-";
    const std::string kind = run["dictionaries"]["kind"][columns.at("kind")[i]];
    bars.push_back(run["lanes"][static_cast<std::size_t>(lane)]["name"].get<std::string>() + " rows " +
                   std::to_string(columns.at("row")[i]) + "+" + std::to_string(columns.at("rows")[i]) +
                   " from " + format_number(from + tick * static_cast<double>(start)) + " to " +
                   format_number(from + tick * static_cast<double>(end)) + " " + name + " " + kind +
                   (columns.at("hatched")[i] != 0 ? " hatched" : ""));
  }
  return bars;
}

}  // namespace

TEST_CASE("four jobs as columns") {
  const nlohmann::json run = pages::chart_of(four_jobs_story().outcome(), "four");
  CHECK(run["title"] == "four");
  CHECK(run["tick"] == 1);  // all times are whole seconds
  CHECK(run["from"] == 0);
  CHECK(run["to"] == 15);
  CHECK(run["lanes"] == nlohmann::json::parse(R"([{"name": "a.1", "cores": 2, "kind": "host"},
                                                  {"name": "a.2", "cores": 1, "kind": "host"}])"));
  CHECK(bars_of(run) == std::vector<std::string>{
                            "a.1 rows 0+2 from 0 to 4 job 2 job", "a.1 rows 0+1 from 4 to 10 job 3 job",
                            "a.2 rows 0+1 from 0 to 5 job 1 job", "a.2 rows 0+1 from 5 to 15 job 4 job"});
  // Job 3 arrives at 3 and begins at 4, job 4 arrives and begins at 5; the others begin when they arrive.
  CHECK(columns_of(run).at("wait") == std::vector<std::uint32_t>{0, 1, 0, 0});
}

TEST_CASE("ticks follow the times") {
  for (const auto& [end, tick] :
       std::map<double, double>{{8, 1}, {8.5, 0.1}, {8.125, 0.001}, {8 + 1.0 / 3, 1e-7}}) {
    Story story(scenario_of(platform_of({cluster_of({1})}), tasks_of({{8}})));
    story.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 0, end).work(end, RecordKind::finished, 0);
    const nlohmann::json run = pages::chart_of(story.sort().outcome(), "one");
    CHECK(run["tick"].get<double>() == tick);
    CHECK(columns_of(run).at("length")[0] == static_cast<std::uint32_t>(std::llround(end / tick)));
  }
}

TEST_CASE("absences, transfers and what was lost are hatched or have lanes of links") {
  auto workload = tasks_of({{4}, {4}});
  workload->files = {{"f", 20, 20}};
  Story story(scenario_of(platform_of({with_link(cluster_of({1, 1}), 10, 0)}), workload));
  const auto host = [](std::uint32_t h) { return ResourceId::of(HostId(h)); };
  story.work(0, RecordKind::arrived, 0).work(0, RecordKind::arrived, 1).transfer(1, 0, 0, 0, 2);
  story.compute(2, 0, 0, 2, 5, RecordKind::lost).on(5, RecordKind::down, host(0), Reason::outage);
  story.on(8, RecordKind::up, host(0), Reason::outage)
      .compute(3, 1, 1, 0, 9)
      .work(9, RecordKind::finished, 1);
  story.end = 9;
  const nlohmann::json run = pages::chart_of(story.sort().outcome(), "mixed");
  CHECK(bars_of(run) == std::vector<std::string>{"c.1 rows 0+1 from 2 to 5 task 1 task hatched",
                                                 "c.1 rows 0+1 from 5 to 8 - away hatched",
                                                 "c.2 rows 0+1 from 0 to 9 task 2 task",
                                                 "c.link rows 0+1 from 0 to 2 - file in"});
  CHECK(run["lanes"][2] == nlohmann::json::parse(R"({"name": "c.link", "cores": 1, "kind": "link"})"));
}

TEST_CASE("the shortest bars are left out and counted") {
  const nlohmann::json run = pages::chart_of(four_jobs_story().outcome(), "four", {}, 2);
  CHECK(run["bars"] == 2);
  CHECK(run["left_out"] == 2);
  CHECK(run["left_out_text"] == "The 2 shortest of 4 bars are not in this page.");
  CHECK(bars_of(run) == std::vector<std::string>{"a.1 rows 0+1 from 4 to 10 job 3 job",
                                                 "a.2 rows 0+1 from 5 to 15 job 4 job"});
}

TEST_CASE("reasons are told of works that have bars") {
  const pages::Whys whys{{{WorkId(2), "it was\nthe first"}, {WorkId(0), "so"}}, "some are missing"};
  const nlohmann::json run = pages::chart_of(four_jobs_story().outcome(), "four", whys);
  CHECK(run["why_works"] == nlohmann::json::parse("[2, 0]"));
  CHECK(unpacked(run["whys"]) == std::string("it was\nthe first\0so", 19));
  CHECK(run["why_text"] == "some are missing");
}

TEST_CASE("nothing that has run is no chart") {
  Story story(scenario_of(platform_of({cluster_of({1})}), tasks_of({{8}})));
  story.work(0, RecordKind::arrived, 0);
  CHECK_THROWS_AS(pages::chart_of(story.sort().outcome(), "none"), Error);
}

TEST_CASE("several runs and where they part") {
  const nlohmann::json run = pages::chart_of(four_jobs_story().outcome(), "four");
  const auto both = nlohmann::json::parse(pages::chart_of_runs({run, run}, "both", 7.5, "there"));
  CHECK(both["runs"].size() == 2);
  CHECK(both["parting"] == 7.5);
  CHECK(both["parting_text"] == "there");
  CHECK(both["file"] == "both");
  CHECK(nlohmann::json::parse(pages::chart_of_runs({run}, "one"))["parting"].is_null());
}

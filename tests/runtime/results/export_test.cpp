#include "runtime/results/export.h"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <clocale>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runtime/model/readers/lines.h"
#include "runtime/results/table.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct ExportFolder : Folder {
  ~ExportFolder() { fs::permissions(path, fs::perms::owner_all); }  // or it could not be removed
  std::vector<std::string> names(const fs::path& below = {}) const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(path / below))
      all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }
};

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

std::string code_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.diagnostic().code + ": " + error.diagnostic().message;
  }
  return "";
}

// Awkward names and numbers.
Story odd_story() {
  Story story = four_jobs_story();
  auto workload = std::make_shared<Workload>(*story.scenario->workload);
  workload->names = {"first, \"quoted\"", "line\nbreak", "", "Überlänge"};
  auto scenario = std::make_shared<Scenario>(*story.scenario);
  scenario->workload = workload;
  story.scenario = scenario;
  story.note(0, "a note, with comma", {0.1 + 0.2, -0.0, 1e-300, kNever, std::nan("")});
  for (Record& record : story.records) record.time = record.time / 3;
  return story.sort();
}

const std::vector<std::string> kAll = {"chrome_trace.json", "jobs.csv",      "manifest.json",
                                       "metrics.json",      "resources.csv", "trace.csv"};

}  // namespace

TEST_CASE("saved results parse back") {
  const ExportFolder folder;
  const Outcome outcome = odd_story().outcome();
  save(outcome, folder.path / "new" / "run", {{"script", "x.lua"}, {"files", {"plot.svg"}}});
  CHECK(folder.names("new") == std::vector<std::string>{"run"});
  CHECK(folder.names("new/run") == kAll);
  const fs::path dir = folder.path / "new" / "run";

  const json manifest = json::parse(read(dir / "manifest.json"));
  CHECK(manifest["perigee"].is_string());
  CHECK(manifest["policy"] == "told");
  CHECK(manifest["seed"] == 1);
  CHECK(manifest["status"] == "complete");
  CHECK(manifest["fingerprint"]["physical"] == outcome.physical.text());
  CHECK(manifest["fingerprint"]["full"] == outcome.full.text());
  CHECK(manifest["script"] == "x.lua");
  CHECK(manifest["files"].size() == 7);

  const json metrics = json::parse(read(dir / "metrics.json"));
  CHECK(metrics["makespan"]["value"] == 5.0);
  CHECK(metrics["makespan"]["unit"] == "s");
  CHECK(metrics["link_utilization"]["value"].is_null());

  const auto jobs = parse_csv(read(dir / "jobs.csv"));
  REQUIRE(jobs.size() == 5);
  CHECK(jobs[1][1] == "first, \"quoted\"");
  CHECK(jobs[2][1] == "line\nbreak");
  CHECK(jobs[4][1] == "Überlänge");
  CHECK(std::stod(jobs[1][6]) == 5.0 / 3);  // exact
  CHECK(parse_csv(read(dir / "resources.csv")).size() == 3);

  const json chrome = json::parse(read(dir / "chrome_trace.json"));
  int bars = 0, counters = 0;
  for (const json& event : chrome["traceEvents"]) {
    if (event["ph"] == "X") ++bars;
    if (event["ph"] == "C") ++counters;
  }
  CHECK(bars == 1 + 2 + 1 + 1);  // job 2 has two cores
  CHECK(counters == 6);          // at 0, 3, 4, 5, 10 and 15 thirds
}

TEST_CASE("each event of the trace for viewers is spelt as the library for JSON spells it") {
  for (const Story& story : {odd_story(), four_jobs_story()}) {
    std::istringstream lines(chrome_trace(story.outcome()));
    std::string line, expected = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
    std::size_t events = 0;
    while (std::getline(lines, line)) {
      if (events == 0 && line == expected) continue;
      if (line == "]}") break;
      if (line.ends_with(',')) line.pop_back();
      CHECK(json::parse(line).dump() == line);
      ++events;
    }
    CHECK(line == "]}");
    CHECK(events == json::parse(chrome_trace(story.outcome()))["traceEvents"].size());
    CHECK(events > 10);
  }
}

TEST_CASE("more bars than can be looked at are left out, and it is said") {
  const ExportFolder folder;
  Story story(scenario_of(platform_of({cluster_of({1}, "wide", 1500000)}), tasks_of({{10, 0, 1500000}})));
  story.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 0, 10, RecordKind::ended, 1500000);
  story.work(10, RecordKind::finished, 0);
  const std::vector<std::string> said = save(story.outcome(), folder.path / "run");
  REQUIRE(said.size() == 1);
  CHECK(said[0] == "chrome_trace.json is left out: 1500000 bars are more than 1000000");
  std::vector<std::string> rest = kAll;
  std::erase(rest, "chrome_trace.json");
  CHECK(folder.names("run") == rest);
  const json manifest = json::parse(read(folder.path / "run" / "manifest.json"));
  CHECK(manifest["left_out"][0] == said[0]);
  CHECK(manifest["files"].size() == 5);
  CHECK(save(four_jobs_story().outcome(), folder.path / "run").empty());  // it is still ours to replace
  CHECK(folder.names("run") == kAll);
}

TEST_CASE("a run is saved in the files that are asked for, and compressed where that is asked for") {
  const ExportFolder folder;
  const Outcome outcome = four_jobs_story().outcome();
  const fs::path dir = folder.path / "run";
  save(outcome, dir, json(),
       {.also = {Format::batsim}, .only = {RunFile::metrics, RunFile::trace}, .gzip = true});
  CHECK(folder.names("run") ==
        std::vector<std::string>{"batsim_jobs.csv", "manifest.json", "metrics.json", "trace.csv.gz"});
  CHECK(json::parse(read(dir / "manifest.json"))["files"] ==
        json{"trace.csv.gz", "metrics.json", "manifest.json", "batsim_jobs.csv"});
  CHECK(readers::Lines::whole(dir / "trace.csv.gz", 1'000'000) == trace_csv(outcome));
  CHECK_FALSE(first_difference(outcome, dir / "trace.csv.gz"));
  const std::string packed = read(dir / "trace.csv.gz");
  save(outcome, dir, json(), {.only = {RunFile::trace}, .gzip = true});  // the files of before are ours
  CHECK(folder.names("run") == std::vector<std::string>{"manifest.json", "trace.csv.gz"});
  CHECK(read(dir / "trace.csv.gz") == packed);
  save(outcome, dir);
  CHECK(folder.names("run") == kAll);
  CHECK_THAT(code_of([] { run_file_named("chrome"); }), Catch::StartsWith("unknown_file"));
}

TEST_CASE("what hosts drew is saved for Batsim's tools where hosts declare their power") {
  const ExportFolder folder;
  PlatformSpec::ClusterSpec cluster = cluster_of({1});
  PowerModel power;
  power.states.push_back({.idle = 1, .epsilon = 1, .busy = 2});
  cluster.hosts[0].power = std::make_shared<const PowerModel>(power);
  Story story(scenario_of(platform_of({cluster}), tasks_of({{4}})));
  story.work(0, RecordKind::arrived, 0).compute(1, 0, 0, 0, 4).work(4, RecordKind::finished, 0).sort();
  const Outcome outcome = story.outcome();
  save(outcome, folder.path / "run", json(), {.also = {Format::batsim}, .only = {RunFile::metrics}});
  CHECK(folder.names("run") ==
        std::vector<std::string>{"batsim_jobs.csv", "consumed_energy.csv", "manifest.json", "metrics.json"});
  CHECK(json::parse(read(folder.path / "run" / "manifest.json"))["files"] ==
        json{"metrics.json", "manifest.json", "batsim_jobs.csv", "consumed_energy.csv"});
  CHECK(read(folder.path / "run" / "consumed_energy.csv") == batsim_energy_csv(outcome));
}

TEST_CASE("a trace tells each record exactly, and is the same when it is read") {
  const ExportFolder folder;
  const Outcome outcome = odd_story().outcome();
  const std::string text = trace_csv(outcome);
  write(folder.path / "trace.csv", text);
  CHECK_FALSE(first_difference(outcome, folder.path / "trace.csv"));
  const auto lines = parse_csv(text);
  REQUIRE(lines.size() == outcome.trace.size() + 1);
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    const auto field = [&](const std::string& column) {
      const auto at = std::find(lines[0].begin(), lines[0].end(), column);
      REQUIRE(at != lines[0].end());
      return lines[i + 1][static_cast<std::size_t>(at - lines[0].begin())];
    };
    CHECK(std::stod(field("time")) == record.time);
    CHECK(field("kind") == name_of(record.kind));
    CHECK(field("work") == (record.work.valid() ? outcome.scenario->workload->name_of(record.work) : ""));
    if (record.activity != 0) {
      CHECK(field("activity") == std::to_string(record.activity));
      CHECK(field("activity_kind") == name_of(record.what));
      CHECK(std::stod(field("size")) == record.size);
      CHECK(field("cores") == std::to_string(record.cores));
      CHECK(field("resource") == outcome.scenario->platform->name_of(record.on));
      CHECK(field("resource_kind") == "host");
    }
    if (record.kind == RecordKind::note) {
      CHECK(field("note") == "a note, with comma");
      CHECK(field("values") == "0.30000000000000004 0 1e-300 inf nan");
    }
  }
}

TEST_CASE("the first event that differs is shown") {
  const ExportFolder folder;
  write(folder.path / "trace.csv", trace_csv(four_jobs_story().outcome()));
  Story later = four_jobs_story();
  for (Record& record : later.records)
    if (record.activity == 3) record.time += 0.5;
  later.sort();
  const auto difference = first_difference(later.outcome(), folder.path / "trace.csv");
  REQUIRE(difference);
  CHECK(*difference ==
        "event 8: expected t=4 started compute of job 3 on a.1 (activity 3), got t=4.5 started compute of "
        "job 3 on a.1 "
        "(activity 3) (they differ in time)");
  Story shorter = four_jobs_story();
  shorter.records.pop_back();
  CHECK(first_difference(shorter.outcome(), folder.path / "trace.csv").value() ==
        "event 16: expected t=15 finished job 4, got the end of the trace");
  Story longer = four_jobs_story();
  longer.on(15, RecordKind::down, ResourceId::of(HostId(0)), Reason::outage);
  CHECK(first_difference(longer.outcome(), folder.path / "trace.csv").value() ==
        "event 17: expected the end of the trace, got t=15 down on a.1 (outage)");
}

TEST_CASE("stored traces that cannot be read") {
  const ExportFolder folder;
  const fs::path file = folder.path / "trace.csv";
  const auto error = [&] { return code_of([&] { first_difference(four_jobs_story().outcome(), file); }); };
  CHECK_THAT(error(), Catch::StartsWith("bad_trace: '" + file.string() + "': there is no such file"));
  write(file, "time,kind\n");
  CHECK_THAT(error(), Catch::Contains("is no trace"));
  const std::string good = trace_csv(four_jobs_story().outcome());
  write(file, good + "1,arrived\n");
  CHECK_THAT(error(), Catch::Contains("line 18: 2 fields instead of 15"));
  write(file, good + "\"1,arrived");
  CHECK_THAT(error(), Catch::Contains("a quote is not closed"));
}

TEST_CASE("a folder is replaced as a whole, and only when it is ours") {
  const ExportFolder folder;
  const Outcome outcome = four_jobs_story().outcome();
  const fs::path dir = folder.path / "out";
  fs::create_directory(dir);  // empty
  save(outcome, dir);
  CHECK(folder.names("out") == kAll);
  write(dir / "jobs.csv", "old");
  save(outcome, dir);  // ours
  CHECK(read(dir / "jobs.csv") != "old");
  CHECK(folder.names() == std::vector<std::string>{"out"});  // nothing is left beside it

  write(dir / "thesis.tex", "years of work");
  CHECK_THAT(code_of([&] { save(outcome, dir); }),
             Catch::Contains("bad_output: ") && Catch::Contains(dir.string()) &&
                 Catch::Contains("exists and holds other files ('thesis.tex')"));
  CHECK(read(dir / "thesis.tex") == "years of work");
  fs::remove(dir / "thesis.tex");
  write(dir / "plot.svg", "listed");
  json manifest = json::parse(read(dir / "manifest.json"));
  manifest["files"].push_back("plot.svg");
  write(dir / "manifest.json", manifest.dump());
  save(outcome, dir);
  CHECK(folder.names("out") == kAll);

  for (const char* text : {"{}", "not json", "[1]"}) {
    write(dir / "manifest.json", text);
    CHECK_THAT(code_of([&] { save(outcome, dir); }), Catch::Contains("exists and holds other files"));
  }
  write(folder.path / "file", "x");
  CHECK_THAT(code_of([&] { save(outcome, folder.path / "file"); }),
             Catch::Contains("it exists and is no folder"));
  CHECK_THAT(code_of([&] { save(outcome, folder.path / "file" / "below"); }),
             Catch::StartsWith("bad_output"));
  CHECK_THAT(code_of([&] { save(outcome, ""); }), Catch::StartsWith("bad_output"));
  CHECK_THAT(code_of([&] { save(outcome, "/"); }), Catch::StartsWith("bad_output"));
  CHECK_THAT(code_of([&] { save(outcome, "/proc/perigee"); }), Catch::StartsWith("bad_output"));
  CHECK(folder.names() == std::vector<std::string>{"file", "out"});
}

TEST_CASE("a symbolic link to a folder stays one") {
  const ExportFolder folder;
  fs::create_directory(folder.path / "real");
  fs::create_directory_symlink("real", folder.path / "link");
  save(four_jobs_story().outcome(), folder.path / "link");
  CHECK(fs::is_symlink(folder.path / "link"));
  CHECK(folder.names("real") == kAll);
}

TEST_CASE("folders that cannot be written") {
  if (::geteuid() == 0) return;  // root may write anywhere
  const ExportFolder folder;
  fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
  CHECK_THAT(code_of([&] { save(four_jobs_story().outcome(), folder.path / "out"); }),
             Catch::Contains("bad_output: cannot write results to") && Catch::Contains("Permission denied"));
}

TEST_CASE("a failed write leaves nothing behind") {
  const ExportFolder folder;
  // /dev/full accepts no data at all, so no file on it can fail half way. A name that is too long can.
  const fs::path dir = folder.path / std::string(250, 'x');
  CHECK_THAT(code_of([&] { save(four_jobs_story().outcome(), dir); }), Catch::StartsWith("bad_output"));
  CHECK(folder.names().empty());
}

TEST_CASE("numbers do not depend on the locale") {
  const std::string before = trace_csv(odd_story().outcome());
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  CHECK(trace_csv(odd_story().outcome()) == before);
  std::setlocale(LC_ALL, "C");
}

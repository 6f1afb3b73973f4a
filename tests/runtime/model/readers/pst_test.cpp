#include "runtime/model/readers/pst.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "tests/support/layers.h"
#include "tests/support/mutate.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// The error as "code | line | message".
std::string pst_refused(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    const Diagnostic& what = error.diagnostic();
    CHECK(what.where.file == "a.txt");
    return what.code + " | " + std::to_string(what.where.line) + " | " + what.message;
  }
  return "nothing";
}
std::string refused_grid(const std::string& text) {
  return pst_refused([&] { parse_pst_grid(text, "a.txt"); });
}
std::string refused_application(const std::string& text) {
  return pst_refused([&] { parse_pst_application(text, "a.txt"); });
}
std::string refused_behaviour(const std::string& text) {
  return pst_refused([&] { parse_pst_behaviour(text, "a.txt"); });
}

// The text of the publication beside the project; empty if it is not there.
std::string publication() {
  const auto folder = test::source_folder() / "../shared/seeds";
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
    if (entry.path().filename().string().starts_with("003_")) {
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      return text.str();
    }
  return {};
}

// From the line that begins with `first` up to the heading `last`, without fences.
std::string listing(const std::string& text, const std::string& first, const std::string& last) {
  std::istringstream lines(text);
  std::string found;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    inside = (inside || line.starts_with(first)) && !line.starts_with(last);
    if (inside && !line.starts_with("```")) found += line + "\n";
  }
  return found;
}

const std::string kGrid =
    "# ours\r\n"
    "\n"
    "  GridDescription 1 \r\n"
    "0:ADD_CLUSTER <b> <slow> <4>\n"
    "<0>:ADD_CLUSTER<a><fast link><0>\n"
    "0 : ADD_HOST <a> <first host> <full> <0> <2>\n"
    "  # between\n"
    "2.5:ADD_HOST <b> <second> <half> <1> <0>\n"
    "10:REMOVE_CLUSTER <a>\n"
    "10:CHANGE_HOST_BEHAVIOR <first host> <half> <0>\n"
    "11:ADD_HOST <b> <first host> <half> <0> <1>";

PstBehaviours behaviours() {
  PstBehaviours all;
  all.of_hosts["full"].percent = {100};
  all.of_hosts["half"].percent = {50, 25, 100};
  all.of_links["slow"] = {{}, {0, 500}, {10, 20}};
  all.of_links["fast link"] = {{}, {1}, {1000}};
  return all;
}

}  // namespace

TEST_CASE("the grid of appendix A is read, and the event on a cluster that is away is a warning") {
  const std::string text = publication();
  if (text.empty()) {
    WARN("skipped: the publication is not beside the project");
    return;
  }
  const PstGrid grid = parse_pst_grid(listing(text, "GridDescription 1", "## B"), "a.txt");
  REQUIRE(grid.events.size() == 22);
  const auto count = [&](PstEventKind kind) {
    return std::ranges::count(grid.events, kind, &PstEvent::kind);
  };
  CHECK(count(PstEventKind::add_cluster) == 6);
  CHECK(count(PstEventKind::add_host) == 12);
  CHECK(count(PstEventKind::remove_cluster) == 2);
  CHECK(count(PstEventKind::remove_host) == 0);
  CHECK(count(PstEventKind::change_host) == 1);
  CHECK(count(PstEventKind::change_cluster) == 1);
  const auto event = [&](std::size_t i) {
    const PstEvent& e = grid.events[i];
    std::ostringstream line;
    line << e.at << " " << name_of(e.kind) << " " << e.cluster << e.host << " " << e.behaviour;
    return line.str();
  };
  CHECK(event(12) == "200 REMOVE_CLUSTER cluster3 ");
  CHECK(event(13) == "553 CHANGE_HOST_BEHAVIOR host4.2 loaded_2");
  CHECK(grid.events[13].offset == 4);
  CHECK(event(20) == "1500 REMOVE_CLUSTER cluster4 ");
  CHECK(event(21) == "1550 CHANGE_CLUSTER_BEHAVIOR cluster3 stable_100Kb");
  REQUIRE(grid.warnings.size() == 1);
  CHECK(grid.warnings[0].line == 23);  // the header and 22 events
  CHECK(grid.warnings[0].text.find("CHANGE_CLUSTER_BEHAVIOR of cluster 'cluster3', which is away") == 0);

  // Its behaviours are not printed. Each has one value here, as its name says.
  PstBehaviours all;
  for (const int percent : {50, 70, 90, 100})
    all.of_hosts["stable_" + std::to_string(percent)].percent = {static_cast<double>(percent)};
  all.of_hosts["loaded_2"].percent = {40};
  for (const auto& [name, bandwidth] :
       {std::pair{"stable_10Kb", 1e4}, {"stable_100Kb", 1e5}, {"stable_1Mb", 1e6}})
    all.of_links[name] = {{}, {0}, {bandwidth}};
  const PstPlatform made = pst_platform(grid, all);
  const Platform platform(made.spec);
  CHECK(platform.clusters().size() == 6);
  CHECK(platform.hosts().size() == 12);
  CHECK(made.architectures == 2);
  CHECK(platform.hosts()[0].name == "host3.1");
  CHECK(platform.hosts()[11].name == "host2.2");
}

TEST_CASE("the application of appendix B is read") {
  const std::string text = publication();
  if (text.empty()) {
    WARN("skipped: the publication is not beside the project");
    return;
  }
  const PstApplication application = parse_pst_application(listing(text, "WorkDescription", "## C"), "a.txt");
  REQUIRE(application.files.size() == 22);
  REQUIRE(application.tasks.size() == 12);
  CHECK(application.warnings.empty());
  for (const PstFile& file : application.files) CHECK(file.size == file.estimate);
  std::vector<int> uses(22);
  for (const PstTask& task : application.tasks) {
    CHECK(task.inputs.size() == 3);
    CHECK(task.outputs.size() == 1);
    REQUIRE(task.times.size() == 3);
    for (std::size_t a = 0; a < 3; ++a)
      CHECK(std::abs(task.estimates[a] - task.times[a]) <= 0.15 * task.times[a]);
    for (const std::uint32_t file : task.inputs) {
      CHECK(file < 10);
      ++uses[file];
    }
    CHECK(task.outputs[0] >= 10);
  }
  CHECK(uses[2] == 9);
  CHECK(*std::ranges::max_element(uses) == 9);
}

TEST_CASE("a grid: times with and without brackets, comments, blanks, ends of lines") {
  const PstGrid grid = parse_pst_grid(kGrid, "a.txt");
  REQUIRE(grid.events.size() == 7);
  CHECK(grid.events[1].cluster == "a");
  CHECK(grid.events[1].behaviour == "fast link");
  CHECK(grid.events[2].host == "first host");
  CHECK(grid.events[2].architecture == 2);
  CHECK(grid.events[3].at == 2.5);
  CHECK(grid.events[3].line == 8);
  REQUIRE(grid.warnings.size() == 1);  // its cluster has gone
  CHECK(grid.warnings[0].line == 10);
  CHECK(grid.warnings[0].text == "CHANGE_HOST_BEHAVIOR of host 'first host', which is away: ignored");
  CHECK(write_pst(grid) ==
        "GridDescription 1\n"
        "0:ADD_CLUSTER <b> <slow> <4>\n"
        "0:ADD_CLUSTER <a> <fast link> <0>\n"
        "0:ADD_HOST <a> <first host> <full> <0> <2>\n"
        "2.5:ADD_HOST <b> <second> <half> <1> <0>\n"
        "10:REMOVE_CLUSTER <a>\n"
        "10:CHANGE_HOST_BEHAVIOR <first host> <half> <0>\n"
        "11:ADD_HOST <b> <first host> <half> <0> <1>\n");
}

TEST_CASE("what is wrong with a grid is told with its line") {
  CHECK(refused_grid("") == "bad_file | 1 | the file is empty; its first line must be 'GridDescription 1'");
  CHECK(refused_grid("\n# x\n") ==
        "bad_file | 1 | the file is empty; its first line must be 'GridDescription 1'");
  CHECK(refused_grid("# x\nGridDescriptor 1") ==
        "pst_header | 2 | the first line must begin with 'GridDescription', got 'GridDescriptor 1'");
  CHECK(refused_grid("GridDescription 2") == "pst_header | 1 | version must be 1, got '2'");
  CHECK(refused_grid("GridDescription") ==
        "pst_header | 1 | 'GridDescription' must be followed by 1 number, got 0");
  const auto after = [](const std::string& line) {
    return refused_grid("GridDescription 1\n0:ADD_CLUSTER <c> <b> <0>\n0:ADD_HOST <c> <h> <b> <0> <0>\n" +
                        line);
  };
  CHECK(after("5 ADD_HOST <c>") ==
        "pst_line | 4 | a time and ':' come first, as in 0:ADD_CLUSTER, got '5 ADD_HOST <c>'");
  CHECK(after("5:REMOVE_HOSTS <h>") ==
        "pst_line | 4 | there is no event 'REMOVE_HOSTS'; did you mean 'REMOVE_HOST'?");
  CHECK(after("5:REMOVE_HOST") == "pst_line | 4 | REMOVE_HOST has 1 argument, got 0");
  CHECK(after("5:REMOVE_HOST <h> <x>") == "pst_line | 4 | REMOVE_HOST has 1 argument, got 2");
  CHECK(after("5:REMOVE_HOST h") ==
        "pst_line | 4 | there is no event 'REMOVE_HOST h'; did you mean 'REMOVE_HOST'?");
  CHECK(after("5:REMOVE_HOST <h> x") == "pst_line | 4 | an argument must begin with '<', got 'x'");
  CHECK(after("5:REMOVE_HOST < >") == "pst_line | 4 | argument 1 is empty");
  CHECK(after("5:REMOVE_HOST <h <x>") == "pst_line | 4 | argument 1 has no '>': '<h <x>'");
  CHECK(after("nan:REMOVE_HOST <h>") == "pst_line | 4 | time must be a number, got 'nan'");
  CHECK(after("1s:REMOVE_HOST <h>") == "pst_line | 4 | time must be a number, got '1s'");
  CHECK(after("-1:REMOVE_HOST <h>") == "out_of_range | 4 | time must be >= 0, got -1");
  CHECK(after("5:REMOVE_HOST <h>\n4.5:REMOVE_CLUSTER <c>") ==
        "out_of_range | 5 | time 4.5 s is before that of the event above, 5 s");
  CHECK(after("5:ADD_CLUSTER <c> <b> <0>") ==
        "duplicate_id | 4 | cluster 'c' is added, but it is there already");
  CHECK(after("5:ADD_HOST <c> <h> <b> <0> <0>") ==
        "duplicate_id | 4 | host 'h' is added, but it is there already");
  CHECK(after("5:ADD_HOST <d> <i> <b> <0> <0>") == "unknown_reference | 4 | cluster 'd' is not added before");
  CHECK(after("5:REMOVE_CLUSTER <c>\n5:ADD_HOST <c> <h> <b> <0> <0>") ==
        "unknown_reference | 5 | host 'h' cannot be added to cluster 'c', which is away");
  CHECK(after("5:REMOVE_HOST <host>") == "unknown_reference | 4 | host 'host' is not added before");
  CHECK(after("5:CHANGE_HOST_BEHAVIOR <h> <b> <-1>") ==
        "pst_line | 4 | offset must be a whole number >= 0, got '-1'");
  CHECK(after("5:CHANGE_HOST_BEHAVIOR <h> <b> <1.5>") ==
        "pst_line | 4 | offset must be a whole number >= 0, got '1.5'");
  CHECK(after("5:ADD_HOST <c> <i> <b> <0> <10000>") ==
        "out_of_range | 4 | architecture must be at most 9999, got 10000");
}

TEST_CASE("behaviours: with a header of their kind, or with a count alone") {
  CHECK(parse_pst_behaviour("3\n50\n# x\n 12.5\n0\n", "a.txt").percent == std::vector<double>{50, 12.5, 0});
  const PstBehaviour link = parse_pst_behaviour("LinkBehavior 1 2\n0 1e3\n2.5 0", "a.txt");
  CHECK(link.of_link());
  CHECK(link.latency == std::vector<double>{0, 2.5});
  CHECK(link.bandwidth == std::vector<double>{1000, 0});
  CHECK(parse_pst_behaviour("1\n5 6", "a.txt").of_link());
  CHECK(write_pst(link) == "LinkBehavior 1 2\n0 1000\n2.5 0\n");

  CHECK(refused_behaviour("") ==
        "bad_file | 1 | the file is empty; its first line must be 'HostBehavior 1 COUNT'");
  CHECK(refused_behaviour("0") == "out_of_range | 1 | the number of values must be >= 1, got 0");
  CHECK(refused_behaviour("HostBehavior 2 1\n1") == "pst_header | 1 | version must be 1, got '2'");
  CHECK(refused_behaviour("Behavior 1 1") ==
        "pst_header | 1 | the first line must begin with 'HostBehavior', got 'Behavior 1 1'");
  CHECK(refused_behaviour("2\n\n50\n# end\n\n") ==
        "pst_line | 3 | the file ends after 1 of the 2 values of its header");
  CHECK(refused_behaviour("1\n50\n60") == "pst_line | 3 | more values than the 1 of the header");
  CHECK(refused_behaviour("2\n50\n1 2") == "pst_line | 3 | an availability in percent is needed, got '1 2'");
  CHECK(refused_behaviour("LinkBehavior 1 1\n50") ==
        "pst_line | 2 | a latency in ms and a bandwidth in B/s is needed, got '50'");
  CHECK(refused_behaviour("1\n100.5") == "out_of_range | 2 | availability must be at most 100, got 100.5");
  CHECK(refused_behaviour("1\n-1 5") == "out_of_range | 2 | latency must be >= 0, got -1");
  CHECK(refused_behaviour("1\n0 inf") == "pst_line | 2 | bandwidth must be a number, got 'inf'");
}

TEST_CASE("what is wrong with an application is told with its line") {
  CHECK(refused_application("WorkDescription 1 2") ==
        "pst_header | 1 | 'WorkDescription' must be followed by 3 numbers, got 2");
  const auto with = [](const std::string& lines) {
    return refused_application("WorkDescription 1 3 2\nFile: <2> <x> <0> <0>\nFile: <0> <in> <10> <10.5>\n" +
                               lines);
  };
  CHECK(with("") == "pst_line | 3 | the file ends after 2 of 3 files and 0 of 2 tasks of its header");
  CHECK(with("# x\nfile: <1>") ==
        "pst_line | 5 | a line must begin with 'File:' or 'Work:', got 'file: <1>'");
  CHECK(with("File: <1> <y> <1>") ==
        "pst_line | 4 | a file has 4 arguments: id, name, size and estimate, got 3");
  CHECK(with("File: <3> <y> <1> <1>") == "out_of_range | 4 | the id of a file must be at most 2, got 3");
  CHECK(with("File: <0> <y> <1> <1>") == "duplicate_id | 4 | there are two files with id 0");
  CHECK(with("File: <1> <y> <-1> <1>") == "out_of_range | 4 | size must be >= 0, got -1");
  const auto task = [&](const std::string& rest) { return with("Work: <0> " + rest); };
  CHECK(task("<0:> <0:>") ==
        "pst_line | 4 | a task has 5 arguments: id, inputs, outputs, run times and their estimates, got 3");
  CHECK(task("<1: 0 2> <0:> <1: 1> <1: 1>") == "pst_line | 4 | inputs: 2 values, but 1 are announced");
  CHECK(task("<0> <0:> <1: 1> <1: 1>") ==
        "pst_line | 4 | inputs: a number and ':' come first, as in < 2 : 0 1 >, got '0'");
  CHECK(task("<1: 1> <0:> <1: 1> <1: 1>") == "unknown_reference | 4 | inputs: file 1 is not declared before");
  CHECK(task("<2: 0 0> <0:> <1: 1> <1: 1>") == "duplicate_id | 4 | task 0 has file 0 as input twice");
  CHECK(task("<1: 0> <1: 0> <1: 1> <1: 1>") ==
        "duplicate_id | 4 | task 0 has file 0 as output, which is an input");
  CHECK(task("<0:> <2: 0 0> <1: 1> <1: 1>") ==
        "duplicate_id | 4 | task 0 has file 0 as output, which is an output already");
  CHECK(task("<0:> <1: 0> <1: 1> <1: 1>\nWork: <1> <1: 0> <0:> <1: 1> <1: 1>") ==
        "duplicate_id | 5 | task 1 has file 0 as input, which is an output");
  CHECK(task("<0:> <0:> <0:> <0:>") == "pst_line | 4 | task 0 has no run times");
  CHECK(task("<0:> <0:> <2: 1 2> <1: 1>") == "pst_line | 4 | task 0 has 2 run times and 1 estimates");
  CHECK(task("<0:> <0:> <1: 1> <1: 1>\nWork: <1> <0:> <0:> <2: 1 2> <2: 1 2>") ==
        "pst_line | 5 | task 1 has run times on 2 architectures, those above on 1");
  CHECK(task("<0:> <0:> <1: 1> <1: 1>\nWork: <0> <0:> <0:> <1: 1> <1: 1>") ==
        "duplicate_id | 5 | there are two tasks with id 0");
  CHECK(task("<0:> <0:> <1: -1> <1: 1>") == "out_of_range | 4 | run times must be >= 0, got -1");
  CHECK(task("<0:> <0:> <1: 1> <1: nan>") ==
        "pst_line | 4 | estimated run times must be a number, got 'nan'");
}

TEST_CASE("ids come in any order, and a file that no task uses is a warning") {
  const PstApplication application = parse_pst_application(
      "WorkDescription 1 3 2\nFile: <2> <out> <5> <6>\nFile: <0> <in> <0.5> <0.5>\n"
      "Work:<1> < 0: > <1:2 > <2:3 4> <2 : 3 4.5>\nFile : <1> <idle file> <1> <1>\n"
      "Work: <0> <1: 0><0:><2:1 2><2:1 2>\n",
      "a.txt");
  REQUIRE(application.tasks.size() == 2);
  CHECK(application.tasks[1].outputs == std::vector<std::uint32_t>{2});
  CHECK(application.tasks[1].estimates == std::vector<double>{3, 4.5});
  CHECK(application.files[1].name == "idle file");
  REQUIRE(application.warnings.size() == 1);
  CHECK(application.warnings[0].line == 5);
  CHECK(application.warnings[0].text == "file 1 'idle file' is never used");
  const Workload workload = pst_workload(application);
  CHECK(workload.name_of(WorkId(1)) == "task1");
  CHECK(workload.files[2].estimate == 6);
  CHECK(workload.outputs(WorkId(1))[0] == FileId(2));
  Host host;
  host.architecture = 1;
  CHECK(true_time(workload, {WorkId(1)}, host, HostId(0), 1) == 4);
  CHECK(declared_time(workload, {WorkId(1)}, host, HostId(0), 1) == 4.5);
}

TEST_CASE(
    "a grid becomes a platform whose hosts are in order of their first addition, and what happens to it") {
  const PstPlatform made = pst_platform(parse_pst_grid(kGrid, "a.txt"), behaviours());
  const Platform platform(made.spec);
  REQUIRE(platform.hosts().size() == 2);
  CHECK(platform.clusters()[0].name == "b");
  CHECK(platform.hosts()[0].name == "first host");
  CHECK(platform.hosts()[0].cluster == ClusterId(1));
  CHECK(platform.hosts()[1].name == "second");
  CHECK(platform.clusters()[0].hosts == std::vector<HostId>{HostId(1)});
  CHECK(made.architectures == 3);
  REQUIRE(made.happenings.size() == 7);

  // Offset 4 of two entries is the first one: 10 B/s and no latency for 5 s, then 20 B/s and 0.5 s.
  const Happening& added = made.happenings[0];
  CHECK(added.kind == HappeningKind::join);
  CHECK(added.on == ResourceId::of(ClusterId(0)));
  CHECK(made.profiles[added.profile].at(4) == 10);
  CHECK(made.profiles[added.profile].at(5) == 20);
  CHECK(made.profiles[added.latency].at(9) == 0.5);
  CHECK(made.profiles[added.latency].at(10) == 0);
  // Offset 1 of 50, 25, 100 %: 25 % first.
  const Happening& second = made.happenings[3];
  CHECK(second.at == 2.5);
  CHECK(made.profiles[second.profile].at(0) == 0.25);
  CHECK(made.profiles[second.profile].at(5) == 1);
  CHECK(made.profiles[second.profile].at(10) == 0.5);
  const Happening& back = made.happenings[6];
  CHECK(back.cluster == ClusterId(0));
  CHECK(back.architecture == 1);
  CHECK(back.declared_at == SourceLocation{"a.txt", 11});
  CHECK(made.happenings[5].kind == HappeningKind::change);
  CHECK(made.happenings[5].profile == made.happenings[6].profile);

  PstBehaviours missing = behaviours();
  missing.of_hosts.erase("half");
  CHECK(pst_refused([&] { pst_platform(parse_pst_grid(kGrid, "a.txt"), missing); }) ==
        "unknown_behaviour | 8 | there is no behaviour 'half' of a host");
  missing.of_links["half"] = {{}, {0}, {1}};
  CHECK(pst_refused([&] { pst_platform(parse_pst_grid(kGrid, "a.txt"), missing); }) ==
        "wrong_behaviour | 8 | 'half' is the behaviour of a link, that of a host is needed");
}

TEST_CASE("a host of an architecture without run times is refused") {
  Scenario scenario;
  PstPlatform made = pst_platform(parse_pst_grid(kGrid, "a.txt"), behaviours());
  scenario.platform = std::make_shared<const Platform>(made.spec);
  scenario.happenings = made.happenings;
  scenario.profiles = made.profiles;
  const auto with_columns = [&](const std::string& times) {
    scenario.workload = std::make_shared<const Workload>(pst_workload(parse_pst_application(
        "WorkDescription 1 0 1\nWork: <0> <0:> <0:> <" + times + "> <" + times + ">", "work.txt")));
    return pst_refused([&] { scenario.check(); });
  };
  CHECK(with_columns("3: 1 2 3") == "nothing");
  CHECK(with_columns("2: 1 2") ==
        "out_of_range | 6 | host 'first host': architecture must be below 2, for which there are run times, "
        "got 2");
  // An architecture that a host has only later counts too.
  made.spec.clusters[1].hosts[0].architecture = 0;
  scenario.platform = std::make_shared<const Platform>(made.spec);
  scenario.happenings[2].architecture = 0;
  CHECK(with_columns("1: 1") ==
        "out_of_range | 11 | host 'first host': architecture must be below 1, for which there are run times, "
        "got 1");
}

TEST_CASE("random grids, behaviours and applications are read as they were written") {
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return test::below(random, n); };
  const auto amount = [&] {  // of any size, whole ones among them
    const double whole = static_cast<double>(below(100000));
    return below(2) == 0 ? whole : whole / 7 * std::pow(10, static_cast<double>(below(9)) - 4);
  };
  for (int round = 0; round < 200; ++round) {
    PstGrid grid;
    std::vector<std::string> clusters, hosts;
    std::vector<int> home;  // of each host, -1 = away
    std::vector<bool> up;
    double at = 0;
    for (std::size_t n = below(40); n > 0; --n) {
      PstEvent event;
      event.at = at += below(3) == 0 ? amount() : 0;
      event.kind = static_cast<PstEventKind>(below(6));
      event.offset = below(1000);
      event.behaviour = "b " + std::to_string(below(5));
      const std::size_t c = below(4), h = below(8);
      event.cluster = "c " + std::to_string(c);
      event.host = "h" + std::to_string(h);
      while (up.size() <= 4) up.push_back(false), clusters.emplace_back();
      while (home.size() <= 8) home.push_back(-1), hosts.emplace_back();
      const bool on_cluster = event.kind == PstEventKind::add_cluster ||
                              event.kind == PstEventKind::remove_cluster ||
                              event.kind == PstEventKind::change_cluster;
      if (event.kind == PstEventKind::add_cluster ? up[c]
          : event.kind == PstEventKind::add_host  ? !up[c] || home[h] >= 0
          : on_cluster                            ? clusters[c].empty()
                                                  : hosts[h].empty())
        continue;
      if (event.kind == PstEventKind::add_host) {
        event.architecture = static_cast<std::int32_t>(below(10));
        home[h] = static_cast<int>(c);
        hosts[h] = event.host;
      } else {
        (on_cluster ? event.host : event.cluster).clear();
      }
      if (event.kind == PstEventKind::add_cluster) {
        up[c] = true;
        clusters[c] = event.cluster;
      }
      if (event.kind == PstEventKind::remove_host) home[h] = -1;
      if (event.kind == PstEventKind::remove_cluster) {
        up[c] = false;
        for (int& place : home)
          if (place == static_cast<int>(c)) place = -1;
      }
      if (event.kind == PstEventKind::remove_host || event.kind == PstEventKind::remove_cluster) {
        event.behaviour.clear();
        event.offset = 0;
      }
      grid.events.push_back(std::move(event));
    }
    CHECK(parse_pst_grid(write_pst(grid), "a.txt").events == grid.events);

    PstBehaviour behaviour;
    const bool link = below(2) == 0;
    for (std::size_t n = 1 + below(9); n > 0; --n) {
      if (link) {
        behaviour.latency.push_back(amount());
        behaviour.bandwidth.push_back(amount());
      } else {
        behaviour.percent.push_back(std::min(amount(), 100.0));
      }
    }
    CHECK(parse_pst_behaviour(write_pst(behaviour), "a.txt") == behaviour);

    PstApplication application;
    const std::size_t files = below(30), columns = 1 + below(4);
    for (std::size_t f = 0; f < files; ++f)
      application.files.push_back({"file " + std::to_string(below(10)), amount(), amount()});
    std::size_t next_output = files / 2;
    for (std::size_t n = below(20); n > 0; --n) {
      PstTask task;
      for (std::uint32_t f = 0; f < files / 2; ++f)
        if (below(3) == 0) task.inputs.insert(task.inputs.begin(), f);
      for (; next_output < files && below(2) == 0; ++next_output)
        task.outputs.push_back(static_cast<std::uint32_t>(next_output));
      for (std::size_t a = 0; a < columns; ++a) {
        task.times.push_back(amount());
        task.estimates.push_back(amount());
      }
      application.tasks.push_back(std::move(task));
    }
    const PstApplication again = parse_pst_application(write_pst(application), "a.txt");
    CHECK(again.files == application.files);
    CHECK(again.tasks == application.tasks);
  }
}

TEST_CASE("names that the format cannot write are refused") {
  PstGrid grid;
  for (const char* name : {"", " a", "a<b", "a>", "a\nb"}) {
    grid.events = {{.cluster = name, .behaviour = "b"}};
    try {
      write_pst(grid);
      FAIL("written: " << name);
    } catch (const Error& error) {
      CHECK(error.diagnostic().code == "pst_name");
    }
  }
}

TEST_CASE("a scenario that was read is written as it was, but for the names of behaviours") {
  const PstGrid grid = parse_pst_grid(kGrid, "a.txt");
  PstPlatform made = pst_platform(grid, behaviours());
  Scenario scenario;
  scenario.platform = std::make_shared<const Platform>(made.spec);
  scenario.happenings = made.happenings;
  scenario.profiles = made.profiles;
  const PstApplication application = parse_pst_application(
      "WorkDescription 1 2 1\nFile: <0> <in> <7> <8>\nFile: <1> <out> <9> <9>\n"
      "Work: <0> <1: 0> <1: 1> <4: 1 2 3 4> <4: 5 6 7 8>",
      "a.txt");
  scenario.workload = std::make_shared<const Workload>(pst_workload(application));
  scenario.check();
  const PstFiles files = pst_files(scenario);
  CHECK(files.lost.empty());
  CHECK(files.application.files == application.files);
  CHECK(files.application.tasks == application.tasks);
  REQUIRE(files.grid.events.size() == grid.events.size());
  for (std::size_t i = 0; i < grid.events.size(); ++i) {
    const PstEvent &before = grid.events[i], &after = files.grid.events[i];
    INFO(i);
    CHECK(after.at == before.at);
    CHECK(after.kind == before.kind);
    CHECK(after.cluster == before.cluster);
    CHECK(after.host == before.host);
    CHECK(after.architecture == before.architecture);
    CHECK(after.offset == 0);
  }
  // Offset 1 of 50, 25, 100 % is a series of its own now.
  CHECK(files.behaviours.of_hosts.at(files.grid.events[3].behaviour).percent ==
        std::vector<double>{25, 100, 50});
  CHECK(files.behaviours.of_hosts.at(files.grid.events[6].behaviour).percent ==
        std::vector<double>{50, 25, 100});
  CHECK(files.behaviours.of_links.at(files.grid.events[0].behaviour).bandwidth ==
        std::vector<double>{10, 20});
  CHECK(files.behaviours.of_links.at(files.grid.events[0].behaviour).latency == std::vector<double>{0, 500});
  CHECK(files.behaviours.of_hosts.at("stable_100").percent == std::vector<double>{100});
  // The same again, to the last letter.
  PstPlatform again = pst_platform(files.grid, files.behaviours);
  scenario.platform = std::make_shared<const Platform>(again.spec);
  scenario.happenings = again.happenings;
  scenario.profiles = again.profiles;
  CHECK(write_pst(pst_files(scenario).grid) == write_pst(files.grid));
}

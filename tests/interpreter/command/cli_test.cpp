// The program as a user calls it: exit status, streams, files.
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/interpreter/command/run_perigee.h"
#include "tests/support/folder.h"
#include "tests/support/paths.h"

namespace fs = std::filesystem;
using namespace perigee::test;
using Catch::Matchers::Contains;

TEST_CASE("results go to standard output, diagnostics to standard error") {
  const Folder folder;
  folder.write("good.lua", kCliScript);
  folder.write("bad.lua", "print 'before'\nerror 'after'\n");
  const CliEnded good = run_perigee(folder, "run good.lua");
  CHECK(good.status == 0);
  CHECK(!good.out.empty());
  CHECK(good.err.empty());
  const CliEnded bad = run_perigee(folder, "run bad.lua");
  CHECK(bad.status == 1);
  CHECK(bad.out == "before\n");
  CHECK(bad.err == "bad.lua:2: error: after\n    2 | error 'after'\n");
  CHECK(run_perigee(folder, "run -q good.lua").out.empty());
  folder.write("left.lua", R"(
    policy "idles" { decide = function(self, sim) end }
    scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }:run { policy = "idles" })");
  const CliEnded left = run_perigee(folder, "run --quiet left.lua");
  CHECK(left.status == 0);
  CHECK_THAT(left.err, Contains("warning: idles"));
  CHECK_THAT(run_perigee(folder, "help run").out, Contains("only warnings and errors"));
}

TEST_CASE("warnings, tables and errors for programs are JSON, a line each") {
  const Folder folder;
  folder.write(
      "bad.lua",
      "scenario { platform = platform { host 'a' {} }, workload = workload.jobs { { time = 1, cores = 9 } } }"
      ":run { policy = 'fcfs' }\nlocal function f() error 'one\\ntwo \\xff' end\nf()\n");
  const CliEnded bad = run_perigee(folder, "run bad.lua --messages said");
  CHECK(bad.status == 1);
  CHECK_THAT(bad.err, Contains("warning: fcfs") && Contains("bad.lua:2: error: one\ntwo"));
  std::istringstream lines(text_of(folder.path / "said"));
  std::string line;
  REQUIRE(std::getline(lines, line));
  const auto warning = nlohmann::json::parse(line);
  CHECK(warning["kind"] == "warning");
  CHECK_THAT(bad.err, Contains("warning: " + warning["text"].get<std::string>() + "\n"));
  REQUIRE(std::getline(lines, line));
  const auto error = nlohmann::json::parse(line);
  CHECK(error["kind"] == "error");
  CHECK(error["message"] == "one\ntwo \xef\xbf\xbd");
  CHECK(error["code"] == "script_error");
  CHECK(error["file"] == "bad.lua");
  CHECK(error["line"] == 2);
  CHECK(error["notes"].empty());
  CHECK(error["calls"].size() == 2);
  CHECK_THAT(error["text"].get<std::string>(), Contains("    2 | local function f()"));
  CHECK_FALSE(std::getline(lines, line));

  folder.write("table.lua", R"(
    local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1e5 } } }
    print("one", "two")
    print(s:compare { "fcfs", metrics = { "makespan" } }))");
  CHECK(run_perigee(folder, "run table.lua -q --messages said").out.empty());
  const auto table = nlohmann::json::parse(text_of(folder.path / "said"));
  CHECK(table["kind"] == "table");
  CHECK(table["csv"] == "policy,makespan,status\nfcfs,100000,complete\n");

  folder.write("good.lua", "");
  CHECK(run_perigee(folder, "run good.lua --messages said").status == 0);
  CHECK(text_of(folder.path / "said").empty());
  const CliEnded nowhere = run_perigee(folder, "run good.lua --messages no/where");
  CHECK(nowhere.status == 2);
  CHECK_THAT(nowhere.err, Contains("--messages no/where: the file cannot be written: "));
}

TEST_CASE("wrong usage has status 2 and says what was wrong") {
  const Folder folder;
  folder.write("good.lua", "");
  const auto wrong = [&](const std::string& arguments, const std::string& text) {
    const CliEnded ended = run_perigee(folder, arguments);
    INFO(arguments);
    CHECK(ended.status == 2);
    CHECK(ended.out.empty());
    CHECK_THAT(ended.err, Contains(text));
  };
  wrong("", "error");
  wrong("run", "script is required");
  wrong("run nowhere.lua", "nowhere.lua: there is no such file");
  wrong("run .", ". is a folder, not a script");
  wrong("rum good.lua", "unknown command 'rum'; did you mean 'run'?");
  wrong("run good.lua --validat", "unknown option '--validat'; did you mean '--validate'?");
  wrong("run good.lua --seed x", "x");
  wrong("run good.lua --set name", "write NAME=VALUE");
  wrong("run good.lua --set a=1 --set a=2", "given twice");
  wrong("run good.lua --memory 3x", "3x");
  wrong("run good.lua --steps 0", "0");
  wrong("run good.lua --steps 1e6",
        "--steps: must be a whole number from 1 to 18446744073709551615, got 1e6; write 1000000");
  wrong("run good.lua --steps 2_000_000", "; write 2000000");
  for (const char* seed : {"-1", "18446744073709551616", "1.5", "1e3", "0x10", "nan", "' 1'", "''"})
    wrong(std::string("run good.lua --seed ") + seed, "--seed");
  wrong("run good.lua --seed=-1", "--seed: must be a whole number from 0 to 18446744073709551615, got -1");
  for (const char* steps : {"-1", "18446744073709551616", "many", "1e6", "0"})
    wrong(std::string("run good.lua --steps ") + steps, "--steps");
  for (const char* memory : {"-1", "0", "nan", "inf", "1e400", "'12 s'", "MB", "''"})
    wrong(std::string("run good.lua --memory ") + memory, "--memory");
  CHECK_THAT(
      run_perigee(folder, "run good.lua --memory 100").err,
      Contains("--memory: 100 B is too little for perigee itself; give it some megabytes, as in 100MB"));
  wrong("run good.lua --data nowhere", "nowhere");
  wrong("run good.lua extra", "extra");
  wrong("describe minmin", "did you mean 'min_min'?");
  wrong("list maping", "did you mean 'mapping'?");
  wrong("list script", "did you mean 'scripts'?");
  wrong("list schedulers",
        "mapping, batch, grid, sweep, realtime, workflow, search; scripts and modules are listed too");
  folder.write("taken", "");
  wrong("run s.lua --out taken", "taken is a file and no folder");
  wrong("reference --out taken", "taken is a file and no folder");
  wrong("replay nowhere", "there is no such replay card");
}

TEST_CASE("wrong options of runs on several machines are named, with what is allowed") {
  const Folder folder;
  folder.write("good.lua", "print 'never'");
  const auto wrong = [&](const std::string& arguments, const std::string& text, int status = 2) {
    const CliEnded ended = run_perigee(folder, "run good.lua " + arguments);
    INFO(arguments);
    CHECK(ended.status == status);
    CHECK(ended.out.empty());
    CHECK_THAT(ended.err, Contains(text));
    return ended.err;
  };
  CHECK(wrong("--workers slrum:3", "--workers") ==
        "error: --workers: slrum:3: 'slrum' is none of local:N, ssh:FILE, slurm:N, mpi:N, "
        "listen:ADDRESS; did you mean 'slurm'?\ntry: perigee --help\n");
  wrong("--workers local:0", "local needs the number of workers, 1 to 100000: local:16");
  wrong("--workers slurm", "slurm needs the number of workers");
  wrong("--workers ''", "local:N, ssh:FILE, slurm:N, mpi:N or listen:ADDRESS");
  wrong("--workers local:2 --workers mpi:x", "mpi needs the number of workers");
  wrong("--workers 'local:2 -v'", "local starts no program that could take '-v'");
  wrong("--workers listen:127.0.0.1:0", "the port is a number from 1 to 65535");
  wrong("--workers ssh:", "a file that lists the hosts is missing: ssh:FILE");
  wrong("--workers", "--workers");
  for (const char* seconds : {"0", "0.05", "-1", "1e7", "nan", "x", "''"})
    wrong(std::string("--workers local:2 --silence ") + seconds,
          "--silence: must be a number of seconds from 0.1 to 1000000, got");
  wrong("--workers local:2 --jobs 0", "--jobs: must be a whole number from 1 to 1024, got 0");
  wrong("--shard 3/2 --out out",
        "--shard: write I/N, part I of N, with I from 1 to N and N at most 1000000; got 3/2");
  wrong("--shard 1/2", "--shard needs --out, the folder that gets the store of its cells");
  wrong("--known nowhere", "--known");
  wrong("--known good.lua", "--known");
  wrong("--wokers local:2", "unknown option '--wokers'; did you mean '--workers'?");
  CHECK_FALSE(fs::exists(folder.path / "out"));
  const auto work = [&](const std::string& arguments) { return run_perigee(folder, "work " + arguments); };
  const CliEnded missing = work("nowhere.json");
  CHECK(missing.status == 1);
  CHECK(missing.err == "error: nowhere.json cannot be opened: No such file or directory\n");
  folder.write("workers.json", "{}");
  fs::permissions(folder.path / "workers.json", static_cast<fs::perms>(0644));
  CHECK_THAT(work("workers.json").err, Contains("is not a file that only its owner, you, may read"));
  CHECK(work("a b").status == 2);
}

TEST_CASE("workers that cannot be had are an error of the experiment that needs them, and of the next one") {
  const Folder folder;
  const std::string twice =
      "for _, name in ipairs { 'a', 'b' } do\n"
      "  local ok, e = pcall(function() return experiment(name) { replications = 3, run = function() return { x = 1 } end } end)\n"
      "  print(ok, e)\n"
      "end\n";
  folder.write("twice.lua", twice);
  folder.write("none.lua", "print 'no experiment'");
  folder.write("hosts", "a 0\n");
  const CliEnded nowhere = run_perigee(folder, "run none.lua --workers ssh:nowhere");
  CHECK(nowhere.status == 2);
  CHECK(nowhere.out.empty());
  CHECK_THAT(nowhere.err, Contains("ssh:nowhere: this file cannot be read"));
  CHECK_THAT(run_perigee(folder, "run twice.lua --workers ssh:hosts").err,
             Contains("hosts:1: '0' is no number of workers"));
  CHECK_THAT(run_perigee(folder, "run twice.lua --workers slurm:2 --listen 127.0.0.1").out,
             Contains("--workers slurm:2 needs --out"));
  // 192.0.2.1 is an address of documentation, RFC 5737: no machine has it.
  CHECK_THAT(run_perigee(folder, "run twice.lua --out out --workers listen:192.0.2.1:7000").out,
             Contains("cannot listen at 192.0.2.1:7000") && Contains("name an address of this machine"));
  CHECK(run_perigee(folder, "run none.lua --workers slurm:2").out == "no experiment\n");
}

TEST_CASE("odd scripts are one clear error each") {
  const Folder folder;
  const auto run = [&](const std::string& text) {
    folder.write("odd.lua", text);
    return run_perigee(folder, "run odd.lua");
  };
  CHECK(run("").status == 0);
  CHECK(run("#!/usr/bin/env perigee\nprint(1)\n").out == "1\n");
  CHECK(run("\xEF\xBB\xBFprint(1)\n").out == "1\n");
  const CliEnded cut = run("local x = {\n  1,\n");
  CHECK(cut.status == 1);
  CHECK_THAT(cut.err, Contains("odd.lua:3: error:") || Contains("odd.lua:2: error:"));
  const CliEnded compiled = run("\x1bLua");
  CHECK(compiled.status == 1);
  CHECK_THAT(compiled.err, Contains("binary"));
}

TEST_CASE("a module that leads out of the script's folder by a link is refused") {
  const Folder folder;
  folder.write("outside.lua", "return 1");
  folder.write("inside/script.lua", "require 'link'");
  fs::create_symlink(folder.path / "outside.lua", folder.path / "inside" / "link.lua");
  fs::create_symlink(folder.path / "outside.lua", folder.path / "inside" / "data.etc");
  CHECK_THAT(run_perigee(folder, "run inside/script.lua").err, Contains("leads out of the script's folder"));
  folder.write("inside/script.lua", "etc.read 'data.etc'");
  CHECK_THAT(run_perigee(folder, "run inside/script.lua").err, Contains("outside the script's folder"));
}

TEST_CASE("no path leads out of the folders that the command line names") {
  const Folder folder;
  folder.write("secret.etc", "1 1\n1\n");
  folder.write("outside/keep", "");
  folder.write("inside/here.etc", "1 1\n1\n");
  folder.write("results/keep", "");
  fs::create_directory_symlink(folder.path / "outside", folder.path / "results" / "link");
  fs::create_directory_symlink(folder.path, folder.path / "inside" / "up");
  fs::create_symlink("loop", folder.path / "inside" / "loop");
  const auto refused = [&](const std::string& statement) {
    folder.write("inside/script.lua",
                 "local r = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { "
                 "time = 1 } } }"
                 ":run { policy = 'fcfs' }\n" +
                     statement);
    const CliEnded ended = run_perigee(folder, "run inside/script.lua --out results");
    INFO(statement << ended.err);
    CHECK(ended.status == 1);
    CHECK_THAT(ended.err, Contains("script.lua:2: error: "));
  };
  for (const std::string path :
       {"../secret.etc", "up/secret.etc", "./up/inside/../secret.etc", "loop", "up", ".", "here.etc/",
        "here.etc\\0", "//etc/passwd", "/proc/self/environ", "~/x", ""})
    refused("etc.read('" + path + "')");
  for (const std::string path :
       {"..", "../x", "link/x", "link", "a/../../x", "/tmp/x", ".", "", "a\\0b", "keep", "keep/x"})
    refused("r:save('" + path + "')");
  CHECK(fs::is_empty(folder.path / "outside" / "keep"));
  CHECK(std::distance(fs::directory_iterator(folder.path / "outside"), {}) == 1);
  folder.write("inside/script.lua", "etc.read 'up/inside/here.etc'");  // leads back
  CHECK(run_perigee(folder, "run inside/script.lua").status == 0);
}

TEST_CASE("files are read where the command line allows it") {
  const Folder folder;
  folder.write("data/m.etc", "2 2\n1\n2\n3\n4\n");
  folder.write("scripts/s.lua", "print(etc.read(setting('matrix', 'm.etc'), { tasks = 2, machines = 2 }))");
  CHECK(run_perigee(folder, "run scripts/s.lua").status == 1);
  CHECK(run_perigee(folder, "run scripts/s.lua --data data").out == "etc of 2 tasks on 2 machines\n");
  CHECK(run_perigee(folder, "run scripts/s.lua --set matrix=data/m.etc").out ==
        "etc of 2 tasks on 2 machines\n");
}

TEST_CASE("scripts that come with perigee are found by name from any folder, behind files of that name") {
  const Folder folder;
  for (const char* name : {"irmasim/figures1-5", "scripts/irmasim/figures1-5.lua"})
    CHECK_THAT(run_perigee(folder, std::string("run ") + name).out, Contains("8 vertices, 4 expansions"));
  folder.write("scripts/irmasim/figures1-5.lua", "print 'own'");
  CHECK(run_perigee(folder, "run scripts/irmasim/figures1-5.lua").out == "own\n");
  const CliEnded missing = run_perigee(folder, "run quikstart.lua");
  CHECK(missing.status == 2);
  CHECK(missing.err == "error: quikstart.lua: there is no such file; did you mean 'quickstart.lua'?\n");
  CHECK(run_perigee(folder, "run ../scripts/quickstart.lua").status == 2);
}

TEST_CASE("a saved result can be made again") {
  const Folder folder;
  folder.write("s.lua", kCliScript);
  CHECK(run_perigee(folder, "run s.lua --set keep=true").status == 1);  // no --out
  REQUIRE(run_perigee(folder, "run s.lua --set keep=true --set tasks=30 --seed 5 --out results").status == 0);
  const fs::path card = folder.path / "results/kept/manifest.json";
  REQUIRE(fs::exists(card));
  fs::remove(folder.path / "s.lua");  // the card has it
  const CliEnded same = run_perigee(folder, "replay results/kept");
  CHECK(same.status == 0);
  CHECK_THAT(same.out, Contains("identical"));
  CHECK(run_perigee(folder, "replay results/kept/manifest.json").status == 0);

  nlohmann::json manifest = nlohmann::json::parse(text_of(card));
  for (auto& setting : manifest["replay"]["settings"])
    if (setting["name"] == "tasks") setting["text"] = "31";
  std::ofstream(card) << manifest;
  const CliEnded other = run_perigee(folder, "replay results/kept");
  CHECK(other.status == 1);
  CHECK_THAT(other.out, Contains("different: event"));

  manifest["replay"] = 3;
  std::ofstream(card) << manifest;
  CHECK_THAT(run_perigee(folder, "replay results/kept").err, Contains("it has no table 'replay'"));
  manifest.erase("replay");
  std::ofstream(card) << manifest;
  CHECK_THAT(run_perigee(folder, "replay results/kept").err, Contains("not a replay card"));
  std::ofstream(card) << "{ cut";
  CHECK(run_perigee(folder, "replay results/kept").status == 1);
}

TEST_CASE("a script that is no UTF-8 can be saved and made again") {
  const Folder folder;
  folder.write("s.lua", "-- caf\xe9\n" + std::string(kCliScript));
  REQUIRE(run_perigee(folder, "run s.lua --set keep=true --out results").status == 0);
  CHECK(run_perigee(folder, "replay results/kept").status == 0);
}

TEST_CASE("help finds a method as it is called") {
  const Folder folder;
  const CliEnded ended = run_perigee(folder, "help sim:fail");
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, Contains("sim:fail(name [, { at = t }])") && !Contains("sim:recover"));
  CHECK(run_perigee(folder, "help scripts").out == run_perigee(folder, "list scripts").out);
  CHECK_THAT(run_perigee(folder, "help t:sort_by").out, Contains("t:sort_by(column [, \"descending\"])"));
}

TEST_CASE("help knows the fields of a result, metrics and the columns of tables") {
  const Folder folder;
  const auto says = [&](const std::string& topic) { return run_perigee(folder, "help " + topic).out; };
  CHECK_THAT(says("r.status"), Contains("\"complete\", \"incomplete\" or \"horizon\""));
  CHECK_THAT(says("sim:status"), Contains("sim:status()"));
  CHECK_THAT(says("status"), Contains("perigee status [OPTIONS]"));  // a command comes first
  CHECK_THAT(says("r.makespan"), Contains("a metric: time of the last finish, in s"));
  CHECK_THAT(says("wait"),
             Contains("sim:wait(seconds)") && Contains("r:jobs()\n  its column wait\n    start - arrival"));
  CHECK_THAT(says("slowdown"), Contains("r:jobs()") && Contains("response / run"));
  CHECK_THAT(says("requested"), Contains("where that is longest, s"));
  CHECK_THAT(says("utilization"),
             !Contains("a process: share of time") && Contains("r:resources()") && Contains("r:queues()"));
}

TEST_CASE("the catalogue can be listed and described") {
  const Folder folder;
  CHECK_THAT(run_perigee(folder, "list").out, Contains("min_min") && Contains("workqueue"));
  CHECK_THAT(run_perigee(folder, "list mapping").out, Contains("min_min") && !Contains("workqueue"));
  CHECK_THAT(run_perigee(folder, "describe workqueue").out, Contains("chunk") && Contains("source"));
  CHECK_THAT(run_perigee(folder, "version").out, Contains("perigee "));
}

TEST_CASE("the reference is printed or written") {
  const Folder folder;
  const std::string page = run_perigee(folder, "reference").out;
  CHECK_THAT(page, Contains("`s:run {") && Contains("### sufferage") && Contains("| `makespan` | s |"));
  CHECK(run_perigee(folder, "reference --out here/pages").out ==
        "here/pages/reference.md\nhere/pages/perigee.lua\n");
  CHECK_THAT(text_of(folder.path / "here/pages/perigee.lua"), Contains("function sufferage(parameters) end"));
  CHECK(text_of(folder.path / "here/pages/reference.md") == page);
  std::ofstream(folder.path / "file") << "";
  const CliEnded refused = run_perigee(folder, "reference --out file/pages");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, Contains("error: file/pages/reference.md cannot be written"));
}

TEST_CASE("data files that are missing, empty, cut, huge or no files are one clear error each") {
  const Folder folder;
  folder.write("s.lua", "local m = etc.read(setting('m', 'm.etc'), { tasks = 2, machines = 2 })");
  const auto refused = [&](const std::string& text) {
    const CliEnded ended = run_perigee(folder, "run s.lua");
    CHECK(ended.status == 1);
    CHECK_THAT(ended.err, Contains(text));
  };
  refused("m.etc: there is no such file");
  folder.write("m.etc", "");
  refused("m.etc");
  folder.write("m.etc", "1\n2\n3\n");
  refused("m.etc");
  folder.write("m.etc", "1\n2\nx\n4\n");
  refused("m.etc:3");
  fs::resize_file(folder.path / "m.etc", std::uintmax_t{1} << 40);  // takes no space
  refused("larger than");
  fs::remove(folder.path / "m.etc");
  fs::create_directory(folder.path / "m.etc");
  refused("is a folder");
  CHECK_THAT(run_perigee(folder, "run s.lua --set m=/dev/zero").err, Contains("error"));
  CHECK_THAT(run_perigee(folder, "run s.lua --set m=/dev/zero").err, Contains("/dev/zero"));
}

TEST_CASE("what cannot be written is an error") {
  const Folder folder;
  folder.write("good.lua", kCliScript);
  folder.write("much.lua", "for i = 1, 1e6 do print(i) end\nerror 'it went on'");
  const auto full = [&](const std::string& arguments, const std::string& place = "/dev/full") {
    const std::string err = (folder.path / "stderr").string();
    const int status = std::system(("cd '" + folder.path.string() + "' && '" + perigee::test::program() +
                                    "' " + arguments + " >" + place + " 2>'" + err + "' </dev/null")
                                       .c_str());
    return CliEnded{WEXITSTATUS(status), "", text_of(err)};
  };
  for (const char* arguments :
       {"run good.lua", "run much.lua", "list", "version", "check good.lua", "describe fcfs"}) {
    INFO(arguments);
    const CliEnded ended = full(arguments);
    CHECK(ended.status == 1);
    CHECK_THAT(ended.err, Contains("error: standard output cannot be written: No space left on device"));
  }
  CHECK_THAT(full("run good.lua", "&-").err, Contains("standard output cannot be written"));  // closed
  CHECK(full("run -q good.lua").status == 0);
}

TEST_CASE("a setting that the script never reads is said at the end, with status 1") {
  const Folder folder;
  folder.write("good.lua", kCliScript);
  const CliEnded ended = run_perigee(folder, "run good.lua --set task=5");
  CHECK(ended.status == 1);
  CHECK(!ended.out.empty());
  CHECK(ended.err ==
        "error: --set task=5: the script never reads a setting 'task'; did you mean 'tasks'?\n"
        "  note: it reads: keep, tasks\n"
        "  note: what it printed and saved was made without it\n");
}

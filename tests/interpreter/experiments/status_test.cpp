#include "interpreter/experiments/status.h"
#include "interpreter/experiments/lock.h"
#include "interpreter/experiments/progress_file.h"
#include "interpreter/experiments/store.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

ProgressState run_of_study(const std::string& state) {
  ProgressState run;
  run.now = {"study", 100, 40, 20, 3};
  run.cells_per_second = 12;
  run.workers = 8;
  run.seconds = 3;
  run.left_seconds = 130;
  run.state = state;
  run.pid = 77;
  run.host = "n07";
  run.started = "2026-01-31T12:00:00Z";
  run.updated = "2999-01-31T12:00:00Z";
  return run;
}

std::string folder_of_run(const Folder& folder, const char* name, const ProgressState& run) {
  folder.write(std::string(name) + "/progress.json", run.text());
  return (folder.path / name).string();
}

}  // namespace

TEST_CASE("the status says how far a run is, and whether it lives") {
  const Folder folder;
  const std::string path = folder_of_run(folder, "r", run_of_study("running"));
  CHECK(status_of({path}).text ==
        "study: 40 of 100 cells done, 3 failed, 20 stored before\n"
        "ended without a word (killed?): the same command goes on\n");
  const std::string me = "process " + std::to_string(::getpid()) + " on host " + host_name();
  auto lock = std::make_unique<FolderLock>(path);
  CHECK(status_of({path}).text ==
        "study: 40 of 100 cells done, 3 failed, 20 stored before, 12 cells/s, 8 workers, about 2 min left\n"
        "running: " +
            me + "\n");
  CHECK(FolderLock::holder(path));  // and has not lost the lock
  ProgressState quiet = run_of_study("running");
  quiet.updated = "2026-01-31T12:00:00Z";
  folder_of_run(folder, "r", quiet);
  CHECK_THAT(status_of({path}).text, Contains(me + ", nothing new for "));
  folder_of_run(folder, "r", run_of_study("complete"));
  CHECK_THAT(status_of({path}).text, Contains("\nin use: " + me + "\n"));
  lock.reset();
  CHECK(status_of({path}).text == "study: 40 of 100 cells done, 3 failed, 20 stored before\ncomplete\n");
  ProgressState stopped = run_of_study("interrupted");
  stopped.earlier = {{"before", 7, 7, 0, 0}};
  folder_of_run(folder, "r", stopped);
  CHECK(status_of({path}).text ==
        "before: 7 of 7 cells done\nstudy: 40 of 100 cells done, 3 failed, 20 stored before\n"
        "interrupted: the same command goes on\n");
  folder_of_run(folder, "r", run_of_study("failed"));
  CHECK_THAT(status_of({path}).text, Contains("failed: the run ended by an error\n"));
}

TEST_CASE("several folders have a line each and a sum") {
  const Folder folder;
  const std::string one = folder_of_run(folder, "one", run_of_study("running")),
                    two = folder_of_run(folder, "two", run_of_study("complete")),
                    none = (folder.path / "none").string();
  const FolderLock lock(one);
  const Status status = status_of({one, none, two});
  const std::string me = "process " + std::to_string(::getpid()) + " on host " + host_name();
  CHECK(
      status.text ==
      one +
          ": study: 40 of 100 cells done, 3 failed, 20 stored before, 12 cells/s, 8 workers, "
          "about 2 min left; "
          "running: " +
          me + "\n" + two +
          ": study: 40 of 100 cells done, 3 failed, 20 stored before; complete\n"
          "together:\n"
          "study: 80 of 200 cells done, 6 failed, 40 stored before, 12 cells/s, 8 workers, about 2 min left\n"
          "folders: 1 complete, 1 running\n");
  CHECK(status.wrong ==
        std::vector<std::string>{none + " is no results folder of experiments: it has neither "
                                        "experiments.sqlite nor progress.json"});
}

TEST_CASE("a store without a run is counted, cells of the latest script only") {
  const Folder folder;
  Design design;
  design.name = "study";
  design.factors = {{"a", {1.0, 2.0}}};
  design.combinations = {{0}, {1}};
  design.replications.least = design.replications.most = 5;
  design.level_keys = {{"1", "2"}};
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>();
  const std::string path = folder.path.string();
  {
    Store store(path);
    for (const char* key : {"old", "new"}) {
      design.key = key;
      store.enter(design);
      for (std::uint64_t cell = 1; cell <= 5; ++cell)
        if (cell % 2 == 1 || design.key == "new") store.put(design, cell, outcome);
    }
    store.commit();
    CHECK_THAT(status_of({path}).text, Contains("in use: process "));
  }
  CHECK(status_of({path}).text == "study: 5 cells stored\n");
  CHECK(status_of({path, path}).text ==
        path + ": study: 5 cells stored\n" + path +
            ": study: 5 cells stored\ntogether:\nstudy: 10 of 10 cells done\nfolders: 2 not run here\n");
  std::ofstream(path + "/experiments.sqlite-wal") << "x";
  CHECK_THAT(status_of({path}).text, Contains("was left open by a perigee that was killed"));
}

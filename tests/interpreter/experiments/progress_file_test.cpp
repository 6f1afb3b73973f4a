#include "interpreter/experiments/progress_file.h"
#include "interpreter/experiments/lock.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

ProgressState progress_in(const Folder& folder) {
  const auto state = ProgressState::in(folder.path.string());
  REQUIRE(state);
  return *state;
}

CellProgress cells_done(std::size_t done, std::size_t stored = 10, std::string_view name = "study") {
  CellProgress progress;
  progress.experiment = name;
  progress.total = 100;
  progress.done = done;
  progress.stored = stored;
  progress.failed = 3;
  progress.kept = true;
  progress.workers = 8;
  return progress;
}

}  // namespace

TEST_CASE("the file of progress is written once a second, and at the begin and end of each experiment") {
  const Folder folder;
  double now = 50;
  {
    ProgressFile file(folder.path.string(), [&] { return now; });
    CHECK_FALSE(fs::exists(folder.path / "progress.json"));
    file.update(cells_done(10));
    ProgressState state = progress_in(folder);
    CHECK(state.now.name == "study");
    CHECK(state.now.cells == 100);
    CHECK(state.now.done == 10);
    CHECK(state.now.stored == 10);
    CHECK(state.now.failed == 3);
    CHECK(state.workers == 8);
    CHECK(state.state == "running");
    CHECK(state.pid == ::getpid());
    CHECK(state.host == host_name());
    CHECK_FALSE(state.cells_per_second);
    CHECK_FALSE(state.left_seconds);
    now = 50.9;
    file.update(cells_done(20));
    CHECK(progress_in(folder).now.done == 10);
    now = 55;
    file.update(cells_done(40));
    // 30 cells in 5 s: 6 a second, and 60 more take 10 s.
    state = progress_in(folder);
    CHECK(state.now.done == 40);
    CHECK(state.seconds == 5);
    CHECK(state.cells_per_second == 6);
    CHECK(state.left_seconds == 10);
    now = 55.1;
    file.update(cells_done(100));
    file.end_experiment();
    CHECK(progress_in(folder).now.done == 100);
    CHECK(progress_in(folder).state == "running");
    file.update(cells_done(0, 0, "next"));
    state = progress_in(folder);
    CHECK(state.now.name == "next");
    REQUIRE(state.earlier.size() == 1);
    CHECK(state.earlier[0].name == "study");
    CHECK(state.earlier[0].done == 100);
    CHECK_FALSE(state.cells_per_second);
    file.end_experiment();
  }
  CHECK(progress_in(folder).state == "complete");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);  // no other file is left
}

TEST_CASE("the file of progress tells how a run has ended") {
  const Folder folder;
  for (const char* end : {"interrupted", "failed"}) {
    {
      ProgressFile file(folder.path.string());
      file.update(cells_done(10));
      file.end_experiment(end);
      CHECK(progress_in(folder).state == end);
    }
    CHECK(progress_in(folder).state == end);
  }
}

TEST_CASE("a file of progress that is not perigee's is left alone, and no link is followed") {
  const Folder folder, outside;
  const auto text = [&] {
    std::ifstream file(folder.path / "progress.json");
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto run = [&] {
    ProgressFile file(folder.path.string());
    file.update(cells_done(10));
  };
  folder.write("progress.json", "{\"mine\": 1}");
  run();
  CHECK(text() == "{\"mine\": 1}");
  CHECK_FALSE(ProgressState::in(folder.path.string()));
  fs::remove(folder.path / "progress.json");
  fs::create_symlink(outside.path / "x", folder.path / "progress.json");
  run();
  CHECK(fs::is_empty(outside.path));
  fs::remove(folder.path / "progress.json");
  fs::create_symlink(outside.path / "x", folder.path / "progress.json-new");
  run();
  CHECK(fs::is_empty(outside.path));
}

TEST_CASE("a file of progress that cannot be written fails nothing") {
  const Folder folder;
  ProgressFile file((folder.path / "gone").string());
  file.update(cells_done(10));
  file.end_experiment();
  CHECK(fs::is_empty(folder.path));
}

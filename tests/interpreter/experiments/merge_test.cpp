#include "interpreter/experiments/merge.h"
#include "interpreter/experiments/store.h"
#include "runtime/kernel/error.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

Design shard_design(const std::string& key, const std::string& name = "study") {
  Design design;
  design.name = name;
  design.factors = {{"a", {1.0, 2.0}}};
  design.combinations = {{0}, {1}};
  design.replications.least = design.replications.most = 5;
  design.key = key;
  design.parts = {{"perigee itself", "1"}, {"the function 'run'", key}};
  design.level_keys = {{"1", "2"}};
  return design;
}

CellOutcome shard_outcome(double x, const std::vector<CellOutcome::Read>& reads = {}) {
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"x", "y"});
  outcome.values = {x, 0.5};
  outcome.reads = reads;
  return outcome;
}

// Ten cells in all; cell k measures 10 * k.
void fill_shard(const fs::path& folder, const Design& design, const std::vector<std::uint64_t>& cells) {
  fs::create_directories(folder);
  Store store(folder.string());
  store.enter(design);
  for (const std::uint64_t cell : cells)
    store.put(design, cell, shard_outcome(10.0 * static_cast<double>(cell)));
}

void change_store(const fs::path& folder, const char* sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open((folder / "experiments.sqlite").c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

const Store::Now as_read = [](const CellOutcome::Read& read) { return read.value; };

// The cells that a folder's store has of the ten.
std::vector<std::uint64_t> cells_in(const fs::path& folder, const Design& design) {
  Store store(folder.string());
  std::vector<std::uint64_t> found;
  for (std::uint64_t cell = 1; cell <= 10; ++cell)
    if (const auto outcome = store.find(design, cell, as_read)) {
      CHECK(outcome->values[0] == 10.0 * static_cast<double>(cell));
      found.push_back(cell);
    }
  return found;
}

struct ShardFolders {
  Folder folder;
  std::string operator[](const char* name) const { return (folder.path / name).string(); }
  std::string complaint(const std::vector<std::string>& sources) const {
    try {
      merge((*this)["all"], sources);
    } catch (const Error& error) {
      return error.diagnostic().code + ": " + error.diagnostic().message;
    }
    return "none";
  }
};

using Numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("the cells of shards are joined, and a second time nothing changes") {
  const ShardFolders at;
  const Design design = shard_design("one");
  fill_shard(at["s1"], design, {1, 4, 7});
  fill_shard(at["s2"], design, {2, 5, 8});
  fill_shard(at["s3"], shard_design("k", "other"), {1});
  const Merged first = merge(at["all"], {at["s1"], at["s2"], at["s3"], at["s1"], at["s1"] + "/../s1/"});
  REQUIRE(first.experiments.size() == 2);
  CHECK(first.warnings.empty());
  CHECK(first.experiments[0].name == "other");
  CHECK(first.experiments[0].cells == 1);
  CHECK(first.experiments[0].stores == 1);
  CHECK(first.experiments[1].name == "study");
  CHECK(first.experiments[1].cells == 6);
  CHECK(first.experiments[1].before == 0);
  CHECK(first.experiments[1].stores == 2);
  CHECK(cells_in(at["all"], design) == Numbers{1, 2, 4, 5, 7, 8});
  const Merged second = merge(at["all"], {at["s1"], at["all"], at["s2"], at["s3"]});
  CHECK(second.experiments[1].cells == 6);
  CHECK(second.experiments[1].before == 6);
  CHECK(cells_in(at["all"], design) == Numbers{1, 2, 4, 5, 7, 8});
  // Two stores that share a cell: each counts once.
  fill_shard(at["s4"], design, {5, 9, 10});
  const Merged third = merge(at["all"], {at["s4"], at["s2"]});
  CHECK(third.experiments[0].cells == 5);
  CHECK(third.experiments[0].before == 3);
  CHECK(cells_in(at["s4"], design) == Numbers{5, 9, 10});  // sources stay
}

TEST_CASE("shards of other scripts are refused, naming what differs, and nothing is written") {
  const ShardFolders at;
  fill_shard(at["s1"], shard_design("one"), {1});
  fill_shard(at["s2"], shard_design("two"), {2});
  CHECK(at.complaint({at["s1"], at["s2"]}) ==
        "other_experiment: experiment 'study': the cells in " + at["s2"] +
            " depend on something else than those in " + at["s1"] +
            ", so that they do not belong together: what differs is the function 'run'; nothing was merged");
  CHECK_FALSE(fs::exists(at["all"]));
  CHECK(at.complaint({at["s1"]}) == "none");
  CHECK_THAT(at.complaint({at["s2"]}), Contains("those in " + at["all"]) && Contains("the function 'run'"));
  CHECK(cells_in(at["all"], shard_design("one")) == Numbers{1});
  // Older keys come along, and the latest stays the latest.
  fill_shard(at["s3"], shard_design("old"), {3});
  fill_shard(at["s3"], shard_design("one"), {4});
  CHECK(at.complaint({at["s3"]}) == "none");
  CHECK(cells_in(at["all"], shard_design("one")) == Numbers{1, 4});
  CHECK(cells_in(at["all"], shard_design("old")) == Numbers{3});
  CHECK(at.complaint({at["s1"]}) == "none");
}

TEST_CASE("a cell that has measured something else is refused with both values") {
  const ShardFolders at;
  const Design design = shard_design("one");
  fill_shard(at["s1"], design, {1, 2});
  {
    fs::create_directory(at["s2"]);
    Store store(at["s2"]);
    store.put(design, 5, shard_outcome(50));
    store.put(design, 2, shard_outcome(21));
  }
  CHECK(
      at.complaint({at["s1"], at["s2"]}) ==
      "other_measures: experiment 'study': the cell {\"a\":2.0}, replication 1, is not deterministic, or was "
      "changed: " +
          at["s1"] + " and " + at["s2"] + " have x 20.0 and 21.0; nothing was merged");
  CHECK_FALSE(fs::exists(at["all"]));
  CHECK(at.complaint({at["s1"]}) == "none");
  CHECK_THAT(at.complaint({at["s2"]}), Contains(at["all"] + " and " + at["s2"] + " have x 20.0 and 21.0"));
  CHECK(cells_in(at["all"], design) == Numbers{1, 2});  // 5 was not taken either
}

TEST_CASE("a cell of other files is another cell") {
  const ShardFolders at;
  const Design design = shard_design("one");
  using Read = CellOutcome::Read;
  for (const char* value : {"1", "2"}) {
    const std::string folder = at[value];
    fs::create_directory(folder);
    Store store(folder);
    store.put(design, 1, shard_outcome(value[0], {{Read::Kind::file, "f", value}}));
  }
  const Merged merged = merge(at["all"], {at["1"], at["2"]});
  CHECK(merged.experiments[0].cells == 2);
  Store store(at["all"]);
  CHECK(store.find(design, 1, [](const Read&) { return "2"; })->values[0] == '2');
  CHECK(store.find(design, 1, [](const Read&) { return "1"; })->values[0] == '1');
}

TEST_CASE("damaged rows are not taken, and are mended by good ones") {
  const ShardFolders at;
  const Design design = shard_design("one");
  fill_shard(at["s1"], design, {1, 2, 3});
  fill_shard(at["s2"], design, {1, 2, 3});
  change_store(at["s1"],
               "UPDATE results SET measures = '{\"x\":7.0}' WHERE replication = 1");  // cells 1 and 2
  const Merged merged = merge(at["all"], {at["s1"]});
  CHECK(merged.warnings == std::vector<std::string>{at["s1"] + ": 2 damaged cells are not taken"});
  CHECK(merged.experiments[0].cells == 1);
  CHECK(cells_in(at["all"], design) == Numbers{3});
  const Merged mended = merge(at["s1"], {at["s2"]});
  CHECK(mended.experiments[0].cells == 3);
  CHECK(mended.experiments[0].before == 1);
  CHECK(cells_in(at["s1"], design) == Numbers{1, 2, 3});
}

TEST_CASE("other seeds of a replication are refused") {
  const ShardFolders at;
  Design design = shard_design("one");
  fill_shard(at["s1"], design, {1});
  design.seed = 2;  // which would be another key
  fill_shard(at["s2"], design, {2});
  CHECK_THAT(at.complaint({at["s1"], at["s2"]}),
             Contains("other_seed: experiment 'study': replication 1 has the seed") && Contains(at["s1"]) &&
                 Contains(at["s2"]));
  CHECK_FALSE(fs::exists(at["all"]));
}

TEST_CASE("a folder without a store, of another version or in use is refused") {
  const ShardFolders at;
  const Design design = shard_design("one");
  fill_shard(at["s1"], design, {1});
  fs::create_directory(at["empty"]);
  CHECK_THAT(at.complaint({at["s1"], at["empty"]}), Contains("no_store: " + at["empty"] + " has no store"));
  CHECK_THAT(at.complaint({}), Contains("no_store"));
  fill_shard(at["old"], design, {1});
  change_store(at["old"], "PRAGMA user_version = 2");
  CHECK_THAT(at.complaint({at["s1"], at["old"]}),
             Contains("bad_store: " + at["old"]) && Contains("an older perigee"));
  change_store(at["old"], "PRAGMA user_version = 9");
  CHECK_THAT(at.complaint({at["s1"], at["old"]}), Contains("a newer perigee"));
  {
    const Store running(at["s1"]);
    CHECK_THAT(at.complaint({at["s1"]}), Contains("store_in_use: " + at["s1"]));
  }
  CHECK_FALSE(fs::exists(at["all"]));
}

TEST_CASE("cells of a process that was killed are taken, and its store is closed") {
  const ShardFolders at;
  const Design design = shard_design("one");
  fs::create_directory(at["s1"]);
  if (const pid_t child = ::fork(); child == 0) {
    Store store(at["s1"]);
    store.enter(design);
    store.put(design, 3, shard_outcome(30));
    store.commit();
    store.put(design, 4, shard_outcome(40));  // not committed
    ::_exit(0);
  } else {
    ::waitpid(child, nullptr, 0);
  }
  const std::string rest = at["s1"] + "/experiments.sqlite-wal";
  REQUIRE(fs::file_size(rest) > 0);
  SECTION("into another folder") {
    CHECK(merge(at["all"], {at["s1"]}).experiments[0].cells == 1);
    CHECK(cells_in(at["all"], design) == Numbers{3});
  }
  SECTION("alone") { CHECK(merge(at["s1"], {}).experiments.empty()); }
  CHECK_FALSE(fs::exists(rest));
  CHECK(cells_in(at["s1"], design) == Numbers{3});
}

TEST_CASE("cells that had found different settings are told of: a run takes those that found its own") {
  const Folder folder;
  const Design design = shard_design("k");
  using Kind = CellOutcome::Read::Kind;
  for (const auto& [name, tasks] : {std::pair("one", "300"), std::pair("two", "301")}) {
    fs::create_directories(folder.path / name);
    Store store((folder.path / name).string());
    store.enter(design);
    store.put(design, name == std::string("one") ? 1 : 2,
              shard_outcome(1, {{Kind::setting, "tasks", tasks}, {Kind::setting, "alike", "x"}}));
  }
  const Merged merged =
      merge((folder.path / "all").string(), {(folder.path / "one").string(), (folder.path / "two").string()});
  REQUIRE(merged.warnings.size() == 1);
  CHECK_THAT(
      merged.warnings[0],
      Contains("'study': cells had looked for the setting 'tasks' and found 300 (1 cells), 301 (1 cells)"));
}

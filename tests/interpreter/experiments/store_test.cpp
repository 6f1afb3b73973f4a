#include "interpreter/experiments/store.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>

#include <sqlite3.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using perigee::test::Folder;

namespace {

std::string database_in(const Folder& folder) { return (folder.path / "experiments.sqlite").string(); }

using Read = CellOutcome::Read;
constexpr auto kFile = Read::Kind::file, kSetting = Read::Kind::setting;

Design design_of(const std::string& key) {
  Design design;
  design.name = "d";
  design.factors = {{"a", {1.0, "x, y"}}};
  design.combinations = {{0}, {1}};
  design.replications.least = design.replications.most = 3;
  design.key = key;
  design.level_keys = {{"1", "x"}};
  return design;
}

void with_sqlite(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

// The first column of the first row.
std::string value_in(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
  std::string value = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return value;
}

const Store::Now as_before = [](const Read& read) -> std::optional<std::string> {
  if (read.kind == kSetting) return std::nullopt;
  return "hash of " + read.name;
};
const Store::Now other = [](const Read&) { return "another"; };

}  // namespace

TEST_CASE("a stored cell comes back to the bit, by script, factors and replication") {
  const Folder folder;
  using Limits = std::numeric_limits<double>;
  const std::vector<double> values{
      0.1, -0.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), 1e308, Limits::denorm_min()};
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{"a", "b.c", "d", "e", "f", "g", "h"});
  outcome.values = values;
  outcome.reads = {{kFile, "log \n of ours", "hash of log \n of ours"}, {kSetting, "n", std::nullopt}};
  outcome.warnings = {{"pieces of work rejected", 9}, {"x", 0}};
  const Design design = design_of("one");
  {
    Store store(folder.path.string());
    CHECK_FALSE(store.find(design, 4, as_before));
    store.put(design, 4, outcome);
  }
  Store store(folder.path.string());
  const auto found = store.find(design, 4, as_before);
  REQUIRE(found);
  CHECK(found->stored);
  CHECK(*found->names == *outcome.names);
  REQUIRE(found->values.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(std::bit_cast<std::uint64_t>(found->values[i]) == std::bit_cast<std::uint64_t>(values[i]));
  CHECK(found->reads == outcome.reads);
  CHECK(found->warnings == outcome.warnings);
  CHECK_FALSE(store.find(design, 3, as_before));
  CHECK_FALSE(store.find(design, 2, as_before));
  CHECK_FALSE(store.find(design_of("two"), 4, as_before));
  CHECK_FALSE(store.find(design, 4, other));
  CHECK_FALSE(store.find(design, 4, [](const Read&) { return std::nullopt; }));

  // The same levels and replication are found whatever the cell's number.
  Design turned = design;
  turned.factors[0].levels = {"x, y", 1.0};
  turned.level_keys = {{"x", "1"}};
  turned.replications.least = turned.replications.most = 9;
  CHECK(store.find(turned, 3, as_before));
  CHECK_FALSE(store.find(turned, 4, as_before));

  // There is one row for each state of the file that the cell looked for.
  outcome.values[0] = 7;
  outcome.reads = {{kFile, "log \n of ours", "another"}};
  store.put(design, 4, outcome);
  CHECK(store.find(design, 4, other)->values[0] == 7);
  CHECK(store.find(design, 4, as_before)->values[0] == 0.1);
}

TEST_CASE("a stored cell in which anything was changed is not taken") {
  const Folder folder;
  const Design design = design_of("one");
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>(1, "x");
  outcome.values = {41.72};
  outcome.reads = {{kFile, "f", "hash of f"}};
  outcome.warnings = {{"w", 1}};
  const auto found_after = [&](const char* sql) {
    fs::remove(database_in(folder));
    {
      Store store(folder.path.string());
      store.put(design, 1, outcome);
    }
    with_sqlite(database_in(folder), sql);
    Store store(folder.path.string());
    const bool found = store.find(design, 1, as_before).has_value();
    CHECK(store.damaged() == (found ? 0 : 1));
    return found;
  };
  CHECK(found_after("UPDATE results SET seed = seed"));
  CHECK_FALSE(found_after("UPDATE results SET measures = '{\"x\":41.73}'"));
  CHECK_FALSE(found_after("UPDATE results SET measures = '{'"));
  CHECK_FALSE(found_after("UPDATE results SET seed = seed + 1"));
  CHECK_FALSE(found_after("UPDATE results SET warnings = '[]'"));
  CHECK_FALSE(found_after("UPDATE results SET reads = '[]'"));
  CHECK_FALSE(found_after("UPDATE combinations SET factors = '{\"a\":2}'"));
  CHECK_FALSE(found_after("UPDATE results SET checksum = 0"));
}

TEST_CASE("an experiment whose cells depend on something else now is told what has changed") {
  const Folder folder;
  Store store(folder.path.string());
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>();
  Design design = design_of("one");
  design.parts = {{"run", "1"}, {"n", "1"}, {"m", "1"}};
  CHECK(store.enter(design).cells == 0);
  store.put(design, 1, outcome);
  store.put(design, 2, outcome);
  CHECK(store.enter(design).cells == 0);
  design.key = "two";
  design.parts = {{"run", "1"}, {"n", "2"}, {"l", "1"}};
  const Store::Others others = store.enter(design);
  CHECK(others.cells == 2);
  CHECK(others.changed == std::vector<std::string>{"n", "l", "m"});
}

TEST_CASE("cells are put one by one and committed together") {
  const Folder folder;
  const Design design = design_of("one");
  const auto in_another_program = [&] {
    const Folder copy;  // the database is locked, a copy is not
    for (const char* end : {"", "-wal"})
      if (fs::exists(database_in(folder) + end)) fs::copy(database_in(folder) + end, database_in(copy) + end);
    return value_in(database_in(copy), "SELECT count(*) FROM cells");
  };
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>(1, "x");
  outcome.values = {0};
  Design many = design;
  many.replications.least = many.replications.most = 40;
  Store store(folder.path.string());
  for (std::uint64_t cell = 1; cell <= 37; ++cell) {
    outcome.values[0] = static_cast<double>(cell);
    store.put(many, cell, outcome);
  }
  CHECK(in_another_program() == "0");
  CHECK(store.find(many, 37, as_before)->values[0] == 37);
  store.commit();
  CHECK(in_another_program() == "37");
  store.put(many, 38, outcome);
  store.commit();
  CHECK(in_another_program() == "38");
  CHECK(store.find(many, 1, as_before)->values[0] == 1);
}

TEST_CASE("any program reads the table of cells, whose values are JSON") {
  const Folder folder;
  const Design design = design_of("one");
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"x", "\"y\""});
  {
    Store store(folder.path.string());
    for (const std::uint64_t cell : {1u, 3u, 2u}) {
      outcome.values = {static_cast<double>(cell * 100'000), 0.5};
      store.put(design, cell, outcome);
    }
  }
  const std::string path = database_in(folder);
  // Combination 1 has the cells 1 and 3: (100000 + 300000) / 2.
  CHECK(value_in(path, "SELECT avg(measures ->> 'x') FROM cells GROUP BY factors ORDER BY 1 LIMIT 1") ==
        "200000.0");
  CHECK(value_in(path, "SELECT factors FROM cells WHERE replication = 2") == R"({"a":1.0})");
  CHECK(value_in(path, "SELECT measures FROM cells WHERE replication = 2") ==
        R"({"x":300000.0,"\"y\"":0.5})");
  CHECK(value_in(path, "SELECT factors FROM cells WHERE measures ->> 'x' = 200000.0") == R"({"a":"x, y"})");
  CHECK(value_in(path, "SELECT experiment || key || warnings || reads FROM cells LIMIT 1") == "done[][]");
}

TEST_CASE("the cells of another store are found too, which is only read") {
  const Folder folder, known;
  const Design design = design_of("one");
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>(1, "x");
  outcome.values = {1};
  outcome.reads = {{kFile, "f", "hash of f"}};
  const auto complaint = [&] {
    const Folder own;
    try {
      Store store(own.path.string());
      store.also_from(known.path.string());
    } catch (const Error& error) {
      return error.diagnostic().message;
    }
    return std::string("none");
  };
  CHECK_THAT(complaint(), Contains("has no store of experiments"));
  {
    Store store(known.path.string());
    store.put(design, 1, outcome);
    store.put(design, 2, outcome);
    CHECK_THAT(complaint(), Contains("is in use by another perigee"));
  }
  Store store(folder.path.string());
  outcome.values = {7};
  store.put(design, 2, outcome);
  store.commit();
  store.also_from(known.path.string());
  store.also_from(folder.path.string());
  CHECK(store.enter(design).cells == 0);
  const auto found = store.find(design, 1, as_before);
  REQUIRE(found);
  CHECK(found->stored);
  CHECK(found->values[0] == 1);
  CHECK(store.find(design, 2, as_before)->values[0] == 7);  // its own comes first
  CHECK_FALSE(store.find(design, 3, as_before));
  CHECK_FALSE(store.find(design, 1, other));
  CHECK(store.take_outdated().reads == std::set<std::string>{"the file 'f'"});
  CHECK(value_in(database_in(known), "SELECT count(*) FROM cells") == "2");
  // Cells of another key are told of, wherever they are.
  Design changed = design_of("two");
  changed.parts = {{"n", "2"}};
  CHECK(store.enter(changed).cells == 1);
  std::ofstream(database_in(known) + "-wal") << "x";
  CHECK_THAT(complaint(), Contains("'perigee merge " + known.path.string() + "' closes it"));
}

TEST_CASE("a store that is removed while it is used says so") {
  const Folder folder;
  const Design design = design_of("one");
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>();
  Store store(folder.path.string());
  store.put(design, 1, outcome);
  store.commit();
  fs::remove(database_in(folder));
  store.put(design, 2, outcome);
  try {
    store.commit();
    FAIL("nothing was said");
  } catch (const Error& error) {
    CHECK_THAT(error.diagnostic().message,
               Contains("experiments.sqlite cannot be used: it has been removed"));
  }
}

TEST_CASE("a store of an older version is made anew") {
  const Folder folder;
  with_sqlite(
      database_in(folder),
      "CREATE TABLE cells (key TEXT); CREATE TABLE keys (number INTEGER); INSERT INTO cells VALUES ('x');"
      "PRAGMA application_id = 1346720329; PRAGMA user_version = 2");
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>();
  Store store(folder.path.string());
  store.put(design_of("one"), 1, outcome);
  CHECK(store.find(design_of("one"), 1, as_before));
}

TEST_CASE("a store that another program has is not said to be a perigee's") {
  const Folder folder;
  { const Store store(folder.path.string()); }
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(database_in(folder).c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, "BEGIN IMMEDIATE; SELECT * FROM cells", nullptr, nullptr, nullptr) ==
        SQLITE_OK);
  try {
    const Store store(folder.path.string());
    FAIL("both have it");
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "store_in_use");
    CHECK_THAT(error.diagnostic().message, Contains("in use by another program, such as the shell sqlite3"));
  }
  sqlite3_close(database);
}

TEST_CASE("a store that is a link, or has one beside it, is refused") {
  for (const char* end : {"", "-wal", "-journal"}) {
    const Folder folder, outside;
    fs::create_symlink(outside.path / "x", database_in(folder) + end);
    try {
      const Store store(folder.path.string());
      FAIL("a link was followed");
    } catch (const Error& error) {
      CHECK_THAT(error.diagnostic().message, Contains("experiments.sqlite is a link"));
    }
    CHECK(fs::is_empty(outside.path));
  }
}

TEST_CASE("a cell without measures can be stored") {
  const Folder folder;
  Store store(folder.path.string());
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>();
  store.put(design_of("x"), 1, outcome);
  const auto found = store.find(design_of("x"), 1, as_before);
  REQUIRE(found);
  CHECK(found->values.empty());
  CHECK_FALSE(found->failed());
}

TEST_CASE("what is no store of ours is left alone, with a message") {
  const Folder folder;
  const auto complaint = [&] {
    try {
      const Store store(folder.path.string());
    } catch (const Error& error) {
      return error.diagnostic().message;
    }
    return std::string("none");
  };
  SECTION("no database") {
    std::ofstream(database_in(folder)) << std::string(5000, '?');
    CHECK_THAT(complaint(), Contains("experiments.sqlite is not a store of experiments"));
    CHECK(fs::file_size(database_in(folder)) == 5000);
  }
  SECTION("of another program") {
    with_sqlite(database_in(folder), "CREATE TABLE mine (x); INSERT INTO mine VALUES (1);");
    CHECK_THAT(complaint(), Contains("experiments.sqlite is a database of another program"));
    with_sqlite(database_in(folder), "INSERT INTO mine VALUES (2)");
  }
  SECTION("of a newer version") {
    { const Store store(folder.path.string()); }
    with_sqlite(database_in(folder), "PRAGMA user_version = 4");
    CHECK_THAT(complaint(), Contains("experiments.sqlite was made by a newer perigee"));
  }
  SECTION("a folder in its place") {
    fs::create_directory(database_in(folder));
    CHECK_THAT(complaint(), Contains("experiments.sqlite cannot be used: unable to open"));
  }
  SECTION("in use") {
    const Store first(folder.path.string());
    CHECK_THAT(complaint(), Contains("experiments.sqlite is in use by another perigee"));
  }
}

TEST_CASE("where nothing more can be written the error says so, and what was stored is kept") {
  const Folder folder;
  const Design design = design_of("x");
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>(1, "x");
  outcome.values = {1};
  {
    Store store(folder.path.string());
    store.put(design, 1, outcome);
  }
  fs::permissions(database_in(folder), fs::perms::owner_read);
  try {
    Store store(folder.path.string());
    store.put(design, 2, outcome);
    SUCCEED("this user may write everywhere");
  } catch (const Error& error) {
    CHECK_THAT(error.diagnostic().message, Contains("experiments.sqlite cannot be used"));
  }
  fs::permissions(database_in(folder), fs::perms::owner_all);
  Store store(folder.path.string());
  CHECK(store.find(design, 1, as_before));
}

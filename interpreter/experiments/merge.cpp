#include "interpreter/experiments/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "interpreter/experiments/progress_file.h"
#include "interpreter/experiments/store.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/random.h"

namespace perigee::experiments {

namespace {

namespace fs = std::filesystem;

fs::path store_of(const std::string& folder) { return fs::path(folder) / kStoreFile; }

// A store that is read. Where a process that was killed has left cells in a file beside it, opening it for
// writing brings them home.
struct Source {
  explicit Source(const std::string& folder)
      : lock(folder, was_left_open(folder) ? FolderLock::Kind::writing : FolderLock::Kind::reading,
             "leave it out"),
        archive(was_left_open(folder) ? open_for_writing(folder, false) : open_for_reading(folder)) {}

  static bool was_left_open(const std::string& folder) {
    std::error_code error;
    const auto size = fs::file_size(store_of(folder).string() + "-wal", error);
    return !error && size > 0 && fs::exists(store_of(folder), error);
  }

  FolderLock lock;
  Archive archive;
};

struct Key {
  std::int64_t number = 0;
  std::string key, experiment, parts;
};

// The oldest first.
std::vector<Key> keys_in(const Database& database) {
  std::vector<Key> keys;
  const Statement statement =
      database.prepare("SELECT number, key, experiment, parts FROM keys ORDER BY entered");
  for (sqlite3_stmt* row = statement.get(); database.step(row);)
    keys.push_back({number_at(row, 0), std::string(text_at(row, 1)), std::string(text_at(row, 2)),
                    std::string(text_at(row, 3))});
  return keys;
}

struct Combination {
  std::string levels, factors;
};

// A row of `results` whose checksum is right.
struct Row {
  const Key& key;
  std::int64_t replication, combination_number;
  const Combination& combination;
  std::int64_t seed, checksum;
  std::string_view reads, measures, warnings;
};

// Calls `visit` for each row that is whole, and returns how many are not.
template <class Visit>
std::uint64_t for_each_row(const Database& database, const Visit& visit) {
  std::map<std::int64_t, Key> keys;
  for (Key& key : keys_in(database)) keys.emplace(key.number, key);
  std::map<std::int64_t, Combination> combinations;
  const Statement places = database.prepare("SELECT number, levels, factors FROM combinations");
  for (sqlite3_stmt* row = places.get(); database.step(row);)
    combinations[number_at(row, 0)] = {std::string(text_at(row, 1)), std::string(text_at(row, 2))};
  std::map<std::pair<std::int64_t, std::int64_t>, RowSum> sums;
  std::uint64_t damaged = 0;
  const Statement statement = database.prepare(
      "SELECT key, replication, combination, seed, checksum, reads, measures, warnings FROM results");
  for (sqlite3_stmt* row = statement.get(); database.step(row);) {
    const auto key = keys.find(number_at(row, 0));
    const auto combination = combinations.find(number_at(row, 2));
    if (key == keys.end() || combination == combinations.end()) {
      ++damaged;
      continue;
    }
    const Row cell{key->second,         number_at(row, 1), combination->first,
                   combination->second, number_at(row, 3), number_at(row, 4),
                   text_at(row, 5),     text_at(row, 6),   text_at(row, 7)};
    auto sum = sums.find({key->first, combination->first});
    if (sum == sums.end())
      sum = sums.emplace(std::pair(key->first, combination->first),
                         RowSum(cell.key.key, cell.key.experiment, cell.combination.levels,
                                cell.combination.factors))
                .first;
    if (sum->second.of(cell.replication, cell.seed, cell.measures, cell.warnings, cell.reads) ==
        cell.checksum)
      visit(cell);
    else
      ++damaged;
  }
  return damaged;
}

// The experiment of whose results the shard had a part when this key was made, in quotes; empty = none.
std::string partial_results(const Key& key) {
  for (const auto& [name, digest] : parts_of(key.parts))
    if (name.starts_with(kPartialResults)) return name.substr(kPartialResults.size());
  return {};
}

// The latest key of each experiment, which must be the same in all stores. Where the keys differ because each
// shard had other results of an earlier experiment, the experiment is left out.
class LatestKeys {
 public:
  void check(const Database& database, const std::string& folder) {
    std::map<std::string, Key> here;
    for (Key& key : keys_in(database)) here[key.experiment] = std::move(key);
    for (auto& [name, key] : here) {
      const auto [there, is_new] = keys_.try_emplace(name, folder, key);
      if (is_new || there->second.second.key == key.key) continue;
      const auto& [other, first] = there->second;
      std::string partial = partial_results(key);
      if (partial.empty()) partial = partial_results(first);
      if (!partial.empty()) {
        left_out_.emplace(name, partial);
        continue;
      }
      const std::vector<std::string> changed = changed_parts(parts_of(first.parts), parts_of(key.parts));
      fail("other_experiment",
           "experiment '{}': the cells in {} depend on something else than those in {}, so that they do not "
           "belong together{}{}; nothing was merged",
           name, folder, other, changed.empty() ? "" : ": what differs is ", fmt::join(changed, ", "));
    }
  }
  const std::map<std::string, std::pair<std::string, Key>>& all() const { return keys_; }
  // By name, with the earlier experiment in quotes.
  const std::map<std::string, std::string>& left_out() const { return left_out_; }

 private:
  std::map<std::string, std::string> left_out_;
  std::map<std::string, std::pair<std::string, Key>> keys_;  // with the folder
};

// The measures that differ, such as "makespan: 3.0 and 4.0"
std::string differences(std::string_view a, std::string_view b) {
  const auto one = nlohmann::ordered_json::parse(a, nullptr, false),
             other = nlohmann::ordered_json::parse(b, nullptr, false);
  if (!one.is_object() || !other.is_object()) return fmt::format("{} and {}", a, b);
  std::vector<std::string> found;
  const auto note = [&](const std::string& name) {
    const auto text = [&](const auto& json) { return json.contains(name) ? json[name].dump() : "nothing"; };
    if (text(one) != text(other)) found.push_back(fmt::format("{} {} and {}", name, text(one), text(other)));
  };
  for (const auto& [name, value] : one.items()) note(name);
  for (const auto& [name, value] : other.items())
    if (!one.contains(name)) note(name);
  return fmt::format("{}", fmt::join(found, ", "));
}

class Merger {
 public:
  Merger(const std::string& folder, Archive& results, const LatestKeys& latest);
  void take(const std::string& folder, const Database& source);
  void finish();
  Merged merged() const;

 private:
  // Where a cell comes from, and a hash of what it has measured.
  struct Origin {
    std::uint64_t measures = 0;
    std::uint32_t folder = 0;  // 0: it was there before
    bool counted = false;
  };
  // In the results, for numbers in a source.
  struct Numbers {
    std::map<std::int64_t, std::int64_t> keys, combinations;
  };

  std::int64_t number_of(const Statement& find, const Statement& add, std::string_view a, std::string_view b,
                         std::string_view parts = {});
  static std::uint64_t id_of(std::int64_t key, std::int64_t combination, const Row& row);
  void check_seed(std::int64_t key, const Row& row);
  void warn_of_reads();
  void take_row(const Numbers& numbers, const Row& row, std::set<std::string>& names);
  [[noreturn]] void complain_of_measures(std::int64_t key, std::int64_t combination, const Row& row,
                                         const Origin& origin);

  Database& results_;
  const LatestKeys& latest_;
  Statement find_key_, add_key_, find_place_, add_place_, put_;
  std::vector<std::string> folders_;
  std::unordered_map<std::uint64_t, Origin> cells_;
  // Seeds of replications, with the folder that had them first.
  std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::int64_t, std::uint32_t>> seeds_;
  std::map<std::string, MergedExperiment> experiments_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> looked_for_;  // cells by experiment and reads
  std::vector<std::string> warnings_;
};

Merger::Merger(const std::string& folder, Archive& results, const LatestKeys& latest)
    : results_(results.database()),
      latest_(latest),
      find_key_(results_.prepare("SELECT number FROM keys WHERE key = ? AND experiment = ?")),
      add_key_(results_.prepare("INSERT INTO keys (key, experiment, parts, entered) "
                                "SELECT ?, ?, ?, coalesce(max(entered), 0) + 1 FROM keys")),
      find_place_(results_.prepare("SELECT number FROM combinations WHERE levels = ? AND factors = ?")),
      add_place_(results_.prepare("INSERT INTO combinations (levels, factors) VALUES (?, ?)")),
      put_(results_.prepare(
          "INSERT OR REPLACE INTO results (key, replication, combination, reads, seed, measures, warnings, "
          "checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")),
      folders_{folder} {
  for_each_row(results_, [&](const Row& row) {
    check_seed(row.key.number, row);
    cells_[id_of(row.key.number, row.combination_number, row)] = {hash_name(row.measures), 0, false};
  });
}

std::uint64_t Merger::id_of(std::int64_t key, std::int64_t combination, const Row& row) {
  std::uint64_t id = hash_name(row.reads);
  for (const std::int64_t number : {key, combination, row.replication})
    id = SplitMix64::mix(id ^ static_cast<std::uint64_t>(number)) + 0x9E3779B97F4A7C15u;
  return id;
}

std::int64_t Merger::number_of(const Statement& find, const Statement& add, std::string_view a,
                               std::string_view b, std::string_view parts) {
  {
    const Use use(find);
    set(find.get(), 1, a);
    set(find.get(), 2, b);
    if (results_.step(find.get())) return number_at(find.get(), 0);
  }
  const Use use(add);
  set(add.get(), 1, a);
  set(add.get(), 2, b);
  if (!parts.empty()) set(add.get(), 3, parts);
  results_.step(add.get());
  return results_.last_row();
}

void Merger::check_seed(std::int64_t key, const Row& row) {
  const auto here = static_cast<std::uint32_t>(folders_.size() - 1);
  const auto [there, is_new] = seeds_.try_emplace({key, row.replication}, row.seed, here);
  if (!is_new && there->second.first != row.seed)
    fail(
        "other_seed",
        "experiment '{}': replication {} has the seed {} in {} and {} in {}, so that the cells do not belong "
        "together; nothing was merged",
        row.key.experiment, row.replication, row.seed, folders_[here], there->second.first,
        folders_[there->second.second]);
}

void Merger::complain_of_measures(std::int64_t key, std::int64_t combination, const Row& row,
                                  const Origin& origin) {
  const Statement statement = results_.prepare(
      "SELECT measures FROM results WHERE key = ? AND replication = ? AND combination = ? AND reads = ?");
  set(statement.get(), 1, key);
  set(statement.get(), 2, row.replication);
  set(statement.get(), 3, combination);
  set(statement.get(), 4, row.reads);
  const std::string there(results_.step(statement.get()) ? text_at(statement.get(), 0) : "{}");
  fail("other_measures",
       "experiment '{}': the cell {}, replication {}, is not deterministic, or was changed: {} and {} have "
       "{}; nothing was merged",
       row.key.experiment, row.combination.factors, row.replication, folders_[origin.folder], folders_.back(),
       differences(there, row.measures));
}

void Merger::take_row(const Numbers& numbers, const Row& row, std::set<std::string>& names) {
  if (latest_.left_out().contains(row.key.experiment)) return;
  if (row.reads != "[]" && row.key.key == latest_.all().at(row.key.experiment).second.key)
    ++looked_for_[{row.key.experiment, std::string(row.reads)}];
  const std::int64_t key = numbers.keys.at(row.key.number);
  const std::int64_t combination = numbers.combinations.at(row.combination_number);
  check_seed(key, row);
  MergedExperiment& experiment = experiments_[row.key.experiment];
  names.insert(row.key.experiment);
  const auto here = static_cast<std::uint32_t>(folders_.size() - 1);
  const std::uint64_t measures = hash_name(row.measures);
  const auto [origin, is_new] =
      cells_.try_emplace(id_of(key, combination, row), Origin{measures, here, true});
  if (!is_new) {
    if (origin->second.measures != measures) complain_of_measures(key, combination, row, origin->second);
    if (!std::exchange(origin->second.counted, true)) {
      ++experiment.cells;
      ++experiment.before;
    }
    return;
  }
  ++experiment.cells;
  const Use use(put_);
  int place = 0;
  for (const std::int64_t number : {key, row.replication, combination}) set(put_.get(), ++place, number);
  set(put_.get(), ++place, row.reads);
  set(put_.get(), ++place, row.seed);
  set(put_.get(), ++place, row.measures);
  set(put_.get(), ++place, row.warnings);
  set(put_.get(), ++place, row.checksum);
  results_.step(put_.get());
}

void Merger::take(const std::string& folder, const Database& source) {
  folders_.push_back(folder);
  Numbers numbers;
  for (const Key& key : keys_in(source))
    if (!latest_.left_out().contains(key.experiment))
      numbers.keys[key.number] = number_of(find_key_, add_key_, key.key, key.experiment, key.parts);
  const Statement places = source.prepare("SELECT number, levels, factors FROM combinations");
  for (sqlite3_stmt* row = places.get(); source.step(row);)
    numbers.combinations[number_at(row, 0)] =
        number_of(find_place_, add_place_, text_at(row, 1), text_at(row, 2));
  std::set<std::string> names;
  const std::uint64_t damaged = for_each_row(source, [&](const Row& row) { take_row(numbers, row, names); });
  for (const std::string& name : names) ++experiments_[name].stores;
  if (damaged > 0)
    warnings_.push_back(
        fmt::format("{}: {} damaged cell{} not taken", folder, damaged, damaged == 1 ? " is" : "s are"));
}

// A run takes only the cells whose files and settings are its own.
void Merger::warn_of_reads() {
  std::map<std::array<std::string, 3>, std::map<std::string, std::uint64_t>>
      values;  // of experiment, kind, name
  for (const auto& [asked, cells] : looked_for_) {
    const auto reads = nlohmann::json::parse(asked.second, nullptr, false);
    if (!reads.is_array()) continue;
    for (const auto& read : reads)
      if (read.is_array() && read.size() == 3 && read[0] != "seed")
        values[{asked.first, read[0], read[1]}][read[2].is_null() ? "nothing" : read[2].get<std::string>()] +=
            cells;
  }
  for (const auto& [what, counts] : values) {
    if (counts.size() < 2) continue;
    const auto& [experiment, kind, name] = what;
    std::vector<std::string> each;
    for (const auto& [value, cells] : counts) each.push_back(fmt::format("{} ({} cells)", value, cells));
    warnings_.push_back(fmt::format(
        "experiment '{}': cells had looked for the {} '{}' and found {}; a run takes those that found "
        "the same as it finds, and computes the others anew",
        experiment, kind, name, fmt::join(each, ", ")));
  }
}

// The latest key of each experiment stays the latest, for a source may have brought older ones.
void Merger::finish() {
  warn_of_reads();
  for (const auto& [name, earlier] : latest_.left_out())
    warnings_.push_back(fmt::format(
        "experiment '{}' is left out, for it depends on the results of {}, of which each shard had a "
        "part; run the shards again with --known {}",
        name, earlier, folders_.front()));
  for (const auto& [name, key] : latest_.all()) {
    if (latest_.left_out().contains(name)) continue;
    const Statement last =
        results_.prepare("SELECT key FROM keys WHERE experiment = ? ORDER BY entered DESC LIMIT 1");
    set(last.get(), 1, name);
    if (!results_.step(last.get()) || text_at(last.get(), 0) == key.second.key) continue;
    const Statement again = results_.prepare(
        "UPDATE keys SET entered = (SELECT max(entered) FROM keys) + 1 WHERE key = ? AND experiment = ?");
    set(again.get(), 1, key.second.key);
    set(again.get(), 2, name);
    results_.step(again.get());
  }
}

Merged Merger::merged() const {
  Merged all{{}, warnings_};
  for (const auto& [name, experiment] : experiments_) {
    all.experiments.push_back(experiment);
    all.experiments.back().name = name;
  }
  return all;
}

// Folders whose stores are different files, without that of `results`.
std::vector<std::string> distinct(const std::string& results, const std::vector<std::string>& sources) {
  std::vector<std::string> found;
  std::set<fs::path> seen;
  std::error_code error;
  seen.insert(fs::weakly_canonical(store_of(results), error));
  for (const std::string& source : sources) {
    if (!fs::exists(store_of(source), error))
      fail("no_store", "{} has no store of experiments: there is no {}; nothing was merged", source,
           store_of(source).string());
    if (seen.insert(fs::weakly_canonical(store_of(source), error)).second) found.push_back(source);
  }
  return found;
}

// Removes a folder's store unless keep() is called, and the folder if it was made.
class NewStore {
 public:
  explicit NewStore(const std::string& folder) : folder_(folder) {
    std::error_code error;
    is_new_ = !fs::exists(store_of(folder), error);
    made_folder_ = fs::create_directories(folder, error);
    if (error) fail("no_output", "the folder {} cannot be made: {}", folder, error.message());
  }
  ~NewStore() {
    std::error_code error;
    if (is_new_)
      for (const char* end : {"", "-wal", "-journal"}) fs::remove(store_of(folder_).string() + end, error);
    if (is_new_ && made_folder_) {
      fs::remove(fs::path(folder_) / kLockFile, error);
      fs::remove(folder_, error);
    }
  }
  NewStore(const NewStore&) = delete;
  NewStore& operator=(const NewStore&) = delete;
  void keep() { is_new_ = false; }

 private:
  std::string folder_;
  bool is_new_ = false, made_folder_ = false;
};

}  // namespace

std::string MergedExperiment::text() const {
  std::string text = fmt::format("{}: {} cell{} from {} store{}", name, cells, cells == 1 ? "" : "s", stores,
                                 stores == 1 ? "" : "s");
  if (before > 0) text += fmt::format(", {} of them there before", before);
  return text;
}

Merged merge(const std::string& results, const std::vector<std::string>& sources) {
  const std::vector<std::string> folders = distinct(results, sources);
  LatestKeys latest;
  std::error_code error;
  if (folders.empty() || fs::exists(store_of(results), error)) {
    const Source source(results);
    latest.check(source.archive.database(), results);
  }
  for (const std::string& folder : folders) {
    const Source source(folder);
    latest.check(source.archive.database(), folder);
  }
  NewStore made(results);
  const FolderLock lock(results, FolderLock::Kind::writing, "merge into another folder");
  Archive archive = open_for_writing(results, false);
  Database& database = archive.database();
  database.run("BEGIN IMMEDIATE");
  std::optional<Merger> merger(std::in_place, results, archive, latest);
  for (const std::string& folder : folders) {
    const Source source(folder);
    latest.check(source.archive.database(), folder);  // it may have changed
    merger->take(folder, source.archive.database());
  }
  merger->finish();
  database.run("COMMIT");
  made.keep();
  // It tells of a run before; now the store tells.
  if (!folders.empty() && ProgressState::in(results)) fs::remove(fs::path(results) / kProgressFile, error);
  return merger->merged();
}

}  // namespace perigee::experiments

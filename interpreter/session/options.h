// How a script is to run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/session/cells.h"
#include "runtime/engine/simulation.h"

namespace perigee::session {

class Audience;

inline constexpr std::uint64_t kDefaultMemory = std::uint64_t{4} << 30;

// One of `count` runs of a script that share its cells without knowing of each other; `index` from 1.
struct Shard {
  std::uint64_t index = 1, count = 1;
};

struct InterpreterOptions {
  std::uint64_t seed = 1;
  std::map<std::string, std::string> settings = {};  // --set name=value
  std::uint64_t steps = 0;                // Lua instructions and work counted as such; 0 = no limit
  std::uint64_t memory = kDefaultMemory;  // bytes of all values; 0 = no limit
  std::string out = {};                   // where :save may write; empty = nowhere
  std::vector<std::string> data = {};     // folders that readers may open besides the script's
  bool check = false;                     // declarations only, nothing runs
  bool validate = false;                  // re-check the trace of every run
  std::function<void(std::string_view)> output = {};    // output of print; empty = standard output
  std::function<void(std::string_view)> warnings = {};  // one line each; empty = standard error
  Audience* audience = nullptr;  // is told of what the script shows, too; null = nobody
  // For a replay, the texts that take the place of the script's files: path as shown -> text.
  std::map<std::string, std::string> sources = {};
  std::map<std::string, std::string> data_files = {};  // data files it read: name as asked for -> real path
  // Called with every outcome, counted from 1; returning false ends the script there.
  std::function<bool(std::uint64_t ordinal, const Outcome&)> on_outcome = {};
  bool interactive = false;    // interrupt() stops a run, and the run can be examined afterwards
  bool interruptible = false;  // interrupt() stops a run; it is called in the thread of the run
  // Called now and then during a run; with null when it is over or something else is printed.
  std::function<void(const Simulation*)> on_progress = {};
  unsigned jobs = 1;  // interpreters of this process that compute the cells of an experiment; 0 = none
  // Workers in other processes that compute cells: "local:16", "slurm:200 --partition=short", ...
  std::vector<std::string> workers = {};
  std::string listen = {};  // the address at which those on other machines find this one; empty = its name's
  Seconds silence = 30;     // after which a worker that says nothing is given up
  Shard shard = {};
  std::vector<std::string> known = {};  // folders whose finished cells are taken, too
  // The only cell to be computed and shown, then the script ends: "7" is a cell of its first experiment; or
  // "name:7".
  std::string cell = {};
  // Like on_progress, for cells; called from any thread.
  std::function<void(const CellProgress*)> on_cells = {};
  Cells* worker_of = nullptr;  // computes cells for another interpreter
};

}  // namespace perigee::session

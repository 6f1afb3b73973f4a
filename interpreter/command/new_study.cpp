#include "interpreter/command/new_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "interpreter/bindings/words.h"
#include "interpreter/command/cli.h"
#include "interpreter/command/option_values.h"
#include "interpreter/command/said.h"
#include "interpreter/experiments/workers/launch.h"
#include "interpreter/host/embedded.h"
#include "interpreter/language/reference.h"
#include "interpreter/session/interpreter.h"

namespace perigee::command {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStudyScript = R"lua(
-- How long do jobs wait under three policies, as the load grows?
-- takes: seconds
-- perigee run study.lua --out results
local studies = require "studies"

-- A cluster, and jobs that come at random. `load` is the share of all nodes that they keep busy in the long run. Each
-- replication draws its own jobs, and every policy gets the same ones.
local nodes, n_jobs = setting("nodes", 16), setting("n_jobs", 200)
local sizes, mean_time = { 1, 2, 4, 8 }, 600
local function day(load)
  local span = n_jobs * 3.75 * mean_time / (load * nodes)      -- seconds in which that much work arrives
  return scenario {
    platform = platform { cluster "node" { nodes = nodes } },
    workload = workload.jobs(n_jobs, function(i, rng)
      return { nodes = rng:choice(sizes), time = rng:exponential(mean_time), arrival = rng:uniform(0, span) }
    end),
  }
end

local e = experiment "study" {
  factors = {
    { "load", { 0.5, 0.7, 0.9 } },
    { "policy", { "fcfs", "easy", "conservative" } },
  },
  replications = setting("replications", 10),
  run = function(f) return day(f.load):run { policy = f.policy } end,
  measure = { "mean_wait", "mean_slowdown", "utilization" },
}

-- Means with the half-widths of their 95 % confidence intervals.
print(e:table("mean_wait", "utilization"))

-- All cells as results/study.csv, and one run as results/run with its jobs, its trace and a replay card.
studies.save(e, "study")
studies.save(day(0.9):run { policy = "easy" }, "run")

-- The figure: in the terminal, and as results/wait.svg with the numbers behind it in results/wait.csv.
e:table("mean_wait"):plot { x = "load", y = "mean_wait", by = "policy", file = "wait", title = "Waiting under load" }
)lua";

// Paths are below the folder of the study, so that it may be moved, also to another machine.
constexpr const char* kTypesFolder = ".perigee/editor";
constexpr std::string_view kEditorFile = R"json({
  "runtime.version": "Lua 5.4",
  "runtime.path": ["?.lua"],
  "runtime.builtin": { "os": "disable", "io": "disable", "debug": "disable" },
  "workspace.library": [".perigee/editor"],
  "workspace.ignoreDir": ["results", "results-*"],
  "workspace.checkThirdParty": false
}
)json";

constexpr std::string_view kIgnoredByGit = "results/\nresults-*/\n";

// {0} is the name, {1} the version.
constexpr std::string_view kStudyPage = R"md(# {0}

How long do jobs wait under three policies, as the load grows? `study.lua` is a study of perigee that runs as it is. Change it into your own.

## Run

```
perigee run study.lua --out results
perigee run study.lua --out results-32 --set nodes=32 --set replications=30
perigee report results
```

The second one has other settings and a folder of its own, so that the results of the first are kept. In the same folder files are written
again, and a warning says that cells which were kept there are not taken, for the settings have changed.

The last one makes `results/report.html`, one page to be sent. `perigee check study.lua` looks for mistakes and runs nothing.

## What comes out

| file in `results` | holds |
|---|---|
| `study.csv`, `study.json` | every cell of the experiment: its factors, its seed, what was measured |
| `wait.svg`, `wait.csv` | the figure, and the numbers behind it |
| `run` | one run: its jobs, its trace, its metrics, and a replay card |
| `experiments.sqlite` | cells that are done, and not computed again |

In Python, with or without pandas: `import perigee; perigee.load("results").tables["study"]`.

## Repeat

The same script, settings, seed and version give the same results to the bit. This folder was made by perigee {1}; `perigee version` says
which one runs. The seed is 1 unless `--seed` says another. `perigee replay results/run` makes the saved run again and compares the two.
Delete `results` to compute every cell again.

## Editor

An editor with the Lua language server knows the words of the language: it reads `.luarc.json`, which leads to `.perigee/editor` beside it.
After an update of perigee, write these files again by `perigee new --types .` in this folder.
)md";

[[noreturn]] void fail_to_write(const fs::path& path, const std::string& why) {
  fail("unwritable", "{} cannot be written: {}", path.string(), why);
}

void write_new(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) fail_to_write(path.parent_path(), error.message());
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!(file << text).flush()) fail_to_write(path, errno != 0 ? std::strerror(errno) : "no room is left");
}

// The files that tell an editor of this perigee: its words, and the modules that a script may require.
void write_types(const fs::path& folder) {
  Interpreter interpreter(open_words);
  write_new(folder / "perigee.lua", editor_types(interpreter.main(), interpreter.catalogue()));
  for (const host::EmbeddedModule& module : host::embedded_modules()) {
    std::string path(module.name);
    std::ranges::replace(path, '.', '/');
    write_new(folder / (path + ".lua"), module.source);
  }
}

bool is_study_name(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  constexpr std::size_t kLongest = 100;
  return !text.empty() && text.size() <= kLongest && plain(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return plain(c) || c == '_' || c == '-' || c == '.'; });
}

// As a word of a shell, in quotes only where it needs them.
std::string study_word(const std::string& path) {
  constexpr std::string_view kPlain = "_-./";
  const bool plain = std::ranges::all_of(path, [&](char c) {
    return kPlain.find(c) != kPlain.npos || is_study_name({&c, 1});
  });
  return plain ? path : experiments::shell_quoted(path);
}

// Without a slash at its end.
fs::path study_folder(const std::string& given) {
  const fs::path path = fs::path(given).lexically_normal();
  return path.filename().empty() ? path.parent_path() : path;
}

}  // namespace

int new_study(const std::string& given) {
  const fs::path folder = study_folder(given);
  const std::string name = folder.filename().string();
  if (!is_study_name(name))
    throw Usage(
        fmt::format("new: '{}' is no name of a study: it has up to 100 letters of English, digits, '_', '-' "
                    "and '.', and begins with a letter or digit",
                    name));
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error)))
    throw Usage(fmt::format("new: {} exists; give a name that is not taken", folder.string()));
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, error))
    throw Usage(fmt::format("new: there is no folder {} to make '{}' in", parent.string(), name));
  if (!fs::create_directory(folder, error))
    fail_to_write(folder, error ? error.message() : "it exists by now");
  try {
    write_new(folder / "study.lua", kStudyScript.substr(1));
    write_new(folder / "README.md", fmt::format(kStudyPage, name, PERIGEE_VERSION));
    write_new(folder / ".luarc.json", kEditorFile);
    write_new(folder / ".gitignore", kIgnoredByGit);
    write_types(folder / kTypesFolder);
  } catch (const Error&) {
    fs::remove_all(folder, error);  // nothing in it is anybody else's
    throw;
  }
  print(
      fmt::format("{} has a script, study.lua, and a page on it, README.md\n"
                  "next: cd {} && perigee run study.lua --out results\n",
                  folder.string(), study_word(folder.string())));
  return kSuccess;
}

int renew_types(const std::string& given) {
  const fs::path folder = study_folder(given);
  std::error_code error;
  if (!fs::is_directory(folder / kTypesFolder, error))
    throw Usage(fmt::format("new --types: {} has no folder {}; `perigee new STUDY` makes one",
                            folder.string(), kTypesFolder));
  fs::remove_all(folder / kTypesFolder, error);  // modules that are no more would still be offered
  write_types(folder / kTypesFolder);
  print(fmt::format("{} is as this perigee has it\n", (folder / kTypesFolder).string()));
  return kSuccess;
}

}  // namespace perigee::command

// The program as a user calls it.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/folder.h"
#include "tests/support/paths.h"

namespace perigee::test {

inline std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

struct CliEnded {
  int status;
  std::string out, err;
};

inline CliEnded run_perigee(const Folder& folder, const std::string& arguments) {
  const std::string out = (folder.path / "stdout").string(), err = (folder.path / "stderr").string();
  const std::string command = "cd '" + folder.path.string() + "' && '" + perigee::test::program() + "' " +
                              arguments + " >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out), text_of(err)};
}

inline const char* const kCliScript = R"lua(
local s = scenario {
  platform = platform { cluster "a" { nodes = 3 } },
  workload = workload.tasks(setting("tasks", 20), function(i, rng) return { time = rng:uniform(5, 15), arrival = i } end),
}
local first = s:run { policy = "workqueue" }
local r = s:run { policy = mapped { map = "mct" } }
print(r.makespan)
if setting("keep", false) then r:save "kept" end
)lua";

}  // namespace perigee::test

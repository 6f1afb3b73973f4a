#include "interpreter/command/findings.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/command/cli.h"
#include "interpreter/command/said.h"
#include "interpreter/command/scripts.h"
#include "interpreter/session/explain.h"
#include "interpreter/session/interpreter.h"

namespace perigee::command {

int findings(const std::vector<std::string>& paths, const InterpreterOptions& options) {
  std::vector<ScriptInfo> scripts;
  try {
    for (const std::string& path : paths) scripts.push_back(script_info(find_script(path), path));
    if (paths.empty()) {
      if (scripts_folder().empty())
        fail("no_file", "the scripts that come with perigee are not beside this program");
      scripts = scripts_in(scripts_folder());
      std::erase_if(scripts, [](const ScriptInfo& script) { return !script.has_claims; });
    }
  } catch (const Error& error) {
    complain(fmt::format("error: {}\n", error.what()));
    return kWrongUsage;
  }
  std::vector<ScriptClaims> found;
  int status = kSuccess;
  for (const ScriptInfo& script : scripts) {
    ScriptClaims& its = found.emplace_back();
    its.script = script.name;
    InterpreterOptions silent = options;
    silent.output = [](std::string_view) {};
    if (!silent.out.empty())  // each has a folder of its own
      silent.out = (std::filesystem::path(silent.out) / std::filesystem::path(script.name).stem()).string();
    Interpreter interpreter(open_words, std::move(silent));
    try {
      interpreter.run_file(script.path);
      its.problem = interpreter.failed_cells();
      if (!its.problem.empty()) {
        complain(fmt::format("error: {}: {}\n", script.name, its.problem));
        status = kScriptFailed;
      }
    } catch (const Error& error) {
      const SourceLocation& where = error.diagnostic().where;
      its.problem = where.line > 0 ? fmt::format("line {}: {}", where.line, error.diagnostic().message)
                                   : error.diagnostic().message;
      complain(explain(error, interpreter));
      status = kScriptFailed;
    }
    its.claims = interpreter.claims();
    for (const Claim& claim : its.claims)
      if (!claim.stands()) status = kScriptFailed;
  }
  print(findings_page(found));
  return status;
}

}  // namespace perigee::command

#include "interpreter/command/telling.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "interpreter/bindings/show/help.h"
#include "interpreter/bindings/words.h"
#include "interpreter/command/cli.h"
#include "interpreter/command/option_values.h"
#include "interpreter/command/said.h"
#include "interpreter/command/scripts.h"
#include "interpreter/language/describe.h"
#include "interpreter/language/modules.h"
#include "interpreter/language/reference.h"
#include "interpreter/session/interpreter.h"
#include "runtime/results/table.h"

namespace perigee::command {

int list_scripts() {
  const std::filesystem::path folder = scripts_folder();
  if (folder.empty()) {
    complain("error: the scripts that come with perigee are not beside this program\n");
    return kScriptFailed;
  }
  Table table;
  table.columns = {"script", "takes", "shows"};
  for (const ScriptInfo& script : scripts_in(folder))
    table.rows.push_back({script.name, script.takes, script.summary});
  print(fmt::format("below {}\n\n{}", folder.string(), table.list(static_cast<std::size_t>(page_width()))));
  return kSuccess;
}

int list(const std::string& family) {
  if (family == "scripts") return list_scripts();
  if (family == "modules") {
    print(list_of_modules(static_cast<std::size_t>(page_width())));
    return kSuccess;
  }
  const Catalogue catalogue;
  try {
    if (!family.empty()) require_family(family);
  } catch (const Error& error) {
    const std::string near = did_you_mean(family, {"scripts", "modules"});
    complain(near.empty() ? fmt::format("error: {}; scripts and modules are listed too\n", error.what())
                          : fmt::format("error: there is no family '{}'{}\n", family, near));
    return kWrongUsage;
  }
  print(list_of_schedulers(catalogue, family, static_cast<std::size_t>(page_width())));
  return kSuccess;
}

int describe_named(const std::string& name) {
  const Catalogue catalogue;
  std::shared_ptr<const Entry> entry;
  try {
    entry = catalogue.require(name);
  } catch (const Error& error) {
    complain(fmt::format("error: {}\n", error.diagnostic().message));
    return kWrongUsage;
  }
  print(describe(*entry, static_cast<std::size_t>(page_width())));
  return kSuccess;
}

int help_on_name(const std::string& name) {
  Interpreter interpreter(open_words);
  std::string text;
  host::protect(interpreter.main(), [&](lua_State* L) {
    text = help_on(L, name);
    if (text.empty()) throw Usage(no_help_on(L, name));
  });
  print(text);
  return kSuccess;
}

int write_reference(const std::string& folder) {
  Interpreter interpreter(open_words);
  const std::string page = reference(interpreter.main(), interpreter.catalogue());
  if (folder.empty()) {
    print(page);
    return kSuccess;
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const auto& [name, text] :
       {std::pair("reference.md", page),
        std::pair("perigee.lua", editor_types(interpreter.main(), interpreter.catalogue()))}) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::ofstream file(path, std::ios::binary);
    if (!(file << text).flush()) {
      complain(fmt::format("error: {} cannot be written\n", path.string()));
      return kScriptFailed;
    }
    print(fmt::format("{}\n", path.string()));
  }
  return kSuccess;
}

}  // namespace perigee::command

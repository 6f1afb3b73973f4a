#include "interpreter/command/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "runtime/kernel/error.h"

namespace perigee::command {

namespace fs = std::filesystem;

fs::path scripts_folder() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path();
  if (program.empty()) return {};
  for (const char* where : {"../share/perigee/scripts", "../../scripts"})  // installed; in build/PRESET
    if (fs::is_directory(program / where, none)) return fs::canonical(program / where, none);
  return {};
}

ScriptInfo script_info(const fs::path& file, std::string name) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  if (!in || !fs::is_regular_file(file) || !(text << in.rdbuf()))
    fail("no_file", "{}: the script cannot be read", file.string());
  ScriptInfo info{claims_in_text(text.view()), file.string(), std::move(name), {}, {}};
  for (std::string line; std::getline(text, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("#!")) continue;
    if (!line.starts_with("--")) break;
    const std::size_t begin = std::min(line.find_first_not_of("- "), line.size());
    const std::string comment = line.substr(begin);
    if (comment.starts_with("takes:"))
      info.takes = comment.substr(std::min(comment.find_first_not_of(' ', 6), comment.size()));
    else if (info.summary.empty())
      info.summary = comment;
  }
  return info;
}

std::vector<ScriptInfo> scripts_in(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) fail("no_file", "{} is no folder", folder.string());
  std::vector<ScriptInfo> all;
  for (auto each = fs::recursive_directory_iterator(folder, error);
       each != fs::recursive_directory_iterator(); each.increment(error))
    if (each->path().extension() == ".lua" && each->is_regular_file(error))
      all.push_back(script_info(each->path(), each->path().lexically_relative(folder).generic_string()));
  std::ranges::sort(all, {}, &ScriptInfo::name);
  return all;
}

std::string find_script(const std::string& given) {
  std::error_code none;
  if (given.empty() || fs::exists(given, none)) return given;
  const fs::path folder = scripts_folder();
  std::string name = fs::path(given).lexically_normal().generic_string();
  if (name.starts_with("scripts/")) name.erase(0, 8);
  if (!name.ends_with(".lua")) name += ".lua";
  std::vector<std::string> names;
  if (!folder.empty())
    for (const ScriptInfo& script : scripts_in(folder)) {
      if (script.name == name) return script.path;
      names.push_back(script.name);
    }
  const std::string nearest = did_you_mean(name, names);
  fail("no_file", "{}: there is no such file{}", given,
       nearest.empty() ? ", nor a script of that name in `perigee list scripts`" : nearest);
}

}  // namespace perigee::command

// The scripts that come with perigee, described by the comments that they begin with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "interpreter/command/script_text.h"
#include "interpreter/layers.h"

namespace perigee::command {

struct ScriptInfo : ClaimsText {
  std::string path;     // for opening the file
  std::string name;     // path below the folder
  std::string summary;  // its first comment
  std::string takes;    // "-- takes: seconds"; empty = not said

  bool is_module() const { return takes.starts_with("nothing"); }  // other scripts require it
};

// The folder of scripts in the program's own source tree or installation; empty when there is none.
std::filesystem::path scripts_folder();
// Every script below the folder, by name. Error "no_file" unless it is a folder.
std::vector<ScriptInfo> scripts_in(const std::filesystem::path& folder);
// The file of that path. If there is none, the script of that name that comes with perigee, named as by
// scripts_in, with or without "scripts/" before and ".lua" behind it. Error "no_file" with the nearest name.
std::string find_script(const std::string& given);
// Describes one script. Error "no_file" when the file cannot be read.
ScriptInfo script_info(const std::filesystem::path& file, std::string name);

}  // namespace perigee::command

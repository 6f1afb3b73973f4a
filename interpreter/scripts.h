// The scripts that come with perigee, described by the comments that they begin with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::interpreter {

struct ScriptInfo {
  std::string path;     // to open it
  std::string name;     // below the folder
  std::string summary;  // its first comment
  std::string takes;    // "-- takes: seconds"; empty = not said
  bool has_claims = false;
};

// Of the program's own source tree or installation; empty when there is none.
std::filesystem::path scripts_folder();
// Every script below the folder, by name. Error "no_file" unless it is a folder.
std::vector<ScriptInfo> scripts_in(const std::filesystem::path& folder);
// The file of that path; else the script that comes with perigee by that name, as scripts_in has it, with
// or without "scripts/" before and ".lua" behind it. Error "no_file" with the nearest name.
std::string find_script(const std::string& given);
// Error "no_file" when it cannot be read.
ScriptInfo script_info(const std::filesystem::path& file, std::string name);

}  // namespace perigee::interpreter

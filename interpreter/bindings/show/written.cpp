// Files that scripts write below --out.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "interpreter/bindings/files.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/whole_file.h"

namespace perigee::bindings {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWritten = "perigee.figures";  // in the registry: real path -> script's line

constexpr const char* kOwnFiles = ".perigee-files";

}  // namespace

std::optional<std::string> written_at(lua_State* L, const fs::path& path) {
  const Balanced balanced(L);
  lua_getfield(L, LUA_REGISTRYINDEX, kWritten);
  lua_getfield(L, -1, path.c_str());
  if (const auto where = text_at(L, -1)) return std::string(*where);
  return std::nullopt;
}

fs::path place_for(lua_State* L, const std::string& name) {
  if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
    fail("forbidden_file", "the name of a file has no control characters");
  const Interpreter& interpreter = Interpreter::of(L);
  fs::path path = own_file(interpreter, name);
  check_not_written(L, path.string(), name);
  return path;
}

std::string own_file(const Interpreter& interpreter, const std::string& name) {
  const fs::path path = interpreter.files().output_folder(name),
                 root = interpreter.files().output_folder(".");
  if (fs::is_directory(path)) fail("bad_output", "{} is a folder", path.string());
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return path.string();
  const std::string below = path.lexically_relative(root).string();
  std::ifstream list(root / kOwnFiles);
  for (std::string line; std::getline(list, line);)
    if (line == below) return path.string();
  if (fs::exists(path.parent_path() / "manifest.json", error))
    fail("foreign_file",
         "{} is there already; {} holds a result that r:save has written, which is replaced as a whole only; "
         "give another name or folder",
         path.string(), path.parent_path().string());
  fail("foreign_file",
       "{} is there already, and perigee did not write it; move it away, or give another name or folder",
       path.string());
}

void note_own_file(const Interpreter& interpreter, const std::string& real) {
  const fs::path root = interpreter.files().output_folder(".");
  const std::string below = fs::path(real).lexically_relative(root).string();
  const fs::path path = root / kOwnFiles;
  std::error_code error;
  if (fs::is_symlink(path, error)) fail("bad_output", "{} is a link; remove it", path.string());
  {
    std::ifstream list(path);
    for (std::string line; std::getline(list, line);)
      if (line == below) return;
  }
  std::ofstream list(path, std::ios::app | std::ios::binary);
  list << below + "\n";
  if (!list.flush()) fail("bad_output", "{} cannot be written: {}", path.string(), std::strerror(errno));
}

void write_below_out(lua_State* L, const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<fs::path> paths;
  paths.reserve(files.size());
  for (const auto& [name, text] : files) paths.push_back(place_for(L, name));
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::error_code error;
    fs::create_directories(paths[i].parent_path(), error);
    note_own_file(Interpreter::of(L), paths[i].string());
    session::write_whole(paths[i], files[i].second);
    note_written(L, paths[i].string());
  }
}

void check_not_written(lua_State* L, const std::string& real, std::string_view name) {
  if (const auto where = written_at(L, real); where && !Interpreter::of(L).options().interactive)
    fail("bad_output", "'{}' was written before, at {}", name, *where);
}

void note_written(lua_State* L, const std::string& real) {
  const Balanced balanced(L);
  const SourceLocation at = caller(L);
  lua_getfield(L, LUA_REGISTRYINDEX, kWritten);
  host::push(L, fmt::format("{}:{}", at.file, at.line));
  lua_setfield(L, -2, real.c_str());
}

void open_written(lua_State* L) {
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, kWritten);
}

}  // namespace perigee::bindings

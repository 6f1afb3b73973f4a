// Files that scripts read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

// Calls read(path) with the real path of the file `asked`. Errors name the file as the script does.
template <class Read>
auto with_file(lua_State* L, const std::string& asked, Read read) {
  const std::string real = Interpreter::of(L).files().data_file(asked);
  try {
    return read(real);
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.where.file == real) diagnostic.where.file = asked;
    throw Error(std::move(diagnostic));
  } catch (const std::bad_alloc& error) {
    Interpreter::of(L).stop_for_memory(error, fmt::format("in reading {}", asked));
  }
}

inline std::string path_at(lua_State* L, int index, std::string_view what) {
  const auto path = text_at(L, index);
  if (!path || path->empty() || path->find('\0') != std::string_view::npos)
    fail("bad_type", "{}: the name of a file is needed, got {}", what, shown(L, index));
  return std::string(*path);
}

// Adds functions to a word of the vocabulary. Defined in readers.cpp.
void extend(lua_State* L, const char* word, const luaL_Reg* functions);

// Warns once, however often a script reads the file.
void warn_once(lua_State* L, const std::string& text);

// Pushes a workload that `works` makes for the platform.
void push_workload(lua_State* L, WorkKind kind, std::int64_t count,
                   std::function<Workload(const Platform&)> works, std::shared_ptr<const LogValue> log = {});

// The real path of a file below --out that may be written. Either there is no such file, or the list in the
// folder's .perigee-files says that perigee wrote it. Error "foreign_file" otherwise.
std::string own_file(const Interpreter& interpreter, const std::string& name);
// Puts the file on that list. Call this before the file is written.
void note_own_file(const Interpreter& interpreter, const std::string& real);

// A run writes each file and folder once; at the prompt they may be written again. Error "bad_output" where
// it has written this one.
void check_not_written(lua_State* L, const std::string& real, std::string_view name);
// Notes that the calling line of the script has written it.
void note_written(lua_State* L, const std::string& real);

// The place in the script that has written a file in this run, or nothing.
std::optional<std::string> written_at(lua_State* L, const std::filesystem::path& path);
// The real path below --out. A run writes each file once. At the prompt a file may be written again.
std::filesystem::path place_for(lua_State* L, const std::string& name);

// Writes files: pairs of a name below --out and a text. A run writes each file once.
void write_below_out(lua_State* L, const std::vector<std::pair<std::string, std::string>>& files);

// Called by open_readers().
void open_log(lua_State* L);
void open_swf(lua_State* L);
void open_cluster_logs(lua_State* L);
void open_irmasim(lua_State* L);

// Defined in pst.cpp and simgrid.cpp.
extern const luaL_Reg kPstWorkload, kPstPlatform, kSimgridPlatform, kBatsimPlatform;
int write_pst_files(lua_State* L);  // a method of scenarios

}  // namespace perigee::bindings

// Files that scripts read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/bindings/declarations.h"
#include "interpreter/interpreter.h"
#include "interpreter/stack.h"

namespace perigee {

void open_json(lua_State* L);  // by open_readers()

namespace lua {

// read(path) of the file that the argument names; errors call it what the script calls it. `limited`:
// --memory limits how much of it is read.
template <class Read>
auto with_file(lua_State* L, const std::string& asked, Read read, bool limited = false) {
  const std::string real = Interpreter::of(L).data_file(asked);
  try {
    return read(real);
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.where.file == real) diagnostic.where.file = asked;
    if (limited && diagnostic.message.ends_with("are not read"))
      diagnostic.notes.emplace_back("the limit is that of --memory");
    throw Error(std::move(diagnostic));
  }
}

inline std::string path_at(lua_State* L, int index, std::string_view what) {
  const auto path = text_at(L, index);
  if (!path || path->empty() || path->find('\0') != std::string_view::npos)
    fail("bad_type", "{}: the name of a file is needed, got {}", what, shown(L, index));
  return std::string(*path);
}

// However often a script reads the file.
void warn_once(lua_State* L, const std::string& text);

// A workload that is made for the platform, pushed.
void push_workload(lua_State* L, WorkKind kind, std::int64_t count,
                   std::function<Workload(const Platform&)> works, std::shared_ptr<const LogValue> log = {});

// Names below --out, and texts. A run writes each file once.
void write_below_out(lua_State* L, const std::vector<std::pair<std::string, std::string>>& files);

// wrap_pst.cpp
extern const luaL_Reg kPstWorkload, kPstPlatform;
int write_pst_files(lua_State* L);  // a method of scenarios

}  // namespace lua
}  // namespace perigee

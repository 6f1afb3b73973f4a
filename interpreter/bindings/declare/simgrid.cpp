// platform.simgrid(path [, { origin = }]) and platform.batsim(path [, { master = }]): platforms of SimGrid.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/files.h"
#include "interpreter/language/fields/readers.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "runtime/model/readers/simgrid.h"

namespace perigee::bindings {

namespace {

// Pushes the platform, and { { what =, count =, line = }, ... }; says once what was not taken over.
int push_simgrid(lua_State* L, const std::string& path, const SimgridOptions& options) {
  PlatformValue value;
  value.architectures.emplace_back();
  const std::vector<SimgridNote> notes = with_file(L, path, [&](const std::string& real) {
    SimgridPlatform read = read_simgrid(real, options, path);
    value.platform = std::make_shared<const Platform>(read.spec);
    return std::move(read.notes);
  });
  push_new(L, std::move(value));
  std::string all;
  lua_createtable(L, static_cast<int>(notes.size()), 0);
  lua_Integer entry = 0;
  for (const SimgridNote& note : notes) {
    all += fmt::format("{}{}", all.empty() ? "" : "; ", note.what);
    all += note.count == 1 ? fmt::format(" (line {})", note.line)
                           : fmt::format(" ({}, from line {})", note.count, note.line);
    lua_createtable(L, 0, 3);
    host::push(L, note.what);
    lua_setfield(L, -2, "what");
    lua_pushinteger(L, note.count);
    lua_setfield(L, -2, "count");
    lua_pushinteger(L, note.line);
    lua_setfield(L, -2, "line");
    lua_rawseti(L, -2, ++entry);
  }
  if (!all.empty()) warn_once(L, fmt::format("{}: not taken over: {}", path, all));
  return 2;
}

int read_simgrid_platform(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "platform.simgrid");
    SimgridOptions options;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"platform.simgrid"}, simgrid_fields::kAll);
      options.origin = fields.text(simgrid_fields::kOrigin);
    }
    return push_simgrid(L, path, options);
  });
}

int read_batsim_platform(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "platform.batsim");
    SimgridOptions options;
    options.batsim = true;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"platform.batsim"}, simgrid_fields::kBatsim);
      options.master = fields.text(simgrid_fields::kMaster);
      options.master_must_exist = fields.has(simgrid_fields::kMaster);
    }
    return push_simgrid(L, path, options);
  });
}

}  // namespace

const luaL_Reg kSimgridPlatform{"simgrid", read_simgrid_platform};
const luaL_Reg kBatsimPlatform{"batsim", read_batsim_platform};

}  // namespace perigee::bindings

#include "interpreter/session/chunks.h"

#include <string_view>

#include "interpreter/host/sandbox.h"
#include "interpreter/host/stack.h"

namespace perigee::session {

void load_chunk(lua_State* L, const std::string& text, const std::string& chunk) {
  std::string_view body = text;
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  std::string changed;
  if (body.starts_with('#')) {  // "#!/usr/bin/perigee": a comment
    changed = "--" + std::string(body);
    body = changed;
  }
  if (host::load_in_pieces(L, body, chunk) != LUA_OK) lua_error(L);
}

void protect_file(lua_State* state, const std::string& file, const std::string& text,
                  const std::function<void(lua_State*)>& body) {
  bool compiled = false;
  const auto placed = [&](const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (!compiled && !diagnostic.where.known()) diagnostic.where = {file, 0};
    return diagnostic;
  };
  try {
    host::protect(state, [&](lua_State* L) {
      load_chunk(L, text, "@" + file);
      compiled = true;
      body(L);
    });
  } catch (const Stopped& stopped) {
    throw Stopped(placed(stopped));
  } catch (const ScriptError& error) {
    throw ScriptError(placed(error), error.trace());
  }
}

}  // namespace perigee::session

#include "interpreter/session/inputs.h"

#include <filesystem>

#include "interpreter/host/words.h"
#include "interpreter/session/chunks.h"
#include "interpreter/session/interpreter.h"

namespace perigee::session {

namespace fs = std::filesystem;

void Inputs::begin(const std::string& name, const std::string& folder) {
  interpreter_.files().set_script(name);
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  folder_ = error ? folder : real.string();
  interpreter_.files().set_folder(folder_);
}

namespace {

// Called at the end of a text, perhaps with the values of its last expression: copies what its top level
// calls local.
int keep_locals(lua_State* L) {
  if (lua_istable(L, lua_upvalueindex(1))) {
    const int count = lua_gettop(L);
    if (lua_getfield(L, lua_upvalueindex(1), "printed") == LUA_TNIL) {
      lua_pushinteger(L, static_cast<lua_Integer>(Interpreter::of(L).output().printed()));
      lua_setfield(L, lua_upvalueindex(1), "printed");
    }
    lua_settop(L, count);
    lua_pushinteger(L, count);
    lua_setfield(L, lua_upvalueindex(1), "n");
    for (int i = count; i > 0; --i) lua_rawseti(L, lua_upvalueindex(1), i);
  }
  lua_Debug frame;
  if (lua_getstack(L, 1, &frame) == 0) return 0;
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  const int vocabulary = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  const int globals = lua_gettop(L);
  for (int i = 1;; ++i) {
    const char* name = lua_getlocal(L, &frame, i);
    if (name == nullptr) return 0;
    lua_pushstring(L, name);
    if (*name == '(' || lua_rawget(L, vocabulary) != LUA_TNIL) {  // a temporary, or a word of perigee
      lua_settop(L, globals);
      continue;
    }
    lua_pop(L, 1);
    lua_pushstring(L, name);
    lua_insert(L, -2);
    lua_rawset(L, globals);
  }
}

}  // namespace

void push_keeper(lua_State* L) {
  lua_pushnil(L);
  lua_pushcclosure(L, keep_locals, 1);
}

void push_keeper(lua_State* L, int index) {
  lua_pushvalue(L, index);
  lua_pushcclosure(L, keep_locals, 1);
}

void Inputs::load_file(const std::string& path) {
  load({read_text(path, path, "a script"), path, fs::canonical(path).parent_path().string()});
}

void Inputs::load(const Input& file) {
  all_.push_back(file);
  std::string text = file.text;
  const std::string& path = file.file;
  const Files::Elsewhere elsewhere(interpreter_.files(), path,
                                   file.folder);  // its modules and data are beside it
  interpreter_.sources().set(path, text);
  interpreter_.words_in_functions().forget();  // the file may have changed since it was last loaded
  protect_file(interpreter_.main(), path, text, [&](lua_State* L) {
    const int plain = lua_gettop(L);
    if (text.starts_with('#')) text.insert(0, "--");
    text = host::without_const(text) + std::string(kKeepLocals);
    if (luaL_loadbufferx(L, text.data(), text.size(), ("@" + path).c_str(), "t") != LUA_OK)
      lua_settop(L, plain);  // the text ends with a return
    push_keeper(L);
    lua_call(L, 1, 0);
  });
  if (interpreter_.stopped()) throw Stopped(interpreter_.stop_reason());
}

}  // namespace perigee::session

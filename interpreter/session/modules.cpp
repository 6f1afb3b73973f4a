#include "interpreter/session/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "interpreter/host/embedded.h"
#include "interpreter/host/unknown.h"
#include "interpreter/session/chunks.h"
#include "interpreter/session/interpreter.h"

namespace perigee::session {

namespace fs = std::filesystem;

namespace {

// Whether it is there and ends by returning something.
bool is_module_file(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  std::ifstream in(path, std::ios::binary);
  std::string last;
  for (std::string line; in && std::getline(in, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = std::move(line);
  return last.starts_with("return");
}

// Words of letters, digits, _ and -, with dots between them.
bool is_module_name(std::string_view name) {
  if (name.empty() || name.size() >= 200) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool word =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!word && (c != '.' || i == 0 || i + 1 == name.size() || name[i - 1] == '.')) return false;
  }
  return true;
}

}  // namespace

// The text of a module that a file beside the script holds, or the replay card. `below`: its path in the
// script's folder; `shown`: the same as messages show it.
std::string Modules::text_of(std::string_view name, const std::string& below,
                             const std::string& shown) const {
  const InterpreterOptions& options = interpreter_.options();
  const std::string& folder = interpreter_.files().folder();
  if (!options.sources.empty()) {
    const auto stored = options.sources.find(shown);
    if (stored == options.sources.end())
      fail("bad_module", "require: '{}' is not part of the replay card", name);
    return stored->second;
  }
  std::error_code error;
  const fs::path real = fs::canonical(fs::path(folder) / below, error);
  if (folder.empty() || error) {
    std::vector<std::string> names;
    for (const EmbeddedModule& module : embedded_modules()) names.emplace_back(module.name);
    fail("bad_module", "require: there is no module '{}' in the standard library nor a file {}{}", name,
         shown, did_you_mean(name, names));
  }
  if (!is_inside(real, folder)) fail("bad_module", "require: {} leads out of the script's folder", shown);
  return read_text(real, shown, "a module");
}

void Modules::require(lua_State* L, std::string_view name) {
  const InterpreterOptions& options = interpreter_.options();
  const std::string& folder = interpreter_.files().folder();
  if (!is_module_name(name))
    fail("bad_module", "require: '{}' is not the name of a module; write it as in \"folder.module\"", name);
  const std::string key(name);
  std::string below = key + ".lua";
  std::replace(below.begin(), below.end() - 4, '.', '/');
  const std::string shown = (fs::path(interpreter_.files().script()).parent_path() / below).string();
  const auto embedded = embedded_modules();
  const auto standard = std::ranges::find(embedded, name, &EmbeddedModule::name);
  // A replay card of the time before there was such a module has the script's own.
  const bool is_standard = standard != embedded.end() && !options.sources.contains(shown);
  const bool from_standard = !loading_.empty() && std::ranges::find(embedded, loading_.back(),
                                                                    &EmbeddedModule::name) != embedded.end();
  if (is_standard && !from_standard && options.sources.empty() && !folder.empty() &&
      is_module_file(fs::path(folder) / below))
    fail("bad_module",
         "require: '{}' is a module of the standard library, and "
         "there is the module {} too; give the file another name",
         name, shown);
  if (const auto known = loaded_.find(key); known != loaded_.end()) {
    known->second.push(L);
    return;
  }
  if (std::find(loading_.begin(), loading_.end(), key) != loading_.end())
    fail("bad_module", "require: the modules {} and '{}' need each other", fmt::join(loading_, ", "), name);

  const std::string text = is_standard ? std::string(standard->source) : text_of(name, below, shown);
  if (!is_standard) interpreter_.sources().set(shown, text);
  const bool in_cell = interpreter_.cell().under_way();
  if (!interpreter_.traces().empty() || in_cell)
    fail("bad_module", "require: '{}' must be loaded before a {}: require it at the top of the script", name,
         in_cell ? "cell" : "run");
  run(L, key, text, is_standard ? fmt::format("=stdlib/{}", below) : "@" + shown);
}

namespace {

// A function of the standard library, as scripts call it. The call of `f` is a tail call, so that errors of
// `f` name the caller's line.
constexpr std::string_view kStrict = R"(
local f, name, most, refuse = ...
local select = select
return function(...)
  if select("#", ...) > most then refuse(name, most, ...) end
  return f(...)
end)";

// refuse(name, most, ...): error when more than `most` arguments are given, unless the next one is nil, or
// may be.
int refuse_more_than(lua_State* L) {
  return host::guard(L, [&] {
    const lua_Integer most = lua_tointeger(L, 2);
    const int next = static_cast<int>(most) + 3;
    if (!lua_isnoneornil(L, next) && !host::is_unknown(L, next))
      fail("bad_call", "{} takes {} argument{}, got {}", *host::text_at(L, 1),
           most == 0 ? "no" : std::to_string(most), most == 1 ? "" : "s", lua_gettop(L) - 2);
    return 0;
  });
}

// Makes the table on top of the stack a module like the native ones. A name that it lacks is an error, and
// its functions refuse more arguments than they have parameters for.
void make_strict(lua_State* L, const std::string& module) {
  if (lua_type(L, -1) != LUA_TTABLE) return;
  const int table = lua_gettop(L);
  host::each_sorted(L, table, [&] {
    if (lua_type(L, -1) != LUA_TFUNCTION || lua_iscfunction(L, -1) != 0 || !host::text_at(L, -2)) return;
    lua_Debug about;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">u", &about);
    if (about.isvararg != 0) return;
    const std::string name = fmt::format("{}.{}", module, *host::text_at(L, -2));
    lua_pushvalue(L, -2);
    load_chunk(L, std::string(kStrict), "=stdlib");
    lua_pushvalue(L, -3);
    host::push(L, name);
    lua_pushinteger(L, about.nparams);
    lua_pushcfunction(L, refuse_more_than);
    lua_call(L, 4, 1);
    lua_rawset(L, table);
  });
  host::freeze(L, module.c_str());
}

}  // namespace

// Leaves the module's value on the stack.
void Modules::run(lua_State* L, const std::string& key, const std::string& text, const std::string& chunk) {
  loading_.push_back(key);
  struct Pop {
    std::vector<std::string>& of;
    ~Pop() { of.pop_back(); }
  } pop{loading_};
  load_chunk(L, text, chunk);
  host::push(L, key);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
  if (chunk.starts_with('=')) make_strict(L, key);
  loaded_[key] = host::Reference(L, -1);
}

}  // namespace perigee::session

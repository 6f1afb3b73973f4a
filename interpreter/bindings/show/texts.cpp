#include "interpreter/bindings/show/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "interpreter/bindings/tables.h"
#include "interpreter/host/texts.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/kernel/text.h"
#include "runtime/results/table.h"

namespace perigee::bindings {

namespace {

constexpr std::size_t kMostShownItems = 50, kWidth = 78;  // of shown values
constexpr std::size_t kMostPrinted = 1000;                // items that print shows
constexpr std::size_t kMostInAll = 5000;                  // items of tables in tables
constexpr int kMostDepth = 5;

bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), is_word);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == '\x7f')
      out += fmt::format("\\{:03}", static_cast<int>(c));
    else
      out += c;
  }
  return printable(out + '"');
}

bool has_text(lua_State* L, int index) {
  if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return false;
  lua_pop(L, 1);
  return true;
}

class Printer {
 public:
  Printer(lua_State* L, std::size_t width, std::size_t most) : L_(L), width_(width), most_(most) {}

  std::string value(int index, int depth, std::size_t indent) {
    index = lua_absindex(L_, index);
    if (lua_type(L_, index) == LUA_TSTRING) return quoted(*text_at(L_, index));
    if (!is_plain_table(L_, index)) return plain_text(L_, index);
    return table(index, depth, indent);
  }

 private:
  std::string table(int index, int depth, std::size_t indent) {
    const void* self = lua_topointer(L_, index);
    if (!open_.insert(self).second) return "{ itself }";
    if (depth >= kMostDepth || seen_ > kMostInAll) {
      open_.erase(self);
      return "{ ... }";
    }
    luaL_checkstack(L_, 12, "tables");
    const Balanced balanced(L_);
    lua_pushvalue(L_, index);
    unfreeze(L_);
    const int of = lua_gettop(L_);
    std::vector<std::string> items;
    const auto count = static_cast<lua_Integer>(lua_rawlen(L_, of));
    std::size_t left_out = 0;
    for (lua_Integer i = 1; i <= count; ++i) {
      if (items.size() >= most_) {
        ++left_out;
        continue;
      }
      lua_rawgeti(L_, of, i);
      items.push_back(value(-1, depth + 1, indent + 2));
      lua_pop(L_, 1);
    }
    each_sorted(L_, of, [&] {
      const bool listed =
          lua_isinteger(L_, -2) != 0 && lua_tointeger(L_, -2) >= 1 && lua_tointeger(L_, -2) <= count;
      if (listed) return;
      if (items.size() >= most_) {
        ++left_out;
        return;
      }
      const auto text = text_at(L_, -2);
      const std::string key = !text                  ? fmt::format("[{}]", plain_text(L_, -2))
                              : is_identifier(*text) ? std::string(*text)
                                                     : fmt::format("[{}]", quoted(*text));
      items.push_back(fmt::format("{} = {}", key, value(-1, depth + 1, indent + 2)));
    });
    seen_ += items.size();
    Interpreter::of(L_).count(items.size());
    if (left_out > 0) items.push_back(fmt::format("... {} more", left_out));
    open_.erase(self);
    if (items.empty()) return "{}";
    std::string flat = fmt::format("{{ {} }}", fmt::join(items, ", "));
    if (flat.size() + indent <= width_ && flat.find('\n') == std::string::npos) return flat;
    // Short ones side by side, long ones one below the other.
    const std::string pad(indent + 2, ' ');
    std::string out = "{\n", row;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
      const bool wide = item.find('\n') != std::string::npos;
      if (!row.empty() && (wide || pad.size() + row.size() + item.size() + 1 > width_)) {
        out += pad + row + "\n";
        row.clear();
      }
      row += row.empty() ? item : " " + item;
    }
    return out + pad + row + "\n" + std::string(indent, ' ') + "}";
  }

  lua_State* L_;
  std::size_t width_, most_, seen_ = 0;
  std::set<const void*> open_;
};

// A list of records of plain values, as an aligned table.
bool as_records(lua_State* L, int index, std::size_t width, std::size_t most_rows, std::string& out) {
  index = lua_absindex(L, index);
  const Balanced balanced(L);
  if (lua_getmetatable(L, index) != 0) return false;
  const auto count = lua_rawlen(L, index);
  if (count < 1) return false;
  std::vector<std::string> columns;
  for (lua_Unsigned r = 1; r <= count; ++r) {
    Interpreter::of(L).count(1);
    lua_rawgeti(L, index, static_cast<lua_Integer>(r));
    if (lua_type(L, -1) != LUA_TTABLE || lua_getmetatable(L, -1) != 0) return false;
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      const int type = lua_type(L, -1);
      const auto key = text_at(L, -2);
      if (!key || type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD || type == LUA_TUSERDATA)
        return false;
      if (std::find(columns.begin(), columns.end(), *key) == columns.end()) columns.emplace_back(*key);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  lua_Unsigned entries = 0;
  while (lua_next(L, index) != 0) {
    lua_pop(L, 1);
    ++entries;
  }
  if (entries != count || columns.empty() || columns.size() > 12) return false;
  std::sort(columns.begin(), columns.end());
  if (const auto name = std::find(columns.begin(), columns.end(), "name"); name != columns.end())
    std::rotate(columns.begin(), name, name + 1);
  Table table{columns, {}};
  for (lua_Unsigned r = 1; r <= std::min<lua_Unsigned>(count, most_rows); ++r) {
    auto& cells = table.rows.emplace_back();
    lua_rawgeti(L, index, static_cast<lua_Integer>(r));
    for (const std::string& column : columns) {
      host::push(L, column);
      lua_rawget(L, -2);
      if (lua_type(L, -1) == LUA_TNUMBER)
        cells.emplace_back(lua_tonumber(L, -1));
      else if (lua_isnil(L, -1))
        cells.emplace_back();
      else
        cells.emplace_back(plain_text(L, -1));
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  out = table.text({}, width);
  if (count > most_rows) out += fmt::format("... and {} more rows\n", count - most_rows);
  out.pop_back();
  return true;
}

}  // namespace

bool is_plain_table(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || has_text(L, index)) return false;
  const int named = luaL_getmetafield(L, index, "__name");
  if (named != LUA_TNIL) lua_pop(L, 1);
  return named != LUA_TSTRING;
}

std::string table_text(lua_State* L, int index, int width, std::size_t most_rows) {
  std::string text;
  if (as_records(L, index, static_cast<std::size_t>(width), most_rows, text)) return text;
  const std::size_t most = most_rows > kMostRows ? kMostPrinted : kMostShownItems;
  return Printer(L, width > 2 ? static_cast<std::size_t>(width - 2) : kWidth, most).value(index, 0, 0);
}

std::string plain_text(lua_State* L, int index) {
  const int width = Interpreter::of(L).output().width();
  if (!push_text_of_rows(L, index, kMostRows, width)) push_text(L, index, width);
  std::string text = printable(*text_at(L, -1), "\n\t");
  lua_pop(L, 1);
  return text;
}

}  // namespace perigee::bindings

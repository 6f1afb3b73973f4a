// Tables with checked fields.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/host/field_row.h"
#include "interpreter/host/reading.h"
#include "runtime/kernel/error.h"

namespace perigee::host {

class Sources;

// While an object of this class lives, the lines of fields are looked for from `where` on. It is for a table
// that a function of the script returned: the function runs no more when its fields are read.
class Anchor {
 public:
  Anchor(lua_State* L, SourceLocation where);
  ~Anchor();
  Anchor(const Anchor&) = delete;
  Anchor& operator=(const Anchor&) = delete;

 private:
  Sources& sources_;
  SourceLocation before_;
};

// The name of a declaration in messages. It is put together only when a message is needed, from texts that
// live as long as the Subject: a string that dies before it is refused.
struct Subject {
  Subject(std::string_view of_kind, std::string_view named = {}, std::int64_t numbered = -1)
      : kind(of_kind), name(named), number(numbered) {}
  Subject(std::same_as<std::string> auto&&, auto...) = delete;
  std::string text() const;  // "host 'n07'", "task 3", "scenario"

  std::string_view kind;
  std::string_view name;
  std::int64_t number;
};

// A table whose fields are all known by name. Reads are raw. Errors name a line of the script: the field's
// own if it can be found in the source.
class Fields {
 public:
  // Error "unknown_field" at once for a key that is not known. `positional`: the table may have array entries
  // too.
  Fields(lua_State* L, int index, Subject subject, std::span<const FieldRow> known, bool positional = false);
  Fields(lua_State* L, int index, Subject subject, std::initializer_list<std::string_view> known,
         bool positional = false);

  // By its row, whose dimension, range, choices and fallback hold. A fallback that is given as well takes the
  // place of the row's.
  bool has(const FieldRow& field) const { return has(field.name.data()); }
  bool push(const FieldRow& field) const { return push(field.name); }  // the value, or returns false
  double number(const FieldRow& field) const;
  double number(const FieldRow& field, double fallback) const;
  std::int64_t integer(const FieldRow& field) const;
  std::int64_t integer(const FieldRow& field, std::optional<std::int64_t> fallback) const;
  Profile profile(const FieldRow& field) const;
  bool flag(const FieldRow& field) const;
  bool flag(const FieldRow& field, bool fallback) const;
  std::string text(const FieldRow& field) const;  // of a choice too, whatever it is
  std::size_t choice(const FieldRow& field) const;
  // The list at the top of the stack, where push() has put it. Errors name `what`.
  std::vector<double> numbers(const FieldRow& field, std::string_view what) const;

  // By name, for fields without rows.
  bool has(const char* name) const;
  bool push(const char* name) const { return push(std::string_view(name)); }  // the value, or returns false
  double number(const char* name, Dimension dimension, std::optional<double> fallback, Range range) const;
  std::int64_t integer(const char* name, std::optional<std::int64_t> fallback, std::int64_t min,
                       std::int64_t max) const;
  bool flag(const char* name, bool fallback) const;
  std::string text(const char* name, std::optional<std::string> fallback) const;
  // One of the choices, by index.
  std::size_t choice(const char* name, std::size_t fallback,
                     std::initializer_list<std::string_view> choices) const;
  Profile profile(const char* name, Dimension dimension, const Profile& fallback, Range range) const;

  std::int64_t count() const;  // number of array entries
  int index() const { return index_; }
  lua_State* state() const { return L_; }
  std::string subject() const { return subject_.text(); }
  SourceLocation where(std::string_view field = {}) const;
  SourceLocation where_it_begins() const;
  // Calls read(), which reads what is inside the field. An Error that names no line gets that of the field.
  template <class F>
  auto inside(const FieldRow& field, F&& read) const {
    return inside(field.name.data(), std::forward<F>(read));
  }
  template <class F>
  auto inside(const char* field, F&& read) const {
    try {
      return read();
    } catch (const Error& error) {
      throw_at(field, error);
    }
  }
  template <class... Args>
  [[noreturn]] void fail(const FieldRow& field, fmt::format_string<Args...> format, Args&&... args) const {
    complain(field.name.data(), fmt::format(format, std::forward<Args>(args)...));
  }
  template <class... Args>
  [[noreturn]] void fail(const char* field, fmt::format_string<Args...> format, Args&&... args) const {
    complain(field, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  [[noreturn]] void complain(const char* field, const std::string& problem) const;
  [[noreturn]] void throw_at(const char* field,
                             const Error& error) const;  // rethrows what names a line already
  template <class Known>
  void check_names(const Known& known, bool positional);
  bool push(std::string_view name) const;  // a text that a NUL follows
  [[noreturn]] void unknown(const std::string& key, const std::vector<std::string_view>& known) const;
  [[noreturn]] void refuse_place(std::int64_t entries) const;  // the key at -2
  std::size_t choice(const char* name, std::span<const std::string_view> choices) const;
  void require(const char* name) const;
  template <class F>
  auto at(const char* name, F&& read) const;

  lua_State* L_;
  int index_;
  Subject subject_;
  std::uint64_t there_ = 0;  // a bit for the names that the table had at first; several names share one
};

// The number of entries of the list at `index`, a table. Any other key than 1 to this number is an Error, at
// its line.
lua_Integer list_length(lua_State* L, int index, std::string_view what);

// The line of entry `number`, from 1, of the list, an argument of the script's statement; the statement's
// where that is not certain.
SourceLocation where_entry(lua_State* L, int index, std::int64_t number);

// Rethrows what names a line already.
[[noreturn]] void throw_at_entry(lua_State* L, int list, std::int64_t number, const Error& error);
// Calls read(), which reads entry `number` of the list. An Error that names no line gets that of the entry.
template <class F>
auto inside_entry(lua_State* L, int index, std::int64_t number, F&& read) {
  const int list = lua_absindex(L, index);
  try {
    return read();
  } catch (const Error& error) {
    throw_at_entry(L, list, number, error);
  }
}

// The line at which the table, an argument of the script's statement, begins; the statement's where that is
// not certain.
SourceLocation where_table_begins(lua_State* L, int index);

}  // namespace perigee::host

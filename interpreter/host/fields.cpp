#include "interpreter/host/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/host/guest.h"
#include "interpreter/host/record_lines.h"
#include "interpreter/host/stack.h"

namespace perigee::host {

Anchor::Anchor(lua_State* L, SourceLocation where)
    : sources_(Guest::of(L).sources()), before_(std::exchange(sources_.anchor, std::move(where))) {}
Anchor::~Anchor() { sources_.anchor = std::move(before_); }

std::string Subject::text() const {
  if (!name.empty()) return fmt::format("{} '{}'", kind, name);
  if (number >= 0) return fmt::format("{} {}", kind, number);
  return std::string(kind);
}

namespace {

std::string_view name_in(std::string_view name) { return name; }
std::string_view name_in(const FieldRow& field) { return field.name; }

template <class Known>
std::vector<std::string_view> names_in(const Known& known) {
  std::vector<std::string_view> names;
  for (const auto& each : known) names.push_back(name_in(each));
  return names;
}

std::vector<std::string_view> parts_of(std::string_view choices) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= choices.size();) {
    const std::size_t end = std::min(choices.find('|', at), choices.size());
    parts.push_back(choices.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

template <class T>
std::optional<T> fallback_of(const FieldRow& field) {
  const T* fallback = std::get_if<T>(&field.fallback);
  return fallback == nullptr ? std::nullopt : std::optional<T>(*fallback);
}

// Whether the key is a place in a list of that length.
bool is_place(lua_State* L, int key, lua_Integer entries) {
  return lua_isinteger(L, key) != 0 && lua_tointeger(L, key) >= 1 && lua_tointeger(L, key) <= entries;
}

// Most fields are absent most of the time, and this tells so without asking the table.
std::uint64_t bit_of(std::string_view name) {
  if (name.empty()) return 1;
  const auto at = [&](std::size_t place) { return static_cast<unsigned char>(name[place]); };
  return std::uint64_t{1} << ((name.size() + 5u * at(0) + 11u * at(name.size() / 2) +
                               23u * at(name.size() - 1)) %
                              64);
}

void must_be(const FieldRow& field, FieldKind kind) {
  PERIGEE_ASSERT(field.kind == kind, "a field is read as what its row says");
}

}  // namespace

template <class Known>
void Fields::check_names(const Known& known, bool positional) {
  lua_State* L = L_;
  if (lua_type(L, index_) != LUA_TTABLE) {
    const std::string needed = Guest::of(L).wording().table_needed(L, index_, subject_.text());
    if (!needed.empty()) kernel::fail("bad_type", "{}", needed);
    kernel::fail("bad_type", "{} must be a table, got {}", subject_.text(), shown(L, index_));
  }
  luaL_checkstack(L, 8, "fields");
  const lua_Integer entries = positional ? count() : 0;
  const auto fits = [&](int key) {
    if (const auto name = text_at(L, key)) {
      there_ |= bit_of(*name);
      return std::ranges::any_of(known, [&](const auto& each) { return name_in(each) == *name; });
    }
    return is_place(L, key, entries);
  };
  bool wrong = false;
  lua_pushnil(L);
  while (lua_next(L, index_) != 0) {
    lua_pop(L, 1);
    wrong = !fits(-1) || wrong;
  }
  if (!wrong) return;
  each_sorted(L, index_, [&] {
    if (fits(-2)) return;
    if (const auto name = text_at(L, -2)) unknown(std::string(*name), names_in(known));
    if (positional) refuse_place(entries);
    fail_at(where_it_begins(), "unknown_field", "{}: unexpected entry [{}]; its fields have names: {}",
            subject_.text(), shown(L, -2), fmt::join(names_in(known), ", "));
  });
}

void Fields::refuse_place(std::int64_t entries) const {
  lua_State* L = L_;
  if (lua_isinteger(L, -2) != 0 && lua_tointeger(L, -2) > entries)
    fail_at(where_it_begins(), "unknown_field", "{} has a hole: there is an entry {}, and no entry {}",
            subject_.text(), lua_tointeger(L, -2), entries + 1);
  fail_at(where_it_begins(), "unknown_field", "{}: a list is needed, got the key [{}]", subject_.text(),
          shown(L, -2));
}

lua_Integer list_length(lua_State* L, int index, std::string_view what) {
  const auto entries = static_cast<lua_Integer>(lua_rawlen(L, index));
  index = lua_absindex(L, index);
  luaL_checkstack(L, 4, "lists");
  // Lua goes through the array first. Its entries need no look where the hash has one place at most: after
  // the last entry comes only what is none.
  const bool ordered = entries > 0 && places_of_hash(lua_topointer(L, index)) == 1;
  if (ordered)
    lua_pushinteger(L, entries);
  else
    lua_pushnil(L);
  bool wrong = false;
  while (!wrong && lua_next(L, index) != 0) {
    lua_pop(L, 1);
    wrong = !is_place(L, -1, entries);
  }
  if (wrong) {
    lua_pop(L, 1);
    const Fields refused(L, index, {what}, {}, true);
  }
  return entries;
}

Fields::Fields(lua_State* L, int index, Subject subject, std::span<const FieldRow> known, bool positional)
    : L_(L), index_(lua_absindex(L, index)), subject_(subject) {
  check_names(known, positional);
}

Fields::Fields(lua_State* L, int index, Subject subject, std::initializer_list<std::string_view> known,
               bool positional)
    : L_(L), index_(lua_absindex(L, index)), subject_(subject) {
  check_names(known, positional);
}

void Fields::unknown(const std::string& key, const std::vector<std::string_view>& names) const {
  if (names.empty()) {
    const std::string subject = subject_.text();
    fail_at(where(key), "unknown_field", "{}: a list is needed, got the field '{}'{}", subject, key,
            subject.starts_with("workload.")
                ? fmt::format("; a list of one record is written {{ {{ {} = ... }} }}", key)
                : "");
  }
  Diagnostic diagnostic{"unknown_field",
                        fmt::format("{}: unknown field '{}'{}", subject_.text(), key,
                                    did_you_mean(key, std::span<const std::string_view>(names))),
                        where(key),
                        {}};
  if (nearest(key, std::span<const std::string_view>(names)).empty())
    diagnostic.notes.push_back(fmt::format("known: {}", fmt::join(names, ", ")));
  throw Error(std::move(diagnostic));
}

namespace {

// The line that line_in(source, statement) finds, else that of the script's statement.
template <class F>
SourceLocation where_in_statement(lua_State* L, F&& line_in) {
  const SourceLocation& anchor = Guest::of(L).sources().anchor;
  SourceLocation at = anchor.known() ? anchor : caller(L);
  const std::string* source = at.known() ? Guest::of(L).sources().text(at.file) : nullptr;
  if (source == nullptr) return at;
  const std::optional<int> line = line_in(*source, at.line);
  return line ? SourceLocation{at.file, *line} : at;
}

}  // namespace

SourceLocation Fields::where(std::string_view field) const {
  return where_in_statement(L_, [&](std::string_view source, int call) {
    return field.empty() ? std::nullopt : line_in_source(L_, index_, source, call, field);
  });
}

SourceLocation Fields::where_it_begins() const { return where_table_begins(L_, index_); }

SourceLocation where_table_begins(lua_State* L, int index) {
  return where_in_statement(
      L, [&](std::string_view source, int call) { return line_in_source(L, index, source, call, {}); });
}

void throw_at_entry(lua_State* L, int list, std::int64_t number, const Error& error) {
  if (error.diagnostic().where.known()) throw;
  Diagnostic diagnostic = error.diagnostic();
  diagnostic.where = where_entry(L, list, number);
  throw Error(std::move(diagnostic));
}

SourceLocation where_entry(lua_State* L, int index, std::int64_t number) {
  return where_in_statement(
      L, [&](std::string_view source, int call) { return line_of_entry(L, index, source, call, number); });
}

void Fields::complain(const char* field, const std::string& problem) const {
  const bool of_field = field != nullptr && *field != '\0';
  fail_at(of_field ? where(field) : where_it_begins(), "bad_field", "{}: {}", subject_.text(), problem);
}

void Fields::throw_at(const char* field, const Error& error) const {
  if (error.diagnostic().where.known()) throw;
  Diagnostic diagnostic = error.diagnostic();
  diagnostic.where = where(field);
  throw Error(std::move(diagnostic));
}

void Fields::require(const char* name) const { complain("", fmt::format("'{}' is missing", name)); }

bool Fields::push(std::string_view name) const {
  if ((there_ & bit_of(name)) == 0) return false;
  lua_pushstring(L_, name.data());
  if (lua_rawget(L_, index_) != LUA_TNIL) return true;
  lua_pop(L_, 1);
  return false;
}

bool Fields::has(const char* name) const {
  if (!push(name)) return false;
  lua_pop(L_, 1);
  return true;
}

template <class F>
auto Fields::at(const char* name, F&& read) const {
  try {
    auto value = read();
    lua_pop(L_, 1);
    return value;
  } catch (const ScriptError&) {
    throw;
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (!diagnostic.where.known()) {
      diagnostic.message = fmt::format("{}: {}", subject_.text(), diagnostic.message);
      diagnostic.where = where(name);
    }
    throw Error(std::move(diagnostic));
  }
}

double Fields::number(const char* name, Dimension dimension, std::optional<double> fallback,
                      Range range) const {
  if (!push(name)) {
    if (!fallback) require(name);
    return *fallback;
  }
  return at(name, [&] { return number_at(L_, -1, name, dimension, range); });
}

std::int64_t Fields::integer(const char* name, std::optional<std::int64_t> fallback, std::int64_t min,
                             std::int64_t max) const {
  if (!push(name)) {
    if (!fallback) require(name);
    return *fallback;
  }
  return at(name, [&] { return integer_at(L_, -1, name, min, max); });
}

bool Fields::flag(const char* name, bool fallback) const {
  if (!push(name)) return fallback;
  if (lua_type(L_, -1) != LUA_TBOOLEAN) fail(name, "{} must be true or false, got {}", name, shown(L_, -1));
  const bool value = lua_toboolean(L_, -1) != 0;
  lua_pop(L_, 1);
  return value;
}

std::string Fields::text(const char* name, std::optional<std::string> fallback) const {
  if (!push(name)) {
    if (!fallback) require(name);
    return *std::move(fallback);
  }
  const auto text = text_at(L_, -1);
  if (!text) fail(name, "{} must be a text, got {}", name, shown(L_, -1));
  std::string value(*text);
  lua_pop(L_, 1);
  return value;
}

std::size_t Fields::choice(const char* name, std::size_t fallback,
                           std::initializer_list<std::string_view> choices) const {
  return has(name) ? choice(name, std::span(choices.begin(), choices.size())) : fallback;
}

std::size_t Fields::choice(const char* name, std::span<const std::string_view> choices) const {
  const std::string given = text(name, std::nullopt);
  const auto found = std::find(choices.begin(), choices.end(), given);
  if (found == choices.end())
    fail(name, "{} must be one of {}, got '{}'{}", name, fmt::join(choices, ", "), given,
         did_you_mean(given, choices));
  return static_cast<std::size_t>(found - choices.begin());
}

Profile Fields::profile(const char* name, Dimension dimension, const Profile& fallback, Range range) const {
  if (!push(name)) return fallback;
  return at(name, [&] { return profile_at(L_, -1, name, dimension, range); });
}

double Fields::number(const FieldRow& field) const {
  must_be(field, FieldKind::number);
  return number(field.name.data(), field.dimension, fallback_of<double>(field), field.range);
}

double Fields::number(const FieldRow& field, double fallback) const {
  must_be(field, FieldKind::number);
  return number(field.name.data(), field.dimension, fallback, field.range);
}

std::int64_t Fields::integer(const FieldRow& field) const {
  const auto fallback = fallback_of<double>(field);
  return integer(field, fallback ? std::optional(static_cast<std::int64_t>(*fallback)) : std::nullopt);
}

std::int64_t Fields::integer(const FieldRow& field, std::optional<std::int64_t> fallback) const {
  must_be(field, FieldKind::whole);
  using Whole = std::numeric_limits<std::int64_t>;
  const auto [min, max, above] = field.range;
  return integer(field.name.data(), fallback, std::isinf(min) ? Whole::min() : static_cast<std::int64_t>(min),
                 std::isinf(max) ? Whole::max() : static_cast<std::int64_t>(max));
}

Profile Fields::profile(const FieldRow& field) const {
  must_be(field, FieldKind::profile);
  const auto fallback = fallback_of<double>(field);
  if (!fallback && !has(field)) require(field.name.data());
  return profile(field.name.data(), field.dimension, Profile(fallback.value_or(0)), field.range);
}

bool Fields::flag(const FieldRow& field) const {
  must_be(field, FieldKind::flag);
  return flag(field.name.data(), std::get<bool>(field.fallback));
}

bool Fields::flag(const FieldRow& field, bool fallback) const {
  must_be(field, FieldKind::flag);
  return flag(field.name.data(), fallback);
}

std::string Fields::text(const FieldRow& field) const {
  if (field.kind != FieldKind::choice) must_be(field, FieldKind::text);
  const auto fallback = fallback_of<std::string_view>(field);
  return text(field.name.data(), fallback ? std::optional(std::string(*fallback)) : std::nullopt);
}

std::size_t Fields::choice(const FieldRow& field) const {
  must_be(field, FieldKind::choice);
  return has(field) ? choice(field.name.data(), parts_of(field.choices)) : 0;
}

std::vector<double> Fields::numbers(const FieldRow& field, std::string_view what) const {
  must_be(field, FieldKind::numbers);
  return numbers_at(L_, -1, what, field.dimension, field.range);
}

std::int64_t Fields::count() const { return static_cast<std::int64_t>(lua_rawlen(L_, index_)); }

}  // namespace perigee::host

#include "interpreter/host/stack.h"

#include <fmt/format.h>

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>
#include <tuple>

#include "interpreter/host/guest.h"
#include "interpreter/host/record_lines.h"
#include "interpreter/host/words.h"
#include "runtime/kernel/work.h"

namespace perigee::interpreter {

std::string Wording::name_of_function(lua_State* L, int index) const {
  lua_Debug about;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &about);
  if (*about.what == 'C') return "function";
  return fmt::format("function at {}:{}", static_cast<const char*>(about.short_src), about.linedefined);
}

}  // namespace perigee::interpreter

namespace perigee::interpreter::lua {

template <>
struct TypeName<ErrorValue> {
  static constexpr const char* value = "error";
};

namespace {

constexpr int kInnermost = 12;  // calls shown of a deep recursion
constexpr int kOutermost = 4;
constexpr std::uint64_t kStepsOfCall = 10;  // steps of a call of C++, whatever it does

bool is_script(const lua_Debug& frame) { return frame.source != nullptr && frame.source[0] == '@'; }

// The text without the "name:line: " that Lua put before it, and that place.
bool strip_position(lua_State* L, std::string& message, SourceLocation& where) {
  lua_Debug frame;
  for (int level = 0; level < 64 && lua_getstack(L, level, &frame) != 0; ++level) {
    lua_getinfo(L, "Sl", &frame);
    if (frame.currentline <= 0) continue;
    const std::string prefix =
        fmt::format("{}:{}: ", static_cast<const char*>(frame.short_src), frame.currentline);
    if (message.compare(0, prefix.size(), prefix) != 0) continue;
    message.erase(0, prefix.size());
    if (is_script(frame)) where = {frame.source + 1, frame.currentline};
    return true;
  }
  // A syntax error: its chunk does not run.
  for (const auto& [name, text] : Guest::of(L).sources().texts()) {
    const std::string head =
        name.size() < LUA_IDSIZE - 1 ? name : "..." + name.substr(name.size() - (LUA_IDSIZE - 4));
    if (message.compare(0, head.size() + 1, head + ":") != 0) continue;
    std::size_t end = head.size() + 1;
    int line = 0;
    while (end < message.size() && message[end] >= '0' && message[end] <= '9' && line < 100000000)
      line = line * 10 + (message[end++] - '0');
    if (line == 0 || message.compare(end, 2, ": ") != 0) continue;
    where = {name, line};
    message.erase(0, end + 2);
    return true;
  }
  return false;
}

std::string frame_text(lua_State* L, lua_Debug& frame) {
  lua_getinfo(L, "Slnt", &frame);
  if (!is_script(frame) || frame.currentline <= 0) return {};
  std::string function;
  if (*frame.what == 'm')
    function = "in the main chunk";
  else if (frame.name != nullptr && *frame.namewhat != '\0')
    function = fmt::format("in '{}'", frame.name);
  else
    function = fmt::format("in the function at line {}", frame.linedefined);
  return fmt::format("{}:{}: {}", frame.source + 1, frame.currentline, function);
}

// Calls of the script that are under way, innermost first; the middle of a deep recursion is left out.
std::vector<std::string> trace_of(lua_State* L) {
  lua_Debug frame;
  int depth = 1;  // found by doubling, then bisection: the stack may be deep
  while (lua_getstack(L, depth, &frame) != 0) depth *= 2;
  int low = depth / 2, high = depth;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (lua_getstack(L, middle, &frame) != 0)
      low = middle + 1;
    else
      high = middle;
  }
  std::vector<std::string> lines;
  for (int level = 0; level < low; ++level) {
    if (level == kInnermost && low > kInnermost + kOutermost) {
      lines.push_back(fmt::format("... {} more calls", low - kInnermost - kOutermost));
      level = low - kOutermost;
    }
    if (lua_getstack(L, level, &frame) == 0) break;
    std::string line = frame_text(L, frame);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

// The message of a value that the script raised and that is no text: its `message`, and what else a table has.
std::string text_of_raised(lua_State* L, int index) {
  constexpr std::size_t kMost = 5;
  std::string text = fmt::format("the script raised {}", shown(L, index));
  if (lua_type(L, index) != LUA_TTABLE || lua_getmetatable(L, index) != 0) return text;
  std::string message, others;
  std::size_t count = 0;
  each_sorted(L, index, [&] {
    const auto key = text_at(L, -2), value = text_at(L, -1);
    if (key == "message" && value) {
      message = *value;
    } else if (++count <= kMost) {
      others += fmt::format("{}{} = {}", count > 1 ? ", " : "", key ? std::string(*key) : shown(L, -2),
                            shown(L, -1));
    }
  });
  if (count > kMost) others += ", ...";
  if (!message.empty()) return others.empty() ? message : fmt::format("{} ({})", message, others);
  return others.empty() ? text : fmt::format("{}: {}", text, others);
}

// Turns whatever was raised into an ErrorValue. Message handler of every protected call of ours.
int on_error(lua_State* L) {
  return guard(L, [&] {
    if (auto* raised = test<ErrorValue>(L, 1)) {
      if (raised->trace.empty()) raised->trace = trace_of(L);
      return 1;
    }
    ErrorValue value;
    value.diagnostic.code = "script_error";
    if (const auto text = text_at(L, 1)) {
      value.diagnostic.message = *text;
      if (!strip_position(L, value.diagnostic.message, value.diagnostic.where))
        value.diagnostic.where = caller(L);
    } else {
      value.diagnostic.message = text_of_raised(L, 1);
      value.diagnostic.where = caller(L);
    }
    value.trace = trace_of(L);
    push_new(L, std::move(value));
    return 1;
  });
}

int error_text(lua_State* L) {
  return guard(L, [&] {
    push(L, check<ErrorValue>(L, 1).diagnostic.text());
    return 1;
  });
}

int error_concat(lua_State* L) {
  luaL_tolstring(L, 1, nullptr);
  luaL_tolstring(L, 2, nullptr);
  lua_concat(L, 2);
  return 1;
}

bool error_property(lua_State* L, int index, std::string_view name) {
  const Diagnostic& diagnostic = check<ErrorValue>(L, index).diagnostic;
  if (name == "message") {
    push(L, diagnostic.message);
  } else if (name == "code") {
    push(L, diagnostic.code);
  } else if (name == "file") {
    push(L, diagnostic.where.file);
  } else if (name == "line") {
    lua_pushinteger(L, diagnostic.where.line);
  } else if (name == "notes") {
    lua_newtable(L);
    for (std::size_t i = 0; i < diagnostic.notes.size(); ++i) {
      push(L, diagnostic.notes[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  } else {
    return false;
  }
  return true;
}

struct Body {
  const std::function<void(lua_State*)>* run;
  std::exception_ptr thrown;
};

int run_body(lua_State* L) {
  auto* body = static_cast<Body*>(lua_touserdata(L, 1));
  lua_settop(L, 0);
  try {
    (*body->run)(L);
  } catch (const std::bad_alloc& error) {
    try {
      Guest::of(L).stop_for_memory(error);
    } catch (const Stopped&) {
      body->thrown = std::current_exception();
    }
  } catch (const std::exception&) {
    body->thrown = std::current_exception();
  }
  return 0;
}

}  // namespace

void open_errors(lua_State* L) {
  static constexpr luaL_Reg kMeta[] = {
      {"__tostring", error_text}, {"__concat", error_concat}, {nullptr, nullptr}};
  new_type<ErrorValue>(L, nullptr, kMeta, error_property, {"message", "code", "file", "line", "notes"});
}

SourceLocation caller(lua_State* L) {
  lua_Debug frame;
  for (int level = 0; lua_getstack(L, level, &frame) != 0; ++level) {
    lua_getinfo(L, "Sl", &frame);
    if (is_script(frame) && frame.currentline > 0) return {frame.source + 1, frame.currentline};
  }
  return {};
}

void push_error(lua_State* L, const std::exception& error) {
  luaL_checkstack(L, 8, "errors");
  const Running running(L);
  ErrorValue value;
  if (const auto* ours = dynamic_cast<const Error*>(&error)) {
    value.diagnostic = ours->diagnostic();
    value.stop = dynamic_cast<const Stopped*>(&error) != nullptr;
    if (const auto* script = dynamic_cast<const ScriptError*>(&error)) value.trace = script->trace();
  } else if (const auto* memory = dynamic_cast<const std::bad_alloc*>(&error)) {
    try {
      Guest::of(L).stop_for_memory(*memory);
    } catch (const Stopped& stopped) {
      value.diagnostic = stopped.diagnostic();
      value.stop = true;
    }
  } else if (dynamic_cast<const std::length_error*>(&error) != nullptr) {  // thrown by a container
    value.diagnostic = {"too_large", "this is larger than any memory", {}, {}};
  } else {
    value.diagnostic = {"internal", error.what(), {}, {"this is a fault of perigee, not of the script"}};
  }
  if (!value.diagnostic.where.known() && !value.stop) value.diagnostic.where = caller(L);
  if (std::string note = Guest::of(L).wording().note_on_call(L, value.diagnostic); !note.empty())
    value.diagnostic.notes.push_back(std::move(note));
  push_new(L, std::move(value));
}

namespace {

// Addresses below are too near to the end of the stack of this thread; it grows downwards.
std::uintptr_t stack_floor() {
  static constexpr std::size_t kReserve = 64 << 10;  // bytes, for what C++ does at one call
  static thread_local const std::uintptr_t floor = [] {
    pthread_attr_t attributes;
    void* lowest = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return std::uintptr_t{0};
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<std::uintptr_t>(lowest) + std::min(kReserve, size / 2);
  }();
  return floor;
}

}  // namespace

Running::Running(lua_State* L) : guest_(Guest::of(L)), before_(guest_.running_) { guest_.running_ = L; }
Running::~Running() { guest_.running_ = before_; }

Entered::Entered(lua_State* L) : Running(L) {
  if (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < stack_floor())
    fail("too_deep", "calls are nested too deeply for the stack of this process (ulimit -s)");
  did_work(kStepsOfCall);
  Guest::of(L).collect_when_due();
}

void push_error_handler(lua_State* L) { lua_pushcfunction(L, on_error); }

void throw_error(lua_State* L, int status) {
  Guest& guest = Guest::of(L);
  if (status == LUA_ERRMEM && !guest.stopped()) {
    lua_pop(L, 1);
    guest.stop_for_memory();
  }
  if (const ErrorValue* value = test<ErrorValue>(L, -1)) {
    ErrorValue copy = *value;
    lua_pop(L, 1);
    if (copy.stop) throw Stopped(std::move(copy.diagnostic));
    throw ScriptError(std::move(copy.diagnostic), std::move(copy.trace));
  }
  if (guest.stopped()) {
    lua_pop(L, 1);
    throw Stopped(guest.stop_reason());
  }
  Diagnostic diagnostic{"script_error", text_at(L, -1) ? std::string(*text_at(L, -1)) : shown(L, -1), {}, {}};
  if (status == LUA_ERRERR)
    diagnostic.message = "an error inside the handling of an error: " + diagnostic.message;
  lua_pop(L, 1);
  throw ScriptError(std::move(diagnostic), {});
}

void protect(lua_State* L, const std::function<void(lua_State*)>& run) {
  const Guest::Bounded bounded(Guest::of(L));
  Body body{&run, nullptr};
  luaL_checkstack(L, 4, "calls");
  lua_pushcfunction(L, on_error);
  const int handler = lua_gettop(L);
  lua_pushcfunction(L, run_body);
  lua_pushlightuserdata(L, &body);
  const int status = lua_pcall(L, 1, 0, handler);
  lua_remove(L, handler);
  if (status != LUA_OK) throw_error(L, status);
  if (body.thrown) std::rethrow_exception(body.thrown);
}

struct Reference::Held {
  std::shared_ptr<Guest::Handle> handle;
  int key = LUA_NOREF;
  ~Held() {
    const std::uint64_t work = work_meter.done;  // whatever it costs: when the collector comes is not counted
    if (handle->state != nullptr) luaL_unref(handle->state, LUA_REGISTRYINDEX, key);
    work_meter.done = work;
  }
};

Reference::Reference(lua_State* L, int index) {
  lua_pushvalue(L, index);
  auto held = std::make_shared<Held>();
  held->handle = Guest::of(L).handle();
  held->key = luaL_ref(L, LUA_REGISTRYINDEX);
  held_ = std::move(held);
}

void Reference::push(lua_State* L) const {
  PERIGEE_ASSERT(held_ != nullptr, "a reference to nothing");
  lua_rawgeti(L, LUA_REGISTRYINDEX, held_->key);
}

// ---- values ----

std::optional<std::string_view> text_at(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TSTRING) return std::nullopt;
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  if (size >= 1024) did_work(size / 16);  // it is about to be read
  return std::string_view(text, size);
}

void push(lua_State* L, std::string_view text) { lua_pushlstring(L, text.data(), text.size()); }

namespace {

std::string with_article(std::string_view noun) {
  const bool vowel = noun.find_first_of("aeiou") == 0;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

}  // namespace

std::string shown(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
      return "nil";
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) != 0 ? "true" : "false";
    case LUA_TNUMBER:
      return lua_isinteger(L, index) != 0 ? std::to_string(lua_tointeger(L, index))
                                          : format_number(lua_tonumber(L, index));
    case LUA_TSTRING: {
      constexpr std::size_t kLongest = 60;
      const std::string_view text = *text_at(L, index);
      return fmt::format("'{}{}'", text.substr(0, kLongest), text.size() > kLongest ? "..." : "");
    }
    default: {
      std::string name = lua_typename(L, lua_type(L, index));
      const int kind = luaL_getmetafield(L, index, "__name");
      if (kind == LUA_TSTRING) name = lua_tostring(L, -1);
      if (kind != LUA_TNIL) lua_pop(L, 1);
      return with_article(name);
    }
  }
}

namespace {

std::string_view base_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::seconds:
      return " s";
    case Dimension::bytes:
      return " B";
    case Dimension::bytes_per_second:
      return " B/s";
    case Dimension::operations:
      return " op";
    case Dimension::operations_per_second:
      return " op/s";
    case Dimension::fraction:
    case Dimension::count:
      return "";
  }
  return "";
}

std::string rule(Range range, Dimension dimension) {
  const std::string_view unit = base_unit(dimension);
  if (range.min > -kAbsurd && range.max < kAbsurd)
    return fmt::format("must be {} {} and <= {}{}", range.above ? ">" : ">=", format_number(range.min),
                       format_number(range.max), unit);
  if (range.min > -kAbsurd)
    return fmt::format("must be {} {}{}", range.above ? ">" : ">=", format_number(range.min), unit);
  if (range.max < kAbsurd) return fmt::format("must be <= {}{}", format_number(range.max), unit);
  return "must be a number";
}

}  // namespace

double number_at(lua_State* L, int index, std::string_view what, Dimension dimension, Range range) {
  double value = 0;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      value = lua_tonumber(L, index);
      break;
    case LUA_TSTRING:
      try {
        value = parse_with_unit(*text_at(L, index), dimension);
      } catch (const Error& error) {
        fail("bad_quantity", "{}: {}", what, error.diagnostic().message);
      }
      break;
    default:
      fail("bad_type", "{} must be a number{}, got {}", what,
           dimension == Dimension::count ? "" : " or a quantity with a unit", shown(L, index));
  }
  if (std::isnan(value)) fail("bad_number", "{} must be a number, got nan", what);
  const bool low = range.above ? !(value > range.min) : value < range.min;
  if (low || (range.max < kAbsurd && value > range.max))
    fail("out_of_range", "{} {}, got {}", what, rule(range, dimension), shown(L, index));
  if (value > range.max || value > kAbsurd || value < -kAbsurd) {
    if (std::isinf(value) && std::isinf(range.max)) return value;
    fail("out_of_range", "{} is beyond any sense: {}", what, shown(L, index));
  }
  return value;
}

std::int64_t integer_at(lua_State* L, int index, std::string_view what, std::int64_t min, std::int64_t max) {
  int is_integer = 0;
  std::int64_t value = 0;
  if (lua_type(L, index) == LUA_TNUMBER) value = lua_tointegerx(L, index, &is_integer);
  if (is_integer == 0) fail("bad_type", "{} must be a whole number, got {}", what, shown(L, index));
  if (value < min || value > max) {
    if (max == std::numeric_limits<std::int64_t>::max())
      fail("out_of_range", "{} must be >= {}, got {}", what, min, value);
    fail("out_of_range", "{} must be {} to {}, got {}", what, min, max, value);
  }
  return value;
}

bool condition_at(lua_State* L, int index, std::string_view what) {
  const int type = lua_type(L, index);
  if (type != LUA_TBOOLEAN && type != LUA_TNIL && !is_unknown(L, index))
    fail(
        "bad_answer",
        "{}: the condition must return true or false, got {}; write what it is compared with, as in x > 0 or "
        "x ~= nil",
        what, shown(L, index));
  return lua_toboolean(L, index) != 0;
}

std::vector<double> numbers_at(lua_State* L, int index, std::string_view what, Dimension dimension,
                               Range range) {
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "{} must be a list of numbers, got {}", what, shown(L, index));
  index = lua_absindex(L, index);
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, index));
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    if (lua_type(L, -1) == LUA_TNUMBER) {
      const double value = lua_tonumber(L, -1);
      if (value > range.min && value < range.max) {
        values.push_back(value);
        lua_pop(L, 1);
        continue;
      }
    }
    values.push_back(number_at(L, -1, fmt::format("{}[{}]", what, i), dimension, range));
    lua_pop(L, 1);
  }
  return values;
}

Profile profile_at(lua_State* L, int index, std::string_view what, Dimension dimension, Range range) {
  if (lua_type(L, index) != LUA_TTABLE) return Profile(number_at(L, index, what, dimension, range));
  index = lua_absindex(L, index);
  const Range level{0, range.max, false};  // a step may be zero
  if (lua_rawlen(L, index) > 0) {
    std::vector<double> times, values;
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, index));
    for (lua_Integer i = 1; i <= count; ++i) {
      const Balanced balanced(L);
      lua_rawgeti(L, index, i);
      if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
        fail("bad_profile", "{}[{}] must be {{time, value}}, got {}", what, i, shown(L, -1));
      lua_rawgeti(L, -1, 1);
      times.push_back(
          number_at(L, -1, fmt::format("{}[{}]: time", what, i), Dimension::seconds, kNotNegative));
      lua_pop(L, 1);
      lua_rawgeti(L, -1, 2);
      values.push_back(number_at(L, -1, fmt::format("{}[{}]: value", what, i), dimension, level));
    }
    each_sorted(L, index, [&] {
      if (lua_isinteger(L, -2) == 0)
        fail("bad_profile", "{}: {} does not belong in a list of {{time, value}}", what, shown(L, -2));
    });
    return Profile::steps(std::move(times), std::move(values));
  }
  const std::string subject(what);
  const Fields fields(L, index, {subject}, {"times", "values", "period", "every"});
  const auto list = [&](const char* name, Dimension of, Range allowed) {
    if (!fields.push(name)) fields.fail(name, "{} is missing", name);
    std::vector<double> values = numbers_at(L, -1, fmt::format("{}: {}", what, name), of, allowed);
    lua_pop(L, 1);
    return values;
  };
  if (fields.has("every")) {
    if (fields.has("times") || fields.has("period")) fields.fail("every", "every goes with values alone");
    const double every = fields.number("every", Dimension::seconds, std::nullopt, kPositive);
    return Profile::circular(list("values", dimension, level), every);
  }
  std::vector<double> times = list("times", Dimension::seconds, kNotNegative);
  std::vector<double> values = list("values", dimension, level);
  if (times.size() != values.size())
    fields.fail("values", "{} times but {} values", times.size(), values.size());
  if (!fields.has("period")) return Profile::steps(std::move(times), std::move(values));
  return Profile::periodic(std::move(times), std::move(values),
                           fields.number("period", Dimension::seconds, std::nullopt, kPositive));
}

Anchor::Anchor(lua_State* L, SourceLocation where)
    : sources_(Guest::of(L).sources()), before_(std::exchange(sources_.anchor, std::move(where))) {}
Anchor::~Anchor() { sources_.anchor = std::move(before_); }

// ---- tables in a fixed order ----

namespace {

void push_identities(lua_State* L) {  // [object] = number, [number] = object, [0] = the last number
  constexpr const char* kName = "perigee.identities";
  if (lua_getfield(L, LUA_REGISTRYINDEX, kName) == LUA_TTABLE) return;
  lua_pop(L, 1);
  push_weak(L, "kv");
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, kName);
}

struct Key {
  int order;  // numbers, texts, booleans, others
  bool is_integer;
  lua_Integer integer;  // for other keys: the identity
  lua_Number number;
  std::string_view text;  // kept alive by the table; of others: their type
};

Key key_at(lua_State* L, int index) {
  Key key{0, false, 0, 0, {}};
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key.is_integer = lua_isinteger(L, index) != 0;
      if (key.is_integer)
        key.integer = lua_tointeger(L, index);
      else
        key.number = lua_tonumber(L, index);
      break;
    case LUA_TSTRING:
      key.order = 1;
      key.text = *text_at(L, index);
      break;
    case LUA_TBOOLEAN:
      key.order = 2;
      key.integer = lua_toboolean(L, index);
      break;
    default:
      key.order = 3;
      key.integer = identity(L, index);
      key.text = luaL_typename(L, index);
      if (const int type = luaL_getmetafield(L, index, "__name"); type != LUA_TNIL) {
        if (type == LUA_TSTRING) key.text = *text_at(L, -1);  // kept alive by the metatable
        lua_pop(L, 1);
      }
  }
  return key;
}

void push_key(lua_State* L, const Key& key) {
  if (key.order == 1) {
    push(L, key.text);
  } else if (key.order == 2) {
    lua_pushboolean(L, static_cast<int>(key.integer));
  } else if (key.order == 3) {
    push_identities(L);
    lua_rawgeti(L, -1, key.integer);
    lua_remove(L, -2);
  } else if (key.is_integer) {
    lua_pushinteger(L, key.integer);
  } else {
    lua_pushnumber(L, key.number);
  }
}

bool before(const Key& a, const Key& b) {
  if (a.order != b.order) return a.order < b.order;
  if (a.order == 1) return a.text < b.text;
  if (a.order == 2) return a.integer < b.integer;
  if (a.order == 3) return std::tie(a.text, a.integer) < std::tie(b.text, b.integer);
  if (a.is_integer && b.is_integer) return a.integer < b.integer;
  const double x = a.is_integer ? static_cast<double>(a.integer) : a.number;
  const double y = b.is_integer ? static_cast<double>(b.integer) : b.number;
  return x < y || (x == y && a.is_integer && !b.is_integer);
}

}  // namespace

lua_Integer identity(lua_State* L, int index) {
  luaL_checkstack(L, 6, "identity");
  index = lua_absindex(L, index);
  const Balanced balanced(L);
  push_identities(L);
  const int all = lua_gettop(L);
  lua_pushvalue(L, index);
  if (lua_rawget(L, all) == LUA_TNUMBER) return lua_tointeger(L, -1);
  lua_rawgeti(L, all, 0);
  const lua_Integer number = lua_tointeger(L, -1) + 1;
  lua_pushinteger(L, number);
  lua_rawseti(L, all, 0);
  lua_pushvalue(L, index);
  lua_pushinteger(L, number);
  lua_rawset(L, all);
  lua_pushvalue(L, index);
  lua_rawseti(L, all, number);
  return number;
}

void renew_identity(lua_State* L, int index) {
  luaL_checkstack(L, 6, "identity");
  index = lua_absindex(L, index);
  push_identities(L);
  lua_pushvalue(L, index);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

lua_Integer push_sorted_keys(lua_State* L, int table) {
  luaL_checkstack(L, 10, "keys");
  table = lua_absindex(L, table);
  std::vector<Key> keys;
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    keys.push_back(key_at(L, -1));
  }
  if (!std::is_sorted(keys.begin(), keys.end(), before)) std::sort(keys.begin(), keys.end(), before);
  lua_createtable(L, static_cast<int>(std::min<std::size_t>(keys.size(), 1 << 30)), 0);
  lua_Integer place = 0;
  for (const Key& key : keys) {
    push_key(L, key);
    lua_rawseti(L, -2, ++place);
  }
  return place;
}

// ---- fields ----

std::string Subject::text() const {
  if (!name.empty()) return fmt::format("{} '{}'", kind, name);
  if (number >= 0) return fmt::format("{} {}", kind, number);
  return std::string(kind);
}

Fields::Fields(lua_State* L, int index, Subject subject, std::initializer_list<std::string_view> known,
               bool positional)
    : L_(L), index_(lua_absindex(L, index)), subject_(subject) {
  if (lua_type(L, index_) != LUA_TTABLE) {
    const std::string needed = Guest::of(L).wording().table_needed(L, index_, subject_.text());
    if (!needed.empty()) kernel::fail("bad_type", "{}", needed);
    kernel::fail("bad_type", "{} must be a table, got {}", subject_.text(), shown(L, index_));
  }
  luaL_checkstack(L, 8, "fields");
  const auto fits = [&](int key) {
    if (const auto name = text_at(L, key)) return std::find(known.begin(), known.end(), *name) != known.end();
    return positional && lua_isinteger(L, key) != 0;
  };
  bool wrong = false;
  lua_pushnil(L);
  while (lua_next(L, index_) != 0) {
    lua_pop(L, 1);
    wrong = wrong || !fits(-1);
  }
  if (!wrong) return;
  each_sorted(L, index_, [&] {
    if (fits(-2)) return;
    if (const auto name = text_at(L, -2)) unknown(std::string(*name), known);
    fail_at(where_it_begins(), "unknown_field", "{}: unexpected entry [{}]; its fields have names: {}",
            subject_.text(), shown(L, -2), fmt::join(known, ", "));
  });
}

void Fields::unknown(const std::string& key, std::initializer_list<std::string_view> known) const {
  const std::vector<std::string_view> names(known);
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

SourceLocation Fields::where(std::string_view field) const {
  const SourceLocation& anchor = Guest::of(L_).sources().anchor;
  SourceLocation at = anchor.known() ? anchor : caller(L_);
  if (field.empty() || !at.known()) return at;
  const std::string* source = Guest::of(L_).sources().text(at.file);
  if (source == nullptr) return at;
  const auto line = line_in_source(L_, index_, *source, at.line, field);
  return line ? SourceLocation{at.file, *line} : at;
}

SourceLocation Fields::where_it_begins() const { return where_table_begins(L_, index_); }

SourceLocation where_table_begins(lua_State* L, int index) {
  const SourceLocation& anchor = Guest::of(L).sources().anchor;
  SourceLocation at = anchor.known() ? anchor : caller(L);
  const std::string* source = at.known() ? Guest::of(L).sources().text(at.file) : nullptr;
  if (source == nullptr) return at;
  const auto line = line_in_source(L, index, *source, at.line, {});
  return line ? SourceLocation{at.file, *line} : at;
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

bool Fields::push(const char* name) const {
  lua_pushstring(L_, name);
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
  if (!has(name)) return fallback;
  const std::string given = text(name, std::nullopt);
  const auto found = std::find(choices.begin(), choices.end(), given);
  if (found == choices.end()) {
    const std::vector<std::string_view> names(choices);
    fail(name, "{} must be one of {}, got '{}'{}", name, fmt::join(names, ", "), given,
         did_you_mean(given, std::span<const std::string_view>(names)));
  }
  return static_cast<std::size_t>(found - choices.begin());
}

Profile Fields::profile(const char* name, Dimension dimension, const Profile& fallback, Range range) const {
  if (!push(name)) return fallback;
  return at(name, [&] { return profile_at(L_, -1, name, dimension, range); });
}

std::int64_t Fields::count() const { return static_cast<std::int64_t>(lua_rawlen(L_, index_)); }

// ---- native objects ----

Natives& natives_of(lua_State* L) { return Guest::of(L).natives(); }

void wrong_type(lua_State* L, int index, std::string_view what, std::string_view expected) {
  if (what.empty())
    fail("bad_type", "argument {} must be {}, got {}", index, with_article(expected), shown(L, index));
  const bool object = lua_type(L, index) == LUA_TTABLE || lua_type(L, index) == LUA_TUSERDATA;
  const std::string made = object ? Guest::of(L).wording().made_by(expected) : std::string();
  fail("bad_type", "{} must be {}, got {}{}", what, with_article(expected), shown(L, index),
       made.empty() ? "" : fmt::format("; one is made by {}", made));
}

void no_such_field(lua_State* L, const std::string& type, const std::string& given,
                   std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const std::string instead = Guest::of(L).wording().instead_of_field(type, given);
  const std::string near = instead.empty() ? did_you_mean(given, names) : "; " + instead;
  Diagnostic diagnostic{
      "unknown_field", fmt::format("{} has no field '{}'{}", with_article(type), given, near), {}, {}};
  if (near.empty()) diagnostic.notes.push_back(fmt::format("it has: {}", fmt::join(names, ", ")));
  throw Error(std::move(diagnostic));
}

namespace {

std::vector<std::string> fields_of_index(lua_State* L, int methods, int properties) {
  std::vector<std::string> names =
      *static_cast<const std::vector<std::string>*>(lua_touserdata(L, properties));
  for (lua_pushnil(L); lua_next(L, methods) != 0; lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) names.emplace_back(*text_at(L, -2));
  return names;
}

// Upvalues: methods, name of the type, property function, list of names.
int type_index(lua_State* L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  return guard(L, [&] {
    const auto key = text_at(L, 2);
    auto* property = reinterpret_cast<Property>(lua_touserdata(L, lua_upvalueindex(3)));
    if (key && property != nullptr && property(L, 1, *key)) return 1;
    no_such_field(L, lua_tostring(L, lua_upvalueindex(2)), key ? std::string(*key) : shown(L, 2),
                  fields_of_index(L, lua_upvalueindex(1), lua_upvalueindex(4)));
  });
}

int read_only(lua_State* L) {
  return guard(L, [&]() -> int {
    const std::string name = lua_tostring(L, lua_upvalueindex(1));
    fail("read_only", "{} cannot be changed: field '{}'", name,
         text_at(L, 2) ? std::string(*text_at(L, 2)) : shown(L, 2));
  });
}

}  // namespace

void new_type(lua_State* L, const char* name, const luaL_Reg* methods, const luaL_Reg* metamethods,
              Property property, const std::vector<std::string>& properties, lua_CFunction collect) {
  auto* type = static_cast<MethodsOfType*>(lua_newuserdatauv(L, sizeof(MethodsOfType), 0));
  const int shared = lua_gettop(L);
  luaL_newmetatable(L, name);
  *type = {lua_topointer(L, -1), nullptr, nullptr};
  Guest::of(L).note_type(*type);
  lua_pushvalue(L, shared);
  lua_pushcclosure(L, collect, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_newtable(L);
  if (methods != nullptr) {
    lua_pushvalue(L, shared);
    luaL_setfuncs(L, methods, 1);
  }
  lua_pushvalue(L, -1);
  lua_pushstring(L, name);
  lua_pushlightuserdata(L, reinterpret_cast<void*>(property));
  auto* listed = new (lua_newuserdatauv(L, sizeof(std::vector<std::string>), 0)) std::vector<std::string>();
  lua_newtable(L);
  lua_pushcfunction(L, [](lua_State* state) -> int {
    using List = std::vector<std::string>;
    static_cast<List*>(lua_touserdata(state, 1))->~List();
    return 0;
  });
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  *listed = properties;
  lua_pushcclosure(L, type_index, 4);
  if (property == nullptr) {  // methods are found without a call; what is none of them goes on to type_index
    lua_newtable(L);
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
  } else {
    lua_remove(L, -2);
  }
  lua_setfield(L, -2, "__index");
  push(L, with_article(name));
  lua_pushcclosure(L, read_only, 1);
  lua_setfield(L, -2, "__newindex");
  if (metamethods != nullptr) {
    lua_pushvalue(L, shared);
    luaL_setfuncs(L, metamethods, 1);
  }
  lua_pop(L, 2);
}

constexpr const char* kModeOfTables = "perigee.mode";

void hide_mode(lua_State* L) {
  constexpr const char* kMode = "__mode";
  lua_pushstring(L, kMode);
  auto* text = const_cast<char*>(lua_tostring(L, -1));
  std::random_device random;
  while (std::strcmp(text, kMode) == 0)
    for (char* c = text; *c != '\0'; ++c) *c = static_cast<char>(1 + random() % 255);
  lua_setfield(L, LUA_REGISTRYINDEX, kModeOfTables);
}

void push_weak(lua_State* L, const char* mode) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, kModeOfTables);
  lua_pushstring(L, mode);
  lua_rawset(L, -3);
  lua_setmetatable(L, -2);
}

constexpr char kBound = 0;  // its address is the key of a registry table: by bound table, its object

void bind(lua_State* L) {
  luaL_checkstack(L, 8, "methods");
  lua_newtable(L);
  lua_getmetatable(L, -2);
  lua_getfield(L, -1, "__index");
  for (lua_pushnil(L); lua_next(L, -2) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -6);
  }
  lua_pop(L, 1);
  lua_setmetatable(L, -2);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kBound) != LUA_TTABLE) {
    lua_pop(L, 1);
    push_weak(L, "k");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kBound);
  }
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -4);
  lua_rawset(L, -3);  // object, table, objects
  lua_pop(L, 1);
  lua_remove(L, -2);
}

void push_bound_object(lua_State* L, int index) {
  luaL_checkstack(L, 3, "methods");
  index = lua_absindex(L, index);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kBound) != LUA_TTABLE) return;  // nil: nothing is bound yet
  lua_pushvalue(L, index);
  lua_rawget(L, -2);
  lua_remove(L, -2);
}

bool push_type_index(lua_State* L, int metatable) {
  lua_pushliteral(L, "__index");
  if (lua_rawget(L, metatable < 0 ? metatable - 1 : metatable) == LUA_TTABLE &&
      lua_getmetatable(L, -1) != 0) {
    lua_pushliteral(L, "__index");
    lua_rawget(L, -2);
    lua_replace(L, -3);
    lua_pop(L, 1);
  }
  if (lua_type(L, -1) == LUA_TFUNCTION) return true;
  lua_pop(L, 1);
  return false;
}

void define(lua_State* L, const char* name) {
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  lua_insert(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

void define(lua_State* L, const char* name, lua_CFunction function) {
  lua_pushcfunction(L, function);
  define(L, name);
}

namespace {

// Upvalues: the table, its name.
int unknown_member(lua_State* L) {
  return guard(L, [&]() -> int {
    std::vector<std::string> names;
    lua_pushnil(L);
    while (lua_next(L, lua_upvalueindex(1)) != 0) {
      lua_pop(L, 1);
      if (const auto name = text_at(L, -1)) names.emplace_back(*name);
    }
    std::sort(names.begin(), names.end());
    const std::string given = text_at(L, 2) ? std::string(*text_at(L, 2)) : shown(L, 2);
    const std::string where = lua_tostring(L, lua_upvalueindex(2));
    Diagnostic diagnostic{"unknown_name",
                          fmt::format("there is no '{}.{}'{}", where, given, did_you_mean(given, names)),
                          {},
                          {}};
    if (nearest(given, names).empty())
      diagnostic.notes.push_back(fmt::format("{} has: {}", where, fmt::join(names, ", ")));
    throw Error(std::move(diagnostic));
  });
}

int frozen_pairs(lua_State* L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.pairs");
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_call(L, 1, 3);
  return 3;
}

}  // namespace

void freeze(lua_State* L, const char* name) {
  const int table = lua_gettop(L);
  lua_newtable(L);  // what falls through the table itself
  lua_pushvalue(L, table);
  lua_pushstring(L, name);
  lua_pushcclosure(L, unknown_member, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, table);
  lua_newtable(L);  // the view
  lua_newtable(L);
  lua_pushvalue(L, table);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_pushcclosure(L, read_only, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pushvalue(L, table);
  lua_pushcclosure(L, frozen_pairs, 1);
  lua_setfield(L, -2, "__pairs");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_remove(L, table);
}

// Replaces the view that freeze() made by the table behind it.
void unfreeze(lua_State* L) {
  if (lua_type(L, -1) != LUA_TTABLE || lua_getmetatable(L, -1) == 0) return;
  lua_pushliteral(L, "__index");
  lua_rawget(L, -2);
  if (lua_type(L, -1) == LUA_TTABLE)
    lua_replace(L, -3);
  else
    lua_pop(L, 1);
  lua_pop(L, 1);
}

void push_module(lua_State* L, const char* name, const luaL_Reg* functions) {
  lua_newtable(L);
  luaL_setfuncs(L, functions, 0);
  freeze(L, name);
}

}  // namespace perigee::interpreter::lua

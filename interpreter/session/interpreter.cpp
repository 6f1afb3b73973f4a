#include "interpreter/session/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "interpreter/host/embedded.h"
#include "interpreter/host/sandbox.h"
#include "interpreter/host/terminal.h"
#include "interpreter/host/words.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/hints.h"
#include "interpreter/session/profiler.h"
#include "runtime/kernel/math.h"

// Lua's `x ^ y`, in its own library, calls pow. This one takes the place of glibc's, whose last bit depends
// on the CPU.
extern "C" double pow(double x, double y) noexcept { return perigee::math::pow(x, y); }

namespace perigee::interpreter {

namespace fs = std::filesystem;

namespace lua {
void open_errors(lua_State* L);
}

namespace {

constexpr std::uintmax_t kLargestData = std::uintmax_t{4} << 30;  // bytes
constexpr std::uintmax_t kLargestScript = 64 << 20;               // bytes

std::string read_text(const fs::path& path, const std::string& shown, std::string_view what) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) fail("no_file", "{}: there is no such file", shown);
  if (fs::is_directory(status)) fail("no_file", "{} is a folder, not {}", shown, what);
  if (!fs::is_regular_file(status)) fail("no_file", "{} is not a regular file", shown);
  if (fs::file_size(path, error) > kLargestScript && !error)
    fail("too_large", "{} is larger than {}, too large for {}", shown,
         format_quantity(static_cast<double>(kLargestScript), Dimension::bytes), what);
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (fs::file_size(path, error) > 0) text << stream.rdbuf();
  if (!stream || !text) fail("unreadable", "{} cannot be read", shown);
  return std::move(text).str();
}

bool inside(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// Loads the text as a function, or raises the syntax error.
void load_chunk(lua_State* L, const std::string& text, const std::string& chunk) {
  std::string_view body = text;
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  std::string changed;
  if (body.starts_with('#')) {  // "#!/usr/bin/perigee": a comment
    changed = "--" + std::string(body);
    body = changed;
  }
  if (lua::load_in_pieces(L, body, chunk) != LUA_OK) lua_error(L);
}

// Compiles the file, then runs body(L) with its function on top of the stack. An error that no line tells while
// the file is compiled is told of the file.
void protect_file(lua_State* state, const std::string& file, const std::string& text,
                  const std::function<void(lua_State*)>& body) {
  bool compiled = false;
  const auto placed = [&](const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (!compiled && !diagnostic.where.known()) diagnostic.where = {file, 0};
    return diagnostic;
  };
  try {
    lua::protect(state, [&](lua_State* L) {
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

constexpr std::size_t kLongestLine = 200, kLongestToken = 80;  // of those that an error shows

// Where `at` or the next place is that does not part a character of several bytes.
std::size_t at_character(std::string_view text, std::size_t at) {
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

// A message of Lua ends with the token that it could not read, which may be as long as the file.
std::string with_short_token(const std::string& message) {
  const std::size_t token = message.find(" near '");
  if (token == message.npos || !message.ends_with('\'') || message.size() < token + 2 * kLongestToken)
    return message;
  return message.substr(0, at_character(message, token + kLongestToken)) + "...'";
}

// The line; a part of one that is too long, around the first name in quotes of the message that it has.
std::string excerpt(const std::string& line, std::string_view message) {
  if (line.size() <= kLongestLine) return line;
  std::size_t place = 0;
  for (std::size_t open = message.find('\''), close = 0; open != message.npos && place == 0;
       open = message.find('\'', close + 1)) {
    close = message.find('\'', open + 1);
    if (close == message.npos) break;
    const std::string_view name = message.substr(open + 1, close - open - 1);
    if (const std::size_t found = line.find(name); found != line.npos && !name.empty()) place = found;
    if (name == "<eof>") place = line.size();
  }
  const std::size_t from =
      at_character(line, std::min(place - std::min(place, kLongestLine / 2), line.size() - kLongestLine));
  const std::size_t to = at_character(line, from + kLongestLine);
  return fmt::format("{}{}{}", from > 0 ? "..." : "", line.substr(from, to - from),
                     to < line.size() ? "..." : "");
}

}  // namespace

std::string file_hash(const std::string& path) {
  constexpr std::size_t kPart = std::size_t{1} << 20;
  std::ifstream stream(path, std::ios::binary);
  std::string part(kPart, '\0');
  std::uint64_t hash = 0, size = 0;
  while (stream.read(part.data(), static_cast<std::streamsize>(kPart)), stream.gcount() > 0) {
    const auto count = static_cast<std::size_t>(stream.gcount());
    hash = SplitMix64::mix(hash ^ hash_name(std::string_view(part).substr(0, count)));
    size += count;
  }
  return fmt::format("{:016x}-{}", hash, size);
}

namespace {

Limits limits_of(const InterpreterOptions& options) {
  return {options.steps, options.memory, options.interactive, options.interruptible, options.check};
}

}  // namespace

Interpreter::Interpreter(OpenWords words, InterpreterOptions options)
    : Guest(limits_of(options), lua::vocabulary_wording()),
      open_words_(words),
      options_(std::move(options)),
      stream_(options_.seed, "script"),
      redefines_(options_.interactive) {
  try {
    open();
  } catch (...) {
    close();
    throw;
  }
}

Interpreter::~Interpreter() {
  cells_.reset();  // its workers end
  close();
}

void Interpreter::open() {
  // Not through protect(): its message handler needs the type of errors, which is made here.
  lua_pushcfunction(state_, [](lua_State* L) -> int {
    return lua::guard(L, [&] {
      lua::hide_mode(L);
      lua_newtable(L);
      lua_setfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
      lua::open_errors(L);
      Interpreter::of(L).open_words_(L);
      lua::check_arguments(L);
      open_recipes(L);
      return 0;
    });
  });
  if (lua_pcall(state_, 0, 0, 0) != LUA_OK) {
    const std::string text = luaL_tolstring(state_, -1, nullptr);
    if (starved()) fail_to_start();
    throw InternalError("the interpreter cannot be set up: " + text);
  }
  begin();
}

Interpreter::Repeating::Repeating(Interpreter& interpreter)
    : interpreter_(interpreter),
      uncounted_(interpreter),
      looks_(interpreter.looks_),
      stop_at_(std::exchange(interpreter.stop_at_, 0)) {
  ++interpreter_.repeating_;
}
Interpreter::Repeating::~Repeating() {
  --interpreter_.repeating_;
  interpreter_.looks_ = looks_;
  interpreter_.stop_at_ = stop_at_;
  interpreter_.count_anew();
}

void Interpreter::leave_run() noexcept {
  if (traces_.empty()) return;
  try {
    if (lua_checkstack(running_, 40) != 0) lua::protect(running_, [&](lua_State* L) { traces_.leave(L); });
  } catch (const std::exception&) {  // out of memory: the next step of the script says so
    bound();
  }
  traces_.forget();
}

Interpreter::InCell::InCell(Interpreter& interpreter, std::uint64_t seed, bool shown)
    : interpreter_(interpreter),
      stream_(std::exchange(interpreter.stream_, Stream(seed, "script"))),
      steps_(std::exchange(interpreter.steps_used_, 0)),
      counted_(std::exchange(interpreter.counted_, 0)),
      outcomes_(std::exchange(interpreter.outcomes_, 0)),
      work_(std::exchange(work_meter.done, 0)),
      began_(interpreter.time_spent() - interpreter.steps_began_),
      uncounted_(std::exchange(interpreter.uncounted_, 0)) {
  interpreter.steps_began_ = interpreter.time_spent();
  interpreter.cell_seed_ = seed;
  ++interpreter.cells_begun_;
  interpreter.cell_shown_ = shown;
  interpreter.reads_ = {};
  interpreter.warnings_of_cell_.clear();
  interpreter.warned_in_cell_.clear();
  interpreter.incomplete_.clear();
  interpreter.status_read_ = false;
  interpreter.set_hook(interpreter.running_);  // counts from here on
}

Interpreter::InCell::~InCell() {
  Interpreter& me = interpreter_;
  me.stream_ = stream_;
  me.steps_used_ = steps_;
  me.steps_began_ = me.time_spent() - began_;
  me.counted_ = counted_;
  me.outcomes_ = outcomes_;
  me.uncounted_ = uncounted_;
  me.cell_seed_.reset();
  if (me.stopped_ && (me.stopped_->code == "step_limit" || me.stopped_->code == "memory_limit")) {
    me.stopped_.reset();  // the cell's limit, not the script's
    me.starved_ = Starved::no;
    me.collect();
    me.bound();
    me.set_hook(me.state_);
  }
  if (!me.stopped_) me.set_hook(me.running_);
  work_meter.done = work_;
  if (std::uncaught_exceptions() == 0) me.collect_when_due();  // the results of the cell
}

bool Interpreter::keeps_cells() const {
  return !options_.out.empty() && !options_.on_outcome && session_folder_.empty() &&
         options_.worker_of == nullptr && !options_.check;
}

namespace {

// Joins texts, one after the other, each with its size, for a hash.
class Joined {
 public:
  void add(std::string_view text) { all_ += fmt::format("{}:{}", text.size(), text); }
  std::string hash() const { return hash_text(all_); }

 private:
  std::string all_;
};

}  // namespace

std::string Interpreter::context() const {
  Joined all;
  all.add(texts());
  for (const auto& [name, text] : sources().texts()) all.add(text);
  for (const auto& [name, hash] : files_so_far_) all.add(name), all.add(hash);
  return all.hash();
}

std::string Interpreter::texts() const {
  Joined all;
  all.add(fmt::format("{} {} {}", PERIGEE_VERSION, options_.seed, options_.validate));
  const fs::path folder = fs::path(script_).parent_path();
  std::map<std::string, std::string_view> texts;
  for (const auto& [name, text] : sources().texts())
    texts[name == script_ ? "" : fs::path(name).lexically_relative(folder).string()] = text;
  for (const auto& [name, text] : texts) {
    all.add(name);
    lua::each_token(text, [&](std::string_view token, int) { all.add(token); });
  }
  for (const auto& [name, value] : options_.settings) all.add(name), all.add(value);
  return all.hash();
}

void Interpreter::begin_session(const std::string& name, const std::string& folder) {
  script_ = name;
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  folder_ = session_folder_ = error ? folder : real.string();
}

void Interpreter::progress(const Simulation* simulation) {
  if (!options_.on_progress || (simulation == nullptr && !shows_progress_) || apart()) return;
  shows_progress_ = simulation != nullptr;
  options_.on_progress(simulation);
}

// Called at the end of a text: copies what its top level calls local.
int keep_locals(lua_State* L) {
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

void push_keeper(lua_State* L) { lua_pushcfunction(L, keep_locals); }

void Interpreter::load_file(const std::string& path) {
  load_input({read_text(path, path, "a script"), path, fs::canonical(path).parent_path().string()});
}

void Interpreter::load_input(const Input& file) {
  session_.push_back(file);
  std::string text = file.text;
  const std::string& path = file.file;
  struct Folder {  // its modules and data are beside it
    Interpreter& of;
    std::string folder, script;
    ~Folder() {
      of.folder_ = folder;
      of.script_ = script;
    }
  } before{*this, std::exchange(folder_, file.folder), std::exchange(script_, path)};
  sources().set(path, text);
  words_.clear();  // the file may have changed since it was last loaded
  protect_file(state_, path, text, [&](lua_State* L) {
    const int plain = lua_gettop(L);
    if (text.starts_with('#')) text.insert(0, "--");
    text = lua::without_const(text) + std::string(kKeepLocals);
    if (luaL_loadbufferx(L, text.data(), text.size(), ("@" + path).c_str(), "t") != LUA_OK)
      lua_settop(L, plain);  // the text ends with a return
    push_keeper(L);
    lua_call(L, 1, 0);
  });
  if (stopped()) throw Stopped(*stopped_);
}

void Interpreter::run_text(const std::string& name, const std::string& text) {
  sources().set(name, text);
  if (script_.empty()) script_ = name;
  protect_file(state_, name, text, [](lua_State* L) { lua_call(L, 0, 0); });
  if (stopped()) throw Stopped(*stopped_);
}

void Interpreter::run_file(const std::string& path) {
  script_ = script_file_ = path;
  std::error_code error;
  std::string text;
  if (const auto stored = options_.sources.find(path); stored != options_.sources.end()) {
    text = stored->second;
  } else {
    text = read_text(path, path, "a script");
  }
  const fs::path real = fs::canonical(path, error);
  if (options_.sources.empty() && !error) folder_ = real.parent_path().string();
  run_text(path, text);
}

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
std::string Interpreter::module_text(std::string_view name, const std::string& below,
                                     const std::string& shown) {
  if (!options_.sources.empty()) {
    const auto stored = options_.sources.find(shown);
    if (stored == options_.sources.end())
      fail("bad_module", "require: '{}' is not part of the replay card", name);
    return stored->second;
  }
  std::error_code error;
  const fs::path real = fs::canonical(fs::path(folder_) / below, error);
  if (folder_.empty() || error) {
    std::vector<std::string> names;
    for (const EmbeddedModule& module : embedded_modules()) names.emplace_back(module.name);
    fail("bad_module", "require: there is no module '{}' in the standard library nor a file {}{}", name,
         shown, did_you_mean(name, names));
  }
  if (!inside(real, folder_)) fail("bad_module", "require: {} leads out of the script's folder", shown);
  return read_text(real, shown, "a module");
}

void Interpreter::require(lua_State* L, std::string_view name) {
  if (!is_module_name(name))
    fail("bad_module", "require: '{}' is not the name of a module; write it as in \"folder.module\"", name);
  const std::string key(name);
  std::string below = key + ".lua";
  std::replace(below.begin(), below.end() - 4, '.', '/');
  const std::string shown = (fs::path(script_).parent_path() / below).string();
  const auto embedded = embedded_modules();
  const auto standard = std::ranges::find(embedded, name, &EmbeddedModule::name);
  // A replay card of the time before there was such a module has the script's own.
  const bool is_standard = standard != embedded.end() && !options_.sources.contains(shown);
  const bool from_standard = !loading_.empty() && std::ranges::find(embedded, loading_.back(),
                                                                    &EmbeddedModule::name) != embedded.end();
  if (is_standard && !from_standard && options_.sources.empty() && !folder_.empty() &&
      is_module_file(fs::path(folder_) / below))
    fail("bad_module",
         "require: '{}' is a module of the standard library, and there is the module {} too; give the file "
         "another name",
         name, shown);
  if (const auto known = modules_.find(key); known != modules_.end()) {
    known->second.push(L);
    return;
  }
  if (std::find(loading_.begin(), loading_.end(), key) != loading_.end())
    fail("bad_module", "require: the modules {} and '{}' need each other", fmt::join(loading_, ", "), name);

  const std::string text = is_standard ? std::string(standard->source) : module_text(name, below, shown);
  if (!is_standard) sources().set(shown, text);
  if (!traces_.empty() || in_cell())
    fail("bad_module", "require: '{}' must be loaded before a {}: require it at the top of the script", name,
         in_cell() ? "cell" : "run");
  run_module(L, key, text, is_standard ? fmt::format("=stdlib/{}", below) : "@" + shown);
}

namespace {

// A function of the standard library, as scripts call it. The call of `f` is a tail call, so that errors of `f` name
// the caller's line.
constexpr std::string_view kStrict = R"(
local f, name, most = ...
local select, error, form = select, error, string.format
return function(...)
  if select("#", ...) > most and select(most + 1, ...) ~= nil then
    error(form("%s takes %s argument%s, got %d", name, most == 0 and "no" or most, most == 1 and "" or "s",
               select("#", ...)), 2)
  end
  return f(...)
end)";

// Makes the table on top of the stack a module like the native ones: a name that it lacks is an error, and its
// functions refuse more arguments than they have parameters for.
void make_strict(lua_State* L, const std::string& module) {
  if (lua_type(L, -1) != LUA_TTABLE) return;
  const int table = lua_gettop(L);
  lua::each_sorted(L, table, [&] {
    if (lua_type(L, -1) != LUA_TFUNCTION || lua_iscfunction(L, -1) != 0 || !lua::text_at(L, -2)) return;
    lua_Debug about;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">u", &about);
    if (about.isvararg != 0) return;
    const std::string name = fmt::format("{}.{}", module, *lua::text_at(L, -2));
    lua_pushvalue(L, -2);
    load_chunk(L, std::string(kStrict), "=stdlib");
    lua_pushvalue(L, -3);
    lua::push(L, name);
    lua_pushinteger(L, about.nparams);
    lua_call(L, 3, 1);
    lua_rawset(L, table);
  });
  lua::freeze(L, module.c_str());
}

}  // namespace

// Leaves the module's value on the stack.
void Interpreter::run_module(lua_State* L, const std::string& key, const std::string& text,
                             const std::string& chunk) {
  loading_.push_back(key);
  struct Pop {
    std::vector<std::string>& of;
    ~Pop() { of.pop_back(); }
  } pop{loading_};
  load_chunk(L, text, chunk);
  lua::push(L, key);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
  if (chunk.starts_with('=')) make_strict(L, key);
  modules_[key] = lua::Reference(L, -1);
}

int Interpreter::text_width() const { return options_.output || !out_is_terminal() ? 0 : terminal_width(); }

void Interpreter::print(std::string_view text, bool painted) {
  if (checking() || silent()) return;
  progress(nullptr);
  ++printed_;
  if (options_.output)
    options_.output(text);
  else if (!write_out(text, painted))
    fail("unwritable", "standard output cannot be written: {}", std::strerror(errno));
}

void Interpreter::warn(std::string_view line, std::string_view summary, std::uint64_t count) {
  if (in_cell() && !cell_shown_ && repeating_ == 0) {
    const auto same = [&](const CellWarning& each) { return each.text == summary; };
    const auto known = std::ranges::find_if(warnings_of_cell_, same);
    if (known == warnings_of_cell_.end())
      warnings_of_cell_.push_back({std::string(summary), count});
    else
      known->count += count;
  }
  if (silent()) return;
  progress(nullptr);
  if (options_.warnings)
    options_.warnings(line);
  else
    write_error(fmt::format("warning: {}\n", line));
}

void Interpreter::note_reads(const lua::Reads& reads) {
  reads_.add(reads);
  for (const std::string& line : reads.warnings) warn_once(line);
}

void Interpreter::warn_once(const std::string& line) {
  reads_.warnings.insert(line);
  if (repeating_ > 0 || (!in_cell() && silent())) return;
  if ((in_cell() ? warned_in_cell_ : warned_).insert(line).second) warn(line);
}

std::string Interpreter::look_for_file(const std::string& path) {
  reads_.files.insert(path);
  if (in_cell() || checking()) return find_data_file(path);
  std::string& hash = files_so_far_[path];
  std::string real = find_data_file(path);
  if (hash.empty()) hash = file_hash(real);
  return real;
}

std::string Interpreter::data_file(const std::string& path) {
  std::string real = look_for_file(path);
  const auto seen = std::find_if(data_files_.begin(), data_files_.end(), [&](const DataFile& file) {
    return file.asked == path && file.real == real;
  });
  if (seen == data_files_.end()) {
    const auto known = files_so_far_.find(path);
    const bool hashed = known != files_so_far_.end() && !known->second.empty();
    data_files_.push_back({path, real, hashed ? known->second : file_hash(real)});
  }
  return real;
}

namespace {
constexpr const char* kSavedEnd = ".json";  // end of a file of e:save, which a setting names without it
}

std::string Interpreter::find_data_file(const std::string& path) const {
  if (path.find('\0') != path.npos) fail("no_file", "'{}': a path has no byte 0", path);
  std::error_code error;
  const fs::path asked(path);
  std::vector<fs::path> places;
  const auto known = options_.data_files.find(path);
  if (known != options_.data_files.end()) {
    places.emplace_back(known->second);
  } else if (!options_.sources.empty()) {  // a replay: the run looked for it in vain
  } else if (asked.is_absolute()) {
    places.push_back(asked);
  } else {
    places.push_back(fs::path(folder_) / asked);
    for (const std::string& folder : options_.data) places.push_back(fs::path(folder) / asked);
    for (const auto& [name, value] : options_.settings)
      if (value == path || value + kSavedEnd == path) places.push_back(fs::absolute(asked, error));
  }
  bool outside = false;
  for (const fs::path& place : places) {
    const fs::path real = fs::canonical(place, error);
    if (error) continue;
    bool allowed = known != options_.data_files.end() || (!folder_.empty() && inside(real, folder_));
    for (const std::string& folder : options_.data) {
      const fs::path root = fs::canonical(folder, error);
      allowed = allowed || (!error && inside(real, root));
    }
    for (const auto& [name, value] : options_.settings) {
      for (const std::string& each : {value, value + kSavedEnd}) {
        const fs::path named = fs::canonical(each, error);
        allowed = allowed || (!error && named == real);
      }
    }
    if (!allowed) {
      outside = true;
      continue;
    }
    if (fs::is_directory(real, error)) fail("no_file", "{} is a folder, not a file", path);
    if (!fs::is_regular_file(real, error)) fail("no_file", "{} is not a regular file", path);
    if (fs::file_size(real, error) > kLargestData)
      fail("too_large", "{} is larger than {}", path,
           format_quantity(static_cast<double>(kLargestData), Dimension::bytes));
    return real.string();
  }
  if (outside)
    fail("forbidden_file",
         "{} is outside the script's folder; allow it with --data FOLDER or name it with --set NAME=FILE",
         path);
  fail("no_file", "{}: there is no such file", path);
}

std::string Interpreter::output_folder(const std::string& path) const {
  if (options_.out.empty())
    fail("no_output", "nothing is written without an output folder; run with --out FOLDER to save '{}'",
         path);
  const fs::path below = fs::path(path).lexically_normal();
  if (path.empty() || path.find('\0') != path.npos || below.is_absolute() || below.begin() == below.end() ||
      *below.begin() == "..")
    fail("forbidden_file", "'{}' must be below the output folder {}", path, options_.out);
  std::error_code error;
  fs::create_directories(options_.out, error);
  const fs::path root = error ? fs::path() : fs::canonical(options_.out, error);
  if (error || !fs::is_directory(root))
    fail("no_output", "the output folder {} cannot be made: {}", options_.out,
         error ? error.message() : "it is a file");
  const fs::path real = fs::weakly_canonical(root / below, error);
  if (error || !inside(real, root))
    fail("forbidden_file", "'{}' leads out of the output folder {}", path, options_.out);
  return real.string();
}

const std::string* Interpreter::setting(const std::string& name) {
  read_settings_[name] = true;
  reads_.settings.insert(name);
  const auto found = options_.settings.find(name);
  return found == options_.settings.end() ? nullptr : &found->second;
}

void Interpreter::check_settings() const {
  std::vector<std::string> known;
  known.reserve(read_settings_.size());
  for (const auto& [name, read] : read_settings_) known.push_back(name);
  for (const auto& [name, value] : options_.settings) {
    if (read_settings_.contains(name)) continue;
    Diagnostic diagnostic{"unknown_setting",
                          fmt::format("--set {}={}: the script never reads a setting '{}'{}", name, value,
                                      name, did_you_mean(name, known)),
                          {},
                          {}};
    if (!known.empty()) diagnostic.notes.push_back(fmt::format("it reads: {}", fmt::join(known, ", ")));
    diagnostic.notes.emplace_back("what it printed and saved was made without it");
    throw Error(std::move(diagnostic));
  }
}

std::uint64_t Interpreter::next_outcome(const Outcome& outcome) {
  const std::uint64_t ordinal = ++outcomes_;
  const bool counts = options_.cell.empty() ? !in_cell() : in_cell() && cell_shown_;
  if (options_.on_outcome && counts && !options_.on_outcome(ordinal, outcome)) end_script();
  return ordinal;
}

std::string explain(const Error& error, const Interpreter& interpreter) {
  const Diagnostic& diagnostic = error.diagnostic();
  std::string out;
  if (diagnostic.where.known())
    out = diagnostic.where.line > 0 ? fmt::format("{}:{}: ", diagnostic.where.file, diagnostic.where.line)
                                    : diagnostic.where.file + ": ";
  out += "error: " + with_short_token(diagnostic.message) + "\n";
  const std::string line = interpreter.sources().line(diagnostic.where);
  if (!line.empty())
    out += fmt::format("{:>5} | {}\n", diagnostic.where.line, excerpt(line, diagnostic.message));
  for (const std::string& note : diagnostic.notes) out += fmt::format("  note: {}\n", note);
  const std::string* source = interpreter.sources().text(diagnostic.where.file);
  for (const std::string& hint : hints_for(diagnostic, line, source == nullptr ? "" : *source))
    out += fmt::format("  note: {}\n", hint);
  if (const auto* script = dynamic_cast<const ScriptError*>(&error); script && script->trace().size() > 1) {
    out += "  calls, innermost first:\n";
    for (const std::string& call : script->trace()) out += fmt::format("    {}\n", call);
  }
  return out;
}

}  // namespace perigee::interpreter

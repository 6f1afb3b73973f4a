#include "interpreter/session/interpreter.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "interpreter/host/words.h"
#include "interpreter/language/arguments.h"
#include "interpreter/session/chunks.h"
#include "runtime/kernel/math.h"

// Lua's `x ^ y`, in its own library, calls pow. This one takes the place of glibc's, whose last bit depends
// on the CPU.
extern "C" double pow(double x, double y) noexcept { return perigee::math::pow(x, y); }

namespace perigee::session {

namespace fs = std::filesystem;

namespace {

Limits limits_of(const InterpreterOptions& options) {
  return {options.steps, options.memory, options.interactive, options.interruptible, options.check};
}

}  // namespace

Interpreter::Interpreter(OpenWords words, InterpreterOptions options)
    : Guest(limits_of(options), language::vocabulary_wording()),
      open_words_(words),
      options_(std::move(options)),
      cell_(options_.seed),
      output_(options_, cell_),
      files_(options_, cell_),
      settings_(options_, cell_),
      modules_(*this),
      inputs_(*this),
      redefinitions_{options_.interactive},
      stream_(options_.seed, "script") {
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
    return host::guard(L, [&] {
      host::hide_mode(L);
      lua_newtable(L);
      lua_setfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
      host::open_errors(L);
      Interpreter::of(L).open_words_(L);
      language::check_arguments(L);
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
      stop_at_(std::exchange(interpreter.stop_at_, 0)),
      silent_(interpreter.output_) {}
Interpreter::Repeating::~Repeating() {
  interpreter_.looks_ = looks_;
  interpreter_.stop_at_ = stop_at_;
  interpreter_.count_anew();
}

void Interpreter::leave_run() noexcept {
  if (traces_.empty()) return;
  try {
    if (lua_checkstack(running_, 40) != 0) host::protect(running_, [&](lua_State* L) { traces_.leave(L); });
  } catch (const std::exception&) {  // out of memory: the next step of the script says so
    bound();
  }
  traces_.forget();
}

Interpreter::InCell::InCell(Interpreter& interpreter, std::uint64_t seed, bool shown)
    : interpreter_(interpreter),
      own_steps_(interpreter),
      stream_(std::exchange(interpreter.stream_, Stream(seed, "script"))),
      outcomes_(std::exchange(interpreter.outcomes_, 0)) {
  interpreter_.cell_.begin(seed, shown);
}

Interpreter::InCell::~InCell() {
  interpreter_.cell_.end();
  interpreter_.stream_ = stream_;
  interpreter_.outcomes_ = outcomes_;
}

bool Interpreter::keeps_cells() const {
  return !options_.out.empty() && !options_.on_outcome && inputs_.folder().empty() &&
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
  for (const auto& [name, hash] : files_.so_far()) all.add(name), all.add(hash);
  return all.hash();
}

std::string Interpreter::texts() const {
  Joined all;
  all.add(fmt::format("{} {} {}", PERIGEE_VERSION, options_.seed, options_.validate));
  const fs::path folder = fs::path(files_.script()).parent_path();
  std::map<std::string, std::string_view> texts;
  for (const auto& [name, text] : sources().texts())
    texts[name == files_.script() ? "" : fs::path(name).lexically_relative(folder).string()] = text;
  for (const auto& [name, text] : texts) {
    all.add(name);
    host::each_token(text, [&](std::string_view token, int) { all.add(token); });
  }
  for (const auto& [name, value] : options_.settings) all.add(name), all.add(value);
  return all.hash();
}

void Interpreter::run_text(const std::string& name, const std::string& text) {
  sources().set(name, text);
  if (files_.script().empty()) files_.set_script(name);
  if (options_.audience != nullptr && !output_.silent()) options_.audience->began();
  protect_file(state_, name, text, [](lua_State* L) { lua_call(L, 0, 0); });
  if (stopped()) throw Stopped(*stopped_);
}

void Interpreter::run_file(const std::string& path) {
  script_file_ = path;
  files_.set_script(path);
  std::error_code error;
  std::string text;
  if (const auto stored = options_.sources.find(path); stored != options_.sources.end()) {
    text = stored->second;
  } else {
    text = read_text(path, path, "a script");
  }
  const fs::path real = fs::canonical(path, error);
  if (options_.sources.empty() && !error) files_.set_folder(real.parent_path().string());
  run_text(path, text);
}

bool Interpreter::full() const {
  const auto given = options_.settings.find("full");
  return given != options_.settings.end() && given->second == "true";
}

void Interpreter::note_reads(const values::Reads& reads) {
  cell_.add(reads);
  for (const std::string& line : reads.warnings) output_.warn_once(line);
}

std::uint64_t Interpreter::next_outcome(const Outcome& outcome) {
  const std::uint64_t ordinal = ++outcomes_;
  const bool counts = options_.cell.empty() ? !cell_.under_way() : cell_.under_way() && cell_.shown();
  if (options_.audience != nullptr && counts && !output_.silent()) options_.audience->ran(ordinal, outcome);
  if (options_.on_outcome && counts && !options_.on_outcome(ordinal, outcome)) end_script();
  return ordinal;
}

}  // namespace perigee::session

// One Lua state with perigee's vocabulary, in which one script runs. Several may live side by side, each used
// by one thread at a time; nothing is global.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"
#include "interpreter/session/cells.h"
#include "interpreter/session/claims.h"
#include "interpreter/session/plain_data.h"
#include "interpreter/values/reads.h"
#include "interpreter/values/schedulers.h"
#include "runtime/engine/simulation.h"
#include "runtime/kernel/random.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::interpreter {

inline constexpr std::uint64_t kDefaultMemory = std::uint64_t{4} << 30;

struct InterpreterOptions {
  std::uint64_t seed = 1;
  std::map<std::string, std::string> settings = {};  // --set name=value
  std::uint64_t steps = 0;                // Lua instructions and work counted as such; 0 = no limit
  std::uint64_t memory = kDefaultMemory;  // bytes of all values; 0 = no limit
  std::string out = {};                   // where :save may write; empty = nowhere
  std::vector<std::string> data = {};     // folders that readers may open besides the script's
  bool check = false;                     // declarations only, nothing runs
  bool validate = false;                  // re-check the trace of every run
  std::function<void(std::string_view)> output = {};    // output of print; empty = standard output
  std::function<void(std::string_view)> warnings = {};  // one line each; empty = standard error
  // For a replay, the texts that take the place of the script's files: path as shown -> text.
  std::map<std::string, std::string> sources = {};
  std::map<std::string, std::string> data_files = {};  // data files it read: name as asked for -> real path
  // Called with every outcome, counted from 1; returning false ends the script there.
  std::function<bool(std::uint64_t ordinal, const Outcome&)> on_outcome = {};
  bool interactive = false;    // interrupt() stops a run, and the run can be examined afterwards
  bool interruptible = false;  // interrupt() stops a run; it is called in the thread of the run
  // Called now and then during a run; with null when it is over or something else is printed.
  std::function<void(const Simulation*)> on_progress = {};
  unsigned jobs = 1;  // interpreters that compute the cells of an experiment of a script in a file
  // The only cell to be computed and shown, then the script ends: "7" is a cell of its first experiment; or
  // "name:7".
  std::string cell = {};
  // Like on_progress, for cells; called from any thread.
  std::function<void(const CellProgress*)> on_cells = {};
  Cells* worker_of = nullptr;  // computes cells for another interpreter
};

class Interpreter : public Guest {
 public:
  // Opens the words in a new state. They are above the session, which is given this function.
  using OpenWords = void (*)(lua_State* L);
  explicit Interpreter(OpenWords words, InterpreterOptions options = {});
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // ScriptError or Stopped when the script fails; Error when the file cannot be read.
  void run_file(const std::string& path);
  void run_text(const std::string& name, const std::string& text);

  static Interpreter& of(lua_State* L) { return static_cast<Interpreter&>(Guest::of(L)); }
  const InterpreterOptions& options() const { return options_; }
  OpenWords open_words() const { return open_words_; }  // for another interpreter with the same words
  Catalogue& catalogue() { return catalogue_; }
  Stream& script_stream() { return stream_; }  // the stream of math.random
  // While an object of this class lives, the script is called by a run or a generator. Its results must not
  // depend on numbers that were drawn before.
  class InRun {
   public:
    explicit InRun(Interpreter& interpreter) : interpreter_(interpreter) { ++interpreter_.in_run_; }
    ~InRun() {
      if (--interpreter_.in_run_ == 0) interpreter_.leave_run();
    }
    InRun(const InRun&) = delete;
    InRun& operator=(const InRun&) = delete;

   private:
    Interpreter& interpreter_;
  };
  // Called when a run or a heuristic ends, also by an error. Notes the values outside of `self` that
  // callbacks have changed.
  void leave_run() noexcept;
  bool in_run() const { return in_run_ > 0; }
  lua::Traces& traces() { return traces_; }
  // The findings of words_of (plain_data.cpp): file, first and last line of a function -> identifiers.
  using Words =
      std::map<std::tuple<std::string, int, int>, std::optional<std::optional<std::vector<std::string>>>>;
  Words& words() { return words_; }
  // ---- experiments
  // While an object of this class lives, the script computes a cell. The cell has random numbers and steps of
  // its own, and is silent unless it is `shown`.
  class InCell {
   public:
    InCell(Interpreter& interpreter, std::uint64_t seed, bool shown);
    ~InCell();
    InCell(const InCell&) = delete;
    InCell& operator=(const InCell&) = delete;

   private:
    Interpreter& interpreter_;
    Stream stream_;
    std::uint64_t steps_, counted_, outcomes_, work_;
    double began_;
    int uncounted_;
  };
  bool in_cell() const { return cell_seed_.has_value(); }
  std::uint64_t cell() const {
    return in_cell() ? cells_begun_ : 0;
  }  // its number among the cells computed here, from 1; 0 = none
  // True: nothing is printed, warned of or written, for this is a cell, or a worker that repeats the script.
  bool silent() const { return repeating_ > 0 || apart(); }
  // While an object of this class lives, callbacks repeat earlier work. Nothing is printed or saved. Neither
  // steps nor looks are counted, because the amount of repeated work depends on the places of keyframes.
  class Repeating {
   public:
    explicit Repeating(Interpreter& interpreter);
    ~Repeating();
    Repeating(const Repeating&) = delete;
    Repeating& operator=(const Repeating&) = delete;

   private:
    Interpreter& interpreter_;
    Uncounted uncounted_;
    std::uint64_t looks_, stop_at_;
  };
  // Whether saved files are written: not in silence, nor in a replay. To be asked once for all files of a
  // call, because it counts the work of writing them, in any case.
  bool writes() {
    constexpr std::uint64_t kStepsOfWriting = 20'000;
    count(kStepsOfWriting);
    return !silent() && !options_.on_outcome;
  }
  // The seed of runs and streams that name none: the cell's, or the script's.
  std::uint64_t seed() const { return cell_seed_.value_or(options_.seed); }
  // Names of the files and settings that the cell, or outside of cells the script, has looked for so far.
  const std::set<std::string>& files_of_cell() const { return reads_.files; }
  const std::set<std::string>& settings_of_cell() const { return reads_.settings; }
  // Called when the script has named a seed of its own for something random.
  void note_seed(std::uint64_t seed) {
    if (seed != this->seed()) reads_.seeds.insert(seed);
  }
  const std::set<std::uint64_t>& seeds_of_cell() const { return reads_.seeds; }
  // While an object of this class lives, reads are collected for one thing that is made. At its end the
  // earlier reads of the cell are added to them again.
  class Reading {
   public:
    explicit Reading(Interpreter& interpreter)
        : interpreter_(interpreter), before_(std::exchange(interpreter.reads_, {})) {}
    ~Reading() { interpreter_.reads_.add(before_); }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    const lua::Reads& reads() const { return interpreter_.reads_; }

   private:
    Interpreter& interpreter_;
    lua::Reads before_;
  };
  // Notes the reads from which an object was made that the cell is given.
  void note_reads(const lua::Reads& reads);
  // The warnings that a silent cell would have printed.
  const std::vector<CellWarning>& warnings_of_cell() const { return warnings_of_cell_; }
  // note_incomplete: a run of the cell ended with work left. note_status_read: the script looks whether runs
  // do.
  void note_incomplete(std::string text) {
    if (in_cell() && incomplete_.empty()) incomplete_ = std::move(text);
  }
  void note_status_read() { status_read_ = true; }
  const std::string& incomplete() const { return incomplete_; }
  bool status_read() const { return status_read_; }
  // Whether constructors note their arguments, so that later runs can recognize the values that they made.
  bool records() const { return keeps_cells() && !in_cell() && !in_run(); }
  // The words of perigee before the script, kept if constructors note their arguments: object -> name.
  using WordNames = std::unordered_map<const void*, std::string>;
  const WordNames& word_names() const { return word_names_; }
  void set_word_names(WordNames names) { word_names_ = std::move(names); }
  // How the content of a native type is told by the object at the index of a stack.
  using ContentOf = std::string (*)(lua_State* L, int index);
  void note_content(std::string_view type, ContentOf content) { contents_[std::string(type)] = content; }
  const std::map<std::string, ContentOf>& contents() const { return contents_; }
  // Who computes the cells of the script; null while nobody does.
  Cells* cells() const { return options_.worker_of != nullptr ? options_.worker_of : cells_.get(); }
  void set_cells(std::unique_ptr<Cells> cells) { cells_ = std::move(cells); }
  std::size_t next_experiment() { return experiments_++; }
  bool keeps_cells() const;
  const std::string& script_file() const { return script_file_; }  // empty when the script is no file
  // Hash of everything that a cell can depend on besides its factors and seed: version, script, modules,
  // settings, the script's seed, and the files that were looked for so far.
  std::string context() const;
  // The same without the files; comments and blank space of the texts do not count.
  std::string texts() const;
  // Files that were looked for so far outside of cells: name -> hash, empty when there was no such file.
  const std::map<std::string, std::string>& files_so_far() const { return files_so_far_; }
  // See Cells::failed.
  std::string failed_cells() const { return cells_ ? cells_->failed() : std::string(); }
  // Ends the script here, without an error.
  [[noreturn]] void end_script() {
    done_ = true;
    stop("done", "nothing more is wanted");
  }

  // `painted`: the text is a picture of perigee's own. Its colours are kept, and its names are printable.
  void print(std::string_view text, bool painted = false);
  int text_width() const;  // columns of the terminal that gets the output; 0 = none
  void warn(std::string_view line) { warn(line, line); }
  // In a silent cell the summary is kept instead. Warnings of several cells with the same summary are alike.
  void warn(std::string_view line, std::string_view summary, std::uint64_t count = 0);
  // Warns once for the script; in a cell, once for the cell.
  void warn_once(const std::string& line);

  const std::string& script() const { return script_; }
  const std::string& folder() const { return folder_; }

  // Loads a module of the script's folder or of the standard library; pushes its value.
  void require(lua_State* L, std::string_view name);
  const std::map<std::string, lua::Reference>& modules() const { return modules_; }  // loaded ones

  // A file that a reader may open: its real path, under the script's folder or named on the command line.
  // Notes it for the replay card.
  std::string data_file(const std::string& path);
  // The same for a file that may be missing and is not read here. That it was looked for is noted.
  std::string look_for_file(const std::string& path);
  std::string find_data_file(const std::string& path) const;  // without any note
  struct DataFile {
    std::string asked, real, hash;
  };
  const std::vector<DataFile>& data_files() const { return data_files_; }
  // The folder or file that :save and figures may write. Error when --out was not given or `path` leads
  // outside.
  std::string output_folder(const std::string& path) const;

  // A setting of the command line, null when it was not given. Reading it notes that the script knows it.
  const std::string* setting(const std::string& name);
  // Error when the command line set something that the script never read.
  void check_settings() const;

  // ---- a session at a prompt: texts that run one after another in the same state
  // The folder whose files the session may read; the session is the script `name`.
  void begin_session(const std::string& name, const std::string& folder);
  // One text or file of the session, as a replay needs it.
  struct Input {
    std::string text;
    std::string file = {}, folder = {};  // the file of :load as shown, and its real folder
    std::uint64_t stopped_at = 0;        // the look at which Ctrl-C stopped it; 0 = it was not stopped
  };
  std::vector<Input>& session() { return session_; }
  const std::vector<Input>& session() const { return session_; }
  const std::string& session_folder() const { return session_folder_; }
  // Runs a file of the session. The locals of its top level stay, as globals.
  void load_file(const std::string& path);
  void load_input(const Input& file);
  std::uint64_t printed() const { return printed_; }  // calls of print()
  void progress(const Simulation* simulation);        // null: no line of progress from here on
  // While an object of this class lives, a native run is under way. The run looks at interrupts itself.
  class Advancing {
   public:
    explicit Advancing(Interpreter& interpreter) : interpreter_(interpreter) { ++interpreter_.advancing_; }
    ~Advancing() {
      --interpreter_.advancing_;
      interpreter_.progress(nullptr);
    }
    Advancing(const Advancing&) = delete;
    Advancing& operator=(const Advancing&) = delete;

   private:
    Interpreter& interpreter_;
  };
  bool done() const { return done_; }  // nothing more is wanted of the script

  void note_claim(Claim claim) { claims_.push_back(std::move(claim)); }
  const std::vector<Claim>& claims() const { return claims_; }  // so far

  std::uint64_t next_outcome(const Outcome& outcome);   // the outcome's ordinal
  std::uint64_t outcomes() const { return outcomes_; }  // so far
  // Whether a policy or heuristic of the script takes the place of an earlier one of that name.
  bool redefines() const { return redefines_; }
  void let_redefine() { redefines_ = true; }
  std::uint64_t redefined() const { return redefined_; }  // how often one has replaced another
  void note_redefined() { ++redefined_; }

 private:
  std::string module_text(std::string_view name, const std::string& below, const std::string& shown);
  void run_module(lua_State* L, const std::string& key, const std::string& text, const std::string& chunk);

  bool apart() const { return options_.worker_of != nullptr || (in_cell() && !cell_shown_); }
  void open();

  OpenWords open_words_;
  InterpreterOptions options_;
  Catalogue catalogue_;
  Stream stream_;
  int in_run_ = 0;
  int repeating_ = 0;
  lua::Traces traces_;
  Words words_;
  std::uint64_t outcomes_ = 0;
  bool redefines_ = false;
  std::uint64_t redefined_ = 0;
  std::vector<Input> session_;
  std::string session_folder_;
  std::uint64_t printed_ = 0;
  bool shows_progress_ = false;
  bool done_ = false;
  std::unique_ptr<Cells> cells_;
  std::uint64_t cells_begun_ = 0;  // computed here so far
  std::size_t experiments_ = 0;    // experiments that the script has come to
  std::optional<std::uint64_t> cell_seed_;
  bool cell_shown_ = false;
  lua::Reads reads_;
  std::vector<CellWarning> warnings_of_cell_;
  std::string incomplete_;
  bool status_read_ = false;
  std::set<std::string> warned_, warned_in_cell_;
  std::map<std::string, std::string> files_so_far_;
  WordNames word_names_;
  std::map<std::string, ContentOf> contents_;
  std::string script_file_;
  std::string script_;  // as shown
  std::string folder_;  // real path of the script's folder
  std::vector<DataFile> data_files_;
  std::map<std::string, bool> read_settings_;
  std::vector<Claim> claims_;
  std::vector<std::string> loading_;  // modules being required
  std::map<std::string, lua::Reference> modules_;
};

// This text may follow the last statement of a text that is called with push_keeper() on the stack. The
// locals of the text's top level then stay, as globals.
inline constexpr std::string_view kKeepLocals = "\n;(...)()";
void push_keeper(lua_State* L);

// The hash of the content of a file, with its size.
std::string file_hash(const std::string& path);

// Makes words note how values were made, where cells are kept. To be called when all words are open.
void open_recipes(lua_State* L);

// "file:14: error: message", the source line, notes and the calls that led there.
std::string explain(const Error& error, const Interpreter& interpreter);

}  // namespace perigee::interpreter

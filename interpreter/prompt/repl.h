// The prompt, without a terminal: lines in, text out. The front end is line_editor.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/session/interpreter.h"

namespace perigee::prompt {

class Repl {
 public:
  // Text that scripts print goes at once to options.output or standard output.
  explicit Repl(InterpreterOptions options);

  struct Reply {
    std::string output = {};  // values and answers of commands
    std::string error = {};   // ready to be shown; empty = all went well
    std::string code = {};    // the error in one word, where it is one of the script
    bool needs_more = false;  // the input goes on in the next line
    bool quit = false;
  };
  // One line, without its end.
  Reply feed(const std::string& line);
  // Called when no more lines come. An input that needs more is an error.
  Reply finish();
  // Forgets the lines of an input that needs more.
  void cancel() { pending_.clear(); }
  bool pending() const { return !pending_.empty(); }
  bool needs_more(const std::string& line);  // whether the input goes on after `line`
  Reply load(const std::string& path);
  // One cell of a notebook. Messages name its lines by `name`, as in "In [3]:2". Its first lines may be commands.
  // The value of a last expression is shown, also where statements stand before it.
  Reply cell(const std::string& name, const std::string& text);
  enum class State : std::uint8_t { complete, incomplete, invalid };
  State state_of_cell(const std::string& text);
  // From here on each value of an input is given to `show`, and is not in Reply::output.
  void show_values_by(std::function<void(lua_State* L, int index)> show) { show_ = std::move(show); }
  // Commands of cells name files below this folder only: a notebook may be somebody else's.
  void confine_commands(const std::string& folder) { confined_to_ = folder; }
  // Repeats an input of an earlier session, for a replay. It stops where it stopped in that session.
  Reply repeat(const Input& input);

  struct Completion {
    std::size_t start = 0;  // candidates replace text[start, cursor)
    std::vector<std::string> candidates = {};
  };
  Completion complete(const std::string& text, std::size_t cursor);
  // Help on the word; the commands where it is empty. Empty when nothing is known of it.
  std::string help(const std::string& topic);

  // The session as a script that repeats it.
  std::string script() const;
  Interpreter& interpreter() { return interpreter_; }

 private:
  std::string meant(const std::string& text);
  bool is_open(const std::string& input);
  Reply command(const std::string& line);
  struct Running;
  Reply run(const std::string& text, bool timed, const std::string& cell = {});
  void compile(lua_State* L, Running& input);
  void evaluate(lua_State* L, Running& input, Reply& reply);
  void note(const Running& input, const Reply& reply, bool limited);
  template <class F>
  Reply load_by(const std::string& path, F load);
  std::string error_text(const Error& error);
  Reply write(const std::string& path);
  // Notes the last input: `as` as it stands in a script, `kept` as it stands there when the script uses `_`,
  // the last value.
  void remember(const std::string& as, const std::string& kept = {});
  // Adds the text of the last input, as it was typed, to the page.
  void turn_page(const std::string& text);
  std::string file_of_command(std::string_view command, const std::string& given) const;
  std::string declared(const std::set<std::string>& known);
  std::string in_spite(const std::string& text, const std::set<std::string>& known);
  std::string as_far_as(const std::string& text, bool left, std::uint64_t outcomes);
  std::string not_repeated(const std::string& text);

  Interpreter interpreter_;
  std::string pending_;
  std::string confined_to_;
  std::function<void(lua_State*, int)> show_;
  std::string name_, source_;  // of the page of all inputs, which messages quote
  std::size_t lines_ = 0;      // lines of the page
  int pages_ = 1;
  struct Statement {
    std::string plain, kept;
  };
  std::vector<Statement> inputs_;  // the statements of script()
  bool uses_last_ = false;         // some input uses `_`
  bool differs_ = false;           // the script may differ from the session
};

}  // namespace perigee::prompt

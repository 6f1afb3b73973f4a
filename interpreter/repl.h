// The prompt, without a terminal: lines in, text out. The front end is line_editor.h.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/interpreter.h"

namespace perigee::interpreter {

class Repl {
 public:
  // What scripts print goes to options.output, or standard output, as it comes.
  explicit Repl(InterpreterOptions options);

  struct Reply {
    std::string output = {};  // values, answers of commands
    std::string error = {};   // ready to be shown; empty = all went well
    bool needs_more = false;  // the input goes on in the next line
    bool quit = false;
  };
  // One line, without its end.
  Reply feed(const std::string& line);
  // No more lines come: what is open is an error.
  Reply finish();
  // Forgets the lines of an input that needs more.
  void cancel() { pending_.clear(); }
  bool pending() const { return !pending_.empty(); }
  bool needs_more(const std::string& line);  // whether the input goes on after this line
  Reply load(const std::string& path);
  // An input of an earlier session, for a replay: it stops where it stopped then.
  Reply repeat(const Interpreter::Input& input);

  struct Completion {
    std::size_t start = 0;  // candidates replace text[start, cursor)
    std::vector<std::string> candidates = {};
  };
  Completion complete(const std::string& text, std::size_t cursor);

  // The session as a script that repeats it.
  std::string script() const;
  Interpreter& interpreter() { return interpreter_; }

 private:
  std::string meant(const std::string& text);
  bool is_open(const std::string& input);
  Reply command(const std::string& line);
  Reply run(const std::string& text, bool timed);
  template <class F>
  Reply load_by(const std::string& path, F load);
  std::string error_text(const Error& error);
  std::string help(const std::string& topic);
  // The last input, as it was typed and as it stands in a script; `kept` where the script uses `_`, the last
  // value.
  void remember(const std::string& text, const std::string& as, const std::string& kept = {});
  std::string declared(const std::set<std::string>& known);
  std::string in_spite(const std::string& text, const std::set<std::string>& known);
  std::string as_far_as(const std::string& text, bool left, std::uint64_t outcomes);
  std::string not_repeated(const std::string& text);

  Interpreter interpreter_;
  std::string pending_;
  std::string name_, source_;  // of the page of inputs, one below the other, that messages quote
  std::size_t lines_ = 0;      // of it
  int pages_ = 1;
  struct Statement {
    std::string plain, kept;
  };
  std::vector<Statement> inputs_;  // of a script
  bool uses_last_ = false;         // some input uses `_`
  bool differs_ = false;           // the script may do something else
};

}  // namespace perigee::interpreter

// Texts that a script prints, and warnings of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "interpreter/session/audience.h"
#include "interpreter/session/cell_state.h"
#include "interpreter/session/options.h"

namespace perigee::session {

class Output {
 public:
  Output(const InterpreterOptions& options, CellState& cell) : options_(options), cell_(cell) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // True: nothing is printed, warned of or written, for this is a cell, or a worker that repeats the script.
  bool silent() const { return repeating_ > 0 || apart(); }
  // Nothing is printed, warned of or written any more: a shard lacks results.
  void fall_silent() { fallen_silent_ = true; }
  // While an object of this class lives, nothing is printed or saved, because earlier work is repeated.
  class Repeating {
   public:
    explicit Repeating(Output& output) : output_(output) { ++output_.repeating_; }
    ~Repeating() { --output_.repeating_; }
    Repeating(const Repeating&) = delete;
    Repeating& operator=(const Repeating&) = delete;

   private:
    Output& output_;
  };

  // `painted`: the text is a picture of perigee's own. Its colours are kept, and its names are printable.
  void print(std::string_view text, bool painted = false);
  // Prints the text, or nothing if it is empty. The audience is shown the item instead, which is made only if there is
  // one.
  void show(std::string_view text, bool painted, const std::function<pages::Item()>& item);
  // Prints the line of a claim.
  void claim(std::string_view line, const std::function<pages::Judgement()>& item);
  bool has_audience() const { return options_.audience != nullptr && !silent() && !options_.check; }
  std::uint64_t printed() const { return printed_; }  // calls of print()
  int width() const;                                  // columns of the terminal that gets it; 0 = none
  void warn(std::string_view line) { warn(line, line); }
  // In a silent cell the summary is kept instead. Warnings of several cells with the same summary are alike.
  void warn(std::string_view line, std::string_view summary, std::uint64_t count = 0);
  // Warns once for the script; in a cell, once for the cell.
  void warn_once(const std::string& line);
  void progress(const Simulation* simulation);  // null: no line of progress from here on

 private:
  void write(std::string_view text, bool painted);
  bool apart() const {
    return fallen_silent_ || options_.worker_of != nullptr || (cell_.under_way() && !cell_.shown());
  }

  const InterpreterOptions& options_;
  CellState& cell_;
  int repeating_ = 0;
  bool fallen_silent_ = false;
  std::uint64_t printed_ = 0;
  bool shows_progress_ = false;
};

}  // namespace perigee::session

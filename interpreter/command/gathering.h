// Scripts run for their claims, and held against the rows of the full form.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/command/scripts.h"
#include "interpreter/command/verdict_rows.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/recorder.h"

namespace perigee::command {

struct GatheringRequest {
  bool full = false;   // studies in their full form
  bool check = false;  // nothing runs: the rows are held against the scripts
  std::string rows;    // file with what the full form found; empty = none
};

// Whoever looks at a script as it runs.
struct Watch {
  session::Recorder* recorder = nullptr;  // gets what the script shows
  // Called when the script has ended, with what it claims. Rows have not taken the place of its findings yet.
  std::function<void(session::Interpreter&, const session::ScriptClaims&)> ended = {};
};

// As scripts_in names it where it comes with perigee, else as it was given.
std::string name_of_script(const std::string& path, const std::string& given);

// Everything that is asked of scripts and rows together.
class Gathering {
 public:
  Gathering(GatheringRequest request, const session::InterpreterOptions& options);

  // Runs the script, or looks at its rows. Its errors are told on standard error.
  void take(const ScriptInfo& script, const Watch& watch = {});
  // Takes each by the call, which gets its place, until a signal asks perigee to end. Says so, and returns the signal;
  // 0 = all were taken.
  int take_all(std::span<const ScriptInfo> scripts, const std::function<void(std::size_t)>& take_one);
  // Faults of rows about scripts that make no claims any more.
  void look_for_stale_rows();
  void fault(const std::string& text);

  std::vector<session::ScriptClaims>& found() { return found_; }
  const std::vector<VerdictRow>& rows() const { return rows_; }
  const std::vector<std::string>& faults() const { return faults_; }  // told so far
  int status() const { return status_; }                              // the exit status

 private:
  void take_from_run(const ScriptInfo& script, const Watch& watch);
  void sort_rows();
  std::vector<VerdictRow> rows_of(const ScriptInfo& script);
  void compare_verdicts(const ScriptInfo& script, const session::Claim& claim, std::string_view verdict,
                        const VerdictRow& row);
  void show_full_form(const ScriptInfo& script, const std::vector<VerdictRow>& rows, session::Claim& claim);
  void take_from_rows(const ScriptInfo& script);
  void look_for_missing_rows(const ScriptInfo& script, const session::ScriptClaims& its);

  GatheringRequest request_;
  const session::InterpreterOptions& options_;
  std::vector<VerdictRow> rows_;
  std::vector<session::ScriptClaims> found_;
  std::vector<std::string> seen_;  // scripts
  std::vector<std::string> faults_;
  int status_;
};

}  // namespace perigee::command

// The prompt's front end: libedit on a terminal, plain lines otherwise.
#pragma once

#include <functional>
#include <string>

#include "interpreter/prompt/repl.h"

namespace perigee::prompt {

// Whether standard input and standard output are terminals.
bool at_terminal();

// For InterpreterOptions::on_progress: one line on standard error that is written over and over once a run
// takes long, and erased when it is over. Empty where no terminal can show it.
std::function<void(const Simulation*)> progress_line();

// Runs the session until it is left and returns the exit status. Without a terminal the first error ends it,
// with status 1.
int run_prompt(Repl& repl, const std::string& script);

}  // namespace perigee::prompt

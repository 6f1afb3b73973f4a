// Pages of results folders.
#pragma once

#include <string>

#include "interpreter/session/recorder.h"

namespace perigee::command {

inline constexpr const char* kRunning = "running";

// Writes what a script showed, and its experiments, into the folder of --out, for `perigee report`. `problem`: why the
// script ended early; kRunning while it has not ended. A warning says where the folder cannot be
// written.
void keep_record(session::Interpreter& interpreter, const session::Recorder& recorder,
                 const std::string& problem);

// Makes the page of a results folder in the file `output`, or, if that is empty, in report.html there. Returns the file.
// Errors: "no_results" if the folder is none, "too_large" with the size and what to leave out, "foreign_file" if there is
// a file that is no page of perigee's.
std::string report_of(const std::string& folder, const std::string& output);

}  // namespace perigee::command

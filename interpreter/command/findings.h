#pragma once

#include <string>
#include <vector>

#include "interpreter/session/options.h"

namespace perigee::command {

struct FindingsRequest {
  std::vector<std::string>
      asked;           // scripts, or numbers of statements; empty = all scripts that come with perigee
  bool full = false;   // studies in their full form
  bool check = false;  // nothing runs: the rows are held against the scripts
  std::string rows;    // file with what the full form found; empty = none
  std::string html;    // file that gets an HTML page, "-" = standard output; empty = the page is Markdown
};

// Runs scripts for their claims and discards their output. Prints a page and returns the exit status. In the
// full form, the findings of the scripts that ran take the place of their rows in the file. Else the file's
// rows are shown, and rows whose verdicts are not the scripts' are complained about.
int findings(const FindingsRequest& request, const InterpreterOptions& options);

}  // namespace perigee::command

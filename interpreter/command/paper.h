// A publication's folder of scripts as one page.
#pragma once

#include <string>
#include <vector>

#include "interpreter/session/options.h"

namespace perigee::command {

struct PaperRequest {
  std::string folder;  // of scripts; or the name of one that comes with perigee
  std::string output;  // the file that gets the page; "-" = standard output; empty = by the folder's name
  std::string rows;    // file with what the full form found; empty = none
  std::vector<std::string> without;  // scripts of which the page does not have what they show
  bool full = false;                 // studies in their full form
  bool times = false;                // the page has the time that each script took
};

// Runs all scripts of the folder in the order of their names, and makes a page of what they show and claim. Tells on
// standard error how far it is. The exit status.
int paper(const PaperRequest& request, const session::InterpreterOptions& options);

}  // namespace perigee::command

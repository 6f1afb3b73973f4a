// The page on what scripts found about publications.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "interpreter/command/verdict_counts.h"
#include "interpreter/session/claims.h"

namespace perigee::command {

// The faults of the claims as a whole: a source whose statements differ, a number of two publications. `all`:
// all scripts ran, and each statement has one claim, or a reason why it has none.
std::vector<std::string> faults_of(std::span<const session::ScriptClaims> scripts, bool all);

enum class Shown : std::uint8_t {
  everything,  // every statement, and the counts
  claimed,     // statements that have a claim, and the counts
  asked        // the statements that are given, without counts
};

// The publications of which the page shows some statement.
std::vector<const session::Publication*> publications_shown(std::span<const session::ScriptClaims> scripts,
                                                            const std::multimap<std::string, Made>& claims,
                                                            Shown shown);

// The page in Markdown. Each publication has the counts of its verdicts, then its statements in the order of
// the text. A table for each other source follows, and at the end the scripts that did not run. `full`: the
// claims are of the full form.
std::string findings_page(std::span<const session::ScriptClaims> scripts, Shown shown, bool full);

}  // namespace perigee::command

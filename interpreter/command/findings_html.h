// Findings of scripts about publications, as parts of HTML pages.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/command/findings_page.h"
#include "interpreter/session/claims.h"
#include "runtime/pages/document.h"

namespace perigee::command {

// The id of each claim on a page, for links: the number of its statement where that is the only one.
using ClaimIds = std::map<const session::Claim*, std::string>;
ClaimIds ids_of(std::span<const session::ScriptClaims> scripts);

// The first words of a page: scripts that failed, claims that came out otherwise than their verdicts say, other faults.
std::vector<std::string> warnings_of(std::span<const session::ScriptClaims> scripts, bool full,
                                     const std::vector<std::string>& faults);
// How many statements have which verdict, what the verdicts mean, and the counts of each publication if there are several.
pages::Section verdicts_section(std::span<const session::ScriptClaims> scripts, bool full);
// All statements and other claims in one table, which leads to them.
pages::Section statements_section(std::span<const session::ScriptClaims> scripts, Shown shown, bool full,
                                  const ClaimIds& ids);
// Claims that hold by a rule or setting that was chosen for it; without items if there is none.
pages::Section chosen_section(std::span<const session::ScriptClaims> scripts, const ClaimIds& ids);
// A statement about which nothing was claimed, and why.
pages::Judgement untested(const session::Statement& statement, std::string_view source);
// The claim with its id and place, and the script that made it.
pages::Judgement judged(const session::ScriptClaims& script, const session::Claim& claim, bool full,
                        const ClaimIds& ids);

// The commands to type for a page.
struct PageCommands {
  std::string again;       // for the same one; empty = the page does not say
  std::string full, kept;  // for one with the numbers that the verdicts rest on; empty = this one has them
};
pages::Facts commands_of(const PageCommands& commands);

// The page of all publications. Each statement stands beside what came out of it.
pages::Document findings_document(std::span<const session::ScriptClaims> scripts, Shown shown, bool full,
                                  const std::vector<std::string>& faults, const PageCommands& commands = {});

}  // namespace perigee::command

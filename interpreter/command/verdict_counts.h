// Claims of scripts by their statements, and how many have which verdict.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "interpreter/session/claims.h"

namespace perigee::command {

struct Made {
  const session::ScriptClaims* script;
  const session::Claim* claim;
};

// The claims by the numbers of their statements, in the order of the scripts.
std::multimap<std::string, Made> claims_by_number(std::span<const session::ScriptClaims> scripts);
// Each publication once, though several scripts have declared it.
std::vector<const session::Publication*> publications_of(std::span<const session::ScriptClaims> scripts);

struct Counts {
  std::array<std::size_t, session::kVerdicts> verdicts{};
  std::array<std::size_t, session::kVerdicts> unshown{};  // of them, those that a short run does not show
  std::size_t statements = 0, missing = 0, unclaimed = 0, chosen = 0, parted = 0;

  void add(const Counts& other) {
    for (std::size_t v = 0; v < verdicts.size(); ++v) {
      verdicts[v] += other.verdicts[v];
      unshown[v] += other.unshown[v];
    }
    statements += other.statements;
    missing += other.missing;
    unclaimed += other.unclaimed;
    chosen += other.chosen;
    parted += other.parted;
  }
  void add(const session::Claim& claim, bool full) {
    ++verdicts[static_cast<std::size_t>(claim.verdict)];
    if (!claim.chosen.empty()) ++chosen;
    if (!claim.stands(full)) ++parted;
    if (claim.is_unshown(full)) ++unshown[static_cast<std::size_t>(claim.verdict)];
  }
  std::size_t all_unshown() const { return std::accumulate(unshown.begin(), unshown.end(), std::size_t{0}); }
};

// Counts of the statements of a publication. The first one of several claims about a statement counts.
Counts counted(const session::Publication& publication, const std::multimap<std::string, Made>& claims,
               bool full);
// Counts of the claims about no statement: those that are ours, or those that other publications say.
Counts counted_others(std::span<const session::ScriptClaims> scripts, bool full, bool ours);
// The number of claims that came out otherwise than their verdicts say.
std::size_t parted(std::span<const session::ScriptClaims> scripts, bool full);

}  // namespace perigee::command

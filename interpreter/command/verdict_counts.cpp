#include "interpreter/command/verdict_counts.h"

#include <algorithm>

namespace perigee::command {

using session::Claim;
using session::Publication;
using session::ScriptClaims;
using session::Statement;

std::multimap<std::string, Made> claims_by_number(std::span<const ScriptClaims> scripts) {
  std::multimap<std::string, Made> by_number;
  for (const ScriptClaims& script : scripts)
    for (const Claim& claim : script.claims)
      if (!claim.statement.empty()) by_number.emplace(claim.statement, Made{&script, &claim});
  return by_number;
}

std::vector<const Publication*> publications_of(std::span<const ScriptClaims> scripts) {
  std::vector<const Publication*> all;
  for (const ScriptClaims& script : scripts)
    for (const Publication& publication : script.publications)
      if (std::ranges::none_of(all, [&](const Publication* p) { return p->source == publication.source; }))
        all.push_back(&publication);
  return all;
}

Counts counted(const Publication& publication, const std::multimap<std::string, Made>& claims, bool full) {
  Counts counts;
  for (const Statement& statement : publication.statements) {
    ++counts.statements;
    if (const auto made = claims.find(statement.number); made != claims.end())
      counts.add(*made->second.claim, full);
    else if (!statement.missing.empty() || !statement.data.empty())
      ++counts.missing;
    else
      ++counts.unclaimed;
  }
  return counts;
}

Counts counted_others(std::span<const ScriptClaims> scripts, bool full, bool ours) {
  Counts counts;
  for (const ScriptClaims& script : scripts)
    for (const Claim& claim : script.claims) {
      if (!claim.statement.empty() || claim.is_ours() != ours) continue;
      ++counts.statements;
      counts.add(claim, full);
    }
  return counts;
}

std::size_t parted(std::span<const ScriptClaims> scripts, bool full) {
  std::size_t count = 0;
  for (const ScriptClaims& script : scripts)
    count += static_cast<std::size_t>(
        std::ranges::count_if(script.claims, [&](const Claim& claim) { return !claim.stands(full); }));
  return count;
}

}  // namespace perigee::command

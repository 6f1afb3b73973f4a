#include "interpreter/session/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perigee::session {

namespace {

// A cell of a Markdown table.
std::string claims_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '_' || c == '`' || c == '[') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"reproduces", "does not reproduce", "source in error"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string findings_page(std::span<const ScriptClaims> scripts) {
  std::vector<std::string_view> sources;
  std::size_t counts[3] = {}, parted = 0;
  for (const ScriptClaims& script : scripts)
    for (const Claim& claim : script.claims) {
      if (std::find(sources.begin(), sources.end(), claim.source) == sources.end())
        sources.push_back(claim.source);
      if (claim.stands())
        ++counts[static_cast<std::size_t>(claim.verdict)];
      else
        ++parted;
    }
  std::string out = "# Findings\n\nWhat publications say, computed again by the scripts.\n\n";
  out +=
      fmt::format("{} reproduce, {} do not, in {} the source is in error.", counts[0], counts[1], counts[2]);
  if (parted > 0) out += fmt::format(" **{} came out otherwise than the verdict says.**", parted);
  out += '\n';
  for (const std::string_view source : sources) {
    out += fmt::format("\n## {}\n\n| finding | here | verdict | script |\n|---|---|---|---|\n",
                       claims_cell(source));
    for (const ScriptClaims& script : scripts)
      for (const Claim& claim : script.claims)
        if (claim.source == source)
          out +=
              fmt::format("| {} | {} | {}{} | {}:{} |\n", claims_cell(claim.says), claims_cell(claim.found),
                          name_of(claim.verdict), claim.stands() ? "" : ", **but not in this run**",
                          claims_cell(script.script), claim.where.line);
  }
  bool first = true;
  for (const ScriptClaims& script : scripts) {
    if (script.problem.empty()) continue;
    if (std::exchange(first, false)) out += "\n## Not computed\n\n";
    out += fmt::format("- {}: {}\n", claims_cell(script.script), claims_cell(script.problem));
  }
  return out;
}

}  // namespace perigee::session

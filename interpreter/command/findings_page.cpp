#include "interpreter/command/findings_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "interpreter/command/verdict_counts.h"

namespace perigee::command {

namespace {

using session::Claim;
using session::Publication;
using session::ScriptClaims;
using session::Statement;
using session::Verdict;

// A cell of a Markdown table.
std::string cell_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '_' || c == '`' || c == '[') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

// Says where the finding of this run differs from the verdict, which rests on the full form.
std::string_view parting(const Claim& claim, bool full) {
  if (!claim.stands(full)) return ", **but not in this run**";
  if (claim.stands(true) || claim.verdict == Verdict::left_open) return "";
  return ", not contradicted in this run";
}

std::string verdict_cell(const Claim& claim, bool full) {
  return fmt::format("{}{}{}{}", name_of(claim.verdict), claim.chosen.empty() ? "" : ", chosen",
                     claim.by_earlier_text ? ", by an earlier text" : "", parting(claim, full));
}

// The finding, and remarks on it.
std::string here_cell(const Claim& claim) {
  std::string here = cell_text(claim.found);
  const auto add = [&](std::string_view what, const std::string& text) {
    if (!text.empty()) here += fmt::format("{}{}{}", here.empty() ? "" : "; ", what, cell_text(text));
  };
  add("", claim.note);
  add("chosen: ", claim.chosen);
  return here;
}

std::string line_of(const Made& made) {
  return fmt::format("{}:{}", cell_text(made.script->script), made.claim->where.line);
}

std::string counts_row(std::string_view name, const Counts& counts) {
  std::string row = fmt::format("| {} | {} |", name, counts.statements);
  for (const std::size_t verdict : counts.verdicts) row += fmt::format(" {} |", verdict);
  return row + fmt::format(" {} | {} | {} |\n", counts.missing, counts.unclaimed, counts.chosen);
}

std::string counts_table(const std::vector<const Publication*>& publications,
                         const std::multimap<std::string, Made>& claims, bool full) {
  std::string out =
      "\n| publication | statements | reproduce | do not reproduce | not "
      "decided | source in error | left open | cannot be tested | without a "
      "claim | of all: chosen |\n|---|---|---|---|---|---|---|---|---|---|\n";
  Counts total;
  for (const Publication* publication : publications) {
    const Counts counts = counted(*publication, claims, full);
    out += counts_row(cell_text(publication->source), counts);
    total.add(counts);
  }
  if (publications.size() > 1) out += counts_row("all", total);
  return out;
}

std::string statements_table(const Publication& publication, const std::multimap<std::string, Made>& claims,
                             Shown shown, bool full) {
  std::string out = fmt::format(
      "\n## {}{}{}\n\n| | where | statement | here | verdict | script |\n|---|---|---|---|---|---|\n",
      cell_text(publication.source), publication.title.empty() ? "" : ": ", cell_text(publication.title));
  for (const Statement& statement : publication.statements) {
    const auto [first, last] = claims.equal_range(statement.number);
    if (first == last && shown == Shown::claimed) continue;
    const std::string says = fmt::format("| {} | {} | {} |", statement.number, cell_text(statement.where),
                                         cell_text(statement.says));
    if (first == last) {
      const bool needs_data = !statement.data.empty();
      out += fmt::format("{} {}{} | {} | |\n", says, needs_data ? "needs " : "",
                         cell_text(needs_data ? statement.data : statement.missing),
                         needs_data || !statement.missing.empty() ? "cannot be tested" : "**no claim**");
    }
    for (auto made = first; made != last; ++made)
      out += fmt::format("{} {} | {} | {} |\n", says, here_cell(*made->second.claim),
                         verdict_cell(*made->second.claim, full), line_of(made->second));
  }
  return out;
}

std::string other_tables(std::span<const ScriptClaims> scripts, bool full) {
  std::vector<std::string_view> sources;
  for (const ScriptClaims& script : scripts)
    for (const Claim& claim : script.claims)
      if (claim.statement.empty() && std::ranges::count(sources, claim.source) == 0)
        sources.push_back(claim.source);
  std::string out;
  for (const std::string_view source : sources) {
    out += fmt::format("\n## {}\n\n| finding | here | verdict | script |\n|---|---|---|---|\n",
                       cell_text(source));
    for (const ScriptClaims& script : scripts)
      for (const Claim& claim : script.claims)
        if (claim.statement.empty() && claim.source == source)
          out += fmt::format("| {} | {} | {} | {} |\n", cell_text(claim.says), here_cell(claim),
                             verdict_cell(claim, full), line_of({&script, &claim}));
  }
  return out;
}

// The verdicts on claims about no statement, in a sentence.
std::string others_counted(std::span<const ScriptClaims> scripts, bool full) {
  Counts counts;
  for (const ScriptClaims& script : scripts)
    for (const Claim& claim : script.claims)
      if (claim.statement.empty()) counts.add(claim, full);
  const auto& [reproduce, do_not, undecided, in_error, open] = counts.verdicts;
  std::string out =
      fmt::format("{} reproduce, {} do not, in {} the source is in error", reproduce, do_not, in_error);
  if (undecided > 0) out += fmt::format(", {} are not decided", undecided);
  if (open > 0) out += fmt::format(", {} answer what is left open", open);
  return out + ".";
}

// Says of how many verdicts the scripts have changed since, and which; nothing when none has.
std::string earlier_counted(std::span<const ScriptClaims> scripts) {
  std::ptrdiff_t count = 0;
  std::vector<std::string> names;
  for (const ScriptClaims& script : scripts) {
    const auto its = std::ranges::count_if(script.claims, &Claim::by_earlier_text);
    if (its > 0) names.push_back(cell_text(script.script));
    count += its;
  }
  if (count == 0) return {};
  return fmt::format("\n{} of the verdicts were found by an earlier text of their scripts: {}.\n", count,
                     fmt::join(names, ", "));
}

bool same_statements(const Publication& a, const Publication& b) {
  return std::ranges::equal(a.statements, b.statements, [](const Statement& x, const Statement& y) {
    return std::tie(x.number, x.where, x.kind, x.says, x.missing, x.data) ==
           std::tie(y.number, y.where, y.kind, y.says, y.missing, y.data);
  });
}

// Sources whose lists differ from script to script, and numbers of two publications.
std::vector<std::string> faults_of_lists(std::span<const ScriptClaims> scripts) {
  struct Listed {
    const ScriptClaims* script;
    const Publication* publication;
  };
  std::map<std::string, Listed> sources, numbers;
  std::vector<std::string> faults;
  for (const ScriptClaims& script : scripts)
    for (const Publication& publication : script.publications) {
      const auto& [first, is_new] = sources.try_emplace(publication.source, Listed{&script, &publication});
      if (!is_new) {
        if (!same_statements(*first->second.publication, publication))
          faults.push_back(fmt::format("{} and {} list other statements of the source '{}'",
                                       first->second.script->script, script.script, publication.source));
        continue;
      }
      for (const Statement& statement : publication.statements) {
        const auto& [other, no_other] = numbers.try_emplace(statement.number, Listed{&script, &publication});
        if (!no_other)
          faults.push_back(fmt::format("{} is a number of '{}' in {} and of '{}' in {}", statement.number,
                                       other->second.publication->source, other->second.script->script,
                                       publication.source, script.script));
      }
    }
  return faults;
}

}  // namespace

std::vector<std::string> faults_of(std::span<const ScriptClaims> scripts, bool all) {
  std::vector<std::string> faults = faults_of_lists(scripts);
  if (!all) return faults;
  const auto claims = claims_by_number(scripts);
  for (const Publication* publication : publications_of(scripts))
    for (const Statement& statement : publication->statements) {
      const auto [first, last] = claims.equal_range(statement.number);
      if (first == last && statement.missing.empty() && statement.data.empty())
        faults.push_back(fmt::format("{} ({}) has no claim, nor a reason why it cannot be tested",
                                     statement.number, publication->source));
      if (std::distance(first, last) > 1)
        faults.push_back(fmt::format("{} has two claims, {} and {}", statement.number, line_of(first->second),
                                     line_of(std::next(first)->second)));
    }
  return faults;
}

std::vector<const Publication*> publications_shown(std::span<const ScriptClaims> scripts,
                                                   const std::multimap<std::string, Made>& claims,
                                                   Shown shown) {
  std::vector<const Publication*> publications = publications_of(scripts);
  std::erase_if(publications, [&](const Publication* publication) {
    return std::ranges::none_of(publication->statements, [&](const Statement& statement) {
      return shown != Shown::claimed || claims.contains(statement.number);
    });
  });
  return publications;
}

std::string findings_page(std::span<const ScriptClaims> scripts, Shown shown, bool full) {
  const auto claims = claims_by_number(scripts);
  const std::vector<const Publication*> publications = publications_shown(scripts, claims, shown);
  const std::string others = other_tables(scripts, full);
  std::string out = "# Findings\n\nWhat publications say, computed again by the scripts.\n";
  if (!publications.empty() && shown != Shown::asked) out += counts_table(publications, claims, full);
  if (!others.empty() && publications.empty()) out += '\n' + others_counted(scripts, full) + '\n';
  out += earlier_counted(scripts);
  if (const std::size_t count = parted(scripts, full); count > 0)
    out += fmt::format("\n**{} came out otherwise than the verdict says.**\n", count);
  for (const Publication* publication : publications)
    out += statements_table(*publication, claims, shown, full);
  if (!others.empty() && !publications.empty())
    out += "\n# Found here\n\nWhat no statement above says. " + others_counted(scripts, full) + '\n';
  out += others;
  bool first = true;
  for (const ScriptClaims& script : scripts) {
    if (script.problem.empty()) continue;
    if (std::exchange(first, false)) out += "\n## Not computed\n\n";
    out += fmt::format("- {}: {}\n", cell_text(script.script), cell_text(script.problem));
  }
  return out;
}

}  // namespace perigee::command

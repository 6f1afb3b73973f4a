#include "interpreter/command/findings_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "interpreter/command/verdict_counts.h"

namespace perigee::command {

using session::Claim;
using session::Publication;
using session::ScriptClaims;
using session::Statement;
using session::Verdict;

namespace {

constexpr std::string_view kUntested = "cannot be tested", kUnclaimed = "no claim";

constexpr std::array<std::string_view, session::kVerdicts> kMeanings = {
    "what the publication says came out here", "it did not come out here",
    "the intervals, or two readings of the text, hold both",
    "the publication contradicts itself, or a calculation", "the publication asks, and here is an answer"};

std::string_view word_of(const Statement& statement) {
  return statement.missing.empty() && statement.data.empty() ? kUnclaimed : kUntested;
}

pages::Tone tone_of(const Statement& statement) {
  return word_of(statement) == kUnclaimed ? pages::Tone::bad : pages::Tone::none;
}

std::string reason_of(const Statement& statement) {
  if (!statement.data.empty())
    return fmt::format("It needs data that do not come with perigee: {}", statement.data);
  return statement.missing.empty() ? "No script claims anything about it." : statement.missing;
}

double number(std::size_t count) { return static_cast<double>(count); }

std::string id_of_publication(std::size_t place) { return fmt::format("publication-{}", place + 1); }

constexpr std::string_view kUnshown = "not shown by this short run";

void add_row(Table& table, const std::string& name, const Counts& counts, bool unshown) {
  auto& row = table.rows.emplace_back();
  row = {name, number(counts.statements)};
  for (const std::size_t count : counts.verdicts) row.emplace_back(number(count));
  for (const std::size_t count : {counts.missing, counts.unclaimed, counts.chosen})
    row.emplace_back(number(count));
  if (unshown) row.emplace_back(number(counts.all_unshown()));
}

// The claims of the scripts' own words, by what came out.
pages::TableItem table_of_ours(const Counts& ours, bool unshown) {
  constexpr std::array<std::string_view, session::kVerdicts> kOurs = {
      "what the script says came out", "it did not come out", "the intervals hold both",
      "the source contradicts itself, or a calculation", "a question, and an answer"};
  pages::TableItem item;
  item.title = "Ours: what scripts say in words of their own, which no publication says";
  item.file = "ours";
  item.table.columns = {"finding", "claims"};
  if (unshown) item.table.columns.push_back(fmt::format("of these {}", kUnshown));
  item.table.columns.emplace_back("says that");
  for (std::size_t v = 0; v < session::kVerdicts; ++v) {
    if (ours.verdicts[v] == 0) continue;
    auto& row = item.table.rows.emplace_back();
    row = {std::string(name_of_ours(static_cast<Verdict>(v))), number(ours.verdicts[v])};
    if (unshown) row.emplace_back(number(ours.unshown[v]));
    row.emplace_back(std::string(kOurs[v]));
    item.tones.push_back(session::tone_of(static_cast<Verdict>(v)));
  }
  return item;
}

// The sources of claims about no statement, in the order of the claims.
std::vector<std::string> other_sources(std::span<const ScriptClaims> scripts) {
  std::vector<std::string> sources;
  for (const ScriptClaims& script : scripts)
    for (const Claim& claim : script.claims)
      if (claim.statement.empty() && std::ranges::find(sources, claim.source) == sources.end())
        sources.push_back(claim.source);
  return sources;
}

// Rows of a table of statements.
class Rows {
 public:
  Rows(bool full, bool several) : full_(full), several_(several) {
    item_.title = "All statements; the first column leads to what came out";
    item_.file = "statements";
    item_.table.columns = {"statement", "verdict", "what is said", "where in the text", "kind", "script"};
    if (several) item_.table.columns.insert(item_.table.columns.begin() + 3, "publication");
    item_.toned_column = 1;
  }

  void add(const std::string& id, std::string_view verdict, pages::Tone tone, const Statement& statement,
           const std::string& source, const std::string& script) {
    auto& row = item_.table.rows.emplace_back();
    row = {statement.number.empty() ? id : statement.number, std::string(verdict), statement.says};
    if (several_) row.emplace_back(source);
    for (const std::string& text : {statement.where, statement.kind, script}) row.emplace_back(text);
    item_.links.push_back(id);
    item_.tones.push_back(tone);
  }
  void add(const Made& made, const std::string& id, const Statement& statement, const std::string& source) {
    const Claim& claim = *made.claim;
    std::string verdict(claim.verdict_shown());
    if (!claim.stands(full_)) verdict += ", but not in this run";
    if (claim.is_unshown(full_)) verdict += fmt::format("; {}", kUnshown);
    add(id, verdict, session::tone_of(claim.verdict), statement, source,
        fmt::format("{}:{}", made.script->script, claim.where.line));
  }
  pages::TableItem take() { return std::move(item_); }

 private:
  bool full_, several_;
  pages::TableItem item_;
};

// A claim that was kept in rows has no words of its own.
pages::Judgement judged_statement(const Made& made, const Statement& statement, const std::string& source,
                                  bool full, const ClaimIds& ids) {
  pages::Judgement item = command::judged(*made.script, *made.claim, full, ids);
  item.place = fmt::format("{}, {}", source, statement.where);
  item.says = statement.says;
  return item;
}

std::string name_of(const Publication& publication) {
  return publication.title.empty() ? publication.source
                                   : fmt::format("{}: {}", publication.source, publication.title);
}

}  // namespace

ClaimIds ids_of(std::span<const ScriptClaims> scripts) {
  ClaimIds ids;
  std::set<std::string> taken;
  std::size_t others = 0;
  for (const ScriptClaims& script : scripts)
    for (const Claim& claim : script.claims) {
      std::string id = claim.statement.empty() ? fmt::format("finding-{}", ++others) : claim.statement;
      for (int i = 2; !taken.insert(id).second; ++i) id = fmt::format("{}-{}", claim.statement, i);
      ids.emplace(&claim, std::move(id));
    }
  return ids;
}

std::vector<std::string> warnings_of(std::span<const ScriptClaims> scripts, bool full,
                                     const std::vector<std::string>& faults) {
  std::vector<std::string> lines;
  for (const ScriptClaims& script : scripts)
    if (!script.problem.empty())
      lines.push_back(fmt::format("{} failed, and what it would have found is missing: {}", script.script,
                                  script.problem));
  for (const ScriptClaims& script : scripts)
    for (const Claim& claim : script.claims)
      if (!claim.stands(full))
        lines.push_back(fmt::format("{}:{}: {} {}", script.script, claim.where.line,
                                    claim.statement.empty() ? claim.says : claim.statement,
                                    claim.told(full)));
  lines.insert(lines.end(), faults.begin(), faults.end());
  std::size_t earlier = 0;
  for (const ScriptClaims& script : scripts)
    earlier += static_cast<std::size_t>(std::ranges::count_if(script.claims, &Claim::by_earlier_text));
  if (earlier > 0)
    lines.push_back(
        fmt::format("{} of the verdicts were found by an earlier text of their scripts.", earlier));
  return lines;
}

pages::Section verdicts_section(std::span<const ScriptClaims> scripts, bool full) {
  pages::Section section;
  section.title = "Verdicts";
  const auto claims = claims_by_number(scripts);
  const std::vector<const Publication*> publications = publications_of(scripts);
  const Counts others = counted_others(scripts, full, false), ours = counted_others(scripts, full, true);
  Counts all;
  std::vector<Counts> each;
  for (const Publication* publication : publications)
    all.add(each.emplace_back(counted(*publication, claims, full)));
  const bool unshown = all.all_unshown() + others.all_unshown() > 0;
  if (publications.size() > 1) {
    pages::TableItem by_publication;
    by_publication.title = "By publication";
    by_publication.file = "publications";
    by_publication.table.columns = {"publication", "statements",      "reproduce", "do not reproduce",
                                    "not decided", "source in error", "left open", "cannot be tested",
                                    "no claim",    "of all: chosen"};
    if (unshown) by_publication.table.columns.push_back(fmt::format("of all: {}", kUnshown));
    for (std::size_t i = 0; i < publications.size(); ++i) {
      add_row(by_publication.table, publications[i]->source, each[i], unshown);
      by_publication.links.push_back(id_of_publication(i));
    }
    if (others.statements > 0) {
      add_row(by_publication.table, "other findings", others, unshown);
      by_publication.links.emplace_back("others");
    }
    section.items.emplace_back(std::move(by_publication));
  }
  pages::TableItem meanings;
  meanings.title = "What the verdicts mean, and how many there are";
  meanings.file = "verdicts";
  meanings.table.columns = {"verdict", "statements"};
  const bool has_others = others.statements > 0;
  if (has_others) meanings.table.columns.emplace_back("other findings");
  if (unshown) meanings.table.columns.push_back(fmt::format("of these {}", kUnshown));
  meanings.table.columns.emplace_back("says that");
  const auto add = [&](std::string_view name, std::size_t count, std::size_t other, std::size_t hidden,
                       std::string_view meaning, pages::Tone tone) {
    auto& row = meanings.table.rows.emplace_back();
    row = {std::string(name), number(count)};
    if (has_others) row.emplace_back(number(other));
    if (unshown) row.emplace_back(number(hidden));
    row.emplace_back(std::string(meaning));
    meanings.tones.push_back(tone);
  };
  for (std::size_t v = 0; v < session::kVerdicts; ++v)
    add(name_of(static_cast<Verdict>(v)), all.verdicts[v], others.verdicts[v],
        all.unshown[v] + others.unshown[v], kMeanings[v], session::tone_of(static_cast<Verdict>(v)));
  add(kUntested, all.missing, 0, 0, "the reason stands beside the statement", pages::Tone::none);
  if (all.unclaimed > 0)
    add(kUnclaimed, all.unclaimed, 0, 0, "no script that ran says anything about it", pages::Tone::bad);
  section.items.emplace_back(std::move(meanings));
  if (ours.statements > 0) section.items.emplace_back(table_of_ours(ours, ours.all_unshown() > 0));
  return section;
}

pages::Facts commands_of(const PageCommands& commands) {
  pages::Facts facts;
  facts.rows.emplace_back("repeat it", commands.again);
  if (!commands.full.empty())
    facts.rows.emplace_back(
        "numbers behind the verdicts",
        fmt::format("{} computes them, in the full form, which may take hours, and keeps them in the file",
                    commands.full));
  if (!commands.kept.empty())
    facts.rows.emplace_back(
        "without computing them",
        fmt::format("{} shows those that a file keeps; docs/verdicts.jsonl of perigee's sources keeps "
                    "those of the scripts that come with perigee",
                    commands.kept));
  return facts;
}

pages::Section statements_section(std::span<const ScriptClaims> scripts, Shown shown, bool full,
                                  const ClaimIds& ids) {
  const auto claims = claims_by_number(scripts);
  const auto publications = publications_shown(scripts, claims, shown);
  const std::vector<std::string> others = other_sources(scripts);
  Rows rows(full, publications.size() > 1 || !others.empty());
  for (const Publication* publication : publications)
    for (const Statement& statement : publication->statements) {
      const auto [first, last] = claims.equal_range(statement.number);
      if (first == last && shown != Shown::claimed)
        rows.add(statement.number, word_of(statement), tone_of(statement), statement, publication->source,
                 "");
      for (auto made = first; made != last; ++made)
        rows.add(made->second, ids.at(made->second.claim), statement, publication->source);
    }
  for (const std::string& source : others)
    for (const ScriptClaims& script : scripts)
      for (const Claim& claim : script.claims) {
        if (!claim.statement.empty() || claim.source != source) continue;
        Statement statement;
        statement.says = claim.says;
        rows.add({&script, &claim}, ids.at(&claim), statement, source);
      }
  pages::Section section;
  section.title = "Statements";
  section.items.emplace_back(rows.take());
  return section;
}

pages::Section chosen_section(std::span<const ScriptClaims> scripts, const ClaimIds& ids) {
  pages::Section section;
  pages::TableItem item;
  item.title = "Rules and settings that were chosen";
  item.file = "chosen";
  item.table.columns = {"statement", "verdict", "chosen here", "script"};
  item.toned_column = 1;
  for (const ScriptClaims& script : scripts)
    for (const Claim& claim : script.claims) {
      if (claim.chosen.empty()) continue;
      const std::string& id = ids.at(&claim);
      item.table.rows.push_back({claim.statement.empty() ? id : claim.statement,
                                 std::string(claim.verdict_shown()), claim.chosen,
                                 fmt::format("{}:{}", script.script, claim.where.line)});
      item.links.push_back(id);
      item.tones.push_back(session::tone_of(claim.verdict));
    }
  section.title = "Chosen so that it holds";
  if (item.table.rows.empty()) return section;
  section.items.emplace_back(pages::Prose{
      "The publications leave these open. Each was chosen here so that the statement comes out: such a verdict says less "
      "than the others."});
  section.items.emplace_back(std::move(item));
  return section;
}

pages::Judgement untested(const Statement& statement, std::string_view source) {
  pages::Judgement item;
  item.id = item.number = statement.number;
  item.place = fmt::format("{}, {}", source, statement.where);
  item.says = statement.says;
  item.verdict = word_of(statement);
  item.tone = tone_of(statement);
  item.found = reason_of(statement);
  return item;
}

pages::Judgement judged(const ScriptClaims& script, const Claim& claim, bool full, const ClaimIds& ids) {
  pages::Judgement item = judgement_of(claim, full);
  item.id = ids.at(&claim);
  if (claim.by_earlier_text)
    item.remarks.emplace_back("note", "this was found by an earlier text of the script");
  item.source = fmt::format("{}:{}", script.script, claim.where.line);
  return item;
}

namespace {

// The text of the first section. `kept`: the numbers are those of a file of rows.
std::string of_which_form(bool full, bool kept) {
  return fmt::format(
      "Each statement of a publication that can be tested was tested by a script, which says by a verdict whether it came "
      "out. The numbers here are those of the {} form of the studies{}.",
      full || kept ? "full" : "short",
      full ? ""
      : kept
          ? ", which a file has kept; the scripts themselves ran in their short form"
          : ", whose few and small runs may decide less than a verdict rests on. A verdict with the words 'not shown by "
            "this short run' is what the script's author found in the full form");
}

// The findings that no statement of a publication has. `alone`: no publication is on the page.
pages::Section others_section(std::span<const ScriptClaims> scripts, bool alone, bool full,
                              const ClaimIds& ids) {
  pages::Section others;
  others.title = alone ? "What was found" : "Other findings";
  others.id = "others";
  for (const std::string& source : other_sources(scripts))
    for (const ScriptClaims& script : scripts)
      for (const Claim& claim : script.claims)
        if (claim.statement.empty() && claim.source == source)
          others.items.emplace_back(judged(script, claim, full, ids));
  return others;
}

}  // namespace

pages::Document findings_document(std::span<const ScriptClaims> scripts, Shown shown, bool full,
                                  const std::vector<std::string>& faults, const PageCommands& commands) {
  const ClaimIds ids = ids_of(scripts);
  const auto claims = claims_by_number(scripts);
  const auto publications = publications_shown(scripts, claims, shown);
  pages::Document document;
  document.title = "Findings";
  document.made_by = "What publications say, computed again by the scripts of perigee " PERIGEE_VERSION;
  auto& first = document.sections.emplace_back().items;
  if (std::vector<std::string> lines = warnings_of(scripts, full, faults); !lines.empty())
    first.emplace_back(pages::Warnings{std::move(lines)});
  // A short run without commands for the numbers of the full form has them from a file of rows.
  const bool kept = !full && !commands.again.empty() && commands.full.empty();
  first.emplace_back(pages::Prose{of_which_form(full, kept)});
  document.sections.push_back(verdicts_section(scripts, full));
  if (!commands.again.empty()) document.sections.back().items.emplace_back(commands_of(commands));
  document.sections.push_back(statements_section(scripts, shown, full, ids));
  if (pages::Section chosen = chosen_section(scripts, ids); !chosen.items.empty())
    document.sections.push_back(std::move(chosen));

  pages::TableItem missing;
  missing.title = "Statements that no script can test";
  missing.file = "untested";
  missing.table.columns = {"statement", "why", "what is said", "publication", "where"};
  const auto all = publications_of(scripts);
  for (const Publication* publication : publications) {
    pages::Section section;
    section.title = name_of(*publication);
    section.id =
        id_of_publication(static_cast<std::size_t>(std::ranges::find(all, publication) - all.begin()));
    for (const Statement& statement : publication->statements) {
      const auto [from, to] = claims.equal_range(statement.number);
      for (auto made = from; made != to; ++made)
        section.items.emplace_back(judged_statement(made->second, statement, publication->source, full, ids));
      if (from != to || shown == Shown::claimed) continue;
      section.items.emplace_back(untested(statement, publication->source));
      missing.table.rows.push_back(
          {statement.number, reason_of(statement), statement.says, publication->source, statement.where});
      missing.links.push_back(statement.number);
    }
    document.sections.push_back(std::move(section));
  }
  if (!missing.table.rows.empty()) {
    pages::Section section;
    section.title = "What cannot be tested, and why";
    section.items.emplace_back(std::move(missing));
    document.sections.insert(document.sections.begin() + 3, std::move(section));
  }
  if (pages::Section others = others_section(scripts, publications.empty(), full, ids); !others.items.empty())
    document.sections.push_back(std::move(others));
  return document;
}

}  // namespace perigee::command

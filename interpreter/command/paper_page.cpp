#include "interpreter/command/paper_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "interpreter/command/findings_html.h"
#include "interpreter/command/verdict_counts.h"
#include "runtime/kernel/error.h"

namespace perigee::command {

namespace fs = std::filesystem;

using session::Claim;
using session::Publication;
using session::ScriptClaims;
using session::Statement;

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

namespace {

constexpr std::size_t kMostCharts = 3;  // of a script; each may have a megabyte
// Bytes of what a script shows. The next limit is taken where a page would be too large.
constexpr std::array<std::size_t, 4> kMostShown = {2'000'000, 500'000, 200'000, 60'000};

std::string counted_text(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// The things that a script showed, as far as the page has room for them.
struct Kept {
  explicit Kept(std::size_t most) : most_(most) {}

  void take(const pages::Item& item) {
    if (std::holds_alternative<pages::Judgement>(item)) return;  // claims stand at another place
    const auto* text = std::get_if<pages::Text>(&item);
    if (text != nullptr && text->text.find_first_not_of(" \n") == std::string::npos) return;
    const std::size_t bytes = size_of(item);
    const bool chart = std::holds_alternative<pages::ChartItem>(item);
    if (bytes_ + bytes > most_ || (chart && charts_ == kMostCharts)) {
      ++left_[chart                                             ? 0
              : std::holds_alternative<pages::FigureItem>(item) ? 1
              : std::holds_alternative<pages::TableItem>(item)  ? 2
                                                                : 3];
      return;
    }
    bytes_ += bytes;
    charts_ += chart ? 1 : 0;
    auto* last = items.empty() ? nullptr : std::get_if<pages::Text>(&items.back());
    if (text != nullptr && last != nullptr)
      last->text += text->text;
    else
      items.push_back(item);
  }

  // "2 charts and 1 table"; empty = nothing was left out.
  std::string left_out() const {
    constexpr std::array<std::pair<const char*, const char*>, 4> kNames = {
        {{"chart", "charts"},
         {"figure", "figures"},
         {"table", "tables"},
         {"text or other part", "texts and other parts"}}};
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < kNames.size(); ++i)
      if (left_[i] > 0) parts.push_back(counted_text(left_[i], kNames[i].first, kNames[i].second));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  std::vector<pages::Item> items;

 private:
  std::size_t most_, bytes_ = 0, charts_ = 0;
  std::array<std::size_t, 4> left_{};
};

class Paper {
 public:
  Paper(const PaperRequest& request, const session::InterpreterOptions& options, const Gathering& gathering,
        const std::vector<ScriptClaims>& found, const std::vector<PaperPart>& parts)
      : request_(request),
        options_(options),
        gathering_(gathering),
        found_(found),
        parts_(parts),
        ids_(ids_of(found)) {}

  pages::Document document(std::size_t most) const {
    pages::Document document;
    document.title = title();
    document.made_by =
        fmt::format("Published statements, computed again by the scripts of {} with perigee {}",
                    request_.folder, PERIGEE_VERSION);
    document.sections.push_back(opening());
    pages::Section verdicts = verdicts_section(found_, request_.full);
    verdicts.items.emplace_back(facts());
    document.sections.push_back(std::move(verdicts));
    document.sections.push_back(statements_section(found_, Shown::everything, request_.full, ids_));
    if (pages::Section chosen = chosen_section(found_, ids_); !chosen.items.empty())
      document.sections.push_back(std::move(chosen));
    document.sections.push_back(scripts());
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (!parts_[i].info.is_module()) document.sections.push_back(section_of(i, most));
    if (pages::Section missing = untested_section(); !missing.items.empty())
      document.sections.push_back(std::move(missing));
    return document;
  }

 private:
  std::string title() const {
    const auto publications = publications_of(found_);
    if (publications.size() != 1) return fs::path(request_.folder).lexically_normal().generic_string();
    const Publication& only = *publications.front();
    return only.title.empty() ? only.source : fmt::format("{}: {}", only.source, only.title);
  }

  pages::Section opening() const {
    pages::Section section;
    if (std::vector<std::string> lines = warnings_of(found_, request_.full, gathering_.faults());
        !lines.empty())
      section.items.emplace_back(pages::Warnings{std::move(lines)});
    std::string text =
        "What was published stands beside what came out here. Each statement of the publication that can be tested was tested "
        "by a script; a verdict says whether it came out. ";
    if (request_.full)
      text += "The scripts ran in their full form, on which the verdicts rest.";
    else if (request_.rows.empty())
      text +=
          "The scripts ran in their short form, with few and small runs: its numbers may decide less than the verdict rests on. "
          "A verdict with the words 'not shown by this short run' is what the script's author found in the full form; the table below "
          "the verdicts has the commands that show its numbers.";
    else
      text += fmt::format(
          "The scripts ran in their short form, with few and small runs. The numbers beside a statement are those of the full "
          "form, on which the verdict rests ({}); those of this run stand below them.",
          request_.rows);
    section.items.emplace_back(pages::Prose{std::move(text)});
    return section;
  }

  // In the full form, with that file of rows.
  std::string command(bool full, const std::string& rows) const {
    std::string text = "perigee paper " + session::shell_word(request_.folder);
    if (full) text += " --full";
    if (!rows.empty()) text += " --rows " + session::shell_word(rows);
    for (const auto& [name, value] : options_.settings)
      if (!(full && name == "full")) text += " --set " + session::shell_word(name + "=" + value);
    if (options_.seed != 1) text += fmt::format(" --seed {}", options_.seed);
    for (const std::string& folder : options_.data) text += " --data " + session::shell_word(folder);
    for (const std::string& name : request_.without) text += " --without " + session::shell_word(name);
    if (request_.times) text += " --times";
    return text;
  }

  pages::Facts facts() const {
    pages::Facts facts;
    for (const Publication* publication : publications_of(found_))
      facts.rows.emplace_back("publication",
                              publication->title.empty()
                                  ? publication->source
                                  : fmt::format("{}: {}", publication->source, publication->title));
    facts.rows.emplace_back("scripts", request_.folder);
    facts.rows.emplace_back("form", request_.full ? "full" : "short");
    PageCommands commands;
    commands.again = command(request_.full, request_.rows);
    if (!request_.full && request_.rows.empty()) {
      commands.full = command(true, "FILE");
      commands.kept = command(false, "FILE");
    }
    for (auto& row : commands_of(commands).rows) facts.rows.push_back(std::move(row));
    facts.rows.emplace_back("version", "perigee " PERIGEE_VERSION);
    return facts;
  }

  // The scripts with what came out of each.
  pages::Section scripts() const {
    pages::Section section;
    section.title = "Scripts";
    pages::TableItem item;
    item.title = "The first column leads to what a script shows";
    item.file = "scripts";
    item.table.columns = {"script", "claims", "reproduce", "do not reproduce", "others", "ours", "takes"};
    if (request_.times) item.table.columns.emplace_back("took");
    item.table.columns.emplace_back("what it shows");
    if (!request_.full) item.table.columns.emplace_back("claims not shown by this short run");
    item.table.units.resize(item.table.columns.size());
    if (request_.times) item.table.units[7] = "s";
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const PaperPart& part = parts_[i];
      if (part.info.is_module()) continue;
      std::array<double, 4> counts{};
      double not_shown = 0;
      for (const Claim& claim : found_[i].claims) not_shown += claim.is_unshown(request_.full) ? 1 : 0;
      for (const Claim& claim : found_[i].claims)
        ++counts[claim.is_ours()                                         ? 3
                 : claim.verdict == session::Verdict::reproduces         ? 0
                 : claim.verdict == session::Verdict::does_not_reproduce ? 1
                                                                         : 2];
      auto& row = item.table.rows.emplace_back();
      row = {short_name(part), static_cast<double>(found_[i].claims.size()),
             counts[0],        counts[1],
             counts[2],        counts[3],
             part.info.takes};
      if (request_.times) row.emplace_back(std::round(10 * part.seconds) / 10);
      row.emplace_back((found_[i].problem.empty() ? "" : "failed: ") + part.summary);
      if (!request_.full) row.emplace_back(not_shown);
      item.links.push_back(part.id);
    }
    section.items.emplace_back(pages::Prose{
        request_.times
            ? "The times in the last column are those of this run and machine. Each run has others."
            : "How long a script took is told while it runs; it stands here with --times, and then no two pages "
              "are alike."});
    section.items.emplace_back(std::move(item));
    return section;
  }

  static std::string short_name(const PaperPart& part) {
    return fs::path(part.info.path).filename().string();
  }

  // The settings of the full form, from the rows of the script.
  std::string settings_of_rows(const std::string& script) const {
    std::string text;
    for (const VerdictRow& row : gathering_.rows()) {
      if (row.script != script) continue;
      for (const auto& [name, value] : row.settings)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
      break;
    }
    return text;
  }

  // Claims of a script on the left, what it shows on the right.
  pages::Section section_of(std::size_t i, std::size_t most) const {
    const PaperPart& part = parts_[i];
    const ScriptClaims& its = found_[i];
    pages::Section section;
    section.title = short_name(part);
    section.id = part.id;
    section.listed = false;
    std::vector<std::string> warnings = part.warnings;
    if (!its.problem.empty())
      warnings.insert(warnings.begin(), "The script did not come to its end: " + its.problem);
    if (!warnings.empty()) section.items.emplace_back(pages::Warnings{std::move(warnings)});
    if (!part.summary.empty()) section.items.emplace_back(pages::Prose{part.summary});
    if (!request_.full && !part.single.empty())
      section.items.emplace_back(pages::Prose{fmt::format(
          "In this short run these factors have one value only: {}. What is said of several values, such as a "
          "straight line through them or a range, means nothing here; the full form may have more.",
          fmt::join(part.single, ", "))});
    for (std::size_t c = 0; c < its.claims.size(); ++c) section.items.emplace_back(card(i, c));
    pages::Facts facts{part.facts};
    std::string again = "perigee run " + session::shell_word(part.info.name);
    for (const auto& [name, value] : options_.settings)
      if (part.settings.contains(name)) again += " --set " + session::shell_word(name + "=" + value);
    if (request_.full && !options_.settings.contains("full") && part.settings.contains("full"))
      again += " --set full=true";
    if (options_.seed != 1) again += fmt::format(" --seed {}", options_.seed);
    for (const std::string& folder : options_.data) again += " --data " + session::shell_word(folder);
    facts.rows.emplace_back("alone", std::move(again));
    if (const std::string full = settings_of_rows(its.script); !request_.full && !full.empty())
      facts.rows.emplace_back("full form", full);
    if (request_.times) facts.rows.emplace_back("took", fmt::format("{:.1f} s", part.seconds));
    section.items.emplace_back(std::move(facts));
    section.items.emplace_back(pages::Source{"text of " + short_name(part), text_of_file(part.info.path)});
    add_shown(section, part, most);
    return section;
  }

  void add_shown(pages::Section& section, const PaperPart& part, std::size_t most) const {
    if (std::ranges::find(request_.without, short_name(part)) != request_.without.end()) {
      section.beside.emplace_back(
          pages::Prose{"What this script shows was left out of the page by --without."});
      return;
    }
    Kept kept(most);
    for (const pages::Item& item : part.items) kept.take(item);
    for (const pages::Item& item : part.experiments) kept.take(item);
    section.beside = std::move(kept.items);
    if (section.beside.empty())
      section.beside.emplace_back(pages::Prose{"The script shows nothing but its claims."});
    if (const std::string left = kept.left_out(); !left.empty())
      section.beside.emplace_back(pages::Warnings{{fmt::format(
          "Left out of this page: {}. It has at most {} charts and {} KB of what a script shows; perigee run "
          "{} shows all.",
          left, kMostCharts, most / 1000, part.info.name)}});
  }

  pages::Judgement card(std::size_t i, std::size_t c) const {
    const Claim& claim = found_[i].claims[c];
    pages::Judgement item = judged(found_[i], claim, request_.full, ids_);
    if (request_.full || request_.rows.empty() || c >= parts_[i].found.size()) return item;
    const Claim& here = parts_[i].found[c];
    item.aside.clear();
    if (!here.stands(false))
      item.aside = fmt::format(", but in this run it {}", session::name_of(here.finding));
    if (!here.found.empty() && here.found != claim.found)
      item.remarks.insert(item.remarks.begin(), {"this run", here.found});
    return item;
  }

  pages::Section untested_section() const {
    pages::Section section;
    section.title = "What cannot be tested, and why";
    const auto claims = claims_by_number(found_);
    for (const Publication* publication : publications_of(found_))
      for (const Statement& statement : publication->statements)
        if (!claims.contains(statement.number))
          section.items.emplace_back(untested(statement, publication->source));
    return section;
  }

  const PaperRequest& request_;
  const session::InterpreterOptions& options_;
  const Gathering& gathering_;
  const std::vector<ScriptClaims>& found_;
  const std::vector<PaperPart>& parts_;
  ClaimIds ids_;
};

}  // namespace

std::string page_of_paper(const PaperRequest& request, const session::InterpreterOptions& options,
                          const Gathering& gathering, const std::vector<ScriptClaims>& found,
                          const std::vector<PaperPart>& parts) {
  const Paper paper(request, options, gathering, found, parts);
  for (std::size_t i = 0;; ++i) {
    try {
      return page_of(paper.document(kMostShown[i]));
    } catch (const Error& error) {
      if (error.diagnostic().code != "too_large") throw;
      if (i + 1 == kMostShown.size())
        fail("too_large", "{}, as --without SCRIPT does", error.diagnostic().message);
    }
  }
}

}  // namespace perigee::command

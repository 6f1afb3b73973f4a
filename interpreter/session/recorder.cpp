#include "interpreter/session/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "interpreter/session/interpreter.h"
#include "interpreter/session/replay_card.h"
#include "runtime/results/export.h"
#include "runtime/results/table.h"

namespace perigee::session {

namespace {

constexpr std::size_t kMostItems = 1000, kMostBytes = 6'000'000, kMostWarnings = 200, kMostRuns = 1000;

}  // namespace

void Recorder::printed(std::string_view text) {
  if (auto* last = items_.empty() ? nullptr : std::get_if<pages::Text>(&items_.back());
      last != nullptr && bytes_ + text.size() <= kMostBytes) {
    last->text += text;
    bytes_ += text.size();
    return;
  }
  shown(pages::Text{std::string(text)}, {});
}

void Recorder::shown(pages::Item item, std::string_view) {
  const std::size_t bytes = pages::size_of(item);
  if (items_.size() >= kMostItems || bytes_ + bytes > kMostBytes) {
    ++items_left_out_;
    return;
  }
  bytes_ += bytes;
  items_.push_back(std::move(item));
}

void Recorder::warned(std::string_view line) {
  if (warnings_.size() < kMostWarnings)
    warnings_.emplace_back(line);
  else
    ++warnings_left_out_;
}

void Recorder::ran(std::uint64_t ordinal, const Outcome& outcome) {
  if (runs_.size() >= kMostRuns) {
    ++runs_left_out_;
    return;
  }
  runs_.push_back({ordinal, outcome.seed, outcome.events, outcome.policy,
                   std::string(name_of(outcome.status)), outcome.physical.text(), outcome.end});
  manifest_ = results::manifest(outcome).dump();
}

pages::Table Recorder::runs() const {
  pages::Table table;
  table.columns = {"run", "policy", "seed", "status", "end", "events", "fingerprint"};
  table.units = {"", "", "", "", "s", "", ""};
  for (const Run& run : runs_)
    table.rows.push_back({static_cast<double>(run.ordinal), run.policy, std::to_string(run.seed), run.status,
                          run.end, static_cast<double>(run.events), run.fingerprint});
  return table;
}

std::vector<std::string> Recorder::warnings() const {
  std::vector<std::string> lines = warnings_;
  std::size_t incomplete = 0;
  for (const Run& run : runs_)  // a simulation under way may be looked at
    incomplete +=
        run.status != name_of(RunStatus::complete) && run.status != name_of(RunStatus::running) ? 1 : 0;
  if (incomplete > 0)
    lines.push_back(
        fmt::format("{} of {} runs ended with work left; metrics are of what was done until then.",
                    incomplete, runs_.size()));
  if (warnings_left_out_ > 0)
    lines.push_back(fmt::format("{} more warnings are not shown.", warnings_left_out_));
  if (items_left_out_ > 0)
    lines.push_back(fmt::format(
        "{} of the texts, tables, figures and charts that the script showed are not in this page, which holds the first {} "
        "and at most {} MB of them.",
        items_left_out_, kMostItems, kMostBytes / 1'000'000));
  return lines;
}

pages::Document Recorder::document(const std::string& problem) const {
  const Interpreter& interpreter = *interpreter_;
  pages::Document document;
  document.title = std::filesystem::path(interpreter.files().script()).filename().string();
  document.made_by = "Made by perigee " PERIGEE_VERSION;
  pages::Section first;
  pages::Warnings warnings{this->warnings()};
  if (!problem.empty())
    warnings.lines.insert(warnings.lines.begin(), "The script did not come to its end: " + problem);
  if (!warnings.lines.empty()) first.items.emplace_back(std::move(warnings));
  if (const std::string description = description_of(interpreter); !description.empty())
    first.items.emplace_back(pages::Prose{description});
  document.sections.push_back(std::move(first));
  document.sections.push_back({"What was run", {facts_of(interpreter)}});
  document.sections.push_back({"What came out", items_});
  if (items_.empty()) document.sections.back().items.emplace_back(pages::Prose{"The script showed nothing."});
  pages::Section again{"How to repeat it", {}};
  again.items.emplace_back(pages::Prose{
      "The command is above; the same version of perigee gives the same results, to the last bit. The texts of the script "
      "are at the end."});
  if (!runs_.empty()) {
    again.items.emplace_back(
        pages::Prose{"Equal fingerprints mean equal runs: the same things happened at the same times."});
    pages::TableItem table;
    table.title = "Runs of the script";
    if (runs_left_out_ > 0)
      table.title += fmt::format(" (the first {} of {})", runs_.size(), runs_.size() + runs_left_out_);
    table.file = "runs";
    table.table = runs();
    again.items.emplace_back(std::move(table));
    for (pages::Item& item : card_items(card_text(interpreter, manifest_, runs_.back().ordinal), "card.json"))
      again.items.push_back(std::move(item));
  }
  for (pages::Item& item : sources_of(interpreter)) again.items.push_back(std::move(item));
  document.sections.push_back(std::move(again));
  return document;
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./=:,+-").find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

pages::Facts facts_of(const Interpreter& interpreter) {
  const InterpreterOptions& options = interpreter.options();
  const std::string& script = interpreter.files().script();
  std::string command = "perigee run " + shell_word(script);
  if (options.seed != 1) command += fmt::format(" --seed {}", options.seed);
  std::string settings;
  for (const auto& [name, value] : options.settings) command += " --set " + shell_word(name + "=" + value);
  for (const auto& [name, value] : interpreter.settings().values())
    settings += fmt::format("{}{} = {}{}", settings.empty() ? "" : ", ", name, value,
                            options.settings.contains(name) ? "" : " (its default)");
  for (const std::string& folder : options.data) command += " --data " + shell_word(folder);
  if (!options.out.empty()) command += " --out results";  // under whatever name
  pages::Facts facts;
  facts.rows = {{"script", script},
                {"command", options.interactive ? "a session at the prompt" : command},
                {"seed of the script", std::to_string(options.seed)},
                {"settings", settings.empty() ? "none" : settings},
                {"version", "perigee " PERIGEE_VERSION}};
  for (const Files::DataFile& file : interpreter.files().data_files())
    facts.rows.emplace_back("data", fmt::format("{} (hash {})", file.asked, file.hash));
  return facts;
}

std::string description_of(const Interpreter& interpreter) {
  const std::string* text = interpreter.sources().text(interpreter.files().script());
  if (text == nullptr) return {};
  std::string description;
  std::string_view rest = *text;
  while (rest.starts_with("--")) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of("- "), line.size()));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() && !description.empty()) break;
    if (line.empty() || line.starts_with("takes:") || line.starts_with("test:") ||
        line.starts_with("perigee "))
      continue;
    description += (description.empty() ? "" : " ") + std::string(line);
  }
  return description;
}

std::vector<pages::Item> sources_of(const Interpreter& interpreter) {
  constexpr std::size_t kMostSources = 50, kMostText = 1'000'000;
  std::vector<pages::Item> items;
  std::size_t bytes = 0, left_out = 0;
  for (const auto& [name, text] : interpreter.sources().texts()) {
    if (items.size() >= kMostSources || bytes + text.size() > kMostText) {
      ++left_out;
      continue;
    }
    bytes += text.size();
    items.emplace_back(pages::Source{name, text});
  }
  if (left_out > 0)
    items.emplace_back(pages::Prose{fmt::format("{} more texts are not in this page.", left_out)});
  return items;
}

std::vector<pages::Item> card_items(const std::string& card, const std::string& file) {
  return {
      pages::Prose{fmt::format("The replay card has the script, its settings and the seed. Save it, and "
                               "`perigee replay {}` makes the run again and says whether it is identical.",
                               file)},
      pages::Download{file, "Save the replay card of the last run", card}};
}

}  // namespace perigee::session

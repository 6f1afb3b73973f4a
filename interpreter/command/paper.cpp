#include "interpreter/command/paper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "interpreter/command/cli.h"
#include "interpreter/command/findings_page.h"
#include "interpreter/command/gathering.h"
#include "interpreter/command/interrupts.h"
#include "interpreter/command/page_file.h"
#include "interpreter/command/paper_page.h"
#include "interpreter/command/said.h"
#include "interpreter/command/scripts.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/experiments/page.h"
#include "interpreter/session/recorder.h"
#include "interpreter/session/temporary_folder.h"
#include "runtime/kernel/error.h"

namespace perigee::command {

namespace fs = std::filesystem;

using session::Claim;
using session::ScriptClaims;

namespace {

// Names of folders with scripts, for a message.
std::vector<std::string> folders_near(const fs::path& given) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path above = given.has_parent_path() ? given.parent_path() : fs::path(".");
  for (auto each = fs::directory_iterator(above, error); each != fs::directory_iterator();
       each.increment(error))
    if (each->is_directory(error))
      names.push_back((given.has_parent_path() ? each->path() : each->path().filename()).generic_string());
  if (!scripts_folder().empty())
    for (auto each = fs::directory_iterator(scripts_folder(), error); each != fs::directory_iterator();
         each.increment(error))
      if (each->is_directory(error)) names.push_back(each->path().filename().generic_string());
  std::ranges::sort(names);
  return names;
}

// The folder of that path, else the one of that name that comes with perigee. Error "no_folder".
fs::path folder_named(const std::string& given) {
  std::error_code error;
  const fs::path path = fs::path(given).lexically_normal();
  if (fs::is_directory(path, error)) return path.has_filename() ? path : path.parent_path();
  if (fs::exists(path, error))
    fail("no_folder", "{} is a file; name the folder of a publication's scripts{}", given,
         path.has_parent_path() ? fmt::format(", as {}", path.parent_path().string()) : "");
  std::string name = path.generic_string();
  if (name.starts_with("scripts/")) name.erase(0, 8);
  while (name.ends_with('/')) name.pop_back();
  if (!name.empty() && !path.is_absolute() && !name.starts_with("..") && !scripts_folder().empty() &&
      fs::is_directory(scripts_folder() / name, error))
    return scripts_folder() / name;
  std::string shown = given;
  while (shown.size() > 1 && shown.ends_with('/')) shown.pop_back();
  fail("no_folder", "{}: there is no such folder{}", given, did_you_mean(shown, folders_near(shown)));
}

// The scripts of the folder that run, in the order of their names. Error "no_claims" if there is none, or if none lists
// statements or claims anything.
std::vector<ScriptInfo> scripts_of(const fs::path& folder, const std::string& given) {
  std::vector<ScriptInfo> scripts = scripts_in(folder);
  if (scripts.empty()) {
    std::vector<std::string> others;
    std::error_code error;
    for (auto each = fs::directory_iterator(folder, error); each != fs::directory_iterator();
         each.increment(error))
      if (each->is_regular_file(error)) others.push_back(each->path().filename().string());
    std::ranges::sort(others);
    constexpr std::size_t kNamed = 3;
    const bool more = others.size() > kNamed;
    others.resize(std::min(others.size(), kNamed));
    fail(
        "no_claims", "{} has no scripts: their names end in .lua{}", given,
        others.empty() ? "" : fmt::format("; it has {}{}", fmt::join(others, ", "), more ? " and more" : ""));
  }
  const bool lists = std::ranges::any_of(scripts, &ScriptInfo::lists_statements);
  const bool claims =
      std::ranges::any_of(scripts, [](const ScriptInfo& s) { return !s.is_module() && s.makes_claims(); });
  if (!lists && !claims) {
    std::set<std::string> with;
    if (!scripts_folder().empty())
      for (const ScriptInfo& script : scripts_in(scripts_folder()))
        if (script.lists_statements) with.insert(fs::path(script.name).parent_path().generic_string());
    fail(
        "no_claims",
        "{}: none of its scripts lists the statements of a publication, nor claims anything about one, by statements {{ }} "
        "and claim {{ }}{}",
        given,
        with.empty() ? ""
                     : fmt::format("; folders with statements come with perigee: {}", fmt::join(with, ", ")));
  }
  std::erase_if(scripts,
                [](const ScriptInfo& script) { return script.is_module() && !script.lists_statements; });
  for (ScriptInfo& script : scripts)
    script.name = name_of_script(script.path, fs::path(script.path).lexically_normal().generic_string());
  return scripts;
}

// The sentences that the script begins with: its first comment, up to a line that is about how to run it.
std::string summary_of(const std::string& path) {
  std::istringstream text(text_of_file(path));
  std::string summary;
  for (std::string line; std::getline(text, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("#!")) continue;
    if (!line.starts_with("--")) break;
    line.erase(0, std::min(line.find_first_not_of("- "), line.size()));
    if (line.empty() || line.starts_with("takes:") || line.starts_with("test:") ||
        line.starts_with("perigee "))
      break;
    summary += (summary.empty() ? "" : " ") + line;
  }
  return summary;
}

// Notes what can be asked of the interpreter only before it goes.
void note(PaperPart& part, session::Interpreter& interpreter, const ScriptClaims& its) {
  part.found = its.claims;
  part.items = part.recorder.items();
  part.warnings = part.recorder.warnings();
  part.settings = interpreter.settings().values();
  const session::InterpreterOptions& options = interpreter.options();
  std::string settings;
  for (const auto& [name, value] : part.settings)
    settings += fmt::format("{}{} = {}{}", settings.empty() ? "" : ", ", name, value,
                            options.settings.contains(name) ? " (given)" : "");
  part.facts.emplace_back("settings", settings.empty() ? "it reads none" : settings);
  part.facts.emplace_back("seed", std::to_string(options.seed));
  if (!part.info.takes.empty()) part.facts.emplace_back("takes", part.info.takes);
  if (part.recorder.runs_made() > 0)
    part.facts.emplace_back("runs", std::to_string(part.recorder.runs_made()));
  if (interpreter.cells() != nullptr)
    for (const auto& each : experiments::coordinator_of(interpreter).experiments()) {
      part.facts.emplace_back("experiment",
                              fmt::format("{}: {} cells{}", each->design.name, each->outcomes.size(),
                                          each->failed > 0 ? fmt::format(", {} failed", each->failed) : ""));
      for (const auto& factor : each->design.factors)
        if (factor.levels.size() == 1)
          part.single.push_back(fmt::format("{} of experiment '{}'", factor.name, each->design.name));
      for (pages::Item& item : experiments::section_of(each->design, each->outcomes, each->known).items)
        if (auto* table = std::get_if<pages::TableItem>(&item); table != nullptr && !table->folded) {
          table->folded = true;
          table->title = fmt::format("Experiment {}: {}", each->design.name, table->title);
          part.experiments.push_back(std::move(item));
        }
    }
  for (const session::Files::DataFile& file : interpreter.files().data_files())
    part.facts.emplace_back("data", fmt::format("{} (hash {})", file.asked, file.hash));
}

// Puts "out" where texts name the folder, whose name is another one each time.
void forget(const std::string& folder, std::vector<ScriptClaims>& found, std::vector<PaperPart>& parts) {
  const auto in = [&](std::string& text) {
    for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos; at += 3)
      text.replace(at, folder.size(), "out");
  };
  for (ScriptClaims& script : found) {
    in(script.problem);
    for (Claim& claim : script.claims)
      for (std::string* text : {&claim.found, &claim.note}) in(*text);
  }
  for (PaperPart& part : parts) {
    for (pages::Item& item : part.items)
      if (auto* text = std::get_if<pages::Text>(&item)) in(text->text);
    for (std::string& line : part.warnings) in(line);
  }
}

// Each name is that of a script of the folder. Error "no_file" with the nearest one.
void check_without(const std::vector<std::string>& without, const std::vector<ScriptInfo>& scripts) {
  std::vector<std::string> names;
  for (const ScriptInfo& script : scripts) names.push_back(fs::path(script.path).filename().string());
  for (const std::string& name : without)
    if (std::ranges::find(names, name) == names.end())
      fail("no_file", "--without {}: the folder has no script of that name{}", name,
           did_you_mean(name, names));
}

// Faults of settings that were given and that no script reads.
void look_for_unread_settings(const session::InterpreterOptions& options, const std::vector<PaperPart>& parts,
                              Gathering& gathering) {
  std::vector<std::string> names;
  for (const PaperPart& part : parts)
    for (const auto& [name, value] : part.settings) names.push_back(name);
  for (const auto& [name, value] : options.settings)
    if (name != "full" && std::ranges::find(names, name) == names.end())
      gathering.fault(fmt::format("--set {}={}: no script reads a setting '{}'{}", name, value, name,
                                  did_you_mean(name, names)));
}

}  // namespace

int paper(const PaperRequest& given, const session::InterpreterOptions& given_options) {
  PaperRequest request = given;
  session::InterpreterOptions options = given_options;
  if (const auto full = options.settings.find("full");
      full != options.settings.end() && full->second == "true")
    request.full = true;
  std::vector<ScriptInfo> scripts;
  try {
    const fs::path folder = folder_named(request.folder);
    scripts = scripts_of(folder, request.folder);
    for (std::string& name : request.without)
      if (!name.ends_with(".lua")) name += ".lua";
    check_without(request.without, scripts);
    if (request.output.empty()) {
      std::error_code none;
      const fs::path name = fs::canonical(folder, none).filename();
      request.output = name.empty() ? "paper.html" : name.string() + ".html";
    }
    if (request.output != "-") refuse_foreign(request.output, "-o");
  } catch (const Error& error) {
    complain(fmt::format("error: {}\n", error.what()));
    return kWrongUsage;
  }
  std::optional<session::TemporaryFolder> scratch;  // below which scripts write
  if (options.out.empty()) options.out = scratch.emplace().path();
  Gathering gathering({request.full, false, request.rows}, options);
  std::vector<PaperPart> parts(scripts.size());
  const auto take = [&](std::size_t i) {
    PaperPart& part = parts[i];
    part.info = scripts[i];
    part.id = fmt::format("script-{}", i + 1);
    part.summary = summary_of(part.info.path);
    const auto begin = std::chrono::steady_clock::now();
    gathering.take(part.info,
                   {&part.recorder, [&](session::Interpreter& interpreter, const ScriptClaims& its) {
                      note(part, interpreter, its);
                    }});
    part.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    complain(fmt::format("{} of {}: {}: {:.1f} s\n", i + 1, parts.size(), part.info.name, part.seconds));
  };
  if (const int signal = gathering.take_all(scripts, take); signal != 0) {
    scratch.reset();
    return end_by_signal(signal);
  }
  for (const std::string& fault : faults_of(gathering.found(), false)) gathering.fault(fault);
  look_for_unread_settings(options, parts, gathering);
  if (scratch) forget(scratch->path(), gathering.found(), parts);
  scratch.reset();
  put_page(request.output, page_of_paper(request, options, gathering, gathering.found(), parts), "-o");
  return gathering.status();
}

}  // namespace perigee::command

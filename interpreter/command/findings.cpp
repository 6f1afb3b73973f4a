#include "interpreter/command/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/command/cli.h"
#include "interpreter/command/findings_page.h"
#include "interpreter/command/said.h"
#include "interpreter/command/scripts.h"
#include "interpreter/command/verdict_rows.h"
#include "interpreter/session/explain.h"
#include "interpreter/session/interpreter.h"

namespace perigee::command {

namespace {

namespace fs = std::filesystem;

// As scripts_in names it where it comes with perigee, else as it was given.
std::string name_of_script(const std::string& path, const std::string& given) {
  std::error_code none;
  const fs::path inside = fs::canonical(path, none).lexically_relative(scripts_folder());
  return scripts_folder().empty() || inside.empty() || *inside.begin() == ".." ? given
                                                                               : inside.generic_string();
}

std::vector<ScriptInfo> scripts_of_perigee() {
  if (scripts_folder().empty())
    fail("no_file", "the scripts that come with perigee are not beside this program");
  return scripts_in(scripts_folder());
}

// The script with a claim about the statement; of one that has none, the script that lists it.
ScriptInfo script_about(const std::string& number) {
  std::vector<std::string> numbers;
  std::vector<ScriptInfo> scripts = scripts_of_perigee();
  for (ScriptInfo& script : scripts) {
    if (script.is_module()) continue;
    if (script.numbers.contains(number)) return std::move(script);
    for (const auto& [other, claim] : script.numbers) numbers.push_back(other);
  }
  for (ScriptInfo& script : scripts)
    if (script.listed.contains(number)) return std::move(script);
  fail("no_claim", "no script claims anything about the statement {}{}", number,
       did_you_mean(number, numbers));
}

// The scripts to run, each once; and of each the numbers that were asked for, unless all of it was.
struct Chosen {
  std::vector<ScriptInfo> scripts;
  std::vector<std::string> numbers;
};

Chosen chosen(const std::vector<std::string>& asked) {
  Chosen all;
  if (asked.empty()) {
    all.scripts = scripts_of_perigee();
    std::erase_if(all.scripts, [](const ScriptInfo& script) {
      return !script.lists_statements && (script.is_module() || !script.makes_claims());
    });
    return all;
  }
  for (const std::string& each : asked) {
    const bool number = is_number_of_statement(each) && !fs::exists(each);
    ScriptInfo script = number ? script_about(each) : script_info(find_script(each), each);
    if (!number) script.name = name_of_script(script.path, each);
    if (number) all.numbers.push_back(each);
    if (std::ranges::none_of(all.scripts, [&](const ScriptInfo& s) { return s.path == script.path; }))
      all.scripts.push_back(std::move(script));
  }
  return all;
}

// A folder for the cells of a script: its name below the scripts of perigee; of another script the name of
// its file.
fs::path folder_of(const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal().replace_extension();
  return path.is_absolute() || path.begin()->string() == ".." ? path.filename() : path;
}

// The outcome of running one script, or of looking at its declarations only.
struct Looked {
  ScriptClaims its;
  std::map<std::string, std::string> settings;  // that it read
  bool cut = false;                             // it was looked at as far as the limit of steps allows
};

Looked run_one(const ScriptInfo& script, InterpreterOptions options) {
  Looked looked;
  ScriptClaims& its = looked.its;
  its.script = script.name;
  options.output = [](std::string_view) {};
  if (options.check) options.warnings = [](std::string_view) {};
  if (!options.out.empty())  // each has a folder of its own
    options.out = (fs::path(options.out) / folder_of(script.name)).string();
  const bool check = options.check;
  Interpreter interpreter(open_words, std::move(options));
  try {
    interpreter.run_file(script.path);
    its.problem = interpreter.failed_cells();
    if (!its.problem.empty()) complain(fmt::format("error: {}: {}\n", script.name, its.problem));
  } catch (const Error& error) {
    const SourceLocation& where = error.diagnostic().where;
    looked.cut = check && error.diagnostic().code == "step_limit";
    if (!looked.cut && (!check || !interpreter.has_unknown())) {
      its.problem = where.line > 0 ? fmt::format("line {}: {}", where.line, error.diagnostic().message)
                                   : error.diagnostic().message;
      complain(explain(error, interpreter));
    }
  }
  its.claims = interpreter.claims();
  its.publications = interpreter.publications();
  looked.settings = interpreter.settings().values();
  return looked;
}

// Looks at the declarations of the full form, as far as that is soon done.
Looked look_at_full_form(const ScriptInfo& script, InterpreterOptions options) {
  constexpr std::uint64_t kMostSteps = 3'000'000;  // scripts read their settings at their beginning
  options.check = true;
  options.settings["full"] = "true";
  options.out.clear();
  if (script.makes_claims()) options.steps = kMostSteps;
  return run_one(script, std::move(options));
}

bool is_listed(const std::vector<Publication>& publications, const std::string& number) {
  return std::ranges::any_of(publications, [&](const Publication& publication) {
    return std::ranges::any_of(publication.statements,
                               [&](const Statement& statement) { return statement.number == number; });
  });
}

std::string name_of_claim(const Claim& claim) {
  return claim.statement.empty() ? fmt::format("'{}'", claim.says) : claim.statement;
}

// The claim as the text of the script shows it; null when it does not.
const ClaimText* text_of_claim(const ScriptInfo& script, const Claim& claim) {
  const auto number = script.numbers.find(claim.statement);
  if (number != script.numbers.end()) return &number->second;
  const auto other = script.others.find(claim.says);
  return claim.statement.empty() && other != script.others.end() ? &other->second : nullptr;
}

bool same_claim(const Claim& a, const Claim& b) {
  return a.statement == b.statement && (!a.statement.empty() || (a.source == b.source && a.says == b.says));
}

// Everything that is asked of scripts and rows together.
class Gathering {
 public:
  Gathering(const FindingsRequest& request, const InterpreterOptions& options)
      : request_(request), options_(options) {
    if (!request.rows.empty()) rows_ = verdict_rows(request.rows);
    if (request.full && !request.rows.empty())
      write_verdict_rows(request.rows, rows_);  // before the hours of computing
  }

  void take(const ScriptInfo& script) {
    if (request_.check)
      take_from_rows(script);
    else
      take_from_run(script);
  }

  // Rows of statements that no script claims anything about any more.
  void look_for_stale_rows() {
    for (const VerdictRow& row : rows_)
      if (std::ranges::find(seen_, row.script) == seen_.end())
        fault(fmt::format("{}: a row is about the script {}, which makes no claims", request_.rows,
                          row.script));
  }

  void fault(const std::string& text) {
    complain(fmt::format("error: {}\n", text));
    status_ = kScriptFailed;
  }

  std::vector<ScriptClaims>& found() { return found_; }
  std::vector<VerdictRow>& rows() { return rows_; }
  int status() const { return status_; }

 private:
  void take_from_run(const ScriptInfo& script) {
    InterpreterOptions options = options_;
    if (request_.full) options.settings["full"] = "true";
    const std::string code = code_of_script(script.path);  // the text that runs, whatever is edited meanwhile
    ScriptClaims its = run_one(script, std::move(options)).its;
    if (!its.problem.empty()) status_ = kScriptFailed;
    for (const Claim& claim : its.claims)
      if (!claim.stands(request_.full)) status_ = kScriptFailed;
    seen_.push_back(script.name);
    if (request_.full && !request_.rows.empty() && its.problem.empty()) {
      std::map<std::string, std::string> settings;
      if (!its.claims.empty()) settings = look_at_full_form(script, options_).settings;
      rows_ = verdict_rows(request_.rows);  // others may have written theirs meanwhile
      std::erase_if(rows_, [&](const VerdictRow& row) { return row.script == script.name; });
      for (const Claim& claim : its.claims)
        rows_.push_back(row_written(claim, script.name, settings, options_.seed, code));
      sort_rows();
      write_verdict_rows(request_.rows, rows_);  // after each script: what was computed is kept
    } else if (!request_.rows.empty()) {
      const std::vector<VerdictRow> rows = rows_of(script);
      for (Claim& claim : its.claims) show_full_form(script, rows, claim);
    }
    found_.push_back(std::move(its));
  }

  void sort_rows() {
    std::ranges::stable_sort(rows_,
                             [](const VerdictRow& a, const VerdictRow& b) { return a.script < b.script; });
  }

  // The rows of the script, with what is wrong with them whatever the script finds.
  std::vector<VerdictRow> rows_of(const ScriptInfo& script) {
    const std::string code = code_of_script(script.path);
    std::vector<VerdictRow> its;
    for (const VerdictRow& row : rows_) {
      if (row.script != script.name) continue;
      const std::string what = name_of_claim(row.claim);
      if (std::ranges::any_of(its, [&](const VerdictRow& r) { return same_claim(r.claim, row.claim); })) {
        fault(fmt::format("{}: {} has two rows on {}: delete one", request_.rows, script.name, what));
        continue;
      }
      if (row.seed != options_.seed)
        fault(fmt::format("{}: {} was found with the seed {}, not with {}", request_.rows, what, row.seed,
                          options_.seed));
      if (row.was_changed())
        fault(fmt::format("{}: the row on {} was changed after its script wrote it: run the full form again",
                          request_.rows, what));
      if (row.claim.statement.empty() ? !script.makes_claims()
                                      : !script.numbers.contains(row.claim.statement))
        fault(
            fmt::format("{}: a row is about {}, of which {} says nothing", request_.rows, what, script.name));
      VerdictRow& its_row = its.emplace_back(row);
      its_row.claim.by_earlier_text = row.code != code || row.version != PERIGEE_VERSION;
    }
    if (std::ranges::any_of(its, [](const VerdictRow& row) { return row.claim.by_earlier_text; }))
      complain(fmt::format("warning: {}: the rows of {} were found by an earlier text of it\n", request_.rows,
                           script.name));
    return its;
  }

  void compare_verdicts(const ScriptInfo& script, const Claim& claim, std::string_view verdict,
                        const VerdictRow& row) {
    if (verdict != name_of(row.claim.verdict))
      fault(fmt::format("{}:{}: the verdict on {} is '{}', and '{}' in {}", script.name, claim.where.line,
                        name_of_claim(claim), verdict, name_of(row.claim.verdict), request_.rows));
  }

  // The finding of the full form takes the place of that of a short one.
  void show_full_form(const ScriptInfo& script, const std::vector<VerdictRow>& rows, Claim& claim) {
    const auto row =
        std::ranges::find_if(rows, [&](const VerdictRow& r) { return same_claim(r.claim, claim); });
    if (row == rows.end()) {
      fault(fmt::format("{}: there is no row for {} of {}:{}", request_.rows, name_of_claim(claim),
                        script.name, claim.where.line));
      return;
    }
    compare_verdicts(script, claim, name_of(claim.verdict), *row);
    claim.found = row->claim.found;
    claim.finding = row->claim.finding;
    claim.note = row->claim.note;
    claim.by_earlier_text = row->claim.by_earlier_text;
  }

  // Without a run: the claims of the script are those that its rows have.
  void take_from_rows(const ScriptInfo& script) {
    seen_.push_back(script.name);
    const auto [looked, settings, cut] = look_at_full_form(script, options_);
    ScriptClaims its = looked;
    if (!its.problem.empty()) status_ = kScriptFailed;
    for (const VerdictRow& row : rows_of(script)) {
      Claim claim = row.claim;
      const ClaimText* text = text_of_claim(script, claim);
      claim.where = {script.path, text == nullptr ? 1 : text->line};
      if (text != nullptr && !text->may_have(name_of(claim.verdict)))
        compare_verdicts(script, claim, *text->verdicts.begin(), row);
      const std::string what = name_of_claim(claim);
      if (cut ? !std::ranges::includes(row.settings, settings) : row.settings != settings)
        fault(fmt::format("{}: {} was found with other settings than {} has now: run its full form again",
                          request_.rows, what, script.name));
      if (!claim.stands(true)) fault(fmt::format("{}: {} {}", request_.rows, what, claim.told(true)));
      its.claims.push_back(std::move(claim));
    }
    if (!script.is_module()) look_for_missing_rows(script, its);
    found_.push_back(std::move(its));
  }

  // Claims in the text of the script that have no row.
  void look_for_missing_rows(const ScriptInfo& script, const ScriptClaims& its) {
    if (its.claims.empty() && script.numbers.empty()) {  // without its data a script may claim nothing
      if (script.has_claims)
        complain(
            fmt::format("warning: {}: there is no row of {}: run its full form, with the data it needs\n",
                        request_.rows, script.name));
      return;
    }
    const auto look = [&](const std::string& what, int line, const auto& is_it) {
      if (std::ranges::none_of(its.claims, is_it))
        fault(fmt::format("{}:{}: there is no row for {} in {}: run the full form", script.name, line, what,
                          request_.rows));
    };
    for (const auto& [number, text] : script.numbers)
      if (is_listed(its.publications, number))
        look(number, text.line, [&](const Claim& claim) { return claim.statement == number; });
    for (const auto& [says, text] : script.others)
      look(fmt::format("'{}'", says), text.line,
           [&](const Claim& claim) { return claim.statement.empty() && claim.says == says; });
  }

  const FindingsRequest& request_;
  const InterpreterOptions& options_;
  std::vector<VerdictRow> rows_;
  std::vector<ScriptClaims> found_;
  std::vector<std::string> seen_;  // scripts
  int status_ = kSuccess;
};

// Drops claims and statements of any other number.
void keep_only(const std::vector<std::string>& numbers, std::vector<ScriptClaims>& scripts) {
  const auto is_other = [&](const std::string& number) {
    return std::ranges::find(numbers, number) == numbers.end();
  };
  for (ScriptClaims& script : scripts) {
    std::erase_if(script.claims, [&](const Claim& claim) { return is_other(claim.statement); });
    for (Publication& publication : script.publications)
      std::erase_if(publication.statements,
                    [&](const Statement& statement) { return is_other(statement.number); });
  }
}

}  // namespace

int findings(const FindingsRequest& request, const InterpreterOptions& options) {
  Chosen what;
  try {
    what = chosen(request.asked);
  } catch (const Error& error) {
    complain(fmt::format("error: {}\n", error.what()));
    return kWrongUsage;
  }
  const bool all = request.asked.empty();
  Gathering gathering(request, options);
  for (const ScriptInfo& script : what.scripts) gathering.take(script);
  for (const std::string& fault : faults_of(gathering.found(), all)) gathering.fault(fault);
  if (all && !request.rows.empty()) gathering.look_for_stale_rows();
  Shown shown = all ? Shown::everything : Shown::claimed;
  if (!what.numbers.empty()) {
    shown = Shown::asked;
    keep_only(what.numbers, gathering.found());
  }
  print(findings_page(gathering.found(), shown, request.full || request.check));
  return gathering.status();
}

}  // namespace perigee::command

#include "interpreter/command/gathering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>

#include "interpreter/bindings/words.h"
#include "interpreter/command/cli.h"
#include "interpreter/command/interrupts.h"
#include "interpreter/command/said.h"
#include "interpreter/session/explain.h"

namespace perigee::command {

namespace fs = std::filesystem;

namespace {

// A folder for the cells of a script: its name below the scripts of perigee; of another script the name of
// its file.
fs::path folder_of(const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal().replace_extension();
  return path.is_absolute() || path.begin()->string() == ".." ? path.filename() : path;
}

// Signals stop the script while the object lives.
class Followed {
 public:
  explicit Followed(Interpreter& interpreter) { Interrupts::follow(interpreter); }
  ~Followed() { Interrupts::forget_the_script(); }
  Followed(const Followed&) = delete;
  Followed& operator=(const Followed&) = delete;
};

// The outcome of running one script, or of looking at its declarations only.
struct Looked {
  ScriptClaims its;
  std::map<std::string, std::string> settings;  // that it read
  bool cut = false;                             // it was looked at as far as the limit of steps allows
};

Looked run_one(const ScriptInfo& script, InterpreterOptions options, const Watch& watch = {}) {
  Looked looked;
  ScriptClaims& its = looked.its;
  its.script = script.name;
  options.output = [](std::string_view) {};
  if (options.check) options.warnings = [](std::string_view) {};
  if (!options.out.empty())  // each has a folder of its own
    options.out = (fs::path(options.out) / folder_of(script.name)).string();
  const bool check = options.check;
  options.audience = watch.recorder;
  options.interruptible = true;
  Interpreter interpreter(open_words, std::move(options));
  const Followed followed(interpreter);
  if (watch.recorder != nullptr) watch.recorder->follow(interpreter);
  try {
    interpreter.run_file(script.path);
    its.problem = interpreter.failed_cells();
    if (!its.problem.empty()) complain(fmt::format("error: {}: {}\n", script.name, its.problem));
  } catch (const Error& error) {
    if (Interrupts::any()) throw;
    const SourceLocation& where = error.diagnostic().where;
    looked.cut = check && error.diagnostic().code == "step_limit";
    if (!looked.cut && (!check || !interpreter.has_unknown())) {
      its.problem = where.line > 0 ? fmt::format("line {}: {}", where.line, error.diagnostic().message)
                                   : error.diagnostic().message;
      complain(explain(error, interpreter));
    }
  }
  if (Interrupts::any()) fail("interrupted", "interrupted");
  its.claims = interpreter.claims();
  its.publications = interpreter.publications();
  looked.settings = interpreter.settings().values();
  if (watch.ended) watch.ended(interpreter, its);
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

}  // namespace

// As scripts_in names it where it comes with perigee, else as it was given.
std::string name_of_script(const std::string& path, const std::string& given) {
  std::error_code none;
  const fs::path inside = fs::canonical(path, none).lexically_relative(scripts_folder());
  return scripts_folder().empty() || inside.empty() || *inside.begin() == ".." ? given
                                                                               : inside.generic_string();
}

Gathering::Gathering(GatheringRequest request, const InterpreterOptions& options)
    : request_(std::move(request)), options_(options), status_(kSuccess) {
  if (!request_.rows.empty()) rows_ = verdict_rows(request_.rows);
  if (request_.full && !request_.rows.empty())
    write_verdict_rows(request_.rows, rows_);  // before the hours of computing
}

void Gathering::take(const ScriptInfo& script, const Watch& watch) {
  if (request_.check)
    take_from_rows(script);
  else
    take_from_run(script, watch);
}

int Gathering::take_all(std::span<const ScriptInfo> scripts,
                        const std::function<void(std::size_t)>& take_one) {
  Interrupts interrupts;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    try {
      take_one(i);
      if (Interrupts::any()) fail("interrupted", "interrupted");
    } catch (const Error&) {
      if (!Interrupts::any()) throw;
      const bool kept = request_.full && !request_.rows.empty() && i > 0;
      complain(
          fmt::format("error: interrupted at script {} of {}, {}; no page was written{}\n", i + 1,
                      scripts.size(), scripts[i].name,
                      kept ? fmt::format("; {} keeps what the scripts before it found", request_.rows) : ""));
      return Interrupts::last();
    }
  }
  return 0;
}

// Rows of statements that no script claims anything about any more.
void Gathering::look_for_stale_rows() {
  for (const VerdictRow& row : rows_)
    if (std::ranges::find(seen_, row.script) == seen_.end())
      fault(
          fmt::format("{}: a row is about the script {}, which makes no claims", request_.rows, row.script));
}

void Gathering::fault(const std::string& text) {
  complain(fmt::format("error: {}\n", text));
  faults_.push_back(text);
  status_ = kScriptFailed;
}

void Gathering::take_from_run(const ScriptInfo& script, const Watch& watch) {
  InterpreterOptions options = options_;
  if (request_.full) options.settings["full"] = "true";
  const std::string code = code_of_script(script.path);  // the text that runs, whatever is edited meanwhile
  ScriptClaims its = run_one(script, std::move(options), watch).its;
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

void Gathering::sort_rows() {
  std::ranges::stable_sort(rows_,
                           [](const VerdictRow& a, const VerdictRow& b) { return a.script < b.script; });
}

// The rows of the script, with what is wrong with them whatever the script finds.
std::vector<VerdictRow> Gathering::rows_of(const ScriptInfo& script) {
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
    if (row.claim.statement.empty() ? !script.makes_claims() : !script.numbers.contains(row.claim.statement))
      fault(fmt::format("{}: a row is about {}, of which {} says nothing", request_.rows, what, script.name));
    VerdictRow& its_row = its.emplace_back(row);
    its_row.claim.by_earlier_text = row.code != code || row.version != PERIGEE_VERSION;
  }
  if (std::ranges::any_of(its, [](const VerdictRow& row) { return row.claim.by_earlier_text; }))
    complain(fmt::format("warning: {}: the rows of {} were found by an earlier text of it\n", request_.rows,
                         script.name));
  return its;
}

void Gathering::compare_verdicts(const ScriptInfo& script, const Claim& claim, std::string_view verdict,
                                 const VerdictRow& row) {
  if (verdict != name_of(row.claim.verdict))
    fault(fmt::format("{}:{}: the verdict on {} is '{}', and '{}' in {}", script.name, claim.where.line,
                      name_of_claim(claim), verdict, name_of(row.claim.verdict), request_.rows));
}

// The finding of the full form takes the place of that of a short one.
void Gathering::show_full_form(const ScriptInfo& script, const std::vector<VerdictRow>& rows, Claim& claim) {
  const auto row =
      std::ranges::find_if(rows, [&](const VerdictRow& r) { return same_claim(r.claim, claim); });
  if (row == rows.end()) {
    fault(fmt::format("{}: there is no row for {} of {}:{}", request_.rows, name_of_claim(claim), script.name,
                      claim.where.line));
    return;
  }
  compare_verdicts(script, claim, name_of(claim.verdict), *row);
  claim.found = row->claim.found;
  claim.finding = row->claim.finding;
  claim.note = row->claim.note;
  claim.by_earlier_text = row->claim.by_earlier_text;
}

// Without a run: the claims of the script are those that its rows have.
void Gathering::take_from_rows(const ScriptInfo& script) {
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
void Gathering::look_for_missing_rows(const ScriptInfo& script, const ScriptClaims& its) {
  if (its.claims.empty() && script.numbers.empty()) {  // without its data a script may claim nothing
    if (script.has_claims)
      complain(fmt::format("warning: {}: there is no row of {}: run its full form, with the data it needs\n",
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

}  // namespace perigee::command

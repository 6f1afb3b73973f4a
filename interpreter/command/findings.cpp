#include "interpreter/command/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "interpreter/command/cli.h"
#include "interpreter/command/findings_html.h"
#include "interpreter/command/findings_page.h"
#include "interpreter/command/gathering.h"
#include "interpreter/command/interrupts.h"
#include "interpreter/command/page_file.h"
#include "interpreter/command/said.h"
#include "interpreter/command/scripts.h"
#include "runtime/kernel/error.h"

namespace perigee::command {

namespace {

namespace fs = std::filesystem;

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

PageCommands commands_for(const FindingsRequest& request, const InterpreterOptions& options) {
  std::string begin = "perigee findings", end;
  for (const std::string& each : request.asked) begin += " " + session::shell_word(each);
  for (const std::string& folder : options.data) end += " --data " + session::shell_word(folder);
  end += " --html " + session::shell_word(request.html);
  const std::string rows = request.rows.empty() ? "" : " --rows " + session::shell_word(request.rows);
  PageCommands commands;
  commands.again = begin + (request.full ? " --full" : request.check ? " --check" : "") + rows + end;
  if (!request.full && !request.check && rows.empty()) {
    commands.full = begin + " --full --rows FILE" + end;
    commands.kept = begin + " --check --rows FILE" + end;
  }
  return commands;
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
  if (!request.html.empty() && request.html != "-") refuse_foreign(request.html, "--html");
  const bool all = request.asked.empty();
  Gathering gathering({request.full, request.check, request.rows}, options);
  if (const int signal =
          gathering.take_all(what.scripts, [&](std::size_t i) { gathering.take(what.scripts[i]); });
      signal != 0)
    return end_by_signal(signal);
  for (const std::string& fault : faults_of(gathering.found(), all)) gathering.fault(fault);
  if (all && !request.rows.empty()) gathering.look_for_stale_rows();
  Shown shown = all ? Shown::everything : Shown::claimed;
  if (!what.numbers.empty()) {
    shown = Shown::asked;
    keep_only(what.numbers, gathering.found());
  }
  const bool full = request.full || request.check;
  if (request.html.empty())
    print(findings_page(gathering.found(), shown, full));
  else
    put_page(request.html,
             page_of(findings_document(gathering.found(), shown, full, gathering.faults(),
                                       commands_for(request, options))),
             "--html");
  return gathering.status();
}

}  // namespace perigee::command

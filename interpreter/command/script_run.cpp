#include "interpreter/command/script_run.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/command/cli.h"
#include "interpreter/command/interrupts.h"
#include "interpreter/command/messages.h"
#include "interpreter/command/report.h"
#include "interpreter/command/said.h"
#include "interpreter/command/scripts.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/language/check_names.h"
#include "interpreter/session/explain.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/recorder.h"

namespace perigee::command {

std::optional<std::string> script_named(const std::string& given) {
  try {
    return find_script(given);
  } catch (const Error& error) {
    complain(fmt::format("error: {}\n", error.what()));
    return std::nullopt;
  }
}

namespace {

// The message when the cell of --cell never came.
std::string cli_missing_cell(const std::string& cell, const std::vector<std::string>& names) {
  if (names.empty()) return fmt::format("--cell {}: the script has no experiment", cell);
  const std::string name = cell.substr(0, cell.rfind(':'));
  return fmt::format("--cell {}: the script has no experiment '{}'{}", cell, name, did_you_mean(name, names));
}

// Tells people, and the file of --messages where there is one.
void tell(const Error& error, const std::string& text, Messages* messages) {
  complain(text);
  if (messages != nullptr) messages->error(error, text);
}
void tell(const Error& error, const Interpreter& interpreter, Messages* messages) {
  tell(error, explain(error, interpreter), messages);
}
void tell(const char* code, const std::string& message, Messages* messages) {
  tell(Error({code, message, {}, {}}), fmt::format("error: {}\n", message), messages);
}

// By the experiments and claims of a script that came to its end.
int status_of_findings(Interpreter& interpreter, Messages* messages) {
  if (const std::string failed = interpreter.failed_cells(); !failed.empty()) {
    tell("failed_cells", failed, messages);
    return kScriptFailed;
  }
  for (const Claim& claim : interpreter.claims())
    if (!claim.stands(interpreter.full())) return kScriptFailed;  // the message is out already
  return kSuccess;
}

// One line on standard error for each experiment, and why the script could not go on with a part of its
// results. The exit status.
int status_of_shard(Interpreter& interpreter, const Error* error, Messages* messages) {
  const auto [index, count] = interpreter.options().shard;
  bool failed = false, partial = false;
  for (const auto& each : experiments::coordinator_of(interpreter).experiments()) {
    const std::size_t elsewhere = each->elsewhere;
    complain(fmt::format("shard {} of {}: experiment '{}': {} of its {} cells are stored in {}{}\n", index,
                         count, each->design.name, each->outcomes.size() - each->failed - elsewhere,
                         each->known, interpreter.options().out,
                         elsewhere > 0 ? fmt::format(", {} are known from elsewhere", elsewhere) : ""));
    failed |= each->failed > 0;
    partial |= each->partial;
  }
  if (error != nullptr && partial)
    complain(fmt::format("note: the script ends here, for a shard lacks results: {}\n",
                         error->diagnostic().text()));
  else if (error != nullptr)
    tell(*error, interpreter, messages);
  return failed || (error != nullptr && !partial) ? kScriptFailed : kSuccess;
}

int status_of_run(Interpreter& interpreter, Messages* messages) {
  if (interpreter.options().shard.count > 1) return status_of_shard(interpreter, nullptr, messages);
  interpreter.settings().check();
  if (const std::string& cell = interpreter.options().cell; !cell.empty()) {
    tell("no_cell", cli_missing_cell(cell, experiments::coordinator_of(interpreter).names()), messages);
    return kScriptFailed;
  }
  return status_of_findings(interpreter, messages);
}

int status_of_check(Interpreter& interpreter, const std::string& script) {
  if (auto wrong = undeclared_name(interpreter, interpreter.catalogue(), true))
    throw Error(*std::move(wrong));
  print(fmt::format("{}: nothing wrong was found\n", script));
  return status_of_findings(interpreter, nullptr);
}

// Whether a check came to a condition that only a run could decide, or to Lua's error for a result that is
// missing.
bool needs_a_run(const Interpreter& interpreter, const Error& error) {
  if (interpreter.has_unknown() && error.diagnostic().code == "script_error") return true;
  return error.diagnostic().message.find(host::kNotKnown) != std::string::npos;
}

int status_of_unfinished_check(Interpreter& interpreter, const SourceLocation& where) {
  complain(fmt::format("{}:{}: note: this needs the result of a run; what follows was not checked\n",
                       where.file, where.line));
  const auto wrong = undeclared_name(interpreter, interpreter.catalogue(), false);
  if (wrong) complain(explain(Error(*wrong), interpreter));
  return wrong ? kScriptFailed : kSuccess;
}

}  // namespace

int run_named(const std::string& given, InterpreterOptions options, Messages* messages) {
  const bool checking = options.check;
  const std::optional<std::string> script = script_named(given);
  if (!script) return kWrongUsage;
  options.interruptible = true;
  std::optional<session::Recorder> recorder;  // what the script shows, for `perigee report`
  if (!checking && !options.out.empty() && options.cell.empty() && options.shard.count <= 1)
    options.audience = &recorder.emplace();
  if (messages != nullptr) options.audience = &messages->before(options.audience);
  std::optional<Interpreter> interpreter;
  interpreter.emplace(open_words, std::move(options));
  if (recorder) recorder->follow(*interpreter);
  const auto keep = [&](const std::string& problem) {
    if (recorder) keep_record(*interpreter, *recorder, problem);
  };
  if (recorder) recorder->on_begin([&] { keep(kRunning); });
  std::optional<Interrupts> interrupts;
  interrupts.emplace(*interpreter);
  try {
    interpreter->run_file(*script);
    keep({});
    return checking ? status_of_check(*interpreter, *script) : status_of_run(*interpreter, messages);
  } catch (const Error& error) {
    if (interpreter->done()) return kSuccess;  // --cell
    keep(error.diagnostic().text());
    if (interpreter->options().shard.count > 1 && error.diagnostic().code != "interrupted")
      return status_of_shard(*interpreter, &error, messages);
    if (checking && needs_a_run(*interpreter, error))
      return status_of_unfinished_check(*interpreter, error.diagnostic().where);
    tell(error, *interpreter, messages);
    if (error.diagnostic().code == "interrupted") {
      interrupts->forget_the_script();
      interpreter.reset();  // its workers end meanwhile, whatever signals still come
      interrupts.reset();
      return end_by_signal(Interrupts::last());
    }
    const bool no_script =
        error.diagnostic().code == "no_file" && interpreter->sources().text(*script) == nullptr;
    return no_script ? kWrongUsage : kScriptFailed;
  }
}

}  // namespace perigee::command

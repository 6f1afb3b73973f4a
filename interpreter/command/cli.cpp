#include "interpreter/command/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "interpreter/bindings/show/help.h"
#include "interpreter/bindings/words.h"
#include "interpreter/command/findings.h"
#include "interpreter/command/option_values.h"
#include "interpreter/command/replay.h"
#include "interpreter/command/said.h"
#include "interpreter/command/scripts.h"
#include "interpreter/command/telling.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/experiments/progress.h"
#include "interpreter/host/memory.h"
#include "interpreter/language/check_names.h"
#include "interpreter/prompt/line_editor.h"
#include "interpreter/session/explain.h"
#include "interpreter/session/interpreter.h"

namespace perigee::command {

namespace {

constexpr std::uint64_t kStepsOfCheck = 150'000'000;  // a check of a script that loops ends, too
constexpr const char* kVersion = "perigee " PERIGEE_VERSION;

// The message when the cell of --cell never came.
std::string cli_missing_cell(const std::string& cell, const std::vector<std::string>& names) {
  if (names.empty()) return fmt::format("--cell {}: the script has no experiment", cell);
  const std::string name = cell.substr(0, cell.rfind(':'));
  return fmt::format("--cell {}: the script has no experiment '{}'{}", cell, name, did_you_mean(name, names));
}

// The first Ctrl-C stops the script, which says where it was; the next one ends the process.
class CtrlC {
 public:
  explicit CtrlC(Interpreter& interpreter) {
    stopped = &interpreter;
    struct sigaction action = {};
    action.sa_handler = [](int) {
      if (Interpreter* const running = stopped) running->interrupt();
    };
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, nullptr, &before_);
    if (before_.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
  }
  ~CtrlC() {
    sigaction(SIGINT, &before_, nullptr);
    stopped = nullptr;
  }
  CtrlC(const CtrlC&) = delete;
  CtrlC& operator=(const CtrlC&) = delete;

 private:
  static inline Interpreter* volatile stopped = nullptr;
  struct sigaction before_ = {};
};

// Whoever called us learns that Ctrl-C ended the process.
int end_by_interrupt() {
  std::fflush(stdout);
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGINT, &action, nullptr);
  std::raise(SIGINT);
  return kScriptFailed;
}

// Complains where there is none.
std::optional<std::string> script_named(const std::string& given) {
  try {
    return find_script(given);
  } catch (const Error& error) {
    complain(fmt::format("error: {}\n", error.what()));
    return std::nullopt;
  }
}

// By the experiments and claims of a script that came to its end.
int status_of_findings(Interpreter& interpreter) {
  if (const std::string failed = interpreter.failed_cells(); !failed.empty()) {
    complain(fmt::format("error: {}\n", failed));
    return kScriptFailed;
  }
  for (const Claim& claim : interpreter.claims())
    if (!claim.stands(interpreter.full())) return kScriptFailed;  // the message is out already
  return kSuccess;
}

int status_of_run(Interpreter& interpreter) {
  interpreter.settings().check();
  if (const std::string& cell = interpreter.options().cell; !cell.empty()) {
    complain(
        fmt::format("error: {}\n", cli_missing_cell(cell, experiments::coordinator_of(interpreter).names())));
    return kScriptFailed;
  }
  return status_of_findings(interpreter);
}

int status_of_check(Interpreter& interpreter, const std::string& script) {
  if (auto wrong = undeclared_name(interpreter, interpreter.catalogue(), true))
    throw Error(*std::move(wrong));
  print(fmt::format("{}: nothing wrong was found\n", script));
  return status_of_findings(interpreter);
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

int run_named(const std::string& given, InterpreterOptions options) {
  const bool checking = options.check;
  const std::optional<std::string> script = script_named(given);
  if (!script) return kWrongUsage;
  options.interruptible = true;
  std::optional<Interpreter> interpreter;
  interpreter.emplace(open_words, std::move(options));
  std::optional<CtrlC> ctrl_c;
  ctrl_c.emplace(*interpreter);
  try {
    interpreter->run_file(*script);
    return checking ? status_of_check(*interpreter, *script) : status_of_run(*interpreter);
  } catch (const Error& error) {
    if (interpreter->done()) return kSuccess;  // --cell
    if (checking && needs_a_run(*interpreter, error))
      return status_of_unfinished_check(*interpreter, error.diagnostic().where);
    complain(explain(error, *interpreter));
    if (error.diagnostic().code == "interrupted") {
      ctrl_c.reset();
      interpreter.reset();
      return end_by_interrupt();
    }
    const bool no_script =
        error.diagnostic().code == "no_file" && interpreter->sources().text(*script) == nullptr;
    return no_script ? kWrongUsage : kScriptFailed;
  }
}

int prompt(const std::string& given, InterpreterOptions options) {
  const std::optional<std::string> script = script_named(given);
  if (!script) return kWrongUsage;
  options.on_progress = progress_line();
  options.on_cells = experiments::cells_line();
  Repl repl(std::move(options));
  return run_prompt(repl, *script);
}

// CLI11 would only say that something was not expected.
void name_what_is_unknown(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> commands;
  const CLI::App* command = nullptr;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(each->get_name());
    if (each->get_name() == argv[1]) command = each;
  }
  if (command == nullptr)
    throw Usage(fmt::format("unknown command '{}'{}", argv[1], did_you_mean(argv[1], commands)));
  std::vector<std::string> options;
  for (const CLI::Option* option : command->get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (int i = 2; i < argc; ++i) {
    const std::string_view given = argv[i];
    if (given == "--") return;
    if (!given.starts_with("--")) continue;
    const std::string name(given.substr(0, given.find('=')));
    if (std::find(options.begin(), options.end(), name) == options.end())
      throw Usage(fmt::format("unknown option '{}'{}", name, did_you_mean(name, options)));
  }
}

// The commands and options that may stand after `perigee`, and those that were given.
class CommandLine {
 public:
  CommandLine();
  // The exit status. Failures are told on standard error.
  int run(int argc, const char* const* argv);

 private:
  CLI::App* command(const char* name, const char* what) { return app_.add_subcommand(name, what); }
  void take_script(CLI::App* command, bool required = true);
  void take_data(CLI::App* command);
  void take_out(CLI::App* command, const char* what);
  void take_limits(CLI::App* command);
  void take_validate(CLI::App* command);
  void declare_run();
  void declare_what_tells();

  void complete_options();
  int dispatch();
  int run_script();
  int check_script();
  int replay_card();
  int help();

  CLI::App app_{"perigee: a laboratory for scheduling research", "perigee"};
  CLI::App *run_, *repl_, *check_, *list_, *findings_, *describe_, *reference_, *replay_, *version_, *help_;

  InterpreterOptions options_;
  std::string script_, family_, name_, card_, memory_;
  std::vector<std::string> set_;
  FindingsRequest claims_;
  bool quiet_ = false;
};

CommandLine::CommandLine() {
  app_.require_subcommand(1);
  app_.set_version_flag("--version", kVersion, "print the version");
  app_.failure_message(CLI::FailureMessage::help);
  options_.jobs = std::max(1u, std::thread::hardware_concurrency());

  declare_run();
  repl_ = command("repl", "a prompt, at which a script may have run");
  take_script(repl_, false);
  take_out(repl_, "the folder below which :save writes");
  take_validate(repl_);
  check_ = command("check", "check a script's declarations; nothing runs");
  take_script(check_);
  list_ = command("list", "list the schedulers");
  list_->add_option("family", family_, "only those of this family; or: scripts, modules")
      ->type_name("FAMILY");
  findings_ = command("findings", "run scripts for their claims; a page on what publications say");
  findings_
      ->add_option("scripts", claims_.asked,
                   "those to run, or numbers of statements (all that come with perigee and claim)")
      ->type_name("SCRIPT");
  CLI::Option* full =
      findings_->add_flag("--full", claims_.full, "studies in their full form, which verdicts rest on");
  CLI::Option* rows =
      findings_->add_option("--rows", claims_.rows, "the file that keeps what the full form found")
          ->type_name("FILE");
  findings_->add_flag("--check", claims_.check, "nothing runs: the rows are held against the scripts")
      ->excludes(full)
      ->needs(rows);
  take_data(findings_);
  take_out(findings_, "the folder below which scripts write");
  declare_what_tells();
}

void CommandLine::declare_run() {
  run_ = command("run", "run a script");
  take_script(run_);
  take_out(run_, "the folder below which :save writes");
  take_validate(run_);
  run_->add_option("--jobs", options_.jobs,
                   "cells of an experiment that are computed at a time (all processors)")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  run_->add_option("--cell", options_.cell, "compute this cell of an experiment only, and show what it does")
      ->type_name("K")
      ->check(CLI::Validator(cell_error, ""));
  run_->add_flag("-q,--quiet", quiet_,
                 "print only warnings and errors: nothing of what the script prints, no progress");
}

// In the order in which `perigee --help` lists them.
void CommandLine::declare_what_tells() {
  describe_ = command("describe", "describe a scheduler and its parameters");
  describe_->add_option("name", name_, "the scheduler")->required()->type_name("NAME");
  reference_ = command("reference", "a page on every word, type, scheduler and metric, as Markdown");
  take_out(reference_, "the folder that gets reference.md, and perigee.lua for editors (standard output)");
  replay_ = command("replay", "make a saved result again and compare");
  replay_->add_option("card", card_, "a manifest.json or its folder")->required()->type_name("CARD");
  take_data(replay_);
  take_limits(replay_);
  version_ = command("version", "print the version");
  help_ = command("help", "this text, or what a command, a word of the language or a scheduler is");
  help_->add_option("name", name_, "the command, word, scheduler, family, metric, field or module")
      ->type_name("NAME");
}

void CommandLine::take_script(CLI::App* command, bool required) {
  command->add_option("script", script_, "the script")->required(required)->type_name("SCRIPT");
  command
      ->add_option("--set", set_, "a setting that the script reads by setting(name, default) or as args.name")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--seed", options_.seed, "seed of runs that name none (1)")->check(whole_number(0));
  take_data(command);
  take_limits(command);
}

void CommandLine::take_data(CLI::App* command) {
  command->add_option("--data", options_.data, "a folder whose files the script may read, besides its own")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""))  // or help would say DIR:DIR
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void CommandLine::take_out(CLI::App* command, const char* what) {
  command->add_option("--out", options_.out, what)->type_name("DIR")->check(CLI::Validator(folder_error, ""));
}

void CommandLine::take_limits(CLI::App* command) {
  command
      ->add_option("--steps", options_.steps,
                   "stop after so many Lua instructions, simulated instants and other steps")
      ->check(whole_number(1));
  command
      ->add_option("--memory", memory_,
                   "most memory for all values of the script, such as 512MB (default 4.29 GB)")
      ->type_name("SIZE")
      ->check(CLI::Validator(size_error, ""));
}

void CommandLine::take_validate(CLI::App* command) {
  command->add_flag("--validate", options_.validate, "check the trace of every run again");
}

void CommandLine::complete_options() {
  options_.settings = settings_of(set_);
  if (!memory_.empty())
    options_.memory = static_cast<std::uint64_t>(parse_quantity(memory_, Dimension::bytes));
  if (quiet_) options_.output = [](std::string_view) {};
}

int CommandLine::run_script() {
  if (!quiet_) {
    options_.on_progress = progress_line();
    options_.on_cells = experiments::cells_line();
    if (!options_.on_cells) options_.on_cells = experiments::cells_log();
  }
  return run_named(script_, std::move(options_));
}

int CommandLine::check_script() {
  options_.check = true;
  if (options_.steps == 0) options_.steps = kStepsOfCheck;
  return run_named(script_, std::move(options_));
}

int CommandLine::replay_card() {
  std::ostringstream said;
  const bool same = replay(card_, said, {options_.data, options_.steps, options_.memory});
  print(said.str());
  return same ? kSuccess : kScriptFailed;
}

int CommandLine::help() {
  if (name_ == "scripts") return list_scripts();
  if (name_.empty()) {
    app_.clear();  // or it would be the help of this command
    print(app_.help());
    return kSuccess;
  }
  for (const CLI::App* each : app_.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_name() != name_ || each == help_) continue;
    print(each->help("perigee"));
    return kSuccess;
  }
  return help_on_name(name_);
}

int CommandLine::dispatch() {
  if (*run_) return run_script();
  if (*repl_) return prompt(script_, std::move(options_));
  if (*check_) return check_script();
  if (*list_) return list(family_);
  if (*findings_) return findings(claims_, options_);
  if (*reference_) return write_reference(options_.out);
  if (*describe_) return describe_named(name_);
  if (*replay_) return replay_card();
  if (*help_) return help();
  if (*version_) print(fmt::format("{}\n", kVersion));
  return kSuccess;
}

int CommandLine::run(int argc, const char* const* argv) {
  try {
    name_what_is_unknown(app_, argc, argv);
    app_.parse(argc, argv);
    complete_options();
    return dispatch();
  } catch (const CLI::Success& asked) {  // --help
    return app_.exit(asked);
  } catch (const CLI::ParseError& error) {
    complain(fmt::format("error: {}\ntry: perigee --help\n", error.what()));
    return kWrongUsage;
  } catch (const Usage& error) {
    complain(fmt::format("error: {}\ntry: perigee --help\n", error.what()));
    return kWrongUsage;
  } catch (const Error& error) {
    complain(fmt::format("error: {}\n", error.what()));
    return error.diagnostic().code == "no_card" ? kWrongUsage : kScriptFailed;
  } catch (const std::bad_alloc&) {
    complain(fmt::format("{}error: this machine has not enough memory\n", host::memory_ended_at));
    return kScriptFailed;
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}\n", error.what()));
    return kScriptFailed;
  }
}

}  // namespace

int command_line(int argc, const char* const* argv) {
  const int status = CommandLine().run(argc, argv);
  const bool failed = std::ferror(stdout) != 0;  // a while ago, and errno may say something else by now
  errno = 0;
  if (failed) std::fputc('\n', stdout);
  if (std::fflush(stdout) == 0 && !failed) return status;
  if (status == kSuccess)
    complain(fmt::format("error: standard output cannot be written{}{}\n", errno != 0 ? ": " : "",
                         errno != 0 ? std::strerror(errno) : ""));
  return status == kSuccess ? kScriptFailed : status;
}

}  // namespace perigee::command

#include "interpreter/command/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
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
#include "interpreter/command/kernel.h"
#include "interpreter/command/messages.h"
#include "interpreter/command/new_study.h"
#include "interpreter/command/option_values.h"
#include "interpreter/command/paper.h"
#include "interpreter/command/replay.h"
#include "interpreter/command/report.h"
#include "interpreter/command/said.h"
#include "interpreter/command/script_run.h"
#include "interpreter/command/scripts.h"
#include "interpreter/command/submit.h"
#include "interpreter/command/telling.h"
#include "interpreter/experiments/merge.h"
#include "interpreter/experiments/progress.h"
#include "interpreter/experiments/status.h"
#include "interpreter/experiments/workers/launch.h"
#include "interpreter/experiments/workers/worker.h"
#include "interpreter/host/memory.h"
#include "interpreter/language/check_names.h"
#include "interpreter/prompt/line_editor.h"
#include "interpreter/session/interpreter.h"

namespace perigee::command {

namespace {

constexpr std::uint64_t kStepsOfCheck = 150'000'000;  // a check of a script that loops ends, too
constexpr const char* kVersion = "perigee " PERIGEE_VERSION;

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
  void take_settings(CLI::App* command);
  void take_jobs(CLI::App* command);
  void take_data(CLI::App* command);
  void take_known(CLI::App* command);
  void take_out(CLI::App* command, const char* what);
  void take_limits(CLI::App* command);
  void take_validate(CLI::App* command);
  void declare_run();
  void declare_submit();
  void declare_stores();
  void declare_findings();
  void declare_what_tells();

  void complete_options();
  int dispatch();
  int run_script();
  int check_script();
  int replay_card();
  int submit_script();
  int tell_status();
  int merge_stores();
  int help();

  CLI::App app_{"perigee: a laboratory for scheduling research", "perigee"};
  CLI::App *run_, *repl_, *check_, *list_, *findings_, *describe_, *reference_, *replay_, *work_, *version_,
      *help_, *status_, *merge_, *submit_, *report_, *new_, *kernel_, *paper_;

  InterpreterOptions options_;
  std::string script_, family_, name_, card_, memory_, shard_, access_, output_, messages_;
  bool types_ = false;
  CLI::Option* jobs_ = nullptr;
  std::vector<std::string> set_, folders_;
  FindingsRequest claims_;
  PaperRequest publication_;
  Submission submission_;
  KernelRequest notebook_;
  bool quiet_ = false;
};

CommandLine::CommandLine() {
  app_.require_subcommand(1);
  app_.set_version_flag("--version", kVersion, "print the version");
  app_.failure_message(CLI::FailureMessage::help);
  options_.jobs = std::max(1u, std::thread::hardware_concurrency());

  declare_run();
  declare_submit();
  declare_stores();
  repl_ = command("repl", "a prompt, at which a script may have run");
  take_script(repl_, false);
  take_out(repl_, "the folder below which :save writes");
  take_validate(repl_);
  kernel_ = command("kernel", "a kernel for Jupyter: notebooks whose cells are inputs of the prompt");
  take_kernel(*kernel_, notebook_);
  take_settings(kernel_);
  take_out(kernel_, "the folder below which :save writes, from the notebook's own (out)");
  take_validate(kernel_);
  take_jobs(kernel_);
  check_ = command("check", "check a script's declarations; nothing runs");
  take_script(check_);
  list_ = command("list", "list the schedulers");
  list_->add_option("family", family_, "only those of this family; or: scripts, modules")
      ->type_name("FAMILY");
  declare_findings();
  declare_what_tells();
}

void CommandLine::declare_findings() {
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
  findings_
      ->add_option("--html", claims_.html,
                   "the file that gets the page as HTML, with links and a table that sorts and filters")
      ->type_name("FILE");
  take_data(findings_);
  take_out(findings_, "the folder below which scripts write");

  paper_ = command("paper",
                   "run a publication's folder of scripts; a page of what was published and what came out");
  paper_->add_option("folder", publication_.folder, "the folder, or the name of one that comes with perigee")
      ->required()
      ->type_name("DIR");
  paper_
      ->add_option("-o,--output", publication_.output,
                   "the file that gets the page, - for standard output (by the folder's name)")
      ->type_name("FILE");
  paper_->add_flag("--full", publication_.full, "studies in their full form, which verdicts rest on");
  paper_->add_option("--rows", publication_.rows, "the file that keeps what the full form found")
      ->type_name("FILE");
  paper_->add_flag("--times", publication_.times,
                   "the page tells how long each script took; no two such pages are alike");
  paper_
      ->add_option("--without", publication_.without,
                   "a script of which the page has the claims, but not what it shows")
      ->type_name("SCRIPT")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  take_jobs(paper_);
  take_settings(paper_);
  take_out(paper_, "the folder below which scripts write, and which keeps the cells of experiments");
}

void CommandLine::declare_run() {
  run_ = command("run", "run a script");
  take_script(run_);
  take_out(run_, "the folder below which :save writes");
  take_validate(run_);
  take_jobs(run_);
  run_->add_option(
          "--workers", options_.workers,
          "processes that compute cells: local:N, ssh:FILE, slurm:N, mpi:N or listen:ADDRESS; options "
          "for ssh, srun or mpirun may follow: \"slurm:200 --partition=short\"")
      ->type_name("WAY")
      ->check(CLI::Validator(experiments::workers_error, ""))
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  run_->add_option("--listen", options_.listen,
                   "address of this machine at which workers of slurm and mpi find it (that of its name)")
      ->type_name("ADDRESS");
  run_->add_option("--silence", options_.silence,
                   "seconds after which a worker that says nothing is given up (30)")
      ->type_name("SECONDS")
      ->check(CLI::Validator(silence_error, ""));
  run_->add_option("--shard", shard_, "compute only part I of N of the cells, for `perigee merge` to join")
      ->type_name("I/N")
      ->check(CLI::Validator(shard_error, ""));
  take_known(run_);
  run_->add_option("--cell", options_.cell, "compute this cell of an experiment only, and show what it does")
      ->type_name("K")
      ->check(CLI::Validator(cell_error, ""));
  run_->add_flag("-q,--quiet", quiet_,
                 "print only warnings and errors: nothing of what the script prints, no progress");
  run_->add_option(
          "--messages", messages_,
          "a file that gets warnings, errors and printed tables too, for programs: JSON, a line each")
      ->type_name("FILE");
}

void CommandLine::declare_submit() {
  submit_ = command("submit", "a batch script for Slurm: an array of jobs, each of which computes a shard");
  take_script(submit_);
  take_validate(submit_);
  take_out(submit_, "the results folder; shards have folders below DIR/shards (results)");
  take_known(submit_);
  take_submission(*submit_, submission_);
}

void CommandLine::declare_stores() {
  status_ = command("status", "how far the experiments of a results folder are");
  status_->add_option("folders", folders_, "folders that --out has named, of runs that go on or have ended")
      ->required()
      ->type_name("DIR");
  report_ = command("report",
                    "a page in one file, to be sent: what a run of a results folder did, and what came out");
  report_->add_option("folder", script_, "the folder that --out has named")->required()->type_name("DIR");
  report_->add_option("-o,--output", output_, "the file that gets the page (DIR/report.html)")
      ->type_name("FILE");
  merge_ = command("merge", "join the stores of several results folders, such as those of shards");
  merge_->add_option("results", script_, "the folder that gets all cells; made when it is missing")
      ->required()
      ->type_name("RESULTS");
  merge_
      ->add_option("shards", folders_,
                   "the folders whose cells it gets; without one, a store that a killed run left is closed")
      ->type_name("DIR");
}

// In the order in which `perigee --help` lists them.
void CommandLine::declare_what_tells() {
  new_ = command("new", "a folder to begin a study in: a script that runs, and what editors read");
  new_->add_option("folder", name_, "the folder, which is made")->required()->type_name("STUDY");
  new_->add_flag("--types", types_,
                 "only write what editors read again, in a folder that is there: after an update of perigee");
  describe_ = command("describe", "describe a scheduler and its parameters");
  describe_->add_option("name", name_, "the scheduler")->required()->type_name("NAME");
  reference_ = command("reference", "a page on every word, type, scheduler and metric, as Markdown");
  take_out(reference_, "the folder that gets reference.md, and perigee.lua for editors (standard output)");
  replay_ = command("replay", "make a saved result again and compare");
  replay_->add_option("card", card_, "a manifest.json or its folder")->required()->type_name("CARD");
  take_data(replay_);
  take_limits(replay_);
  work_ = command("work", "compute cells for a coordinator: perigee run --workers ...");
  work_
      ->add_option("access", access_,
                   "the coordinator's file workers.json (without it, the coordinator is at the other end of "
                   "standard input and output)")
      ->type_name("FILE");
  version_ = command("version", "print the version");
  help_ = command("help", "this text, or what a command, a word of the language or a scheduler is");
  help_->add_option("name", name_, "the command, word, scheduler, family, metric, field or module")
      ->type_name("NAME");
}

void CommandLine::take_script(CLI::App* command, bool required) {
  command->add_option("script", script_, "the script")->required(required)->type_name("SCRIPT");
  take_settings(command);
}

void CommandLine::take_settings(CLI::App* command) {
  command
      ->add_option("--set", set_, "a setting that the script reads by setting(name, default) or as args.name")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--seed", options_.seed, "seed of runs that name none (1)")->check(whole_number(0));
  take_data(command);
  take_limits(command);
}

void CommandLine::take_jobs(CLI::App* command) {
  CLI::Option* const jobs =
      command
          ->add_option(
              "--jobs", options_.jobs,
              fmt::format(
                  "cells of an experiment that are computed at a time by this process (all processors{})",
                  command == run_ ? "; none with --workers" : ""))
          ->type_name("N")
          ->check(whole_number(1, 1024));
  if (command == run_) jobs_ = jobs;
}

void CommandLine::take_data(CLI::App* command) {
  command->add_option("--data", options_.data, "a folder whose files the script may read, besides its own")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""))  // or help would say DIR:DIR
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void CommandLine::take_known(CLI::App* command) {
  command
      ->add_option("--known", options_.known,
                   "a results folder whose finished cells are taken, too; it is only read")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""))
      ->expected(1)
      ->allow_extra_args(false)
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
  if (!options_.workers.empty() && jobs_->count() == 0) options_.jobs = 0;
  if (!options_.known.empty() && options_.out.empty())
    throw Usage("--known needs --out, the folder that gets the store of the cells that are missing there");
  if (!shard_.empty()) {
    options_.shard = shard_of(shard_);
    if (options_.out.empty()) throw Usage("--shard needs --out, the folder that gets the store of its cells");
  }
}

int CommandLine::run_script() {
  if (!quiet_) {
    options_.on_progress = progress_line();
    options_.on_cells = experiments::cells_line();
    if (!options_.on_cells) options_.on_cells = experiments::cells_log();
  }
  if (messages_.empty()) return run_named(script_, std::move(options_));
  if (!script_named(script_)) return kWrongUsage;
  Messages messages(messages_);
  const int status = run_named(script_, std::move(options_), &messages);
  const std::string problem = messages.problem();
  if (!problem.empty()) complain(fmt::format("error: {}\n", problem));
  return status == kSuccess && !problem.empty() ? kScriptFailed : status;
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

int CommandLine::submit_script() {
  submission_.script = script_;
  if (!options_.out.empty()) submission_.out = options_.out;
  submission_.options = given_to_run(*submit_);
  return submit(submission_);
}

int CommandLine::tell_status() {
  const experiments::Status status = experiments::status_of(folders_);
  print(status.text);
  for (const std::string& wrong : status.wrong) complain(fmt::format("error: {}\n", wrong));
  return status.wrong.empty() ? kSuccess : kWrongUsage;
}

int CommandLine::merge_stores() {
  const experiments::Merged merged = experiments::merge(script_, folders_);
  for (const std::string& warning : merged.warnings) complain(fmt::format("warning: {}\n", warning));
  for (const experiments::MergedExperiment& each : merged.experiments) print(each.text() + "\n");
  return kSuccess;
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
  if (*kernel_) return kernel(*kernel_, notebook_, std::move(options_));
  if (*repl_) return prompt(script_, std::move(options_));
  if (*check_) return check_script();
  if (*submit_) return submit_script();
  if (*status_) return tell_status();
  if (*report_) {
    print(report_of(script_, output_) + "\n");
    return kSuccess;
  }
  if (*merge_) return merge_stores();
  if (*new_) return types_ ? renew_types(name_) : new_study(name_);
  if (*list_) return list(family_);
  if (*findings_) return findings(claims_, options_);
  if (*paper_) return paper(publication_, options_);
  if (*reference_) return write_reference(options_.out);
  if (*describe_) return describe_named(name_);
  if (*replay_) return replay_card();
  if (*help_) return help();
  if (*work_) return experiments::work(open_words, access_);
  if (*version_) print(fmt::format("{}\n", kVersion));
  return kSuccess;
}

int CommandLine::run(int argc, const char* const* argv) {
  try {
    if (argc > 1 && argv[1] == std::string_view("submit"))
      argc = take_sbatch_options(argc, argv, submission_);
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

#include "interpreter/command/submit.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "interpreter/command/cli.h"
#include "interpreter/command/option_values.h"
#include "interpreter/command/said.h"
#include "interpreter/command/scripts.h"
#include "interpreter/experiments/workers/launch.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"

namespace perigee::command {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLongest = 365 * 24 * 60;  // minutes
constexpr std::uint64_t kUsualLargestIndex = 1000;
constexpr std::uint64_t kWarning = 120;  // seconds before the end at which a shard is told of it
constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

// Up to four numbers between these signs: "1-02:03" is 1, 2 and 3. Nothing where it is something else.
std::optional<std::vector<std::uint64_t>> numbers_in(std::string_view text, std::string_view signs) {
  std::vector<std::uint64_t> numbers;
  for (;;) {
    const std::size_t end = text.find_first_of(signs);
    const std::string_view digits = text.substr(0, end);
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != digits.npos)
      return std::nullopt;
    numbers.push_back(std::stoull(std::string(digits)));
    if (end == text.npos) return numbers;
    text.remove_prefix(end + 1);
  }
}

// Seconds of one of Slurm's forms.
std::optional<std::uint64_t> slurm_seconds(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == text.npos) {
    const auto parts = numbers_in(text, ":");
    if (!parts || parts->size() > 3) return std::nullopt;
    if (parts->size() == 1) return (*parts)[0] * 60;
    if (parts->size() == 2) return (*parts)[0] * 60 + (*parts)[1];
    return ((*parts)[0] * 60 + (*parts)[1]) * 60 + (*parts)[2];
  }
  const auto days = numbers_in(text.substr(0, dash), ""), rest = numbers_in(text.substr(dash + 1), ":");
  if (!days || !rest || rest->size() > 3) return std::nullopt;
  std::uint64_t seconds = (*days)[0] * 86'400, unit = 3600;
  for (const std::uint64_t each : *rest) {
    seconds += each * unit;
    unit /= 60;
  }
  return seconds;
}

std::string shell_word(const std::string& text) {
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return text;
  return experiments::shell_quoted(text);
}

// sbatch divides these lines at blanks, and takes what follows a # for a comment, unless quoted.
std::string sbatch_word(const std::string& text) {
  if (text.find_first_not_of(kPlain) == text.npos) return text;
  std::string word = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') word += '\\';
    word += c;
  }
  return word + '"';
}

void check_line(const std::string& what, const std::string& text) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }))
    throw Usage(what + ": a batch script cannot have a control character there");
}

std::string job_name(const std::string& script) {
  std::string name = fs::path(script).stem().string();
  if (name.empty() || name.find_first_not_of(kPlain) != name.npos) name = "perigee";
  return name;
}

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& each : words) line += ' ' + shell_word(each);
  return line;
}

std::string shards_folder(const Submission& submission) {
  return (fs::path(submission.out) / "shards").lexically_normal().string();
}

// The commands for when the shards have ended, each line after `indent`.
std::string what_comes_next(const Submission& submission, const std::string& indent) {
  const std::string shards = shell_word(shards_folder(submission)) + "/*/";
  return fmt::format("{0}perigee status {1}\n{0}perigee merge {2} {1}\n{0}perigee run {3} --out {2}{4}\n",
                     indent, shards, shell_word(submission.out), shell_word(submission.script),
                     joined(submission.options));
}

// "--partition=short" is a line. A word that is no option belongs to the one before it, as in -p short.
std::string slurm_lines(const std::vector<std::string>& words) {
  std::string lines;
  for (const std::string& each : words) {
    check_line(each, each);
    if (each.starts_with('-'))
      lines += (lines.empty() ? "#SBATCH " : "\n#SBATCH ") + sbatch_word(each);
    else if (!lines.empty())
      lines += ' ' + sbatch_word(each);
    else
      throw Usage(
          fmt::format("'{}' is no option of sbatch; they follow --, as in -- --partition=short", each));
  }
  return lines.empty() ? lines : lines + '\n';
}

// The file that gets what a shard says, as sbatch names it: %a is the number of the shard.
std::string output_pattern(const std::string& folder, const std::string& shards) {
  std::string pattern;
  for (const char c : (fs::path(folder) / shards).lexically_normal().string()) {
    if (c == '\\') throw Usage(fmt::format("--out {}: Slurm cannot name a folder that has a \\", shards));
    pattern += c;
    if (c == '%') pattern += c;
  }
  return sbatch_word(pattern + "/%a.out");
}

std::string what_scontrol_says() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> answer(
      popen("timeout 10 scontrol show config 2>/dev/null", "re"), pclose);
  std::string text;
  char some[4096];
  while (answer) {
    const std::size_t count = std::fread(some, 1, sizeof some, answer.get());
    if (count == 0) break;
    text.append(some, count);
  }
  return text;
}

void check_size(std::uint64_t shards) {
  const std::uint64_t largest = largest_index(what_scontrol_says());
  if (largest == 0) throw Usage("this Slurm takes no job arrays (its MaxArraySize is below 2)");
  if (shards > largest)
    throw Usage(fmt::format(
        "--nodes {}: an array of jobs has at most {} here (Slurm's MaxArraySize - 1); give --nodes {} or "
        "less, and each computes more of the cells",
        shards, largest, largest));
}

void make_shards_folder(const Submission& submission) {
  std::error_code error;
  fs::create_directories(shards_folder(submission), error);
  if (error)
    throw Usage(fmt::format("--out {}: the folder {} cannot be made: {}", submission.out,
                            shards_folder(submission), error.message()));
}

// Gives the text to sbatch, and returns what that prints. Its own errors have gone to standard error.
std::string what_sbatch_says(const std::string& text, bool& well) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    fail("no_program", "sbatch cannot be started: {}", std::strerror(errno));
  experiments::Child child({{"sbatch", "--parsable"}, "sbatch"}, ends[1]);
  close(ends[1]);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = send(ends[0], text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  shutdown(ends[0], SHUT_WR);
  std::string said;
  char some[256];
  for (ssize_t count; (count = read(ends[0], some, sizeof some)) > 0;)
    said.append(some, static_cast<std::size_t>(count));
  close(ends[0]);
  while (!child.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  well = child.ended_well();
  return said;
}

}  // namespace

void take_submission(CLI::App& command, Submission& submission) {
  command.add_option("--nodes", submission.shards, "number of shards, each on a node of its own")
      ->type_name("N")
      ->check(whole_number(1))
      ->required();
  command
      .add_option("--time", submission.time,
                  "most time that a shard may take: \"90 min\", 2h, or Slurm's 1:30:00 or 2-12:00:00")
      ->type_name("TIME")
      ->required();
  command
      .add_option("--cores", submission.cores,
                  "cores of a node that a shard gets, so that nodes are shared with others (all)")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  command
      .add_option("--jobs", submission.jobs, "cells of a shard that are computed at a time (one each core)")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  command.add_flag("--now", submission.now, "submit it, too: sbatch is run");
  command.footer("Options for sbatch follow --, as in: -- --partition=short --account=me");
}

int take_sbatch_options(int argc, const char* const* argv, Submission& submission) {
  const auto end = argv + argc, dashes = std::find(argv, end, std::string_view("--"));
  if (dashes != end) submission.slurm.assign(dashes + 1, end);
  return static_cast<int>(dashes - argv);
}

std::vector<std::string> given_to_run(const CLI::App& command) {
  std::vector<std::string> words;
  for (const char* name : {"--set", "--seed", "--data", "--steps", "--memory", "--validate", "--known"}) {
    const CLI::Option* const option = command.get_option(name);
    for (const std::string& value : option->results()) {
      words.emplace_back(name);
      if (option->get_items_expected_max() > 0) words.push_back(value);
    }
  }
  return words;
}

std::uint64_t minutes_of(const std::string& time) {
  double seconds = 0;
  if (const auto slurm = slurm_seconds(time)) {
    seconds = static_cast<double>(*slurm);
  } else {
    try {
      seconds = parse_with_unit(time, Dimension::seconds);
    } catch (const Error& error) {
      throw Usage(
          fmt::format("--time {}: write \"90 min\", \"2 h\" or as Slurm does, 1:30:00 or 2-12:00:00", time));
    }
  }
  const double minutes = std::ceil(seconds / 60 - 1e-9);
  if (!(minutes >= 1 && minutes <= kLongest))
    throw Usage(fmt::format("--time {}: a shard may take from one minute to 365 days", time));
  return static_cast<std::uint64_t>(minutes);
}

std::uint64_t largest_index(std::string_view config) {
  constexpr std::string_view kSetting = "MaxArraySize";
  std::size_t at = config.find(kSetting);
  if (at == config.npos) return kUsualLargestIndex;
  at = config.find_first_not_of(" =", at + kSetting.size());
  if (at == config.npos) return kUsualLargestIndex;
  const auto size = numbers_in(config.substr(at, config.find_first_not_of("0123456789", at) - at), "");
  if (!size) return kUsualLargestIndex;
  return (*size)[0] < 2 ? 0 : (*size)[0] - 1;
}

std::string batch_script(const Submission& submission, const std::string& program,
                         const std::string& folder) {
  const std::string shards = shards_folder(submission);
  for (const std::string& each : {submission.script, submission.out, program, folder}) check_line(each, each);
  for (const std::string& each : submission.options) check_line(each, each);
  const std::uint64_t minutes = minutes_of(submission.time);
  std::string text = fmt::format(
      "#!/bin/sh\n# {0} shards of {1}, for sbatch; made by perigee submit. A shard that has not come to its end\n"
      "# goes on when this is submitted again. When all have ended:\n{2}"
      "#SBATCH --job-name={3}\n#SBATCH --array=1-{0}\n#SBATCH --time={4}-{5:02}:{6:02}:00\n"
      "#SBATCH --nodes=1\n#SBATCH --ntasks=1\n",
      submission.shards, submission.script, what_comes_next(submission, "#   "), job_name(submission.script),
      minutes / 1440, minutes / 60 % 24, minutes % 60);
  text += submission.cores == 0 ? std::string("#SBATCH --exclusive\n#SBATCH --mem=0\n")
                                : fmt::format("#SBATCH --cpus-per-task={}\n", submission.cores);
  text += fmt::format(
      "#SBATCH --signal=B:USR1@{}\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output={}\n{}"
      "cd -- {} || exit 1\n",
      std::min(kWarning, minutes * 6), output_pattern(folder, shards), slurm_lines(submission.slurm),
      shell_word(folder));
  const std::string jobs =
      submission.jobs == 0 ? "\"$SLURM_CPUS_ON_NODE\"" : fmt::format("{}", submission.jobs);
  return text + fmt::format(
                    "exec {} run {} --out {}/\"$SLURM_ARRAY_TASK_ID\" --shard \"$SLURM_ARRAY_TASK_ID/{}\" "
                    "--jobs {}{}\n",
                    shell_word(program), shell_word(submission.script), shell_word(shards), submission.shards,
                    jobs, joined(submission.options));
}

int submit(const Submission& submission) {
  find_script(submission.script);
  const std::string text = batch_script(submission, experiments::this_program(), fs::current_path().string());
  check_size(submission.shards);
  make_shards_folder(submission);
  if (!submission.now) {
    print(text);
    return kSuccess;
  }
  bool well = false;
  std::string job = what_sbatch_says(text, well);
  job = job.substr(0, job.find_first_of(";\n"));  // ";CLUSTER" may follow
  if (!well || job.empty()) {
    complain("error: sbatch has not taken the job\n");
    return kScriptFailed;
  }
  print(fmt::format("job {}: {} shards of {}; when it has ended:\n{}", job, submission.shards,
                    submission.script, what_comes_next(submission, "  ")));
  return kSuccess;
}

}  // namespace perigee::command

#include "interpreter/experiments/workers/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/kernel/error.h"

extern char** environ;

namespace perigee::experiments {

namespace {

constexpr std::size_t kMostWorkers = 100'000;
constexpr std::array<std::string_view, 5> kWays = {"local", "ssh", "slurm", "mpi", "listen"};

template <class T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

void read_address(WorkersSpec& spec, std::string_view rest) {
  const std::size_t colon = rest.rfind(':');
  // An IPv6 address has colons of its own, and brackets where a port follows: [::1]:7000.
  const bool bracketed = rest.starts_with('[');
  if (colon != rest.npos && (bracketed ? rest[colon - 1] == ']' : rest.find(':') == colon)) {
    const auto port = whole<unsigned short>(rest.substr(colon + 1));
    if (!port || *port == 0) fail("bad_value", "{}: the port is a number from 1 to 65535", spec.text);
    spec.port = *port;
    rest = rest.substr(0, colon);
  }
  if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
  if (rest.empty()) fail("bad_value", "{}: an address of this machine is missing", spec.text);
  spec.address = rest;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& each : texts) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string shell_quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) {
    if (c == '\'')
      all += "'\\''";
    else
      all += c;
  }
  return all + "'";
}

WorkersSpec read_workers(std::string_view text) {
  const std::vector<std::string> words = words_of(std::string(text));
  WorkersSpec spec;
  spec.text = text;
  if (words.empty()) fail("bad_value", "write local:N, ssh:FILE, slurm:N, mpi:N or listen:ADDRESS");
  const std::string_view first = words[0], way = first.substr(0, first.find(':'));
  const auto found = std::find(kWays.begin(), kWays.end(), way);
  if (found == kWays.end())
    fail("bad_value", "{}: '{}' is none of local:N, ssh:FILE, slurm:N, mpi:N, listen:ADDRESS{}", text, way,
         did_you_mean(way, kWays));
  spec.by = static_cast<WorkersSpec::By>(found - kWays.begin());
  const std::string_view rest = way.size() < first.size() ? first.substr(way.size() + 1) : std::string_view();
  spec.options.assign(words.begin() + 1, words.end());
  if (spec.by == WorkersSpec::By::ssh) {
    if (rest.empty()) fail("bad_value", "{}: a file that lists the hosts is missing: ssh:FILE", text);
    spec.hosts = rest;
  } else if (spec.by == WorkersSpec::By::listen) {
    read_address(spec, rest);
  } else {
    const auto count = whole<std::size_t>(rest);
    if (!count || *count < 1 || *count > kMostWorkers)
      fail("bad_value", "{}: {} needs the number of workers, 1 to {}: {}:16", text, way, kMostWorkers, way);
    spec.count = *count;
  }
  if (!spec.options.empty() && (spec.by == WorkersSpec::By::local || spec.by == WorkersSpec::By::listen))
    fail("bad_value", "{}: {} starts no program that could take '{}'", text, way, spec.options[0]);
  return spec;
}

std::string workers_error(const std::string& text) {
  try {
    const WorkersSpec spec = read_workers(text);
    if (spec.by == WorkersSpec::By::ssh) read_hosts(spec.hosts);
    return {};
  } catch (const Error& error) {
    return error.diagnostic().text();
  }
}

std::vector<SshHost> read_hosts(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail("no_file", "ssh:{}: this file cannot be read: {}", path, std::strerror(errno));
  std::vector<SshHost> hosts;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::vector<std::string> words = words_of(line.substr(0, line.find('#')));
    if (words.empty()) continue;
    SshHost host{words[0], 1, {}};
    if (words[0].starts_with('-') || words.size() > 3)
      fail_at({path, number}, "bad_file", "a line has a host, a number of workers, and the program there");
    if (words.size() > 1) {
      const auto count = whole<std::size_t>(words[1]);
      if (!count || *count < 1 || *count > kMostWorkers)
        fail_at({path, number}, "bad_file", "'{}' is no number of workers, 1 to {}", words[1], kMostWorkers);
      host.count = *count;
    }
    if (words.size() > 2) host.program = words[2];
    hosts.push_back(std::move(host));
  }
  if (hosts.empty()) fail("bad_file", "{} names no host", path);
  return hosts;
}

std::string this_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "perigee" : path.string();
}

Command local_command() { return {{this_program(), "work"}, "perigee work"}; }

Command ssh_command(const WorkersSpec& spec, const SshHost& host) {
  Command command{{"ssh", "-T", "-o", "BatchMode=yes"}, "ssh " + host.name};
  command.words.insert(command.words.end(), spec.options.begin(), spec.options.end());
  command.words.insert(command.words.end(), {"--", host.name});
  command.words.push_back(shell_quoted(host.program.empty() ? this_program() : host.program) + " work");
  return command;
}

Command slurm_command(const WorkersSpec& spec, const std::string& access_file) {
  // A task that dies leaves the others alone, and so does a node.
  Command command{{"srun", fmt::format("--ntasks={}", spec.count), "--input=none", "--no-kill",
                   "--kill-on-bad-exit=0", "--job-name=perigee"},
                  "srun"};
  command.words.insert(command.words.end(), spec.options.begin(), spec.options.end());
  command.words.insert(command.words.end(), {this_program(), "work", access_file});
  return command;
}

Command mpi_command(const WorkersSpec& spec, const std::string& access_file) {
  Command command{{"mpirun", "-n", fmt::format("{}", spec.count), "--enable-recovery", "--bind-to", "none",
                   "--oversubscribe"},
                  "mpirun"};
  command.words.insert(command.words.end(), spec.options.begin(), spec.options.end());
  command.words.insert(command.words.end(), {this_program(), "work", access_file});
  return command;
}

Child::Child(const Command& command, int channel) : shown_(command.shown) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  if (channel >= 0) {
    posix_spawn_file_actions_adddup2(&files, channel, 0);
    posix_spawn_file_actions_adddup2(&files, channel, 1);
  } else {
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, 2, 1);
  }
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words = command.words, variables = command.environment;
  for (char** each = environ; *each != nullptr; ++each) variables.emplace_back(*each);
  const int error = posix_spawnp(&id_, words[0].c_str(), &files, &attributes, pointers_to(words).data(),
                                 pointers_to(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) fail("no_program", "{} cannot be started: {}", words[0], std::strerror(error));
}

std::optional<std::string> Child::ended() {
  if (!over_) {
    const pid_t got = waitpid(id_, &status_, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) return std::nullopt;
    over_ = true;
  }
  if (WIFSIGNALED(status_))
    return fmt::format("ended by signal {} ({})", WTERMSIG(status_), strsignal(WTERMSIG(status_)));
  return fmt::format("ended with status {}", WEXITSTATUS(status_));
}

void Child::signal(int number) const {
  if (!over_) kill(-id_, number);
}

}  // namespace perigee::experiments

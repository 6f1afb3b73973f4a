#include "interpreter/experiments/workers/launch.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "runtime/kernel/error.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
namespace fs = std::filesystem;
using By = WorkersSpec::By;
using Words = std::vector<std::string>;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;

namespace {

std::string self() { return fs::read_symlink("/proc/self/exe").string(); }

// The output of a shell for a command.
std::string shell_says(const std::string& command) {
  const char* const words[] = {"sh", "-c", command.c_str(), nullptr};
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 1);
    ::execv("/bin/sh", const_cast<char* const*>(words));
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string said;
  char bytes[4096];
  for (ssize_t got; (got = ::read(ends[0], bytes, sizeof bytes)) > 0;)
    said.append(bytes, static_cast<std::size_t>(got));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return said;
}

std::string end_of(Child& child) {
  for (int i = 0; i < 10'000; ++i) {
    if (const auto ended = child.ended()) return *ended;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return "it has not ended";
}

Command shell(const std::string& text) { return {{"sh", "-c", text}, "the shell"}; }

// The output of a child once its standard input is this text and over.
std::string child_says(const Command& command, const std::string& input = "") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  Child child(command, ends[1]);
  ::close(ends[1]);
  if (!input.empty())  // or the child may have ended before
    CHECK(::send(ends[0], input.data(), input.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(input.size()));
  ::shutdown(ends[0], SHUT_WR);
  std::string said;
  char bytes[4096];
  for (ssize_t got; (got = ::read(ends[0], bytes, sizeof bytes)) > 0;)
    said.append(bytes, static_cast<std::size_t>(got));
  ::close(ends[0]);
  CHECK(end_of(child) == "ended with status 0");
  CHECK(child.ended_well());
  return said;
}

// The complaint about a list of hosts, with its place.
std::string hosts_error(const std::string& path) {
  try {
    read_hosts(path);
  } catch (const Error& error) {
    return error.diagnostic().code + " " + error.diagnostic().text();
  }
  return {};
}

}  // namespace

TEST_CASE("each way of having workers is read") {
  const WorkersSpec local = read_workers("local:16");
  CHECK(local.by == By::local);
  CHECK(local.count == 16);
  CHECK(local.text == "local:16");
  CHECK_FALSE(local.by_network());
  CHECK(read_workers("local:1").count == 1);
  CHECK(read_workers("local:100000").count == 100'000);

  const WorkersSpec slurm = read_workers("slurm:200  --partition=short\t-A  me ");
  CHECK(slurm.by == By::slurm);
  CHECK(slurm.count == 200);
  CHECK(slurm.options == Words{"--partition=short", "-A", "me"});
  CHECK(slurm.by_network());

  const WorkersSpec mpi = read_workers(" mpi:64");
  CHECK(mpi.by == By::mpi);
  CHECK(mpi.count == 64);
  CHECK(mpi.options.empty());
  CHECK(mpi.by_network());

  const WorkersSpec ssh = read_workers("ssh:my:hosts.txt -F config");
  CHECK(ssh.by == By::ssh);
  CHECK(ssh.hosts == "my:hosts.txt");
  CHECK(ssh.options == Words{"-F", "config"});
  CHECK_FALSE(ssh.by_network());
}

TEST_CASE("addresses to listen at may have a port, and be of IPv6") {
  const auto at = [](const std::string& text) {
    const WorkersSpec spec = read_workers("listen:" + text);
    CHECK(spec.by == By::listen);
    CHECK(spec.by_network());
    return spec.address + " " + std::to_string(spec.port);
  };
  CHECK(at("10.0.0.1") == "10.0.0.1 0");
  CHECK(at("10.0.0.1:7000") == "10.0.0.1 7000");
  CHECK(at("10.0.0.1:1") == "10.0.0.1 1");
  CHECK(at("10.0.0.1:65535") == "10.0.0.1 65535");
  CHECK(at("head.cluster:7000") == "head.cluster 7000");
  CHECK(at("::1") == "::1 0");
  CHECK(at("fe80::1:2") == "fe80::1:2 0");
  CHECK(at("[::1]") == "::1 0");
  CHECK(at("[::1]:7000") == "::1 7000");
  CHECK(at("[fe80::1%eth0]:7000") == "fe80::1%eth0 7000");
}

TEST_CASE("what is no way of having workers is refused, with what is allowed") {
  const auto wrong = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK_THAT(workers_error(text), Contains(part));
    try {
      read_workers(text);
      FAIL("it is taken");
    } catch (const Error& error) {
      CHECK(error.diagnostic().code == "bad_value");
    }
  };
  CHECK(workers_error("local:2").empty());
  for (const char* text : {"", " ", "\t\n"})
    wrong(text, "local:N, ssh:FILE, slurm:N, mpi:N or listen:ADDRESS");
  wrong("slrum:3",
        "'slrum' is none of local:N, ssh:FILE, slurm:N, mpi:N, listen:ADDRESS; did you mean 'slurm'?");
  wrong(":3", "'' is none of");
  wrong("16", "'16' is none of");
  wrong("LOCAL:3", "'LOCAL' is none of");
  for (const char* way : {"local", "slurm", "mpi"})
    for (const char* count : {"", ":", ":0", ":-1", ":x", ":1.5", ":1e3", ":100001", ":18446744073709551617",
                              ":3x", ":+3", ": 3"})
      wrong(std::string(way) + count,
            std::string(way) + " needs the number of workers, 1 to 100000: " + way + ":16");
  wrong("ssh", "a file that lists the hosts is missing: ssh:FILE");
  wrong("ssh:", "a file that lists the hosts is missing: ssh:FILE");
  wrong("ssh: hosts.txt", "a file that lists the hosts is missing: ssh:FILE");
  for (const char* address : {"listen", "listen:", "listen::7000", "listen:[]", "listen:[]:7000"})
    wrong(address, "an address of this machine is missing");
  for (const char* port : {"0", "65536", "-1", "", "x", "7000x", "1e3"}) {
    wrong(std::string("listen:10.0.0.1:") + port, "the port is a number from 1 to 65535");
    wrong(std::string("listen:[::1]:") + port, "the port is a number from 1 to 65535");
  }
  wrong("local:3 --fast", "local starts no program that could take '--fast'");
  wrong("listen:10.0.0.1 -v", "listen starts no program that could take '-v'");
}

TEST_CASE("a list of hosts has one in a line, with comments") {
  const Folder folder;
  const auto hosts = read_hosts(folder.write("hosts",
                                             "# all of them\n"
                                             "node07\n"
                                             "\n"
                                             "  me@node08 \t 8   # the large one\n"
                                             "node09 2 /opt/perigee/bin/perigee\r\n"
                                             "node10 100000"));
  REQUIRE(hosts.size() == 4);
  CHECK(hosts[0].name == "node07");
  CHECK(hosts[0].count == 1);
  CHECK(hosts[0].program.empty());
  CHECK(hosts[1].name == "me@node08");
  CHECK(hosts[1].count == 8);
  CHECK(hosts[1].program.empty());
  CHECK(hosts[2].name == "node09");
  CHECK(hosts[2].count == 2);
  CHECK(hosts[2].program == "/opt/perigee/bin/perigee");
  CHECK(hosts[3].count == 100'000);
}

TEST_CASE("a wrong line in a list of hosts is named") {
  const Folder folder;
  const std::string path = (folder.path / "hosts").string();
  const auto wrong = [&](const std::string& text, const std::string& complaint) {
    CAPTURE(text);
    folder.write("hosts", text);
    CHECK_THAT(hosts_error(path), Contains(complaint));
  };
  const std::string parts = ": a line has a host, a number of workers, and the program there";
  for (const char* count : {"0", "-1", "x", "2.5", "100001", "99999999999999999999"})
    wrong(std::string("a 2\n\nb ") + count + "\n",
          "bad_file " + path + ":3: '" + count + "' is no number of workers, 1 to 100000");
  wrong("a 2 /bin/perigee more\n", "bad_file " + path + ":1" + parts);
  wrong("#\n-oProxyCommand=x\n", "bad_file " + path + ":2" + parts);  // ssh would take it for an option
  wrong("", path + " names no host");
  wrong("# none\n\n", path + " names no host");
  CHECK_THAT(hosts_error(path + "x"),
             Contains("no_file") && Contains("this file cannot be read: No such file"));
}

TEST_CASE("commands, word by word") {
  const std::string program = self();
  CHECK(local_command().words == Words{program, "work"});
  CHECK(local_command().shown == "perigee work");

  const Command ssh =
      ssh_command(read_workers("ssh:hosts -F config -p 22"), {"me@node07", 3, "/opt/perigee"});
  CHECK(ssh.words == Words{"ssh", "-T", "-o", "BatchMode=yes", "-F", "config", "-p", "22", "--", "me@node07",
                           "'/opt/perigee' work"});
  CHECK(ssh.shown == "ssh me@node07");
  CHECK(ssh_command(read_workers("ssh:hosts"), {"a"}).words.back() == "'" + program + "' work");

  const std::string file = "/results of mine/workers.json";
  const Command slurm = slurm_command(read_workers("slurm:200 --partition=short"), file);
  CHECK(slurm.words == Words{"srun", "--ntasks=200", "--input=none", "--no-kill", "--kill-on-bad-exit=0",
                             "--job-name=perigee", "--partition=short", program, "work", file});
  CHECK(slurm.shown == "srun");
  const Command mpi = mpi_command(read_workers("mpi:64 --host a:2,b:2"), file);
  CHECK(mpi.words == Words{"mpirun", "-n", "64", "--enable-recovery", "--bind-to", "none", "--oversubscribe",
                           "--host", "a:2,b:2", program, "work", file});
  CHECK(mpi.shown == "mpirun");
}

TEST_CASE("the path of a program comes through the shell at the other end as it is") {
  const Folder folder;
  for (const char* name :
       {"plain", "it's", "'", "''", "a b\tc", "$HOME", "$(id)", "`id`", "\"x\"", "a;b&c|d>e", "*?[a]",
        "back\\slash\\", "new\nline", "-n", "~", "#x", "!1", "\xff\x01"}) {
    CAPTURE(name);
    const std::string program = folder.write(name, "#!/bin/sh\nprintf '%s %s' \"$0\" \"$*\"\n");
    fs::permissions(program, fs::perms::owner_all);
    const Command command = ssh_command(read_workers("ssh:hosts"), {"a", 1, program});
    CHECK(shell_says(command.words.back()) == program + " work");
  }
}

TEST_CASE("how a child has ended is told") {
  Child good(shell("exit 0"), -1), bad(shell("exit 3"), -1), killed(shell("kill -9 $$"), -1),
      term(shell("kill $$"), -1);
  CHECK(good.shown() == "the shell");
  CHECK(good.id() > 0);
  CHECK(end_of(good) == "ended with status 0");
  CHECK(good.ended_well());
  CHECK(end_of(bad) == "ended with status 3");
  CHECK_FALSE(bad.ended_well());
  CHECK(end_of(bad) == "ended with status 3");  // asked again
  CHECK(end_of(killed) == "ended by signal 9 (Killed)");
  CHECK_FALSE(killed.ended_well());
  CHECK(end_of(term) == "ended by signal 15 (Terminated)");
  good.signal(SIGKILL);  // its number may be another's by now
}

TEST_CASE("a program that there is not is an error that names it") {
  const auto problem = [](const Command& command) {
    try {
      const Child child(command, -1);
    } catch (const Error& error) {
      return error.diagnostic().code + ": " + error.diagnostic().message;
    }
    return std::string();
  };
  const Folder folder;
  CHECK(problem({{"/nowhere/srun", "x"}, "srun"}) ==
        "no_program: /nowhere/srun cannot be started: No such file or directory");
  CHECK(problem({{"perigee-has-no-such-program"}, "srun"}) ==
        "no_program: perigee-has-no-such-program cannot be started: No such file or directory");
  CHECK(problem({{folder.write("plain", "x")}, "srun"}) ==
        "no_program: " + (folder.path / "plain").string() + " cannot be started: Permission denied");
}

TEST_CASE("a child has a process group of its own, which signals reach as a whole") {
  // The shell waits for a process of its own, and says when it has it.
  const Folder folder;
  const fs::path ready = folder.path / "ready";
  Child child(shell("sleep 1000 & : >'" + ready.string() + "'; wait"), -1);
  while (!fs::exists(ready)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(::getpgid(child.id()) == child.id());
  CHECK(::getpgrp() != child.id());
  CHECK_FALSE(child.ended());
  child.signal(SIGTERM);
  CHECK(end_of(child) == "ended by signal 15 (Terminated)");
  for (int i = 0; i < 10'000 && ::kill(-child.id(), 0) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(::kill(-child.id(), 0) != 0);
  CHECK(errno == ESRCH);
}

TEST_CASE("a child has the channel, its variables, and nothing else of ours") {
  CHECK(child_says({{"cat"}, "cat"}, "through\n") == "through\n");
  Command command = shell("printf '%s|%s' \"$PERIGEE_TEST\" \"${PATH:+path}\"");
  command.environment = {"PERIGEE_TEST=a b=c"};
  CHECK(child_says(command) == "a b=c|path");

  const int open = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  REQUIRE(open > 2);
  CHECK(child_says(shell("[ -e /proc/self/fd/" + std::to_string(open) + " ] || echo closed")) == "closed\n");
  ::close(open);

  // Nothing to read, where there is no channel.
  Child without(shell("read -r line && exit 1; exit 5"), -1);
  CHECK(end_of(without) == "ended with status 5");
}

TEST_CASE("a child minds signals that this process does not") {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto ignored = ::signal(SIGUSR1, SIG_IGN);
  Child by_term({{"sleep", "1000"}, "sleep"}, -1), by_user({{"sleep", "1000"}, "sleep"}, -1);
  ::signal(SIGUSR1, ignored);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  by_term.signal(SIGTERM);
  by_user.signal(SIGUSR1);
  CHECK(end_of(by_term) == "ended by signal 15 (Terminated)");
  CHECK(end_of(by_user) == "ended by signal 10 (User defined signal 1)");
}

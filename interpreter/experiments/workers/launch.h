// Starts workers: as processes here, over ssh, by Slurm or by MPI's mpirun.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::experiments {

// One --workers, read: "local:16", "ssh:hosts.txt -F config", "slurm:200 --partition=short", "mpi:64",
// "listen:10.0.0.1" or "listen:10.0.0.1:7000".
struct WorkersSpec {
  enum class By : unsigned char { local, ssh, slurm, mpi, listen };
  By by = By::local;
  std::string text;                       // as given
  std::size_t count = 0;                  // of local, slurm, mpi
  std::string hosts;                      // the file of ssh
  std::string address;                    // of listen
  unsigned short port = 0;                // of listen; 0 = any
  std::vector<std::string> options = {};  // for the program that starts them
  bool by_network() const { return by == By::slurm || by == By::mpi || by == By::listen; }
};
// Error "bad_value".
WorkersSpec read_workers(std::string_view text);
// Why it is none; empty = it is one. For the command line.
std::string workers_error(const std::string& text);

// A host of ssh: "node07", "node07 8", "node07 8 /opt/perigee/bin/perigee".
struct SshHost {
  std::string name;
  std::size_t count = 1;
  std::string program;  // empty = where it is here
};
// Error "bad_file" with its line, "no_file".
std::vector<SshHost> read_hosts(const std::string& path);

// One word of a shell, whatever the text holds.
std::string shell_quoted(const std::string& text);

// A program that is to run, and how it is told of.
struct Command {
  std::vector<std::string> words;
  std::string shown;                          // "ssh node07", "srun"
  std::vector<std::string> environment = {};  // "NAME=value", in addition
};
std::string this_program();  // the path of perigee
Command local_command();
Command ssh_command(const WorkersSpec& spec, const SshHost& host);
// One process that starts all, which connect back by the file of access.
Command slurm_command(const WorkersSpec& spec, const std::string& access_file);
Command mpi_command(const WorkersSpec& spec, const std::string& access_file);

// A child process in a process group of its own, so that Ctrl-C reaches only us. Its standard error is ours.
class Child {
 public:
  // Its standard input and output are `channel`, or nothing where that is -1. Error "no_program".
  Child(const Command& command, int channel);
  pid_t id() const { return id_; }
  const std::string& shown() const { return shown_; }
  // How it has ended: "ended with status 1", "ended by signal 9 (Killed)"; nothing while it runs.
  std::optional<std::string> ended();
  bool ended_well() const { return status_ == 0; }  // once ended() has told
  void signal(int number) const;                    // to the group; nothing when it has ended

 private:
  std::string shown_;
  pid_t id_ = 0;
  bool over_ = false;
  int status_ = 0;
};

}  // namespace perigee::experiments

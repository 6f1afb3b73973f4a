// `perigee submit`: a batch script for Slurm, an array of jobs that compute the shards of a script.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"

namespace CLI {
class App;
}

namespace perigee::command {

struct Submission {
  std::string script;           // as given
  std::string out = "results";  // the results folder; its folder `shards` gets one folder for each shard
  std::uint64_t shards = 0;
  std::uint64_t cores = 0;  // of a node for one shard; 0 = the node is the shard's alone, with all cores
  std::string time;         // as given
  std::uint64_t jobs = 0;   // cells that are computed at a time; 0 = one for each core
  std::vector<std::string> options = {};  // of `perigee run`: "--seed", "2"
  std::vector<std::string> slurm = {};    // more for sbatch: "--partition=short"
  bool now = false;                       // sbatch is run
};

// The options that `perigee run` does not have.
void take_submission(CLI::App& command, Submission& submission);
// Takes the arguments behind `--` in the command line for sbatch. Returns how many stand before it.
int take_sbatch_options(int argc, const char* const* argv, Submission& submission);
// The options that `perigee run` gets as they were given to the command.
std::vector<std::string> given_to_run(const CLI::App& command);

// Minutes of "1h", "90 min" or one of Slurm's forms, "90", "90:00", "1:30:00", "2-12", "2-12:00",
// "2-12:00:00"; rounded up, as Slurm does. Usage unless it is from one minute to a year.
std::uint64_t minutes_of(const std::string& time);

// The text of the script. `program` is perigee, to be run in `folder`; both are absolute. Usage for what no
// batch script can name.
std::string batch_script(const Submission& submission, const std::string& program, const std::string& folder);

// The largest index of an array, by what `scontrol show config` says; 1000 where it does not say it, as when
// that program is not here.
std::uint64_t largest_index(std::string_view config);

// Prints the script, or submits it and prints the number of the job and what comes next. The exit
// status. Usage, Error "no_file" when there is no such script, "no_program" without sbatch.
int submit(const Submission& submission);

}  // namespace perigee::command

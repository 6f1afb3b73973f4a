#include "interpreter/experiments/workers/time_limit.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/folder.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
namespace fs = std::filesystem;

namespace {

// The environment of a Slurm job, until the object dies.
class SlurmEnvironment {
 public:
  using Variable = std::pair<const char*, std::string>;
  explicit SlurmEnvironment(std::initializer_list<Variable> variables) {
    for (const char* name : {"SLURM_JOB_ID", "SLURM_PROCID", "SLURM_JOB_END_TIME", "PATH"}) {
      const char* before = std::getenv(name);
      before_[name] = before != nullptr ? std::optional<std::string>(before) : std::nullopt;
      if (std::string(name) != "PATH") ::unsetenv(name);
    }
    for (const auto& [name, value] : variables) ::setenv(name, value.c_str(), 1);
  }
  ~SlurmEnvironment() {
    for (const auto& [name, value] : before_)
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
  }
  SlurmEnvironment(const SlurmEnvironment&) = delete;
  SlurmEnvironment& operator=(const SlurmEnvironment&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

// PATH with a `squeue` in front that prints this and notes its arguments.
std::string path_with_squeue(const Folder& folder, const std::string& prints) {
  const std::string squeue = folder.write(
      "squeue", "#!/bin/sh\necho \"$*\" >>'" + (folder.path / "asked").string() + "'\n" + prints + "\n");
  fs::permissions(squeue, fs::perms::owner_all);
  return folder.path.string() + ":/usr/bin:/bin";
}

}  // namespace

// The forms that the page of squeue lists for %L: days-hours:minutes:seconds, with leading parts left out.
TEST_CASE("times of Slurm are read") {
  CHECK(read_slurm_time("1-02:03:04") == 86400 + 2 * 3600 + 3 * 60 + 4);
  CHECK(read_slurm_time("365-00:00:00") == 365.0 * 86400);
  CHECK(read_slurm_time("2:03:04") == 2 * 3600 + 3 * 60 + 4);
  CHECK(read_slurm_time("23:59:59") == 86399);
  CHECK(read_slurm_time("03:04") == 184);
  CHECK(read_slurm_time("0:00") == 0);
}

TEST_CASE("what is no time of Slurm is none") {
  for (const char* text : {"UNLIMITED", "INVALID",
                           "NOT_SET",   "N/A",
                           "",          " ",
                           "-",         ":",
                           "::",        "1",
                           "59",        "1-",
                           "-1:00",     "1-:00",
                           "1:",        ":1",
                           "1:2:3:4",   "1:-2",
                           "1:2x",      "x1:2",
                           "1 :2",      "1.5:00",
                           "1e3:00",    "+1:00",
                           "1--2:00",   "99999999999999999999:00",
                           "0x10:00",   "1-2"}) {
    CAPTURE(text);
    CHECK_FALSE(read_slurm_time(text));
  }
}

TEST_CASE("a worker leaves a tenth of its time before the end, 1 s at least and 30 s at most") {
  CHECK(time_to_leave(100) == 90);
  CHECK(time_to_leave(20) == 18);
  CHECK(time_to_leave(10) == 9);
  CHECK(time_to_leave(5) == 4);
  CHECK(time_to_leave(1) == 0);
  CHECK(time_to_leave(0.5) == 0);
  CHECK(time_to_leave(0) == 0);
  CHECK(time_to_leave(-100) == 0);
  CHECK(time_to_leave(300) == 270);
  CHECK(time_to_leave(3600) == 3570);
  CHECK(time_to_leave(86400) == 86370);
}

TEST_CASE("the id of a Slurm job is a number, as it goes into a command") {
  {
    const SlurmEnvironment no_job({});
    CHECK(slurm_job_id() == "");
  }
  for (const char* id : {"", "12; touch x", "$(id)", "12 ", "-1", "1_2"}) {
    const SlurmEnvironment job({{"SLURM_JOB_ID", id}});
    CAPTURE(id);
    CHECK(slurm_job_id() == "");
    CHECK_FALSE(slurm_time_left());
  }
  const SlurmEnvironment job({{"SLURM_JOB_ID", "1234567"}});
  CHECK(slurm_job_id() == "1234567");
}

TEST_CASE("the environment tells when a job ends, to the first process of a step") {
  const auto end = [](long from_now) { return std::to_string(std::time(nullptr) + from_now); };
  {
    const SlurmEnvironment job({{"SLURM_JOB_ID", "12"}, {"SLURM_JOB_END_TIME", end(1000)}});
    REQUIRE(slurm_time_left());
    CHECK(*slurm_time_left() == Approx(1000).margin(5));
  }
  {
    const SlurmEnvironment job(
        {{"SLURM_JOB_ID", "12"}, {"SLURM_PROCID", "0"}, {"SLURM_JOB_END_TIME", end(-50)}});
    CHECK(*slurm_time_left() == Approx(-50).margin(5));
  }
  {
    const SlurmEnvironment job(
        {{"SLURM_JOB_ID", "12"}, {"SLURM_PROCID", "1"}, {"SLURM_JOB_END_TIME", end(1000)}});
    CHECK_FALSE(slurm_time_left());
  }
  const SlurmEnvironment no_job({{"SLURM_JOB_END_TIME", end(1000)}});
  CHECK_FALSE(slurm_time_left());
}

TEST_CASE("squeue is asked once where the environment tells nothing") {
  const auto left = [](const std::string& prints) {
    const Folder folder;
    const SlurmEnvironment job({{"SLURM_JOB_ID", "77"}, {"PATH", path_with_squeue(folder, prints)}});
    const std::optional<double> seconds = slurm_time_left();
    std::string asked, more;
    std::ifstream file(folder.path / "asked");
    std::getline(file, asked);
    CHECK(asked == "--noheader --jobs=77 --format=%L");
    CHECK_FALSE(std::getline(file, more));
    return seconds;
  };
  CHECK(left("echo 1-00:00:10") == 86410);
  CHECK(left("echo '  3:20  '") == 200);
  CHECK(left("echo 3:20; echo 4:20") == 200);
  CHECK_FALSE(left("echo UNLIMITED"));
  CHECK_FALSE(left("echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1"));
  CHECK_FALSE(left(":"));
  CHECK_FALSE(left("head -c 100000 /dev/zero | tr '\\0' 1"));
  const Folder folder;
  const SlurmEnvironment job({{"SLURM_JOB_ID", "77"}, {"PATH", folder.path.string()}});
  CHECK_FALSE(slurm_time_left());  // there is no squeue
}

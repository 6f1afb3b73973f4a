// The batch script of `perigee submit`, as a text. tests/slurm_test.sh submits it.
#include "interpreter/command/submit.h"

#include <catch2/catch.hpp>

#include "interpreter/command/option_values.h"

using namespace perigee::command;
using Catch::Matchers::Contains;

namespace {

Submission some_submission() {
  Submission submission;
  submission.script = "study.lua";
  submission.shards = 200;
  submission.time = "1h";
  return submission;
}

std::string script_of(const Submission& submission) {
  return batch_script(submission, "/opt/bin/perigee", "/home/me");
}

}  // namespace

TEST_CASE("a batch script is an array of shards") {
  CHECK(script_of(some_submission()) ==
        R"(#!/bin/sh
# 200 shards of study.lua, for sbatch; made by perigee submit. A shard that has not come to its end
# goes on when this is submitted again. When all have ended:
#   perigee status results/shards/*/
#   perigee merge results results/shards/*/
#   perigee run study.lua --out results
#SBATCH --job-name=study
#SBATCH --array=1-200
#SBATCH --time=0-01:00:00
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=/home/me/results/shards/%a.out
cd -- /home/me || exit 1
exec /opt/bin/perigee run study.lua --out results/shards/"$SLURM_ARRAY_TASK_ID" --shard "$SLURM_ARRAY_TASK_ID/200" --jobs "$SLURM_CPUS_ON_NODE"
)");
}

TEST_CASE("options go to the shards, to the run that follows and to sbatch") {
  Submission submission = some_submission();
  submission.cores = 4;
  submission.jobs = 2;
  submission.options = {"--set", "name=a b", "--seed", "7"};
  submission.slurm = {"--partition=short", "-A", "me", "--comment=a #1 \"b\""};
  const std::string text = script_of(submission);
  CHECK_THAT(text, Contains("#   perigee run study.lua --out results --set 'name=a b' --seed 7\n"));
  CHECK_THAT(text, Contains("--jobs 2 --set 'name=a b' --seed 7\n"));
  CHECK_THAT(text, Contains("#SBATCH --cpus-per-task=4\n") && !Contains("--exclusive") && !Contains("--mem"));
  // Its own lines come last: the last of two wins.
  CHECK_THAT(text, Contains("%a.out\n#SBATCH --partition=short\n#SBATCH -A me\n#SBATCH \"--comment=a #1 "
                            "\\\"b\\\"\"\ncd "));
}

TEST_CASE("names are safe in the shell and in Slurm's lines") {
  Submission submission = some_submission();
  submission.script = "it's/$(touch x).lua";
  submission.out = "/scratch/50% of/a#b";
  const std::string text = batch_script(submission, "/opt/my apps/perigee", "/home/me & you");
  CHECK_THAT(text, Contains("#SBATCH --job-name=perigee\n"));
  CHECK_THAT(text, Contains("#SBATCH --output=\"/scratch/50%% of/a#b/shards/%a.out\"\n"));
  CHECK_THAT(text, Contains("\ncd -- '/home/me & you' || exit 1\n"));
  CHECK_THAT(text, Contains("\nexec '/opt/my apps/perigee' run 'it'\\''s/$(touch x).lua' --out "
                            "'/scratch/50% of/a#b/shards'/\"$SLURM_ARRAY_TASK_ID\" "));
  submission.out = "a\\b";
  CHECK_THROWS_AS(script_of(submission), Usage);
  submission.out = "a\n#SBATCH --wrap=x";
  CHECK_THROWS_AS(script_of(submission), Usage);
  submission = some_submission();
  submission.options = {"--set", "a=b\nc"};
  CHECK_THROWS_AS(script_of(submission), Usage);
  submission = some_submission();
  submission.slurm = {"short"};
  CHECK_THROWS_AS(script_of(submission), Usage);
}

TEST_CASE("times are perigee's or Slurm's") {
  CHECK(minutes_of("1h") == 60);
  CHECK(minutes_of("90 min") == 90);
  CHECK(minutes_of("61 s") == 2);  // Slurm counts minutes, and rounds up
  CHECK(minutes_of("2 d") == 2880);
  // The forms that the manual page of sbatch lists.
  CHECK(minutes_of("90") == 90);
  CHECK(minutes_of("90:01") == 91);
  CHECK(minutes_of("1:30:00") == 90);
  CHECK(minutes_of("2-12") == 3600);
  CHECK(minutes_of("2-12:30") == 3630);
  CHECK(minutes_of("2-00:00:00") == 2880);
  for (const char* wrong :
       {"", "0", "-1h", "1 GB", "soon", "1:2:3:4", "1-", "-1", "1-2-3", ":", "366 d", "nan h", "99999999999"})
    CHECK_THROWS_AS(minutes_of(wrong), Usage);
  Submission submission = some_submission();
  submission.time = "2 d 1 h";
  CHECK_THROWS_AS(script_of(submission), Usage);
  submission.time = "49h";
  CHECK_THAT(script_of(submission), Contains("#SBATCH --time=2-01:00:00\n"));
  submission.time = "10 min";  // told earlier than a tenth before the end, nothing would be left
  CHECK_THAT(script_of(submission), Contains("#SBATCH --signal=B:USR1@60\n"));
}

TEST_CASE("the largest index of an array is one below MaxArraySize") {
  CHECK(largest_index("MaxArraySize            = 1001\n") == 1000);
  CHECK(largest_index("A = 1\nMaxArraySize            = 4000001\nMaxBatchRequeue = 5\n") == 4'000'000);
  CHECK(largest_index("MaxArraySize = 0\n") == 0);
  CHECK(largest_index("") == 1000);
  CHECK(largest_index("MaxArraySize") == 1000);
  CHECK(largest_index("MaxArraySize = many") == 1000);
}

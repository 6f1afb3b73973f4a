// Reports the oddities of a log of sacct, and the facts that it lacks.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "runtime/model/readers/cluster/sacct.h"

namespace perigee::readers {
namespace {

struct SacctText {
  std::string_view name, what, done;
};
constexpr std::array<SacctText, kSacctAnomalies> kSacctTexts{{
    {"step", "lines of steps", "left out: a job is its own line"},
    {"repeated_id", "lines with the id of an earlier job", ""},
    {"not_ended", "jobs that had not ended", "left out"},
    {"unknown_submit", "jobs without a submit time", "left out"},
    {"no_time", "jobs that took no time", "left out"},
    {"no_cores", "jobs without nodes or processors", "left out"},
    {"failed", "jobs that failed, or were ended by the system", "kept, with the time that they took"},
    {"cancelled", "jobs that were cancelled while they ran", "kept, with the time that they took"},
    {"timeout", "jobs that were ended at their time limit", ""},
    {"unknown_state", "jobs with a state that is not known here", "kept, as if they had ended"},
    {"heterogeneous", "components of heterogeneous jobs", "each is a job of its own, which starts alone"},
    {"uneven", "jobs whose processors are no multiple of their nodes", "they get as many cores of each node"},
    {"no_limit", "jobs without a time limit", "the run time is taken as estimate"},
    {"over_limit", "jobs that ran longer than their time limit", ""},
    {"unknown_eligible", "jobs without the time at which they became eligible", "they arrive as submitted"},
    {"end_differs", "jobs whose Elapsed is not the time from Start to End",
     "Elapsed is taken: they were suspended, or the clock was changed"},
    {"unknown_user", "jobs without a user", "the job has no user"},
    {"memory", "jobs that asked for memory", "not taken over"},
    {"gpus", "jobs that asked for gpus", "not taken over"},
}};

}  // namespace

std::string_view name_of(SacctAnomaly anomaly) { return kSacctTexts[static_cast<std::size_t>(anomaly)].name; }

std::vector<LogFinding> SacctLog::report() const {
  std::vector<LogFinding> all;
  for (std::size_t a = 0; a < kSacctAnomalies; ++a) {
    if (anomalies[a].count == 0) continue;
    LogFinding finding{kSacctTexts[a].name,
                       anomalies[a].count,
                       anomalies[a].first_line,
                       std::string(kSacctTexts[a].what),
                       {},
                       std::string(kSacctTexts[a].done)};
    switch (static_cast<SacctAnomaly>(a)) {
      case SacctAnomaly::repeated_id:
        finding.policy =
            options.duplicates == SacctDuplicates::last ? "duplicates = last" : "duplicates = rename";
        finding.done = options.duplicates == SacctDuplicates::last
                           ? "one job: the last line, submitted as in the first"
                           : "the second line of job 7 is called 7#2, and so on";
        break;
      case SacctAnomaly::timeout:
        finding.policy = options.limits ? "limits = true" : "limits = false";
        finding.done = options.limits ? "those that ran up to it are ended by their limit"
                                      : "kept, with the time that they took";
        break;
      case SacctAnomaly::over_limit:
        finding.policy = options.limits ? "limits = true" : "limits = false";
        finding.done = options.limits ? "they take exactly that time, or are ended by it"
                                      : "they run to their end, their estimate is too short";
        break;
      case SacctAnomaly::memory:
      case SacctAnomaly::gpus:
        finding.policy = options.memory ? "memory = true" : "memory = false";
        if (options.memory) finding.done = "they take it, where the hosts declare it";
        break;
      default:
        break;
    }
    all.push_back(std::move(finding));
  }
  return all;
}

std::vector<std::string> SacctLog::limitations() const {
  using enum SacctAnomaly;
  std::vector<std::string> all{
      "its times have no zone and are taken as they stand: a change of the clock between them cannot be seen"};
  if (jobs.empty()) return {"there are no jobs that ran"};
  const auto total = static_cast<std::int64_t>(jobs.size());
  const auto say = [&](SacctAnomaly anomaly, std::string_view no_job, std::string_view some_jobs) {
    const std::int64_t missing = count(anomaly).count;
    if (missing == total)
      all.emplace_back(no_job);
    else if (missing > 0)
      all.push_back(fmt::format("{} of {} jobs have {}", missing, total, some_jobs));
  };
  say(no_limit, "no time limits: the estimates are the run times themselves, as if every user knew them",
      "no time limit: their estimates are the run times themselves");
  say(unknown_user, "no users: fairness between users and per-user behaviour cannot be studied", "no user");
  if (!options.memory && count(SacctAnomaly::memory).count > 0)
    all.push_back(fmt::format("the memory that {} of {} jobs asked for is not taken over",
                              count(SacctAnomaly::memory).count, total));
  if (!options.memory && count(SacctAnomaly::gpus).count > 0)
    all.push_back(fmt::format("the gpus that {} of {} jobs asked for are not taken over",
                              count(SacctAnomaly::gpus).count, total));
  all.emplace_back("no dependencies: users do not react to the schedule");
  all.emplace_back("it does not tell how many nodes the machine had");
  return all;
}

}  // namespace perigee::readers

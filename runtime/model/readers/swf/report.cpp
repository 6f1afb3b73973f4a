// Tells what a log holds that a workload cannot take as it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/swf.h"

namespace perigee::readers {
namespace {

struct AnomalyText {
  std::string_view name, what;
  std::string_view remedy;  // empty: the options decide
};
constexpr std::array<AnomalyText, kSwfAnomalies> kAnomalies{{
    {"too_few_fields", "lines with fewer than 18 fields", ""},
    {"too_many_fields", "lines with more than 18 fields", ""},
    {"not_a_number", "lines with a field that is no number, too large, or not whole where it has to be", ""},
    {"bad_header", "header comments whose value is no number", "the header is not used"},
    {"long_header", "header comments beyond the first MiB", "the comments are not kept"},
    {"job_count_differs", "the header tells another number of jobs", "all jobs of the file are taken"},
    {"unsorted_submit", "jobs submitted earlier than the job before them", ""},
    {"duplicate_number", "jobs with the number of an earlier job", ""},
    {"unknown_number", "jobs without a number", "they are named after their line"},
    {"unknown_submit", "jobs without a submit time", "left out"},
    {"negative_submit", "jobs with a negative submit time",
     "taken as it is: arrivals are counted from the earliest"},
    {"negative_wait", "jobs with a negative wait time other than -1",
     "taken as 0; wait times play no part in a workload"},
    {"unknown_wait", "jobs without a wait time", "wait times play no part in a workload"},
    {"negative_run", "jobs with a negative run time other than -1", "left out"},
    {"unknown_run", "jobs without a run time", "left out"},
    {"zero_run", "jobs with a run time of 0", "left out"},
    {"no_processors", "jobs with neither requested nor allocated processors", "left out"},
    {"unknown_requested_processors", "jobs without requested processors",
     "the allocated processors are taken"},
    {"processors_differ", "jobs that were allocated more or fewer processors than they requested",
     "the requested processors are taken"},
    {"more_than_max_procs", "jobs with more processors than the machine of the header has", ""},
    {"unknown_requested_time", "jobs without a requested time", ""},
    {"run_over_requested", "jobs that ran longer than they requested", ""},
    {"cpu_over_run", "jobs with more CPU time per processor than run time",
     "CPU times play no part in a workload"},
    {"negative_field", "jobs with another negative field that is not -1", "taken as unknown"},
    {"unknown_user", "jobs without a user", "the job has no user"},
    {"failed", "jobs that failed (status 0)", ""},
    {"cancelled", "jobs that were cancelled (status 5)", ""},
    {"partial_run", "records of parts of jobs (status 2, 3, 4)", ""},
    {"unknown_status", "jobs without a status", ""},
    {"bad_status", "jobs with a status that the format does not know", ""},
    {"dependency", "jobs that name a preceding job",
     "ignored: a job arrives when the log says, whatever became of the preceding one"},
    {"before_predecessor", "jobs that start before their preceding job has ended", "taken as they are"},
    {"start_after_end", "jobs whose submit and wait time lie behind the end of the log", "taken as they are"},
    {"over_capacity", "jobs that start while the others leave fewer processors than they use",
     "taken as they are"},
    {"not_kept_status", "jobs with a status that is not asked for", ""},
    {"outside_time", "jobs submitted outside from_time and to_time", ""},
    {"outside_count", "jobs outside skip, first and last", ""},
    {"oversize", "jobs wider than the widest host", ""},
    {"padded", "jobs whose processors are no multiple of their nodes", "they get as many cores of each node"},
}};

std::string option_text(std::string_view option, std::string_view value) {
  return fmt::format("{} = {}", option, value);
}

std::pair<std::string, std::string> kept_statuses(std::initializer_list<int> codes,
                                                  const SwfOptions& options) {
  const auto count = std::ranges::count_if(
      codes, [&](int code) { return std::ranges::find(options.statuses, code) != options.statuses.end(); });
  return {fmt::format("statuses = {}", fmt::join(options.statuses, ", ")),
          count == 0                                        ? "left out"
          : static_cast<std::size_t>(count) == codes.size() ? "kept"
                                                            : "some are kept"};
}

// How the options deal with an anomaly: the policy, and its effect.
std::pair<std::string, std::string> remedy(SwfAnomaly anomaly, const SwfOptions& options) {
  using enum SwfAnomaly;
  switch (anomaly) {
    case too_few_fields:
    case too_many_fields:
    case not_a_number:
      return {option_text("bad_lines", name_of(options.bad_lines)), "the lines are left out"};
    case unsorted_submit:
      return {option_text("order", name_of(options.order)), "the jobs are sorted, ties as in the file"};
    case duplicate_number:
      return {option_text("duplicates", name_of(options.duplicates)),
              options.duplicates == SwfDuplicates::drop ? "all but the first are left out"
                                                        : "the second job 7 is called job7#2, and so on"};
    case more_than_max_procs:
      return {option_text("oversize", name_of(options.oversize)), "the platform decides, not the header"};
    case unknown_requested_time:
      if (options.req_factor > 0)
        return {option_text("req_factor", format_number(options.req_factor)),
                "the estimate is computed from the run time"};
      return {"", options.limits ? "the run time is taken as estimate, and nothing ends them"
                                 : "the run time is taken as estimate"};
    case run_over_requested:
      if (options.req_factor > 0)
        return {option_text("req_factor", format_number(options.req_factor)), "the request is not used"};
      return {option_text("overrun", name_of(options.overrun)),
              options.overrun == SwfOverrun::keep && options.limits
                  ? "they are ended at that time, which is their limit"
              : options.overrun == SwfOverrun::keep  ? "they run to their end, their estimate is too short"
              : options.overrun == SwfOverrun::raise ? "the run time is taken as estimate"
                                                     : "they end when their requested time is over"};
    case failed:
      return kept_statuses({0}, options);
    case cancelled:
      return kept_statuses({5}, options);
    case partial_run:
      return kept_statuses({2, 3, 4}, options);
    case unknown_status:
    case bad_status:
      return kept_statuses({-1}, options);
    case not_kept_status:
      return {fmt::format("statuses = {}", fmt::join(options.statuses, ", ")), "left out"};
    case outside_time:
      return {fmt::format("from_time = {}, to_time = {}", format_number(options.from_time),
                          format_number(options.to_time)),
              "left out"};
    case outside_count:
      return {fmt::format("skip = {}, first = {}, last = {}", options.skip, options.first, options.last),
              "left out"};
    case oversize: {
      const std::string_view widest =
          options.shape == SwfShape::host ? "the widest host" : "all hosts together";
      return {option_text("oversize", name_of(options.oversize)),
              options.oversize == SwfOversize::drop ? std::string("left out")
              : options.oversize == SwfOversize::clip
                  ? fmt::format("made as wide as {}", widest)
                  : fmt::format("divided into jobs as wide as {}, and a rest", widest)};
    }
    default:
      return {"", std::string(kAnomalies[static_cast<std::size_t>(anomaly)].remedy)};
  }
}

std::vector<SwfFinding> findings(const SwfCounts& anomalies, const SwfOptions& options) {
  std::vector<SwfFinding> all;
  for (std::size_t a = 0; a < kSwfAnomalies; ++a) {
    if (anomalies[a].count == 0) continue;
    const auto anomaly = static_cast<SwfAnomaly>(a);
    auto [policy, done] = remedy(anomaly, options);
    std::string what(anomaly == SwfAnomaly::oversize && options.shape != SwfShape::host
                         ? std::string_view("jobs wider than all hosts together")
                         : kAnomalies[a].what);
    all.push_back({anomaly, anomalies[a].count, anomalies[a].first_line, std::move(what), std::move(policy),
                   std::move(done)});
  }
  return all;
}

bool same_name(std::string_view a, std::string_view b) { return lower_case(a) == lower_case(b); }

}  // namespace

std::string_view name_of(SwfAnomaly anomaly) { return kAnomalies[static_cast<std::size_t>(anomaly)].name; }

std::string_view SwfLog::header(std::string_view wanted) const {
  for (const auto& [key, value] : headers)
    if (same_name(key, wanted)) return value;
  return {};
}

// The number at the beginning of the value. Some logs add a remark behind it.
std::optional<double> SwfLog::header_number(std::string_view wanted) const {
  const std::string_view value = header(wanted);
  std::size_t end = 0;
  while (end < value.size() && !is_blank(value[end]) && value[end] != '(' && value[end] != ',') ++end;
  const double number = readers::number_of(value.substr(0, end));
  if (std::isnan(number)) return {};
  return number;
}

std::int32_t SwfLog::max_procs() const {
  for (const std::string_view key : {"MaxProcs", "MaxNodes"}) {
    const std::optional<double> value = header_number(key);
    if (value && *value >= 1 && *value <= kLargestCount) return static_cast<std::int32_t>(*value);
  }
  return 0;
}

std::int32_t SwfLog::max_nodes() const {
  const std::optional<double> nodes = header_number("MaxNodes");
  return nodes && *nodes >= 1 && *nodes <= Shape::kMost ? static_cast<std::int32_t>(*nodes) : 0;
}

std::vector<SwfFinding> SwfLog::report() const { return findings(anomalies, options); }

std::vector<std::string> SwfLog::limitations() const {
  using enum SwfAnomaly;
  std::vector<std::string> all;
  const auto total = static_cast<std::int64_t>(jobs.size());
  if (total == 0) return {"there are no jobs"};
  const auto say = [&](SwfAnomaly anomaly, std::string_view no_job, std::string_view some_jobs) {
    const std::int64_t missing = count(anomaly).count;
    if (missing == total)
      all.emplace_back(no_job);
    else if (missing > 0)
      all.push_back(fmt::format("{} of {} jobs have {}", missing, total, some_jobs));
  };
  say(unknown_requested_time,
      "no requested times: the estimates are the run times themselves, as if every user knew them",
      "no requested time: their estimates are the run times themselves");
  const std::int64_t waits = count(unknown_wait).count;
  const bool no_waits =
      waits == total || std::ranges::all_of(jobs, [](const SwfJob& j) { return j.wait <= 0; });
  if (no_waits) {
    std::string text = waits == total ? "no wait times" : "no wait times above 0";
    text +=
        ": submit times may be start times, so that the queue "
        "of the real machine cannot be seen or compared with";
    for (const auto& [key, value] : headers)
      if (same_name(key, "Note") && lower_case(value).find("start times") != std::string::npos)
        text += fmt::format(" (its header: \"{}\")", value);
    all.push_back(std::move(text));
  } else if (waits > 0) {
    all.push_back(
        fmt::format("{} of {} jobs have no wait time: their submit times may be start times", waits, total));
  }
  say(unknown_user, "no users: fairness between users and per-user behaviour cannot be studied", "no user");
  const auto none = [&](auto known) { return std::ranges::none_of(jobs, known); };
  if (none([](const SwfJob& j) { return j.requested > 0; }))
    all.emplace_back("no requested processors: the widths are what was allocated");
  say(unknown_status, "no statuses: completed, failed and cancelled jobs cannot be told apart", "no status");
  if (none([](const SwfJob& j) { return j.memory >= 0 || j.requested_memory >= 0; }))
    all.emplace_back("no memory use");
  if (none([](const SwfJob& j) { return j.cpu_time >= 0; }))
    all.emplace_back("no CPU times: how well jobs used their processors is unknown");
  if (none([](const SwfJob& j) { return j.preceding > 0; }))
    all.emplace_back("no dependencies or think times: users do not react to the schedule");
  else
    all.emplace_back("dependencies and think times are ignored: users do not react to the schedule");
  if (none([](const SwfJob& j) { return j.queue >= 0; })) all.emplace_back("no queues");
  if (const SwfCount& differs = count(job_count_differs); differs.count > 0)
    all.push_back(
        fmt::format("the header tells {} jobs, the file has {}: jobs were taken out of it, or it is cut off",
                    header("MaxJobs"), total));
  if (const SwfCount& over = count(over_capacity); over.count > 0)
    all.push_back(
        fmt::format("{} of {} jobs start while the log's other jobs leave too few of its {} processors: some "
                    "of its times are not exact",
                    over.count, total, max_procs()));
  if (max_procs() == 0) all.emplace_back("the header does not tell how many processors the machine had");
  return all;
}

std::vector<SwfFinding> SwfWorkload::report() const { return findings(anomalies, options); }

}  // namespace perigee::readers

#include "runtime/model/readers/swf.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"

namespace perigee::readers {
namespace {

using readers::Lines;
using readers::shown;

constexpr std::size_t kFields = 18;
constexpr std::size_t kLargestHeader = std::size_t{1} << 20;  // bytes of header comments that are kept
constexpr double kLargestInteger = 9007199254740991;          // 2^53 - 1: up to here every one is a double
constexpr double kLargestNumber = 1e30;                       // as in a script

struct FieldRule {
  std::string_view name;
  double largest;  // of a whole number; 0 = need not be whole
};
constexpr std::array<FieldRule, kFields> kFieldRules{{
    {"job number", kLargestInteger},
    {"submit time", 0},
    {"wait time", 0},
    {"run time", 0},
    {"allocated processors", kLargestCount},
    {"average CPU time", 0},
    {"used memory", 0},
    {"requested processors", kLargestCount},
    {"requested time", 0},
    {"requested memory", 0},
    {"status", kLargestCount},
    {"user", kLargestCount},
    {"group", kLargestCount},
    {"executable", kLargestCount},
    {"queue", kLargestCount},
    {"partition", kLargestCount},
    {"preceding job", kLargestInteger},
    {"think time", 0},
}};

struct AnomalyText {
  std::string_view name, what;
};
constexpr std::array<AnomalyText, kSwfAnomalies> kAnomalies{{
    {"too_few_fields", "lines with fewer than 18 fields"},
    {"too_many_fields", "lines with more than 18 fields"},
    {"not_a_number", "lines with a field that is no number, too large, or not whole where it has to be"},
    {"bad_header", "header comments whose value is no number"},
    {"long_header", "header comments beyond the first MiB"},
    {"job_count_differs", "the header tells another number of jobs"},
    {"unsorted_submit", "jobs submitted earlier than the job before them"},
    {"duplicate_number", "jobs with the number of an earlier job"},
    {"unknown_number", "jobs without a number"},
    {"unknown_submit", "jobs without a submit time"},
    {"negative_submit", "jobs with a negative submit time"},
    {"negative_wait", "jobs with a negative wait time other than -1"},
    {"unknown_wait", "jobs without a wait time"},
    {"negative_run", "jobs with a negative run time other than -1"},
    {"unknown_run", "jobs without a run time"},
    {"zero_run", "jobs with a run time of 0"},
    {"no_processors", "jobs with neither requested nor allocated processors"},
    {"unknown_requested_processors", "jobs without requested processors"},
    {"processors_differ", "jobs that were allocated more or fewer processors than they requested"},
    {"more_than_max_procs", "jobs with more processors than the machine of the header has"},
    {"unknown_requested_time", "jobs without a requested time"},
    {"run_over_requested", "jobs that ran longer than they requested"},
    {"cpu_over_run", "jobs with more CPU time per processor than run time"},
    {"negative_field", "jobs with another negative field that is not -1"},
    {"unknown_user", "jobs without a user"},
    {"failed", "jobs that failed (status 0)"},
    {"cancelled", "jobs that were cancelled (status 5)"},
    {"partial_run", "records of parts of jobs (status 2, 3, 4)"},
    {"unknown_status", "jobs without a status"},
    {"bad_status", "jobs with a status that the format does not know"},
    {"dependency", "jobs that name a preceding job"},
    {"before_predecessor", "jobs that start before their preceding job has ended"},
    {"start_after_end", "jobs whose submit and wait time lie behind the end of the log"},
    {"over_capacity", "jobs that start while the others leave fewer processors than they use"},
    {"not_kept_status", "jobs with a status that is not asked for"},
    {"outside_time", "jobs submitted outside from_time and to_time"},
    {"outside_count", "jobs outside skip, first and last"},
    {"oversize", "jobs wider than the widest host"},
}};

// ---- policies ----

template <class Policy>
struct Choices;
template <>
struct Choices<SwfBadLines> {
  static constexpr std::array<std::string_view, 2> names{"error", "skip"};
};
template <>
struct Choices<SwfOrder> {
  static constexpr std::array<std::string_view, 2> names{"sort", "error"};
};
template <>
struct Choices<SwfDuplicates> {
  static constexpr std::array<std::string_view, 3> names{"rename", "drop", "error"};
};
template <>
struct Choices<SwfOversize> {
  static constexpr std::array<std::string_view, 4> names{"error", "drop", "clip", "split"};
};
template <>
struct Choices<SwfOverrun> {
  static constexpr std::array<std::string_view, 3> names{"keep", "raise", "cut"};
};

template <class Policy>
std::string_view choice_name(Policy policy) {
  return Choices<Policy>::names[static_cast<std::size_t>(policy)];
}

template <class Policy>
void choose(std::string_view option, std::string_view value, Policy& policy) {
  constexpr std::span<const std::string_view> names = Choices<Policy>::names;
  const auto found = std::ranges::find(names, value);
  if (found == names.end())
    fail("bad_parameter", "{} must be one of {}, got '{}'{}", option, fmt::join(names, ", "), shown(value),
         did_you_mean(value, names));
  policy = static_cast<Policy>(found - names.begin());
}

// ---- reading ----

enum class Parsed : std::uint8_t { good, bad };

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Reads a number between blanks. Most numbers have a few digits.
Parsed parse_field(const char*& at, const char* end, double& value) {
  const char* const first = at;
  bool negative = false;
  if (at < end && *at == '-') negative = true, ++at;
  std::uint64_t digits = 0;
  const char* const begin = at;
  while (at < end && static_cast<unsigned char>(*at - '0') < 10 && at - begin < 16)
    digits = digits * 10 + static_cast<std::uint64_t>(*at++ - '0');
  if (at > begin && (at == end || is_blank(*at)) && digits < (std::uint64_t{1} << 53)) {
    value = negative ? -static_cast<double>(digits) : static_cast<double>(digits);
    return Parsed::good;
  }
  while (at < end && !is_blank(*at)) ++at;
  value = readers::number_of({first, static_cast<std::size_t>(at - first)});
  return std::isnan(value) ? Parsed::bad : Parsed::good;
}

class SwfReader {
 public:
  SwfReader(Lines& lines, const SwfOptions& options) : lines_(lines), options_(options) {
    log_.name = lines.name();
    log_.options = options;
  }

  SwfLog read() {
    bool empty = true;
    for (std::string_view line; lines_.next(line);) {
      const char* at = line.data();
      const char* const end = at + line.size();
      while (at < end && is_blank(*at)) ++at;
      if (at == end) continue;
      empty = false;
      if (*at == ';')
        header({at + 1, static_cast<std::size_t>(end - at - 1)});
      else
        data(line, at);
    }
    log_.lines = lines_.number();
    log_.bytes = lines_.bytes();
    if (empty) fail_at(lines_.at(0), "bad_file", "the file is empty");
    check_headers();
    put_in_order();
    number_duplicates();
    max_procs_ = log_.max_procs();
    for (const SwfJob& job : log_.jobs) inspect(job);
    check_dependencies();
    check_ends();
    check_capacity();
    return std::move(log_);
  }

 private:
  void found(SwfAnomaly anomaly, std::int64_t line) {
    SwfCount& count = log_.anomalies[static_cast<std::size_t>(anomaly)];
    if (count.count++ == 0 || line < count.first_line) count.first_line = line;
  }

  // "Name: value" begins an entry; any other text continues the last one.
  void header(std::string_view text) {
    header_bytes_ += text.size();
    if (header_bytes_ > kLargestHeader) return found(SwfAnomaly::long_header, lines_.number());
    text = trimmed(text);
    std::size_t colon = 0;
    while (colon < text.size() && is_name_letter(text[colon])) ++colon;
    const bool named = colon > 0 && colon < text.size() && text[colon] == ':' &&
                       (colon + 1 == text.size() || is_blank(text[colon + 1]));
    if (named)
      log_.headers.emplace_back(text.substr(0, colon), trimmed(text.substr(colon + 1)));
    else if (!text.empty() && !log_.headers.empty() && header_line_ + 1 == lines_.number())
      log_.headers.back().second.append(log_.headers.back().second.empty() ? "" : " ").append(text);
    else if (!text.empty())
      log_.headers.emplace_back("", text);
    header_line_ = text.empty() ? -1 : lines_.number();
  }

  template <class... Args>
  void bad_line(SwfAnomaly anomaly, std::string_view line, const char* at, fmt::format_string<Args...> format,
                Args&&... args) {
    found(anomaly, lines_.number());
    if (options_.bad_lines == SwfBadLines::skip) return;
    fail_at(lines_.here(), "swf_line", "column {}: {} (E_SWF; bad_lines = \"skip\" leaves such lines out)",
            at - line.data() + 1, fmt::format(format, std::forward<Args>(args)...));
  }

  void data(std::string_view line, const char* at) {
    std::array<double, kFields> fields;  // NOLINT: all are set below
    const char* const end = line.data() + line.size();
    for (std::size_t f = 0; f < kFields; ++f) {
      const char* const first = at;
      const Parsed parsed = parse_field(at, end, fields[f]);
      const std::string_view text(first, static_cast<std::size_t>(at - first));
      if (text.empty())
        return bad_line(SwfAnomaly::too_few_fields, line, end, "the line has {} field{}, 18 are needed", f,
                        f == 1 ? "" : "s");
      if (parsed == Parsed::bad)
        return bad_line(SwfAnomaly::not_a_number, line, first, "field {} ({}): '{}' is not a number", f + 1,
                        kFieldRules[f].name, shown(text));
      if (const double largest = kFieldRules[f].largest; largest > 0) {
        if (fields[f] != std::floor(fields[f]))
          return bad_line(SwfAnomaly::not_a_number, line, first, "field {} ({}): {} is not a whole number",
                          f + 1, kFieldRules[f].name, shown(text));
        if (std::abs(fields[f]) > largest)
          return bad_line(SwfAnomaly::not_a_number, line, first,
                          "field {} ({}): {} is too large, at most {:.0f}", f + 1, kFieldRules[f].name,
                          shown(text), largest);
      }
      if (std::abs(fields[f]) > kLargestNumber)
        return bad_line(SwfAnomaly::not_a_number, line, first, "field {} ({}): {} is beyond any sense", f + 1,
                        kFieldRules[f].name, shown(text));
      while (at < end && is_blank(*at)) ++at;
    }
    if (at != end) {
      std::size_t count = kFields;
      for (const char* rest = at; rest < end; ++count) {
        while (rest < end && !is_blank(*rest)) ++rest;
        while (rest < end && is_blank(*rest)) ++rest;
      }
      return bad_line(SwfAnomaly::too_many_fields, line, at, "the line has {} fields, 18 are needed", count);
    }
    if (log_.jobs.size() >= options_.max_jobs)
      fail_at(lines_.here(), "bad_file", "more than {} jobs are not read", options_.max_jobs);
    const auto whole = [&](std::size_t field) { return static_cast<std::int32_t>(fields[field - 1]); };
    SwfJob& job = log_.jobs.emplace_back();
    job.number = static_cast<std::int64_t>(fields[0]);
    job.submit = fields[1];
    job.wait = fields[2];
    job.run = fields[3];
    job.allocated = whole(5);
    job.cpu_time = fields[5];
    job.memory = fields[6];
    job.requested = whole(8);
    job.requested_time = fields[8];
    job.requested_memory = fields[9];
    job.status = whole(11);
    job.user = whole(12);
    job.group = whole(13);
    job.executable = whole(14);
    job.queue = whole(15);
    job.partition = whole(16);
    job.preceding = static_cast<std::int64_t>(fields[16]);
    job.think_time = fields[17];
    job.line = static_cast<std::int32_t>(std::min<std::int64_t>(lines_.number(), 2147483647));
  }

  void check_headers() {
    for (const std::string_view name : {"MaxProcs", "MaxNodes", "MaxJobs", "MaxRecords", "UnixStartTime"})
      if (!log_.header(name).empty() && !log_.header_number(name)) found(SwfAnomaly::bad_header, 0);
    const std::optional<double> jobs = log_.header_number("MaxJobs");
    if (jobs && *jobs != static_cast<double>(log_.jobs.size())) found(SwfAnomaly::job_count_differs, 0);
  }

  void put_in_order() {
    std::vector<SwfJob>& jobs = log_.jobs;
    double last = -std::numeric_limits<double>::infinity();
    for (const SwfJob& job : jobs) {
      if (job.submit < last && job.submit != -1) {
        found(SwfAnomaly::unsorted_submit, job.line);
        if (options_.order == SwfOrder::error)
          fail_at(lines_.at(job.line), "swf_line",
                  "field 2 (submit time): {} follows {} (order = \"sort\" sorts such logs)", job.submit,
                  last);
      }
      if (job.submit != -1) last = job.submit;
    }
    if (log_.count(SwfAnomaly::unsorted_submit).count > 0) {
      // A job without a submit time keeps its place behind the job before it.
      std::vector<double> keys(jobs.size());
      last = -std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < jobs.size(); ++j)
        keys[j] = last = jobs[j].submit != -1 ? jobs[j].submit : last;
      std::vector<std::uint32_t> order(jobs.size());
      std::iota(order.begin(), order.end(), 0U);
      std::ranges::stable_sort(order, {}, [&](std::uint32_t j) { return keys[j]; });
      std::vector<SwfJob> sorted;
      sorted.reserve(jobs.size());
      for (const std::uint32_t j : order) sorted.push_back(jobs[j]);
      jobs = std::move(sorted);
    }
  }

  void number_duplicates() {
    std::vector<SwfJob>& jobs = log_.jobs;
    const auto ascending = [](const SwfJob& a, const SwfJob& b) { return a.number >= b.number; };
    if (std::ranges::adjacent_find(jobs, ascending) == jobs.end()) return;  // strictly ascending
    std::vector<std::uint32_t> order(jobs.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t j) { return std::pair(jobs[j].number, j); });
    for (std::size_t i = 1; i < order.size(); ++i) {
      SwfJob& job = jobs[order[i]];
      const SwfJob& before = jobs[order[i - 1]];
      if (job.number < 0 || job.number != before.number) continue;
      job.occurrence = before.occurrence + 1;
      found(SwfAnomaly::duplicate_number, job.line);
      if (options_.duplicates == SwfDuplicates::error)
        fail_at(lines_.at(job.line), "swf_line",
                "field 1 (job number): {} is already the job of line {} (duplicates = \"rename\" or \"drop\" "
                "accepts "
                "such logs)",
                job.number, before.line);
    }
  }

  void inspect(const SwfJob& job) {
    using enum SwfAnomaly;
    const auto when = [&](bool condition, SwfAnomaly anomaly) {
      if (condition) [[unlikely]]
        found(anomaly, job.line);
    };
    when(job.number < 0, unknown_number);
    when(job.submit == -1, unknown_submit);
    when(job.submit < 0 && job.submit != -1, negative_submit);
    when(job.wait == -1, unknown_wait);
    when(job.wait < 0 && job.wait != -1, negative_wait);
    when(job.run == -1, unknown_run);
    when(job.run < 0 && job.run != -1, negative_run);
    when(job.run == 0, zero_run);
    when(job.cores() <= 0, no_processors);
    when(job.requested <= 0 && job.allocated > 0, unknown_requested_processors);
    when(job.requested > 0 && job.allocated > 0 && job.requested != job.allocated, processors_differ);
    when(max_procs_ > 0 && std::max(job.requested, job.allocated) > max_procs_, more_than_max_procs);
    when(!(job.requested_time > 0), unknown_requested_time);
    when(job.requested_time > 0 && job.run > job.requested_time, run_over_requested);
    when(job.run > 0 && job.cpu_time > job.run, cpu_over_run);
    const auto odd = [](auto value) { return value < 0 && value != -1; };
    when(odd(job.cpu_time) || odd(job.memory) || odd(job.requested_time) || odd(job.requested_memory) ||
             odd(job.think_time) || odd(job.preceding) || odd(job.allocated) || odd(job.requested) ||
             odd(job.user) || odd(job.group) || odd(job.executable) || odd(job.queue) || odd(job.partition),
         negative_field);
    when(job.user < 0, unknown_user);
    when(job.status == 0, failed);
    when(job.status == 5, cancelled);
    when(job.status >= 2 && job.status <= 4, partial_run);
    when(job.status == -1, unknown_status);
    when(job.status < -1 || job.status > 5, bad_status);
    when(job.preceding > 0, dependency);
  }

  void check_dependencies() {
    if (log_.count(SwfAnomaly::dependency).count == 0) return;
    std::unordered_map<std::int64_t, double> ends;  // looked up only
    for (const SwfJob& job : log_.jobs)
      if (job.occurrence == 1 && job.run >= 0) ends.emplace(job.number, job.start() + job.run);
    for (const SwfJob& job : log_.jobs) {
      if (job.preceding <= 0) continue;
      const auto end = ends.find(job.preceding);
      if (end != ends.end() && job.start() < end->second) found(SwfAnomaly::before_predecessor, job.line);
    }
  }

  void check_ends() {
    const std::optional<double> from = log_.header_number("UnixStartTime"),
                                to = log_.header_number("UnixEndTime");
    if (!from || !to) return;
    for (const SwfJob& job : log_.jobs)
      if (job.start() > *to - *from) found(SwfAnomaly::start_after_end, job.line);
  }

  // Finds jobs that, by submit, wait and run times, start while the machine has too few free processors.
  void check_capacity() {
    if (max_procs_ <= 0) return;
    struct Start {
      double time;
      std::uint32_t job;
    };
    const auto by_time = [](const Start& a, const Start& b) {
      return a.time != b.time ? a.time < b.time : a.job < b.job;
    };
    std::vector<Start> starts;
    starts.reserve(log_.jobs.size());
    for (std::uint32_t j = 0; j < log_.jobs.size(); ++j) {
      const SwfJob& job = log_.jobs[j];
      if (job.submit != -1 && job.run > 0 && job.cores() > 0) starts.push_back({job.start(), j});
    }
    if (!std::ranges::is_sorted(starts, by_time)) std::ranges::sort(starts, by_time);
    using End = std::pair<double, std::int32_t>;
    std::priority_queue<End, std::vector<End>, std::greater<>> running;
    std::int64_t used = 0;
    for (const Start& start : starts) {
      const SwfJob& job = log_.jobs[start.job];
      for (; !running.empty() && running.top().first <= start.time; running.pop())
        used -= running.top().second;
      const std::int32_t cores = job.allocated > 0 ? job.allocated : job.requested;
      used += cores;
      running.emplace(start.time + job.run, cores);
      if (used > max_procs_) found(SwfAnomaly::over_capacity, job.line);
    }
  }

  Lines& lines_;
  const SwfOptions& options_;
  SwfLog log_;
  std::size_t header_bytes_ = 0;
  std::int64_t header_line_ = -1;
  std::int32_t max_procs_ = 0;
};

// ---- reports ----

std::string option_text(std::string_view option, std::string_view value) {
  return fmt::format("{} = {}", option, value);
}

// How an anomaly is dealt with: the policy, and its effect.
std::pair<std::string, std::string> remedy(SwfAnomaly anomaly, const SwfOptions& options) {
  using enum SwfAnomaly;
  switch (anomaly) {
    case too_few_fields:
    case too_many_fields:
    case not_a_number:
      return {option_text("bad_lines", name_of(options.bad_lines)), "the lines are left out"};
    case bad_header:
      return {"", "the header is not used"};
    case long_header:
      return {"", "the comments are not kept"};
    case job_count_differs:
      return {"", "all jobs of the file are taken"};
    case unsorted_submit:
      return {option_text("order", name_of(options.order)), "the jobs are sorted, ties as in the file"};
    case duplicate_number:
      return {option_text("duplicates", name_of(options.duplicates)),
              options.duplicates == SwfDuplicates::drop ? "all but the first are left out"
                                                        : "the second job 7 is called job7#2, and so on"};
    case unknown_number:
      return {"", "they are named after their line"};
    case unknown_submit:
      return {"", "left out"};
    case negative_submit:
      return {"", "taken as it is: arrivals are counted from the earliest"};
    case negative_wait:
      return {"", "taken as 0; wait times play no part in a workload"};
    case unknown_wait:
      return {"", "wait times play no part in a workload"};
    case negative_run:
    case unknown_run:
    case zero_run:
    case no_processors:
      return {"", "left out"};
    case unknown_requested_processors:
      return {"", "the allocated processors are taken"};
    case processors_differ:
      return {"", "the requested processors are taken"};
    case more_than_max_procs:
      return {option_text("oversize", name_of(options.oversize)), "the platform decides, not the header"};
    case unknown_requested_time:
      if (options.req_factor > 0)
        return {option_text("req_factor", format_number(options.req_factor)),
                "the estimate is computed from the run time"};
      return {"", "the run time is taken as estimate"};
    case run_over_requested:
      if (options.req_factor > 0)
        return {option_text("req_factor", format_number(options.req_factor)), "the request is not used"};
      return {option_text("overrun", name_of(options.overrun)),
              options.overrun == SwfOverrun::keep    ? "they run to their end, their estimate is too short"
              : options.overrun == SwfOverrun::raise ? "the run time is taken as estimate"
                                                     : "they end when their requested time is over"};
    case cpu_over_run:
      return {"", "CPU times play no part in a workload"};
    case negative_field:
      return {"", "taken as unknown"};
    case unknown_user:
      return {"", "the job has no user"};
    case failed:
    case cancelled:
    case partial_run:
    case unknown_status:
    case bad_status: {
      std::vector<int> codes;
      if (anomaly == partial_run)
        codes = {2, 3, 4};
      else
        codes = {anomaly == failed ? 0 : anomaly == cancelled ? 5 : -1};
      const auto kept = [&](int code) {
        return std::ranges::find(options.statuses, code) != options.statuses.end();
      };
      const auto count = std::ranges::count_if(codes, kept);
      return {fmt::format("statuses = {}", fmt::join(options.statuses, ", ")),
              count == 0                                        ? "left out"
              : static_cast<std::size_t>(count) == codes.size() ? "kept"
                                                                : "some are kept"};
    }
    case dependency:
      return {"", "ignored: a job arrives when the log says, whatever became of the preceding one"};
    case before_predecessor:
    case start_after_end:
    case over_capacity:
      return {"", "taken as they are"};
    case not_kept_status:
      return {fmt::format("statuses = {}", fmt::join(options.statuses, ", ")), "left out"};
    case outside_time:
      return {fmt::format("from_time = {}, to_time = {}", format_number(options.from_time),
                          format_number(options.to_time)),
              "left out"};
    case outside_count:
      return {fmt::format("skip = {}, first = {}, last = {}", options.skip, options.first, options.last),
              "left out"};
    case oversize:
      return {option_text("oversize", name_of(options.oversize)),
              options.oversize == SwfOversize::drop ? "left out"
              : options.oversize == SwfOversize::clip
                  ? "made as wide as the widest host"
                  : "divided into jobs as wide as the widest host, and a rest"};
  }
  return {};
}

std::vector<SwfFinding> findings(const SwfCounts& anomalies, const SwfOptions& options) {
  std::vector<SwfFinding> all;
  for (std::size_t a = 0; a < kSwfAnomalies; ++a) {
    if (anomalies[a].count == 0) continue;
    const auto anomaly = static_cast<SwfAnomaly>(a);
    auto [policy, done] = remedy(anomaly, options);
    all.push_back({anomaly, anomalies[a].count, anomalies[a].first_line, std::string(kAnomalies[a].what),
                   std::move(policy), std::move(done)});
  }
  return all;
}

bool same_name(std::string_view a, std::string_view b) { return lower_case(a) == lower_case(b); }

}  // namespace

std::string_view name_of(SwfBadLines policy) { return choice_name(policy); }
std::string_view name_of(SwfOrder policy) { return choice_name(policy); }
std::string_view name_of(SwfDuplicates policy) { return choice_name(policy); }
std::string_view name_of(SwfOversize policy) { return choice_name(policy); }
std::string_view name_of(SwfOverrun policy) { return choice_name(policy); }
std::string_view name_of(SwfAnomaly anomaly) { return kAnomalies[static_cast<std::size_t>(anomaly)].name; }

bool SwfOptions::set_policy(std::string_view option, std::string_view value) {
  if (option == "bad_lines")
    choose(option, value, bad_lines);
  else if (option == "order")
    choose(option, value, order);
  else if (option == "duplicates")
    choose(option, value, duplicates);
  else if (option == "oversize")
    choose(option, value, oversize);
  else if (option == "overrun")
    choose(option, value, overrun);
  else
    return false;
  return true;
}

void SwfOptions::check() const {
  const auto positive = [](std::string_view name, double value, bool zero_allowed) {
    if (!(value > 0 || (zero_allowed && value == 0)) || std::isinf(value))
      fail("bad_parameter", "{} must be finite and {} 0, got {}", name, zero_allowed ? ">=" : ">", value);
  };
  positive("ref_rate", ref_rate, false);
  positive("speed", speed, false);
  positive("round_submit", round_submit, true);
  positive("req_factor", req_factor, true);
  if (!(from_time <= to_time))
    fail("bad_parameter", "from_time must be <= to_time, got {} and {}", from_time, to_time);
  if (first > 0 && last > 0)
    fail("bad_parameter", "first and last cannot both be given, got {} and {}", first, last);
  if (form != TimeForm::operations && form != TimeForm::seconds)
    fail("bad_parameter", "form must be operations or seconds");
  if (statuses.empty())
    fail("bad_parameter", "statuses names none of -1 to 5, which would leave out every job");
  for (const int status : statuses)
    if (status < -1 || status > 5) fail("bad_parameter", "statuses are -1 to 5, got {}", status);
}

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
        ": submit times may be start times, so that the queue of the real machine cannot be seen or compared "
        "with";
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

SwfLog read_swf(const std::filesystem::path& path, const SwfOptions& options) {
  options.check();
  Lines lines(path, options.max_bytes);
  try {
    return SwfReader(lines, options).read();
  } catch (const Error&) {
    lines.check_rest();
    throw;
  }
}

SwfLog parse_swf(std::string_view text, std::string_view name, const SwfOptions& options) {
  options.check();
  Lines lines(text, name);
  return SwfReader(lines, options).read();
}

// ---- the workload ----

namespace {

class SwfConversion {
 public:
  SwfConversion(const SwfLog& log, const SwfOptions& options, const Platform* platform)
      : log_(log), options_(options) {
    slowest_ = options.ref_rate;
    if (platform == nullptr) return;
    if (platform->hosts().empty()) fail("oversize", "the platform has no host (E_EMPTY)");
    slowest_ = kNever;
    for (const Host& host : platform->hosts()) {
      slowest_ = std::min(slowest_, host.speed);
      widest_ = std::max(widest_, host.cores);
    }
  }

  SwfWorkload convert() {
    out_.options = options_;
    out_.anomalies = log_.anomalies;
    out_.limitations = log_.limitations();
    std::vector<std::uint32_t> kept = choose_jobs();
    if (!kept.empty()) {
      out_.first_submit = kNever;
      for (const std::uint32_t j : kept) out_.first_submit = std::min(out_.first_submit, log_.jobs[j].submit);
    }
    std::size_t works = kept.size();
    if (widest_ > 0 && options_.oversize == SwfOversize::split) {
      works = 0;
      for (const std::uint32_t j : kept) {
        works += (static_cast<std::size_t>(log_.jobs[j].cores()) + static_cast<std::size_t>(widest_) - 1) /
                 static_cast<std::size_t>(widest_);
        if (works > options_.max_jobs)
          fail_at(at(log_.jobs[j]), "oversize", "divided by hosts of {} cores the log has more than {} jobs",
                  widest_, options_.max_jobs);
      }
    }
    out_.workload.works.reserve(works);
    out_.workload.names.reserve(works);
    out_.jobs.reserve(works);
    for (const std::uint32_t j : kept) add(j);
    if (!out_.workload.needs.empty()) out_.workload.needs.resize(out_.workload.works.size());
    if (options_.form == TimeForm::operations && slowest_ != options_.ref_rate)
      out_.limitations.push_back(
          fmt::format("a second of the log counts as {} op and the slowest host computes {} op/s: there a "
                      "job runs {} times as long "
                      "as in the log",
                      format_number(options_.ref_rate), format_number(slowest_),
                      format_number(options_.ref_rate / slowest_)));
    return std::move(out_);
  }

 private:
  SourceLocation at(const SwfJob& job) const { return {log_.name, job.line}; }

  void found(SwfAnomaly anomaly, const SwfJob& job) {
    SwfCount& count = out_.anomalies[static_cast<std::size_t>(anomaly)];
    if (count.count++ == 0 || job.line < count.first_line) count.first_line = job.line;
  }

  // The reason to leave the job out, whatever the window; none = it is kept.
  std::optional<SwfAnomaly> reason(const SwfJob& job) const {
    using enum SwfAnomaly;
    const int status = job.status < -1 || job.status > 5 ? -1 : job.status;
    if (std::ranges::find(options_.statuses, status) == options_.statuses.end())
      return status >= 2 && status <= 4 ? partial_run : not_kept_status;
    if (job.run == -1) return unknown_run;
    if (job.run < 0) return negative_run;
    if (job.run == 0) return zero_run;
    if (job.cores() <= 0) return no_processors;
    if (job.submit == -1) return unknown_submit;
    if (job.occurrence > 1 && options_.duplicates == SwfDuplicates::drop) return duplicate_number;
    return {};
  }

  void leave_out(SwfAnomaly anomaly) { ++out_.left_out[static_cast<std::size_t>(anomaly)]; }

  std::vector<std::uint32_t> choose_jobs() {
    using enum SwfAnomaly;
    std::vector<std::uint32_t> kept;
    struct Gap {
      std::size_t after;  // number of fitting jobs before it
      std::uint32_t job;
      SwfAnomaly why;
    };
    std::vector<Gap> gaps;
    for (std::uint32_t j = 0; j < log_.jobs.size(); ++j) {
      const SwfJob& job = log_.jobs[j];
      if (const std::optional<SwfAnomaly> why = reason(job)) {
        gaps.push_back({kept.size(), j, *why});
        continue;
      }
      if (!(job.submit >= options_.from_time && job.submit < options_.to_time)) {
        found(outside_time, job);
        leave_out(outside_time);
        continue;
      }
      if (widest_ > 0 && job.cores() > widest_ && options_.oversize == SwfOversize::drop) {
        gaps.push_back({kept.size(), j, oversize});
        continue;
      }
      kept.push_back(j);
    }
    std::size_t from = std::min(options_.skip, kept.size()), to = kept.size();
    if (options_.first > 0) to = from + std::min(options_.first, to - from);
    if (options_.last > 0) from = to - std::min(options_.last, to - from);
    for (const auto& [after, j, why] : gaps) {  // in reach: before, between or after those that are asked for
      const bool in_reach = after >= from && (after < to || to == kept.size());
      if (!in_reach || why == not_kept_status || why == oversize)
        found(in_reach ? why : outside_count, log_.jobs[j]);
      leave_out(in_reach ? why : outside_count);
    }
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (k >= from && k < to) continue;
      found(outside_count, log_.jobs[kept[k]]);
      leave_out(outside_count);
    }
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(to), kept.end());
    kept.erase(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(from));
    return kept;
  }

  void add(std::uint32_t index) {
    const SwfJob& job = log_.jobs[index];
    Work work;
    work.kind = WorkKind::job;
    work.form = options_.form;
    work.arrival = (job.submit - out_.first_submit) / options_.speed;
    if (options_.round_submit > 0)
      work.arrival = std::floor(work.arrival / options_.round_submit + 0.5) * options_.round_submit;
    double run = job.run, estimate = job.requested_time > 0 ? job.requested_time : job.run;
    if (options_.req_factor > 0) estimate = options_.req_factor * job.run;
    if (run > estimate && options_.overrun == SwfOverrun::raise) estimate = run;
    if (run > estimate && options_.overrun == SwfOverrun::cut) run = estimate;
    if (options_.form == TimeForm::seconds) {
      work.amount = run;
      work.estimate = estimate;
    } else {
      work.amount = std::ceil(run * options_.ref_rate);
      // If both stand for the same time at the same rate, the estimate is exactly the amount.
      work.estimate = estimate == run && slowest_ == options_.ref_rate ? work.amount : estimate * slowest_;
    }
    if (!std::isfinite(work.arrival) || !std::isfinite(work.amount) || !std::isfinite(work.estimate))
      fail_at(at(job), "swf_line", "its times are too large: submitted at {}, run time {}, requested {}",
              job.submit, job.run, job.requested_time);
    if (job.user >= 0) work.user = user(job.user);

    std::string name = job.number >= 0 ? fmt::format("job{}", job.number) : fmt::format("line{}", job.line);
    if (job.occurrence > 1) name += fmt::format("#{}", job.occurrence);
    std::int32_t cores = job.cores();
    if (widest_ > 0 && cores > widest_) {
      found(SwfAnomaly::oversize, job);
      if (options_.oversize == SwfOversize::error)
        fail_at(at(job), "oversize",
                "{} needs {} cores, the widest host has {} (E_OVERSIZE; oversize = \"drop\", \"clip\" or "
                "\"split\" "
                "accepts such jobs)",
                name, cores, widest_);
      if (options_.oversize == SwfOversize::split) {
        for (std::int32_t part = 1; cores > 0; ++part, cores -= std::min(cores, widest_))
          push(work, std::min(cores, widest_), fmt::format("{}.{}", name, part), index);
        return;
      }
      cores = widest_;
    }
    push(work, cores, std::move(name), index);
  }

  void push(Work work, std::int32_t cores, std::string name, std::uint32_t index) {
    work.cores = cores;
    if (const double per_core = log_.jobs[index].requested_memory; per_core >= 0) {
      out_.workload.needs.resize(out_.workload.works.size());
      out_.workload.needs.emplace_back().memory = per_core * 1024 * cores;
    }
    out_.workload.works.push_back(work);
    out_.workload.names.push_back(std::move(name));
    out_.jobs.push_back(index);
  }

  UserId user(std::int32_t number) {
    const auto [entry, added] = users_.try_emplace(number, UserId(out_.workload.users.size()));
    if (added) out_.workload.users.push_back(fmt::format("user{}", number));
    return entry->second;
  }

  const SwfLog& log_;
  const SwfOptions& options_;
  SwfWorkload out_;
  std::unordered_map<std::int32_t, UserId> users_;  // looked up only
  double slowest_ = 0;                              // op/s of the slowest host
  std::int32_t widest_ = 0;                         // cores of the widest host; 0 = no platform
};

}  // namespace

std::vector<SwfFinding> SwfWorkload::report() const { return findings(anomalies, options); }

SwfWorkload swf_workload(const SwfLog& log, const SwfOptions& options, const Platform* platform) {
  options.check();
  return SwfConversion(log, options, platform).convert();
}

}  // namespace perigee::readers

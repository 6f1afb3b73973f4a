// Reads the records of a log.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <unordered_map>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/swf.h"

namespace perigee::readers {
namespace {

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
                "field 1 (job number): {} is already the job of line {} "
                "(duplicates = \"rename\" or \"drop\" accepts such logs)",
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

}  // namespace

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

}  // namespace perigee::readers

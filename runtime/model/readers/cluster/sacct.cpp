#include "runtime/model/readers/cluster/sacct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/cluster/sacct_values.h"
#include "runtime/model/readers/json_text.h"

namespace perigee::readers {
namespace {

struct SacctWord {
  std::string_view word;
  SacctState state;
};
// The words of State, and their short forms.
constexpr SacctWord kSacctStates[] = {
    {"COMPLETED", SacctState::completed},
    {"CD", SacctState::completed},
    {"FAILED", SacctState::failed},
    {"F", SacctState::failed},
    {"BOOT_FAIL", SacctState::failed},
    {"BF", SacctState::failed},
    {"DEADLINE", SacctState::failed},
    {"DL", SacctState::failed},
    {"LAUNCH_FAILED", SacctState::failed},
    {"NODE_FAIL", SacctState::failed},
    {"NF", SacctState::failed},
    {"OUT_OF_MEMORY", SacctState::failed},
    {"OOM", SacctState::failed},
    {"PREEMPTED", SacctState::failed},
    {"PR", SacctState::failed},
    {"REVOKED", SacctState::failed},
    {"RV", SacctState::failed},
    {"CANCELLED", SacctState::cancelled},
    {"CA", SacctState::cancelled},
    {"TIMEOUT", SacctState::timeout},
    {"TO", SacctState::timeout},
    {"PENDING", SacctState::not_ended},
    {"PD", SacctState::not_ended},
    {"RUNNING", SacctState::not_ended},
    {"R", SacctState::not_ended},
    {"SUSPENDED", SacctState::not_ended},
    {"S", SacctState::not_ended},
    {"REQUEUED", SacctState::not_ended},
    {"RQ", SacctState::not_ended},
    {"RESIZING", SacctState::not_ended},
    {"RS", SacctState::not_ended},
    {"COMPLETING", SacctState::not_ended},
    {"CG", SacctState::not_ended},
    {"CONFIGURING", SacctState::not_ended},
    {"CF", SacctState::not_ended},
};

class SacctReader {
 public:
  SacctReader(Lines& lines, const SacctOptions& options) : lines_(lines), options_(options) {
    log_.name = lines.name();
    log_.options = options;
  }

  SacctLog read() {
    bool begun = false;
    for (std::string_view line; lines_.next(line);) {
      if (trimmed(line).empty()) continue;
      split(line);
      if (begun)
        record();
      else
        header();
      begun = true;
    }
    log_.lines = lines_.number();
    log_.bytes = lines_.bytes();
    if (!begun) fail_at(lines_.at(0), "bad_file", "the file is empty");
    join_repeated();
    log_.all_jobs = static_cast<std::int64_t>(records_.size());
    choose();
    return std::move(log_);
  }

 private:
  enum SacctColumn : std::uint8_t {
    job_id,
    job_id_raw,
    submit_column,
    eligible_column,
    start_column,
    end_column,
    elapsed,
    elapsed_raw,
    time_limit,
    time_limit_raw,
    state_column,
    nnodes,
    ncpus,
    alloc_cpus,
    user_column,
    req_mem,
    req_tres,
    partition_column,
    qos_column,
    account_column,
    kSacctColumns,
  };
  static constexpr std::array<std::string_view, kSacctColumns> kSacctColumnNames{
      "JobID",      "JobIDRaw",  "Submit",       "Eligible",  "Start",  "End",    "Elapsed",
      "ElapsedRaw", "Timelimit", "TimelimitRaw", "State",     "NNodes", "NCPUS",  "AllocCPUS",
      "User",       "ReqMem",    "ReqTRES",      "Partition", "QOS",    "Account"};
  static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

  // A line that is no step.
  struct Record {
    SacctJob job;
    double submit = SacctJob::kUnknown, eligible = SacctJob::kUnknown;
    double between = SacctJob::kUnknown;  // s from Start to End
    bool gone = false;                    // a later line stands for it
  };

  void found(SacctAnomaly anomaly, std::int64_t line) {
    SacctCount& count = log_.anomalies[static_cast<std::size_t>(anomaly)];
    if (count.count++ == 0 || line < count.first_line) count.first_line = line;
  }

  void split(std::string_view line) {
    line_ = line;
    cells_.clear();
    for (;;) {
      const std::size_t bar = line.find('|');
      cells_.push_back(line.substr(0, bar));
      if (bar == std::string_view::npos) return;
      line.remove_prefix(bar + 1);
    }
  }

  // ---- the header ----

  void header() {
    if (cells_.size() > 1 && cells_.back().empty()) {  // sacct -p ends each line with a bar
      bar_at_end_ = true;
      cells_.pop_back();
    }
    places_.fill(kNoColumn);
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const std::string_view name = trimmed(cells_[c]);
      log_.columns.emplace_back(shown(name));
      const std::string lower = lower_case(name);
      for (std::size_t k = 0; k < kSacctColumns; ++k) {
        if (lower != lower_case(kSacctColumnNames[k])) continue;
        if (places_[k] != kNoColumn)
          fail_at(lines_.here(), "bad_csv", "the column {} is there twice", kSacctColumnNames[k]);
        places_[k] = c;
      }
    }
    header_line_ = lines_.number();
    need(job_id, job_id_raw);
    need(submit_column, submit_column);
    need(elapsed, elapsed_raw);
    need(nnodes, nnodes);
    need(ncpus, alloc_cpus);
    need(state_column, state_column);
    if (options_.arrive == SacctArrive::eligible) need(eligible_column, eligible_column);
  }

  // One of the columns has to be there.
  void need(SacctColumn column, SacctColumn other) const {
    if (has(column) || has(other)) return;
    const std::string_view name = kSacctColumnNames[column];
    fail_at(lines_.at(header_line_), "missing_field",
            "there is no column {}{}: the first line must be the header that sacct -P prints, as of "
            "--format=JobID,Submit,Elapsed,Timelimit,State,NNodes,NCPUS,User{}",
            name, column == other ? "" : fmt::format(" (or {})", kSacctColumnNames[other]),
            did_you_mean(name, log_.columns));
  }

  bool has(SacctColumn column) const { return places_[column] != kNoColumn; }
  SacctColumn either_of(SacctColumn column, SacctColumn other) const { return has(column) ? column : other; }
  std::string_view cell(SacctColumn column) const {
    return has(column) ? trimmed(cells_[places_[column]]) : std::string_view();
  }

  template <class... Args>
  [[noreturn]] void bad(SacctColumn column, fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(lines_.here(), "bad_csv", "column {}: {}: {}", cells_[places_[column]].data() - line_.data() + 1,
            kSacctColumnNames[column], fmt::format(format, std::forward<Args>(args)...));
  }

  // ---- a line ----

  void record() {
    if (bar_at_end_ && cells_.size() == log_.columns.size() + 1 && cells_.back().empty()) cells_.pop_back();
    if (cells_.size() != log_.columns.size())
      fail_at(lines_.here(), "bad_csv", "the line has {} cell{}, the header {}{}", cells_.size(),
              cells_.size() == 1 ? "" : "s", log_.columns.size(),
              cells_.size() > log_.columns.size() ? ": no cell may hold a '|'" : "");
    const SacctColumn id_column = either_of(job_id, job_id_raw);
    const std::string_view id = cell(id_column);
    if (!is_job_id(id)) bad(id_column, "'{}' is no job id", shown(id));
    const bool is_rest = id.find('[') != std::string_view::npos;  // of an array, perhaps as 7_[1,3,...]
    if (!is_rest && id.find('.') != std::string_view::npos) return found(SacctAnomaly::step, lines_.number());
    if (records_.size() >= options_.max_jobs)
      fail_at(lines_.here(), "bad_file", "more than {} jobs are not read", options_.max_jobs);
    Record& made = records_.emplace_back();
    SacctJob& job = made.job;
    job.id = id;
    job.line = static_cast<std::int32_t>(std::min<std::int64_t>(lines_.number(), 2147483647));
    made.submit = time(submit_column);
    if (has(eligible_column)) made.eligible = time(eligible_column);
    job.state = state();
    if (is_rest) job.state = SacctState::not_ended;
    if (job.state == SacctState::not_ended) return;  // its other cells are of no use
    job.run = span(either_of(elapsed, elapsed_raw));
    job.nodes = whole(nnodes);
    job.processors = whole(either_of(ncpus, alloc_cpus));
    job.limit = limit();
    if (has(start_column) && has(end_column)) made.between = time(end_column) - time(start_column);
    job.user = name_at(user_column, users_, all_users_);
    job.partition = name_at(partition_column, partitions_, log_.partitions);
    job.qos = name_at(qos_column, qos_, log_.qos);
    job.account = name_at(account_column, accounts_, log_.accounts);
    read_memory(job);
    if (static_cast<std::int64_t>(job.processors) + job.nodes > model::Shape::kMost)
      bad(either_of(ncpus, alloc_cpus), "{} processors are too many", job.processors);
  }

  double time(SacctColumn column) const {
    const std::string_view text = cell(column);
    if (is_no_time(text)) return SacctJob::kUnknown;
    const auto value = sacct_time(text);
    if (!value) bad(column, "'{}' is no time, as in 2024-03-01T08:00:00", shown(text));
    return *value;
  }

  double span(SacctColumn column) const {
    const std::string_view text = cell(column);
    if (text == "INVALID") return 0;  // the clock went back meanwhile
    const auto value = sacct_span(text);
    if (!value)
      bad(column, "'{}' is no span, as in 1-02:00:00, 02:00:00, 30:15 or 45 (seconds)", shown(text));
    return *value;
  }

  // An absent value counts as 0, as of a job that never had any.
  std::int32_t whole(SacctColumn column) const {
    const std::string_view text = cell(column);
    if (text.empty()) return 0;
    const auto value = sacct_digits(text);
    if (!value || static_cast<double>(*value) > kLargestCount)
      bad(column, "'{}' is no whole number, 0 to {:.0f}", shown(text), kLargestCount);
    return static_cast<std::int32_t>(*value);
  }

  SacctState state() const {
    const std::string_view text = cell(state_column);
    const std::string_view word = text.substr(0, text.find(' '));
    for (const SacctWord& each : kSacctStates)
      if (each.word == word) return each.state;
    return SacctState::unknown;
  }

  double limit() const {
    const SacctColumn column = either_of(time_limit, time_limit_raw);
    const std::string_view text = cell(column);
    if (text.empty() || text == "UNLIMITED" || text == "Partition_Limit") return kNever;
    double seconds = 0;
    if (column == time_limit) {
      seconds = span(column);
    } else {
      const auto minutes = sacct_digits(text);
      if (!minutes || static_cast<double>(*minutes) * 60 > kLargestSacctSpan)
        bad(column, "'{}' is no whole number of minutes", shown(text));
      seconds = static_cast<double>(*minutes) * 60;
    }
    return seconds > 0 ? seconds : kNever;
  }

  using Numbers = std::unordered_map<std::string, std::uint32_t>;  // looked up only
  // The number of the name in the cell; kNone = it is empty.
  std::uint32_t name_at(SacctColumn column, Numbers& numbers, std::vector<std::string>& all) const {
    const std::string_view name = cell(column);
    if (name.empty()) return model::kNone;
    if (const auto known = numbers.find(std::string(name)); known != numbers.end()) return known->second;
    if (!is_utf8(name)) bad(column, "'{}' is not UTF-8", shown(name));
    const auto number = static_cast<std::uint32_t>(all.size());
    numbers.emplace(name, number);
    all.emplace_back(name);
    return number;
  }

  void read_memory(SacctJob& job) const {
    const std::string_view tres = cell(req_tres);
    const double nodes = std::max(job.nodes, 1);
    if (const std::string_view total = of_tres(tres, "mem"); !total.empty()) {
      const auto bytes = sacct_size(total);
      if (!bytes) bad(req_tres, "mem = '{}' is no size, as in 64G", shown(total));
      job.memory = *bytes / nodes;
    } else if (std::string_view text = cell(req_mem); !text.empty()) {
      const std::string_view whole_text = text;
      double factor = 1 / nodes;
      if (text.back() == 'n' || text.back() == 'c') {
        factor = text.back() == 'n' ? 1 : std::max(job.cores(), 1);
        text.remove_suffix(1);
      }
      const auto bytes = sacct_size(text);
      if (!bytes) bad(req_mem, "'{}' is no size, as in 64G, 4Gc or 30Gn", shown(whole_text));
      job.memory = *bytes * factor;
    }
    if (const std::string_view text = of_tres(tres, "gres/gpu"); !text.empty()) {
      const auto gpus = sacct_digits(text);
      if (!gpus || static_cast<double>(*gpus) > kLargestCount)
        bad(req_tres, "gres/gpu = '{}' is no whole number", shown(text));
      job.gpus = static_cast<std::int32_t>(std::ceil(static_cast<double>(*gpus) / nodes));
    }
  }

  // ---- all jobs ----

  // Deals with lines of one id.
  void join_repeated() {
    std::vector<std::uint32_t> order(records_.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
      const std::string &first = records_[a].job.id, &second = records_[b].job.id;
      if (first.size() != second.size()) return first.size() < second.size();
      const int way = std::memcmp(first.data(), second.data(), first.size());
      return way != 0 ? way < 0 : a < b;
    };
    if (!std::ranges::is_sorted(order, before)) std::ranges::sort(order, before);
    std::int32_t occurrence = 1;
    std::size_t gone = 0;
    std::vector<std::pair<std::uint32_t, std::int32_t>>
        renamed;  // ids stay as they are while they are compared
    for (std::size_t i = 1; i < order.size(); ++i) {
      Record& earlier = records_[order[i - 1]];
      Record& later = records_[order[i]];
      if (earlier.job.id != later.job.id) {
        occurrence = 1;
        continue;
      }
      found(SacctAnomaly::repeated_id, later.job.line);
      switch (options_.duplicates) {
        case SacctDuplicates::error:
          fail_at(lines_.at(later.job.line), "bad_csv",
                  "{} is already the job of line {} (duplicates = \"last\" or \"rename\" accepts such files)",
                  later.job.id, earlier.job.line);
        case SacctDuplicates::rename:
          renamed.emplace_back(order[i], ++occurrence);
          break;
        case SacctDuplicates::last:
          if (!std::isnan(earlier.submit)) later.submit = earlier.submit;
          if (!std::isnan(earlier.eligible)) later.eligible = earlier.eligible;
          earlier.gone = true;
          ++gone;
      }
    }
    for (const auto& [r, number] : renamed) records_[r].job.id += fmt::format("#{}", number);
    if (gone > 0) std::erase_if(records_, [](const Record& record) { return record.gone; });
  }

  // The reason to leave a job out; none = it is kept.
  std::optional<SacctAnomaly> reason(const Record& record) const {
    using enum SacctAnomaly;
    if (record.job.state == SacctState::not_ended) return not_ended;
    if (record.job.run == 0) return no_time;
    if (record.job.processors == 0 || record.job.nodes == 0) return no_cores;
    if (std::isnan(record.job.arrival)) return unknown_submit;
    return {};
  }

  void choose() {
    std::vector<std::uint32_t> kept;
    for (std::uint32_t r = 0; r < records_.size(); ++r) {
      Record& record = records_[r];
      const bool by_eligible = options_.arrive == SacctArrive::eligible && !std::isnan(record.eligible);
      record.job.arrival = by_eligible ? record.eligible : record.submit;
      if (const auto why = reason(record)) {
        found(*why, record.job.line);
        ++log_.left_out[static_cast<std::size_t>(*why)];
        continue;
      }
      inspect(record);
      kept.push_back(r);
    }
    std::ranges::stable_sort(kept, {}, [&](std::uint32_t r) { return records_[r].job.arrival; });
    log_.jobs.reserve(kept.size());
    std::vector<std::uint32_t> numbers(all_users_.size(), model::kNone);  // users of no job are left out
    for (const std::uint32_t r : kept) {
      SacctJob& job = log_.jobs.emplace_back(std::move(records_[r].job));
      if (job.user == model::kNone) continue;
      std::uint32_t& number = numbers[job.user];
      if (number == model::kNone) {
        number = static_cast<std::uint32_t>(log_.users.size());
        log_.users.push_back(std::move(all_users_[job.user]));
      }
      job.user = number;
    }
  }

  void inspect(const Record& record) {
    using enum SacctAnomaly;
    const SacctJob& job = record.job;
    const auto when = [&](bool condition, SacctAnomaly anomaly) {
      if (condition) [[unlikely]]
        found(anomaly, job.line);
    };
    when(job.state == SacctState::failed, failed);
    when(job.state == SacctState::cancelled, cancelled);
    when(job.state == SacctState::timeout, timeout);
    when(job.state == SacctState::unknown, unknown_state);
    when(job.id.find('+') != std::string::npos, heterogeneous);
    when(options_.shape == SacctShape::nodes && job.processors % job.nodes != 0, uneven);
    when(job.limit == kNever, no_limit);
    when(job.run > job.limit, over_limit);
    when(options_.arrive == SacctArrive::eligible && std::isnan(record.eligible), unknown_eligible);
    when(!std::isnan(record.between) && record.between != job.run, end_differs);
    when(job.user == model::kNone, unknown_user);
    when(job.memory > 0, memory);
    when(job.gpus > 0, gpus);
  }

  Lines& lines_;
  const SacctOptions& options_;
  SacctLog log_;
  std::vector<Record> records_;
  Numbers users_, partitions_, qos_, accounts_;
  std::vector<std::string> all_users_;
  std::array<std::size_t, kSacctColumns> places_{};  // kNoColumn = it is not there
  std::string_view line_;
  std::vector<std::string_view> cells_;
  std::int64_t header_line_ = 0;
  bool bar_at_end_ = false;
};

}  // namespace

SacctLog read_sacct(const std::filesystem::path& path, const SacctOptions& options) {
  Lines lines(path, options.max_bytes);
  try {
    return SacctReader(lines, options).read();
  } catch (const Error&) {
    lines.check_rest();
    throw;
  }
}

SacctLog parse_sacct(std::string_view text, std::string_view name, const SacctOptions& options) {
  Lines lines(text, name);
  return SacctReader(lines, options).read();
}

}  // namespace perigee::readers

// Makes a workload of a log.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/queue_labels.h"
#include "runtime/model/readers/swf.h"

namespace perigee::readers {
namespace {

class SwfConversion {
 public:
  SwfConversion(const SwfLog& log, const SwfOptions& options, const Platform* platform)
      : log_(log), options_(options), cores_per_node_(options.cores_per_node) {
    slowest_ = options.ref_rate;
    if (platform == nullptr) return;
    if (platform->hosts().empty()) fail("oversize", "the platform has no host (E_EMPTY)");
    slowest_ = kNever;
    for (const Host& host : platform->hosts()) {
      slowest_ = std::min(slowest_, host.speed);
      widest_ = std::max(widest_, host.cores);
    }
    cores_per_node_ = options.cores_per_node > 0 ? options.cores_per_node : widest_;
    std::int64_t most = widest_;
    if (options.shape == SwfShape::processes) most = platform->total_cores();
    if (options.shape == SwfShape::nodes)
      most = cores_per_node_ * std::ranges::count_if(platform->hosts(), [&](const Host& host) {
               return host.cores >= cores_per_node_;
             });
    widest_ = static_cast<std::int32_t>(std::min<std::int64_t>(most, Shape::kMost));
    if (widest_ == 0)
      fail("oversize", "no host has the {} cores of a node (cores_per_node; E_OVERSIZE)", cores_per_node_);
  }

  // The jobs that are kept, in order of submission.
  std::vector<std::uint32_t> begin() {
    std::vector<std::uint32_t> kept = choose_jobs();
    if (!kept.empty()) {
      out_.first_submit = kNever;
      for (const std::uint32_t j : kept) out_.first_submit = std::min(out_.first_submit, log_.jobs[j].submit);
    }
    return kept;
  }

  // Makes the works of these jobs alone, without names and memory. Their places follow those before.
  const Workload& convert_some(std::span<const std::uint32_t> jobs) {
    bare_ = true;
    out_.workload.works.restart_at(out_.workload.works.size());
    out_.workload.extras.clear();
    out_.jobs.clear();
    for (const std::uint32_t j : jobs) add(j);
    return out_.workload;
  }
  std::span<const std::string> users() const { return out_.workload.users; }
  bool is_too_wide(std::uint32_t job) const { return widest_ > 0 && log_.jobs[job].cores() > widest_; }
  std::vector<SwfFinding> findings() const { return out_.report(); }

  SwfWorkload convert() {
    out_.options = options_;
    out_.anomalies = log_.anomalies;
    out_.limitations = log_.limitations();
    const std::vector<std::uint32_t> kept = begin();
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
          fmt::format("a second of the log counts as {} op and the slowest host "
                      "computes {} op/s: there a job runs {} times as long as in the log",
                      format_number(options_.ref_rate), format_number(slowest_),
                      format_number(options_.ref_rate / slowest_)));
    out_.workload.queues = labels_.take();
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
    if (is_too_wide(index)) {
      found(SwfAnomaly::oversize, job);
      if (options_.oversize == SwfOversize::error)
        fail_at(at(job), "oversize",
                "{} needs {} cores, {} {} (E_OVERSIZE; "
                "oversize = \"drop\", \"clip\" or \"split\" accepts such jobs)",
                name, cores,
                options_.shape == SwfShape::host        ? "the widest host has"
                : options_.shape == SwfShape::processes ? "all hosts together have"
                                                        : "all nodes together have",
                widest_);
      if (options_.oversize == SwfOversize::split) {
        for (std::int32_t part = 1; cores > 0; ++part, cores -= std::min(cores, widest_))
          push(work, std::min(cores, widest_), fmt::format("{}.{}", name, part), index);
        return;
      }
      cores = widest_;
    }
    push(work, cores, std::move(name), index);
  }

  // Gives the job so many processors, in the shape that is asked for.
  void shape(Work& work, std::int32_t processors, Seconds limit, const SwfJob& job) {
    WorkExtra extra;
    Shape& shape = extra.shape;
    work.cores = processors;
    shape.exclusive = options_.exclusive;
    if (options_.shape == SwfShape::processes && processors > 1) shape.nodes = 0;
    if (options_.shape == SwfShape::nodes && cores_per_node_ > 0) {
      shape.nodes = (processors + cores_per_node_ - 1) / cores_per_node_;
      work.cores = (processors + shape.nodes - 1) / shape.nodes;
      if (std::int64_t{work.cores} * shape.nodes > processors) found(SwfAnomaly::padded, job);
    }
    extra.limit = limit;
    if (options_.queues && (job.queue >= 0 || job.partition >= 0))
      extra.queue = labels_.queue(queue_name(job));
    if (shape.is_plain() && limit == kNever && extra.queue == model::kNone) return;
    work.extra = static_cast<std::uint32_t>(out_.workload.extras.size());
    out_.workload.extras.push_back(std::move(extra));
  }

  void push(Work work, std::int32_t cores, std::string name, std::uint32_t index) {
    const SwfJob& job = log_.jobs[index];
    double requested = job.requested_time;
    if (requested > 0 && options_.overrun == SwfOverrun::raise) requested = std::max(requested, job.run);
    shape(work, cores, options_.limits && requested > 0 ? requested : kNever, job);
    if (const double per_core = log_.jobs[index].requested_memory; per_core >= 0 && !bare_) {
      out_.workload.needs.resize(out_.workload.works.size());
      out_.workload.needs.emplace_back().memory = per_core * 1024 * cores;
      if (options_.memory && per_core > 0) {
        out_.workload.asked.resize(out_.workload.works.size());
        out_.workload.asked.emplace_back().memory_per_core = std::ceil(per_core * 1024);
      }
    }
    out_.workload.works.push_back(work);
    if (!bare_) out_.workload.names.push_back(std::move(name));
    out_.jobs.push_back(index);
  }

  static std::string queue_name(const SwfJob& job) {
    const std::string partition =
        job.partition >= 0 ? fmt::format("partition{}", job.partition) : std::string();
    if (job.queue < 0) return partition;
    return fmt::format("{}{}queue{}", partition, partition.empty() ? "" : ".", job.queue);
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
  QueueLabels labels_;
  double slowest_ = 0;               // op/s of the slowest host
  std::int32_t widest_ = 0;          // cores that a job may have; 0 = no platform
  std::int32_t cores_per_node_ = 0;  // 0 = not known
  bool bare_ = false;                // names and memory are left out
};

class SwfStream final : public model::WorkStream {
 public:
  SwfStream(std::shared_ptr<const SwfLog> log, const SwfOptions& options, const Platform& platform)
      : source_(std::make_shared<const Source>(Source{std::move(log), options})),
        conversion_(*source_->log, source_->options, &platform),
        kept_(std::make_shared<const std::vector<std::uint32_t>>(conversion_.begin())) {}

  std::unique_ptr<WorkStream> clone() const override { return std::make_unique<SwfStream>(*this); }
  void next(Workload& out) override {
    constexpr std::size_t kAtATime = 256;
    const std::size_t count = std::min(kAtATime, kept_->size() - next_);
    const Workload& made = conversion_.convert_some(std::span(*kept_).subspan(next_, count));
    next_ += count;
    out.works = made.works;
    out.extras = made.extras;
  }
  std::span<const std::string> users() const override { return conversion_.users(); }
  std::size_t architectures() const override { return 0; }

 private:
  struct Source {
    std::shared_ptr<const SwfLog> log;
    SwfOptions options;
  };
  std::shared_ptr<const Source> source_;
  SwfConversion conversion_;
  std::shared_ptr<const std::vector<std::uint32_t>> kept_;
  std::size_t next_ = 0;
};

}  // namespace

SwfWorkload swf_workload(const SwfLog& log, const SwfOptions& options, const Platform* platform) {
  options.check();
  return SwfConversion(log, options, platform).convert();
}

std::vector<SwfFinding> swf_findings(const SwfLog& log, const SwfOptions& options, const Platform& platform) {
  SwfConversion conversion(log, options, &platform);
  for (const std::uint32_t job : conversion.begin())
    if (conversion.is_too_wide(job)) conversion.convert_some(std::span(&job, 1));
  return conversion.findings();
}

std::unique_ptr<model::WorkStream> swf_stream(std::shared_ptr<const SwfLog> log, const SwfOptions& options,
                                              const Platform& platform) {
  options.check();
  return std::make_unique<SwfStream>(std::move(log), options, platform);
}

}  // namespace perigee::readers

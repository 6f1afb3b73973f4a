// A run as a trace for the viewers of Chromium and Perfetto: a process for each cluster, a thread for each
// core and link. Where jobs have several hosts, a thread for each activity that a host serves at a time.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/results/executions.h"
#include "runtime/results/export.h"
#include "runtime/results/export_lanes.h"
#include "runtime/results/numbers.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::results {
namespace {

using nlohmann::json;

class ChromeTrace : RunInLanes {
 public:
  explicit ChromeTrace(const Outcome& outcome) : RunInLanes(outcome) {}

  std::string text() {
    name_processes();
    name_hosts();
    name_links();
    bars_of_hosts();
    bars_of_scheduler_and_links();
    count_works();
    text_ += "\n]}\n";
    return std::move(text_);
  }

 private:
  static constexpr double kMicro = 1e6;
  struct Thread {
    std::size_t process = 0, thread = 0;
  };

  // A bar but for its thread. Dumped fields are in the order of their names: the thread is in the middle.
  struct Bar {
    std::string before, after;
  };

  static std::string text_of(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  void next() { text_ += std::exchange(any_, true) ? ",\n" : ""; }
  void add(const json& event) {  // as text at once: a long run has millions
    next();
    text_ += text_of(event);
  }
  void add(const Thread& at, const Bar& bar) {
    next();
    const fmt::format_int process(at.process), thread(at.thread);
    for (const std::string_view part :
         {std::string_view(bar.before), std::string_view(",\"pid\":"),
          std::string_view(process.data(), process.size()), std::string_view(",\"tid\":"),
          std::string_view(thread.data(), thread.size()), std::string_view(bar.after)})
      text_ += part;
  }
  void name_process(std::size_t process, const std::string& name) {
    add({{"ph", "M"}, {"pid", process}, {"name", "process_name"}, {"args", {{"name", name}}}});
  }
  void name_thread(const Thread& at, const std::string& name) {
    add({{"ph", "M"},
         {"pid", at.process},
         {"tid", at.thread},
         {"name", "thread_name"},
         {"args", {{"name", name}}}});
    add({{"ph", "M"},
         {"pid", at.process},
         {"tid", at.thread},
         {"name", "thread_sort_index"},
         {"args", {{"sort_index", at.thread}}}});
  }
  static Bar bar(const std::string& name, std::string_view category, Time from, Time to, json args) {
    std::string before = text_of({{"ph", "X"},
                                  {"name", name},
                                  {"cat", category},
                                  {"dur", (to - from) * kMicro},
                                  {"args", std::move(args)}});
    before.pop_back();  // the closing brace
    return {std::move(before), ",\"ts\":" + text_of(from * kMicro) + "}"};
  }
  Bar bar(const Execution& run) const {
    return bar(title(run), name_of(run.kind), run.started, run.ended, arguments(run));
  }
  // One bar stands for all its cores of the host where jobs have several hosts.
  Bar bar(const Execution& run, HostId host) const {
    json args = arguments(run);
    if (by_host_ && run.kind == ActivityKind::compute)
      for (const UsedResource& on : runs_.on(run))
        if (on == ResourceId::of(host)) args["cores"] = on.cores;
    return bar(title(run), name_of(run.kind), run.started, run.ended, std::move(args));
  }
  static Bar bar(const Away& away) {
    return bar("away: " + std::string(schedulers::name_of(away.why)), "away", away.from, away.to,
               json::object());
  }

  // Process 0 is the scheduler's side, cluster c is process c + 1, links between routers belong to process 0.
  void name_processes() {
    name_process(0, "scheduler");
    for (std::size_t c = 0; c < platform_.clusters().size(); ++c)
      name_process(c + 1, platform_.clusters()[c].name);
    threads_.assign(platform_.clusters().size() + 1, 1);
  }

  void name_hosts() {
    for (std::size_t h = 0; h < platform_.hosts().size(); ++h) {
      const Host& host = platform_.hosts()[h];
      const std::size_t process = host.cluster.valid() ? host.cluster.at() + 1 : 0;
      hosts_.push_back({process, threads_[process]++});  // holds and absences; lane k is that + 1 + k
      name_thread(hosts_.back(), host.name);
      const std::int32_t count = by_host_ ? lanes_.counts[h] : host.cores;
      for (std::int32_t lane = 0; lane < count; ++lane)
        name_thread({process, threads_[process]++},
                    fmt::format("{} {} {}", host.name, by_host_ ? "lane" : "core", lane + 1));
    }
  }

  void name_links() {
    links_.resize(platform_.links().size());
    for (std::size_t l = 0; l < links_.size(); ++l) {
      for (std::size_t c = 0; c < platform_.clusters().size(); ++c)
        if (platform_.clusters()[c].link == LinkId(l)) links_[l].process = c + 1;
      if (platform_.links()[l].implied) continue;
      links_[l].thread = threads_[links_[l].process]++;
      name_thread(links_[l], platform_.links()[l].name);
    }
  }

  std::string title(const Execution& run) const {
    if (run.kind == ActivityKind::transfer_in || run.kind == ActivityKind::transfer_out)
      return run.file.valid() ? workload_.files[run.file.index].name : std::string("file");
    if (!run.work.valid()) return std::string(name_of(run.kind));
    std::string text = workload_.name_of(run.work);
    const WorkKind kind = workload_[run.work].kind;
    if (kind == WorkKind::sweep || kind == WorkKind::load)
      text += fmt::format(" [{}, {})", exact(run.first), exact(run.first + run.size));
    return text;
  }

  json arguments(const Execution& run) const {
    json args = {{"activity", run.serial},
                 {"outcome", run.how == RecordKind::started ? "running" : name_of(run.how)}};
    if (run.why != Reason::none) args["why"] = schedulers::name_of(run.why);
    if (run.copy) args["copy"] = true;
    if (run.is_transfer()) args["bytes"] = json_number(bytes_of(*outcome_.scenario->workload, run));
    return args;
  }

  void bars_of_hosts() {
    for (std::size_t h = 0; h < lanes_.of.size(); ++h) {
      std::uint32_t execution = kNone;
      Bar same;  // for all cores of an execution, which follow one another
      for (const Lane& lane : lanes_.of[h]) {
        if (lane.execution != execution) same = bar(runs_.all[execution = lane.execution], HostId(h));
        add({hosts_[h].process, hosts_[h].thread + static_cast<std::size_t>(lane.core + 1)}, same);
      }
      for (const Away& away : away_.hosts[h]) add(hosts_[h], bar(away));
    }
  }

  void bars_of_scheduler_and_links() {
    for (const Execution& run : runs_.all)
      for (const ResourceId on : runs_.on(run)) {
        if (on.kind() == ResourceKind::scheduler)
          add(Thread{}, bar("think", "think", run.started, run.ended, arguments(run)));
        if (on.kind() == ResourceKind::link && !platform_[on.link()].implied) add(links_[on.at()], bar(run));
      }
    name_thread({}, "scheduler");
    for (std::size_t l = 0; l < away_.links.size(); ++l)
      if (!platform_.links()[l].implied)
        for (const Away& away : away_.links[l]) add(links_[l], bar(away));
  }

  static bool settles(const Record& record) {
    return record.kind == RecordKind::finished || record.kind == RecordKind::rejected ||
           record.kind == RecordKind::expired || record.kind == RecordKind::killed;
  }

  // The number of works that are submitted and not settled: one value for each instant.
  void count_works() {
    const Trace& trace = outcome_.trace;
    const auto counts = [](const Record& record) {
      return record.kind == RecordKind::arrived || settles(record);
    };
    std::int64_t unsettled = 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (!counts(trace[i])) continue;
      unsettled += settles(trace[i]) ? -1 : 1;
      bool more = false;
      for (std::size_t k = i + 1; k < trace.size() && trace[k].time == trace[i].time && !more; ++k)
        more = counts(trace[k]);
      if (more) continue;
      next();
      fmt::format_to(std::back_inserter(text_),
                     R"({{"args":{{"works":{}}},"name":"work in the system","ph":"C","pid":0,"ts":{}}})",
                     unsettled, text_of(trace[i].time * kMicro));
    }
  }

  std::string text_ = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  bool any_ = false;                  // event so far
  std::vector<std::size_t> threads_;  // the next one of each process
  std::vector<Thread> hosts_, links_;
};

}  // namespace

std::string chrome_trace(const Outcome& outcome) { return ChromeTrace(outcome).text(); }

}  // namespace perigee::results

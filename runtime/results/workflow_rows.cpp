#include "runtime/results/workflow_rows.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "runtime/results/executions.h"
#include "runtime/results/numbers.h"

namespace perigee::results {
namespace {

class WorkflowMeter {
 public:
  explicit WorkflowMeter(const Outcome& outcome)
      : outcome_(outcome),
        workload_(*outcome.scenario->workload),
        platform_(*outcome.scenario->platform),
        executions_(executions_if_kept(outcome)) {
    rows_.resize(workload_.workflows.size());
    finish_.assign(workload_.size(), kNaN);
    last_.assign(workload_.size(), nullptr);
    if (workload_.precedence != nullptr) {
      order_ = workload_.precedence->order();
    } else {
      order_.resize(workload_.size());
      std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    }
    std::ranges::stable_sort(order_, {}, [&](std::uint32_t w) { return workload_.workflow_of(WorkId(w)); });
    read_trace();
    read_executions();
  }

  std::vector<WorkflowRow> rows() {
    std::span<const std::uint32_t> left = order_;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const model::Workflow& workflow = workload_.workflows[i];
      measure(workflow, left.first(workflow.tasks), rows_[i]);
      left = left.subspan(workflow.tasks);
    }
    return std::move(rows_);
  }

 private:
  WorkflowRow* row_of(WorkId work) {
    const std::uint32_t number = work.valid() ? workload_.workflow_of(work) : kNone;
    return number == kNone ? nullptr : &rows_[number];
  }

  void read_trace() {
    for (std::size_t i = 0; i < outcome_.trace.size(); ++i) {
      const Record record = outcome_.trace[i];
      WorkflowRow* row = row_of(record.work);
      if (row == nullptr) continue;
      if (record.kind == RecordKind::finished) finish_[record.work.index] = record.time;
      if (record.kind == RecordKind::stranded) {
        finish_[record.work.index] = kNaN;
        ++row->recomputed;
      }
      if (record.kind == RecordKind::recovered) ++row->recovered;
    }
  }

  void read_executions() {
    std::vector<WorkId> maker(workload_.files.size());
    for (std::size_t w = 0; w < workload_.size(); ++w)
      for (const FileId file : workload_.outputs(WorkId(w))) maker[file.index] = WorkId(w);
    for (const Execution& each : executions_.all) {
      if (each.how != RecordKind::ended) continue;
      if (each.kind == ActivityKind::compute && each.work.valid()) last_[each.work.index] = &each;
      if (each.kind != ActivityKind::transfer_in) continue;
      came_[{each.file, cluster_of(each)}] = each.ended;
      if (each.first == 0) continue;
      if (WorkflowRow* row = row_of(maker[each.file.index]); row != nullptr) {
        row->bytes += each.size;
        ++row->transfers;
      }
    }
  }

  ClusterId cluster_of(const Execution& transfer) const {
    const LinkId last = executions_.on(transfer).back().link();
    for (std::size_t c = 0; c < platform_.clusters().size(); ++c)
      if (platform_.clusters()[c].link == last) return ClusterId(c);
    return {};
  }

  Seconds time_on(WorkId work, std::size_t host) const {
    return true_time(workload_, {work, 0, 1}, platform_.hosts()[host], HostId(host),
                     platform_.hosts()[host].architecture);
  }

  // `order`: of its tasks, each behind those before it.
  void measure(const model::Workflow& workflow, std::span<const std::uint32_t> order, WorkflowRow& row) {
    const std::uint32_t first = workflow.first.index, end = first + workflow.tasks;
    row.name = workflow.name;
    row.tasks = workflow.tasks;
    row.arrival = workflow.arrival;
    row.finish = 0;
    for (std::uint32_t w = first; w < end; ++w) {
      if (std::isnan(finish_[w])) continue;
      ++row.finished;
      row.finish = std::max(row.finish, finish_[w]);
    }
    const bool is_over = row.finished == row.tasks;
    if (!is_over) row.finish = kNaN;
    const bool is_due = outcome_.status == RunStatus::complete || outcome_.status == RunStatus::incomplete ||
                        outcome_.end >= workflow.deadline;
    row.missed =
        workflow.deadline < kNever && (is_over ? row.finish > workflow.deadline * (1 + 1e-9) : is_due);
    row.response = row.finish - row.arrival;
    const std::size_t hosts = platform_.hosts().size();
    std::vector<Seconds> least(workflow.tasks, kNever), on_host(hosts, 0.0), path(workflow.tasks, 0.0);
    for (std::uint32_t w = first; w < end; ++w)
      for (std::size_t h = 0; h < hosts; ++h) {
        const Seconds time = time_on(WorkId(w), h);
        least[w - first] = std::min(least[w - first], time);
        on_host[h] += time;
      }
    double work = 0;
    for (const Seconds time : least) work += time;
    row.shortest = 0;
    for (const std::uint32_t w : order) {
      Seconds before = 0;
      if (workload_.precedence != nullptr)
        for (const std::uint32_t other : workload_.precedence->predecessors(w))
          before = std::max(before, path[other - first]);
      path[w - first] = before + least[w - first];
      row.shortest = std::max(row.shortest, path[w - first]);
    }
    const auto cores = static_cast<double>(platform_.total_cores());
    const Seconds alone = *std::ranges::min_element(on_host);
    row.slr = row.shortest > 0 ? row.response / row.shortest : kNaN;
    row.speedup = alone < kNever ? alone / row.response : kNaN;
    row.efficiency = row.speedup / cores;
    row.bound = std::max(row.shortest, work / cores);
    row.bound_ratio = row.bound > 0 ? row.response / row.bound : kNaN;
    row.mean_slack = is_over ? mean_slack(first, end, row.finish) : kNaN;
  }

  // How long before the end a task would have had to begin at the latest: along edges, with the transfers as they were,
  // and behind what ran next on its host.
  double mean_slack(std::uint32_t first, std::uint32_t end, Time finish) const {
    std::vector<std::pair<Time, std::uint32_t>> by_start;
    for (std::uint32_t w = first; w < end; ++w) {
      if (last_[w] == nullptr) return kNaN;
      by_start.emplace_back(last_[w]->started, w);
    }
    std::ranges::sort(by_start, std::greater<>());
    std::vector<Seconds> way(end - first, 0.0);           // from its start to the end of everything behind it
    std::map<HostId, std::vector<std::uint32_t>> behind;  // per host, what has been looked at
    double slack = 0;
    for (const auto& [start, w] : by_start) {
      const Execution& own = *last_[w];
      const HostId host = executions_.on(own).front().host();
      Seconds longest = finish_[w] - own.ended;  // till its outputs are home
      std::vector<std::uint32_t>& others = behind[host];
      const bool one_core = platform_[host].cores == 1 || platform_[host].exclusive;
      for (std::size_t i = others.size(); i-- > (one_core && !others.empty() ? others.size() - 1 : 0);)
        if (last_[others[i]]->started >= own.ended) longest = std::max(longest, way[others[i] - first]);
      others.push_back(w);
      if (workload_.precedence != nullptr)
        for (const std::uint32_t next : workload_.precedence->successors(w))
          longest = std::max(longest, lag(WorkId(w), WorkId(next)) + way[next - first]);
      way[w - first] = (own.ended - own.started) + longest;
      slack += finish - own.started - way[w - first];
    }
    return slack / static_cast<double>(end - first);
  }

  // From the end of the one until its files were in the cluster of the other.
  Seconds lag(WorkId work, WorkId next) const {
    const ClusterId there = platform_[executions_.on(*last_[next.index]).front().host()].cluster;
    const Time ended = last_[work.index]->ended;
    Seconds longest = 0;
    for (const FileId file : workload_.inputs(next)) {
      const auto outputs = workload_.outputs(work);
      if (std::ranges::find(outputs, file) == outputs.end()) continue;
      if (const auto came = came_.find({file, there}); came != came_.end())
        longest = std::max(longest, came->second - ended);
    }
    return longest;
  }

  const Outcome& outcome_;
  const Workload& workload_;
  const Platform& platform_;
  const Executions executions_;
  std::vector<WorkflowRow> rows_;
  std::vector<std::uint32_t> order_;    // of works, by workflow; those of none are last
  std::vector<Time> finish_;            // per work; NaN: it has not
  std::vector<const Execution*> last_;  // per work: its computation that ended well; null: none
  std::map<std::pair<FileId, ClusterId>, Time> came_;  // when files came to clusters
};

}  // namespace

std::vector<WorkflowRow> workflow_rows(const Outcome& outcome) { return WorkflowMeter(outcome).rows(); }

Table workflows(const Outcome& outcome) {
  Table table;
  table.columns = {"workflow", "tasks",     "finished",   "arrival",   "finish",      "response",
                   "slr",      "speedup",   "efficiency", "bound",     "bound_ratio", "mean_slack",
                   "bytes",    "transfers", "recomputed", "recovered", "missed"};
  table.units = {"",  "tasks", "tasks", "s", "s", "s",     "",      "", "",
                 "s", "",      "s",     "B", "",  "tasks", "tasks", ""};
  for (const WorkflowRow& row : workflow_rows(outcome)) {
    const auto count = [](std::size_t number) { return static_cast<double>(number); };
    table.rows.push_back({row.name, count(row.tasks), count(row.finished), row.arrival, row.finish,
                          row.response, row.slr, row.speedup, row.efficiency, row.bound, row.bound_ratio,
                          row.mean_slack, row.bytes, count(row.transfers), count(row.recomputed),
                          count(row.recovered), row.missed});
  }
  return table;
}

}  // namespace perigee::results

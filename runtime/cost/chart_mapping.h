// Greedy mapping on a Gantt chart. Again and again, the task that a rule prefers goes to the host that
// completes it first. A completion is found when it is asked for, again if its cluster has been used since.
//
// Source: Berman et al., LIP RR 1999-46, section 5.6.3, Appendix C and Figures 12 and 13.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/cost/chart.h"
#include "runtime/cost/chart_blocks.h"
#include "runtime/cost/explain.h"
#include "runtime/kernel/random.h"
#include "runtime/model/workload.h"

namespace perigee::model {
class Platform;
}

namespace perigee::cost {

// The completions of a waiting task, for a rule.
struct ChartCandidate {
  Time best = kNever;    // completion on the best host
  Time second = kNever;  // on the best of all others; +inf where there is none, or nobody asked
  // The completion on the best host of each cluster, where it is finite, ascending.
  std::span<const Time> clusters = {};
};

// The first clusters of a task, and the step in completion time from them to the next one.
struct Jump {
  std::size_t clusters = 0;
  Seconds height = 0;
  std::size_t next = 0;  // clusters before the next jump, or all of them
};
enum class NoJump : std::uint8_t {
  largest,  // the first of the largest steps counts as one
  none,     // all clusters are alike: height 0
  classic,  // the first step, whatever it is
};
// The first jump: a step between neighbours that is larger than the mean of all steps plus their (population)
// standard deviation (Figures 12 and 13). `times` is ascending and finite. With one cluster the result is {1,
// 0}.
Jump first_jump(std::span<const Time> times, NoJump otherwise);

// How much a task suffers. `jump`: the height of its first jump (Appendix C). `group`: the mean completion in
// the clusters between this jump and the next one, less the mean in the first ones (section 5.6.3).
enum class Suffering : std::uint8_t { jump, group };
Seconds suffering(std::span<const Time> times, const Jump& jump, Suffering as);

// The waiting tasks of a chart, with their completions as the chart stands. Only place() may change the chart.
class ChartView {
 public:
  // `tasks` ascending. `with_second`: ChartCandidate::second is wanted.
  ChartView(Chart& chart, std::vector<std::uint32_t> tasks, bool with_second = true);
  // The same view on `copy`, a copy of its chart.
  ChartView(const ChartView& other, Chart& copy) : ChartView(other) { chart_ = &copy; }

  std::span<const std::uint32_t> waiting() const { return waiting_; }
  bool waits(std::uint32_t task) const { return place_[task] != BestInCluster::kNone; }
  std::span<const ChartTask> placed() const { return placed_; }  // through this view, in that order
  const Chart& chart() const { return *chart_; }
  // For waiting tasks only, as are the functions below.
  ChartCandidate candidate(std::uint32_t task) const;
  // The host where the task would be complete first. Ties: the earlier end of its computation, then the order
  // of clusters and hosts. BestInCluster::kNone: there is none.
  std::uint32_t best_host(std::uint32_t task) const { return row_of(task).host; }
  const BestInCluster& in_cluster(std::uint32_t task, std::size_t cluster) const;
  // As candidate(), as far as it hangs on these clusters; valid until the next call.
  ChartCandidate candidate_in(std::uint32_t task, std::span<const std::uint32_t> clusters) const;
  // The number of tasks that had been placed when candidate() last changed for this task, at the latest.
  std::size_t changed(std::uint32_t task) const { return row_of(task).changed; }
  // Finds all candidates at once, which is faster than one after another.
  void refresh() const;
  // The waiting tasks in blocks of similar ones.
  const ChartBlocks& blocks() const;

  // Places the task, which no longer waits.
  const ChartTask& place(std::uint32_t task, std::uint32_t host);

 private:
  struct Row {
    std::uint32_t host = BestInCluster::kNone;
    Completion best;
    Time second = kNever;
    std::uint32_t clusters = 0;  // clusters where the completion is finite
    std::size_t changed = 0;
    std::size_t seen = 0;  // 1 + the number of tasks that had been placed when it was up to date; 0: never
  };
  const Row& row_of(std::uint32_t task) const {
    const Row& row = rows_[place_[task]];
    if (row.seen <= placed_.size()) [[unlikely]]
      bring_up_to_date(task);
    return row;
  }
  void bring_up_to_date(std::uint32_t task) const;
  void look_at(std::uint32_t task, std::size_t cluster) const;
  void update(std::uint32_t task, std::size_t place, std::size_t cluster, const BestInCluster& now) const;
  template <class Clusters>
  void compare(std::uint32_t task, const Clusters& clusters, Row& row) const;
  // The completion of the task on the second host of the cluster.
  Time complete_on_next(std::uint32_t task, std::size_t cluster, const BestInCluster& there) const {
    return chart_->complete_after(task, cluster, there.next_computed);
  }

  Chart* chart_;
  bool with_second_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> place_;      // per task of the problem: its row; kNone when it does not wait
  std::vector<Chart::Outlook> outlooks_;  // per cluster
  std::vector<std::size_t> used_;         // per cluster: the number of tasks placed when it was used last
  std::vector<ChartTask> placed_;
  // Found when they are asked for.
  mutable std::vector<Row> rows_;            // per task given at first
  mutable std::vector<BestInCluster> ends_;  // clusters x rows_
  mutable std::vector<std::size_t> found_;   // clusters x rows_, as Row::seen
  mutable std::vector<Time> few_;            // of candidate_in
  mutable std::vector<Time> sorted_;  // rows_ x clusters: completions there, only finite ones, ascending
  mutable std::vector<std::uint32_t> order_;  // their clusters
  mutable std::size_t refreshed_ = 0;         // as Row::seen, of all rows
  mutable std::optional<ChartBlocks> blocks_;
};

// A chart together with its waiting tasks. A value.
class ChartDraft {
 public:
  ChartDraft(Chart chart, std::vector<std::uint32_t> tasks)
      : chart_(std::move(chart)), view_(chart_, std::move(tasks)) {}
  explicit ChartDraft(const ChartView& view) : chart_(view.chart()), view_(view, chart_) {}
  ChartDraft(const ChartDraft& other) : ChartDraft(other.view_) {}
  ChartDraft& operator=(const ChartDraft&) = delete;

  const ChartView& view() const { return view_; }
  ChartView& view() { return view_; }

 private:
  Chart chart_;
  ChartView view_;
};

// The meaning of a chart's numbers; read only, valid while the plan is made.
struct ChartPlan {
  const Platform* platform = nullptr;
  const Workload* workload = nullptr;
  // The work, host or file behind each number of the chart. A host of several cores is listed once for each.
  std::span<const WorkId> tasks = {};
  std::span<const HostId> hosts = {};
  std::span<const FileId> files = {};
  std::span<const std::uint32_t> uses = {};  // per FileId: tasks that wait and need it, when the plan began
  Time horizon = kNever;                     // the plan is made up to here
};

class CandidateRule;

// Decides which task goes first: the one with the smallest first key, or the largest. Ties: the largest
// second key, then the order of tasks.
class ChartRule {
 public:
  struct Key {
    double first = 0, second = 0;
  };
  virtual ~ChartRule() = default;
  virtual std::unique_ptr<ChartRule> clone() const = 0;
  // Fills in the keys of all waiting tasks, in their order. The keys of tasks that can never be complete may
  // be anything.
  virtual void keys(const ChartView& view, const ChartPlan& plan, Stream& stream, std::vector<Key>& out) = 0;
  virtual bool largest_first() const = 0;
  virtual const CandidateRule* of_candidates() const { return nullptr; }  // this, if it looks at each alone
  virtual bool needs_second() const { return true; }                      // ChartCandidate::second
  virtual std::string_view key_name() const { return "key"; }             // with its unit, as "sufferage, s"
};

// A rule that looks at each candidate alone. It may have second keys if the first ones are whole numbers.
class CandidateRule : public ChartRule {
 public:
  virtual Key key(const ChartCandidate& task) const = 0;
  // No task with a candidate within the bounds has a key that goes before this one, beyond rounding.
  virtual Key foremost(const ChartBounds& bounds) const = 0;
  // The key hangs on so many clusters that complete the task first, and on the hosts there.
  virtual std::size_t first_clusters() const = 0;
  std::vector<Key> keys(const ChartView& view) const;
  void keys(const ChartView& view, const ChartPlan&, Stream&, std::vector<Key>& out) final {
    out = keys(view);
  }
  const CandidateRule* of_candidates() const final { return this; }
};

// The rules of the publication.
std::unique_ptr<CandidateRule> min_min_rule();    // H1, min-min
std::unique_ptr<CandidateRule> max_min_rule();    // H2, max-min
std::unique_ptr<CandidateRule> sufferage_rule();  // H3: second - best; 0 with one host
// H4, extended sufferage: the largest suffering. H9, sufferage II: the fewest clusters, then the largest
// suffering.
std::unique_ptr<CandidateRule> extended_sufferage_rule(NoJump otherwise, Suffering as = Suffering::jump);
std::unique_ptr<CandidateRule> sufferage_2_rule(NoJump otherwise, Suffering as = Suffering::jump);
std::unique_ptr<CandidateRule> xsufferage_rule();  // XSufferage, Casanova et al., HCW 2000

struct ChartChoice {
  std::uint32_t task = BestInCluster::kNone, host = BestInCluster::kNone;
  bool is_none() const { return task == BestInCluster::kNone; }
  bool operator==(const ChartChoice&) const = default;
};

// Chooses the next task and its host by the keys of the waiting tasks; none if no task can ever be complete.
ChartChoice choose(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first);
// Draws task and host among those within `eps` of the best, relative (the publication's H5 to H8). There is
// one draw for the host of each task, in order, then one for the task.
ChartChoice draw(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first, double eps,
                 Stream& stream);
// The same by a rule that looks at each candidate alone.
ChartChoice choose(const ChartView& view, const CandidateRule& rule);
// The same choice; only tasks whose bounds say that they may go first are looked at.
ChartChoice choose_by_bounds(const ChartView& view, const CandidateRule& rule);

// Chooses, again and again, the next task and its host.
class ChartMapper {
 public:
  virtual ~ChartMapper() = default;
  virtual std::unique_ptr<ChartMapper> clone() const = 0;
  // Returns a waiting task and a host that is not away, or none to end the plan.
  virtual ChartChoice next(const ChartView& view, const ChartPlan& plan, Stream& stream) = 0;
  virtual bool needs_second() const { return true; }  // ChartCandidate::second
  // Explains the last choice of next(); view and plan are as they were then. The default lists when the task
  // would be complete on each host.
  virtual void explain(const ChartView& view, const ChartPlan& plan, const ChartChoice& choice,
                       MappingStep& out) const;
};
// Adds the keys of the tasks that waited. Tasks that are as good as the choice are shown with its key.
void explain_keys(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first,
                  std::string_view key_name, const ChartChoice& choice, MappingStep& out);
// Maps by the rule; with `eps`, tasks and hosts are drawn as above.
std::unique_ptr<ChartMapper> chart_mapper(std::unique_ptr<ChartRule> rule, std::optional<double> eps);

}  // namespace perigee::cost

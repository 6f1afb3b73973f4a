// Greedy mapping on a Gantt chart: again and again the task that a rule prefers goes to the host that
// completes it first. Completions are kept up to date: only those in the cluster that was used change.
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
#include "runtime/cost/explain.h"
#include "runtime/kernel/random.h"
#include "runtime/model/workload.h"

namespace perigee::model {
class Platform;
}

namespace perigee::cost {

// What a rule may know of a task that waits.
struct ChartCandidate {
  Time best = kNever;    // completion on the best host
  Time second = kNever;  // on the best of all others; +inf where there is none, or nobody asked
  // Completion in each cluster where it is finite, on the best host there, ascending.
  std::span<const Time> clusters = {};
};

// The first clusters of a task, and how much later it would be complete in the next one.
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
// The first step between neighbours that is larger than the mean of all steps plus their (population)
// standard deviation (Figures 12 and 13). `times` ascending and finite. With one cluster {1, 0}.
Jump first_jump(std::span<const Time> times, NoJump otherwise);

// How much a task suffers: the height of its first jump (Appendix C), or how much later it would be complete
// in the clusters between this jump and the next one than in the first ones, on average (section 5.6.3).
enum class Suffering : std::uint8_t { jump, group };
Seconds suffering(std::span<const Time> times, const Jump& jump, Suffering as);

// The tasks of a chart that wait, with their completions as the chart stands.
class ChartView {
 public:
  // `tasks` ascending. `with_second`: ChartCandidate::second is wanted.
  ChartView(Chart& chart, std::vector<std::uint32_t> tasks, bool with_second = true);
  // The same of a copy of its chart.
  ChartView(const ChartView& other, Chart& copy) : ChartView(other) { chart_ = &copy; }

  std::span<const std::uint32_t> waiting() const { return waiting_; }
  bool waits(std::uint32_t task) const { return place_[task] != BestInCluster::kNone; }
  std::span<const ChartTask> placed() const { return placed_; }  // through this view, in that order
  const Chart& chart() const { return *chart_; }
  // Of tasks that wait, as are the following.
  ChartCandidate candidate(std::uint32_t task) const;
  // Where the task would be complete first: ties by the end of its computation, then by the order of clusters
  // and hosts; BestInCluster::kNone: nowhere.
  std::uint32_t best_host(std::uint32_t task) const { return rows_[place_[task]].host; }
  const BestInCluster& in_cluster(std::uint32_t task, std::size_t cluster) const {
    return ends_[cluster * rows_.size() + place_[task]];
  }

  // How many tasks had been placed when what candidate() says of it changed last.
  std::size_t changed(std::uint32_t task) const { return rows_[place_[task]].changed; }

  // Places the task, which waits no more.
  const ChartTask& place(std::uint32_t task, std::uint32_t host);

 private:
  struct Row {
    std::uint32_t host = BestInCluster::kNone;
    Completion best;
    Time second = kNever;
    std::uint32_t clusters = 0;  // where it is finite
    std::size_t changed = 0;
  };
  void update(std::uint32_t task, std::size_t cluster, const BestInCluster& now);
  void compare_clusters(std::uint32_t task);
  Time complete_on_next(std::uint32_t task, std::size_t cluster) const;

  Chart* chart_;
  bool with_second_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> place_;  // per task of the problem: its row; kNone when it does not wait
  std::vector<Row> rows_;             // per task given at first
  std::vector<BestInCluster> ends_;   // clusters x rows_
  std::vector<Time> times_;           // rows_ x clusters: completions there
  std::vector<Time> sorted_;          // the same, those that are finite, ascending
  std::vector<ChartTask> placed_;
};

// A chart together with its tasks that wait. A value.
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

// What is planned: to read, valid while the plan is made.
struct ChartPlan {
  const Platform* platform = nullptr;
  const Workload* workload = nullptr;
  // What the numbers of the chart stand for. A host of several cores is there once for each.
  std::span<const WorkId> tasks = {};
  std::span<const HostId> hosts = {};
  std::span<const FileId> files = {};
  std::span<const std::uint32_t> uses = {};  // per FileId: tasks that wait and need it, when the plan began
  Time horizon = kNever;                     // up to which it is made
};

// Which task goes first: the one of the smallest key, or of the largest one; ties by the second key, of which
// always the largest goes first, then by the order of tasks.
class ChartRule {
 public:
  struct Key {
    double first = 0, second = 0;
  };
  virtual ~ChartRule() = default;
  virtual std::unique_ptr<ChartRule> clone() const = 0;
  // Of each task that waits, in their order; of those that can never be complete anything.
  virtual void keys(const ChartView& view, const ChartPlan& plan, Stream& stream, std::vector<Key>& out) = 0;
  virtual bool largest_first() const = 0;
  virtual bool needs_second() const { return true; }           // ChartCandidate::second
  virtual std::string_view key_name() const { return "key"; }  // with its unit, as "sufferage, s"
};

// The rules of the publication, of each candidate by itself.
std::unique_ptr<ChartRule> min_min_rule();    // H1, min-min
std::unique_ptr<ChartRule> max_min_rule();    // H2, max-min
std::unique_ptr<ChartRule> sufferage_rule();  // H3: second - best; 0 with one host
// H4, extended sufferage, and H9, sufferage II: then the largest suffering.
std::unique_ptr<ChartRule> extended_sufferage_rule(NoJump otherwise, Suffering as = Suffering::jump);
std::unique_ptr<ChartRule> sufferage_2_rule(NoJump otherwise, Suffering as = Suffering::jump);
std::unique_ptr<ChartRule> xsufferage_rule();  // XSufferage, Casanova et al., HCW 2000

struct ChartChoice {
  std::uint32_t task = BestInCluster::kNone, host = BestInCluster::kNone;
  bool is_none() const { return task == BestInCluster::kNone; }
  bool operator==(const ChartChoice&) const = default;
};

// The next task and its host by the keys of the tasks that wait; none when no task can ever be complete.
ChartChoice choose(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first);
// Task and host among those that are within `eps` of the best, relative (the publication's H5 to H8): one
// draw for the host of each task, in order, then one for the task.
ChartChoice draw(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first, double eps,
                 Stream& stream);
// By a rule that looks at nothing but the view.
ChartChoice choose(const ChartView& view, ChartRule& rule);

// Chooses, again and again, the next task and its host.
class ChartMapper {
 public:
  virtual ~ChartMapper() = default;
  virtual std::unique_ptr<ChartMapper> clone() const = 0;
  // None ends the plan. A task that waits, and a host that is not away.
  virtual ChartChoice next(const ChartView& view, const ChartPlan& plan, Stream& stream) = 0;
  virtual bool needs_second() const { return true; }  // ChartCandidate::second
  // What decided the last choice of next(); the view and the plan are as they were. Without more to say:
  // where the task would be complete, and when.
  virtual void explain(const ChartView& view, const ChartPlan& plan, const ChartChoice& choice,
                       MappingStep& out) const;
};
// The tasks that waited by these keys, for such an explanation; those that are as good as the choice have its
// key.
void explain_keys(const ChartView& view, std::span<const ChartRule::Key> keys, bool largest_first,
                  std::string_view key_name, const ChartChoice& choice, MappingStep& out);
// By the rule; `eps`: drawn, see above.
std::unique_ptr<ChartMapper> chart_mapper(std::unique_ptr<ChartRule> rule, std::optional<double> eps);

}  // namespace perigee::cost

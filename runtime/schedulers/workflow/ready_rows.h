// The ready tasks of a schedule that appends, with the best machine of each. All of a task's data is on its way when it
// becomes ready, so that only what is placed on a machine changes what tasks are worth there.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/cost/graph_schedule.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"

namespace perigee::workflow {

// Called as rows of numbers for ready tasks become more: asks for the room of twice as many.
inline void will_take_rows(std::size_t rows, std::size_t machines) {
  if (std::has_single_bit(rows))
    will_take(2.0 * static_cast<double>(rows * machines * sizeof(double)),
              [&] { return fmt::format("times of {} ready tasks on {} machines", rows, machines); });
}

struct ReadyRow {
  std::uint32_t task = 0;
  std::uint32_t at = kUnmapped, next = kUnmapped;  // machines of best and second
  double best = -kInfinity, second = -kInfinity;   // second: -inf where it has one machine
  std::vector<double> arrival = {};                // s, per machine; +inf where the task cannot run
};

// worth(row, machine, start): the more, the better. It falls as the start goes up.
template <class Worth>
class ReadyRows {
 public:
  ReadyRows(GraphSchedule& schedule, Worth worth) : schedule_(schedule), worth_(std::move(worth)) {
    for (const std::uint32_t task : schedule.ready_tasks()) add(task);
  }

  bool empty() const { return rows_.empty(); }
  std::span<const ReadyRow> rows() const { return rows_; }  // in no order
  double worth(const ReadyRow& row, std::size_t machine) const {
    if (!(row.arrival[machine] < kInfinity)) return -kInfinity;
    return worth_(row, machine, std::max(row.arrival[machine], schedule_.end(machine)));
  }
  // The row of the lowest task among those for which `wanted` holds; there is one.
  template <class Wanted>
  const ReadyRow& lowest(Wanted&& wanted) const {
    const ReadyRow* found = nullptr;
    for (const ReadyRow& row : rows_)
      if (wanted(row) && (found == nullptr || row.task < found->task)) found = &row;
    return *found;
  }

  void place(std::uint32_t task, std::uint32_t machine) {
    const auto found = std::ranges::find(rows_, task, &ReadyRow::task);
    spare_.push_back(std::move(found->arrival));
    if (found != rows_.end() - 1) *found = std::move(rows_.back());
    rows_.pop_back();
    schedule_.place(task, machine);
    did_work(rows_.size());
    for (ReadyRow& row : rows_)
      if (row.at == machine || row.next == machine) look_at(row);
    for (const GraphArc& arc : schedule_.problem().arcs.behind(task))
      if (schedule_.is_ready(arc.task)) add(arc.task);
  }

 private:
  void add(std::uint32_t task) {
    ReadyRow row{.task = task};
    if (!spare_.empty()) {
      row.arrival = std::move(spare_.back());
      spare_.pop_back();
    }
    schedule_.arrivals(task, row.arrival);
    for (std::size_t m = 0; m < row.arrival.size(); ++m)
      if (!(schedule_.problem().time(task, m) < kInfinity)) row.arrival[m] = kInfinity;
    look_at(row);
    rows_.push_back(std::move(row));
    will_take_rows(rows_.size(), schedule_.problem().machines);
  }
  void look_at(ReadyRow& row) const {
    did_work(1 + row.arrival.size() / 4);
    row.best = row.second = -kInfinity;
    row.at = row.next = kUnmapped;
    for (std::size_t m = 0; m < row.arrival.size(); ++m) {
      const double value = worth(row, m);
      if (value > row.best) {
        row.second = row.best, row.next = row.at;
        row.best = value, row.at = static_cast<std::uint32_t>(m);
      } else if (value > row.second) {
        row.second = value, row.next = static_cast<std::uint32_t>(m);
      }
    }
  }

  GraphSchedule& schedule_;
  Worth worth_;
  std::vector<ReadyRow> rows_;
  std::vector<std::vector<double>> spare_;
};

}  // namespace perigee::workflow

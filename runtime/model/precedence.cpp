#include "runtime/model/precedence.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace perigee::model {

namespace {

constexpr std::uint32_t kNobody = 0xffffffffU;

// Tasks on cycles are those of strongly connected components, which are found in linear time by two walks: forwards, and
// then backwards from the tasks that were left last (Sharir 1981).
std::uint32_t lowest_on_cycle(const Precedence& precedence) {
  const auto tasks = static_cast<std::uint32_t>(precedence.tasks());
  std::vector<std::uint8_t> is_seen(tasks);
  std::vector<std::uint32_t> left;
  std::vector<std::pair<std::uint32_t, std::size_t>> path;  // and how many of its successors were looked at
  for (std::uint32_t root = 0; root < tasks; ++root) {
    if (is_seen[root] != 0) continue;
    is_seen[root] = 1;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [task, next] = path.back();
      const auto successors = precedence.successors(task);
      if (next == successors.size()) {
        left.push_back(task);
        path.pop_back();
      } else if (const std::uint32_t to = successors[next++]; is_seen[to] == 0) {
        is_seen[to] = 1;
        path.emplace_back(to, 0);
      }
    }
  }
  std::uint32_t lowest = kNobody;
  std::vector<std::uint32_t> component;
  for (std::size_t i = left.size(); i-- > 0;) {
    if (is_seen[left[i]] == 2) continue;
    is_seen[left[i]] = 2;
    component.assign(1, left[i]);
    bool is_cycle = false;
    for (std::size_t next = 0; next < component.size(); ++next)
      for (const std::uint32_t before : precedence.predecessors(component[next])) {
        is_cycle = is_cycle || before == component[next];
        if (is_seen[before] == 2) continue;
        is_seen[before] = 2;
        component.push_back(before);
      }
    if (is_cycle || component.size() > 1) lowest = std::min(lowest, *std::ranges::min_element(component));
  }
  return lowest;
}

}  // namespace

Precedence::Precedence(std::size_t tasks, std::vector<Edge> edges)
    : first_before_(tasks + 1), first_behind_(tasks + 1) {
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const auto& [from, to] : edges) {
    ++first_behind_[from + 1];
    ++first_before_[to + 1];
  }
  for (std::size_t t = 0; t < tasks; ++t) {
    first_behind_[t + 1] += first_behind_[t];
    first_before_[t + 1] += first_before_[t];
  }
  behind_.reserve(edges.size());
  before_.resize(edges.size());
  std::vector<std::uint32_t> next(first_before_);
  for (const auto& [from, to] : edges) {  // by `from`, so that the lists of predecessors are ascending
    behind_.push_back(to);
    before_[next[to]++] = from;
  }
}

std::vector<std::uint32_t> Precedence::order() const {
  std::vector<std::uint32_t> waits_for(tasks()), found;
  found.reserve(tasks());
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t t = 0; t < tasks(); ++t) {
    waits_for[t] = static_cast<std::uint32_t>(predecessors(t).size());
    if (waits_for[t] == 0) ready.push(t);
  }
  while (!ready.empty()) {
    const std::uint32_t task = ready.top();
    ready.pop();
    found.push_back(task);
    for (const std::uint32_t next : successors(task))
      if (--waits_for[next] == 0) ready.push(next);
  }
  return found;
}

std::vector<std::uint32_t> Precedence::shortest_cycle() const {
  const std::uint32_t start = lowest_on_cycle(*this);
  if (start == kNobody) return {};
  std::vector<std::uint32_t> from(tasks(), kNobody), reached{start};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const std::uint32_t task = reached[next];
    for (const std::uint32_t to : successors(task)) {
      if (to == start) {
        std::vector<std::uint32_t> cycle;
        for (std::uint32_t at = task; at != start; at = from[at]) cycle.push_back(at);
        cycle.push_back(start);
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (from[to] != kNobody) continue;
      from[to] = task;
      reached.push_back(to);
    }
  }
  return {};
}

}  // namespace perigee::model

// Who has to wait for whom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace perigee::model {

// For each of some tasks, numbered from 0, those that come directly before it and behind it. A plain value.
class Precedence {
 public:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;  // from the one that comes first

  Precedence() = default;
  Precedence(std::size_t tasks, std::vector<Edge> edges);  // an edge that is repeated is one edge

  std::size_t tasks() const { return first_before_.empty() ? 0 : first_before_.size() - 1; }
  std::size_t edges() const { return before_.size(); }
  // Ascending.
  std::span<const std::uint32_t> predecessors(std::size_t task) const {
    return std::span(before_).subspan(first_before_[task], first_before_[task + 1] - first_before_[task]);
  }
  std::span<const std::uint32_t> successors(std::size_t task) const {
    return std::span(behind_).subspan(first_behind_[task], first_behind_[task + 1] - first_behind_[task]);
  }
  // The place of the first of the task's successors among all edges, which are ordered by (from, to).
  std::size_t first_edge(std::size_t task) const { return first_behind_[task]; }

  // Every task behind its predecessors; of those that could be next, the lowest. Tasks on a cycle, and those behind
  // one, are left out.
  std::vector<std::uint32_t> order() const;
  // The shortest cycle through the lowest task that is on any, which comes first; empty: none. Among several that
  // are equally short it is the one whose tasks are found first when the lowest are looked at first.
  std::vector<std::uint32_t> shortest_cycle() const;

 private:
  std::vector<std::uint32_t> first_before_, before_, first_behind_, behind_;
};

}  // namespace perigee::model

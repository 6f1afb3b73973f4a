// The tree that a search grows, vertex by vertex.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/cost/mapping.h"

namespace perigee::cost {

// Maps the task to the machine, after the tasks on the way from the root.
struct TreeVertex {
  std::uint32_t attempt = 1;
  std::uint32_t parent = kUnmapped;  // its place in the list; kUnmapped = the root, which is not listed
  std::uint32_t depth = 1;           // tasks mapped so far
  std::uint32_t task = 0, machine = 0;
  double g = 0, h1 = 0, h2 = 0, f = 0;  // s
  std::uint32_t expanded = 0;           // its place among the expansions, the root's being 1; 0 = never
  bool dropped = false;                 // dropped for a better leaf
  bool taken = false;                   // it is on the way to the answer
};

// A mapper that searches on a tree.
class GrowsTree {
 public:
  // The tree that map() would grow now, in order of growth.
  virtual std::vector<TreeVertex> tree(const MappingProblem& problem) = 0;

 protected:
  ~GrowsTree() = default;
};

}  // namespace perigee::cost

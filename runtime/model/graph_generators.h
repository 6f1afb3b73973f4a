// Random task graphs, and random costs of any graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/kernel/random.h"
#include "runtime/model/task_graph.h"

namespace perigee::model {

// After Topcuoglu, Hariri, Wu 2002, section 5.2, which fixes means only: the order of drawing is perigee's.
struct LayeredShape {
  std::uint64_t tasks = 0;   // >= 1
  double alpha = 1;          // > 0; the mean width of a layer is about alpha * sqrt(tasks)
  std::uint64_t degree = 1;  // >= 1; most successors that a task draws
};

// In the manner of the generator of Arabnejad, Barbosa 2014.
struct LevelsShape {
  std::uint64_t tasks = 0;  // >= 1
  double fat = 0.5;         // in [0, 1]; the mean width of a level is tasks^fat
  double regularity = 0.5;  // in [0, 1]; 1 = all levels are equally wide
  double density = 0.5;     // in [0, 1]; of the level above, how much a task may wait for
  std::uint64_t jump = 1;   // >= 1; how many levels up an edge may reach
};

// Structures, as those of graph_structures.h. Error "bad_parameter".
template <class Generator>
TaskGraph layered_structure(const LayeredShape& shape, Generator& rng);
template <class Generator>
TaskGraph levels_structure(const LevelsShape& shape, Generator& rng);

// Makes each edge of a structure a file of so many bytes, which are those of all edges by (from, to).
void make_edges_files(TaskGraph& graph, std::span<const double> bytes);

struct DrawnCosts {
  std::size_t hosts = 0;  // >= 1
  double ccr = 1;         // >= 0; bytes of an edge over the time of a task, in the mean
  double beta = 1;        // in [0, 2]; how much the times of a task differ from host to host
  double mean = 50;       // s, > 0; of all times
};

// Gives the graph times by host, and makes each of its edges a file (the bytes are for a bandwidth of 1 B/s). Draws for
// each task its mean, uniform in [0, 2 mean), and its times, uniform within beta/2 of that; then for each edge by (from,
// to) its bytes, uniform in [0, 2 mean ccr). The graph is a structure, without files. Error "bad_parameter".
template <class Generator>
void draw_costs(TaskGraph& graph, const DrawnCosts& costs, Generator& rng);

extern template TaskGraph layered_structure(const LayeredShape&, Stream&);
extern template TaskGraph layered_structure(const LayeredShape&, SplitMix64&);
extern template TaskGraph levels_structure(const LevelsShape&, Stream&);
extern template TaskGraph levels_structure(const LevelsShape&, SplitMix64&);
extern template void draw_costs(TaskGraph&, const DrawnCosts&, Stream&);
extern template void draw_costs(TaskGraph&, const DrawnCosts&, SplitMix64&);

}  // namespace perigee::model

// Task graphs of well-known shapes.
#pragma once

#include <cstdint>

#include "runtime/model/task_graph.h"

namespace perigee::model {

// Tasks and who waits for whom, without amounts and bytes. Names and categories tell what a task does, numbers in them
// count from 1. Every function: Error "bad_parameter" for a size out of range, or more than kMostGraphTasks tasks.

TaskGraph chain_structure(std::uint64_t tasks);
// `stages` times: a task, then `width` that wait for it, then the one that waits for them, which begins the next.
TaskGraph fork_join_structure(std::uint64_t width, std::uint64_t stages);
// All leaves are `depth` edges away from the root, which is the first task or the last. branching >= 2, depth >= 0.
TaskGraph out_tree_structure(std::uint64_t branching, std::uint64_t depth);
TaskGraph in_tree_structure(std::uint64_t branching, std::uint64_t depth);
// Each cell is before those to the right and below.
TaskGraph stencil_structure(std::uint64_t rows, std::uint64_t columns);
// Gaussian elimination of a matrix with `size` >= 2 columns, by columns: a pivot, then the updates of the columns behind
// it.
TaskGraph gaussian_structure(std::uint64_t size);
// The fast Fourier transform: recursive calls, then butterflies. `points` is a power of two, at least 2.
TaskGraph fft_structure(std::uint64_t points);
// Factorizations of a matrix of `tiles` x `tiles` tiles. A task is behind those that wrote last what it reads or writes.
TaskGraph cholesky_structure(std::uint64_t tiles);
TaskGraph lu_structure(std::uint64_t tiles);  // without pivoting
// The mosaic of a grid of images that overlap with their up to eight neighbours.
TaskGraph montage_structure(std::uint64_t rows, std::uint64_t columns);

}  // namespace perigee::model

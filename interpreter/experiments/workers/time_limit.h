// The time limit of the Slurm job in which a worker runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interpreter/layers.h"
#include "runtime/kernel/ids.h"

namespace perigee::experiments {

std::string slurm_job_id();  // empty = there is none
// The time until the job of this process ends, told by its environment or asked of `squeue` once; nothing where
// there is no limit, none is told, or another process of the same step asks.
std::optional<Seconds> slurm_time_left();
// A time as `squeue` writes it, "1-02:03:04", "2:03:04", "03:04"; nothing for "UNLIMITED" and the like.
std::optional<Seconds> read_slurm_time(std::string_view text);
// How long from now a worker that has so much time left takes cells: until a tenth of its time before the end, 1 s
// at least and 30 s at most. 0 where it has less.
Seconds time_to_leave(Seconds left);

}  // namespace perigee::experiments

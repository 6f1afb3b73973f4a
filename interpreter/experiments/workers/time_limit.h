// The time limit of the Slurm job in which a worker runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace perigee::experiments {

std::string slurm_job_id();  // empty = there is none
// Seconds until the job of this process ends, told by its environment or asked of `squeue` once; nothing where
// there is no limit, none is told, or another process of the same step asks.
std::optional<double> slurm_time_left();
// A time as `squeue` writes it, "1-02:03:04", "2:03:04", "03:04": seconds; nothing for "UNLIMITED" and the like.
std::optional<double> read_slurm_time(std::string_view text);
// When a worker that has so many seconds left takes no more cells, in seconds from now: a tenth of its time
// before the end, 1 s at least and 30 s at most.
double time_to_leave(double seconds_left);

}  // namespace perigee::experiments

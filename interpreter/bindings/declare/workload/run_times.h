// Run times of works as their records tell them: numbers, tables by host or architecture, and times by the size of a job.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

// Error "bad_shape" of a job, at the field.
template <class... Args>
[[noreturn]] void fail_shape(const Fields& fields, const FieldRow& field, fmt::format_string<Args...> format,
                             Args&&... args) {
  fail_at(fields.where(field.name), "bad_shape", "{}: {}", fields.subject(),
          fmt::format(format, std::forward<Args>(args)...));
}

// The sizes that a job may have, ascending. `listed`: told as a list or a range, even if it has one entry.
struct SizesRecord {
  const FieldRow* field = nullptr;
  std::vector<std::int32_t> allowed = {};
  std::int32_t cores = 1;  // of each node; 0 where the sizes are of processes
  bool listed = false;

  std::string text(std::int32_t size) const {
    if (cores == 0) return fmt::format("{} process{}", size, size == 1 ? "" : "es");
    const std::int64_t all = std::int64_t{size} * cores;
    return fmt::format("{} node{} ({} core{})", size, size == 1 ? "" : "s", all, all == 1 ? "" : "s");
  }
};

// Reads a number, a list or { least =, most = }, of the field that `sizes` names.
void read_sizes(const Fields& fields, SizesRecord& sizes);
// Reads time, ops or times, and the estimate. Times by size, which only jobs have, are left for read_mold().
void read_times(const Fields& fields, values::WorkRecord& record);
// Fills in what depends on the size of the job.
void read_mold(const Fields& fields, const SizesRecord& sizes, values::WorkRecord& record, Shape& shape);

}  // namespace perigee::bindings

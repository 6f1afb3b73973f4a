#include "runtime/model/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

namespace perigee {

// Simulations of the package in queue order, each on the slot that is free first.
double detail::waves(const Workload& workload, const WorkExtra& extra, const Piece& piece,
                     std::int32_t slots) {
  const auto first = static_cast<std::size_t>(piece.first), size = static_cast<std::size_t>(piece.size);
  if (extra.weights == kNone) return std::ceil(static_cast<double>(size) * extra.trials / slots);
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (std::int32_t s = 0; s < slots; ++s) free.push(0);
  double last = 0;
  for (std::size_t run = first; run < first + size; ++run) {
    const double weight = workload.times[extra.weights + run];
    for (std::int32_t trial = 0; trial < extra.trials; ++trial) {
      const double end = free.top() + weight;
      free.pop();
      free.push(end);
      last = std::max(last, end);
    }
  }
  return last;
}

std::string_view name_of(WorkKind kind) {
  switch (kind) {
    case WorkKind::task:
      return "task";
    case WorkKind::job:
      return "job";
    case WorkKind::sweep:
      return "sweep";
    case WorkKind::load:
      return "load";
    case WorkKind::reservation:
      return "reservation";
  }
  return "task";
}

std::span<const FileId> Workload::inputs(WorkId id) const {
  return std::span(file_lists).subspan(works[id.index].inputs, works[id.index].input_count);
}
std::span<const FileId> Workload::outputs(WorkId id) const {
  return std::span(file_lists).subspan(works[id.index].outputs, works[id.index].output_count);
}

double Workload::size_of(WorkId id) const {
  const Work& work = works[id.index];
  return work.extra == kNone || work.kind == WorkKind::reservation ? 1 : extras[work.extra].size;
}

std::string Workload::name_of(WorkId id) const {
  if (id.index < names.size() && !names[id.index].empty()) return names[id.index];
  return fmt::format("{} {}", perigee::name_of(works[id.index].kind), id.index + 1);
}

void Workload::check(const Platform& platform) const {
  const std::size_t hosts = platform.hosts().size();
  std::int32_t architectures = 0;
  for (const Host& host : platform.hosts()) architectures = std::max(architectures, host.architecture + 1);
  const auto bad = [&](std::size_t w, std::string_view field, std::string_view allowed, double got) {
    fail("bad_work", "{}: {} must be {}, got {}", name_of(WorkId(w)), field, allowed, got);
  };
  const auto at_least_0 = [&](std::size_t w, std::string_view field, double value, bool infinite = false) {
    if (!(value >= 0) || (!infinite && !(value < kNever)))
      bad(w, field, infinite ? ">= 0" : "finite and >= 0", value);
  };
  std::vector<std::uint32_t> made_by(files.size(), kNone);
  for (const File& file : files) {
    if (!(file.size >= 0) || !(file.size < kNever))
      fail("bad_work", "file '{}': size must be finite and >= 0 B, got {}", file.name, file.size);
    if (!(file.estimate >= 0) || !(file.estimate < kNever))
      fail("bad_work", "file '{}': estimate must be finite and >= 0 B, got {}", file.name, file.estimate);
  }
  for (std::size_t w = 0; w < works.size(); ++w) {
    const Work& work = works[w];
    at_least_0(w, "arrival", work.arrival);
    at_least_0(w, "deadline", work.deadline, true);
    if (std::isnan(work.priority)) bad(w, "priority", "a number", work.priority);
    if (work.cores < 1) bad(w, "cores", ">= 1", work.cores);
    if (work.kind != WorkKind::reservation) {
      const std::size_t columns =
          work.form == TimeForm::by_host ? hosts : static_cast<std::size_t>(architectures);
      if (work.form == TimeForm::by_host || work.form == TimeForm::by_architecture) {
        const auto check_row = [&](std::uint32_t row, std::string_view field) {
          if (row == kNone) return;
          if (row + columns > times.size())
            fail("bad_work", "{}: {} needs {} values, one per {}", name_of(WorkId(w)), field, columns,
                 work.form == TimeForm::by_host ? "host" : "architecture");
          for (std::size_t c = 0; c < columns; ++c) at_least_0(w, field, times[row + c], true);
        };
        if (work.times == kNone) fail("bad_work", "{}: it has no run times", name_of(WorkId(w)));
        check_row(work.times, "times");
        check_row(work.estimates, "estimates");
      } else {
        at_least_0(w, work.form == TimeForm::operations ? "operations" : "time", work.amount);
        at_least_0(w, "estimate", work.estimate);
      }
    }
    if (work.extra != kNone) {
      const WorkExtra& extra = extras[work.extra];
      switch (work.kind) {
        case WorkKind::sweep:
          if (!(extra.size >= 1) || std::floor(extra.size) != extra.size || !(extra.size < 9e15))
            bad(w, "runs", "a whole number >= 1", extra.size);
          if (extra.trials < 1) bad(w, "trials", ">= 1", extra.trials);
          if (extra.size * extra.trials > 1e9)
            bad(w, "runs x trials", "at most 1e9", extra.size * extra.trials);
          at_least_0(w, "bytes", extra.bytes);
          if (extra.weights != kNone)
            for (std::size_t r = 0; r < static_cast<std::size_t>(extra.size); ++r)
              at_least_0(w, "weight", times[extra.weights + r]);
          break;
        case WorkKind::load:
          if (!(extra.size > 0) || !(extra.size < kNever)) bad(w, "size", "finite and > 0", extra.size);
          at_least_0(w, "bytes", extra.bytes);
          break;
        case WorkKind::reservation:
          if (extra.hosts < 1 || static_cast<std::size_t>(extra.hosts) > hosts)
            bad(w, "hosts", fmt::format("between 1 and {}", hosts), extra.hosts);
          at_least_0(w, "from", extra.from);
          if (!(extra.to > extra.from) || !(extra.to < kNever))
            bad(w, "to", fmt::format("> {}", extra.from), extra.to);
          if (!(extra.io_ratio >= 0 && extra.io_ratio <= 1))
            bad(w, "io_ratio", "between 0 and 1", extra.io_ratio);
          break;
        default:
          break;
      }
    } else if (work.kind == WorkKind::sweep || work.kind == WorkKind::load ||
               work.kind == WorkKind::reservation) {
      fail("bad_work", "{}: its size is missing", name_of(WorkId(w)));
    }
    for (const FileId file : outputs(WorkId(w))) {
      if (made_by[file.index] != kNone)
        fail("bad_work", "file '{}' is an output of both {} and {}", files[file.index].name,
             name_of(WorkId(made_by[file.index])), name_of(WorkId(w)));
      made_by[file.index] = static_cast<std::uint32_t>(w);
    }
  }
  for (std::size_t w = 0; w < works.size(); ++w)
    for (const FileId file : inputs(WorkId(w)))
      if (made_by[file.index] != kNone)
        fail("bad_work", "file '{}' is an output of {} and an input of {}; work has no order among itself",
             files[file.index].name, name_of(WorkId(made_by[file.index])), name_of(WorkId(w)));
}

}  // namespace perigee

#include "runtime/model/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perigee::model {

namespace {

// Ends of the simulations on each slot, the earliest first.
class Slots {
 public:
  explicit Slots(std::int32_t count) : ends_(static_cast<std::size_t>(count), 0.0) {}

  // Adds one simulation on the slot that is free first. `ends_` is a heap.
  void add(double time) {
    const double end = ends_.front() + time;
    last_ = std::max(last_, end);
    std::size_t at = 0;
    for (std::size_t child = 1; child < ends_.size(); child = 2 * at + 1) {
      if (child + 1 < ends_.size() && ends_[child + 1] < ends_[child]) ++child;
      if (ends_[child] >= end) break;
      ends_[at] = ends_[child];
      at = child;
    }
    ends_[at] = end;
  }

  // Adds `count` simulations of the same time. `ends_` ascends before and after. The new ends ascend too, so
  // the next free slot has either the earliest old end or the earliest new one. Once all ends are within one
  // such time of each other, the slots take turns.
  void add(double time, std::size_t count) {
    const std::size_t slots = ends_.size();
    added_.resize(slots);  // a ring of `old` new ends from `head` on
    std::size_t old = 0, head = 0;
    const auto wrapped = [&](std::size_t place) { return place < slots ? place : place - slots; };
    for (; count > 0 && old < slots; --count) {
      if (old == 0 && ends_.back() <= ends_.front() + time) break;
      const bool from_old = old == 0 || ends_[old] <= added_[head];
      added_[wrapped(head + old)] = (from_old ? ends_[old] : added_[head]) + time;
      if (from_old)
        ++old;
      else
        head = wrapped(head + 1);
    }
    if (old > 0) {
      const auto at = [](std::vector<double>& of, std::size_t place) {
        return of.begin() + static_cast<std::ptrdiff_t>(place);
      };
      std::rotate(added_.begin(), at(added_, head), added_.end());
      merged_.resize(slots);
      std::merge(at(ends_, old), ends_.end(), added_.begin(), at(added_, old), merged_.begin());
      ends_.swap(merged_);
    }
    for (; count >= slots; count -= slots)
      for (double& end : ends_) end += time;
    for (std::size_t s = 0; s < count; ++s) ends_[s] += time;
    std::rotate(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(count), ends_.end());
    last_ = ends_.back();
  }

  double last() const { return last_; }

 private:
  std::vector<double> ends_, added_, merged_;
  double last_ = 0;
};

}  // namespace

double detail::waves(const Workload& workload, const WorkExtra& extra, const Piece& piece, std::int32_t slots,
                     bool noisy) {
  const auto first = static_cast<std::size_t>(piece.first), size = static_cast<std::size_t>(piece.size),
             trials = static_cast<std::size_t>(extra.trials);
  noisy = noisy && extra.noise != kNone;
  if (extra.weights == kNone && !noisy) return std::ceil(static_cast<double>(size) * extra.trials / slots);
  Slots taken(slots);
  for (std::size_t run = first; run < first + size; ++run) {
    const double weight = extra.weights == kNone ? 1 : workload.times[extra.weights + run];
    if (noisy)
      for (std::size_t trial = 0; trial < trials; ++trial)
        taken.add(weight * workload.times[extra.noise + run * trials + trial]);
    else if (trials < static_cast<std::size_t>(slots))
      for (std::size_t trial = 0; trial < trials; ++trial) taken.add(weight);
    else
      taken.add(weight, trials);
  }
  return taken.last();
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
std::uint32_t Workload::workflow_of(WorkId id) const {
  const auto next = std::ranges::upper_bound(workflows, id.index, {},
                                             [](const Workflow& each) { return each.first.index; });
  if (next == workflows.begin()) return kNone;
  const auto found = next - 1;
  return id.index - found->first.index < found->tasks ? static_cast<std::uint32_t>(found - workflows.begin())
                                                      : kNone;
}
std::span<const FileId> Workload::outputs(WorkId id) const {
  return std::span(file_lists).subspan(works[id.index].outputs, works[id.index].output_count);
}

double Workload::declared_bytes(WorkId id) const {
  const Work& work = works[id.index];
  if (work.extra == kNone) return 0;
  const WorkExtra& extra = extras[work.extra];
  return std::isnan(extra.bytes_estimate) ? extra.bytes : extra.bytes_estimate;
}

std::size_t Sizes::place_of(std::int32_t size) const {
  const auto found = std::ranges::lower_bound(allowed, size);
  return found != allowed.end() && *found == size ? static_cast<std::size_t>(found - allowed.begin())
                                                  : allowed.size();
}

Piece Workload::piece_on(WorkId id, std::span<const Share> shares) const {
  Piece whole{id, 0, 1};
  const Shape* shape = shape_of(id);
  if (shape == nullptr || shape->sizes == nullptr) return whole;
  std::int64_t size = 0;
  for (const Share& share : shares) size += shape->nodes > 0 ? 1 : share.cores;
  whole.mold = static_cast<std::int32_t>(std::min<std::int64_t>(size, Shape::kMost));
  return whole;
}

Seconds detail::molded_time(const Workload& workload, const Piece& piece, const Host& host, HostId id,
                            std::int32_t architecture, bool declared) {
  const Work& work = workload[piece.work];
  double amount = declared ? work.estimate : work.amount;
  if (const Sizes* sizes = workload.sizes_of(piece.work); sizes != nullptr) {
    const std::size_t place = sizes->place_of(piece.mold);
    if (place == sizes->allowed.size()) return kNever;
    const std::vector<double>& amounts = declared ? sizes->estimates : sizes->amounts;
    if (!amounts.empty()) amount = amounts[place];
  }
  const std::uint32_t row = declared && work.estimates != kNone ? work.estimates : work.times;
  return unit_time(workload, work, amount, row, host, id, architecture);
}

double Workload::size_of(WorkId id) const {
  const Work& work = works[id.index];
  return work.kind == WorkKind::sweep || work.kind == WorkKind::load ? extras[work.extra].size : 1;
}

const KeptField& Workload::kept_field(std::string_view name) const {
  static const KeptField kNothing;
  const auto found = kept.find(name);
  return found == kept.end() ? kNothing : found->second;
}

std::string Workload::name_of(WorkId id) const {
  if (id.index < names.size() && !names[id.index].empty()) return names[id.index];
  if (!works.has(id.index)) return fmt::format("work {}", id.index + 1);  // forgotten
  return fmt::format("{} {}", model::name_of(works[id.index].kind), id.index + 1);
}

void Workload::check_architecture(std::int32_t architecture, std::string_view host,
                                  const SourceLocation& where) const {
  if (architectures == 0 || architecture < static_cast<std::int32_t>(architectures)) return;
  fail_at(where, "out_of_range",
          "host '{}': architecture must be below {}, for which there are run times, got {}", host,
          architectures, architecture);
}

}  // namespace perigee::model

#include "runtime/model/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <ranges>

#include "runtime/kernel/quantity.h"

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

namespace {

// Checks each work by itself.
class WorkCheck {
 public:
  WorkCheck(const Workload& workload, const Platform& platform, std::size_t architectures, WorkId id)
      : workload_(workload),
        work_(workload[id]),
        id_(id),
        platform_(platform),
        hosts_(platform.hosts().size()),
        architectures_(architectures) {}

  void run() const {
    at_least_0("arrival", work_.arrival);
    at_least_0("deadline", work_.deadline, true);
    if (std::isnan(work_.priority)) bad("priority", "a number", work_.priority);
    if (work_.cores < 1) bad("cores", ">= 1", work_.cores);
    if (work_.kind != WorkKind::reservation) times();
    quality();
    if (work_.extra != kNone)
      extra(workload_.extras[work_.extra]);
    else if (work_.kind == WorkKind::sweep || work_.kind == WorkKind::load ||
             work_.kind == WorkKind::reservation)
      fail("bad_work", "{}: its size is missing", name());
  }

 private:
  std::string name() const { return workload_.name_of(id_); }
  [[noreturn]] void bad(std::string_view field, std::string_view allowed, double got) const {
    fail("bad_work", "{}: {} must be {}, got {}", name(), field, allowed, got);
  }
  void at_least_0(std::string_view field, double value, bool infinite = false) const {
    if (!(value >= 0) || (!infinite && !(value < kNever)))
      bad(field, infinite ? ">= 0" : "finite and >= 0", value);
  }

  void times() const {
    if (work_.form != TimeForm::by_host && work_.form != TimeForm::by_architecture) {
      at_least_0(work_.form == TimeForm::operations ? "operations" : "time", work_.amount);
      at_least_0("estimate", work_.estimate);
      return;
    }
    if (work_.times == kNone) fail("bad_work", "{}: it has no run times", name());
    row(work_.times, "times");
    row(work_.estimates, "estimates");
  }

  void row(std::uint32_t row, std::string_view field) const {
    if (row == kNone) return;
    const bool by_host = work_.form == TimeForm::by_host;
    const std::size_t columns = by_host ? hosts_ : architectures_;
    if (row + columns > workload_.times.size())
      fail("bad_work", "{}: {} needs {} values, one per {}", name(), field, columns,
           by_host ? "host" : "architecture");
    for (std::size_t c = 0; c < columns; ++c) at_least_0(field, workload_.times[row + c], true);
  }

  void quality() const {
    const std::vector<std::uint32_t>& rows = workload_.qualities;
    if (id_.index >= rows.size() || rows[id_.index] == kNone) return;
    if (rows[id_.index] + hosts_ > workload_.times.size())
      fail("bad_work", "{}: quality needs {} values, one per host", name(), hosts_);
    for (const double quality : workload_.quality_of(id_, hosts_)) at_least_0("quality", quality, true);
  }

  void extra(const WorkExtra& extra) const {
    switch (work_.kind) {
      case WorkKind::sweep:
        return sweep(extra);
      case WorkKind::load:
        return load(extra);
      case WorkKind::reservation:
        return reservation(extra);
      case WorkKind::job:
        if (!(extra.limit > 0)) bad("limit", "> 0", extra.limit);
        submitted_to(extra);
        at_least_0("grace", extra.grace);
        return shape(extra.shape);
      case WorkKind::task:
        return;
    }
  }

  void submitted_to(const WorkExtra& extra) const {
    static const Queues kNoQueues;
    const Queues& known = workload_.queues != nullptr ? *workload_.queues : kNoQueues;
    const auto number = [&](std::string_view of, std::uint32_t given, std::size_t count) {
      if (given != kNone && given >= count) bad(of, fmt::format("below {}", count), given);
    };
    number("queue", extra.queue, known.queues.size());
    number("qos", extra.qos, known.qos.size());
    number("account", extra.account, known.accounts.size());
    if (!std::isfinite(extra.nice)) bad("nice", "finite", extra.nice);
  }

  void shape(const Shape& shape) const {
    if (shape.nodes < 0) bad("nodes", ">= 1, or 0 with processes", shape.nodes);
    if (shape.per_node < 1) bad("per_node", ">= 1", shape.per_node);
    if (shape.only != nullptr && shape.only->size() != hosts_)
      fail("bad_work", "{}: only must tell of {} hosts, got {}", name(), hosts_, shape.only->size());
    if (static_cast<std::int64_t>(work_.cores) * std::max(1, shape.nodes) > Shape::kMost)
      bad("cores x nodes", fmt::format("at most {}", Shape::kMost),
          static_cast<double>(work_.cores) * shape.nodes);
    if (shape.demand != nullptr) demand(*shape.demand);
    if (shape.reservation.valid() && (shape.reservation.index >= workload_.works.size() ||
                                      workload_[shape.reservation].kind != WorkKind::reservation))
      bad("reservation", "the place of a reservation", shape.reservation.index);
    if (shape.sizes != nullptr) sizes(shape, *shape.sizes);
    if (shape.checkpoints) checkpoint(workload_.extras[work_.extra].checkpoint);
  }

  void checkpoint(const Checkpoint& declared) const {
    if (!declared.link.valid()) return;
    if (declared.link.index >= platform_.links().size())
      bad("link", fmt::format("below {}", platform_.links().size()), declared.link.index);
    if (platform_[declared.link].implied)
      fail("bad_work", "{}: no link was declared where its dumps go", name());
    if (!(declared.bytes > 0) || !(declared.bytes < kNever)) bad("bytes", "finite and > 0", declared.bytes);
  }

  void demand(const Demand& demand) const {
    const auto count = [&](std::string_view of, double value) {
      if (!(value >= 0 && value <= kMostOfConsumable && std::floor(value) == value))
        bad(of, "a whole number from 0 to 2^53", value);
    };
    const std::span<const std::string> known = platform_.consumables();
    for (const Demand::OfHost& item : demand.of_hosts) {
      if (item.what >= known.size()) bad("consumable", fmt::format("below {}", known.size()), item.what);
      count(known[item.what], item.each);
      count(known[item.what], item.per_core);
    }
    for (const Demand::OfAll& item : demand.licences) {
      if (item.what >= platform_.licences().size())
        bad("licence", fmt::format("below {}", platform_.licences().size()), item.what);
      count(platform_.licences()[item.what].name, item.count);
    }
  }

  void sizes(const Shape& shape, const Sizes& sizes) const {
    const std::vector<std::int32_t>& all = sizes.allowed;
    if (all.size() < 2) bad("sizes", "two at least", static_cast<double>(all.size()));
    const std::int32_t least = shape.nodes > 0 ? shape.nodes : work_.cores;
    if (all.front() != least) bad("sizes", fmt::format("{} at least", least), all.front());
    if (std::ranges::adjacent_find(all, std::greater_equal<>{}) != all.end())
      fail("bad_work", "{}: its sizes must ascend", name());
    if (shape.nodes > 0 && std::int64_t{work_.cores} * all.back() > Shape::kMost)
      bad("cores x nodes", fmt::format("at most {}", Shape::kMost),
          static_cast<double>(work_.cores) * all.back());
    const bool by_place = work_.form == TimeForm::by_host || work_.form == TimeForm::by_architecture;
    for (const std::vector<double>* times : {&sizes.amounts, &sizes.estimates}) {
      if (times->empty()) continue;
      if (times->size() != all.size() || by_place)
        fail("bad_work", "{}: it needs a time for each of its {} sizes, on any host, got {}", name(),
             all.size(), times->size());
      for (const double time : *times) at_least_0("time of a size", time);
    }
  }

  void sweep(const WorkExtra& extra) const {
    if (!(extra.size >= 1) || std::floor(extra.size) != extra.size || !(extra.size < 9e15))
      bad("runs", "a whole number >= 1", extra.size);
    if (extra.trials < 1) bad("trials", ">= 1", extra.trials);
    if (extra.size * extra.trials > 1e9) bad("runs x trials", "at most 1e9", extra.size * extra.trials);
    at_least_0("bytes", extra.bytes);
    if (extra.weights != kNone)
      for (std::size_t r = 0; r < static_cast<std::size_t>(extra.size); ++r)
        at_least_0("weight", workload_.times[extra.weights + r]);
    if (extra.noise != kNone)
      for (std::size_t i = 0; i < static_cast<std::size_t>(extra.size * extra.trials); ++i)
        at_least_0("noise", workload_.times[extra.noise + i]);
  }

  void load(const WorkExtra& extra) const {
    if (!(extra.size > 0) || !(extra.size < kNever)) bad("size", "finite and > 0", extra.size);
    at_least_0("bytes", extra.bytes);
    at_least_0("bytes_estimate", workload_.declared_bytes(id_));
    if (work_.deadline <= work_.arrival)
      bad("deadline", fmt::format("after its arrival at {}", work_.arrival), work_.deadline);
  }

  void reservation(const WorkExtra& extra) const {
    if (extra.hosts < 1 || static_cast<std::size_t>(extra.hosts) > hosts_)
      bad("hosts", fmt::format("between 1 and {}", hosts_), extra.hosts);
    at_least_0("from", extra.from);
    if (!(extra.to > extra.from) || !(extra.to < kNever))
      bad("to", fmt::format("> {}", extra.from), extra.to);
    if (!(extra.io_ratio >= 0 && extra.io_ratio <= 1)) bad("io_ratio", "between 0 and 1", extra.io_ratio);
  }

  const Workload& workload_;
  const Work& work_;
  const WorkId id_;
  const Platform& platform_;
  const std::size_t hosts_, architectures_;
};

}  // namespace

void Workload::check_works(const Platform& platform, WorkId first) const {
  std::int32_t needed = 0;
  const auto by_architecture = [&](std::size_t w) { return works[w].form == TimeForm::by_architecture; };
  if (std::ranges::any_of(std::views::iota(std::size_t{first.index}, works.size()), by_architecture))
    for (const Host& host : platform.hosts()) needed = std::max(needed, host.architecture + 1);
  for (std::size_t w = first.index; w < works.size(); ++w)
    WorkCheck(*this, platform, static_cast<std::size_t>(needed), WorkId(w)).run();
}

void Workload::check(const Platform& platform) const {
  for (const Host& host : platform.hosts())
    check_architecture(host.architecture, host.name, host.declared_at);
  for (const File& file : files) {
    if (!(file.size >= 0) || !(file.size < kNever))
      fail("bad_work", "file '{}': size must be finite and >= 0 B, got {}", file.name, file.size);
    if (!(file.estimate >= 0) || !(file.estimate < kNever))
      fail("bad_work", "file '{}': estimate must be finite and >= 0 B, got {}", file.name, file.estimate);
  }
  check_works(platform, WorkId(works.first()));
  if (precedence != nullptr) return;  // connect() has looked at who makes what
  std::vector<std::uint32_t> made_by(files.size(), kNone);
  for (std::size_t w = works.first(); w < works.size(); ++w) {
    for (const FileId file : outputs(WorkId(w))) {
      if (made_by[file.index] != kNone)
        fail("bad_work", "file '{}' is an output of both {} and {}", files[file.index].name,
             name_of(WorkId(made_by[file.index])), name_of(WorkId(w)));
      made_by[file.index] = static_cast<std::uint32_t>(w);
    }
  }
  for (std::size_t w = works.first(); w < works.size(); ++w)
    for (const FileId file : inputs(WorkId(w)))
      if (made_by[file.index] != kNone)
        fail("bad_work", "file '{}' is an output of {} and an input of {}; work has no order among itself",
             files[file.index].name, name_of(WorkId(made_by[file.index])), name_of(WorkId(w)));
}

namespace {

// How much a set of hosts has for a job: hosts, or cores.
struct Room {
  std::int64_t hosts = 0, cores = 0;
};

// ", 4 gpu and 2 GB of memory for each core": what a share takes besides cores.
std::string text_of(const Demand& demand, const Platform& platform) {
  std::string text;
  for (const Demand::OfHost& item : demand.of_hosts) {
    const std::string& what = platform.consumables()[item.what];
    const auto amount = [&](double count) {
      return fmt::format("{}{} {}", amount_text(what, count), what == kMemory ? " of" : "", what);
    };
    if (item.each > 0) text += fmt::format(", {}", amount(item.each));
    if (item.per_core > 0) text += fmt::format(", {} for each core", amount(item.per_core));
  }
  return text;
}

// The most that a set of hosts could ever give a job.
struct MostRoom : Room {
  std::int64_t allowed = 0, able = 0;  // hosts that it may use; and those of them that can run it
  std::int64_t short_of_stock = 0;     // hosts that have too little of what it takes besides
};

// Architectures in which a host may come back, as far as the times of the work tell them apart.
std::int32_t architectures_for(const Platform& platform, const Work& work) {
  std::int32_t count = 1;
  if (work.form == TimeForm::by_architecture)
    for (const Host& host : platform.hosts()) count = std::max(count, host.architecture + 1);
  return count;
}

bool can_run(const Workload& workload, const Platform& platform, WorkId work, HostId host,
             std::int32_t architectures) {
  for (std::int32_t a = 0; a < architectures; ++a)
    if (declared_time(workload, {work, 0, 1}, platform[host], host, a) < kNever) return true;
  return false;
}

MostRoom most_room(const Workload& workload, const Platform& platform, WorkId work, const Shape& shape) {
  const Work& declared = workload[work];
  const std::int32_t architectures = architectures_for(platform, declared);
  std::map<std::uint32_t, Room> by_group;
  MostRoom most;
  for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
    const HostId host(h);
    if (!shape.allows(host)) continue;
    ++most.allowed;
    if (!can_run(workload, platform, work, host, architectures)) continue;
    ++most.able;
    const std::int32_t cores = platform[host].cores;
    std::int32_t share =
        shape.nodes > 0 ? declared.cores : std::min(cores, shape.per_node);  // the most of it
    if (cores < share) continue;
    if (shape.demand != nullptr) {
      const std::int32_t within = shape.demand->cores_within(platform.supplies(host), share);
      if (within < share) ++most.short_of_stock;
      if (shape.nodes > 0 && within < share) continue;
      share = within;
    }
    Room& room = by_group[shape.same == Together::cluster          ? platform[host].cluster.index
                          : shape.same == Together::network_switch ? platform.switch_of(host)
                                                                   : 0];
    ++room.hosts;
    room.cores += share;
  }
  for (const auto& [group, room] : by_group) {
    most.hosts = std::max(most.hosts, room.hosts);
    most.cores = std::max(most.cores, room.cores);
  }
  return most;
}

// Whether the first hosts have enough room for a job that any hosts will do for. Most jobs are like that.
bool have_first_hosts_room(const Platform& platform, const Work& work, const Shape& shape) {
  if (shape.only != nullptr || shape.demand != nullptr || shape.same != Together::anywhere ||
      work.form == TimeForm::by_host || work.form == TimeForm::by_architecture)
    return false;
  std::int64_t left = shape.nodes > 0 ? shape.nodes : work.cores;
  for (const Host& host : platform.hosts()) {
    if (shape.nodes > 0)
      left -= host.cores >= work.cores ? 1 : 0;
    else
      left -= std::min(host.cores, shape.per_node);
    if (left <= 0) return true;
  }
  return false;
}

}  // namespace

std::string why_in_no_store(const Workload& workload, const Platform& platform, WorkId work) {
  const Work& declared = workload[work];
  const bool has_files = declared.input_count > 0 || declared.output_count > 0;
  if (!platform.has_store_limit() || !has_files) return {};
  std::vector<FileId> files;
  for (const auto of_work : {workload.inputs(work), workload.outputs(work)})
    files.insert(files.end(), of_work.begin(), of_work.end());
  std::ranges::sort(files);
  files.erase(std::ranges::unique(files).begin(), files.end());
  double bytes = 0;
  for (const FileId file : files) bytes += std::ceil(workload.files[file.index].size);
  const Shape* shape = workload.shape_of(work);
  const std::int32_t architectures = architectures_for(platform, declared);
  double most = -1;  // of the hosts that can run it
  for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
    const Host& host = platform.hosts()[h];
    if (shape != nullptr ? !shape->allows(HostId(h)) : host.cores < declared.cores) continue;
    if (!can_run(workload, platform, work, HostId(h), architectures)) continue;
    most = std::max(most, platform[host.cluster].store);
    if (bytes <= most) return {};
  }
  if (most < 0) return {};  // which is not for want of room
  return fmt::format("its files have {}, the largest store of a host that can run it has room for {}",
                     format_quantity(bytes, Dimension::bytes), format_quantity(most, Dimension::bytes));
}

std::string why_never(const Workload& workload, const Platform& platform, WorkId work) {
  static const Shape kOneHost;
  const Work& declared = workload[work];
  const Shape* given = workload.shape_of(work);
  const Shape& shape = given != nullptr ? *given : kOneHost;
  if (std::string in_none = why_in_no_store(workload, platform, work); !in_none.empty()) return in_none;
  if (shape.demand != nullptr)
    for (const Demand::OfAll& item : shape.demand->licences)
      if (const Licence& licence = platform.licences()[item.what]; item.count > licence.count)
        return fmt::format("it takes {} of licence '{}', there {} {}", format_number(item.count),
                           licence.name, licence.count == 1 ? "is" : "are", format_number(licence.count));
  if (shape.reservation.valid())
    if (const std::int32_t hosts = workload.extras[workload[shape.reservation].extra].hosts;
        hosts < shape.nodes)
      return fmt::format("it takes {} hosts, {} has {}", shape.nodes, workload.name_of(shape.reservation),
                         hosts);
  if (have_first_hosts_room(platform, declared, shape)) return {};
  const MostRoom most = most_room(workload, platform, work, shape);
  if (most.allowed == 0) return "it may use none of the hosts";
  if (most.able == 0) return "none of the hosts that it may use can run it";
  const std::string_view at_least = shape.sizes != nullptr ? "at least " : "";
  const std::string where = shape.same == Together::cluster          ? " of one cluster"
                            : shape.same == Together::network_switch ? " of one switch"
                                                                     : "";
  const std::string stock = most.short_of_stock > 0 ? text_of(*shape.demand, platform) : "";
  if (shape.nodes > 0 && most.hosts < shape.nodes)
    return fmt::format("it takes {}{} host{}{} with {} core{}{}, there {} {}", at_least, shape.nodes,
                       shape.nodes == 1 ? "" : "s", where, declared.cores, declared.cores == 1 ? "" : "s",
                       stock, most.hosts == 1 ? "is" : "are", most.hosts);
  if (shape.nodes == 0 && most.cores < declared.cores)
    return fmt::format(
        "it takes {}{} cores{}{}{}, there are {}", at_least, declared.cores, where, stock,
        shape.per_node < Shape::kMost ? fmt::format(", at most {} of a host", shape.per_node) : "",
        most.cores);
  return {};
}

std::span<const std::int32_t> possible_sizes(const Workload& workload, const Platform& platform,
                                             WorkId work) {
  const Sizes* sizes = workload.sizes_of(work);
  if (sizes == nullptr) return {};
  const Shape& shape = *workload.shape_of(work);
  const MostRoom room = most_room(workload, platform, work, shape);
  std::int64_t most = shape.nodes > 0 ? room.hosts : room.cores;
  if (shape.reservation.valid() && shape.nodes > 0)
    most = std::min<std::int64_t>(most, workload.extras[workload[shape.reservation].extra].hosts);
  if (const Queue* queue = workload.queue_of(work); queue != nullptr) {
    const std::int64_t cores = std::min(queue->max_cores, queue->max_cores_user);
    most = std::min(most, shape.nodes > 0 ? std::min(queue->max_nodes, cores / workload[work].cores) : cores);
  }
  const auto end = std::ranges::upper_bound(sizes->allowed, most);
  return std::span(sizes->allowed).first(static_cast<std::size_t>(end - sizes->allowed.begin()));
}

}  // namespace perigee::model

// Checks that a workload declares nothing that the platform lacks.
#include "runtime/model/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>

namespace perigee::model {
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

}  // namespace perigee::model

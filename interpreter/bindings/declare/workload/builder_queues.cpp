// Queues, qualities of service and accounts of the works of a run.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/workload/builder.h"
#include "runtime/model/queues.h"

namespace perigee::bindings {

namespace {

// The place of the name in the list, which ends where it is not there.
template <class List>
std::size_t place_of(const List& list, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(list, name, [](const auto& each) { return each.name; }) -
                                  list.begin());
}
template <class List>
std::uint32_t number_of(const List& list, const std::string& name, std::string_view kind,
                        const std::string& who, const SourceLocation& where) {
  const std::size_t place = place_of(list, name);
  if (place < list.size()) return static_cast<std::uint32_t>(place);
  std::vector<std::string> names;
  for (const auto& each : list) names.push_back(each.name);
  fail_at(where, "unknown_queue", "{}: the scenario has no {} '{}'{}", who, kind, name,
          names.empty() ? "; it declares none" : did_you_mean(name, names));
}

}  // namespace

std::uint32_t WorkloadBuilder::account(const std::string& name) {
  static const model::Queues kNoQueues;
  const model::Queues& known = out_.queues != nullptr ? *out_.queues : kNoQueues;
  const auto found = std::ranges::find(known.accounts, name);
  const auto number = static_cast<std::uint32_t>(found - known.accounts.begin());
  if (found != known.accounts.end()) return number;
  auto more = std::make_shared<model::Queues>(known);
  more->accounts.push_back(name);
  out_.queues = std::move(more);
  return number;
}

void WorkloadBuilder::submit(const WorkRecord& record, WorkExtra& extra) {
  const SubmissionRecord& given = record.submission;
  static const model::Queues kNoQueues;
  const model::Queues& known = out_.queues != nullptr ? *out_.queues : kNoQueues;
  const auto who = [&] { return name(record, out_.works.size()); };
  if (!given.queue.empty())
    extra.queue = number_of(known.queues, given.queue, "queue", who(), record.declared_at);
  if (!given.qos.empty()) extra.qos = number_of(known.qos, given.qos, "qos", who(), record.declared_at);
  if (!given.account.empty()) extra.account = account(given.account);
  extra.nice = given.nice;
  if (extra.queue != kNone && extra.limit == kNever && !record.estimate)
    if (const Seconds time = out_.queues->queues[extra.queue].default_time; time < kNever) {
      extra.limit = time;
      extra.limit_is_estimate = true;
    }
  obey_queue(extra);
}

void WorkloadBuilder::obey_queue(WorkExtra& extra) {
  if (extra.qos != kNone && out_.queues->qos[extra.qos].bounds_running()) extra.shape.takes_turns = true;
  if (extra.queue == kNone) return;
  const model::Queue& queue = out_.queues->queues[extra.queue];
  if (queue.bounds_running()) extra.shape.takes_turns = true;
  if (queue.hosts == nullptr) return;
  if (extra.shape.only == nullptr) {
    extra.shape.only = queue.hosts;
    return;
  }
  Flags& both = both_[{queue.hosts, extra.shape.only}];
  if (both == nullptr) {
    auto flags = std::make_shared<std::vector<std::uint8_t>>(*queue.hosts);
    for (std::size_t h = 0; h < flags->size(); ++h) (*flags)[h] &= (*extra.shape.only)[h];
    both = std::move(flags);
  }
  extra.shape.only = both;
}

// Takes the queues, qualities of service and accounts of a log. Where the scenario declares queues, the log
// names these.
void WorkloadBuilder::take_labels(const Workload& made, std::vector<WorkExtra>::iterator first) {
  static const model::Queues kNoQueues;
  auto all = std::make_shared<model::Queues>(out_.queues != nullptr ? *out_.queues : kNoQueues);
  const auto numbers = [&](const auto& names, auto& known, std::string_view kind) {
    std::vector<std::uint32_t> list;
    for (const auto& each : names) {
      if (place_of(known, each.name) == known.size() && !all->declared) known.push_back(each);
      list.push_back(number_of(known, each.name, kind, "the log", {}));
    }
    return list;
  };
  const std::vector<std::uint32_t> queues = numbers(made.queues->queues, all->queues, "queue"),
                                   qos = numbers(made.queues->qos, all->qos, "qos");
  out_.queues = std::move(all);
  std::vector<std::uint32_t> accounts;
  for (const std::string& each : made.queues->accounts) accounts.push_back(account(each));
  for (auto extra = first; extra != out_.extras.end(); ++extra) {
    if (extra->queue != kNone) extra->queue = queues[extra->queue];
    if (extra->qos != kNone) extra->qos = qos[extra->qos];
    if (extra->account != kNone) extra->account = accounts[extra->account];
    obey_queue(*extra);
  }
}

}  // namespace perigee::bindings

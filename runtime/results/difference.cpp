#include "runtime/results/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::results {
namespace {

// Everything in a record that does not depend on the order of decisions.
auto key(const Record& r) {
  return std::tuple(r.time, r.kind, r.what, r.work, r.on.packed(), r.file, r.first, r.size, r.why, r.copy,
                    r.cores);
}
bool same(const Record& a, const Record& b) { return key(a) == key(b); }

// Reads the records of a trace, one instant at a time, without notes.
class Reader {
 public:
  Reader(const Trace& trace, std::size_t from) : trace_(trace), at_(from) { skip(); }

  Time next() const { return at_ < trace_.size() ? trace_[at_].time : kNever; }
  // Takes all records of the next instant.
  std::vector<Record> take() {
    std::vector<Record> all;
    for (const Time time = next(); at_ < trace_.size() && trace_[at_].time == time; ++at_, skip())
      all.push_back(trace_[at_]);
    return all;
  }
  Record front() const { return trace_[at_]; }
  void pop() {
    ++at_;
    skip();
  }

 private:
  void skip() {
    while (at_ < trace_.size() && trace_[at_].kind == RecordKind::note) ++at_;
  }

  const Trace& trace_;
  std::size_t at_;
};

// The number of records at the beginning that are the very same, in memory that the traces share.
std::size_t shared(const Trace& a, const Trace& b) {
  std::size_t low = 0, high = std::min(a.size(), b.size());
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (a.shares(b, middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The records of `these` that are not in `those`, in the order of `these`.
std::vector<Record> without(const std::vector<Record>& these, const std::vector<Record>& those) {
  const auto less = [](const Record& a, const Record& b) { return key(a) < key(b); };
  std::vector<Record> sorted = those;
  std::ranges::sort(sorted, less);
  std::vector<std::uint8_t> used(sorted.size(), 0);
  std::vector<Record> left;
  for (const Record& record : these) {
    auto at = static_cast<std::size_t>(std::ranges::lower_bound(sorted, record, less) - sorted.begin());
    while (at < sorted.size() && used[at] != 0 && same(sorted[at], record)) ++at;
    if (at < sorted.size() && same(sorted[at], record))
      used[at] = 1;
    else
      left.push_back(record);
  }
  return left;
}

// The time until which a run can be compared. A run that is over has no limit; otherwise more can come after
// its end.
Time known_until(const Outcome& outcome) {
  return outcome.status == RunStatus::complete || outcome.status == RunStatus::incomplete ? kNever
                                                                                          : outcome.end;
}

std::string happening_text(const Happening& happening, const Platform& platform) {
  constexpr std::array<std::string_view, 7> kNames = {"mark",  "down",    "up", "leaves",
                                                      "joins", "changes", "?"};
  const auto kind = std::min<std::size_t>(static_cast<std::size_t>(happening.kind), kNames.size() - 1);
  return fmt::format("{}{} at t = {} s",
                     happening.on.valid() ? platform.name_of(happening.on) + " " : std::string(),
                     kNames[kind], format_number(happening.at));
}

}  // namespace

bool alike(const Platform& first, const Platform& second) {
  if (&first == &second) return true;
  const auto names = [](auto a, auto b) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.name == y.name; });
  };
  return names(first.hosts(), second.hosts()) && names(first.clusters(), second.clusters()) &&
         names(first.links(), second.links());
}

std::optional<Difference> first_difference(const Outcome& first, const Outcome& second) {
  for (const Outcome* each : {&first, &second})
    if (each->trace.level() != TraceLevel::full)
      fail("no_trace", "{} has kept no full trace; run it with trace = \"full\"", each->policy);
  if (!alike(*first.scenario->platform, *second.scenario->platform)) return std::nullopt;
  const Time until = std::min(known_until(first), known_until(second));
  const std::size_t from = shared(first.trace, second.trace);
  Reader a(first.trace, from), b(second.trace, from);
  for (;;) {
    while (a.next() < kNever && b.next() < kNever && same(a.front(), b.front())) {
      a.pop();
      b.pop();
    }
    const Time time = std::min(a.next(), b.next());
    if (time == kNever || time > until) return std::nullopt;
    // Earlier records of this instant were the same one by one, or are among the rest in another order.
    const std::vector<Record> in_a = a.next() == time ? a.take() : std::vector<Record>();
    const std::vector<Record> in_b = b.next() == time ? b.take() : std::vector<Record>();
    const std::vector<Record> only_a = without(in_a, in_b), only_b = without(in_b, in_a);
    if (only_a.empty() && only_b.empty()) continue;
    Difference difference{time, {}, {}};
    if (!only_a.empty()) difference.first = only_a.front();
    if (!only_b.empty()) {
      const auto about = std::ranges::find_if(only_b, [&](const Record& record) {
        return !only_a.empty() && record.work.valid() && record.work == only_a.front().work;
      });
      difference.second = about == only_b.end() ? only_b.front() : *about;
    }
    return difference;
  }
}

namespace {

// Adds a line on the first happening that differs, if any. Both platforms are alike.
void compare_happenings(const std::vector<Happening>& x, const std::vector<Happening>& y, const Scenario& a,
                        const Scenario& b, std::string_view what, std::vector<std::string>& lines) {
  const auto same_number = [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); };
  const auto same_profile = [&](std::uint32_t p, std::uint32_t q) {
    return p == kNone || q == kNone ? p == q : a.profiles.at(p) == b.profiles.at(q);
  };
  const auto equal = [&](const Happening& p, const Happening& q) {
    return p.at == q.at && p.kind == q.kind && p.on == q.on && p.announced == q.announced &&
           p.cluster == q.cluster && p.architecture == q.architecture && p.name == q.name &&
           same_number(p.factor, q.factor) && same_profile(p.profile, q.profile) &&
           same_profile(p.latency, q.latency);
  };
  const auto [p, q] = std::ranges::mismatch(x, y, equal);
  if (p == x.end() && q == y.end()) return;
  lines.push_back(fmt::format("{}: {} against {}", what,
                              p == x.end() ? "nothing more" : happening_text(*p, *a.platform),
                              q == y.end() ? "nothing more" : happening_text(*q, *b.platform)));
}

// The differences in platform, events and the first so many works.
std::vector<std::string> different_scenarios(const Scenario& a, const Scenario& b, std::size_t works_of_a,
                                             std::size_t works_of_b) {
  std::vector<std::string> lines;
  const Platform &on_a = *a.platform, &on_b = *b.platform;
  if (&on_a != &on_b) {
    if (!alike(on_a, on_b)) {
      lines.push_back(fmt::format("platform: {} hosts against {}, or other names", on_a.hosts().size(),
                                  on_b.hosts().size()));
    } else {
      for (std::size_t h = 0; h < on_a.hosts().size(); ++h) {
        const Host &x = on_a.hosts()[h], &y = on_b.hosts()[h];
        if (x.speed == y.speed && x.cores == y.cores) continue;
        lines.push_back(fmt::format("platform: {} has {} cores of {} op/s against {} of {} op/s", x.name,
                                    x.cores, format_number(x.speed), y.cores, format_number(y.speed)));
        break;
      }
    }
  }
  const Workload &of_a = *a.workload, &of_b = *b.workload;
  if (&of_a != &of_b) {
    if (works_of_a != works_of_b)
      lines.push_back(fmt::format("workload: {} works against {}", works_of_a, works_of_b));
    for (std::size_t w = std::max(of_a.works.first(), of_b.works.first());
         w < std::min(works_of_a, works_of_b); ++w) {
      const Work &x = of_a.works[w], &y = of_b.works[w];
      if (x.arrival == y.arrival && x.amount == y.amount && x.cores == y.cores && x.kind == y.kind) continue;
      lines.push_back(fmt::format("workload: {} arrives at {} s with {} against {} s with {}",
                                  of_a.name_of(WorkId(w)), format_number(x.arrival), format_number(x.amount),
                                  format_number(y.arrival), format_number(y.amount)));
      break;
    }
  }
  if (&a != &b && alike(on_a, on_b)) compare_happenings(a.happenings, b.happenings, a, b, "events", lines);
  return lines;
}

}  // namespace

bool same_scenario(const Outcome& first, const Outcome& second) {
  // The times tell of differences by host, weight and noise, of which the lines do not. Times of work that
  // was submitted on the way come last.
  const std::vector<double>&x = first.scenario->workload->times, &y = second.scenario->workload->times;
  const auto common = static_cast<std::ptrdiff_t>(std::min(x.size(), y.size()));
  return different_scenarios(*first.scenario, *second.scenario, first.declared, second.declared).empty() &&
         std::equal(x.begin(), x.begin() + common, y.begin());
}

std::vector<std::string> different_settings(const Outcome& first, const Outcome& second) {
  std::vector<std::string> lines;
  if (first.policy != second.policy)
    lines.push_back(fmt::format("policy: {} against {}", first.policy, second.policy));
  if (first.seed != second.seed) lines.push_back(fmt::format("seed: {} against {}", first.seed, second.seed));
  const Scenario &a = *first.scenario, &b = *second.scenario;
  for (std::string& line : different_scenarios(a, b, a.workload->size(), b.workload->size()))
    lines.push_back(std::move(line));
  if (alike(*a.platform, *b.platform))
    compare_happenings(first.injected, second.injected, a, b, "interventions", lines);
  if (const auto [p, q] = std::ranges::mismatch(first.takeovers, second.takeovers);
      p != first.takeovers.end() || q != second.takeovers.end()) {
    const auto text_of_takeover = [](auto at, const Outcome& outcome) {
      return at == outcome.takeovers.end()
                 ? std::string("nothing more")
                 : fmt::format("{} from t = {} s", at->policy, format_number(at->at));
    };
    lines.push_back(
        fmt::format("set_policy: {} against {}", text_of_takeover(p, first), text_of_takeover(q, second)));
  }
  return lines;
}

std::string text_of(const Record& record, const Platform& platform, const Workload& workload) {
  const std::string on = record.on.valid() && record.on.kind() != ResourceKind::scheduler
                             ? platform.name_of(record.on)
                             : std::string();
  const std::string why =
      record.why == Reason::none ? std::string() : fmt::format(" ({})", schedulers::name_of(record.why));
  if (tells_of_work(record.kind))
    return fmt::format("{} {}{}", workload.name_of(record.work),
                       record.kind == RecordKind::missed ? "missed its deadline" : name_of(record.kind), why);
  if (record.kind <= RecordKind::superseded || record.kind == RecordKind::suspended ||
      record.kind == RecordKind::resumed) {
    std::string what;
    if (record.file.valid())
      what = fmt::format("file '{}'{}", workload.files[record.file.index].name,
                         record.what == ActivityKind::transfer_out ? " (home)" : "");
    else if (record.work.valid())
      what = workload.name_of(record.work);
    else
      what = fmt::format("a {}", name_of(record.what));
    if (record.copy != 0) what = "a copy of " + what;
    if (record.work.valid() && workload[record.work].extra != kNone && record.what == ActivityKind::compute)
      what +=
          fmt::format(" [{}, {})", format_number(record.first), format_number(record.first + record.size));
    return fmt::format("{} {}{}{}", what, name_of(record.kind), on.empty() ? "" : " on " + on, why);
  }
  if (record.kind == RecordKind::discarded)
    return fmt::format("file '{}' discarded in {}", workload.files[record.file.index].name, on);
  return fmt::format("{} {}{}", on, name_of(record.kind), why);
}

std::string text_of(const std::optional<Difference>& difference, const Outcome& first,
                    const Outcome& second) {
  std::string text;
  if (difference) {
    const auto side = [](const std::optional<Record>& record, const Outcome& outcome) {
      return record ? text_of(*record, *outcome.scenario->platform, *outcome.scenario->workload)
                    : std::string("nothing of that");
    };
    text = fmt::format("they part at t = {} s\n  first:  {}\n  second: {}\n", format_number(difference->time),
                       side(difference->first, first), side(difference->second, second));
  } else if (!alike(*first.scenario->platform, *second.scenario->platform)) {
    text = "their platforms differ, so that what happened cannot be compared\n";
  } else {
    const Time until = std::min(known_until(first), known_until(second));
    text = until < kNever ? fmt::format("the same happened in both until t = {} s\n", format_number(until))
                          : "the same happened in both\n";
  }
  for (const std::string& line : different_settings(first, second)) text += line + "\n";
  return text;
}

}  // namespace perigee::results

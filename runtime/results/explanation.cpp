#include "runtime/results/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/name_ranges.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::results {
namespace {

using Kind = Decision::Kind;

// The score's name before its unit, and the unit with a blank before it: "completion, s from now".
std::string_view name_in(const std::string& score) {
  return std::string_view(score).substr(0, score.find(", "));
}
std::string unit_in(const std::string& score) {
  const std::size_t comma = score.find(", ");
  return comma == std::string::npos ? "" : " " + score.substr(comma + 2);
}
std::string value_text(const std::string& score, double value) {
  return std::isfinite(value) ? format_number(value) + unit_in(score) : "never";
}

std::string_view better_word(Prefer better) { return better == Prefer::smallest ? "smallest" : "largest"; }

// The first of the best open candidates, or with `any` of all candidates; null if they are not compared.
const Comparison::Candidate* best_of(const Comparison& comparison, bool any = false) {
  const Comparison::Candidate* best = nullptr;
  if (comparison.better == Prefer::neither) return best;
  for (const Comparison::Candidate& each : comparison.candidates) {
    if (!(each.open || any) || std::isnan(each.score)) continue;
    if (best == nullptr ||
        (comparison.better == Prefer::smallest ? each.score < best->score : each.score > best->score))
      best = &each;
  }
  return best;
}

std::string name_of_candidate(std::uint32_t index, bool of_hosts, const Platform& platform,
                              const Workload& workload) {
  return of_hosts ? platform[HostId(index)].name : workload.name_of(WorkId(index));
}

// The candidates shown, in their order: the chosen one, and then the best open ones.
std::vector<std::size_t> shown_candidates(const Comparison& comparison, std::uint32_t chosen,
                                          std::size_t most) {
  std::vector<std::size_t> places(comparison.candidates.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  if (places.size() <= most) return places;
  const auto rank = [&](std::size_t i) {
    const Comparison::Candidate& each = comparison.candidates[i];
    const bool scored = each.open && !std::isnan(each.score) && comparison.better != Prefer::neither;
    const double value = comparison.better == Prefer::largest ? -each.score : each.score;
    return std::tuple(each.index != chosen, !each.open, scored ? value : 0.0, i);
  };
  std::ranges::sort(places, {}, rank);
  places.resize(most);
  std::ranges::sort(places);
  return places;
}

template <class IsChosen>
std::string table_of_candidates(const Comparison& comparison, std::uint32_t chosen, IsChosen is_chosen,
                                bool of_hosts, std::size_t most, const Platform& platform,
                                const Workload& workload) {
  const std::vector<std::size_t> places = shown_candidates(comparison, chosen, most);
  Table table;
  table.columns.emplace_back(of_hosts ? "host" : "work");
  bool scores = false, notes = false;
  for (const std::size_t i : places) {
    scores = scores || !std::isnan(comparison.candidates[i].score);
    notes = notes || !comparison.candidates[i].note.empty();
  }
  if (scores) table.columns.push_back(comparison.score);
  if (notes) table.columns.emplace_back("");
  if (table.columns.size() == 1) table.columns.emplace_back("");
  std::vector<bool> marked;
  for (const std::size_t i : places) {
    const Comparison::Candidate& each = comparison.candidates[i];
    std::vector<Cell> row{name_of_candidate(each.index, of_hosts, platform, workload)};
    row.resize(table.columns.size());
    if (scores && !std::isnan(each.score)) row[1] = each.score;
    if (notes) row[scores ? 2 : 1] = each.note;
    marked.resize(marked.size() + row.size());
    if (is_chosen(each.index)) {
      if (scores && !std::isnan(each.score))
        marked[marked.size() - row.size() + 1] = true;
      else
        row[0] = std::get<std::string>(row[0]) + " *";
    }
    table.rows.push_back(std::move(row));
  }
  std::string text = table.text(marked);
  if (places.size() < comparison.candidates.size())
    text += fmt::format("... and {} more\n", comparison.candidates.size() - places.size());
  return text;
}

std::string first_line(const Decision& decision, const Platform& platform, const Workload& workload) {
  const std::string name = workload.name_of(decision.work);
  std::vector<std::string> hosts;
  if (decision.host.valid()) hosts.push_back(platform[decision.host].name);
  for (const HostId other : decision.also_on) hosts.push_back(platform[other].name);
  const std::string host = name_ranges(hosts, ", ");
  const std::string when = fmt::format("at t = {} s", format_number(decision.time));
  const std::string began =
      decision.started < kNever && decision.started != decision.time
          ? fmt::format(", where it started at t = {} s", format_number(decision.started))
          : "";
  switch (decision.kind) {
    case Kind::none:
      return fmt::format("{} arrives {}", name, when);
    case Kind::waits:
      return fmt::format("{} waits {}, under {}", name, when, decision.policy);
    case Kind::planned:
      return fmt::format("{} was planned on {} {} by {}", name, host, when, decision.policy);
    case Kind::posted:
      return fmt::format("{} was posted on {} {} by {}{}", name, host, when, decision.policy, began);
    case Kind::started:
      return began.empty()
                 ? fmt::format("{} was started on {} {} by {}", name, host, when, decision.policy)
                 : fmt::format("{} was planned on {} {} by {}{}", name, host, when, decision.policy, began);
    case Kind::rejected:
    case Kind::expired:
      return fmt::format("{} was {} {} by {}, for the reason '{}'", name, name_of(decision.kind), when,
                         decision.policy, schedulers::name_of(decision.reason));
  }
  return name;
}

}  // namespace

std::string hosts_text(const Decision& decision, const Platform& platform, std::string_view separator) {
  if (!decision.host.valid()) return {};
  std::string text = platform[decision.host].name;
  for (const HostId other : decision.also_on) text.append(separator).append(platform[other].name);
  return text;
}

Table candidates(const Comparison& comparison, bool of_hosts, const Platform& platform,
                 const Workload& workload) {
  Table table{{of_hosts ? "host" : "work", "score", "open", "note"}, {}};
  for (const Comparison::Candidate& each : comparison.candidates) {
    std::vector<Cell>& row = table.rows.emplace_back(4);
    row[0] = name_of_candidate(each.index, of_hosts, platform, workload);
    if (!std::isnan(each.score)) row[1] = each.score;
    row[2] = each.open;
    if (!each.note.empty()) row[3] = each.note;
  }
  return table;
}

std::string what_decided(const Comparison& comparison, std::uint32_t chosen, bool of_hosts,
                         const Platform& platform, const Workload& workload) {
  const Comparison::Candidate* taken = comparison.find(chosen);
  if (taken == nullptr || std::isnan(taken->score) || comparison.better == Prefer::neither) return {};
  std::string text = fmt::format("the {} {}", better_word(comparison.better), name_in(comparison.score));
  const bool others_were_better =
      std::ranges::any_of(comparison.candidates, [&](const Comparison::Candidate& each) {
        return comparison.better == Prefer::smallest ? each.score < taken->score : each.score > taken->score;
      });
  if (others_were_better) text += " of those that were not ruled out";
  constexpr std::size_t kMost = 3;
  std::vector<std::string> equal;
  for (const Comparison::Candidate& each : comparison.candidates)
    if (each.open && each.index != chosen && each.score == taken->score)
      equal.push_back(name_of_candidate(each.index, of_hosts, platform, workload));
  if (equal.empty()) return text;
  const std::size_t more = equal.size() > kMost ? equal.size() - kMost : 0;
  equal.resize(equal.size() - more);
  text += fmt::format(
      "; {}{} {} the same{}{}", fmt::join(equal, ", "), more > 0 ? fmt::format(" and {} more", more) : "",
      equal.size() + more == 1 ? "has" : "have", comparison.ties.empty() ? "" : ": ", comparison.ties);
  return text;
}

std::string text_of(const Decision& decision, const Platform& platform, const Workload& workload,
                    std::size_t most) {
  std::string text = first_line(decision, platform, workload) + "\n";
  if (decision.kind == Kind::none) return text;
  if (!decision.rule.empty()) text += decision.rule + "\n";
  const auto say = [&](const Comparison& comparison, std::uint32_t chosen, bool of_hosts) {
    if (comparison.candidates.empty()) return;
    const auto is_chosen = [&](std::uint32_t index) {
      return of_hosts ? decision.is_on(HostId(index)) : index == chosen;
    };
    text += "\n" + table_of_candidates(comparison, chosen, is_chosen, of_hosts, most, platform, workload);
    if (of_hosts && !decision.also_on.empty()) return;  // the score of one host has not decided
    if (const std::string decided = what_decided(comparison, chosen, of_hosts, platform, workload);
        !decided.empty())
      text += fmt::format("{}: {}\n", name_of_candidate(chosen, of_hosts, platform, workload), decided);
  };
  const bool waits = decision.kind == Kind::waits;
  say(decision.works, waits ? kNone : decision.work.index, false);
  say(decision.hosts, decision.host.index, true);
  if (!decision.notes.empty()) text += "\n";
  for (const std::string& note : decision.notes) text += note + "\n";
  return text;
}

std::string why_not(const Decision& decision, HostId host, const Platform& platform,
                    const Workload& workload) {
  const std::string& name = platform[host].name;
  const std::string work = workload.name_of(decision.work);
  if (decision.kind == Kind::none)
    return fmt::format("{} arrives at t = {} s", work, format_number(decision.time));
  if (decision.is_on(host)) return fmt::format("{} is where {} is or was", name, work);
  const std::string when = fmt::format("at t = {} s", format_number(decision.time));
  const Comparison::Candidate* other = decision.hosts.find(host.index);
  const Comparison::Candidate* taken =
      decision.host.valid() ? decision.hosts.find(decision.host.index) : nullptr;
  if (other == nullptr) return fmt::format("{} was not considered {}", name, when);
  const std::string& score = decision.hosts.score;
  const std::string note = other->note.empty() ? "" : fmt::format(" ({})", other->note);
  if (!other->open) return fmt::format("{} {}: {}", name, when, other->note);
  if (taken == nullptr) {  // it waits although that host could take it
    if (decision.kind == Kind::waits && !other->note.empty())
      return fmt::format("{} {}: {}", name, when, other->note);
    if (const Comparison::Candidate* first = best_of(decision.works, true);
        decision.kind == Kind::waits && first != nullptr && first->index != decision.work.index)
      return fmt::format("{} waits {}: {} is before it{}", work, when, workload.name_of(WorkId(first->index)),
                         decision.rule.empty() ? "" : "; " + decision.rule);
    const Comparison::Candidate* best = best_of(decision.hosts);
    if (decision.kind == Kind::waits && best != nullptr && best != other && !std::isnan(other->score))
      return fmt::format("{} waits {}: {} {} on {}, {} on {}{}; the {} wins", work, when, name_in(score),
                         value_text(score, other->score), name, value_text(score, best->score),
                         platform[HostId(best->index)].name, note, better_word(decision.hosts.better));
    if (decision.kind == Kind::waits)
      return fmt::format("{} could take {} {}{}; {}", name, work, when, note,
                         decision.rule.empty() ? "its policy does not say why it waits" : decision.rule);
    return fmt::format("{} was {} {}", work, name_of(decision.kind), when);
  }
  if (std::isnan(other->score) || std::isnan(taken->score))
    return fmt::format("{} could take it {}{}; {} was chosen{}", name, when, note,
                       platform[decision.host].name, decision.rule.empty() ? "" : ": " + decision.rule);
  std::string text = fmt::format("{} {}: {} {} on {}, {} on {}{}", work, when, name_in(score),
                                 value_text(score, other->score), name, value_text(score, taken->score),
                                 platform[decision.host].name, note);
  if (decision.hosts.better == Prefer::neither) return text;
  if (other->score == taken->score)
    return text +
           (decision.hosts.ties.empty() ? "" : fmt::format("; between equals: {}", decision.hosts.ties));
  return text + fmt::format("; the {} wins", better_word(decision.hosts.better));
}

}  // namespace perigee::results

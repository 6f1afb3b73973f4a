#include "runtime/results/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/name_ranges.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::results {
namespace {

std::vector<std::string> names_of(const std::vector<HostId>& hosts, const Platform& platform) {
  std::vector<std::string> names;
  for (const HostId host : hosts) names.push_back(platform[host].name);
  return names;
}

}  // namespace

Simulation to_quote(const Simulation& now, std::shared_ptr<const Workload> workload) {
  Simulation asked = now;
  asked.forget_future();
  asked.submit(std::move(workload));
  return asked;
}

bool is_open(const Simulation& asked, std::size_t first) {
  if (asked.over()) return false;
  const Sliding<WorkView>& works = asked.view().works();
  for (std::size_t w = first; w < works.size(); ++w)
    if (works[w].state < WorkState::finished) return true;
  return false;
}

std::vector<Quote> quotes(const Simulation& asked, std::size_t first) {
  Outcome outcome = asked.outcome();
  Trace own(TraceLevel::full);  // of the others it begins in the middle
  for (std::size_t i = 0; i < outcome.trace.size(); ++i)
    if (const Record& record = outcome.trace[i]; record.work.valid() && record.work.index >= first)
      own.add(record);
  outcome.trace = std::move(own);
  std::vector<JobRow> rows = job_rows(outcome, executions_if_kept(outcome));
  std::vector<Quote> all;
  for (JobRow& row : rows) {
    if (row.id.index < first) continue;
    Quote& quote = all.emplace_back();
    quote.job = std::move(row);
    quote.admitted = quote.job.state != WorkState::rejected;
    if (quote.job.state < WorkState::finished) quote.waiting = outcome.waiting;
  }
  for (std::size_t i = 0; i < outcome.trace.size(); ++i)
    if (const Record& record = outcome.trace[i]; record.kind == RecordKind::rejected) {
      all[record.work.index - first].reason = record.why;
      if (record.why == Reason::infeasible && outcome.scenario->workload->shape_of(record.work) != nullptr)
        all[record.work.index - first].why_never =
            model::why_never(*outcome.scenario->workload, *outcome.scenario->platform, record.work);
    }
  return all;
}

std::string text_of(const Quote& quote, const Platform& platform) {
  const JobRow& job = quote.job;
  if (!quote.admitted) {
    const std::string_view why = schedulers::meaning_of(quote.reason);
    return fmt::format("{} would be rejected ({}){}{}{}{}", job.name, schedulers::name_of(quote.reason),
                       why.empty() ? "" : ": ", why, quote.why_never.empty() ? "" : "; ", quote.why_never);
  }
  std::string text = fmt::format("{} would be admitted", job.name);
  if (job.state == WorkState::expired) return text + ", and given up later";
  if (job.state == WorkState::killed)
    return text + fmt::format(", and killed at its limit at {} s", short_number(job.finish));
  if (job.state != WorkState::finished) {
    text += ", and never finish";
    for (const std::string& line : quote.waiting) text += "\n  " + line;
    return text;
  }
  text += fmt::format(": from {} s to {} s on {}", short_number(job.start), short_number(job.finish),
                      name_ranges(names_of(job.hosts, platform), ", "));
  if (job.deadline < kNever)
    text += fmt::format(", {} s {} its deadline", short_number(std::abs(job.deadline - job.finish)),
                        job.missed ? "after" : "before");
  return text;
}

Table table_of(const std::vector<Quote>& quotes, const Platform& platform) {
  Table table{{"name", "admitted", "reason", "start", "finish", "hosts", "deadline", "state"},
              {},
              {"", "", "", "s", "s", "", "s", ""}};
  for (const Quote& quote : quotes) {
    const JobRow& job = quote.job;
    const auto known = [](double value) { return std::isnan(value) ? Cell() : Cell(value); };
    table.rows.push_back(
        {job.name, quote.admitted,
         quote.admitted ? Cell() : Cell(std::string(schedulers::name_of(quote.reason))), known(job.start),
         known(job.finish), fmt::format("{}", fmt::join(names_of(job.hosts, platform), " ")),
         job.deadline < kNever ? Cell(job.deadline) : Cell(), std::string(name_of(job.state))});
  }
  return table;
}

}  // namespace perigee::results

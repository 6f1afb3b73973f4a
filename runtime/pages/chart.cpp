#include "runtime/pages/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <tuple>

#include "runtime/kernel/error.h"
#include "runtime/results/executions.h"
#include "runtime/results/table.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::pages {
namespace {

using results::Away;
using results::Execution;

// Names in order of first use.
class Dictionary {
 public:
  std::uint32_t operator[](std::string_view name) {
    const auto [at, is_new] =
        places_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(printable(name));
    return at->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::uint32_t, std::less<>> places_;
  std::vector<std::string> names_;
};

enum Class { kUser, kState, kKind, kQueue, kPolicy, kClasses };
constexpr std::array<const char*, kClasses> kClassNames = {"user", "state", "kind", "queue", "policy"};

struct Bar {
  std::uint32_t lane = 0, row = 0, rows = 1;
  std::int64_t start = 0, end = 0;  // ticks
  Time from = 0, to = 0;
  WorkId work;
  std::array<std::uint32_t, kClasses> classes{};
  bool hatched = false;
};

void put(std::string& bytes, std::span<const std::uint32_t> values,
         int width) {  // lowest bytes first, each together
  for (int byte = 0; byte < width; ++byte)
    for (const std::uint32_t value : values) bytes += static_cast<char>(value >> (8 * byte) & 0xFFU);
}

std::uint32_t zigzag(std::int64_t difference) {
  const auto narrow = static_cast<std::int32_t>(difference);
  return (static_cast<std::uint32_t>(narrow) << 1U) ^ static_cast<std::uint32_t>(narrow >> 31);
}

class Chart {
 public:
  explicit Chart(const Outcome& outcome)
      : outcome_(outcome),
        platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        runs_(results::spells(results::executions(outcome))) {}

  nlohmann::json json(const std::string& title, const Whys& whys, std::size_t most_bars) {
    add_hosts();
    add_links();
    if (bars_.empty() || runs_.all.empty()) fail("bad_figure", "nothing has run");
    const std::size_t left_out = leave_out(most_bars);
    find_extent();
    place_in_ticks();
    std::ranges::stable_sort(bars_, [](const Bar& a, const Bar& b) {
      return std::tie(a.lane, a.start, a.end, a.row) < std::tie(b.lane, b.start, b.end, b.row);
    });
    number_works();
    nlohmann::json out = {
        {"title", printable(title)}, {"from", from_},        {"to", to_},           {"tick", tick_},
        {"lanes", lanes_},           {"bars", bars_.size()}, {"left_out", left_out}};
    if (left_out > 0)
      out["left_out_text"] =
          fmt::format("The {} shortest of {} bars are not in this page.", left_out, bars_.size() + left_out);
    add_columns(out);
    add_edges(out);
    add_whys(out, whys);
    return out;
  }

 private:
  // ---- bars

  std::string_view state_of(const Execution& run) const {
    switch (run.how) {
      case RecordKind::lost:
        return "lost";
      case RecordKind::cancelled:
        return run.why == Reason::limit ? "killed at its limit" : "cancelled";
      case RecordKind::superseded:
        return "superseded";
      case RecordKind::suspended:
        return "suspended";
      case RecordKind::started:
        return "under way";
      default:
        return "done";
    }
  }

  std::string_view kind_of(const Execution& run) const {
    switch (run.kind) {
      case ActivityKind::transfer_in:
        return "file in";
      case ActivityKind::transfer_out:
        return "file out";
      case ActivityKind::chunk:
        return "receiving";
      case ActivityKind::dump:
        return run.first == 1 ? "restart" : "dump";
      default:
        if (!run.work.valid()) return "held";
        return run.copy ? "copy" : name_of(workload_[run.work].kind);
    }
  }

  std::string_view queue_of(WorkId work) const {
    const Queue* queue = workload_.queue_of(work);
    return queue != nullptr ? std::string_view(queue->name) : "no queue";
  }

  // The policy that decided at that time.
  std::string_view policy_at(Time time) const {
    std::string_view policy = first_policy();
    for (const Takeover& each : outcome_.takeovers)
      if (each.at <= time) policy = each.policy;
    return policy;
  }
  std::string_view first_policy() const { return outcome_.policy; }

  void add(const Execution& run, std::uint32_t lane, std::uint32_t row, std::uint32_t rows) {
    Bar bar;
    bar.lane = lane;
    bar.row = row;
    bar.rows = rows;
    bar.from = run.started;
    bar.to = run.ended;
    bar.work = run.work;
    const std::string_view state = state_of(run);
    bar.hatched = (run.how != RecordKind::ended && run.how != RecordKind::started &&
                   run.how != RecordKind::suspended) ||
                  run.copy || run.kind == ActivityKind::hold;
    bar.classes[kUser] =
        dictionaries_[kUser][run.work.valid() ? results::user_label(workload_, run.work) : "no user"];
    bar.classes[kState] = dictionaries_[kState][state];
    bar.classes[kKind] = dictionaries_[kKind][kind_of(run)];
    bar.classes[kQueue] = dictionaries_[kQueue][run.work.valid() ? queue_of(run.work) : "no queue"];
    bar.classes[kPolicy] = dictionaries_[kPolicy][policy_at(run.started)];
    bars_.push_back(bar);
  }

  void add(const Away& away, std::uint32_t lane, std::uint32_t rows) {
    Bar bar;
    bar.lane = lane;
    bar.rows = rows;
    bar.from = away.from;
    bar.to = away.to;
    bar.hatched = true;
    const std::string_view what = away.why == Reason::reservation   ? "set aside"
                                  : away.why == Reason::maintenance ? "maintenance"
                                                                    : "away";
    for (const Class each : {kState, kKind}) bar.classes[each] = dictionaries_[each][what];
    bar.classes[kUser] = dictionaries_[kUser]["no user"];
    bar.classes[kQueue] = dictionaries_[kQueue]["no queue"];
    bar.classes[kPolicy] = dictionaries_[kPolicy][policy_at(away.from)];
    bars_.push_back(bar);
  }

  void add_hosts() {
    const results::Absences away = results::absences(outcome_);
    const auto on_host = results::lanes(outcome_, runs_);
    const bool whole = results::by_whole_hosts(workload_);
    for (std::size_t h = 0; h < platform_.hosts().size(); ++h) {
      const Host& host = platform_.hosts()[h];
      const auto cores = static_cast<std::uint32_t>(whole ? 1 : std::min(host.cores, kMostRows));
      const auto lane = static_cast<std::uint32_t>(lanes_.size());
      lanes_.push_back({{"name", printable(host.name)}, {"cores", cores}, {"kind", "host"}});
      const std::vector<results::Lane>& all = on_host[h];
      for (std::size_t i = 0, next = 0; i < all.size(); i = next) {
        const Execution& run = runs_.all[all[i].execution];
        const auto follows = [&](std::size_t at) {
          return all[at].execution == all[i].execution && all[at].core == all[at - 1].core + 1;
        };
        for (next = i + 1; next < all.size() && follows(next);) ++next;
        if (whole || all[i].core < 0) {
          add(run, lane, 0, cores);
          continue;
        }
        const auto first = static_cast<std::uint32_t>(all[i].core),
                   count = static_cast<std::uint32_t>(next - i);
        if (first < cores) add(run, lane, first, std::min(count, cores - first));
      }
      for (const Away& each : away.hosts[h]) add(each, lane, cores);
    }
    link_away_ = away.links;
  }

  // A link has a lane when something went over it.
  void add_links() {
    std::vector<std::vector<std::uint32_t>> over(platform_.links().size());
    for (std::uint32_t e = 0; e < runs_.all.size(); ++e) {
      if (!runs_.all[e].is_transfer()) continue;
      for (const results::UsedResource& on : runs_.on(runs_.all[e]))
        if (on.kind() == ResourceKind::link) over[on.at()].push_back(e);
    }
    for (std::size_t l = 0; l < over.size(); ++l) {
      if (over[l].empty()) continue;
      const std::vector<std::uint32_t> rows = abreast(over[l]);
      const std::uint32_t count = *std::ranges::max_element(rows) + 1;
      const auto lane = static_cast<std::uint32_t>(lanes_.size());
      lanes_.push_back({{"name", printable(platform_.links()[l].name)}, {"cores", count}, {"kind", "link"}});
      for (std::size_t i = 0; i < rows.size(); ++i) add(runs_.all[over[l][i]], lane, rows[i], 1);
      for (const Away& each : link_away_[l]) add(each, lane, count);
    }
  }

  // The row of each transfer among those that go over the link at the same time: the lowest that is free.
  std::vector<std::uint32_t> abreast(const std::vector<std::uint32_t>& transfers) const {
    std::vector<Time> free_at;
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t e : transfers) {
      const Execution& run = runs_.all[e];
      auto free = std::ranges::find_if(free_at, [&](Time t) { return t <= run.started; });
      if (free == free_at.end() && free_at.size() < static_cast<std::size_t>(kMostLinkRows))
        free = free_at.insert(free_at.end(), 0);
      if (free == free_at.end()) free = std::ranges::min_element(free_at);
      *free = std::max(*free, run.ended);
      rows.push_back(static_cast<std::uint32_t>(free - free_at.begin()));
    }
    return rows;
  }

  std::size_t leave_out(std::size_t most) {
    if (bars_.size() <= most) return 0;
    const std::size_t left_out = bars_.size() - most;
    std::vector<std::size_t> order(bars_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return bars_[a].to - bars_[a].from > bars_[b].to - bars_[b].from;
    });
    order.resize(most);
    std::ranges::sort(order);
    std::vector<Bar> kept;
    kept.reserve(most);
    for (const std::size_t i : order) kept.push_back(bars_[i]);
    bars_ = std::move(kept);
    return left_out;
  }

  // ---- time

  void find_extent() {
    from_ = kNever;
    to_ = outcome_.end;
    for (const Bar& bar : bars_) {
      from_ = std::min(from_, bar.from);
      to_ = std::max(to_, bar.to);
    }
    from_ = std::min(from_, results::first_arrival(outcome_));
    constexpr double kLongest = 1e300;
    if (!std::isfinite(from_) || !(to_ - from_ < kLongest))
      fail("bad_figure", "the run is too long to be drawn");
  }

  void place_in_ticks() {
    const double span = to_ - from_;
    constexpr double kFinest = 1e7, kShortest = 1e-290;
    int exponent = span > kShortest ? static_cast<int>(std::floor(std::log10(span / kFinest))) : 0;
    const auto power = [](int e) { return std::strtod(fmt::format("1e{}", e).c_str(), nullptr); };  // exact
    // Larger ticks where all times are multiples of them.
    const auto fits = [&](double tick) {
      const auto is_whole = [&](Time t) {
        const double ticks = t / tick;
        constexpr double kExact = 9e15;
        return std::fabs(ticks) < kExact &&
               std::fabs(ticks - std::round(ticks)) <= 1e-9 * std::max(1.0, std::fabs(ticks));
      };
      return std::ranges::all_of(bars_,
                                 [&](const Bar& bar) { return is_whole(bar.from) && is_whole(bar.to); }) &&
             is_whole(from_);
    };
    constexpr int kMostSteps = 8;
    for (int step = 0;
         step < kMostSteps && power(exponent + 1) <= std::max(span, 1e-300) && fits(power(exponent + 1));
         ++step)
      ++exponent;
    tick_ = power(exponent);
    from_ = std::floor(from_ / tick_) * tick_;
    for (Bar& bar : bars_) {
      bar.start = std::llround((bar.from - from_) / tick_);
      bar.end = std::max(bar.start, static_cast<std::int64_t>(std::llround((bar.to - from_) / tick_)));
    }
  }

  // ---- columns

  // The number of each work that has a bar, in the order of the workload.
  void number_works() {
    numbers_.assign(workload_.size(), kNone);
    for (const Bar& bar : bars_)
      if (bar.work.valid() && bar.work.index < numbers_.size()) numbers_[bar.work.index] = 0;
    for (std::uint32_t w = 0; w < numbers_.size(); ++w)
      if (numbers_[w] != kNone) {
        numbers_[w] = static_cast<std::uint32_t>(works_.size());
        works_.push_back(WorkId(w));
      }
  }

  std::uint32_t number_of(WorkId work) const {
    return work.valid() && work.index < numbers_.size() && numbers_[work.index] != kNone
               ? numbers_[work.index]
               : static_cast<std::uint32_t>(works_.size());
  }

  // From its submission to its first computation, in ticks.
  std::vector<std::uint32_t> waits() const {
    std::vector<Time> arrived(workload_.size(), std::numeric_limits<Time>::quiet_NaN()), started = arrived;
    for (std::size_t i = 0; i < outcome_.trace.size(); ++i) {
      const Record& record = outcome_.trace[i];
      if (!record.work.valid() || record.work.index >= arrived.size()) continue;
      if (record.kind == RecordKind::arrived) arrived[record.work.index] = record.time;
      if (record.kind == RecordKind::started && record.what == ActivityKind::compute &&
          std::isnan(started[record.work.index]))
        started[record.work.index] = record.time;
    }
    std::vector<std::uint32_t> waits;
    for (const WorkId work : works_) {
      const double ticks = std::round((started[work.index] - arrived[work.index]) / tick_);
      waits.push_back(ticks >= 0 && ticks < kNone ? static_cast<std::uint32_t>(ticks) : kNone);
    }
    return waits;
  }

  void add_columns(nlohmann::json& out) {
    const std::size_t n = bars_.size();
    const std::vector<std::uint32_t> waits = this->waits();
    nlohmann::json columns = nlohmann::json::object();  // in the order of the names, as their bytes
    std::map<std::string, std::string> bytes_of;
    const auto column = [&](const char* name, int width, auto&& value) {
      std::vector<std::uint32_t> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = value(i);
      columns[name] = fmt::format("u{}", 8 * width);
      put(bytes_of[name], values, width);
    };
    column("lane", 4, [&](std::size_t i) { return bars_[i].lane - (i > 0 ? bars_[i - 1].lane : 0); });
    column("start", 4, [&](std::size_t i) {
      const bool same = i > 0 && bars_[i - 1].lane == bars_[i].lane;
      return zigzag(bars_[i].start - (same ? bars_[i - 1].end : 0));
    });
    column("length", 4,
           [&](std::size_t i) { return static_cast<std::uint32_t>(bars_[i].end - bars_[i].start); });
    column("row", 2, [&](std::size_t i) { return bars_[i].row; });
    column("rows", 2, [&](std::size_t i) { return bars_[i].rows; });
    column("work", 4, [&](std::size_t i) {
      return zigzag(std::int64_t{number_of(bars_[i].work)} - (i > 0 ? number_of(bars_[i - 1].work) : 0));
    });
    column("wait", 4, [&](std::size_t i) {
      const std::uint32_t number = number_of(bars_[i].work);
      return number < waits.size() ? waits[number] : kNone;
    });
    nlohmann::json dictionaries = nlohmann::json::object();
    for (std::size_t c = 0; c < kClasses; ++c) {
      const auto& names = dictionaries_[c].names();
      if (names.size() < 2 && c != kState && c != kKind) continue;
      dictionaries[kClassNames[c]] = names;
      const int width = names.size() <= 256 ? 1 : names.size() <= 65536 ? 2 : 4;
      column(kClassNames[c], width, [&](std::size_t i) { return bars_[i].classes[c]; });
    }
    column("hatched", 1, [&](std::size_t i) { return bars_[i].hatched ? 1U : 0U; });
    out["dictionaries"] = std::move(dictionaries);
    out["columns"] = std::move(columns);
    std::string bytes;
    for (const auto& [name, part] : bytes_of) bytes += part;
    out["data"] = packed(bytes);
    std::string names;
    for (const WorkId work : works_) {
      if (!names.empty()) names += '\n';
      names += printable(workload_.name_of(work));
    }
    out["works"] = works_.size();
    out["names"] = packed(names);
  }

  void add_edges(nlohmann::json& out) const {
    if (workload_.precedence == nullptr) return;
    std::vector<std::uint32_t> from, to;
    std::size_t all = 0;
    const std::size_t tasks = std::min(workload_.precedence->tasks(), numbers_.size());
    for (std::size_t w = 0; w < tasks; ++w) {
      if (numbers_[w] == kNone) continue;
      for (const std::uint32_t next : workload_.precedence->successors(w)) {
        if (next >= numbers_.size() || numbers_[next] == kNone || ++all > kMostChartEdges) continue;
        from.push_back(numbers_[w]);
        to.push_back(numbers_[next]);
      }
    }
    std::string bytes;
    put(bytes, from, 4);
    put(bytes, to, 4);
    out["edge_count"] = from.size();
    if (all > from.size()) out["edges_left_out"] = all - from.size();
    out["edges"] = packed(bytes);
  }

  void add_whys(nlohmann::json& out, const Whys& whys) const {
    std::vector<std::uint32_t> numbers;
    std::string texts;
    for (const auto& [work, text] : whys.texts) {
      const std::uint32_t number = number_of(work);
      if (number >= works_.size()) continue;
      if (!numbers.empty()) texts += '\0';
      numbers.push_back(number);
      texts += printable(text, "\n");
    }
    out["why_works"] = numbers;
    out["whys"] = packed(texts);
    out["why_text"] = whys.left_out;
  }

  static constexpr std::int32_t kMostRows = 65535;  // of a lane
  static constexpr int kMostLinkRows = 64;

  const Outcome& outcome_;
  const Platform& platform_;
  const Workload& workload_;
  const results::Executions runs_;
  std::vector<std::vector<Away>> link_away_;
  std::vector<nlohmann::json> lanes_;
  std::vector<Bar> bars_;
  std::array<Dictionary, kClasses> dictionaries_;
  Time from_ = 0, to_ = 0;
  double tick_ = 1;
  std::vector<std::uint32_t> numbers_;  // by work
  std::vector<WorkId> works_;           // that have a bar
};

}  // namespace

nlohmann::json chart_of(const Outcome& outcome, const std::string& title, const Whys& whys,
                        std::size_t most_bars) {
  return Chart(outcome).json(title, whys, most_bars);
}

std::string chart_of_runs(std::vector<nlohmann::json> runs, const std::string& file,
                          std::optional<Time> parting, const std::string& parting_text) {
  nlohmann::json out = {{"runs", std::move(runs)},
                        {"file", printable(file)},
                        {"parting", nullptr},
                        {"parting_text", printable(parting_text, "\n")}};
  if (parting) out["parting"] = *parting;
  return out.dump();
}

}  // namespace perigee::pages

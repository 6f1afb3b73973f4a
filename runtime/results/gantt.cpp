#include "runtime/results/gantt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/results/executions.h"
#include "runtime/results/table.h"
#include "runtime/results/time_units.h"

namespace perigee::results {
namespace {

constexpr std::size_t kMostCores = 40;
constexpr std::size_t kMostLinks = 20;
constexpr Seconds kShortestDrawn = 1e-300;  // on shorter axes the steps between ticks may round to 0

// The content of a cell, and its place in the legend.
enum Mark : std::uint8_t {
  kIdle,
  kCompute,
  kChunk,
  kReserved,
  kIn,
  kOut,
  kFirst,
  kLast,
  kSingle,
  kSeveral,
  kLost,
  kCancelled,
  kKilled,
  kSuperseded,
  kSuspended,
  kCopy,
  kHeld,
  kAway,
  kAwayReserved,
  kShade1,
  kShade2,
  kShade3,
  kShade4,
  kMarks
};
struct Symbol {
  const char *ascii, *unicode, *meaning;  // meaning empty: not in the legend
};
constexpr std::array<Symbol, kMarks> kSymbols = {{
    {" ", " ", ""},
    {"=", "█", "computing"},
    {"~", "▒", "receiving"},
    {"#", "▓", "reserved work"},
    {">", ">", "file in"},
    {"<", "<", "file out"},
    {"[", "▐", ""},
    {"]", "▌", ""},
    {"|", "▮", "short"},
    {"*", "*", "several"},
    {"!", "!", "lost"},
    {"x", "x", "cancelled"},
    {"k", "k", "killed at its limit"},
    {"/", "/", "superseded"},
    {"s", "s", "suspended"},
    {"%", "▞", "copy"},
    {".", "·", "held"},
    {"-", "░", "away"},
    {"r", "╱", "set aside by a reservation"},
    {".", "░", "up to 1/4 busy"},
    {":", "▒", "up to 1/2"},
    {"+", "▓", "up to 3/4"},
    {"#", "█", "more"},
}};

struct Square {
  Mark mark = kIdle;
  char letter = 0;             // instead of the mark's symbol
  std::uint32_t work = kNone;  // for its colour
};
using CellRow = std::vector<Square>;

class Picture {
 public:
  Picture(const Outcome& outcome, int width, bool unicode, bool colour, const ChartPart& part,
          const std::string& title = {})
      : outcome_(outcome),
        part_(part),
        title_(printable(title.empty() ? outcome.policy : title)),
        platform_(*outcome.scenario->platform),
        runs_(spells(executions(outcome))),
        away_(absences(outcome)),
        whole_(by_whole_hosts(*outcome.scenario->workload) || serves_one_at_a_time()),
        width_(static_cast<std::size_t>(std::max(width, 40))),
        unicode_(unicode),
        colour_(colour) {
    if (part.to < kNever) add_windows_to_come(away_, outcome, part.to);
  }

  std::string draw() {
    find_span();
    if (empty()) return "nothing has run\n";
    const std::size_t label = choose_label();
    set(from_, to_, label);
    const std::string rows = chart(label);  // this finds the content of the legend
    return rows + axis(label) + legend();
  }

  // Draws the two runs one above the other, on the axis of the first.
  std::string draw_above(Picture& other, Time parting) {
    find_span();
    other.find_span();
    if (empty() || other.empty()) return "nothing has run\n";
    const std::size_t label = std::max(choose_label(), other.choose_label());
    const Time from = std::min(from_, other.from_), to = std::max(to_, other.to_);
    set(from, to, label);
    other.set(from, to, label);
    std::string out;
    if (parting < kNever) {
      const std::size_t at = label + 1 + std::min(cell(parting), columns_ - 1);
      const std::string text = fmt::format("they part at t = {} s", format_number(parting));
      const std::size_t before = at + 2 + text.size() <= width_ ? at : at - std::min(at, text.size() + 1);
      out += before == at
                 ? std::string(at, ' ') + "v " + text + "\n"
                 : std::string(before, ' ') + text + std::string(at - before - text.size(), ' ') + "v\n";
    }
    out += title_ + "\n" + chart(label);
    out += other.title_ + "\n" + other.chart(label);
    out += axis(label);
    seen_.insert(other.seen_.begin(), other.seen_.end());
    counted_ = counted_ || other.counted_;
    away_letter_ = away_letter_ || other.away_letter_;
    return out + legend();
  }

 private:
  // Jobs had several hosts, and no host served two activities at a time.
  bool serves_one_at_a_time() const {
    return spans_hosts(runs_) && std::ranges::all_of(host_lanes(outcome_, runs_).counts,
                                                     [](std::int32_t lanes) { return lanes < 2; });
  }

  bool empty() const { return runs_.all.empty() || !(to_ > from_); }

  void find_span() {
    to_ = outcome_.end;
    from_ = to_;
    for (std::size_t i = 0; i < outcome_.trace.size() && from_ == to_; ++i)
      if (outcome_.trace[i].kind == RecordKind::arrived || outcome_.trace[i].kind == RecordKind::started)
        from_ = outcome_.trace[i].time;
    for (const Execution& run : runs_.all) from_ = std::min(from_, run.started);
    if (from_ <= to_ / 4) from_ = 0;
    if (part_.from > -kNever) from_ = part_.from;
    if (part_.to < kNever) to_ = part_.to;
  }

  std::size_t choose_label() {
    choose_rows();
    std::size_t label = 0;
    for (std::string& name : labels_) name = printable(name);
    for (const std::string& name : labels_) label = std::max(label, display_width(name));
    return std::min(label, width_ / 3);
  }

  void set(Time from, Time to, std::size_t label) {
    if (to - from < kShortestDrawn)
      fail("bad_figure", "gantt: {} s are shown, which is too short to be drawn; at least {} s can be",
           format_number(to - from), kShortestDrawn);
    from_ = from;
    to_ = to;
    if (to_ - from_ < from_ / 100) origin_ = from_;
    columns_ = width_ - label - 2;  // the bars at both ends
  }

  std::string chart(std::size_t label) {
    std::string out;
    std::vector<CellRow> rows = host_rows();
    const std::size_t hosts = rows.size();
    for (CellRow& row : link_rows()) rows.push_back(std::move(row));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == hosts) out += std::string(label, ' ') + "|" + std::string(columns_, ' ') + "|\n";
      out += padded(labels_[r], label) + "|" + text_of(rows[r]) + "|\n";
    }
    return out;
  }

  // The cell boundary nearest to t. A time span has the cells from that of its start to that of its end; a
  // short span may have none.
  std::size_t cell(Time t) const {
    const double x = (t - from_) / (to_ - from_) * static_cast<double>(columns_);
    return static_cast<std::size_t>(std::clamp(std::floor(x + 0.5), 0.0, static_cast<double>(columns_)));
  }

  static std::string padded(const std::string& name, std::size_t to) {
    if (display_width(name) <= to) return name + std::string(to - display_width(name), ' ');
    std::string cut;
    std::size_t seen = 0;
    for (const char c : name) {  // whole code points
      if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U && ++seen >= to) break;
      cut += c;
    }
    return cut + "~";
  }

  std::size_t rows_of(const Host& host) const { return whole_ ? 1 : static_cast<std::size_t>(host.cores); }

  void choose_rows() {
    std::vector<std::size_t> chosen;
    for (const HostId host : part_.hosts) chosen.push_back(host.index);
    for (std::size_t h = 0; part_.hosts.empty() && h < platform_.hosts().size(); ++h) chosen.push_back(h);
    std::size_t cores = 0;
    for (const std::size_t h : chosen) cores += rows_of(platform_.hosts()[h]);
    const std::size_t hosts = platform_.hosts().size();
    if (part_.rows > 0) {
      shown_ = chosen;
    } else if (cores > kMostCores) {  // too many: hosts that did nothing are left out
      std::vector<std::uint8_t> busy(hosts);
      for (const Execution& run : runs_.all)
        for (const ResourceId on : runs_.on(run))
          if (on.kind() == ResourceKind::host && is_within(run)) busy[on.at()] = 1;
      cores = 0;
      for (const std::size_t h : chosen) {
        if (!busy[h]) continue;
        shown_.push_back(h);
        cores += rows_of(platform_.hosts()[h]);
      }
      idle_ = chosen.size() - shown_.size();
    } else {
      shown_ = chosen;
    }
    by_core_ = part_.rows == 0 && cores <= kMostCores;
    const std::size_t most = part_.rows > 0 ? part_.rows : kMostCores;
    group_ = by_core_ ? 1 : std::max<std::size_t>(1, (shown_.size() + most - 1) / most);
    for (std::size_t k = 0; k < shown_.size(); k += group_) {
      const Host& host = platform_.hosts()[shown_[k]];
      const Host& last = platform_.hosts()[shown_[std::min(k + group_, shown_.size()) - 1]];
      if (!by_core_) labels_.push_back(&last == &host ? host.name : host.name + ".." + last.name);
      for (std::size_t core = 0; by_core_ && core < rows_of(host); ++core)
        labels_.push_back(rows_of(host) == 1 ? host.name
                          : core == 0        ? host.name + " 1"
                                             : fmt::format("  {}", core + 1));
    }
    std::vector<std::uint8_t> used(platform_.links().size());
    for (const Execution& run : runs_.all)
      if (run.is_transfer() && is_within(run))
        for (const ResourceId on : runs_.on(run))
          if (on.kind() == ResourceKind::link) used[on.at()] = 1;
    if (!part_.hosts.empty()) {
      std::vector<std::uint8_t> theirs(used.size());
      for (const HostId host : part_.hosts) theirs[platform_[platform_[host].cluster].link.index] = 1;
      for (std::size_t l = 0; l < used.size(); ++l) used[l] = used[l] && theirs[l];
    }
    for (std::size_t l = 0; l < used.size(); ++l) {
      if (!used[l] || platform_.links()[l].implied) continue;
      if (links_.size() == kMostLinks) {
        ++links_left_out_;
        continue;
      }
      links_.push_back(LinkId(l));
      labels_.push_back(platform_.links()[l].name);
    }
  }

  void put(CellRow& row, std::size_t at, Mark mark, std::uint32_t work = kNone, char letter = 0) {
    row[at] = {mark, letter, work};
  }

  static bool is_background(Mark mark) {
    return mark == kIdle || mark == kHeld || mark == kAway || mark == kAwayReserved;
  }

  void background(CellRow& row, Time a, Time b, Mark mark) {
    const std::size_t end = cell(b);
    for (std::size_t c = cell(a); c < end; ++c)
      if (row[c].mark == kIdle || row[c].mark == kHeld) put(row, c, mark);
  }

  bool is_within(const Execution& run) const {
    return run.started <= to_ && run.ended >= from_ && (run.ended > from_ || run.started == run.ended);
  }

  void bar(CellRow& row, const Execution& run) {
    if (!is_within(run)) return;
    Mark fill = run.copy ? kCopy : kCompute;
    if (run.kind == ActivityKind::chunk) fill = kChunk;
    if (run.kind == ActivityKind::hold) fill = kReserved;
    if (run.kind == ActivityKind::dump) fill = run.first == 1 ? kIn : kOut;
    if (run.kind == ActivityKind::transfer_in) fill = kIn;
    if (run.kind == ActivityKind::transfer_out) fill = kOut;
    Mark last = kLast;
    if (run.how == RecordKind::lost) last = kLost;
    if (run.how == RecordKind::cancelled) last = run.why == Reason::limit ? kKilled : kCancelled;
    if (run.how == RecordKind::superseded) last = kSuperseded;
    if (run.how == RecordKind::suspended) last = kSuspended;
    if (run.how == RecordKind::started || run.ended > to_) last = fill;
    const std::size_t first = cell(run.started), end = cell(run.ended);
    const std::uint32_t work = run.work.index;
    seen_.insert(fill);
    if (end <= first) {  // shorter than a cell
      const std::size_t at = std::min(first, columns_ - 1);
      put(row, at, is_background(row[at].mark) ? (last == kLast || last == fill ? kSingle : last) : kSeveral,
          work);
      return;
    }
    if (end == first + 1) {
      put(row, first,
          is_background(row[first].mark) ? (last == kLast || last == fill ? kSingle : last) : kSeveral, work);
      return;
    }
    put(row, first, run.started < from_ ? fill : kFirst, work);
    for (std::size_t c = first + 1; c + 1 < end; ++c) put(row, c, fill, work);
    put(row, end - 1, last, work);
    const std::string number = bar_label(*outcome_.scenario->workload, run);
    if (number.size() + 2 <= end - first)
      for (std::size_t k = 0; k < number.size(); ++k) put(row, first + 1 + k, fill, work, number[k]);
  }

  // A work that runs waits while its host is away.
  void pause(CellRow& row, const Away& away) {
    const std::size_t end = cell(away.to);
    for (std::size_t c = cell(away.from); c < end; ++c)
      if ((row[c].mark == kCompute || row[c].mark == kCopy || row[c].mark == kChunk) && row[c].letter == 0)
        put(row, c, away_mark(away));
  }

  Mark away_mark(const Away& away) const { return away.why == Reason::reservation ? kAwayReserved : kAway; }
  bool is_reservation(const Execution& run) const {
    return run.work.valid() && (*outcome_.scenario->workload)[run.work].kind == WorkKind::reservation;
  }

  std::vector<CellRow> host_rows() {
    const std::span<const Host> hosts = platform_.hosts();
    const std::vector<std::vector<Lane>> all = lanes(outcome_, runs_);
    std::vector<CellRow> rows;
    if (!by_core_) return shaded(all);
    for (const std::size_t h : shown_) {
      const std::size_t first = rows.size();
      const std::size_t cores = rows_of(hosts[h]);
      rows.resize(first + cores, CellRow(columns_));
      for (std::size_t core = 0; core < cores; ++core) {
        CellRow& row = rows[first + core];
        for (const Lane& lane : all[h]) {  // bars in the background come first
          const Execution& run = runs_.all[lane.execution];
          if (lane.core >= 0) continue;
          if (is_reservation(run))
            bar(row, run);
          else
            background(row, run.started, run.ended, kHeld);
        }
        for (const Away& away : away_.hosts[h]) background(row, away.from, away.to, away_mark(away));
        for (const Lane& lane : all[h])
          if (lane.core == static_cast<std::int32_t>(core)) bar(row, runs_.all[lane.execution]);
        for (const Away& away : away_.hosts[h]) pause(row, away);
      }
    }
    return rows;
  }

  // Rows of hosts or groups, shaded by the share of their cores that are busy.
  std::vector<CellRow> shaded(const std::vector<std::vector<Lane>>& all) {
    const std::span<const Host> hosts = platform_.hosts();
    const double dt = (to_ - from_) / static_cast<double>(columns_);
    std::vector<CellRow> rows;
    for (std::size_t g = 0; g < shown_.size(); g += group_) {
      std::vector<double> busy(columns_), away(columns_);
      const auto add = [&](std::vector<double>& sum, Time a, Time b, double cores) {
        const double x = std::clamp((a - from_) / dt, 0.0, static_cast<double>(columns_));
        const double y = std::clamp((b - from_) / dt, 0.0, static_cast<double>(columns_));
        for (auto c = static_cast<std::size_t>(x); c < columns_ && static_cast<double>(c) < y; ++c)
          sum[c] += cores * (std::min(y, static_cast<double>(c) + 1) - std::max(x, static_cast<double>(c)));
      };
      double cores = 0;
      for (std::size_t member = g; member < std::min(g + group_, shown_.size()); ++member) {
        const std::size_t k = shown_[member];
        cores += hosts[k].cores;
        for (const Lane& lane : all[k]) {
          const Execution& run = runs_.all[lane.execution];
          if (lane.core < 0 && !is_reservation(run)) continue;
          each_present(away_.hosts[k], run.started, run.ended,
                       [&](Time a, Time b) { add(busy, a, b, lane.core < 0 ? hosts[k].cores : 1); });
        }
        for (const Away& a : away_.hosts[k]) add(away, a.from, a.to, hosts[k].cores);
      }
      CellRow row(columns_);
      for (std::size_t c = 0; c < columns_; ++c) {
        const double share = busy[c] / cores;
        if (share > 1e-9) {
          const Mark mark = share <= 0.25   ? kShade1
                            : share <= 0.5  ? kShade2
                            : share <= 0.75 ? kShade3
                                            : kShade4;
          put(row, c, mark);
        } else if (away[c] / cores > 0.5) {
          put(row, c, kAway, kNone, unicode_ ? 'x' : 0);
          away_letter_ = unicode_;
        }
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  // A link whose transfers never overlap has bars. Any other link shows the largest number of transfers at
  // once in each cell.
  std::vector<CellRow> link_rows() {
    std::vector<CellRow> rows;
    for (const LinkId link : links_) {
      CellRow row(columns_);
      for (const Away& away : away_.links[link.index]) background(row, away.from, away.to, away_mark(away));
      std::vector<const Execution*> transfers;
      bool together = false;
      Time free = -kNever;
      for (const Execution& run : runs_.all) {
        const auto on = runs_.on(run);
        if (!run.is_transfer() || std::find(on.begin(), on.end(), ResourceId::of(link)) == on.end()) continue;
        if (!is_within(run)) continue;
        together = together || run.started < free;
        free = std::max(free, run.ended);
        transfers.push_back(&run);
      }
      if (!together) {
        for (const Execution* run : transfers) bar(row, *run);
      } else {
        counted_ = true;
        std::vector<std::pair<std::size_t, int>> edges;
        for (const Execution* run : transfers) {
          const std::size_t first = std::min(cell(run->started), columns_ - 1);
          edges.push_back({first, 1});
          edges.push_back({std::max(first + 1, cell(run->ended)), -1});
        }
        std::sort(edges.begin(), edges.end());
        int count = 0;
        std::size_t e = 0;
        for (std::size_t c = 0; c < columns_; ++c) {
          for (; e < edges.size() && edges[e].first <= c; ++e) count += edges[e].second;
          if (count > 0) put(row, c, kIn, kNone, count > 9 ? '+' : static_cast<char>('0' + count));
        }
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  std::string text_of(const CellRow& row) {
    std::string out;
    std::string now;
    for (const Square& c : row) {
      if (c.letter == 0) seen_.insert(c.mark);
      if (colour_) {
        std::string wanted;
        if (c.mark == kLost || c.mark == kCancelled || c.mark == kKilled || c.mark == kSuperseded)
          wanted = "\033[1;31m";
        else if (c.mark == kAway || c.mark == kAwayReserved)
          wanted = "\033[2m";
        else if (c.work != kNone && !is_background(c.mark))
          wanted = fmt::format("\033[{}m", 32 + c.work % 5);
        if (wanted != now) {
          if (!now.empty()) out += "\033[0m";
          out += wanted;
          now = wanted;
        }
      }
      if (c.letter != 0)
        out += c.letter;
      else
        out += unicode_ ? kSymbols[c.mark].unicode : kSymbols[c.mark].ascii;
    }
    if (!now.empty()) out += "\033[0m";
    return out;
  }

  // Ticks at 1, 2 or 5 times a power of ten of a unit, at least 8 columns apart.
  std::string axis(std::size_t label) const {
    const double most = to_ - origin_;
    TimeUnit unit = kTimeUnits[0];
    for (const TimeUnit& u : kTimeUnits)
      if (most >= (u.seconds > 1 ? 3 : 1) * u.seconds || u.seconds <= 1e-9) unit = u;
    if (most < 1 && most >= 0.1) unit = kTimeUnits[3];
    constexpr double kApart = 8;
    const double per_cell = (to_ - from_) / static_cast<double>(columns_) / unit.seconds;
    double step = std::pow(10, std::floor(std::log10(per_cell * kApart)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
      if (step * factor >= per_cell * kApart) {
        step *= factor;
        break;
      }
    std::string line(columns_, '-'), numbers(label + 1 + columns_ + 1, ' ');
    std::size_t free = 0;
    for (double k = std::ceil((from_ - origin_) / unit.seconds / step - 1e-9);; ++k) {
      const double value = k * step;
      const double x =
          (value * unit.seconds + origin_ - from_) / (to_ - from_) * static_cast<double>(columns_);
      if (x > static_cast<double>(columns_) + 1e-6) break;
      const auto at = static_cast<std::size_t>(std::max(0.0, std::floor(x + 0.5)));
      if (at < columns_) line[at] = '+';
      std::string number = short_number(std::abs(value) < step / 2 ? 0 : value);
      if (free == 0) number += std::string(" ") + unit.name;
      const std::size_t place =
          std::min(label + 1 + at, numbers.size() - std::min(numbers.size(), number.size()));
      if (place >= free && number.size() <= numbers.size()) {
        numbers.replace(place, number.size(), number);
        free = place + number.size() + 1;
      }
    }
    while (!numbers.empty() && numbers.back() == ' ') numbers.pop_back();
    return std::string(label, ' ') + "+" + line + "+\n" + numbers + "\n";
  }

  std::string legend() const {
    std::vector<std::string> items;
    for (std::uint8_t m = 0; m < kMarks; ++m) {
      const Symbol& symbol = kSymbols[m];
      if (!seen_.contains(static_cast<Mark>(m)) || *symbol.meaning == 0) continue;
      items.push_back(fmt::format("{} {}", unicode_ ? symbol.unicode : symbol.ascii, symbol.meaning));
    }
    if (away_letter_) items.push_back("x away");
    if (counted_) items.push_back("1-9 transfers at a time");
    std::string out, line;
    for (const std::string& item : items) {
      if (!line.empty() && display_width(line) + 2 + display_width(item) > width_) {
        out += line + "\n";
        line.clear();
      }
      line += (line.empty() ? "" : "  ") + item;
    }
    if (!line.empty()) out += line + "\n";
    if (origin_ > 0) out += fmt::format("times from {} s on\n", format_number(origin_));
    if (group_ > 1) out += fmt::format("{} hosts in rows of {}\n", shown_.size(), group_);
    if (idle_ > 0) out += fmt::format("{} hosts without work are left out\n", idle_);
    if (links_left_out_ > 0) out += fmt::format("{} more links are left out\n", links_left_out_);
    return out;
  }

  const Outcome& outcome_;
  const ChartPart& part_;
  std::string title_;
  const Platform& platform_;
  Executions runs_;
  Absences away_;
  bool whole_;  // a row for each host, not core
  std::size_t width_, columns_ = 0;
  bool unicode_, colour_;
  Time from_ = 0, to_ = 0;
  Time origin_ = 0;  // of the numbers on the axis
  bool by_core_ = true, counted_ = false, away_letter_ = false;
  std::vector<std::size_t> shown_;   // hosts
  std::size_t idle_ = 0;             // hosts left out because they had no work
  std::size_t group_ = 1;            // hosts in a row
  std::vector<std::string> labels_;  // of all rows
  std::vector<LinkId> links_;        // with a row
  std::size_t links_left_out_ = 0;
  std::set<Mark> seen_;
};

}  // namespace

std::string gantt(const Outcome& outcome, int width, bool unicode, bool colour, const ChartPart& part) {
  return Picture(outcome, width, unicode, colour, part).draw();
}

std::string gantt(const Outcome& first, const Outcome& second, Time parting, int width, bool unicode,
                  bool colour, const ChartPart& part, const std::array<std::string, 2>& titles) {
  Picture below(second, width, unicode, colour, part, titles[1]);
  return Picture(first, width, unicode, colour, part, titles[0]).draw_above(below, parting);
}

}  // namespace perigee::results

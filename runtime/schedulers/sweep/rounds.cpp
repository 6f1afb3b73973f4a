// Source: Sim-PETEK, 2010, chapter 3, see the header.
#include "runtime/schedulers/sweep/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/cost/rounds.h"
#include "runtime/engine/why.h"
#include "runtime/schedulers/sweep/notes.h"

namespace perigee::sweep {

double Quota::at(double round, const RoundState& state) {
  if (rounds > 0) return state.runs / rounds;
  if (k > 0) return sine_quota(state.runs, peak, k, m, round);
  return given.at(round, state);
}

void Quota::warn(Sim& sim, double runs) const {
  const double most = k > 0 ? full_cover(peak, k) : 0;
  const double too_many[] = {rounds, runs}, too_large[] = {m, most};
  if (rounds > runs) sim.note(kRoundsExceedRuns, too_many);
  if (k > 0 && m > most) sim.note(kUndercovers, too_large);
}

void Rounds::open(Sim& sim) {
  note_sweep(sim, work(), runs(sim));
  quota_rule_.warn(sim, runs(sim));
  power_.open(sim.view().platform().hosts(), present());
  note_shares(sim, power_);
  round_ = recomputed_ = 0;
  has_finished_ = false;
  measured_.clear();
}

void Rounds::finished(Sim&, HostId host, const Package& package, Time at) {
  if (package.copy) return;
  has_finished_ = true;
  const double before = power_.npp(host);
  power_.measure(host, package.piece.size, at - package.start);
  if (power_.npp(host) != before && std::ranges::find(measured_, host) == measured_.end())
    measured_.push_back(host);
}

void Rounds::host_came(Sim& sim, HostId host) {
  power_.come(host, sim.view().platform().hosts());
  note_shares(sim, power_);
}

void Rounds::host_went(Sim& sim, HostId host) {
  power_.go(host, sim.view().platform().hosts());
  std::erase(measured_, host);
  note_shares(sim, power_);
}

void Rounds::learn(Sim& sim) {
  if (!learning_.adaptive) return;
  const double alpha =
      learning_.alpha.is("1/round") ? 1 / ++recomputed_ : learning_.alpha.at(++recomputed_, state(sim));
  power_.recompute(alpha);
  note_recomputation(sim, alpha, measured_, power_);
  measured_.clear();
}

void Rounds::begin_round(Sim& sim) {
  ++round_;
  RoundState now = state(sim);
  now.quota = std::nan("");
  quota_ = quota_rule_.at(round_, now);
  const double values[] = {round_, quota_, now.dealt};
  sim.note("round", values);
}

RoundState Rounds::state(const Sim& sim, HostId host) const {
  return {sim.view(), power_, work(), runs(sim), dealt(sim), quota_, host};
}

double Rounds::give_share(Sim& sim, HostId host, double most, std::string_view how) {
  choice_ = {most, how};
  return give(sim, host, most);
}

void Rounds::explain(const View& view, Waiting& lines) const {
  Coordinator::explain(view, lines);
  if (!work().valid()) return;
  std::string shares;
  constexpr std::size_t kShown = 8;
  for (std::size_t h = 0; h < power_.enpr().size() && h < kShown; ++h)
    shares += fmt::format(", {} {:.4g}", view.platform().hosts()[h].name, power_.enpr()[h]);
  lines.push_back(fmt::format("round {} of {:.6g} runs; ENPR{}{}", round_, quota_,
                              shares.empty() ? "" : shares.substr(1),
                              power_.enpr().size() > kShown ? ", ..." : ""));
}

void Rounds::why_package(Sim& sim, Decision& out) {
  const View& view = sim.view();
  out.hosts = {.score = "ENPR", .better = Prefer::largest, .ties = "larger NPP, then order of hosts"};
  for (std::size_t h = 0; h < power_.enpr().size(); ++h) {
    const HostId host(h);
    if (!present(host)) continue;
    Comparison::Candidate each{.index = host.index, .score = NodePower::rounded(power_.enpr(host))};
    each.note = power_.npp(host) > 0 ? fmt::format("NPP {:.6g} runs/s", power_.npp(host))
                                     : std::string("no package of it has ended");
    if (host != out.host && !sim.fits(work(), host)) {
      each.open = false;
      each.note += ", busy";
    } else if (out.host.valid() && host != out.host && !power_.before(out.host, host)) {
      each.open = false;
      each.note += ", passed over";
    }
    out.hosts.candidates.push_back(std::move(each));
  }
  if (!out.host.valid()) {
    out.rule = "an idle host gets its share of the round";
    return;
  }
  const double left = undealt(sim);
  out.rule = fmt::format("round {} has {:.6g} runs, {} has the ENPR {:.6g}: {:.6g} runs, {}: {}", round_,
                         quota_, view.platform()[out.host].name, power_.enpr(out.host),
                         quota_ * power_.enpr(out.host), choice_.how, choice_.runs);
  if (choice_.runs > left) out.rule += fmt::format("; {} are left", left);
}

namespace {

Parameter rounds_parameter() {
  return {.name = "rounds",
          .type = ParameterType::integer,
          .summary = "all runs are dealt out in so many rounds of equal size",
          .fallback = 15.0,
          .min = 1,
          .max = 100000};
}

Parameter runs_in_round_parameter(std::string summary, std::string fallback) {
  return {.name = "runs_in_round",
          .type = ParameterType::number,
          .summary = std::move(summary),
          .fallback = fallback,
          .min = 0,
          .max = 1e9,
          .open_min = true,
          .words = {fallback},
          .by_round = true};
}

Parameter alpha_parameter() {
  return {.name = "alpha",
          .type = ParameterType::number,
          .summary =
              "what a recomputation takes of what was measured, the rest of the ENPR before; a function is "
              "asked with the number of the recomputation",
          .fallback = 0.5,
          .min = 0,
          .max = 1,
          .open_min = true,
          .words = {"1/round"},
          .by_round = true};
}

Parameter adaptive_parameter() {
  return {.name = "adaptive",
          .type = ParameterType::boolean,
          .summary = "ENPR are recomputed; else they stay in proportion to the cores",
          .fallback = true};
}

std::vector<Parameter> sine_parameters() {
  return {
      {.name = "peak",
       .type = ParameterType::integer,
       .summary = "the round with the most runs",
       .fallback = 2.0,
       .min = 1,
       .max = 100000},
      {.name = "k",
       .type = ParameterType::integer,
       .summary = "rounds from the peak on until the sine is 0; at least peak",
       .fallback = 15.0,
       .min = 1,
       .max = 100000},
      {.name = "m",
       .type = ParameterType::number,
       .summary = "the peak has runs / m; auto: the largest with which the rounds cover all runs",
       .fallback = "auto",
       .min = 0,
       .max = 1e9,
       .open_min = true,
       .words = {"auto"}},
      {.name = "sizing",
       .type = ParameterType::choice,
       .summary = "packages are made from the quota of a round as it is, or rounded down and capped by what "
                  "the rounds before leave",
       .fallback = "real",
       .choices = {"real", "capped"}},
      runs_in_round_parameter("the runs of a round, instead of peak, k and m", "sine")};
}

}  // namespace

Parameter units_parameter() {
  return {.name = "units",
          .type = ParameterType::integer,
          .summary =
              "shares above it are multiples of: published, 8 for 8 slots, else slots / gcd(slots, 10); gcd, "
              "slots / gcd(slots, trials); parallel, slots; none, 1; or a number",
          .fallback = "published",
          .min = 1,
          .max = 1e9,
          .words = {"published", "gcd", "parallel", "none"},
          .by_round = true};
}

Parameter threshold_parameter() {
  return {.name = "threshold",
          .type = ParameterType::number,
          .summary = "a host with a smaller ENPR is passed over while anything else is under way",
          .fallback = 0.0,
          .min = 0,
          .max = 1,
          .open_max = true,
          .by_round = true};
}

Quota Quota::of_rounds(const Arguments& given) {
  const bool equal = given.is("runs_in_round", "runs/rounds");
  return {.rounds = equal ? given.number("rounds") : 0, .given = given.per_round("runs_in_round")};
}

Quota Quota::of_sine(const Arguments& given) {
  if (!given.is("runs_in_round", "sine")) return {.given = given.per_round("runs_in_round")};
  const double peak = given.number("peak"), k = given.number("k");
  return {.peak = peak, .k = k, .m = given.is("m", "auto") ? full_cover(peak, k) : given.number("m")};
}

Rounds::Learning Rounds::learning(const Arguments& given) {
  return {given.flag("adaptive"), given.per_round("alpha")};
}

Entry rounds_entry(const std::string& name, bool sine) {
  Entry entry;
  entry.name = name;
  entry.family = Family::sweep;
  entry.role = Role::policy;
  entry.complexity = "O(H) a recomputation, O(I log I) an instant with I idle hosts";
  entry.ties = "larger NPP, then order of hosts; both and ENPR rounded to 9 decimals";
  entry.accepts = {.sweeps = true, .several_cores = true};
  entry.instants = {.tolerance = 1e-9};
  if (sine) {
    entry.parameters = sine_parameters();
    entry.check = [name](const Arguments& given) {
      if (given.number("k") < given.number("peak"))
        fail("bad_parameter", "{}: k must be >= peak = {}, got {}", name, given.number("peak"),
             given.number("k"));
      if (given.is("runs_in_round", "sine")) return;
      for (const char* other : {"peak", "k", "m"})
        if (!given.is_default(other))
          fail("bad_parameter",
               "{}: {} and runs_in_round are both given; a round has its runs by the sine or as given", name,
               other);
    };
  } else {
    entry.parameters = {rounds_parameter(),
                        runs_in_round_parameter("the runs of a round, instead of rounds", "runs/rounds")};
    entry.check = [name](const Arguments& given) {
      if (!given.is("runs_in_round", "runs/rounds") && !given.is_default("rounds"))
        fail("bad_parameter",
             "{}: rounds and runs_in_round are both given; one of them says how many runs a round has", name);
    };
  }
  entry.parameters.insert(entry.parameters.end(), {alpha_parameter(), adaptive_parameter()});
  return entry;
}

std::vector<std::string> sweep_warnings(std::span<const Note> notes) {
  std::vector<std::string> lines;
  bool fell_back = false;
  for (const Note& note : notes) {
    if (note.name == kRoundsExceedRuns)
      lines.push_back(fmt::format("rounds = {} for {} runs: there are at most as many rounds as runs",
                                  note.values[0], note.values[1]));
    if (note.name == kUndercovers)
      lines.push_back(fmt::format(
          "m = {} is above {:.6g}: the rounds do not cover all runs, and the last one is repeated",
          note.values[0], note.values[1]));
    if (note.name == kFitFallback && !std::exchange(fell_back, true))
      lines.push_back(
          "the measured times could not be fitted (fit-fallback): "
          "they count as they are, as under mode = \"times\"");
  }
  return lines;
}

}  // namespace perigee::sweep

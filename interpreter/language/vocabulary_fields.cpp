// Meanings of the fields of tables that words take.
#include <fmt/format.h>

#include <iterator>
#include <variant>
#include <vector>

#include "interpreter/language/vocabulary.h"
#include "interpreter/language/words/families.h"
#include "runtime/kernel/quantity.h"

namespace perigee::language {

namespace {

// "of": words, or a type, separated by blanks where they are words; "" = all that have the field and are not
// named.
constexpr Meaning kMeaningsOfFields[] = {
    // ---- workload ----
    {"workload.random_loads", "load",
     "share of what all nodes compute that arrives, each load counted on one node: a number or a function of "
     "time "
     "(this or mean_interarrival)"},
    {"workload.random_loads", "mean_interarrival", "mean time between arrivals, s (by the load)"},
    {"workload.random_loads", "horizon", "loads arrive before it, s; must be given"},
    {"workload.random_loads", "mean_size",
     "of the normal distribution of sizes, cut off at 0, and its standard "
     "deviation; must be given"},
    {"workload.random_loads", "time", "that a node is estimated to compute a unit, s; must be given"},
    {"workload.random_loads", "bytes", "estimated to be sent for a unit; must be given"},
    {"workload.random_loads", "deadline_ratio",
     "mean relative deadline, by the time on all nodes of a load of mean size; > 2/3, must be given"},
    {"workload.random_loads", "deadline_reference",
     "time on all nodes: of those that make a load shorter, or by the equation for all (\"effective\")"},
    {"workload.random_loads", "reserved",
     "share of the loads that become reservations of as long and as many "
     "nodes (0)"},
    {"workload.random_loads", "advance", "how long before they begin reservations are asked for, s (0)"},
    {"workload.random_loads", "advance_factor", "the same in mean times between arrivals (0)"},
    {"workload.random_loads", "cost_factors",
     "{ least, largest }: true cost by estimated cost, uniform, of the transmission and of the computation "
     "of "
     "each load ({ 1, 1 })"},
    {"process", "run", "the function; must be given"},
    {"process", "keeps_alive",
     "true: as long as it waits for a time the run goes on, although all work is settled (false)"},
    {"process", "name", "what messages call it (\"process\" and its number)"},

    // ---- matrices and mappings ----
    {"", "tasks", "rows"},
    {"", "machines", "columns"},
    {"", "class",
     "heterogeneity of tasks, then of machines: \"hilo\" = high of tasks, low of machines (\"hihi\")"},
    {"", "task_range", "times of tasks are uniform in [1, range) (by class)"},
    {"", "machine_range", "factors of machines are uniform in [1, range) (by class)"},
    {"", "task_cv", "coefficient of variation of the tasks' mean times (by class)"},
    {"", "machine_cv", "coefficient of variation of one task's times (by class)"},
    {"etc.cv_based", "mean", "of all times, s (1000)"},
    {"", "consistency", "whether a machine that is faster for one task is so for all (\"inconsistent\")"},
    {"", "rng", "a random stream (numbers of --seed)"},
    {"etc.cv_based", "first", "of which means are drawn first (\"larger\": of those that vary more)"},
    {"", "whole", "times are cut to whole multiples of so many s (none)"},
    {"etc.gamma", "mean", "a matrix, or a list of rows: the means of the times"},
    {"etc.gamma", "sd", "standard deviation of each time, s (0)"},
    {"", "cv", "standard deviation of each time as a share of its mean, beside sd (0)"},
    {"map", "ready", "a list: when each machine of a matrix is free, s (0); math.huge: it takes nothing"},
    {"profile", "ready",
     "a list: when each machine of the matrix is free, s (0); math.huge: it takes nothing"},
    {"map", "tasks", "a list of those of a mapping problem that are to be mapped (all that wait)"},
    {"map", "seed", "of what the mapper draws (--seed)"},
    {"map", "values", "true: `value` too, the number by which each task was chosen (false)"},
    {"map", "tree",
     "true: `tree` too, each vertex of a search on a tree, as a_star is, with f in its parts (false)"},
    {"cost.scheduling_time", "a4",
     "s for each tasks^2 machines (0; without the table that of Breitinger 1999)"},
    {"cost.scheduling_time", "a3", "s for each task and machine (0)"},
    {"cost.scheduling_time", "a2", "s for each task (0)"},
    {"cost.scheduling_time", "a1", "s for each machine (0)"},
    {"cost.scheduling_time", "a0", "s (0)"},

    {"cost.problem", "etc", "an etc matrix or a list of rows; must be given"},
    {"cost.problem", "ready", "a list: when each machine is free, or with cores each core, s (0)"},
    {"cost.problem", "cores", "a list: how many each machine has (each machine is one queue)"},
    {"cost.problem", "widths", "a list: the cores that each task takes of one machine at once (1)"},
    {"cost.problem", "now", "with cores: no task begins before, s (0)"},
    {"cost.problem", "clusters", "a list: the number of each machine's cluster (each is its own)"},
    {"cost.problem", "whole_machine",
     "true: machines are compared by the end of all that they have, not of the task alone (false)"},
    {"cost.chart", "times",
     "of each task on each machine, s: an etc matrix or a list of rows; math.huge = cannot run there; must "
     "be "
     "given"},
    {"cost.chart", "clusters", "a list: the number of each machine's cluster (1)"},
    {"cost.chart", "transfers",
     "a list with an entry for each file: s of its transfer, or a list with those of each cluster (no "
     "files)"},
    {"cost.chart", "inputs",
     "a list with the list of input files of each task, in the order of sending (none)"},
    {"cost.chart", "outputs", "a list with the list of output files of each task (none)"},
    {"cost.chart", "stores", "a list with the list of files that each cluster has from the beginning (none)"},
    {"cost.chart", "ready", "a list: when each machine is free, s (now)"},
    {"cost.chart", "link_ready", "a list: when each cluster's link is free, s (now)"},
    {"cost.chart", "now", "nothing begins before, s (0)"},
    {"gantt chart.fill", "seed", "of what the mapper draws (--seed)"},
    {"gantt chart.fill", "count", "so many tasks at most (all)"},
    {"cost.sine_quota", "runs", "of the sweep; must be given"},
    {"cost.sine_quota", "peak", "the round with the most runs; must be given"},
    {"cost.sine_quota", "k", "rounds from the peak on until the sine is 0, at least peak; must be given"},
    {"cost.sine_quota", "m", "the peak has runs / m (cost.full_cover(peak, k))"},
    {"cost.sine_quota", "round", "from 1; must be given"},
    {"cost.blend_enpr", "enpr", "a list: the share of each host so far; must be given"},
    {"cost.blend_enpr", "npp",
     "a list: runs/s of each host's last package, 0 = none has ended; must be given"},
    {"cost.blend_enpr", "alpha", "what is taken of the measured power, above 0 and at most 1 (0.5)"},
    {"cost.divisible", "transmission", "of a unit of load, s; must be given"},
    {"cost.divisible", "computation", "of a unit of load, s; must be given"},
    {"cost.divisible", "transmission_setup", "of each transmission, s (0)"},
    {"cost.divisible", "computation_setup", "of each computation, s (0)"},
    {"cost.divisible", "partition",
     "\"optimal\": chunks that end together; \"equal\": of one size (\"optimal\")"},
    {"cost.staggered", "transmission", "of a unit of load, s; must be given"},
    {"cost.staggered", "computation", "of a unit of load, s; must be given"},
    {"cost.staggered", "free", "a list: when each node is free, s; must be given"},
    {"cost.staggered", "channel", "when the head's channel is free, s (0)"},
    {"cost.greedy_by_key", "largest", "true: the largest key comes first (true)"},
    {"cost.factoring", "runs", "to be dealt, a whole number; must be given"},
    {"cost.factoring", "hosts", "how many take chunks; must be given"},
    {"cost.factoring", "cv",
     "standard deviation over mean of a run's time (none: FAC2, which halves what is left)"},
    {"cost.calibrate", "times", "a list: s of a run on each host; must be given"},
    {"cost.calibrate", "left", "runs that are still to be dealt; must be given"},
    {"cost.calibrate", "mode",
     "from measured times, or from times fitted to availability, to latency too (\"times\")"},
    {"cost.calibrate", "availability", "a list: of each host, above 0 and at most 1; for the fits"},
    {"cost.calibrate", "latency", "a list: of each host, s; for the multivariate fit"},
    {"cost.calibrate", "single", "true: one installment, k = 1 (false)"},
    {"", "workers",
     "a list of { speed = runs/s, rate = runs/s sent (infinite), send_latency = s (0), start_latency = s (0) "
     "}; "
     "must be given"},
    {"cost.multi_installment", "installments", "to each worker, from 1; must be given"},
    {"cost.umr cost.mrrs cost.rumr_split", "load", "runs, above 0; must be given"},
    {"cost.umr cost.mrrs", "rounds", "their number (that with the smallest makespan, of 1 to 100)"},
    {"", "first_share",
     "of the first round's sending that the makespan counts: 1, or 0.5 where the last round is cut anew (1)"},
    {"", "tail", "s of each transfer that overlap with the next (0)"},
    {"cost.rumr_split cost.rumr_chunk", "error", "relative deviation of predicted times (none: unknown)"},
    {"cost.rumr_chunk", "left", "runs that are left; must be given"},

    // ---- heuristics and policies ----
    {"", "summary", "a line for listings"},
    {"heuristic policy", "source", "a publication, for listings"},
    {"", "pick",
     "pick(c, task, args) returns the key, on a Gantt chart perhaps with a second one, of which among equals "
     "the largest goes first; this, map or choose must be given"},
    {"heuristic", "choose",
     "choose(c, args) returns the task that is placed next and its machine, or nil to end; c is a Gantt "
     "chart, "
     "or a mapping problem that can only be looked at"},
    {"heuristic", "map",
     "map(problem, args) maps all tasks: returns nothing once they are assigned, or a machine for each, or a "
     "mapping"},
    {"", "place", "place(c, task, args) returns the machine (the one that completes the task first)"},
    {"", "smallest", "true: the smallest key comes first (false)"},
    {"", "pure",
     "true: the key depends on nothing but the task, its best and second, on a Gantt chart its completions "
     "in "
     "the clusters too, and is asked for only when these change (false)"},
    {"", "parameters",
     "{ name = default }: a number, true or false, a list of texts, a mapper, a list of mappers"},
    {"", "accepts",
     "a list of \"tasks\", \"jobs\", \"sweeps\", \"loads\", \"reservations\", \"files\", \"several_cores\" "
     "({ \"tasks\" })"},
    {"", "ask",
     "when the policy is asked: once an instant, after each phase of it, after each event (\"once\")"},
    {"", "tolerance", "events within tolerance * max(1, t) of time t are one instant (0)"},
    {"", "submit_first", "true: arrivals come before the ends of the same instant (false)"},
    {"policy", "steps", "true: it is asked at the known steps of profiles too (false)"},
    {"policy", "begin",
     "begin(self, sim): at the start, or when it takes over; then arrived with what waits"},
    {"policy", "arrived", "arrived(self, sim, works): submissions"},
    {"policy", "finished",
     "finished(self, sim, works, hosts): works; a host is 0 where outputs have come home"},
    {"", "computed", "computed(self, sim, works, hosts): a piece is done and its work is not finished"},
    {"", "failed", "failed(self, sim, works, hosts): a piece was lost and is to be done again"},
    {"", "superseded",
     "superseded(self, sim, works, hosts): another copy has ended first, and this one stops"},
    {"", "received", "received(self, sim, works, hosts): a chunk of a load has come to its host"},
    {"", "cut", "cut(self, sim, works, hosts): a transfer was lost, and what it carried is to be sent again"},
    {"", "host_changed", "host_changed(self, sim, hosts): down, up, or changed"},
    {"", "timer", "timer(self, sim, timers): timers are due"},
    {"", "marked", "marked(self, sim, names): marks of the scenario"},
    {"", "thought", "thought(self, sim): scheduling time is over"},
    {"", "stalled", "stalled(self, sim): nothing progresses; the last chance to act"},
    {"", "decide", "decide(self, sim): once an ask, after the others"},
    {"", "explain",
     "explain(self) returns a text for the list of who waits for what, when a run ends with work left"},

    // ---- runs ----
    {"scenario.run scenario.start", "policy", "a name, or a policy with its parameters; must be given"},
    {"", "seed", "of all that is drawn in the run, a whole number >= 0 (--seed)"},
    {"", "horizon", "where the run is cut off, s (none)"},
    {"", "warmup", "metrics pass over what finished before, s (0)"},
    {"", "trace", "how much is kept: all, without activities, nothing (\"full\")"},
    {"", "validate", "true: the trace is checked again after the run (--validate)"},
    {"", "information",
     "what policies know of times, a text of one word or more, or { amounts =, rates =, error =, error_seed "
     "=, "
     "age =, sample_period =, running =, overdue = } (\"perfect\")"},
    {"", "metrics", "a list of names of metrics (a choice of them)"},

    // ---- experiments ----
    {"", "factors",
     "{ name = { level, ... } }, or in an order of their own { { \"name\", { level, ... } }, ... }; a level "
     "may have "
     "a name, { \"name\", value }"},
    {"", "replications",
     "a number (1); or, until the intervals of a measure are narrow enough, { measure =, half_width = (a "
     "number or a share, "
     "\"5 %\"), most =, least = (2), confidence = (0.95) }"},
    {"experiment", "run",
     "run(f, seed) computes one cell: returns a result or a table of numbers; must be given"},
    {"", "measure", "a list of the metrics that are kept, or a function that makes a table of numbers (all)"},
    {"", "where", "where(f) says whether a combination is wanted (all are)"},
    {"experiment.compare", "factor", "whose levels are compared"},
    {"experiment.table", "warnings", "true: a column warned, how many of the cells have warnings (false)"},
    {"", "baseline", "the level that others are compared with (the first)"},
    {"", "confidence", "of intervals, between 0 and 1 or \"95 %\" (0.95)"},

    // ---- claims ----
    {"claim", "source", "the publication, and where in it"},
    {"", "says", "what it says"},
    {"", "holds", "whether that holds here"},
    {"claim", "value", "the number found here, in place of holds"},
    {"", "published", "the number that was published"},
    {"", "within", "how far the two may differ, as a share of what was published (0)"},
    {"", "margin", "how far the two may differ (0)"},
    {"", "found", "what was found, for the page on findings (the two numbers)"},
    {"", "verdict", "\"reproduces\", \"does not reproduce\" or \"source in error\"; must be given"},

    // ---- figures ----
    {"", "x", "the column along the horizontal axis"},
    {"", "y", "the column along the vertical axis"},
    {"", "by", "the column, or list of columns, whose values are shown side by side"},
    {"", "kind",
     "of the figure (what suits the columns); of a result \"gantt\", \"utilization\" or \"queue\""},
    {"", "title", "of the figure"},
    {"", "x_label", "in place of the column's name"},
    {"", "y_label", "in place of the column's name"},
    {"", "x_unit", "of the axis; known units are converted"},
    {"", "y_unit", "of the axis; known units are converted"},
    {"", "log_x", "true: a logarithmic axis; values must be positive"},
    {"", "log_y", "true: a logarithmic axis; values must be positive"},
    {"", "bins", "of a histogram: how many"},
    {"", "file", "the name of the files below --out, without .svg (from the columns)"},
    {"", "width", "of the SVG, pixels (640)"},
    {"result.gantt simulation.gantt comparison.gantt gantt chart.gantt", "width", "of the terminal, columns"},
    {"result.gantt simulation.gantt comparison.gantt gantt chart.gantt result.plot", "from",
     "where the chart begins, s (the first event)"},
    {"result.gantt simulation.gantt comparison.gantt gantt chart.gantt result.plot", "to",
     "where it ends, s (the end of the run)"},
    {"result.gantt simulation.gantt comparison.gantt gantt chart.gantt result.plot", "hosts",
     "those that it shows: names of hosts and clusters (all)"},
    {"compare scenario.compare", "names", "a list of what the rows are called, one for each"},
    {"", "height", "of the SVG, pixels (what suits the figure)"},
    {"", "text", "false: nothing is printed (true)"},

    // ---- statistics ----
    {"stats.replicate", "run", "run(i) makes the i-th value"},
    {"", "relative", "the half-width as a share of the mean that is narrow enough (0.05)"},
    {"stats.replicate", "at_least", "values (10)"},
    {"", "at_most", "values (1000)"},
    {"", "type", "of the quantile, 1 to 9 (7)"},
    {"stats.histogram", "edges", "of the bins, ascending"},
    {"", "lambda", "arrivals per second"},
    {"", "mu", "services per second; of the lognormal law the mean of the logarithm"},
    {"", "servers", "their number"},
    {"", "service", "the distribution of service times, in place of mean and sd or second_moment"},
    {"", "second_moment", "of service times, in place of sd"},
    {"stats.time_weighted", "value", "at the start (0)"},
    {"stats.time_weighted", "start", "time at which it begins, s (0)"},
    {"stats.littles_law", "rate", "arrivals per second"},
    {"stats.littles_law", "time", "mean time in the system, s"},
    {"stats.littles_law", "number", "mean number in the system"},
    {"", "mean", "of the values"},
    {"", "sd", "standard deviation"},

    // ---- of sim ----
    {"sim.start sim.post sim.chunk sim.estimate", "first",
     "of a part: where it begins (what nobody has been given)"},
    {"sim.start sim.post sim.chunk sim.estimate", "size", "of a part: runs or units (all of the work)"},
    {"sim.estimate", "start", "when it begins, s (now)"},
    {"sim.start sim.post", "cores", "that it takes (those of the work)"},
    {"", "rank", "a number; lower ones start first (0)"},
    {"", "not_before", "it starts then at the earliest, s (0)"},
    {"", "after", "an activity that has to end before"},
    {"sim.hold", "hosts", "a list of hosts; must be given"},
    {"", "work", "a reservation, which is finished by the end of the hold"},
    {"sim.hold", "from", "when, s (now)"},
    {"sim.hold", "to", "until when, s; must be given"},
    {"", "io_until", "until then the link of the first host's cluster is held too, s"},
    {"", "phase", "of the instant: before or after the arrivals (\"due\")"},
    {"sim.timer", "keeps_alive", "true: it counts as progress, no call of stalled comes before it (false)"},
    {"sim.timer", "idle", "true: the run may end before it, as for samples (false)"},
};

constexpr Meaning kTerms[] = {
    {"on_failure", "lost", "what is interrupted ends without effect, and is to be done again"},
    {"on_failure", "resumed",
     "what is interrupted waits and goes on where it was, its rest of latency or set-up included"},
    {"on_failure", "restarted",
     "what is interrupted waits and begins anew on the same resource, with set-up or latency"},
    {"information", "amounts",
     "what policies know of the time that work takes and of the size of files: \"true\", \"declared\" or "
     "\"learnt\" "
     "(\"true\")"},
    {"information", "declared", "amounts are what submissions declare"},
    {"information", "learnt",
     "amounts are what submissions declare, times the ratio of truth to it observed so far"},
    {"information", "rates",
     "what policies know of availability, bandwidth and latency: \"perfect\", \"nominal\", \"current\", "
     "\"mean\" or a "
     "forecast (\"perfect\"; \"nominal\" unless amounts are true)"},
    {"information", "perfect", "rates are the profiles that are installed, future included"},
    {"information", "nominal", "hosts have the speed that was announced, links stay as they are now"},
    {"information", "current", "rates stay as they are now, or were `age` ago"},
    {"information", "mean", "rates are those of the profile in the long run"},
    {"information", "last run_avg sw_avg median exp quantile adapt_mse adapt_mae",
     "a forecast of rates from measurements, as by stats.forecast"},
    {"information", "error",
     "each estimated duration is multiplied by 1 + error (2u - 1), with u drawn from 0 to 1 (0)"},
    {"information", "error_seed", "of what the errors are drawn from (the run's seed)"},
    {"information", "age", "measurements younger than that are not known, s (0)"},
    {"information", "sample_period", "between measurements for a forecast, s (5)"},
    {"information", "running",
     "how the end of what runs is foretold: \"estimate\" or \"progress\" (\"estimate\")"},
    {"information", "progress",
     "what runs ends by what it has not done yet, not by the estimate for its start"},
    {"information", "overdue", "from now, the end of what should have ended, s (10; 0 with nominal rates)"},
    {"a profile", "every", "the length of each of its values, which repeat, s"},
    {"a profile", "period", "after which its values repeat, s (never)"},
};

}  // namespace

bool has_word(std::string_view words, std::string_view word) {
  if (words == word) return true;
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::string chain_of(const Word& word) {
  return word.owner.empty() ? std::string(word.name) : std::string(word.owner) + "." + std::string(word.name);
}

std::string text_of(const host::FieldRow& field) {
  constexpr std::string_view kDefault = "{default}";
  std::string text(field.meaning);
  const std::size_t at = text.find(kDefault);
  if (at == text.npos) return text;
  std::string value;
  if (const auto* flag = std::get_if<bool>(&field.fallback)) value = *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&field.fallback)) value = format_number(*number);
  if (const auto* words = std::get_if<std::string_view>(&field.fallback))
    value = fmt::format("\"{}\"", *words);
  return text.replace(at, kDefault.size(), value);
}

std::string meaning_of(std::string_view owner, std::string_view field) {
  if (const Word* word = word_of_chain(owner))
    for (const host::FieldRow& row : word->fields.rows)
      if (row.name == field) return text_of(row);
  std::string_view otherwise;
  for (const Meaning& meaning : meanings()) {
    if (meaning.name != field) continue;
    if (meaning.of.empty()) otherwise = meaning.text;
    if (!meaning.of.empty() && has_word(meaning.of, owner)) return std::string(meaning.text);
  }
  return std::string(otherwise);
}

std::string field_meaning(std::string_view type, std::string_view field) {
  if (type == "result")
    if (const std::string_view metric = metric_meaning(field); !metric.empty()) return std::string(metric);
  if (type == "process") return field_meaning("state", field);  // a process sees the state
  if (const Word* word = find_word(type, field)) return std::string(word->summary);
  return meaning_of(type, field);
}

std::span<const Meaning> meanings() {
  static const std::vector<Meaning> kMeanings = [] {
    std::vector<Meaning> all(std::begin(kMeaningsOfFields), std::end(kMeaningsOfFields));
    all.insert(all.end(), kMeaningsOfMembers.begin(), kMeaningsOfMembers.end());
    return all;
  }();
  return kMeanings;
}

std::span<const Meaning> terms() { return kTerms; }

}  // namespace perigee::language

// Meanings of the fields of tables that words take.
#include <fmt/format.h>

#include <iterator>
#include <variant>
#include <vector>

#include "interpreter/language/fields/runs.h"
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
    {"", "place", "place(c, task, args) returns the machine (the one that completes the task first)"},
    {"", "pure",
     "true: the key depends on nothing but the task, its best and second, on a Gantt chart its completions "
     "in "
     "the clusters too, and is asked for only when these change (false)"},
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

    // ---- statistics ----
    {"", "confidence", "of intervals, between 0 and 1 or \"95 %\" (0.95)"},
    {"stats.replicate", "run", "run(i) makes the i-th value"},
    {"", "relative", "the half-width as a share of the mean that is narrow enough (0.05)"},
    {"stats.replicate", "at_least", "values (10)"},
    {"", "at_most", "values (1000)"},
    {"", "type", "of the quantile, 1 to 9 (7)"},
    {"", "bins", "of a histogram: how many"},
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
};

constexpr Meaning kTerms[] = {
    {"on_failure", "lost", "what is interrupted ends without effect, and is to be done again"},
    {"on_failure", "resumed",
     "what is interrupted waits and goes on where it was, its rest of latency or set-up included"},
    {"on_failure", "restarted",
     "what is interrupted waits and begins anew on the same resource, with set-up or latency"},
    {"information", "declared", "amounts are what submissions declare"},
    {"information", "learnt",
     "amounts are what submissions declare, times the ratio of truth to it observed so far"},
    {"information", "perfect", "rates are the profiles that are installed, future included"},
    {"information", "nominal", "hosts have the speed that was announced, links stay as they are now"},
    {"information", "current", "rates stay as they are now, or were `age` ago"},
    {"information", "mean", "rates are those of the profile in the long run"},
    {"information", "last run_avg sw_avg median exp quantile adapt_mse adapt_mae",
     "a forecast of rates from measurements, as by stats.forecast"},
    {"information", "progress",
     "what runs ends by what it has not done yet, not by the estimate for its start"},
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

std::span<const Meaning> terms() {
  static const std::vector<std::string> kTexts = [] {
    std::vector<std::string> texts;
    for (const host::FieldRow& row : information_fields::kAll) texts.push_back(text_of(row));
    return texts;
  }();
  static const std::vector<Meaning> kAllTerms = [] {
    std::vector<Meaning> all(std::begin(kTerms), std::end(kTerms));
    for (std::size_t i = 0; i < kTexts.size(); ++i)
      all.push_back({"information", information_fields::kAll[i].name, kTexts[i]});
    return all;
  }();
  return kAllTerms;
}

}  // namespace perigee::language

#include "interpreter/experiments/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/quantity.h"
#include "runtime/kernel/random.h"
#include "runtime/statistics/interval.h"

namespace perigee::experiments {

std::string text_of(const Cell& level) {
  if (const auto* number = std::get_if<double>(&level)) return format_number(*number);
  if (const auto* truth = std::get_if<bool>(&level)) return *truth ? "true" : "false";
  const auto* text = std::get_if<std::string>(&level);
  return text != nullptr ? *text : std::string();
}

std::string Design::levels_text(std::size_t combination) const {
  std::string out;
  for (std::size_t f = 0; f < factors.size(); ++f)
    out += fmt::format("{}{} = {}", f > 0 ? ", " : "", factors[f].name, text_of(level(combination, f)));
  return out;
}

std::string Design::levels_key(std::size_t combination) const {
  std::vector<std::string> each;
  for (std::size_t f = 0; f < factors.size(); ++f)
    each.push_back(fmt::format("{}={}", factors[f].name, level_keys.at(f).at(combinations[combination][f])));
  std::sort(each.begin(), each.end());  // `run` gets levels by name, so their order does not matter
  return hash_text(fmt::format("{}", fmt::join(each, " ")));
}

std::string Design::cell_text(std::uint64_t cell) const {
  const std::string levels = levels_text(combination_of(cell));
  const std::uint64_t replication = replication_of(cell);
  return fmt::format("cell {} ({}{}replication {}, seed {})", cell, levels, levels.empty() ? "" : ", ",
                     replication, seed_of(replication));
}

std::uint64_t Design::seed_of(std::uint64_t replication) const {
  if (seed_of_cells) return *seed_of_cells;
  const std::uint64_t experiment =
      SplitMix64::mix(seed ^ hash_name("experiment " + (seeds.empty() ? name : seeds)));
  return SplitMix64::mix(experiment + replication * 0x9E3779B97F4A7C15u) >> 12;
}

bool Design::same_as(const Design& other) const {
  const auto same_factor = [](const Factor& a, const Factor& b) {
    return a.name == b.name && a.levels == b.levels;
  };
  return name == other.name && std::ranges::equal(factors, other.factors, same_factor) &&
         combinations == other.combinations && replications == other.replications && seed == other.seed &&
         seeds == other.seeds && seed_of_cells == other.seed_of_cells && context == other.context;
}

std::string Design::digest() const {
  std::string all;
  const auto add = [&](std::string_view text) { all += fmt::format("{}:{}", text.size(), text); };
  add(name);
  for (const Factor& factor : factors) {
    add(factor.name);
    for (const Cell& level : factor.levels) {
      const auto* number = std::get_if<double>(&level);
      add(fmt::format("{} {}", level.index(),
                      number != nullptr ? fmt::format("{}", *number) : text_of(level)));
    }
  }
  for (const auto& combination : combinations)
    for (const std::uint32_t level : combination) all += fmt::format("{} ", level);
  add(fmt::format("{} {} {} {} {} {}", replications.least, replications.most, replications.half_width,
                  replications.relative, replications.confidence, seed));
  add(replications.measure);
  add(seeds);
  if (seed_of_cells) add(fmt::format("{}", *seed_of_cells));
  add(context);
  return hash_text(all);
}

const double* CellOutcome::find(std::string_view measure) const {
  if (failed()) return nullptr;
  const auto at = std::find(names->begin(), names->end(), measure);
  return at == names->end() ? nullptr : &values[static_cast<std::size_t>(at - names->begin())];
}

namespace {

// The replications of a combination so far: the values of the measure that decides on their number.
struct Sample {
  std::vector<double> values;
  std::uint64_t done = 0;
};

std::vector<Sample> samples_of(const Design& design, const CellOutcomes& outcomes) {
  std::vector<Sample> samples(design.combinations.size());
  for (const auto& [number, outcome] : outcomes) {
    Sample& sample = samples[design.combination_of(number)];
    ++sample.done;
    if (const double* value = outcome.find(design.replications.measure);
        value != nullptr && std::isfinite(*value))
      sample.values.push_back(*value);
  }
  return samples;
}

double target_of(const Replications& rule, const Interval& interval) {
  return rule.relative ? rule.half_width * std::fabs(interval.mean) : rule.half_width;
}

bool is_precise(const Replications& rule, const std::vector<double>& values) {
  if (values.size() < 2) return false;
  const Interval interval = student_interval(values, rule.confidence);
  return interval.half_width <= target_of(rule, interval);
}

// The number of replications that a combination shall have.
std::uint64_t wanted(const Replications& rule, const Sample& sample) {
  const std::uint64_t done = sample.done;
  if (sample.values.size() < 2) return std::min(rule.most, done + rule.least);
  const Interval interval = student_interval(sample.values, rule.confidence);
  const double target = target_of(rule, interval);
  if (interval.half_width <= target) return done;
  // The number that this deviation asks for, but no more than twice as many at a time.
  const auto n = static_cast<double>(done);
  const double ratio = interval.half_width / target;
  const double estimate = target > 0 ? n * ratio * ratio : 2 * n;
  const auto next = static_cast<std::uint64_t>(std::ceil(std::clamp(estimate, n + 1, 2 * n)));
  return std::min(rule.most, next);
}

}  // namespace

std::vector<std::uint64_t> next_round(const Design& design, const CellOutcomes& outcomes) {
  const Replications& rule = design.replications;
  const std::size_t combinations = design.combinations.size();
  std::vector<std::uint64_t> cells;
  if (outcomes.empty()) {
    for (std::uint64_t r = 1; r <= rule.least; ++r)
      for (std::size_t c = 0; c < combinations; ++c) cells.push_back(design.number(c, r));
    return cells;
  }
  if (rule.least == rule.most) return cells;
  const std::vector<Sample> samples = samples_of(design, outcomes);
  const std::vector<std::string>* measures = nullptr;
  bool is_measured = false;
  for (const auto& [number, outcome] : outcomes) {
    if (!outcome.failed()) measures = outcome.names.get();
    is_measured = is_measured || outcome.find(rule.measure) != nullptr;
  }
  if (measures != nullptr && !is_measured)
    fail_at(design.where, "unknown_measure", "experiment '{}': replications: no cell has the measure '{}'{}",
            design.name, rule.measure, did_you_mean(rule.measure, *measures));
  for (std::size_t c = 0; c < combinations; ++c)
    for (std::uint64_t r = samples[c].done + 1, last = wanted(rule, samples[c]); r <= last; ++r)
      cells.push_back(design.number(c, r));
  std::sort(cells.begin(), cells.end());
  return cells;
}

std::vector<std::string> imprecise(const Design& design, const CellOutcomes& outcomes) {
  std::vector<std::string> found;
  const Replications& rule = design.replications;
  if (rule.least == rule.most) return found;
  const std::vector<Sample> samples = samples_of(design, outcomes);
  for (std::size_t c = 0; c < samples.size(); ++c) {
    const std::vector<double>& values = samples[c].values;
    if (is_precise(rule, values)) continue;
    const std::string half_width =
        values.size() < 2 ? "with fewer than two values"
                          : "+- " + short_number(student_interval(values, rule.confidence).half_width);
    const std::string levels = design.levels_text(c);
    found.push_back(levels.empty() ? half_width : fmt::format("{} ({})", levels, half_width));
  }
  return found;
}

void warn_of_same_seeds(const Design& design, CellOutcomes& outcomes) {
  struct Alike {
    const CellOutcome* first = nullptr;
    std::size_t cells = 0;
    std::string seeds;
    bool all = true;
  };
  const auto seeds_of = [](const CellOutcome& outcome) {
    std::vector<std::string> seeds;
    for (const CellOutcome::Read& read : outcome.reads)
      if (read.kind == CellOutcome::Read::Kind::seed) seeds.push_back(read.name);
    return fmt::format("{}{}", seeds.size() == 1 ? "seed " : "seeds ", fmt::join(seeds, ", "));
  };
  const auto same_value = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  std::vector<Alike> combinations(design.combinations.size());
  for (const auto& [number, outcome] : outcomes) {
    Alike& alike = combinations[design.combination_of(number)];
    if (outcome.failed() || !alike.all) continue;
    ++alike.cells;
    if (alike.first == nullptr) {
      alike.first = &outcome;
      alike.seeds = seeds_of(outcome);
      alike.all = alike.seeds != "seeds ";
    } else {
      alike.all = *outcome.names == *alike.first->names && seeds_of(outcome) == alike.seeds &&
                  std::ranges::equal(outcome.values, alike.first->values, same_value);
    }
  }
  for (auto& [number, outcome] : outcomes) {
    const Alike& alike = combinations[design.combination_of(number)];
    if (alike.all && alike.cells > 1 && !outcome.failed())
      outcome.warnings.push_back(
          {fmt::format("the same measures as in all other replications, with the {} in place of the one that "
                       "run(f, seed) is given: the script names it, or forks a simulation that has it",
                       alike.seeds),
           0});
  }
}

}  // namespace perigee::experiments

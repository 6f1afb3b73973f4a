// Source: slurm.conf(5), release 26.05, SchedulerParameters of sched/backfill: names and defaults of the preset "slurm".
#include "runtime/schedulers/batch/backfill_settings.h"

#include <string>
#include <string_view>
#include <utility>

#include "runtime/schedulers/choices.h"

namespace perigee::batch {
namespace {

constexpr std::pair<std::string_view, BackfillSettings::Ranking> kRankings[] = {
    {"arrival", BackfillSettings::Ranking::arrival},
    {"shortest", BackfillSettings::Ranking::shortest},
    {"smallest", BackfillSettings::Ranking::smallest},
    {"largest", BackfillSettings::Ranking::largest}};

// Numbers that may be "all", and have another default in the preset.
class PresetReader {
 public:
  explicit PresetReader(const Arguments& given) : given_(given) {}
  std::size_t count(std::string_view name, std::size_t slurms) const {
    if (given_.is(name, "all")) return BackfillSettings::kAll;
    if (given_.has(name)) return static_cast<std::size_t>(given_.number(name));
    return given_.is("preset", "slurm") ? slurms : BackfillSettings::kAll;
  }
  Seconds time(std::string_view name, Seconds otherwise, Seconds slurms) const {
    if (given_.is(name, "all")) return kNever;
    if (given_.has(name)) return given_.number(name);
    return given_.is("preset", "slurm") ? slurms : otherwise;
  }
  bool is_set(std::string_view name) const {
    return given_.has(name) ? given_.flag(name) : !given_.is("preset", "slurm");
  }

 private:
  const Arguments& given_;
};

}  // namespace

std::vector<Parameter> backfill_parameters() {
  constexpr double kMostWorks = 1e9;
  const auto count = [](std::string name, double least, std::string summary) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::integer,
                     .summary = std::move(summary),
                     .min = least,
                     .max = kMostWorks,
                     .words = {"all"}};
  };
  const auto time = [](std::string name, std::string summary) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::quantity,
                     .summary = std::move(summary),
                     .min = 0,
                     .unit = Dimension::seconds,
                     .open_max = true};
  };
  const auto optional = [](Parameter parameter) {
    parameter.optional = true;
    return parameter;
  };
  const auto all = [](Parameter parameter) {
    parameter.fallback = std::string("all");
    return parameter;
  };
  Parameter min_age = time("min_age", "who waits for less long is promised nothing");
  min_age.fallback = 0.0;
  Parameter window =
      optional(time("window", "who could not start that soon is passed over (\"all\"; slurm: 1 d)"));
  window.words = {"all"};
  return {
      {.name = "preset",
       .type = ParameterType::choice,
       .summary = "whose defaults hold for what is not given",
       .fallback = std::string("none"),
       .choices = {"none", "slurm"}},
      {.name = "priority",
       .type = ParameterType::choice,
       .summary = "who is first: by arrival, predicted time, fewest or most cores; of a function, the larger",
       .fallback = std::string("arrival"),
       .choices = names_of(kRankings),
       .function = "sim, work"},
      all(count("reserve", 0, "so many of each queue are promised a time in a pass")),
      std::move(min_age),
      optional(count("depth", 1, "works looked at in a pass (\"all\"; slurm: 500)")),
      std::move(window),
      optional(time("interval", "a pass at its multiples; 0: at every event (0; slurm: 30 s)")),
      optional(count("main_depth", 1,
                     "works started at most, in order, at an event between passes (\"all\"; slurm: 100)")),
      optional(time("resolution", "ends are rounded up to its multiples, starts down (0; slurm: 60 s)")),
      all(count("max_start", 1, "works started at most in a pass")),
      all(count("max_user", 1, "works of a user looked at in a pass")),
      optional(
          {.name = "licences",
           .type = ParameterType::boolean,
           .summary =
               "false: who lacks a licence now is passed over; true: they are planned (true; slurm: false)"}),
      host_parameter(),
      mold_parameter()};
}

BackfillSettings backfill_settings(const Arguments& given) {
  const PresetReader read(given);
  BackfillSettings settings{.host = host_rule(given),
                            .mold = mold_rule(given),
                            .reserve = read.count("reserve", BackfillSettings::kAll),
                            .depth = read.count("depth", 500),
                            .main_depth = read.count("main_depth", 100),
                            .max_start = read.count("max_start", BackfillSettings::kAll),
                            .max_user = read.count("max_user", BackfillSettings::kAll),
                            .min_age = given.number("min_age"),
                            .window = read.time("window", kNever, 86400),
                            .interval = read.time("interval", 0, 30),
                            .resolution = read.time("resolution", 0, 60),
                            .licences = read.is_set("licences"),
                            .preemption = preemption_of(given),
                            .power = power_settings(given)};
  if (given.is_rule("priority"))
    settings.priority = given.rule("priority");
  else
    settings.ranking = value_of(kRankings, given.choice("priority"));
  return settings;
}

}  // namespace perigee::batch

// Source: Berman et al., LIP RR 1999-46, sections 5.3 to 5.6 and 7.4.
#include "runtime/schedulers/grid/planner_settings.h"

#include <algorithm>
#include <array>

namespace perigee::grid {
namespace {

// The words of a choice, in the order of its enumeration.
constexpr std::array kLinks = {"greedy", "strict", "hybrid"};
constexpr std::array kStrategies = {"constant", "deviation", "weighted"};
constexpr std::array kMarginPolicies = {"constant", "interval", "adaptive"};
constexpr std::array kIdleReplans = {"pool", "always", "never"};
constexpr std::array kOrders = {"usage", "listed", "largest", "smallest"};
constexpr std::array kSubsets = {"all", "random", "affinity"};

template <class Enum, std::size_t N>
Enum read(const Arguments& given, std::string_view name, const std::array<const char*, N>& words) {
  return static_cast<Enum>(std::ranges::find(words, given.choice(name)) - words.begin());
}

}  // namespace

std::vector<Parameter> planner_parameters() {
  const auto seconds = [](std::string name, std::string summary, double fallback, bool open = false) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::quantity,
                     .summary = std::move(summary),
                     .fallback = fallback,
                     .min = 0,
                     .unit = Dimension::seconds,
                     .open_min = open};
  };
  const auto choice = [](std::string name, std::string summary, const auto& words) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::choice,
                     .summary = std::move(summary),
                     .fallback = std::string(words.front()),
                     .choices = std::vector<std::string>(words.begin(), words.end())};
  };
  const auto number = [](std::string name, std::string summary, double fallback, double min, double max) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::number,
                     .summary = std::move(summary),
                     .fallback = fallback,
                     .min = min,
                     .max = max};
  };
  const auto flag = [](std::string name, std::string summary) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::boolean,
                     .summary = std::move(summary),
                     .fallback = false};
  };
  const auto count = [](std::string name, std::string summary, double fallback, double min) {
    return Parameter{.name = std::move(name),
                     .type = ParameterType::integer,
                     .summary = std::move(summary),
                     .fallback = fallback,
                     .min = min,
                     .max = 1e9};
  };
  Parameter map{.name = "map",
                .type = ParameterType::chart_mapper,
                .summary = "which task goes first, each to the host that completes it first",
                .fallback = std::string("extended_sufferage")};
  Parameter random = number("random",
                            "tasks and hosts are drawn among those that are this near to the best, relative "
                            "(the randomised heuristics H5 to H8)",
                            0, 0, 1);
  random.fallback = {};
  random.optional = true;
  Parameter planning_time = seconds("planning_time", "that a plan takes", 0);
  planning_time.max = kNever;
  planning_time.open_max = true;
  Parameter margin_shrink =
      number("margin_shrink", "factor of an adaptive margin when a plan has come true", 0.9, 0, 1);
  margin_shrink.open_min = true;
  return {
      map,
      choice(
          "links",
          "when the next in a link's queue is an output that has not been computed: greedy: what is behind "
          "it is sent; strict: the link waits; hybrid: it waits if that will be within `patience`",
          kLinks),
      seconds("patience", "of hybrid links", 10),
      flag("steal", "an idle host takes ready tasks from the queues of its cluster"),
      count("keep", "tasks that each host keeps in its queue when a new plan is made", 0, 0),
      planning_time,
      choice(
          "strategy",
          "the interval between plans: constant; deviation: it grows while plans come true and shrinks when "
          "they do not; weighted: the same, and resources that did not count less",
          kStrategies),
      seconds("interval", "between plans, the first one where it changes", kNever, true),
      seconds("min_interval", "of a changing interval", 5, true),
      seconds("max_interval", "of a changing interval", kNever),
      number("threshold", "the share of wrong predictions up to which a plan has come true", 0.25, 0, 1),
      number("grow", "factor of the interval when a plan has come true", 1.1, 1, kNever),
      number("shrink", "factor of the interval when it has not", 0.5, 0, 1),
      number("weight_gain", "of a resource that was predicted right: what it gains, up to 1", 0.1, 0, 1),
      number("weight_shrink", "factor of the weight of a resource that was predicted wrong", 0.5, 0, 1),
      number("min_weight", "of a resource", 0.1, 0, 1),
      choice(
          "margin_policy",
          "how far a plan goes beyond the next one: constant; interval: as long again; adaptive: `margin`, "
          "which shrinks while plans come true and grows when they do not",
          kMarginPolicies),
      seconds("margin", "how far a plan goes beyond the next one", 0),
      number("margin_grow", "factor of an adaptive margin when a plan has not come true", 2, 1, 1e6),
      margin_shrink,
      choice("stop",
             "a plan ends when each host has a task beyond the next "
             "plan and margin; never: when all tasks are planned",
             std::array{"horizon", "never"}),
      number("count", "a plan ends after so many tasks for each host, at the latest; 0: no such end", 0, 0,
             kNever),
      choice("replan", "which changes of hosts make a plan at once",
             std::array{"add", "none", "remove", "both"}),
      choice("idle_replan",
             "an idle host with an empty queue asks for a plan when "
             "there is a task in no queue; always: or in any queue",
             kIdleReplans),
      choice("completion", "of a task: when its outputs are at home, or when it has been computed",
             std::array{"output", "compute"}),
      choice("order",
             "in which the files of a task are sent: those that most tasks need first, as listed, or by size",
             kOrders),
      choice("subset", "which tasks a plan is made of: all, or `subset_size` at random or that share files",
             kSubsets),
      count("subset_size", "of the tasks a plan is made of", 100, 1),
      seconds("overdue", "from now, the end of what should have ended already", 10),
      random,
  };
}

PlannerSettings planner_settings(const Arguments& given) {
  using S = PlannerSettings;
  const std::string& replan = given.choice("replan");
  return {.links = read<S::Links>(given, "links", kLinks),
          .patience = given.number("patience"),
          .steal = given.flag("steal"),
          .keep = static_cast<std::size_t>(given.number("keep")),
          .planning_time = given.number("planning_time"),
          .strategy = read<S::Strategy>(given, "strategy", kStrategies),
          .interval = given.number("interval"),
          .min_interval = given.number("min_interval"),
          .max_interval = given.number("max_interval"),
          .threshold = given.number("threshold"),
          .grow = given.number("grow"),
          .shrink = given.number("shrink"),
          .weight_gain = given.number("weight_gain"),
          .weight_shrink = given.number("weight_shrink"),
          .min_weight = given.number("min_weight"),
          .margin_policy = read<S::MarginPolicy>(given, "margin_policy", kMarginPolicies),
          .margin = given.number("margin"),
          .margin_grow = given.number("margin_grow"),
          .margin_shrink = given.number("margin_shrink"),
          .to_horizon = given.choice("stop") == "horizon",
          .count = given.number("count"),
          .replan_on_add = replan == "add" || replan == "both",
          .replan_on_remove = replan == "remove" || replan == "both",
          .idle_replan = read<S::IdleReplan>(given, "idle_replan", kIdleReplans),
          .until_home = given.choice("completion") == "output",
          .order = read<S::Order>(given, "order", kOrders),
          .subset = read<S::Subset>(given, "subset", kSubsets),
          .subset_size = static_cast<std::size_t>(given.number("subset_size")),
          .overdue = given.number("overdue"),
          .random = given.has("random") ? std::optional(given.number("random")) : std::nullopt};
}

}  // namespace perigee::grid

// Parametric list scheduling: the parts of which list schedulers are made, put together at will.
//
// Source: Coleman, Agrawal, Hirani, Krishnamachari 2024 (arXiv 2403.07112).
// Cost: that of the parts, O(T^2 M) for T tasks, M machines. Ties: lowest task, lowest machine.
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/choices.h"
#include "runtime/schedulers/workflow/list_scheduler.h"
#include "runtime/schedulers/workflow/rank_parameters.h"

namespace perigee::workflow {
namespace {

constexpr std::array<std::pair<std::string_view, ListChoice>, 5> kListChoices{
    {{"finish", ListChoice::finish},
     {"start", ListChoice::start},
     {"time", ListChoice::time},
     {"free", ListChoice::free},
     {"finish_plus_oct", ListChoice::finish_plus_oct}}};

ListSettings list_settings(const Arguments& given) {
  ListSettings settings;
  if (given.is_rule("priority"))
    settings.priority_rule = given.rule("priority");
  else
    settings.priority = value_of(kListPriorities, given.choice("priority"));
  if (given.is_rule("choose"))
    settings.choose_rule = given.rule("choose");
  else
    settings.choose = value_of(kListChoices, given.choice("choose"));
  settings.fit = given.flag("insertion") ? GraphFit::insertion : GraphFit::append;
  settings.pin_critical_path = given.choice("pin") == "critical_path";
  if (given.choice("select") == "sufferage") settings.top = static_cast<std::size_t>(given.number("top"));
  settings.ranks = rank_options(given);
  return settings;
}

}  // namespace

Entry list_schedule() {
  return {
      .name = "list_schedule",
      .family = Family::workflow,
      .role = Role::graph,
      .summary = "a list scheduler of parts: priority, machine, gaps, pinned tasks, selection",
      .source = "Coleman, Agrawal, Hirani, Krishnamachari 2024 (arXiv 2403.07112)",
      .complexity = "O(T^2 M)",
      .ties = "lowest task, then lowest machine",
      .parameters = with_rank_parameters(
          {{.name = "priority",
            .type = ParameterType::choice,
            .summary = "which ready task comes first: the greatest, but of alap and topological the least",
            .fallback = "upward_rank",
            .choices = names_of(kListPriorities),
            .function = "c, task"},
           {.name = "choose",
            .type = ParameterType::choice,
            .summary = "what is least on its machine",
            .fallback = "finish",
            .choices = names_of(kListChoices),
            .function = "c, task, machine"},
           {.name = "insertion",
            .type = ParameterType::boolean,
            .summary = "a task may go into a gap between others",
            .fallback = true},
           {.name = "pin",
            .type = ParameterType::choice,
            .summary = "tasks that go to the machine that is fastest for all of them",
            .fallback = "none",
            .choices = {"none", "critical_path"}},
           {.name = "select",
            .type = ParameterType::choice,
            .summary =
                "the first by priority; or, of the first `top`, the one that loses most on its second machine",
            .fallback = "priority",
            .choices = {"priority", "sufferage"}},
           {.name = "top",
            .type = ParameterType::integer,
            .summary = "ready tasks among which sufferage selects",
            .fallback = 2.0,
            .min = 1}}),
      .make_graph_scheduler = [](const Arguments& given) {
        return std::make_unique<ListScheduler>(list_settings(given));
      }};
}

}  // namespace perigee::workflow

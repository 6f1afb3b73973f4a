// The words for problems of task graphs, and the methods of these.
#include "interpreter/language/fields/graph_problems.h"
#include "interpreter/language/fields/scripts.h"
#include "interpreter/language/words/families.h"

namespace perigee::language {

namespace {

constexpr std::string_view kProblem = "graph problem";

constexpr Word kAllWordsOfGraphCosts[] = {
    {"cost",
     "graph",
     "cost.graph { times = { { 3, 5 }, { 2, 2 } }, edges = { { 1, 2, 10 } } }, cost.graph(g, platform)",
     "a problem of the textbook model: ranks, and a schedule under construction",
     graph_problem_fields::kOwn,
     {.returns = kProblem,
      .fails =
          "the graph has no times by host, and there is no platform; numbers and sizes do not go together",
      .example =
          R"(local c = cost.graph { times = { { 3, 5 }, { 2, 2 }, { 4, 1 } }, edges = { { 1, 2, 10 }, { 1, 3, 4 } } }
print(c:upward_rank(1), c:place(1, 1), c:finish(3, 2), schedule("heft", c).makespan))"}},
    {"cost",
     "sub_deadlines",
     "cost.sub_deadlines(problem, deadline [, { computation = \"median\" }])",
     "when each task must end, so that in the mean those behind it keep the deadline of all; of a graph with times by "
     "host too, s",
     graph_problem_fields::kRank,
     {.returns = "number[]",
      .fails = "it is neither a graph problem nor a graph with times by host",
      .example =
          R"(local c = cost.graph { times = { { 3, 5 }, { 2, 2 }, { 4, 1 } }, edges = { { 1, 2, 10 }, { 1, 3, 4 } } }
print(table.concat(cost.sub_deadlines(c, 20), " ")))"}},
    {"",
     "schedule",
     "schedule(scheduler, problem [, { seed = n }])",
     "asks a graph scheduler: host, start and finish by task, order of placing, makespan",
     graph_problem_fields::kSchedule,
     {.returns =
          "{ host: (integer|false)[], start: (number|false)[], finish: (number|false)[], order: integer[], "
          "makespan: number }",
      .fails = "no such graph scheduler, nor a mapper that could stand for one",
      .example =
          R"(local c = cost.graph(graph.fork_join { width = 3, ops = 5, size = 2 }, platform { cluster "c" { nodes = 2 } })
for _, name in ipairs { "heft", "peft", "min_min" } do print(name, schedule(name, c).makespan) end)"}},
    {"graph problem",
     "script",
     "c:script([{ name = \"c\" }])",
     "a text of Lua that makes it again, without what is placed",
     script_fields::kProblem,
     {.returns = "string",
      .fails =
          "cost.graph does not make such a problem: several files between two tasks, inputs that no task makes"}},
    {"graph problem", "tasks", "c:tasks()", "their number"},
    {"graph problem", "machines", "c:machines()", "their number: cores of hosts"},
    {"graph problem", "predecessors", "c:predecessors(task)", "the tasks that it waits for, ascending"},
    {"graph problem", "successors", "c:successors(task)", "the tasks that wait for it, ascending"},
    {"graph problem", "bytes", "c:bytes(from, to)", "of all files on that edge, B; nil = there is no edge"},
    {"graph problem", "time", "c:time(task, machine)", "s; math.huge = it cannot run there"},
    {"graph problem", "transfer", "c:transfer(from, to, machine, machine)",
     "how long the data of that edge takes from the one machine to the other, s"},
    {"graph problem", "mean_time", "c:mean_time(task [, \"median\"])",
     "over the machines that can run it: mean, median, best or worst, s"},
    {"graph problem", "mean_transfer", "c:mean_transfer(from, to [, \"median\"])",
     "over pairs of machines: mean, median, best or worst, s; \"rates\": at mean latency and bandwidth"},
    {"graph problem", "upward_rank", "c:upward_rank(task [, { computation = \"median\" }])",
     "the longest way from its start to the end, by means; the same as the b-level, s",
     graph_problem_fields::kRank},
    {"graph problem", "downward_rank", "c:downward_rank(task [, { computation = \"median\" }])",
     "the longest way from the beginning to its start, by means; the same as the t-level, s",
     graph_problem_fields::kRank},
    {"graph problem", "static_level", "c:static_level(task)", "its upward rank without communication, s"},
    {"graph problem", "alap", "c:alap(task [, { computation = \"median\" }])",
     "the longest upward rank minus its own: its latest start, s", graph_problem_fields::kRank},
    {"graph problem",
     "critical_path",
     "c:critical_path([{ computation = \"median\" }])",
     "the tasks from an entry to an exit whose ranks together are greatest, and its length, s",
     graph_problem_fields::kRank,
     {.returns = "integer[], number"}},
    {"graph problem", "oct", "c:oct(task, machine)", "optimistic cost: what is left behind it at least, s"},
    {"graph problem", "bil", "c:bil(task, machine)", "best imaginary level: that and its own time, s"},
    {"graph problem", "arrival", "c:arrival(task, machine)",
     "when the data of its predecessors that are placed is there, s"},
    {"graph problem", "start", "c:start(task, machine [, { insertion = false }])",
     "its earliest start there, s", graph_problem_fields::kStart},
    {"graph problem", "finish", "c:finish(task, machine [, { insertion = false }])",
     "its earliest finish there, s", graph_problem_fields::kStart},
    {"graph problem", "completion", "c:completion(task, machine)", "its earliest finish there, s"},
    {"graph problem", "free", "c:free(machine)", "the end of everything that is placed there, s"},
    {"graph problem", "best", "c:best(task)", "its least finish on any machine, s"},
    {"graph problem", "second", "c:second(task)",
     "its least finish on any other machine, s; math.huge = there is none"},
    {"graph problem",
     "best_machine",
     "c:best_machine(task)",
     "where it would finish first; false = nowhere",
     {},
     {.returns = "integer|false"}},
    {"graph problem", "ready_tasks", "c:ready_tasks()", "tasks whose predecessors are placed, ascending"},
    {"graph problem", "waits", "c:waits(task)", "whether it is not placed"},
    {"graph problem",
     "place",
     "c:place(task, machine [, { insertion = false }])",
     "places it there as early as can be; its finish",
     graph_problem_fields::kStart,
     {.fails = "it is placed already, cannot run there, or waits for a task that is not placed"}},
    {"graph problem", "undo", "c:undo()", "takes the last one back; false = there was none"},
    {"graph problem", "copy", "c:copy()", "the same, to try something on", {}, {.returns = kProblem}},
    {"graph problem", "makespan", "c:makespan()", "the last finish of what is placed, s"},
    {"graph problem",
     "host",
     "c:host(task)",
     "the machine on which it is placed; false = none",
     {},
     {.returns = "integer|false"}},
    {"graph problem",
     "planned",
     "c:planned(task)",
     "its start and finish, s; nothing while it is not placed",
     {},
     {.returns = "number, number"}},
    {"graph problem",
     "work",
     "c:work(task)",
     "which work of the run the task is",
     {},
     {.fails = "the problem is not of sim:graph()"}},
    {"graph problem",
     "machine_host",
     "c:machine_host(machine)",
     "the host of which the machine is a core",
     {},
     {.fails = "the problem is neither of sim:graph() nor of cost.graph(g, platform)"}},
    {"graph problem",
     "stream",
     "c:stream()",
     "the heuristic's own random stream",
     {},
     {.returns = "random stream", .fails = "the problem is no heuristic's"}},
};

}  // namespace

constinit const std::span<const Word> kWordsOfGraphCosts = kAllWordsOfGraphCosts;

}  // namespace perigee::language

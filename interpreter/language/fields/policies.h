// The fields of policies and heuristics that scripts write, and of what their callbacks call.
#pragma once

#include <cstddef>
#include <span>

#include "interpreter/host/field_row.h"
#include "interpreter/language/fields/matrices.h"

namespace perigee::language {

namespace policy_fields {

inline constexpr FieldRow kSummary = text_field("summary", "a policy of the script", "a line for listings");
inline constexpr FieldRow kSource = text_field("source", "", "a publication, for listings");
inline constexpr FieldRow kAccepts =
    other_field(
        "accepts",
        "a list of \"tasks\", \"jobs\", \"sweeps\", "
        "\"loads\", \"reservations\", \"files\", "
        "\"several_cores\", \"several_hosts\", \"limits\", \"memory\", \"precedence\" (it is told of tasks that wait for others when they arrive), and of what a policy before it left "
        "\"suspended\", \"off\" ({ \"tasks\" })")
        .of_type("string[]");
inline constexpr FieldRow kAsk = choice_field(
    "ask", "once|phases|each",
    "when the policy is asked: once an instant, after each phase of it, after each event ({default})");
inline constexpr FieldRow kTolerance =
    number_field("tolerance", Dimension::count, {0, 1}, 0,
                 "events within tolerance * max(1, t) of time t are one instant ({default})");
inline constexpr FieldRow kSubmitFirst =
    flag_field("submit_first", false, "true: arrivals come before the ends of the same instant ({default})");
inline constexpr FieldRow kSteps =
    flag_field("steps", false, "true: it is asked at the known steps of profiles too ({default})");
inline constexpr FieldRow kParameters =
    other_field("parameters",
                "{ name = default }: a number, true or false, a list of texts, a mapper, a list of mappers")
        .of_type("table");

// The types of callbacks.
inline constexpr std::string_view kAsked = "fun(self: table, sim: sim)",
                                  kToldWorks = "fun(self: table, sim: sim, works: integer[])",
                                  kToldPieces =
                                      "fun(self: table, sim: sim, works: integer[], hosts: integer[])";

// With the callbacks behind the others.
inline constexpr FieldRow kAll[] = {
    kSummary,
    kSource,
    kAccepts,
    kAsk,
    kTolerance,
    kSubmitFirst,
    kSteps,
    kParameters,
    other_field("begin",
                "begin(self, sim): at the start, or when it takes over; then arrived with what waits")
        .of_type(kAsked),
    other_field("arrived", "arrived(self, sim, works): submissions").of_type(kToldWorks),
    other_field(
        "ready",
        "ready(self, sim, works): the tasks before them have been computed, or there are none (without it, and "
        "without \"precedence\" in accepts, arrived is called only then)")
        .of_type(kToldWorks),
    other_field("finished",
                "finished(self, sim, works, hosts): works; a host is 0 where outputs have come home")
        .of_type(kToldPieces),
    other_field("computed", "computed(self, sim, works, hosts): a piece is done and its work is not finished")
        .of_type(kToldPieces),
    other_field("failed", "failed(self, sim, works, hosts): a piece was lost and is to be done again")
        .of_type(kToldPieces),
    other_field("superseded",
                "superseded(self, sim, works, hosts): another copy has ended first, and this one stops")
        .of_type(kToldPieces),
    other_field("received", "received(self, sim, works, hosts): a chunk of a load has come to its host")
        .of_type(kToldPieces),
    other_field("cut",
                "cut(self, sim, works, hosts): a transfer was lost, and what it carried is to be sent again")
        .of_type(kToldPieces),
    other_field("killed", "killed(self, sim, works): jobs were ended at their limit").of_type(kToldWorks),
    other_field(
        "requeued",
        "requeued(self, sim, works): jobs wait again and go on from a checkpoint, at the end of the line where their "
        "limit was over, else, by sim:requeue or sim:checkpoint, at their old place (without it failed is called)")
        .of_type(kToldWorks),
    other_field("saved", "saved(self, sim, works): dumps of jobs are whole").of_type(kToldWorks),
    other_field("known", "known(self, sim): more is known of outages to come, see sim:windows")
        .of_type(kAsked),
    other_field("host_changed", "host_changed(self, sim, hosts): down, up, or changed")
        .of_type("fun(self: table, sim: sim, hosts: integer[])"),
    other_field("powered", "powered(self, sim, hosts): they are on or off now, see sim:power")
        .of_type("fun(self: table, sim: sim, hosts: integer[])"),
    other_field("timer", "timer(self, sim, timers): timers are due")
        .of_type("fun(self: table, sim: sim, timers: integer[])"),
    other_field("marked", "marked(self, sim, names): marks of the scenario")
        .of_type("fun(self: table, sim: sim, names: string[])"),
    other_field("thought", "thought(self, sim): scheduling time is over").of_type(kAsked),
    other_field("stalled", "stalled(self, sim): nothing progresses; the last chance to act").of_type(kAsked),
    other_field("decide", "decide(self, sim): once an ask, after the others").of_type(kAsked),
    other_field(
        "explain",
        "explain(self) returns a text for the list of who waits for what, when a run ends with work left")
        .of_type("fun(self: table): string?"),
};
inline constexpr std::size_t kFirstCallback = 8;
inline constexpr std::span<const FieldRow> kCallbacks =
    std::span<const FieldRow>(kAll).subspan(kFirstCallback);

}  // namespace policy_fields

namespace heuristic_fields {

using greedy_fields::kPure;
using policy_fields::kParameters;
using policy_fields::kSource;

inline constexpr FieldRow kSummary =
    text_field("summary", "a heuristic of the script", "a line for listings");
inline constexpr FieldRow kPick =
    other_field(
        "pick",
        "pick(c, task, args) returns the key, on a Gantt chart perhaps with a second one, of which among equals "
        "the largest goes first; this, map, choose, rank or schedule must be given")
        .of_type(
            "fun(c: mapping view|gantt chart|graph problem, task: integer, args: table<string, any>): number, "
            "number?");
inline constexpr FieldRow kPlace =
    other_field("place", "place(c, task, args) returns the machine (the one that completes the task first)")
        .of_type(
            "fun(c: mapping view|gantt chart|graph problem, task: integer, args: table<string, any>): "
            "integer");
inline constexpr FieldRow kSmallest =
    flag_field("smallest", false, "true: the smallest key comes first ({default})");
inline constexpr FieldRow kMap =
    other_field("map",
                "map(problem, args) maps all tasks: returns nothing once "
                "they are assigned, or a machine for each, or a mapping")
        .of_type("fun(problem: mapping problem, args: table<string, any>): table?");
inline constexpr FieldRow kChoose =
    other_field("choose",
                "choose(c, args) returns the task that is placed next and "
                "its machine, or nil to end; c is a Gantt chart, "
                "or a mapping problem that can only be looked at")
        .of_type("fun(c: gantt chart|mapping problem, args: table<string, any>): integer?, integer?");
inline constexpr FieldRow kRank =
    other_field(
        "rank",
        "rank(c, task, args) makes it a scheduler of task graphs: returns the priority of a task, asked once "
        "about each; of the ready tasks the one of greatest priority is placed next, and goes where place says")
        .of_type("fun(c: graph problem, task: integer, args: table<string, any>): number");
inline constexpr FieldRow kSchedule =
    other_field(
        "schedule",
        "schedule(c, args) makes it a scheduler of task graphs: places all tasks by c:place, and returns "
        "nothing, or a copy of c on which it has placed them")
        .of_type("fun(c: graph problem, args: table<string, any>): graph problem?");
inline constexpr FieldRow kGraph = flag_field(
    "graph", false,
    "true: with pick, a scheduler of task graphs; pick is asked at each step about the ready tasks "
    "({default}: a mapper, which among ready tasks is one of ready_set)");
inline constexpr FieldRow kInsertion = flag_field(
    "insertion", true,
    "of task graphs: a task may go into a gap between others; false: only behind everything on its machine "
    "({default})");
inline constexpr FieldRow kAll[] = {kSummary, kSource, kPick,     kPlace, kSmallest,  kPure,      kMap,
                                    kChoose,  kRank,   kSchedule, kGraph, kInsertion, kParameters};

}  // namespace heuristic_fields

// The methods of a plan, and sim:allocate.
namespace plan_fields {

inline constexpr FieldRow kHost =
    other_field(
        "host",
        "the rule by which hosts are filled up: \"fastest\", \"first\", \"most_idle\", \"best_fit\", "
        "\"contiguous\", \"fewest_hosts\", \"same_cluster\", \"same_switch\", or a function (sim, work, "
        "hosts) that returns hosts in its order (\"fastest\")")
        .of_type("string|function");
inline constexpr FieldRow kAmong =
    other_field("among", "a list of the hosts that count (all)").of_type("(integer|string)[]");
inline constexpr FieldRow kFrom =
    number_field("from", Dimension::seconds, kNotNegative, {}, "not before then, s (now)");
inline constexpr FieldRow kPlanSize = whole_field(
    "size", {1, 1'000'000'000}, {}, "of a moldable job: so many hosts, or processes (that which ends first)");
inline constexpr FieldRow kAllocate[] = {kHost, kAmong, kPlanSize};
inline constexpr FieldRow kEarliest[] = {kHost, kFrom, kPlanSize};

}  // namespace plan_fields

// The methods of a policy's `sim` take these.
namespace sim_fields {

inline constexpr FieldRow kFirst = number_field("first", Dimension::count, kNotNegative, {},
                                                "of a part: where it begins (what nobody has been given)");
inline constexpr FieldRow kSize =
    number_field("size", Dimension::count, kPositive, {}, "of a part: runs or units (all of the work)");
inline constexpr FieldRow kCores =  // 0: those of the work
    whole_field("cores", {1, 1'000'000'000}, 0, "that it takes (those of the work)");
inline constexpr FieldRow kStart[] = {kFirst, kSize, kCores};

// The start of an estimate is not before the present time.
inline constexpr FieldRow kStartOfEstimate =
    number_field("start", Dimension::seconds, kNotNegative, {}, "when it begins, s (now)");
inline constexpr FieldRow kEstimate[] = {kStartOfEstimate, kFirst, kSize};

inline constexpr FieldRow kRank =
    number_field("rank", Dimension::count, kAnyNumber, 0, "a number; lower ones start first ({default})");
inline constexpr FieldRow kNotBefore = number_field("not_before", Dimension::seconds, kNotNegative, 0,
                                                    "it starts then at the earliest, s ({default})");
inline constexpr FieldRow kAfter =
    other_field("after", "an activity that has to end before").of_type("integer");
inline constexpr FieldRow kFromHost =
    other_field("from", "a host whose cluster it comes from (the one from which it would come first)")
        .of_type("integer");
inline constexpr FieldRow kTransfer[] = {kRank, kNotBefore, kAfter, kFromHost};
inline constexpr FieldRow kPost[] = {kRank, kNotBefore, kAfter, kFirst, kSize, kCores};
inline constexpr FieldRow kChunk[] = {kFirst, kSize, kRank, kNotBefore, kAfter};

inline constexpr FieldRow kHosts =
    other_field("hosts", "a list of hosts").of_type("(integer|string)[]").must_be_given();
inline constexpr FieldRow kWork =
    other_field("work", "a reservation, which is finished by the end of the hold").of_type("integer");
inline constexpr FieldRow kHeldFrom =
    number_field("from", Dimension::seconds, kNotNegative, {}, "when, s (now)");
inline constexpr FieldRow kHeldTo =
    number_field("to", Dimension::seconds, kNotNegative, {}, "until when, s").must_be_given();
inline constexpr FieldRow kIoUntil =
    number_field("io_until", Dimension::seconds, kNotNegative, {},
                 "until then the link of the first host's cluster is held too, s");
inline constexpr FieldRow kHold[] = {kHosts, kWork, kHeldFrom, kHeldTo, kIoUntil, kRank};

inline constexpr FieldRow kPhase =
    choice_field("phase", "due|sample|late", "of the instant: before or after the arrivals ({default})");
inline constexpr FieldRow kKeepsAlive = flag_field(
    "keeps_alive", false, "true: it counts as progress, no call of stalled comes before it ({default})");
inline constexpr FieldRow kIdle =
    flag_field("idle", false, "true: the run may end before it, as for samples ({default})");
inline constexpr FieldRow kTimer[] = {kPhase, kKeepsAlive, kIdle};

inline constexpr FieldRow kRequeue =
    flag_field("requeue", false, "whether it waits again when the dump is whole ({default})");
inline constexpr FieldRow kCheckpoint[] = {kRequeue};

}  // namespace sim_fields

}  // namespace perigee::language

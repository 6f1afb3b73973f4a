// The words that processes have of `sim`.
#include "interpreter/language/fields/events.h"
#include "interpreter/language/fields/work.h"
#include "interpreter/language/words/families.h"

namespace perigee::language {

namespace {

constexpr Word kAllWordsOfProcesses[] = {
    {"process", "wait", "sim:wait(seconds)", "goes on so much later"},
    {"process", "wait_until", "sim:wait_until(t)", "goes on at t"},
    {"process",
     "wait_for",
     "sim:wait_for(function(s) return s.queue > 50 end)",
     "goes on at the end of the first instant at which it holds",
     {},
     {.given = "condition: fun(s: state): boolean"}},
    {"process", "fail", "sim:fail(name [, { announced = true }])",
     "an outage of a host, cluster or link begins", event_fields::kAnnouncedNow},
    {"process", "recover", "sim:recover(name [, { announced = true }])",
     "the outage that a process began, or another one, ends; no reservation does",
     event_fields::kAnnouncedNow},
    {"process", "leave", "sim:leave(name)", "a host or cluster goes"},
    {"process", "join", "sim:join(name [, { cluster = \"name\" }])", "a host or cluster comes back",
     join_fields::kJoinNow},
    {"process", "change", "sim:change(name, { speed = 2 })", "speed, load or bandwidth changes",
     change_fields::kChangeNow},
    {"process", "submit", "sim:submit { time = 60 }, a list of records or a workload",
     "work arrives now, or at its arrival when that is later; returns the number of the first",
     work_fields::kAnyKind},
    {"process", "mark", "sim:mark(name)", "a named moment that the policy is told of"},
    {"process", "note", "sim:note(name, number, ...)", "into the trace"},
    {"process",
     "stream",
     "sim:stream(name)",
     "a random stream of the process's own",
     {},
     {.returns = "random stream"}},
    {"process", "now", "sim:now()", "simulated time, s", {}, {.returns = "number"}},
    {"process", "is_up", "sim:is_up(host)", "as far as the policy was told", {}, {.returns = "boolean"}},
    {"process", "idle_cores", "sim:idle_cores(host)", "cores that a start may take"},
    {"process", "running_on", "sim:running_on(host)",
     "a list of activities in order of start; #sim:running_on(host) is how many, the list equals no number"},
    {"process", "queued_on", "sim:queued_on(host)", "posted activities in order of service"},
    {"process", "activity", "sim:activity(id)",
     "kind, posted, copy, work, first, size, host, cores, started; nil when it is over"},
    {"process", "speed", "sim:speed(host)", "of a core now, op/s"},
    {"process", "is_settled", "sim:is_settled(work)",
     "whether that work, by its number, is finished, rejected, expired or killed"},
    {"process", "queue", "sim.queue, sim.running, ...", "the fields of a simulation's sim.state"},
};

}  // namespace

constinit const std::span<const Word> kWordsOfProcesses = kAllWordsOfProcesses;

}  // namespace perigee::language

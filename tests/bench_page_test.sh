#!/bin/bash
# The page of `./dev bench --page` has a row or a mention for each benchmark of a report, medians of its ratios, and no
# time of the machine.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"
root=${PERIGEE_SOURCE_DIR:?}

cat >report.json <<'END'
{ "context": { "host_name": "secret", "num_cpus": 7777, "mhz_per_cpu": 7777 },
  "benchmarks": [
  { "name": "growth/a/b/iterations:1/repeats:1", "run_name": "growth/a/b/iterations:1/repeats:1",
    "run_type": "iteration", "repetition_index": 0, "iterations": 1, "real_time": 7777.5, "cpu_time": 7777.5,
    "time_unit": "ms", "exponent": 1.984, "floor_exponent": 1.016, "times_floor": 123.4, "times_floor_least": 99.41,
    "times_floor_most": 150.2, "label": "a run of `b` | the least | 100, 200, 400 tasks | 1, 3.97, 15.9" },
  { "name": "engine/c", "run_name": "engine/c/manual_time", "run_type": "iteration", "real_time": 7777.5,
    "cpu_time": 7777.5, "time_unit": "ms", "ns_per_task": 7777.5, "times_queue": 5, "times_tasks": 2,
    "label": "times_queue = the queue alone; times_tasks = the same, with tasks" },
  { "name": "engine/c", "run_name": "engine/c/manual_time", "run_type": "iteration", "real_time": 7777.5,
    "cpu_time": 7777.5, "time_unit": "ms", "ns_per_task": 7777.5, "times_queue": 9, "times_tasks": 3,
    "label": "times_queue = the queue alone; times_tasks = the same, with tasks" },
  { "name": "engine/c", "run_name": "engine/c/manual_time", "run_type": "iteration", "real_time": 7777.5,
    "cpu_time": 7777.5, "time_unit": "ms", "ns_per_task": 7777.5, "times_queue": 6, "times_tasks": 4,
    "label": "times_queue = the queue alone; times_tasks = the same, with tasks" },
  { "name": "engine/c_mean", "run_name": "engine/c/manual_time", "run_type": "aggregate", "aggregate_name": "mean",
    "real_time": 7777.5, "cpu_time": 7777.5, "time_unit": "ms", "times_queue": 6.7, "times_tasks": 3 },
  { "name": "plans", "run_name": "plans", "run_type": "iteration", "real_time": 7777.5, "cpu_time": 7777.5,
    "time_unit": "ns", "times_faster_than_textbook": 31.5, "label": "times_faster_than_textbook = all planned anew" },
  { "name": "alone", "run_name": "alone", "run_type": "iteration", "real_time": 7777.5, "cpu_time": 7777.5,
    "time_unit": "ns" },
  { "name": "late", "run_name": "late", "run_type": "iteration", "error_occurred": true,
    "error_message": "7777.5 s, longer than 0.1 s", "real_time": 7777.5, "cpu_time": 7777.5, "time_unit": "ms" } ] }
END
"$binary" run "$root/tests/bench/page.lua" --data . --set report=report.json >out 2>err || complain "page: $(cat err)"
says out '^\| `growth/a/b` \| a run of `b` \| the least \| 123 \| 99.4 to 150 \| 100, 200, 400 tasks \| 1, 3.97, 15.9 \| 1.98 \| 1.02 \|$' growth
says out '^\| `engine/c` \| the queue alone \| 6 \| 5 to 9 \|$' "the median of repetitions"
says out '^\| `engine/c` \| the same, with tasks \| 3 \| 2 to 4 \|$' "a second floor"
says out '^\| `plans` \| faster than this: all planned anew \| 31.5 \| 31.5 to 31.5 \|$' "a textbook"
says out '^Without anything to compare with: `alone`.$' "a benchmark without a floor"
says out '^Missed a goal of theirs: `late`.$' "a benchmark that failed"
grep -qE '7777|secret|[0-9] ?(ns|us|ms|s)\b' out && complain "a figure of the machine: $(cat out)"

# ---- each growth that the sources declare says what it is measured against
for source in "$root"/tests/bench/*_bench.cpp; do
  declared=$(grep -c '\.measured = ' "$source") floors=$(grep -c '\.floor = ' "$source")
  [ "$declared" -eq "$floors" ] || complain "${source##*/}: $declared growths have $floors floors"
done
exit $((failures > 0))

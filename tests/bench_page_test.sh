#!/bin/sh
# The page of `./dev bench --page` has a row for each ratio and each exponent that the benchmarks report, and no time.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cat >"$folder/results.json" <<'END'
{
  "context": { "host_name": "somewhere", "num_cpus": 2 },
  "benchmarks": [
    {
      "name": "engine/workqueue/16_hosts/iterations:1/repeats:7/manual_time_median",
      "run_name": "engine/workqueue/16_hosts/iterations:1/repeats:7/manual_time",
      "run_type": "aggregate",
      "aggregate_name": "median",
      "real_time": 1.2345e+02,
      "ns_per_task": 1.9e+02,
      "times_queue": 9.5000000000000000e+00,
      "times_tasks": 3.2500000000000000e+00
    },
    {
      "name": "engine/workqueue/16_hosts/iterations:1/repeats:7/manual_time_cv",
      "run_name": "engine/workqueue/16_hosts/iterations:1/repeats:7/manual_time",
      "run_type": "aggregate",
      "aggregate_name": "cv",
      "real_time": 3.0e-02,
      "times_queue": 1.0000000000000000e-02,
      "times_tasks": 2.0000000000000000e-02
    },
    {
      "name": "saving/manual_time",
      "run_name": "saving/manual_time",
      "run_type": "iteration",
      "real_time": 7.0e+02,
      "times_floor": 1.2500000000000000e+01
    },
    {
      "name": "512x16/ties/floor/min_time:0.050/repeats:5_median",
      "run_name": "512x16/ties/floor/min_time:0.050/repeats:5",
      "aggregate_name": "median",
      "cpu_time": 2.0e-01
    },
    {
      "name": "512x16/ties/min_min/min_time:0.050/repeats:5_median",
      "run_name": "512x16/ties/min_min/min_time:0.050/repeats:5",
      "aggregate_name": "median",
      "cpu_time": 5.0e-01
    },
    {
      "name": "growth/jobs/easy/load_2/iterations:1",
      "run_name": "growth/jobs/easy/load_2/iterations:1",
      "run_type": "iteration",
      "real_time": 7.0e+02,
      "10000, ms": 1.5e+01,
      "exponent": 1.0400000000000000e+00
    }
  ]
}
END
awk -f "$root/tests/bench/page.awk" "$folder/results.json" >"$folder/page.md" || exit 1
cat >"$folder/rows" <<'END'
| engine/workqueue/16_hosts | queue | 9.50 | 1 % |
| engine/workqueue/16_hosts | tasks | 3.25 | 2 % |
| saving | floor | 12.50 |  |
| 512x16/ties/min_min | floor | 2.50 | |
| growth/jobs/easy/load_2 | 1.04 |
END
grep '^| [a-z0-9]*/\|^| saving' "$folder/page.md" | diff "$folder/rows" - || { echo 'the page has other rows'; exit 1; }
! grep -q '123\|somewhere\|1\.9e' "$folder/page.md" || { echo 'the page tells times of the machine'; exit 1; }

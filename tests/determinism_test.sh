#!/bin/bash
# The output and saved files of scripts are the same to the byte on another CPU, in another locale, time zone
# and process, whatever the memory held before.
set -u
root=${PERIGEE_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)}
binary=${PERIGEE_BINARY:-$root/build/release/perigee}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >numbers.lua <<'LUA'
local rng = stream("numbers", 7)
local out = {}
local function note(...) for i = 1, select("#", ...) do out[#out + 1] = string.format("%a %s", select(i, ...), tostring((select(i, ...)))) end end
for i = 1, 2000 do
  local x, y = rng:uniform(-20, 20), rng:exponential(3)
  note(math.exp(x), math.log(y), math.log(y, 3), math.sin(x), math.cos(x), math.tan(x), math.atan(x, y), math.asin(x / 20), math.acos(x / 20))
  note(math.sinh(x), math.cosh(x), math.tanh(x), math.erf(x), math.erfc(x), math.gamma(y), math.lgamma(y), math.cbrt(x), math.expm1(x / 20))
  note(math.log1p(y), math.hypot(x, y), math.pow(y, x), y ^ x, math.sqrt(y), math.fmod(x, y), x // y, x % y, x * y + x, math.random())
  note(rng:normal(1, 2), rng:lognormal(3, 1), rng:gamma(0.7, 2), rng:weibull(0.8, 3), rng:pareto(1.5, 1), rng:triangular(0, 1, 3), rng:poisson(40))
end
local shapes = { distribution.gamma { mean = 1000, sd = 5 }, distribution.gamma { shape = 0.3, scale = 2 }, distribution.lognormal { mean = 120, sd = 60 },
  distribution.normal { mean = 100, sd = 15 }, distribution.weibull { shape = 0.7, scale = 3 }, distribution.pareto { shape = 5, minimum = 2 },
  distribution.hyperexponential { probabilities = { 0.3, 0.7 }, means = { 10, 1 } }, distribution.gamma { mean = 100, sd = 50 }:truncated { low = 50 } }
local list, other = {}, {}
for i = 1, 200 do
  for k, d in ipairs(shapes) do
    local x = d:draw(rng)
    note(x, d:cdf(x), d:tail(x), d:density(x), d:quantile(i / 201))
    list[#list + 1], other[#other + 1] = x, k + x
  end
  note(stats.interval({ 1, 5 + i, 7 }, { confidence = i / 201 }).half_width, stats.mmc({ lambda = i / 4, mu = 1, servers = i }).erlang_c)
end
for _, d in ipairs(shapes) do note(d:mean(), d:sd()) end
for _, curve in ipairs { "linear", "quadratic", "exponential" } do
  local f = stats.fit[curve](list, other)
  note(f.r_squared, f.r_squared_log, f:predict(3), table.unpack(f.coefficients))
end
note(stats.summary(list).sd, stats.quantile(list, 0.77), table.unpack(stats.histogram(list).edges))
print(table.concat(out, "\n"))
local t = { [3] = 1, [-1.5] = 1, [2^53] = 1, zebra = 1, ["\u{e9}"] = 1, Zebra = 1, [true] = 1, ["10"] = 1 }
for k, v in pairs(t) do print(k, v, tostring(t), tostring(print)) end
print(("a\u{e9}\xe9B"):upper(), ("\xe9"):find "%a", "b" < "a", "Z" < "a", "\u{e9}" < "z", tonumber "1,5", tonumber "1.5", 1e15, 2^63, -0.0, 1 / 0, 0 / 0)
print(string.format("%.3f %g %e %5.1f %d %q", 1234567.891, 1e-7, 12345.678, 0.05, 1 << 62, 0.1))
local s = scenario {
  platform = platform { cluster "a" { nodes = 5, cores = 2, speed = "1.7 GHz", availability = { values = { 1, 0.3, 0.7 }, every = "10 min" } } },
  workload = workload.tasks(200, function(i, r) return { ops = r:lognormal(3e12, 4e12), arrival = r:gamma(2, 3000) } end),
  events = { failures { all = true, mtbf = "3 h", mttr = "10 min", law = "weibull", shape = 0.7 } },
}
for _, p in ipairs { "fcfs", "workqueue", mapped { map = "sufferage" } } do
  local r = s:run { policy = p, seed = 5 }
  print(r, r.makespan, r.mean_response, r.full_fingerprint)
  r:save((r.policy:gsub("%W", "")))
end
LUA

failures=0
run() {  # NAME VARIABLE=VALUE ...
  local name=$1
  shift
  mkdir -p "$name"
  env "$@" "$binary" run numbers.lua --out "$name/saved" >"$name/out" 2>"$name/err" &&
    env "$@" "$binary" run "$root/scripts/quickstart.lua" --set tasks=200 >>"$name/out" 2>>"$name/err" ||
    { echo "FAILED: $name: exit status $?"; cat "$name/err"; failures=1; }
}
same() {  # NAME: as the plain run
  diff -r plain "$1" >"$1.diff" || { echo "FAILED: $1 differs from a plain run:"; head -20 "$1.diff"; failures=1; }
}

run plain LC_ALL=C TZ=UTC
[ "$(wc -l <plain/out)" -gt 60000 ] || { echo "FAILED: the plain run printed too little"; failures=1; }
run other_cpu LC_ALL=C TZ=UTC GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-AVX512F
same other_cpu
locales=$(locale -a 2>/dev/null | grep -Evx 'C|POSIX' | head -n 3)
if localedef -i de_DE -f UTF-8 "$work/locales.de_DE.UTF-8" >/dev/null 2>&1; then
  mkdir locales && mv locales.de_DE.UTF-8 locales/de_DE.UTF-8
  locales="$locales de_DE.UTF-8"  # 1,5 is a number there
fi
[ -n "$locales" ] || echo "no locale besides C is installed: not tried"
for name in $locales; do
  run "locale.$name" LOCPATH="$([ -d locales/$name ] && echo "$work/locales")" LC_ALL="$name" LANG="$name" LANGUAGE="$name" TZ=UTC
  same "locale.$name"
done
run zone LC_ALL=C TZ=Pacific/Kiritimati
same zone
run surroundings LC_ALL=C TZ=UTC HOME=/nowhere MALLOC_PERTURB_=85 MALLOC_ARENA_MAX=1 FILLER="$(head -c 20000 /dev/zero | tr '\0' x)"
same surroundings
exit "$failures"

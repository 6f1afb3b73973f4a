# Makes the page of `./dev bench --page` of the JSON that Google Benchmark writes: ratios and growth, no times of the
# machine. Each counter that begins with times_ is a ratio: times_floor says how many times the floor a run took.
/"run_name":/ { run = $0; sub(/.*"run_name": "/, "", run); sub(/",$/, "", run); aggregate = "" }
/"aggregate_name":/ { aggregate = $0; sub(/.*"aggregate_name": "/, "", aggregate); sub(/",$/, "", aggregate) }
# A benchmark TASKSxMACHINES/KIND/NAME has TASKSxMACHINES/KIND/floor beside it.
/"cpu_time":/ && (aggregate == "" || aggregate == "median") && run ~ /^[0-9]+x[0-9]+\// {
  time = $0
  sub(/.*: /, "", time)
  times[run] = time + 0
  if (run !~ /\/floor/) mapped[++mappings] = run
}
/"(times_[a-z_]*|exponent)":/ {
  counter = $0
  sub(/^ *"/, "", counter)
  sub(/".*/, "", counter)
  value = $0
  sub(/.*: /, "", value)
  sub(/,$/, "", value)
  if (counter == "exponent") {
    if (!(run in exponent)) grown[++grows] = run
    exponent[run] = value
    next
  }
  key = run SUBSEP counter
  if (!(key in seen)) { seen[key] = 1; of_run[++ratios] = run; of_counter[ratios] = counter }
  if (aggregate == "" || aggregate == "median") median[key] = value
  if (aggregate == "cv") spread[key] = value
}
function row_name(text) {
  sub(/\/iterations:[0-9]+/, "", text)
  sub(/\/repeats:[0-9]+/, "", text)
  sub(/\/min_time:[0-9.]+/, "", text)
  sub(/\/manual_time/, "", text)
  gsub(/\|/, "/", text)
  return text
}
END {
  print "# Measured speed"
  print ""
  print "After this page you know how many times as long as its floor each part of perigee took on this machine, and how its"
  print "time grows. What the floors are, and how to repeat this: docs/speed.md."
  print ""
  print "## Against floors"
  print ""
  print "| measured | against | times as long | spread |"
  print "|---|---|---|---|"
  for (i = 1; i <= ratios; ++i) {
    key = of_run[i] SUBSEP of_counter[i]
    against = of_counter[i]
    sub(/^times_/, "", against)
    gsub(/_/, " ", against)
    printf "| %s | %s | %.2f | %s |\n", row_name(of_run[i]), against, median[key],
           key in spread ? sprintf("%.0f %%", 100 * spread[key]) : ""
  }
  for (i = 1; i <= mappings; ++i) {
    bare = mapped[i]
    split(bare, part, "/")
    sub("/" part[2] "/[^/]*", "/" part[2] "/floor", bare)
    if (times[bare] > 0) printf "| %s | floor | %.2f | |\n", row_name(mapped[i]), times[mapped[i]] / times[bare]
  }
  print ""
  print "## Growth"
  print ""
  print "| measured | exponent |"
  print "|---|---|"
  for (i = 1; i <= grows; ++i) printf "| %s | %.2f |\n", row_name(grown[i]), exponent[grown[i]]
}

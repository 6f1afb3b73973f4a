#!/bin/bash
# docs/surprises.md against docs/verdicts.jsonl: twenty findings, whose claims are rows, with the verdict, script, form and numbers of the rows.
# test: thorough
. "${BASH_SOURCE%/*}/opening.sh"
page=${PERIGEE_SOURCE_DIR:?}/docs/surprises.md
rows=$PERIGEE_SOURCE_DIR/docs/verdicts.jsonl

findings=0 ours=0 claims=0 title="the opening"
prose='' found=''

# The numbers of a finding are those of its rows or of the words of its statements; small whole numbers may be anything.
check_numbers() {
  [ "$title" = "the opening" ] && return
  [ -n "$found" ] || complain "$title: no claim"
  local plain number
  plain=$(sed -E 's/([0-9]),([0-9]{3})/\1\2/g; s/[A-Z0-9]+-[0-9]+//g; s/\((1999|2001|2011)\)//g' <<<"$prose")
  for number in $(grep -oE '[0-9]+(\.[0-9]+)?' <<<"$plain" | sort -u); do
    case $number in ?|??) continue ;; esac
    [[ $found =~ (^|[^0-9.])${number//./\\.}([^0-9]|\.?$|\.[^0-9]) ]] || complain "$title: $number is in none of its rows"
  done
}

while IFS= read -r line; do
  case $line in
    "## "*)
      check_numbers
      findings=$((findings + 1)) title=${line#\#\# } prose='' found=''
      [[ $title == "$findings. "* ]] || complain "$title: its number should be $findings"
      ;;
    "| S"[0-9]-*|"| found here: "*)
      IFS='|' read -r _ claim verdict script _ <<<"$line"
      claim=${claim# } claim=${claim% } verdict=${verdict# } verdict=${verdict% }
      script=${script# \`perigee run scripts/} script=${script%\` }
      form=short
      case $script in *" --set full=true") form=full script=${script% --set full=true} ;; esac
      claims=$((claims + 1))
      case $claim in
        "found here: "*) ours=$((ours + 1)) key="\"source\":\"found here\",\"says\":\"${claim#found here: }\"," ;;
        *) key="\"statement\":\"$claim\"," ;;
      esac
      row=$(grep -F -- "{$key" "$rows") || { complain "$title: there is no row for $claim"; continue; }
      grep -qF "$key\"verdict\":\"$verdict\"" <<<"$row" || complain "$title: the verdict on $claim is not '$verdict' in its row"
      grep -qF "\"script\":\"$script\"" <<<"$row" || complain "$title: the row of $claim is of another script than $script"
      was=short
      grep -qF '"full":"true"' <<<"$row" && was=full
      [ $form = $was ] || complain "$title: the row of $claim is of the $was form, its command of the $form form"
      says=
      case $claim in S*) says=$(sed -n "/number = \"$claim\",/,/ },\$/p" "$PERIGEE_SOURCE_DIR"/scripts/*/statements.lua) ;; esac
      found+="$row $says"
      ;;
    "|"*) ;;
    *) prose+=" $line" ;;
  esac
done <"$page"
check_numbers
for number in $(grep -oE '\bS[0-9]-[0-9]+\b' "$page" | sort -u); do
  grep -qF "{\"statement\":\"$number\"," "$rows" || complain "$number is on the page and has no row"
done
[ $findings -eq 20 ] || complain "there are $findings findings"
[ $ours -ge 8 ] || complain "only $ours claims are found here"
[ $claims -ge 30 ] || complain "only $claims claims were found on the page"
[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))

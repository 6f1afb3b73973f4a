# Completion of `perigee` for bash. Whatever is offered comes from the program itself: its help and its lists.

_perigee_complete() {
  local program=${COMP_WORDS[0]/#\~/$HOME} command=${COMP_WORDS[1]} typed=${COMP_WORDS[COMP_CWORD]}
  local before=${COMP_WORDS[COMP_CWORD-1]} words='' value
  COMPREPLY=()

  local commands
  commands=$("$program" --help 2>/dev/null | awk 'listed && NF { print $1 } /^Subcommands:/ { listed = 1 }')
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$typed")
    return
  fi
  [[ $'\n'$commands$'\n' == *$'\n'"$command"$'\n'* ]] || return

  # The help has a line such as "  --out DIR    the folder"; a flag such as "  -q,--quiet    no output".
  value=$("$program" "$command" --help 2>/dev/null | awk -v option="$before" '
    $1 ~ /^-/ && ("," $1 ",") ~ ("," option ",") && $2 ~ /^[A-Z=]+$/ { print $2 }')
  case $value in
    '') ;;
    DIR)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$typed")
      return ;;
    *) return ;;
  esac

  if [[ $typed == -* ]]; then
    words=$("$program" "$command" --help 2>/dev/null | awk '$1 ~ /^-/ { gsub(/,/, "\n", $1); print $1 }')
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$typed")
    return
  fi
  case $command in
    run | submit | repl | check | findings)
      words=$("$program" list scripts 2>/dev/null | awk '$1 ~ /\.lua$/ { sub(/\.lua$/, "", $1); print $1 }')
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$typed"; compgen -f -X '!*.lua' -- "$typed"; compgen -d -- "$typed")
      return ;;
    replay | kernel)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$typed")
      return ;;
    status | merge | report | new)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$typed")
      return ;;
    paper)
      words=$("$program" list scripts 2>/dev/null | awk '$1 ~ /\/.*\.lua$/ { sub(/\/.*/, "", $1); print $1 }' | sort -u)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$typed"; compgen -d -- "$typed")
      return ;;
    list) words="scripts modules $("$program" list 2>/dev/null | awk 'NR > 2 { print $2 }')" ;;
    describe) words=$("$program" list 2>/dev/null | awk 'NR > 2 { print $1 }') ;;
    help) words="$commands $({ "$program" list; "$program" list modules | sed 1,2d; } 2>/dev/null | awk 'NR > 2 { print $1 }')" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$typed" | sort -u)
}

complete -F _perigee_complete perigee

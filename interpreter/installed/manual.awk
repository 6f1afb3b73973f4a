# awk -v command=C -v version=V -f manual.awk - TEXT: a manual page, made of what `perigee C --help` prints on standard
# input and of TEXT. In TEXT a line `# NAME` begins a section, `# HELP` is the place of what the help lists, and lines
# that are indented by four spaces are shown as they stand.

# roff reads backslashes and hyphens, and what stands first in a line.
function plain(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  return text ~ /^[.']/ ? "\\&" text : text
}

# Words in capitals stand for a value.
function in_fonts(term,  words, i, out) {
  split(term, words, " ")
  for (i = 1; i in words; ++i)
    out = out (i > 1 ? " " : "") (words[i] ~ /^[A-Z=]+$/ ? "\\fI" : "\\fB") plain(words[i]) "\\fR"
  return out
}

# As the help has it: "-h,--help", "script SCRIPT REQUIRED", or the name of a command.
function head_of(section, term) {
  if (section == "Subcommands") return ".BR perigee\\-" plain(term) " (1)"
  gsub(/,/, ", ", term)
  return in_fonts(term)
}

function leave_block() {
  if (shown) print ".EE\n.RE"
  shown = 0
}

function begin_page(  name) {
  name = command == "" ? "perigee" : "perigee-" command
  printf ".TH %s 1 \"\" \"perigee %s\" \"User Commands\"\n", plain(toupper(name)), version
  printf ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", plain(name), plain(summary)
  if (command == "") print ".B perigee\n.I COMMAND\n[\\fIARGUMENT\\fR ...]"
  else printf ".B perigee %s\n[\\fIOPTION\\fR ...]%s\n", plain(command), plain(positionals)
}

function print_help(  i, title) {
  for (i = 1; i <= sections; ++i) {
    title = names[i] == "Subcommands" ? "COMMANDS" : names[i] == "Positionals" ? "ARGUMENTS" : toupper(names[i])
    printf ".SH %s\n%s", title, body[names[i]]
  }
}

# ---- the help
NR == FNR && NR == 1 { summary = $0; sub(/^perigee: /, "", summary); next }
NR == FNR && /^Usage:/ { next }
NR == FNR && /^[A-Z][a-z]*:$/ { section = substr($0, 1, length($0) - 1); names[++sections] = section; next }
NR == FNR && /^  [^ ]/ {
  term = substr($0, 3)
  text = ""
  if (match(term, /  +/)) {
    text = substr(term, RSTART + RLENGTH)
    term = substr(term, 1, RSTART - 1)
  }
  if (section == "Positionals") {
    sub(/^[^ ]+ /, "", term)
    positionals = positionals " " (sub(/ REQUIRED/, "", term) ? term : "[" term "]")
  }
  body[section] = body[section] ".TP\n" head_of(section, term) "\n" (text == "" ? "" : plain(text) "\n")
  next
}
NR == FNR { sub(/^ +/, ""); if ($0 != "") body[section] = body[section] plain($0) "\n"; next }

# ---- the text
FNR == 1 { begin_page() }
/^# HELP$/ { leave_block(); print_help(); next }
/^# / { leave_block(); print ".SH " plain(substr($0, 3)); after_gap = 0; next }
/^    / { if (!shown) print ".PP\n.RS\n.EX"; shown = 1; print plain(substr($0, 5)); next }
/^$/ { leave_block(); after_gap = 1; next }
{ if (after_gap) print ".PP"; after_gap = 0; print plain($0) }
END { leave_block() }

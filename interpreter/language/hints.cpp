#include "interpreter/language/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>

#include "interpreter/host/words.h"
#include "interpreter/language/vocabulary.h"

namespace perigee::language {

namespace {

// Both are regular expressions: of the message, and of the line's tokens with a blank between them, texts
// as "". The first hint that fits is given; $1 is what the first group of the message's holds.
struct WordHint {
  const char *said, *written, *text;
};

constexpr const char* kSyntax = " near ";
constexpr const char* kEndOfScript =
    "a script ends with its last line; return, outside of functions, ends it earlier";
constexpr WordHint kWordHints[] = {
    {kSyntax, R"(! =)", "not equal is written ~="},
    {" near ':'", R"(^(for|if|while|elif|else)\b)",
     "a block has no colon; it is written for i = 1, 3 do ... end, if x then ... end"},
    {kSyntax, R"(= >)", "a function is written function(x) return x + 1 end"},
    {"near '#'", "", "a comment begins with --"},
    {kSyntax, R"(^/ \*)", "a comment begins with --"},
    {"'then' expected near '='", "", "equal is written =="},
    {kSyntax, R"(\bfunction\b( \w+)* \([^)]* =)",
     "a parameter has no default; write x = x or 3 in the function"},
    {"'\\)' expected near '='", "",
     "arguments have no names; a word with many takes a table: word { x = 3 }"},
    {kSyntax, R"(\+ =)", "there is no +=; write x = x + 1"},
    {kSyntax, R"(- =)", "there is no -=; write x = x - 1"},
    {kSyntax, R"(\* =)", "there is no *=; write x = x * 2"},
    {kSyntax, R"(/ =)", "there is no /=; write x = x / 2"},
    {kSyntax, R"(% =)", "there is no %=; write x = x % 2"},
    {kSyntax, R"(\* \*)", "x to the power of y is written x ^ y"},
    {kSyntax, R"(^(const|let|var|auto|int|float|double|bool|string) \w+ =)",
     "a variable is declared by local x = 1"},
    {kSyntax, R"(^(?!.*\b(then|for)\b).*\bif\b.*\belse\b)",
     "a value by a condition is written c and a or b, where a is neither nil nor false"},
    {kSyntax, R"( \? .* :)",
     "a value by a condition is written c and a or b, where a is neither nil nor false"},
    {kSyntax, R"("" "" "")", "a text over several lines is written [[ ... ]]"},
    {kSyntax, R"("" % \()", "string.format(\"%d jobs\", n) fills in a text"},
    {kSyntax, R"(\+ \+)", "there is no ++; write x = x + 1"},
    {kSyntax, R"(& &)", "'and' is a word"},
    {kSyntax, R"(\| \|)", "'or' is a word"},
    {kSyntax, R"(!)", "'not' is a word"},
    {kSyntax, R"(\b(elif|else if)\b)", "it is one word: elseif ... then"},
    {" near '\\['", R"(\} \[)", "a table that is written out needs parentheses: ({ 1, 2, 3 })[1]"},
    {" near '\\['", R"("" \[)", "a part of a text is (\"abc\"):sub(1, 2), a letter (\"abc\"):sub(1, 1)"},
    {kSyntax, R"((^|([=(,{]|\b(return|in|and|or)) )\[)",
     "a list is written { 1, 2 }, and the first entry is t[1]"},
    {kSyntax, R"(\bdef \w+ \()", "a function is written function name(x) ... end"},
    {kSyntax, R"(\blambda\b)", "a function is written function(x) return x + 1 end"},
    {kSyntax, R"(\bis not\b)", "not equal is written ~=, as in x ~= nil"},
    {kSyntax, R"(\b(if|while|and|or|not|return|=)\b.* is \w)", "equal is written ==, as in x == nil"},
    {"expected near 'in'", R"(^(?!for\b))",
     "whether a list has an entry is found by going through it: for _, x in ipairs(t) do ... end"},
    {kSyntax, R"(\bcontinue\b)",
     "there is no continue; write goto next, and ::next:: at the end of the loop's block"},
    {kSyntax, R"(^with \w+)", "a script reads files by csv.read and the readers of formats"},
    {kSyntax, R"(\bpass\b)", "a block may be empty: function f() end"},
    {kSyntax, R"(^del \w)", "an entry is taken out by t.x = nil or table.remove(t, 1)"},
    {kSyntax, R"(^(global|nonlocal) \w)",
     "a variable that functions share is written local x = 1 above them; they see and change it"},
    {kSyntax, R"(^switch\b)", "it is written if x == 1 then ... elseif x == 2 then ... end"},
    {kSyntax, R"(\b(heuristic|policy|experiment|process) "" function)",
     "its functions stand in a table behind the name: "
     "heuristic \"mine\" { pick = function(c, task) ... end }"},
    {"near '\\{'", R"(\bfunction (\w+ )?\([^)]*\) \{)",
     "a function returns a table by return: function(i, rng) return { time = 5 } end"},
    {kSyntax, R"(^(print|assert|error|expect) (\w|"" [^)]))",
     "a call has parentheses, print(x), unless it has a single text or table"},
    {"'\\]' expected near ':'", "",
     "a part of a list is written { table.unpack(t, 1, 5) }, of a text s:sub(1, 5)"},
    {" near 'end'", R"(\( .*\bend =)",
     "print writes a whole line; put it together before, by a .. b or table.concat(list)"},
    {kSyntax, R"(, \))", "there is a comma too many before the )"},
    {kSyntax, R"(\b(import|from \w+ import)\b)", "a module is loaded by local name = require \"name\""},
    {kSyntax, R"(\b(try|except|raise)\b)", "errors are caught by pcall(f, ...) and raised by error(text)"},
    {kSyntax, R"(^\w+ : \w+ =)", "a variable has no type: local x = 5"},
    {" near ['\"]['\"]", R"("" "")",
     "a quote in a text has a \\ before it, or the text has the other quotes: \"it's\""},
    {kSyntax, R"(^(#|/ /))", "a comment begins with --"},
    {kSyntax, R"(\{ ("" :|\w+ :)|, ("" :|\w+ :) )", "a field is written name = value"},
    {"'\\}' expected.* near <eof>", "", "a table that was opened there has no } at its end"},
    {"'\\}' expected", "", "the entries of a table are separated by commas; is one missing?"},
    {"'end' expected.* near <eof>", "", "every function, do, then and repeat is closed by an end of its own"},
    {"<eof> expected near 'end'", "", "there is an end too many"},
    {"'end' expected", R"(\breturn\b)", "return is the last statement of its block"},
    {"unfinished long string", "", "a text that begins with [[ ends with ]]"},
    {"unfinished long comment", "", "a comment that begins with --[[ ends with ]]"},
    {"'then' expected", "", "a condition ends with then: if x then ... end"},
    {"'do' expected", "", "a loop has a do: for i = 1, 3 do ... end, while x do ... end"},
    {"'save_simgrid'", "",
     "what was decided is of a run, not of a scenario: r:save(folder, { \"simgrid\" })"},
    {"there is no 'f'", R"(\bf "")", "values are put into a text by string.format(\"%d jobs\", n) or by .."},
    {"there is no '(True|False)'", "", "true and false have small letters"},
    {"there is no '(None|null|NULL)'", "", "nothing is written nil"},
    {"there is no 'len'", "", "the length of t is #t"},
    {"there is no '(raise|throw)'", "", "errors are raised by error(text)"},
    {"there is no '(quit|exit|bye)'", "", kEndOfScript},
    {"'(os|sys)'", R"(\b(os|sys) \. exit\b)", kEndOfScript},
    {"there is no '(try|except)'", "", "errors are caught by pcall(f, ...) and raised by error(text)"},
    {"there is no 'isinstance'", "", "the kind of a value is told by type(x) == \"number\""},
    {"there is no 'zip'", "",
     "two lists are gone through by for i, x in ipairs(a) do local y = b[i] ... end"},
    {"there is no 'math.(inf|infinity|nan)'", "", "infinity is math.huge, and 0 / 0 is no number"},
    {"there is no 'string.-?\\d+'", "", "the first letter of a text is s:sub(1, 1), the last s:sub(-1)"},
    {"there is no 'enumerate'", "", "for i, x in ipairs(t) do ... end"},
    {"there is no 'sorted'", "", "table.sort(t) puts t itself in order"},
    {"there is no 'printf'", "", "print(string.format(\"%d jobs\", n))"},
    {"there is no '(np|numpy)'", "", "lists are tables; statistics of them are in stats, functions in math"},
    {"there is no '(plt|matplotlib)'", "", "figures are drawn by plot(rows, { x =, y = }) or t:plot { }"},
    {"a constructor has no field '(uniform|randint|random|choice|shuffle|gauss|seed|normal|exponential)'",
     R"(\brandom \.)", "random numbers are drawn from a stream: stream(\"mine\"):uniform(1, 2)"},
    {"there is no 'string.(strip|trim)'", "", "s:match \"^%s*(.-)%s*$\" has no blanks at its ends"},
    {"there is no 'string.split'", "", "for part in s:gmatch \"[^,]+\" do ... end"},
    {"there is no 'string.(startswith|starts_with)'", "", "s:sub(1, #p) == p"},
    {"there is no 'string.replace'", "", "s:gsub(pattern, new)"},
    {"there is no 'string.join'", "", "table.concat(list, \", \")"},
    {"bad argument #1 to '(\\w+)' \\(string expected, got no value\\)", R"(\w \. \w)",
     "it is called with a colon: s:$1()"},
    {"there is no 'range'", "", "for i = 1, 10 do ... end counts, 10 included"},
    {"there is no '(str|int|float)'", "",
     "tostring(x) makes a text, tonumber(x) a number, x // 1 a whole one"},
    {"there is no 'round'", "", "(x + 0.5) // 1 rounds a number, string.format(\"%.0f\", x) makes a text"},
    {"there is no '(abs|max|min|sqrt|floor|ceil|pow|exp|log|sin|cos|tan)'", "", "it is in math: math.$1"},
    {"there is no '(mean|median|std|var|sum)'", "", "statistics are in stats: stats.summary(list).mean"},
    {"there is no '(dict|list|set|tuple)'", "", "lists and tables alike are written { }"},
    {"call a[\\w ]+ value \\(for iterator", "",
     "a list is gone through by for i, x in ipairs(t) do, "
     "the fields of a table by for name, x in pairs(t) do"},
    {"index a number value \\(field '(utilization|efficiency|plan_count)'\\)", "",
     "the name of a metric may have a full stop: r[\"$1.NAME\"]"},
    // The simulator and scheduler of Berman et al. 1999, section 7.3; docs/grid.md has the table.
    {"'sched_(new_host|host_failed|disk_failed)'", "",
     "what the report calls so is host_changed(self, sim, hosts) of a policy"},
    {"'sched_new_work'", "", "what the report calls so is arrived(self, sim, works) of a policy"},
    {"'sched_work_done'", "",
     "what the report calls so is finished(self, sim, works, hosts) of a policy, or computed"},
    {"'sched_work_failed'", "", "what the report calls so is failed(self, sim, works, hosts) of a policy"},
    {"'sched_fileTransfer_done'", "",
     "a policy is asked by decide(self, sim) when a transfer has ended, and by cut when one was lost"},
    {"'do_(store|retrieve)'", "", "what the report calls so is sim:transfer(file, host), either way"},
    {"'do_remove'", "", "what the report calls so is sim:discard(file, host)"},
    {"'do_computation'", "", "what the report calls so is sim:start(work, host), or sim:post(work, host)"},
    {"'cancel_computation'", "", "what the report calls so is sim:cancel(activity)"},
    {"'do_plan'", "", "planner { } does it; the plan of a simulation under way is its sim:chart()"},
    {"'do_schedule'", "", "what the report calls so is decide(self, sim) of a policy"},
    {"'append'", "", "table.insert(t, x) appends x to t"},
    {"'(items|keys|values)'", "", "for name, value in pairs(t) do ... end goes through a table"},
    {"(arithmetic on|concatenate|index|call) a nil value", R"([\w)\]] \[ 0 \])",
     "a list begins at 1: the first entry is t[1], the last t[#t]"},
    {"compare .*nil", R"([\w)\]] \[ 0 \])", "a list begins at 1: the first entry is t[1], the last t[#t]"},
    {"(arithmetic on|concatenate|index|call) a nil value \\(field '(\\?|integer index)'\\)", "",
     "there is no such entry; the first is t[1], the last t[#t]"},
    {"(arithmetic on|call) a nil value \\((field|method) '(length|size|count|len)'\\)", "",
     "the length of t is #t"},
    {"(arithmetic on|concatenate|index) a function value \\((?:field|method|local|global) '(\\w+)'\\)",
     R"(\w \. \w)", "it is a function: call it, a method with a colon, as in x:$2()"},
    {"call a (number|string|boolean) value \\(method '(\\w+)'\\)", "",
     "it is a value and no function: x.$2, without colon and parentheses"},
    {"a sim has no field '(jobs|works|waiting|tasks)'", "",
     "a policy keeps the works itself that arrived(self, "
     "sim, works) gives it; sim:state(work) says how one is"},
    {"there is no 'stats.(mean|median|sd|std|stdev|var|sum|min|max)'", "",
     "stats.summary(list) has n, mean, sd, min, q1, median, q3 and max"},
    {"compare: unknown field '(policies|policy)'", "",
     "the policies stand in the table itself: s:compare { \"fcfs\", \"sjf\", seed = 1 }"},
    {"a simulation has no field "
     "'(makespan|mean_\\w+|utilization|finished|lost|metrics|users|resources|packages)'",
     "", "it is a field of the result, which sim:run() and sim:result() return"},
    {"unknown metric '(status|complete|incomplete)'", "",
     "how a run ended is r.status, a text; `unfinished` counts the works that it left"},
    {"a comparison has no field '(\\d+)'", "", "its results are c:result(1), c:result(2), ..."},
    {"a comparison has no field "
     "'(makespan|mean_\\w+|utilization|finished|lost|status|metrics|jobs|users|resources|packages)'",
     "", "it is of a result: c:result(1).$1; print(c) shows them side by side"},
    {"compare .*function", R"(\w \. \w)",
     "it is a function that is compared: call it, a method with a colon, as in sim:now()"},
    {"task .*unknown field '(before|depends_on|dependencies|deps|parents?|children|predecessors|successors)'",
     "",
     "a task names those that come first: after = { \"split\" }; or it reads what they make, inputs = { \"f\" }"},
    {"(job|sweep|load|reservation) .*unknown field "
     "'(after|before|depends_on|dependencies|deps|parents?|children|predecessors|successors)'",
     "", "tasks alone wait for each other: workload.tasks and workload.workflow"},
    {"there is no 'workload\\.(dag|graph)'", "",
     "tasks that wait for each other are a workload.workflow { tasks = ... }; task graphs come from graph"},
    {"(host|cluster) .*unknown field '(energy|watts?|idle_power|core_power|pstates?|frequency)'", "",
     "what a host draws is its power, as in power = { idle = 95, busy = 190 }"},
    {"(host|cluster) .*unknown field '(gpus?|accelerators?)'", "",
     "what jobs share is named in resources, as in resources = { gpu = 4 }"},
    {"job .*unknown field '(gpus?|accelerators?)'", "",
     "what it takes is named in resources, as in resources = { gpu = 1 }"},
    {"(host|cluster) .*unknown field 'disks?'", "",
     "disks of hosts are not modelled (docs/model.md, at its end)"},
    {"job .*unknown field '(hosts|node)'", "",
     "nodes = 4 is a job on four hosts, and only = { } says on which it may be"},
    {"(unknown (mapper|scheduler)|there is no) '(backfilling|easy_backfilling)'", "",
     "easy, conservative and backfill fill back"},
    {"(arithmetic on a string|add a 'string')", R"(\+)", "texts are joined by a .. b"},
    {"(arithmetic on a string|arithmetic on a table|mod a 'string')", "\"\" %",
     "string.format(\"%d jobs\", n) fills in a text"},
};

// A regular expression. The text before its first special character is looked for first, which is much
// quicker. So neither ? nor * nor an alternative of the whole expression may follow that text.
class Pattern {
 public:
  explicit Pattern(const char* text) : begin_(text) {
    const std::size_t special = begin_.find_first_of(R"(\^$.|?*+()[]{})");
    if (special == begin_.npos) return;
    expression_.emplace(text);
    begin_.resize(special);
  }
  // The match stays empty where there is no special character.
  bool in(const std::string& text, std::smatch& match) const {
    return text.find(begin_) != text.npos && (!expression_ || std::regex_search(text, match, *expression_));
  }

 private:
  std::string begin_;
  std::optional<std::regex> expression_;
};

struct CompiledHint {
  Pattern said, written;
  const char* text;
  bool of_syntax;
};

const std::vector<CompiledHint>& compiled_hints() {
  static const std::vector<CompiledHint> all = [] {
    std::vector<CompiledHint> made;
    for (const WordHint& hint : kWordHints)
      made.push_back({Pattern(hint.said), Pattern(hint.written), hint.text, hint.said == kSyntax});
    return made;
  }();
  return all;
}

// A line in the form that the patterns of hints match.
std::string spaced(std::string_view line) {
  std::string out;
  host::each_token(line, [&](std::string_view token, int) {
    const bool text = token.front() == '"' || token.front() == '\'';
    out += (out.empty() ? "" : " ") + std::string(text ? "\"\"" : token);
  });
  return out;
}

constexpr std::size_t kLongestLine = 200;  // the depth of a match grows with the line

// The number of the first line that fits; 0 where there is none.
template <class F>
int first_line_that(std::string_view source, F&& fits) {
  for (int number = 1; !source.empty(); ++number) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    if (fits(source.substr(0, end))) return number;
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return 0;
}

// A block as Python writes it, "for i in range(3):".
int python_block(std::string_view source) {
  static const std::regex block(R"((for|if|while|def|elif|else|class|with|try|except)\b.*:)");
  return first_line_that(source, [](std::string_view line) {
    line = line.substr(0, line.find('#'));
    return line.size() < kLongestLine && line.find(':') != line.npos && std::regex_match(spaced(line), block);
  });
}

// A line whose tokens fit.
int line_with(std::string_view source, const std::regex& wanted) {
  return first_line_that(source, [&](std::string_view line) {
    return !line.empty() && line.size() < kLongestLine && std::regex_search(spaced(line), wanted);
  });
}

// The place of the first text in quotes that does not end on its line.
std::string unfinished_text(std::string_view source) {
  std::string found;
  host::each_token(source, [&](std::string_view token, int line) {
    if (!found.empty() || (token.front() != '"' && token.front() != '\'')) return;
    std::size_t end = token.find('\n');
    while (end < token.size() && (token[end - 1] == '\\' || token.substr(0, end).ends_with("\\z")))
      end = token.find('\n', end + 1);
    if (end > token.size() && token.size() > 1 && token.back() == token.front()) return;
    const auto at = static_cast<std::size_t>(token.data() - source.data());
    const std::size_t before = source.substr(0, at).rfind('\n');
    found = fmt::format(
        "the text that begins at line {}, column {}, has no {} "
        "at its end; one over several lines is written [[ ... ]]",
        line, at - (before == source.npos ? 0 : before + 1) + 1, token.front());
  });
  return found;
}

// A hint on quit, exit or help that stands alone as a statement, as the commands of a prompt do. A syntax
// error then names the token behind it.
std::string command_of_prompt(std::string_view said, std::string_view source) {
  const std::vector<host::Token> tokens = host::tokens_of(source);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokens[i].text;
    if (word != "quit" && word != "exit" && word != "help") continue;
    const bool last = i + 1 == tokens.size();
    const std::string next = last ? "<eof>" : fmt::format("'{}'", tokens[i + 1].text);
    if (!said.ends_with("near " + next)) continue;
    if (word != "help") return fmt::format("line {}: {}", tokens[i].line, kEndOfScript);
    const bool named = !last && begins_name(tokens[i + 1].text) && tokens[i + 1].line == tokens[i].line;
    const std::string_view topic = named ? tokens[i + 1].text : "fcfs";
    return fmt::format("line {}: it is written help \"{}\", or in a shell perigee help {}", tokens[i].line,
                       topic, topic);
  }
  return {};
}

// A hint that the whole script gives for a syntax error.
std::string hint_of_source(std::string_view said, std::string_view source) {
  static const std::regex braces(R"(^(\} )?(else|(if|while|switch|for \(|function)\b.*\)) \{( .*\})?$)"),
      else_if(R"(\belse if\b)");
  if (said.find("unfinished string") != said.npos) return unfinished_text(source);
  if (std::string hint = command_of_prompt(said, source); !hint.empty()) return hint;
  if (const int block = python_block(source); block > 0)
    return fmt::format(
        "line {}: a block has no colon; it is written for i = 1, 3 do ... end, if x then ... end, "
        "function f(x) ... end",
        block);
  if (const int block = line_with(source, braces))
    return fmt::format(
        "line {}: a block has no braces; it is written for i = 1, 3 do ... end, if x then ... end, "
        "function f(x) ... end",
        block);
  static const std::regex pass("^pass$");
  if (line_with(source, pass) > 0) return "a block may be empty: function f() end";
  if (said.find("near <eof>") != said.npos)
    if (const int line = line_with(source, else_if))
      return fmt::format("line {}: else if begins an if with an end of its own; elseif, one word, does not",
                         line);
  return {};
}

}  // namespace

std::vector<std::string> hints_for(const Diagnostic& diagnostic, std::string_view line,
                                   std::string_view source) {
  constexpr std::size_t kLongest = 400;
  constexpr std::array kCodes = {"script_error",      "unknown_name",   "unknown_field",
                                 "unknown_scheduler", "unknown_metric", "unknown_measure"};
  if (std::ranges::none_of(kCodes, [&](const char* code) { return diagnostic.code == code; })) return {};
  const std::string written = line.size() < kLongest ? spaced(line) : std::string();
  const std::string said = diagnostic.message.substr(0, kLongest);
  const bool syntax = diagnostic.code == "script_error" && said.find(kSyntax) != said.npos;
  if (syntax)
    if (std::string hint = hint_of_source(said, source); !hint.empty()) return {std::move(hint)};
  for (const CompiledHint& hint : compiled_hints()) {
    if (!syntax && hint.of_syntax) continue;
    std::smatch match, ignored;
    if (!hint.said.in(said, match) || !hint.written.in(written, ignored)) continue;
    return {match.empty() ? hint.text : match.format(hint.text)};
  }
  return {};
}

bool has_hint_for_name(std::string_view name) {
  return !hints_for({"unknown_name", fmt::format("there is no '{}'", name), {}, {}}, {}, {}).empty();
}

namespace {

// The names in "fun(c: mapping view, task: integer): number".
std::vector<std::string> arguments_in(std::string_view type) {
  std::vector<std::string> names;
  int depth = 0;
  bool of_name = false;
  for (const char c : type) {
    if (depth == 1 && (c == ':' || c == ')')) of_name = false;
    if (of_name && c != ' ') names.back() += c;
    depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
    if (depth == 0 && c == ')') break;
    if (depth == 1 && (c == '(' || c == ',')) {
      of_name = true;
      names.emplace_back();
    }
  }
  return names;
}

}  // namespace

void add_note_of_arguments(lua_State* L, const host::Reference& function, std::string_view chain,
                           Diagnostic& diagnostic) {
  const host::Balanced balanced(L);
  luaL_checkstack(L, 2, "functions");
  const std::vector<std::string> given = arguments_in(given_to(chain));
  function.push(L);
  lua_Debug debug;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">u", &debug);
  const std::size_t count = debug.nparams;
  if (debug.isvararg != 0 || count == 0 || count >= given.size()) return;
  std::vector<std::string> taken;
  for (int i = 1; i <= debug.nparams; ++i)
    if (const char* name = lua_getlocal(L, nullptr, i); name != nullptr) taken.emplace_back(name);
  if (taken.size() < count || taken[0] == given[0]) return;
  const bool is_another = std::ranges::find(given, taken[0]) != given.end();
  const auto needed = static_cast<std::size_t>(
      std::ranges::count_if(given, [](const std::string& name) { return name != "args"; }));
  if (!is_another && count >= needed) return;
  const std::string_view name = chain.substr(chain.rfind('.') + 1);
  const std::string note = fmt::format("it is written {} = function({}), not function({})", name,
                                       fmt::join(given, ", "), fmt::join(taken, ", "));
  if (std::ranges::find(diagnostic.notes, note) == diagnostic.notes.end()) diagnostic.notes.push_back(note);
}

}  // namespace perigee::language

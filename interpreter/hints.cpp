#include "interpreter/hints.h"

#include <fmt/format.h>

#include <regex>

#include "interpreter/words.h"

namespace perigee::interpreter {

namespace {

// Both are regular expressions: of the message, and of the line's tokens with a blank between them, texts
// as "". The first hint that fits is given.
struct Hint {
  const char *said, *written, *text;
};

constexpr const char* kSyntax = " near ";
constexpr Hint kHints[] = {
    {kSyntax, R"(! =)", "not equal is written ~="},
    {kSyntax, R"([-+*/%] =)", "there is no +=; write x = x + 1"},
    {kSyntax, R"(\+ \+)", "there is no ++; write x = x + 1"},
    {kSyntax, R"(& &)", "'and' is a word"},
    {kSyntax, R"(\| \|)", "'or' is a word"},
    {kSyntax, R"(!)", "'not' is a word"},
    {kSyntax, R"(\b(elif|else if)\b)", "it is one word: elseif ... then"},
    {kSyntax, R"((^|[=(,{]|\b(return|in|and|or)) \[)",
     "a list is written { 1, 2 }, and the first entry is t[1]"},
    {kSyntax, R"(\bdef \w+ \()", "a function is written function name(x) ... end"},
    {kSyntax, R"(\blambda\b)", "a function is written function(x) return x + 1 end"},
    {kSyntax, R"(\b(import|from \w+ import)\b)", "a module is loaded by local name = require \"name\""},
    {kSyntax, R"(\b(try|except|raise)\b)", "errors are caught by pcall(f, ...) and raised by error(text)"},
    {kSyntax, R"(^(#|/ /))", "a comment begins with --"},
    {kSyntax, R"(\{ ("" :|\w+ :)|, ("" :|\w+ :) )", "a field is written name = value"},
    {"'\\}' expected.* near <eof>", "", "a table that was opened there has no } at its end"},
    {"'\\}' expected", "", "the entries of a table are separated by commas; is one missing?"},
    {"'end' expected.* near <eof>", "", "every function, do, then and repeat is closed by an end of its own"},
    {"there is no '(True|False)'", "", "true and false have small letters"},
    {"there is no '(None|null|NULL)'", "", "nothing is written nil"},
    {"there is no 'len'", "", "the length of t is #t"},
    {"there is no 'range'", "", "for i = 1, 10 do ... end counts, 10 included"},
    {"there is no '(str|int|float)'", "",
     "tostring(x) makes a text, tonumber(x) a number, x // 1 a whole one"},
    {"there is no '(abs|max|min|sqrt|floor|round|pow|exp|log)'", "", "it is in math: math.max(a, b)"},
    {"there is no '(mean|median|std|var|sum)'", "", "statistics are in stats: stats.summary(list).mean"},
    {"there is no '(dict|list|set|tuple)'", "", "lists and tables alike are written { }"},
    {"call a (table|nil|number|string|\\w+) value \\(for iterator", "",
     "a list is gone through by for i, x in ipairs(t) do, the fields of a table by for name, x in pairs(t) "
     "do"},
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
    {"index a nil value \\(field '(\\?|integer index)'\\)", "",
     "there is no such entry; the first is t[1], the last t[#t]"},
    {"unknown field '(after|before|depends_on|dependencies|deps|parents?|children|predecessors|successors)'",
     "", "precedence between works is not modelled (docs/model.md, at its end)"},
    {"(unknown (mapper|scheduler)|there is no) '(heft|cpop|peft|workload\\.(dag|workflow|graph))'", "",
     "precedence between tasks, and schedulers of task graphs, are not modelled (docs/model.md, at its end)"},
    {"unknown field '(power|energy|watts?|idle_power|core_power|pstates?|frequency)'", "",
     "energy and power are not modelled (docs/model.md, at its end)"},
    {"(host|cluster) .*unknown field '(memory|mem|ram|gpus?|disks?)'", "",
     "hosts have cores and no memory, accelerators or disks (docs/model.md, at its end)"},
    {"job .*unknown field '(nodes|hosts|processes)'", "",
     "a job takes cores of one host (docs/model.md, at its end)"},
    {"(unknown (mapper|scheduler)|there is no) '(backfill|backfilling|easy_backfilling)'", "",
     "easy and conservative fill back"},
    {"arithmetic on a string|add a 'string'", R"(\+)", "texts are joined by a .. b"},
    {"arithmetic on a string|arithmetic on a table", "\"\" %", "string.format(\"%d\", x) fills in a text"},
};

std::string tokens_of(std::string_view line) {
  std::string out;
  lua::each_token(line, [&](std::string_view token, int) {
    const bool text = token.front() == '"' || token.front() == '\'';
    out += (out.empty() ? "" : " ") + std::string(text ? "\"\"" : token);
  });
  return out;
}

// The first line of a block as Python writes it, "for i in range(3):"; 0 where there is none.
int python_block(std::string_view source) {
  static const std::regex block(R"((for|if|while|def|elif|else|class|with|try|except)\b.*:)");
  constexpr std::size_t kLongest = 200;  // the depth of a match grows with the line
  int number = 1;
  for (; !source.empty(); ++number) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    line = line.substr(0, line.find('#'));
    if (line.size() < kLongest && line.find(':') != line.npos && std::regex_match(tokens_of(line), block))
      return number;
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return 0;
}

}  // namespace

std::vector<std::string> hints_for(const Diagnostic& diagnostic, std::string_view line,
                                   std::string_view source) {
  constexpr std::size_t kLongest = 400;
  if (diagnostic.code != "script_error" && diagnostic.code != "unknown_name" &&
      diagnostic.code != "unknown_field" && diagnostic.code != "unknown_scheduler")
    return {};
  const std::string written = line.size() < kLongest ? tokens_of(line) : std::string();
  const std::string said = diagnostic.message.substr(0, kLongest);
  const bool syntax = diagnostic.code == "script_error" && said.find(kSyntax) != said.npos;
  if (syntax)
    if (const int block = python_block(source); block > 0)
      return {fmt::format(
          "line {}: a block has no colon; it is written for i = 1, 3 do ... end, if x then ... end, "
          "function f(x) ... end",
          block)};
  for (const Hint& hint : kHints)
    if ((syntax || hint.said != kSyntax) && std::regex_search(said, std::regex(hint.said)) &&
        std::regex_search(written, std::regex(hint.written)))
      return {hint.text};
  return {};
}

}  // namespace perigee::interpreter

#include "interpreter/language/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "interpreter/host/embedded.h"
#include "runtime/results/table.h"

namespace perigee::language {

namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

ModuleInfo read_module(const EmbeddedModule& module) {
  ModuleInfo info{.name = module.name, .source = module.source, .comment = {}, .functions = {}};
  std::string comment;
  bool in_head = true;
  for (std::string_view rest = module.source; !rest.empty();) {
    std::string_view line = next_line(rest);
    if (line.starts_with("--")) {
      line.remove_prefix(std::min<std::size_t>(3, line.size()));
      comment += fmt::format("{}\n", line);
      continue;
    }
    if (in_head) info.comment = comment;
    in_head = false;
    const std::string before = fmt::format("function {}.", module.name);
    if (line.starts_with(before)) {
      const std::string_view name = line.substr(before.size(), line.find('(') - before.size());
      const std::size_t begin = std::string_view("function ").size();
      info.functions.push_back(
          {std::string(name), std::string(line.substr(begin, line.find(')') + 1 - begin)), comment});
    }
    comment.clear();
  }
  return info;
}

// The lines of a comment, set in; as one paragraph where they are fitted to columns.
std::string paragraph(std::string_view comment, std::size_t width) {
  std::string out, joined = "  ";
  while (!comment.empty()) {
    const std::string_view line = next_line(comment);
    out += line.empty() ? "\n" : fmt::format("  {}\n", line);
    joined += fmt::format("{}{}", joined.size() > 2 ? " " : "", line);
  }
  return width == 0 ? out : results::folded(joined, width, 2);
}

std::string function_help(const ModuleFunction& function, std::size_t width) {
  return fmt::format("{}\n{}", function.usage, paragraph(function.comment, width));
}

}  // namespace

const std::vector<ModuleInfo>& standard_modules() {
  static const std::vector<ModuleInfo> all = [] {
    std::vector<ModuleInfo> modules;
    for (const EmbeddedModule& module : embedded_modules()) modules.push_back(read_module(module));
    std::ranges::sort(modules, {}, &ModuleInfo::name);
    return modules;
  }();
  return all;
}

std::string first_sentence(std::string_view comment) {
  std::string text(comment.substr(0, comment.find("\n\n")));
  std::ranges::replace(text, '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  for (std::size_t end = text.find(". "); end != std::string::npos; end = text.find(". ", end + 1))
    if (const char next = text[end + 2]; next == '`' || (next >= 'A' && next <= 'Z'))
      return text.substr(0, end);
  return text;
}

std::string list_of_modules(std::size_t width) {
  results::Table table{{"module", "what it is"}, {}};
  for (const ModuleInfo& module : standard_modules())
    table.rows.push_back({std::string(module.name), first_sentence(module.comment)});
  return table.list(width);
}

std::string help_on_module(std::string_view topic, std::size_t width) {
  if (topic == "modules")
    return fmt::format("modules: those of the standard library, by require\n\n{}", list_of_modules(width));
  results::Table below{{"module", "what it is"}, {}};
  for (const ModuleInfo& module : standard_modules()) {
    if (module.name == topic) {
      if (module.functions.empty()) return std::string(module.source);
      std::string out = fmt::format("{0}: a module of the standard library, local {0} = require \"{0}\"\n{1}",
                                    topic, paragraph(module.comment, width));
      results::Table table{{"function", "what it does"}, {}};
      for (const ModuleFunction& function : module.functions)
        table.rows.push_back({function.usage, first_sentence(function.comment)});
      return out + "\n" + table.list(width);
    }
    for (const ModuleFunction& function : module.functions)
      if (fmt::format("{}.{}", module.name, function.name) == topic) return function_help(function, width);
    if (module.name.starts_with(topic) && module.name.substr(topic.size()).starts_with('.'))
      below.rows.push_back({std::string(module.name), first_sentence(module.comment)});
  }
  if (topic.empty() || below.rows.empty()) return {};
  return fmt::format(
      "{}: modules of the standard library to copy from; perigee help {} shows the first\n\n{}", topic,
      std::get<std::string>(below.rows.front().front()), below.list(width));
}

std::vector<std::string> module_topics() {
  std::vector<std::string> topics{"modules"};
  for (const ModuleInfo& module : standard_modules()) {
    topics.emplace_back(module.name);
    topics.emplace_back(module.name.substr(0, module.name.find('.')));
    for (const ModuleFunction& function : module.functions)
      topics.push_back(fmt::format("{}.{}", module.name, function.name));
  }
  return topics;
}

}  // namespace perigee::language

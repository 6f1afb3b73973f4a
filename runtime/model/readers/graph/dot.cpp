#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"
#include "runtime/model/readers/graph/checked.h"
#include "runtime/model/readers/graph/workflow_files.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {

namespace {

constexpr std::size_t kLongestDotName = 1000;  // bytes; and of every value but `times`
constexpr std::size_t kMostDotTimes = std::size_t{1} << 31;

struct DotToken {
  enum class Kind : std::uint8_t { end, name, arrow, symbol };
  Kind kind = Kind::end;
  std::string text;        // of a name, without quotation marks; of a symbol, the character
  bool is_quoted = false;  // so it is no keyword
  std::size_t at = 0;      // where it begins

  bool is(char symbol) const { return kind == Kind::symbol && text[0] == symbol; }
};

class DotLexer {
 public:
  DotLexer(std::string_view text, std::string_view file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) next_ = 3;
  }

  DotToken take() {
    did_work(20);
    skip_blanks();
    DotToken token;
    token.at = next_;
    if (next_ == text_.size()) return token;
    const char c = text_[next_];
    if (c == '"') {
      token.kind = DotToken::Kind::name;
      token.is_quoted = true;
      read_quoted(token.text);
    } else if (text_.substr(next_, 2) == "->") {
      token.kind = DotToken::Kind::arrow;
      next_ += 2;
    } else if (text_.substr(next_, 2) == "--") {
      refuse(next_, "dot_syntax", "'--' joins the nodes of a graph without directions; '->' is needed");
    } else if (begins_number(c)) {
      token.kind = DotToken::Kind::name;
      const std::size_t begin = next_++;
      while (next_ < text_.size() && (is_digit(text_[next_]) || text_[next_] == '.')) ++next_;
      if (next_ < text_.size() && is_of_name(text_[next_]))
        refuse(begin, "dot_syntax", "a name that begins as a number needs quotation marks, as in \"1e9\"");
      token.text = text_.substr(begin, next_ - begin);
    } else if (is_of_name(c)) {
      token.kind = DotToken::Kind::name;
      const std::size_t begin = next_;
      while (next_ < text_.size() && is_of_name(text_[next_])) ++next_;
      token.text = text_.substr(begin, next_ - begin);
    } else if (std::string_view("{}[]=;,:").find(c) != std::string_view::npos) {
      token.kind = DotToken::Kind::symbol;
      token.text = c;
      ++next_;
    } else {
      refuse(next_, "dot_syntax", "'{}' has no place here{}", shown(std::string_view(&c, 1)),
             c == '<' ? "; names in HTML are not read" : "");
    }
    return token;
  }

  // An error at a place of the text.
  template <class... Args>
  [[noreturn]] void refuse(std::size_t at, std::string_view code, fmt::format_string<Args...> format,
                           Args&&... args) const {
    const std::string_view before = text_.substr(0, at);
    const std::size_t start = before.rfind('\n');
    const auto line = 1 + std::ranges::count(before, '\n');
    fail_at({std::string(file_),
             static_cast<int>(std::min<std::ptrdiff_t>(line, std::numeric_limits<int>::max()))},
            code, "column {}: {}", start == std::string_view::npos ? at + 1 : at - start,
            fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  static bool is_of_name(char c) { return is_word(c) || static_cast<unsigned char>(c) >= 0x80; }
  bool begins_number(char c) const {
    if (is_digit(c) || c == '.') return true;
    return c == '-' && next_ + 1 < text_.size() && (is_digit(text_[next_ + 1]) || text_[next_ + 1] == '.');
  }

  void skip_blanks() {
    while (next_ < text_.size()) {
      if (is_blank(text_[next_])) {
        ++next_;
      } else if (text_[next_] == '#' || text_.substr(next_, 2) == "//") {
        next_ = std::min(text_.find('\n', next_), text_.size());
      } else if (text_.substr(next_, 2) == "/*") {
        const std::size_t end = text_.find("*/", next_ + 2);
        if (end == std::string_view::npos) refuse(next_, "dot_syntax", "the comment is not closed by '*/'");
        next_ = end + 2;
      } else {
        return;
      }
    }
  }

  void read_quoted(std::string& out) {
    const std::size_t begin = next_++;
    for (; next_ < text_.size() && text_[next_] != '"'; ++next_) {
      if (text_[next_] == '\\' && next_ + 1 < text_.size()) {
        const char escaped = text_[next_ + 1];
        if (escaped == '"' || escaped == '\\' || escaped == '\n') {
          ++next_;
          if (escaped == '\n') continue;  // the text goes on in the next line
        }
      }
      out += text_[next_];
    }
    if (next_ == text_.size()) refuse(begin, "dot_syntax", "the quotation mark is not closed");
    ++next_;
  }

  std::string_view text_, file_;
  std::size_t next_ = 0;
};

struct DotText {
  std::string text;
  std::size_t at = 0;  // where it begins
};
using DotValue = std::shared_ptr<const DotText>;  // a default is that of many nodes

// The attributes of one node, or of all that are named from here on; null = not given.
struct DotNode {
  DotValue ops, time, times, priority, category;

  DotValue* find(std::string_view name) {
    if (name == "size" || name == "ops") return &ops;
    if (name == "time") return &time;
    if (name == "times") return &times;
    if (name == "priority") return &priority;
    if (name == "category") return &category;
    return nullptr;
  }
};

class DotReader {
 public:
  DotReader(std::string_view text, std::string_view file) : lexer_(text, file) { advance(); }

  WorkflowFile read() {
    if (is_keyword("strict")) advance();
    if (is_keyword("graph")) refuse("a 'graph' has no directions; 'digraph' is needed");
    if (!is_keyword("digraph")) expected("'digraph'");
    advance();
    if (token_.kind == DotToken::Kind::name) {
      out_.name = token_.text;
      advance();
    }
    if (!token_.is('{')) expected("'{'");
    advance();
    while (!token_.is('}')) statement();
    advance();
    if (token_.kind != DotToken::Kind::end) expected("the end of the file");
    give_amounts();
    add_dependencies(graph_, std::move(edges_));
    return std::move(out_);
  }

 private:
  void advance() { token_ = lexer_.take(); }
  bool is_keyword(std::string_view word) const {
    return token_.kind == DotToken::Kind::name && !token_.is_quoted && token_.text.size() == word.size() &&
           lower_case(token_.text) == word;
  }
  [[noreturn]] void refuse(std::string_view message) const {
    lexer_.refuse(token_.at, "dot_syntax", "{}", message);
  }
  [[noreturn]] void expected(std::string_view what) const {
    if (token_.kind == DotToken::Kind::end)
      lexer_.refuse(token_.at, "dot_syntax", "{} is expected, and the file ends", what);
    lexer_.refuse(token_.at, "dot_syntax", "{} is expected, got '{}'", what,
                  token_.kind == DotToken::Kind::arrow ? "->" : shown(std::string_view(token_.text)));
  }

  // The name at the token, of a node or an attribute.
  std::string name(std::string_view what) {
    if (token_.kind != DotToken::Kind::name) expected(what);
    if (token_.text.size() > kLongestDotName)
      lexer_.refuse(token_.at, "dot_syntax", "a name has at most {} bytes, got {}", kLongestDotName,
                    token_.text.size());
    std::string text = std::move(token_.text);
    advance();
    return text;
  }

  void statement() {
    if (token_.is(';')) return advance();
    if (token_.is('{') || is_keyword("subgraph"))
      refuse("a 'subgraph' is not read: every node stands in the graph");
    if (is_keyword("graph") || is_keyword("digraph") || is_keyword("strict")) {
      if (!is_keyword("graph")) expected("a node");
      advance();
      if (!token_.is('[')) expected("'['");
      return attributes([](std::string_view) { return nullptr; });
    }
    if (is_keyword("node")) {
      advance();
      if (!token_.is('[')) expected("'['");
      return attributes([&](std::string_view key) { return any_node_.find(key); });
    }
    if (is_keyword("edge")) {
      advance();
      if (!token_.is('[')) expected("'['");
      return attributes([&](std::string_view key) { return key == "size" ? &any_edge_ : nullptr; });
    }
    const DotToken first = token_;
    std::string first_name = name("a node");
    if (token_.is('=')) {  // an attribute of the graph
      advance();
      if (token_.kind != DotToken::Kind::name) expected("a value");
      return advance();
    }
    std::vector<std::uint32_t> way{node(std::move(first_name), first.at)};
    while (token_.kind == DotToken::Kind::arrow) {
      advance();
      if (token_.is('{') || is_keyword("subgraph"))
        refuse("a 'subgraph' is not read: every node stands in the graph");
      const std::size_t at = token_.at;
      way.push_back(node(name("a node"), at));
    }
    if (way.size() == 1) return attributes([&](std::string_view key) { return nodes_[way[0]].find(key); });
    DotValue size = any_edge_;
    attributes([&](std::string_view key) { return key == "size" ? &size : nullptr; });
    const std::optional<double> bytes =
        size ? std::optional(amount(*size, "workflow_size", "the size of an edge")) : std::nullopt;
    for (std::size_t i = 1; i < way.size(); ++i) edges_.push_back({way[i - 1], way[i], bytes});
  }

  // The number of the node that was named at a place.
  std::uint32_t node(std::string&& called, std::size_t at) {
    if (token_.is(':')) refuse("ports of nodes are not read");
    if (called.empty()) lexer_.refuse(at, "dot_syntax", "a node needs a name");
    const auto [entry, added] =
        numbers_.try_emplace(std::move(called), static_cast<std::uint32_t>(nodes_.size()));
    if (added) {
      if (nodes_.size() == kMostGraphTasks)
        lexer_.refuse(at, "dot_syntax", "a graph has at most {} nodes", kMostGraphTasks);
      nodes_.push_back(any_node_);
      graph_.tasks.push_back({.name = entry->first});
    }
    return entry->second;
  }

  // Lists of attributes in brackets, if there are any. `find` says where the value belongs; null = nowhere.
  template <class Find>
  void attributes(Find find) {
    while (token_.is('[')) {
      advance();
      while (!token_.is(']')) {
        if (token_.kind != DotToken::Kind::name) expected("an attribute or ']'");
        const std::string key = std::move(token_.text);
        advance();
        if (token_.is('=')) {
          advance();
          if (token_.kind != DotToken::Kind::name) expected("a value");
          if (DotValue* const value = find(key)) {
            if (token_.text.size() > kLongestDotName && key != "times")
              lexer_.refuse(token_.at, "dot_syntax", "'{}' has at most {} bytes, got {}", key,
                            kLongestDotName, token_.text.size());
            *value = std::make_shared<const DotText>(std::move(token_.text), token_.at);
          }
          advance();
        }
        if (token_.is(',') || token_.is(';')) advance();
      }
      advance();
    }
  }

  double amount(const DotText& given, std::string_view code, std::string_view what) const {
    const double value = number_of(trimmed(given.text));
    if (!(value >= 0))
      lexer_.refuse(given.at, code, "{} must be a number >= 0, got '{}'", what,
                    shown(std::string_view(given.text)));
    return value + 0.0;  // no -0
  }

  // Times by host, separated by commas.
  void add_times(const DotValue& given) {
    if (!given) {
      graph_.times.resize(graph_.times.size() + graph_.hosts);
      return;
    }
    const std::size_t before = graph_.times.size();
    std::string_view rest = given->text;
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      more = comma != std::string_view::npos;
      const std::string_view word = trimmed(rest.substr(0, comma));
      graph_.times.push_back(word == "inf" ? HUGE_VAL
                                           : amount({std::string(word), given->at}, "workflow_time",
                                                    "a time of 'times' (or 'inf')"));
      if (more) rest.remove_prefix(comma + 1);
    }
    if (const std::size_t hosts = graph_.times.size() - before; hosts != graph_.hosts)
      lexer_.refuse(given->at, "workflow_hosts", "{} times by host, where another node has {}", hosts,
                    graph_.hosts);
  }

  void give_amounts() {
    struct Kind {
      DotValue DotNode::*attribute;
      const char* name;
      TimeForm form;
    };
    static constexpr Kind kKinds[] = {{&DotNode::ops, "size", TimeForm::operations},
                                      {&DotNode::time, "time", TimeForm::seconds},
                                      {&DotNode::times, "times", TimeForm::by_host}};
    const Kind* kind = nullptr;
    for (const DotNode& node : nodes_)
      for (const Kind& each : kKinds) {
        const DotValue& attribute = node.*each.attribute;
        if (!attribute || kind == &each) continue;
        if (kind != nullptr)
          lexer_.refuse(attribute->at, "workflow_time",
                        "'{}' here, and '{}' before: all nodes have times of one kind", each.name,
                        kind->name);
        kind = &each;
        if (each.form == TimeForm::by_host)
          graph_.hosts = static_cast<std::size_t>(std::ranges::count(attribute->text, ',')) + 1;
      }
    if (kind != nullptr) graph_.form = kind->form;
    if (graph_.form == TimeForm::by_host) {
      if (nodes_.size() > kMostDotTimes / graph_.hosts)
        fail("workflow_hosts", "a graph has at most {} times by host, got {} nodes and {} hosts",
             kMostDotTimes, nodes_.size(), graph_.hosts);
      will_take_matrix(nodes_.size(), graph_.hosts);
    }
    std::vector<std::uint32_t> without;
    for (std::size_t t = 0; t < nodes_.size(); ++t) {
      const DotNode& node = nodes_[t];
      GraphTask& task = graph_.tasks[t];
      if (node.category) task.category = node.category->text;
      if (node.priority) {
        task.priority = number_of(trimmed(node.priority->text));
        if (std::isnan(task.priority))
          lexer_.refuse(node.priority->at, "workflow_time", "a priority must be a number, got '{}'",
                        shown(std::string_view(node.priority->text)));
      }
      if (graph_.form == TimeForm::by_host)
        add_times(node.times);
      else if (kind != nullptr && node.*kind->attribute)
        task.amount =
            amount(*(node.*kind->attribute), "workflow_time", fmt::format("'{}' of a node", kind->name));
      else
        without.push_back(static_cast<std::uint32_t>(t));
    }
    if (!without.empty())
      out_.findings.push_back({"no_time", std::ssize(without), 0,
                               fmt::format("nodes without 'size', 'ops', 'time' or 'times' (first '{}')",
                                           shown(std::string_view(graph_.tasks[without.front()].name))),
                               "", "they take no time"});
  }

  DotLexer lexer_;
  DotToken token_;
  WorkflowFile out_;
  TaskGraph& graph_ = out_.graph;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;  // of nodes
  std::vector<DotNode> nodes_;
  std::vector<Dependency> edges_;
  DotNode any_node_;
  DotValue any_edge_;
};

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

WorkflowFile parse_dot(std::string_view text, std::string_view name) {
  WorkflowFile out;
  in_workflow_file(name, [&] {
    out = DotReader(text, name).read();
    check_graph(out.graph);
  });
  return out;
}

WorkflowFile read_dot(const std::filesystem::path& path) {
  return parse_dot(Lines::whole(path, kLargestWorkflowFile), path.string());
}

std::string write_dot(const TaskGraph& graph, std::string_view name) {
  std::string out = fmt::format("digraph {} {{\n", dot_quoted(name));
  for (std::size_t t = 0; t < graph.tasks.size(); ++t) {
    const GraphTask& task = graph.tasks[t];
    did_work(100);
    out += fmt::format("  {} [", dot_quoted(task.name));
    if (graph.form == TimeForm::by_host) {
      out += "times=\"";
      for (std::size_t host = 0; host < graph.hosts; ++host)
        out += fmt::format("{}{}", host == 0 ? "" : ",", format_number(graph.times[t * graph.hosts + host]));
      out += '"';
    } else {
      out += fmt::format("{}=\"{}\"", graph.form == TimeForm::seconds ? "time" : "size",
                         format_number(task.amount));
    }
    if (task.priority != 0) out += fmt::format(", priority=\"{}\"", format_number(task.priority));
    if (!task.category.empty()) out += fmt::format(", category={}", dot_quoted(task.category));
    out += "];\n";
  }
  for (const GraphEdge& edge : edges_of(graph)) {
    did_work(50);
    out += fmt::format("  {} -> {}", dot_quoted(graph.tasks[edge.from].name),
                       dot_quoted(graph.tasks[edge.to].name));
    if (edge.files > 0) out += fmt::format(" [size=\"{}\"]", format_number(edge.bytes));
    out += ";\n";
  }
  return out + "}\n";
}

bool has_edge_files(const TaskGraph& graph) {
  const std::vector<std::uint32_t> makers = makers_of(graph);
  std::vector<std::uint32_t> reader(graph.files.size(), kNone);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t)
    for (const std::uint32_t file : graph.tasks[t].inputs) {
      if (reader[file] != kNone || makers[file] == kNone) return false;
      reader[file] = t;
    }
  for (std::size_t f = 0; f < graph.files.size(); ++f)
    if (reader[f] == kNone ||
        graph.files[f].name != fmt::format("{}>{}", graph.tasks[makers[f]].name, graph.tasks[reader[f]].name))
      return false;
  return true;
}

}  // namespace perigee::readers

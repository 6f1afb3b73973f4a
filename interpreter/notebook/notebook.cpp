#include "interpreter/notebook/notebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "interpreter/experiments/progress.h"
#include "interpreter/host/terminal.h"
#include "interpreter/notebook/shown.h"
#include "interpreter/notebook/unicode.h"
#include "interpreter/prompt/prompt_text.h"
#include "runtime/kernel/text.h"

namespace perigee::notebook {

namespace {

using nlohmann::json;

// The cursor of a request, in bytes of its code.
std::size_t cursor_in(const json& request, const std::string& code) {
  const std::int64_t given = number_in(request, "cursor_pos", -1);
  return given < 0 ? code.size() : byte_of(code, static_cast<std::size_t>(given));
}

json lines_of(std::string_view text) {
  json lines = json::array();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(valid_utf8(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

json valid(const Bundle& bundle) {
  json data = json::object();
  for (const auto& [type, text] : bundle) data[type] = valid_utf8(text);
  return data;
}

// Whether `*` and `?` of the pattern stand for some characters and for one.
bool like(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = pattern.npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

// Lines on how far the cells of an experiment are, at most two a second.
std::function<void(const CellProgress*)> cell_lines(Publisher& publisher) {
  using Clock = std::chrono::steady_clock;
  struct State {
    std::mutex mutex;
    std::optional<Clock::time_point> begin;
    Clock::time_point last;
    std::size_t first = 0;
  };
  return [&publisher, state = std::make_shared<State>()](const CellProgress* progress) {
    constexpr std::chrono::milliseconds kOften{500};
    const std::scoped_lock lock(state->mutex);
    if (progress == nullptr) {
      state->begin.reset();
      publisher.end_progress();
      return;
    }
    const auto now = Clock::now();
    if (!state->begin) {
      state->begin = state->last = now;
      state->first = progress->done;
    }
    if (now - state->last < kOften) return;
    state->last = now;
    publisher.show_progress(experiments::reached_text(
        *progress, state->first, std::chrono::duration<double>(now - *state->begin).count()));
  };
}

}  // namespace

json kernel_info() {
  return {{"status", "ok"},
          {"protocol_version", "5.3"},
          {"implementation", "perigee"},
          {"implementation_version", PERIGEE_VERSION},
          {"language_info",
           {{"name", "lua"},
            {"version", LUA_VERSION_MAJOR "." LUA_VERSION_MINOR},
            {"mimetype", "text/x-lua"},
            {"file_extension", ".lua"},
            {"pygments_lexer", "lua"},
            {"codemirror_mode", "lua"}}},
          {"banner",
           "perigee " PERIGEE_VERSION ", a laboratory for scheduling research; :help says what can be done"},
          {"help_links", json::array()}};
}

Notebook::Notebook(InterpreterOptions options, Publisher& publisher)
    : publisher_(publisher), repl_(with_output(std::move(options))) {
  repl_.show_values_by([this](lua_State* L, int index) { show(L, index); });
  repl_.confine_commands(repl_.interpreter().inputs().folder());
}

InterpreterOptions Notebook::with_output(InterpreterOptions options) {
  options.audience = this;
  options.output = options.warnings = [](std::string_view) {};  // the audience has them
  options.on_progress = [this](const Simulation* simulation) {
    if (simulation == nullptr) {
      if (lines_.shown()) publisher_.end_progress();
      lines_.end();
    } else if (const std::string line = lines_.next(*simulation); !line.empty()) {
      publisher_.show_progress(line);
    }
  };
  options.on_cells = cell_lines(publisher_);
  return options;
}

void Notebook::show(lua_State* L, int index) {
  const Bundle bundle = shown_value(L, index);
  if (silent_) return;
  publisher_.publish("execute_result",
                     {{"execution_count", count_}, {"data", valid(bundle)}, {"metadata", json::object()}});
}

void Notebook::printed(std::string_view text) { publisher_.print("stdout", text); }

void Notebook::shown(pages::Item item, std::string_view text) {
  const Bundle bundle = shown_item(item, text);
  if (bundle.size() == 1)
    publisher_.print("stdout", bundle.at("text/plain"));
  else
    publisher_.publish("display_data", {{"data", valid(bundle)}, {"metadata", json::object()}});
}

void Notebook::warned(std::string_view line) {
  publisher_.print("stderr", host::harmless(fmt::format("warning: {}\n", line)));
}

void Notebook::begin(const Message& request) noexcept {
  asked_ = false;
  running_ = request.type() == "execute_request";
}

void Notebook::interrupt() noexcept {
  if (!running_) return;
  asked_ = true;
  repl_.interpreter().interrupt();
}

void Notebook::insist() noexcept {
  if (asked_ && running_) repl_.interpreter().interrupt();
}

void Notebook::hang_up() noexcept { repl_.interpreter().hang_up(); }

Notebook::Answer Notebook::answer(const Message& request) {
  const std::string type = request.type();
  const json& content = request.content;
  Answer answer;
  if (type == "execute_request")
    answer = {"execute_reply", execute(content, answer.stops_queue), answer.stops_queue};
  else if (type == "complete_request")
    answer = {"complete_reply", complete(content)};
  else if (type == "inspect_request")
    answer = {"inspect_reply", inspect(content)};
  else if (type == "is_complete_request")
    answer = {"is_complete_reply", is_complete(content)};
  else if (type == "history_request")
    answer = {"history_reply", history(content)};
  else if (type == "kernel_info_request")
    answer = {"kernel_info_reply", kernel_info()};
  else if (type == "comm_info_request")
    answer = {"comm_info_reply", {{"status", "ok"}, {"comms", json::object()}}};
  else if (type == "comm_open")  // nobody here knows what it is for
    publisher_.publish("comm_close", {{"comm_id", text_in(content, "comm_id")}, {"data", json::object()}});
  return answer;
}

Notebook::Answer Notebook::aborted() const {
  return {"execute_reply", {{"status", "aborted"}, {"execution_count", count_}}};
}

json Notebook::execute(const json& request, bool& stops_queue) {
  const std::string code = text_in(request, "code");
  silent_ = flag_in(request, "silent", false);
  const bool counts = !silent_ && flag_in(request, "store_history", true);
  if (counts) history_.emplace_back(++count_, code);
  if (!silent_) publisher_.publish("execute_input", {{"code", code}, {"execution_count", count_}});
  Repl::Reply reply;
  try {
    reply = repl_.cell(fmt::format("In [{}]", counts ? std::to_string(count_) : "*"), code);
  } catch (const std::exception& error) {
    reply.error = fmt::format("internal error: {}\n", error.what());
  }
  running_ = false;
  if (lines_.shown()) publisher_.end_progress();
  lines_.end();
  publisher_.print("stdout", reply.output);
  publisher_.flush();
  json answer = {{"execution_count", count_}};
  if (reply.error.empty()) {
    answer["status"] = "ok";
    answer["payload"] = json::array();
    if (reply.quit) {
      publisher_.print(
          "stdout",
          "A cell does not end the session of a notebook: the menu Kernel has Shut Down, and Restart for "
          "a new session.\n");
      publisher_.flush();
      answer["payload"].push_back({{"source", "ask_exit"}, {"keepkernel", false}});  // a console does end
    }
    answer["user_expressions"] = json::object();
    if (const auto asked = request.find("user_expressions"); asked != request.end() && asked->is_object())
      for (const auto& [name, expression] : asked->items())
        if (expression.is_string())
          answer["user_expressions"][name] = value_of(expression.get<std::string>());
    return answer;
  }
  const std::string text = host::harmless(reply.error);
  const json failure = {{"ename", reply.code.empty() ? "error" : reply.code},
                        {"evalue", valid_utf8(text.substr(0, text.find('\n')))},
                        {"traceback", lines_of(text)}};
  publisher_.publish("error", failure);
  answer.update(failure);
  answer["status"] = "error";
  stops_queue = flag_in(request, "stop_on_error", true);
  return answer;
}

// The value of an expression that a front end watches; it is no input of the session.
json Notebook::value_of(const std::string& expression) {
  std::string text;
  try {
    host::protect(repl_.interpreter().main(), [&](lua_State* L) {
      const std::string code = "return " + expression;
      if (luaL_loadbufferx(L, code.data(), code.size(), "=expression", "t") != LUA_OK) lua_error(L);
      lua_call(L, 0, 1);
      text = prompt::pretty(L, -1);
    });
  } catch (const Error& error) {
    const std::string message = valid_utf8(error.diagnostic().message);
    return {{"status", "error"},
            {"ename", error.diagnostic().code},
            {"evalue", message},
            {"traceback", json::array({message})}};
  }
  return {{"status", "ok"}, {"data", {{"text/plain", valid_utf8(text)}}}, {"metadata", json::object()}};
}

json Notebook::complete(const json& request) {
  const std::string code = text_in(request, "code");
  const std::size_t cursor = cursor_in(request, code);
  // A command is completed by its line alone.
  const std::size_t line_end = cursor == 0 ? code.npos : code.rfind('\n', cursor - 1);
  const std::size_t line = line_end == code.npos ? 0 : line_end + 1;
  const bool command =
      trimmed(std::string_view(code).substr(0, line)).empty() || (line < code.size() && code[line] == '?');
  const std::size_t from = command ? line : 0;
  const Repl::Completion found = repl_.complete(code.substr(from), cursor - from);
  json matches = json::array();
  for (const std::string& candidate : found.candidates) matches.push_back(valid_utf8(candidate));
  const std::size_t start = found.candidates.empty() ? cursor : std::min(from + found.start, cursor);
  return {{"status", "ok"},
          {"matches", matches},
          {"cursor_start", code_point_of(code, start)},
          {"cursor_end", code_point_of(code, cursor)},
          {"metadata", json::object()}};
}

std::string name_at(const std::string& code, std::size_t cursor) {
  const auto of_name = [&](std::size_t at) {
    return is_word(code[at]) || code[at] == '.' || code[at] == ':';
  };
  std::size_t begin = std::min(cursor, code.size()), end = begin;
  const auto widen = [&] {
    while (begin > 0 && of_name(begin - 1)) --begin;
    while (end < code.size() && is_word(code[end])) ++end;
  };
  widen();
  if (begin == end) {  // between the parentheses or braces of a call
    int open = 0;
    std::size_t at = begin;
    while (at > 0 && open >= 0) {
      const char c = code[--at];
      if (c == ')' || c == '}') ++open;
      if (c == '(' || c == '{') --open;
    }
    if (open >= 0) return {};
    while (at > 0 && is_blank(code[at - 1])) --at;
    if (at > 0 && (code[at - 1] == '"' || code[at - 1] == '\'')) {  // cluster "fast" {
      const std::size_t quote = at < 2 ? code.npos : code.rfind(code[at - 1], at - 2);
      if (quote == code.npos) return {};
      at = quote;
      while (at > 0 && is_blank(code[at - 1])) --at;
    }
    begin = end = at;
    widen();
  }
  std::string name = code.substr(begin, end - begin);
  const std::size_t first = name.find_first_not_of(".:");
  name.erase(0, std::min(first, name.size()));
  while (!name.empty() && !is_word(name.back())) name.pop_back();
  return name;
}

json Notebook::inspect(const json& request) {
  const std::string code = text_in(request, "code");
  const std::string name = name_at(code, cursor_in(request, code));
  std::string text;
  if (!name.empty()) {
    try {
      host::protect(repl_.interpreter().main(), [&](lua_State*) { text = repl_.help(name); });
    } catch (const std::exception&) {
      text.clear();
    }
  }
  json data = json::object();
  if (!text.empty()) data["text/plain"] = valid_utf8(text);
  return {{"status", "ok"}, {"found", !text.empty()}, {"data", data}, {"metadata", json::object()}};
}

json Notebook::is_complete(const json& request) {
  const std::string code = text_in(request, "code");
  switch (repl_.state_of_cell(code)) {
    case Repl::State::complete:
      return {{"status", "complete"}};
    case Repl::State::invalid:
      return {{"status", "invalid"}};
    case Repl::State::incomplete:
      break;
  }
  const std::size_t end = code.find_last_not_of(" \t\r\n");
  const std::size_t line = end == code.npos ? 0 : code.rfind('\n', end) + 1;  // npos + 1 is 0
  const std::size_t blanks = code.find_first_not_of(" \t", line) - line;
  return {{"status", "incomplete"}, {"indent", std::string(std::min(blanks, code.size()) + 2, ' ')}};
}

json Notebook::history(const json& request) const {
  const std::string by = text_in(request, "hist_access_type"), pattern = text_in(request, "pattern");
  const bool output = flag_in(request, "output", false), unique = flag_in(request, "unique", false);
  const std::int64_t start = number_in(request, "start", 0);
  std::int64_t stop = number_in(request, "stop", 0);
  if (stop <= 0) stop = static_cast<std::int64_t>(history_.size()) + 1;
  std::vector<std::pair<int, std::string>> found;
  std::set<std::string> seen;
  for (auto each = history_.rbegin(); each != history_.rend(); ++each) {
    if (by == "range" && (each->first < start || each->first >= stop)) continue;
    if (by == "search" && !like(each->second, pattern.empty() ? "*" : pattern)) continue;
    if (unique && !seen.insert(each->second).second) continue;
    found.push_back(*each);
  }
  const std::int64_t most = number_in(request, "n", 0);
  if (by != "range" && most > 0 && static_cast<std::int64_t>(found.size()) > most)
    found.resize(static_cast<std::size_t>(most));
  json list = json::array();
  for (auto each = found.rbegin(); each != found.rend(); ++each)
    list.push_back(
        json::array({0, each->first, output ? json::array({each->second, nullptr}) : json(each->second)}));
  return {{"status", "ok"}, {"history", list}};
}

}  // namespace perigee::notebook

#include "runtime/model/readers/pst.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {
namespace {

using readers::Lines;
using readers::shown;

constexpr std::size_t kMostFilesOfTask = std::numeric_limits<std::uint16_t>::max();

struct EventForm {
  std::string_view name;
  std::string_view arguments;  // c cluster, h host, b behaviour, o offset, a architecture
};
constexpr std::array<EventForm, 6> kEvents = {{
    {"ADD_CLUSTER", "cbo"},
    {"ADD_HOST", "chboa"},
    {"REMOVE_CLUSTER", "c"},
    {"REMOVE_HOST", "h"},
    {"CHANGE_HOST_BEHAVIOR", "hbo"},
    {"CHANGE_CLUSTER_BEHAVIOR", "cbo"},
}};

// ---- text ----

// Reads the lines that are neither blank nor remarks.
class LineReader {
 public:
  explicit LineReader(Lines lines) : lines_(std::move(lines)) {}

  bool next(std::string_view& line) {
    while (lines_.next(line)) {
      line = trimmed(line);
      if (line.empty() || line.front() == '#') continue;
      last_ = lines_.number();
      return true;
    }
    return false;
  }
  int line() const { return lines_.here().line; }
  const std::string& name() const { return lines_.name(); }
  // The place of errors about something missing at the end of the file: its last line that is no remark.
  SourceLocation end() const { return lines_.at(std::max<std::int64_t>(1, last_)); }

  template <class... Args>
  [[noreturn]] void fail(std::string_view code, fmt::format_string<Args...> format, Args&&... args) const {
    kernel::detail::raise(lines_.here(), code, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  Lines lines_;
  std::int64_t last_ = 0;
};

// The text before the first blank; `rest` becomes the text behind it.
std::string_view word_of(std::string_view& rest) {
  const auto end = std::find_if(rest.begin(), rest.end(), is_blank);
  const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest = trimmed(rest.substr(word.size()));
  return word;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty();) words.push_back(word_of(text));
  return words;
}

// Moves `line` behind `what` and a colon; false if the line does not begin so.
bool begins(std::string_view& line, std::string_view what) {
  if (!line.starts_with(what)) return false;
  const std::string_view rest = trimmed(line.substr(what.size()));
  if (!rest.starts_with(':')) return false;
  line = trimmed(rest.substr(1));
  return true;
}

// The arguments of "<one> <two> ...".
std::vector<std::string_view> arguments_of(const LineReader& reader, std::string_view text) {
  std::vector<std::string_view> all;
  for (text = trimmed(text); !text.empty();) {
    if (text.front() != '<')
      reader.fail("pst_line", "an argument must begin with '<', got '{}'", shown(text));
    const std::size_t end = text.find_first_of("<>", 1);
    if (end == std::string_view::npos || text[end] == '<')
      reader.fail("pst_line", "argument {} has no '>': '{}'", all.size() + 1, shown(text));
    const std::string_view argument = trimmed(text.substr(1, end - 1));
    if (argument.empty()) reader.fail("pst_line", "argument {} is empty", all.size() + 1);
    all.push_back(argument);
    text = trimmed(text.substr(end + 1));
  }
  return all;
}

std::uint64_t whole_of(const LineReader& reader, std::string_view what, std::string_view text,
                       std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = !text.empty() && stop == text.data() + text.size();
  if (!whole) reader.fail("pst_line", "{} must be a whole number >= 0, got '{}'", what, shown(text));
  if (error != std::errc() || value > most)
    reader.fail("out_of_range", "{} must be at most {}, got {}", what, most, shown(text));
  return value;
}

double pst_number_of(const LineReader& reader, std::string_view what, std::string_view text,
                     double most = std::numeric_limits<double>::infinity()) {
  const double value = readers::number_of(text);
  if (std::isnan(value)) reader.fail("pst_line", "{} must be a number, got '{}'", what, shown(text));
  if (!(value >= 0)) reader.fail("out_of_range", "{} must be >= 0, got {}", what, shown(text));
  if (value > most)
    reader.fail("out_of_range", "{} must be at most {}, got {}", what, format_number(most), shown(text));
  return value == 0 ? 0 : value;
}

// The numbers of "WORD 1 n n ...": there are `count` of them behind the version.
std::vector<std::uint64_t> header_of(LineReader& reader, std::string_view word, std::size_t count,
                                     std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty() || words[0] != word)
    reader.fail("pst_header", "the first line must begin with '{}', got '{}'", word, shown(line));
  if (words.size() != count + 2)
    reader.fail("pst_header", "'{}' must be followed by {} number{}, got {}", word, count + 1,
                count == 0 ? "" : "s", words.size() - 1);
  if (words[1] != "1") reader.fail("pst_header", "version must be 1, got '{}'", shown(words[1]));
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 2; i < words.size(); ++i)
    numbers.push_back(whole_of(reader, fmt::format("number {} of the header", i), words[i], kNone - 1));
  return numbers;
}

std::string_view first_line(LineReader& reader, std::string_view needed) {
  std::string_view line;
  if (!reader.next(line))
    fail_at(reader.end(), "bad_file", "the file is empty; its first line must be '{}'", needed);
  return line;
}

// ---- grid ----

// The names added so far, and whether each is present now.
struct Declared {
  std::unordered_map<std::string, bool> present;
  std::vector<std::string> names;

  bool& of(const LineReader& reader, std::string_view kind, const std::string& name) {
    const auto found = present.find(name);
    if (found == present.end())
      reader.fail("unknown_reference", "{} '{}' is not added before{}", kind, shown(name),
                  did_you_mean(name, names));
    return found->second;
  }
};

class GridParser {
 public:
  explicit GridParser(Lines lines) : reader_(std::move(lines)) {}

  PstGrid parse() {
    grid_.file = reader_.name();
    header_of(reader_, "GridDescription", 0, first_line(reader_, "GridDescription 1"));
    std::string_view line;
    while (reader_.next(line)) {
      PstEvent event = event_of(line);
      if (!grid_.events.empty() && event.at < grid_.events.back().at)
        reader_.fail("out_of_range", "time {} s is before that of the event above, {} s",
                     format_number(event.at), format_number(grid_.events.back().at));
      follow(event);
      grid_.events.push_back(std::move(event));
    }
    return std::move(grid_);
  }

 private:
  PstEvent event_of(std::string_view line) const {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      reader_.fail("pst_line", "a time and ':' come first, as in 0:ADD_CLUSTER, got '{}'", shown(line));
    PstEvent event;
    std::string_view time = trimmed(line.substr(0, colon));
    if (time.starts_with('<') && time.ends_with('>')) time = trimmed(time.substr(1, time.size() - 2));
    event.at = pst_number_of(reader_, "time", time);
    event.line = reader_.line();
    const std::string_view rest = trimmed(line.substr(colon + 1));
    const std::string name(trimmed(rest.substr(0, rest.find('<'))));
    const auto* const form = std::find_if(kEvents.begin(), kEvents.end(),
                                          [&](const EventForm& each) { return each.name == name; });
    if (form == kEvents.end()) {
      std::vector<std::string> names;
      names.reserve(kEvents.size());
      for (const EventForm& each : kEvents) names.emplace_back(each.name);
      reader_.fail("pst_line", "there is no event '{}'{}", shown(name), did_you_mean(name, names));
    }
    event.kind = static_cast<PstEventKind>(form - kEvents.begin());
    const auto arguments = arguments_of(reader_, rest.substr(std::min(rest.find('<'), rest.size())));
    if (arguments.size() != form->arguments.size())
      reader_.fail("pst_line", "{} has {} argument{}, got {}", name, form->arguments.size(),
                   form->arguments.size() == 1 ? "" : "s", arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string_view text = arguments[i];
      switch (form->arguments[i]) {
        case 'c':
          event.cluster = text;
          break;
        case 'h':
          event.host = text;
          break;
        case 'b':
          event.behaviour = text;
          break;
        case 'o':
          event.offset = whole_of(reader_, "offset", text, std::numeric_limits<std::uint64_t>::max());
          break;
        default:
          event.architecture =
              static_cast<std::int32_t>(whole_of(reader_, "architecture", text, kMostPstArchitectures - 1));
      }
    }
    return event;
  }

  // Checks that the event is possible in the state of the grid at that line.
  void follow(const PstEvent& event) {
    switch (event.kind) {
      case PstEventKind::add_cluster:
        add(clusters_, "cluster", event.cluster);
        return;
      case PstEventKind::add_host:
        if (!clusters_.of(reader_, "cluster", event.cluster))
          reader_.fail("unknown_reference", "host '{}' cannot be added to cluster '{}', which is away",
                       shown(event.host), shown(event.cluster));
        add(hosts_, "host", event.host);
        home_[event.host] = event.cluster;
        return;
      case PstEventKind::remove_cluster:
        if (!there(clusters_, "cluster", event.cluster, event.kind)) return;
        clusters_.present[event.cluster] = false;
        for (auto& [host, present] : hosts_.present) present = present && home_[host] != event.cluster;
        return;
      case PstEventKind::remove_host:
        if (there(hosts_, "host", event.host, event.kind)) hosts_.present[event.host] = false;
        return;
      case PstEventKind::change_host:
        there(hosts_, "host", event.host, event.kind);
        return;
      case PstEventKind::change_cluster:
        there(clusters_, "cluster", event.cluster, event.kind);
        return;
    }
  }

  void add(Declared& known, std::string_view kind, const std::string& name) {
    const auto [found, is_new] = known.present.emplace(name, true);
    if (is_new) known.names.push_back(name);
    if (!is_new && std::exchange(found->second, true))
      reader_.fail("duplicate_id", "{} '{}' is added, but it is there already", kind, shown(name));
  }

  bool there(Declared& known, std::string_view kind, const std::string& name, PstEventKind event) {
    if (known.of(reader_, kind, name)) return true;
    grid_.warnings.push_back({reader_.line(), fmt::format("{} of {} '{}', which is away: ignored",
                                                          name_of(event), kind, shown(name))});
    return false;
  }

  LineReader reader_;
  PstGrid grid_;
  Declared clusters_, hosts_;
  std::unordered_map<std::string, std::string> home_;  // of hosts
};

// ---- behaviours ----

PstBehaviour behaviour_from(Lines lines) {
  LineReader reader(std::move(lines));
  const std::string_view line = first_line(reader, "HostBehavior 1 COUNT");
  PstBehaviour behaviour;
  std::optional<bool> of_link;
  std::uint64_t count = 0;
  if (const std::vector<std::string_view> words = words_of(line);
      words.size() == 1 && words[0][0] >= '0' && words[0][0] <= '9') {
    count = whole_of(reader, "the number of values", words[0], kNone - 1);
  } else {
    of_link = line.starts_with("LinkBehavior");
    count = header_of(reader, *of_link ? "LinkBehavior" : "HostBehavior", 1, line)[0];
  }
  if (count == 0) reader.fail("out_of_range", "the number of values must be >= 1, got 0");
  std::uint64_t found = 0;
  for (std::string_view row; reader.next(row); ++found) {
    if (found == count) reader.fail("pst_line", "more values than the {} of the header", count);
    const std::vector<std::string_view> words = words_of(row);
    if (!of_link && (words.size() == 1 || words.size() == 2)) of_link = words.size() == 2;
    if (words.size() != (of_link.value_or(false) ? 2 : 1))
      reader.fail(
          "pst_line", "{} is needed, got '{}'",
          of_link.value_or(false) ? "a latency in ms and a bandwidth in B/s" : "an availability in percent",
          shown(row));
    if (*of_link) {
      behaviour.latency.push_back(pst_number_of(reader, "latency", words[0]));
      behaviour.bandwidth.push_back(pst_number_of(reader, "bandwidth", words[1]));
    } else {
      behaviour.percent.push_back(pst_number_of(reader, "availability", words[0], 100));
    }
  }
  if (found < count)
    fail_at(reader.end(), "pst_line", "the file ends after {} of the {} values of its header", found, count);
  return behaviour;
}

// ---- application ----

class ApplicationParser {
 public:
  explicit ApplicationParser(Lines lines) : reader_(std::move(lines)) {}

  PstApplication parse() {
    const std::vector<std::uint64_t> counts =
        header_of(reader_, "WorkDescription", 2, first_line(reader_, "WorkDescription 1 FILES TASKS"));
    file_count_ = counts[0];
    task_count_ = counts[1];
    for (std::string_view line; reader_.next(line);) {
      if (begins(line, "File"))
        file(line);
      else if (begins(line, "Work"))
        task(line);
      else
        reader_.fail("pst_line", "a line must begin with 'File:' or 'Work:', got '{}'", shown(line));
    }
    if (files_.size() < file_count_ || tasks_.size() < task_count_)
      fail_at(reader_.end(), "pst_line",
              "the file ends after {} of {} files and {} of {} tasks of its header", files_.size(),
              file_count_, tasks_.size(), task_count_);
    PstApplication application;
    application.files.resize(files_.size());
    application.tasks.resize(tasks_.size());
    for (auto& [id, declared] : files_) {
      if (!declared.is_input && !declared.is_output)
        application.warnings.push_back(
            {declared.line, fmt::format("file {} '{}' is never used", id, shown(declared.file.name))});
      application.files[id] = std::move(declared.file);
    }
    std::ranges::sort(application.warnings, {}, &PstWarning::line);
    for (auto& [id, task] : tasks_) application.tasks[id] = std::move(task);
    return application;
  }

 private:
  struct Declared {
    PstFile file;
    int line = 0;
    bool is_input = false, is_output = false;
  };

  void file(std::string_view line) {
    const auto arguments = arguments_of(reader_, line);
    if (arguments.size() != 4)
      reader_.fail("pst_line", "a file has 4 arguments: id, name, size and estimate, got {}",
                   arguments.size());
    const auto id = static_cast<std::uint32_t>(id_of("file", arguments[0], file_count_));
    Declared declared;
    declared.file.name = arguments[1];
    declared.file.size = pst_number_of(reader_, "size", arguments[2]);
    declared.file.estimate = pst_number_of(reader_, "estimated size", arguments[3]);
    declared.line = reader_.line();
    if (!files_.emplace(id, std::move(declared)).second)
      reader_.fail("duplicate_id", "there are two files with id {}", id);
  }

  void task(std::string_view line) {
    const auto arguments = arguments_of(reader_, line);
    if (arguments.size() != 5)
      reader_.fail("pst_line",
                   "a task has 5 arguments: id, inputs, outputs, run times and their estimates, got {}",
                   arguments.size());
    const auto id = static_cast<std::uint32_t>(id_of("task", arguments[0], task_count_));
    if (tasks_.contains(id)) reader_.fail("duplicate_id", "there are two tasks with id {}", id);
    PstTask task;
    task.inputs = files_of("inputs", arguments[1]);
    task.outputs = files_of("outputs", arguments[2]);
    use(task, id);
    task.times = times_of("run times", arguments[3]);
    task.estimates = times_of("estimated run times", arguments[4]);
    if (task.times.empty()) reader_.fail("pst_line", "task {} has no run times", id);
    if (task.times.size() != task.estimates.size())
      reader_.fail("pst_line", "task {} has {} run times and {} estimates", id, task.times.size(),
                   task.estimates.size());
    if (columns_ == 0) columns_ = task.times.size();
    if (task.times.size() != columns_)
      reader_.fail("pst_line", "task {} has run times on {} architectures, those above on {}", id,
                   task.times.size(), columns_);
    tasks_.emplace(id, std::move(task));
  }

  void use(const PstTask& task, std::uint32_t id) {
    std::vector<std::uint32_t> sorted = task.inputs;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      reader_.fail("duplicate_id", "task {} has file {} as input twice", id, *twice);
    for (const std::uint32_t file : task.inputs) {
      Declared& declared = files_.at(file);
      if (declared.is_output)
        reader_.fail("duplicate_id", "task {} has file {} as input, which is an output", id, file);
      declared.is_input = true;
    }
    for (const std::uint32_t file : task.outputs) {
      Declared& declared = files_.at(file);
      if (declared.is_input)
        reader_.fail("duplicate_id", "task {} has file {} as output, which is an input", id, file);
      if (std::exchange(declared.is_output, true))
        reader_.fail("duplicate_id", "task {} has file {} as output, which is an output already", id, file);
    }
  }

  std::uint64_t id_of(std::string_view kind, std::string_view text, std::uint64_t count) const {
    if (count == 0) reader_.fail("out_of_range", "the header says that there are no {}s", kind);
    return whole_of(reader_, fmt::format("the id of a {}", kind), text, count - 1);
  }

  // "3 : 0 1 2"
  std::vector<std::string_view> list_of(std::string_view what, std::string_view text) const {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      reader_.fail("pst_line", "{}: a number and ':' come first, as in < 2 : 0 1 >, got '{}'", what,
                   shown(text));
    const std::uint64_t count =
        whole_of(reader_, fmt::format("the number of {}", what), trimmed(text.substr(0, colon)), kNone - 1);
    std::vector<std::string_view> values = words_of(text.substr(colon + 1));
    if (values.size() != count)
      reader_.fail("pst_line", "{}: {} values, but {} are announced", what, values.size(), count);
    return values;
  }

  std::vector<std::uint32_t> files_of(std::string_view what, std::string_view text) const {
    std::vector<std::uint32_t> ids;
    for (const std::string_view value : list_of(what, text)) {
      const auto id = static_cast<std::uint32_t>(id_of("file", value, file_count_));
      if (!files_.contains(id))
        reader_.fail("unknown_reference", "{}: file {} is not declared before", what, id);
      ids.push_back(id);
    }
    if (ids.size() > kMostFilesOfTask)
      reader_.fail("out_of_range", "{}: at most {} files, got {}", what, kMostFilesOfTask, ids.size());
    return ids;
  }

  std::vector<double> times_of(std::string_view what, std::string_view text) const {
    std::vector<double> times;
    for (const std::string_view value : list_of(what, text))
      times.push_back(pst_number_of(reader_, what, value));
    if (times.size() > static_cast<std::size_t>(kMostPstArchitectures))
      reader_.fail("out_of_range", "{}: at most {} architectures, got {}", what, kMostPstArchitectures,
                   times.size());
    return times;
  }

  LineReader reader_;
  std::uint64_t file_count_ = 0, task_count_ = 0;
  std::size_t columns_ = 0;  // 0 = no task yet
  std::map<std::uint32_t, Declared> files_;
  std::map<std::uint32_t, PstTask> tasks_;
};

// ---- writing ----

// The text <name>, if the readers would read it so.
std::string argument(std::string_view name) {
  if (name.empty() || trimmed(name) != name || name.find_first_of("<>\n\r") != std::string_view::npos)
    fail("pst_name",
         "'{}' cannot be written: names have no '<', '>' or ends of lines, and no blanks around them",
         shown(name));
  return fmt::format("<{}>", name);
}

// The shortest decimal that reads back as the same number, without an exponent.
std::string decimal(double value) {
  std::array<char, 512> buffer{};
  const auto [stop, status] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  PERIGEE_ASSERT(status == std::errc(), "a number is longer than any");
  return {buffer.data(), stop};
}
std::string decimal(std::uint32_t value) { return fmt::format("{}", value); }

template <class Values>
std::string list(const Values& values) {
  std::string text = fmt::format("< {} :", values.size());
  for (const auto value : values) text += " " + decimal(value);
  return text + " >";
}

}  // namespace

std::string_view name_of(PstEventKind kind) { return kEvents[static_cast<std::size_t>(kind)].name; }

bool PstEvent::operator==(const PstEvent& other) const {
  const auto key = [](const PstEvent& e) {
    return std::tie(e.at, e.kind, e.cluster, e.host, e.behaviour, e.offset, e.architecture);
  };
  return key(*this) == key(other);
}

PstGrid read_pst_grid(const std::filesystem::path& path) {
  return GridParser(Lines(path, kLargestPstFile)).parse();
}
PstGrid parse_pst_grid(std::string_view text, std::string_view name) {
  return GridParser(Lines(text, name)).parse();
}

PstBehaviour read_pst_behaviour(const std::filesystem::path& path) {
  return behaviour_from(Lines(path, kLargestPstFile));
}
PstBehaviour parse_pst_behaviour(std::string_view text, std::string_view name) {
  return behaviour_from(Lines(text, name));
}

PstApplication read_pst_application(const std::filesystem::path& path) {
  return ApplicationParser(Lines(path, kLargestPstFile)).parse();
}
PstApplication parse_pst_application(std::string_view text, std::string_view name) {
  return ApplicationParser(Lines(text, name)).parse();
}

std::string write_pst(const PstGrid& grid) {
  std::string text = "GridDescription 1\n";
  for (const PstEvent& event : grid.events) {
    const EventForm& form = kEvents[static_cast<std::size_t>(event.kind)];
    text += decimal(event.at) + ":" + std::string(form.name);
    for (const char what : form.arguments) {
      text += ' ';
      text += what == 'c'   ? argument(event.cluster)
              : what == 'h' ? argument(event.host)
              : what == 'b' ? argument(event.behaviour)
              : what == 'o' ? fmt::format("<{}>", event.offset)
                            : fmt::format("<{}>", event.architecture);
    }
    text += '\n';
  }
  return text;
}

std::string write_pst(const PstBehaviour& behaviour) {
  std::string text =
      fmt::format("{} 1 {}\n", behaviour.of_link() ? "LinkBehavior" : "HostBehavior", behaviour.size());
  for (std::size_t i = 0; i < behaviour.size(); ++i)
    text += behaviour.of_link() ? decimal(behaviour.latency[i]) + " " + decimal(behaviour.bandwidth[i]) + "\n"
                                : decimal(behaviour.percent[i]) + "\n";
  return text;
}

std::string write_pst(const PstApplication& application) {
  std::string text =
      fmt::format("WorkDescription 1 {} {}\n", application.files.size(), application.tasks.size());
  for (std::size_t id = 0; id < application.files.size(); ++id) {
    const PstFile& file = application.files[id];
    text += fmt::format("File: <{}> {} <{}> <{}>\n", id, argument(file.name), decimal(file.size),
                        decimal(file.estimate));
  }
  for (std::size_t id = 0; id < application.tasks.size(); ++id) {
    const PstTask& task = application.tasks[id];
    text += fmt::format("Work: <{}> {} {} {} {}\n", id, list(task.inputs), list(task.outputs),
                        list(task.times), list(task.estimates));
  }
  return text;
}

}  // namespace perigee::readers

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/work.h"
#include "runtime/model/readers/graph/checked.h"
#include "runtime/model/readers/graph/workflow_files.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {

namespace {

using WfCursor = JsonText::Cursor;

constexpr std::string_view kWfVersion = "1.5";
constexpr std::string_view kOlderWfVersions[] = {"1.3", "1.4"};

// Who says that one task is before another.
enum WfSource : std::uint8_t { kByParents = 1, kByChildren = 2, kByFile = 4 };
struct WfEdge {
  std::uint32_t from = 0, to = 0;
  std::uint8_t sources = 0;
};

class WfReader {
 public:
  WfReader(const JsonText& text, const WfFormatOptions& options) : text_(text), options_(options) {}

  WorkflowFile read() {
    const WfCursor root = text_.root();
    object(root);
    if (const WfCursor name = root.member("name")) out_.name = string(name);
    const WfCursor version = required(root, "schemaVersion");
    const std::string& number = string(version);
    const bool is_older = std::ranges::find(kOlderWfVersions, number) != std::end(kOlderWfVersions);
    if (number != kWfVersion && !(is_older && options_.older))
      text_.fail(version, "wfformat_version", "", "version '{}' is not read, but {}{}", shown(number),
                 options_.older ? "1.3, 1.4 and 1.5" : "1.5",
                 is_older ? ", and 1.3 and 1.4 with the option 'older'" : "");
    const WfCursor workflow = required(root, "workflow");
    object(workflow);
    graph_.form = options_.form;
    if (is_older)
      read_older(workflow);
    else
      read_newer(workflow);
    join();
    return std::move(out_);
  }

 private:
  // ---- types ----

  [[noreturn]] void wrong_type(const WfCursor& at, std::string_view wanted) const {
    text_.fail(at, "wfformat_type", "", "must be {}, got {}", wanted, json_shown(*at.value));
  }
  void object(const WfCursor& at) const {
    if (!at.value->is_object()) wrong_type(at, "an object");
  }
  std::size_t array(const WfCursor& at) const {
    if (!at.value->is_array()) wrong_type(at, "an array");
    return at.value->size();
  }
  const std::string& string(const WfCursor& at) const {
    if (!at.value->is_string()) wrong_type(at, "a string");
    return at.value->get_ref<const std::string&>();
  }
  double number(const WfCursor& at) const {
    if (!at.value->is_number()) wrong_type(at, "a number");
    return at.value->get<double>();
  }
  WfCursor required(const WfCursor& at, std::string_view name) const {
    const WfCursor found = at.member(name);
    if (!found) text_.fail(at, "wfformat_field", "", "'{}' is missing", name);
    return found;
  }
  const std::string& name_at(const WfCursor& at) const {
    const std::string& name = string(at);
    if (name.empty()) text_.fail(at, "wfformat_field", "", "must not be empty");
    return name;
  }
  // >= 0 and finite.
  double amount(const WfCursor& at, std::string_view code, std::string_view unit) const {
    const double value = number(at);
    if (!(value >= 0 && std::isfinite(value)))
      text_.fail(at, code, "", "must be >= 0 {} and finite, got {}", unit, json_shown(*at.value));
    return value + 0.0;  // no -0
  }

  // ---- names ----

  using Numbers =
      std::map<std::string_view, std::uint32_t>;  // of what has the name; names are those of the document

  // Adds one that is defined at a place; `list` is where the others are.
  void define(Numbers& numbers, const WfCursor& at, std::size_t number, std::string_view list) const {
    const std::string& name = name_at(at);
    const auto [entry, added] = numbers.emplace(name, static_cast<std::uint32_t>(number));
    if (!added)
      text_.fail(at, "workflow_duplicate", "", "'{}' is already the name of {}[{}]", shown(name), list,
                 entry->second);
  }
  std::uint32_t find(const Numbers& numbers, const WfCursor& at, std::string_view what) const {
    const std::string& name = string(at);
    const auto found = numbers.find(name);
    if (found == numbers.end()) {
      std::vector<std::string_view> names;
      for (const auto& [known, number] : numbers) names.push_back(known);
      text_.fail(at, "workflow_reference", "", "there is no {} '{}'{}", what, shown(name),
                 did_you_mean(name, std::span<const std::string_view>(names)));
    }
    return found->second;
  }

  // ---- parts ----

  void read_newer(const WfCursor& workflow) {
    const WfCursor specification = required(workflow, "specification");
    object(specification);
    const WfCursor tasks = required(specification, "tasks");
    begin_tasks(tasks);
    for (std::size_t t = 0; t < graph_.tasks.size(); ++t) {
      const WfCursor task = tasks.item(t);
      object(task);
      const WfCursor id = required(task, "id");
      define(task_numbers_, id, t, "$.workflow.specification.tasks");
      graph_.tasks[t].name = string(id);
      if (const WfCursor name = task.member("name")) categorize(graph_.tasks[t], string(name));
    }
    if (const WfCursor files = specification.member("files")) {
      graph_.files.resize(array(files));
      for (std::size_t f = 0; f < graph_.files.size(); ++f) {
        did_work(kStepsOfEntry);
        const WfCursor file = files.item(f);
        object(file);
        const WfCursor id = required(file, "id");
        define(file_numbers_, id, f, "$.workflow.specification.files");
        graph_.files[f] = {string(id), amount(required(file, "sizeInBytes"), "workflow_size", "B")};
      }
    }
    makers_.assign(graph_.files.size(), kNone);
    for (std::size_t t = 0; t < graph_.tasks.size(); ++t) {
      const WfCursor task = tasks.item(t);
      read_neighbours(task, t);
      read_task_files(task, "inputFiles", t, false);
      read_task_files(task, "outputFiles", t, true);
    }
    if (const WfCursor execution = workflow.member("execution")) read_execution(execution);
    for (std::size_t t = 0; t < graph_.tasks.size(); ++t)
      if (has_time_[t] == 0) give_time(graph_.tasks[t], WfCursor(), tasks.item(t));
  }

  void read_execution(const WfCursor& execution) {
    object(execution);
    const WfCursor tasks = required(execution, "tasks");
    const std::size_t count = array(tasks);
    for (std::size_t i = 0; i < count; ++i) {
      did_work(kStepsOfEntry);
      const WfCursor task = tasks.item(i);
      object(task);
      const WfCursor id = required(task, "id");
      const std::uint32_t number = find(task_numbers_, id, "task");
      if (has_time_[number] != 0)
        text_.fail(id, "workflow_duplicate", "", "task '{}' is executed twice", shown(string(id)));
      has_time_[number] = 1;
      give_time(graph_.tasks[number], task.member("runtimeInSeconds"), task);
      read_cores(graph_.tasks[number], task, "coreCount");
    }
  }

  void read_older(const WfCursor& workflow) {
    const WfCursor tasks = required(workflow, "tasks");
    begin_tasks(tasks);
    for (std::size_t t = 0; t < graph_.tasks.size(); ++t) {
      const WfCursor task = tasks.item(t);
      object(task);
      const WfCursor name = required(task, "name");
      define(task_numbers_, name, t, "$.workflow.tasks");
      graph_.tasks[t].name = string(name);
      if (const WfCursor category = task.member("category")) categorize(graph_.tasks[t], string(category));
    }
    for (std::size_t t = 0; t < graph_.tasks.size(); ++t)  // a name comes before an id
      if (const WfCursor id = tasks.item(t).member("id"); id && id.value->is_string())
        task_numbers_.emplace(string(id), static_cast<std::uint32_t>(t));
    for (std::size_t t = 0; t < graph_.tasks.size(); ++t) {
      const WfCursor task = tasks.item(t);
      read_neighbours(task, t);
      if (const WfCursor files = task.member("files")) read_older_files(files, t);
      const WfCursor newer = task.member("runtimeInSeconds");
      give_time(graph_.tasks[t], newer ? newer : task.member("runtime"), task);
      read_cores(graph_.tasks[t], task, "cores");
    }
  }

  // Input and output files of a task in one list, each with its size.
  void read_older_files(const WfCursor& files, std::size_t t) {
    const std::size_t count = array(files);
    for (std::size_t i = 0; i < count; ++i) {
      did_work(kStepsOfEntry);
      const WfCursor file = files.item(i);
      object(file);
      const WfCursor name = required(file, "name"), link = required(file, "link"),
                     newer = file.member("sizeInBytes"), size_at = newer ? newer : required(file, "size");
      const std::string& way = string(link);
      if (way != "input" && way != "output")
        text_.fail(link, "wfformat_field", "", "must be 'input' or 'output', got '{}'", shown(way));
      const double size = amount(size_at, "workflow_size", "B");
      const auto [entry, added] =
          file_numbers_.emplace(name_at(name), static_cast<std::uint32_t>(graph_.files.size()));
      if (added) {
        graph_.files.push_back({string(name), size});
        makers_.push_back(kNone);
      } else if (graph_.files[entry->second].size != size) {
        text_.fail(size_at, "workflow_size", "", "file '{}' has {} bytes here, and {} before",
                   shown(string(name)), size, graph_.files[entry->second].size);
      }
      add_file(t, entry->second, name, way == "output");
    }
  }

  void begin_tasks(const WfCursor& tasks) {
    const std::size_t count = array(tasks);
    if (count == 0) text_.fail(tasks, "workflow_empty", "", "there is no task");
    graph_.tasks.resize(count);
    has_time_.resize(count);
    did_work(kStepsOfEntry * count);
  }

  static void categorize(GraphTask& task, const std::string& category) {
    if (category != task.name) task.category = category;
  }

  void read_neighbours(const WfCursor& task, std::size_t t) {
    const auto self = static_cast<std::uint32_t>(t);
    for (const bool parents : {true, false}) {
      const WfCursor list = task.member(parents ? "parents" : "children");
      if (!list) continue;
      const std::size_t count = array(list);
      did_work(kStepsOfEntry * count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t other = find(task_numbers_, list.item(i), "task");
        if (parents)
          edges_.push_back({other, self, kByParents});
        else
          edges_.push_back({self, other, kByChildren});
      }
      (parents ? has_parents_ : has_children_) = true;
    }
  }

  void read_task_files(const WfCursor& task, std::string_view member, std::size_t t, bool outputs) {
    const WfCursor list = task.member(member);
    if (!list) return;
    const std::size_t count = array(list);
    did_work(kStepsOfEntry * count);
    for (std::size_t i = 0; i < count; ++i) {
      const WfCursor item = list.item(i);
      add_file(t, find(file_numbers_, item, "file"), item, outputs);
    }
  }

  void add_file(std::size_t t, std::uint32_t file, const WfCursor& at, bool is_output) {
    GraphTask& task = graph_.tasks[t];
    if (is_output) {
      if (makers_[file] == t) twice(task, file, at, "outputs");
      if (makers_[file] != kNone)
        text_.fail(at, "workflow_duplicate", "",
                   "file '{}' is an output of '{}' already; one task makes a file",
                   shown(graph_.files[file].name), shown(graph_.tasks[makers_[file]].name));
      makers_[file] = static_cast<std::uint32_t>(t);
    } else {
      readers_.resize(graph_.files.size(), kNone);
      if (readers_[file] == t) twice(task, file, at, "inputs");
      readers_[file] = static_cast<std::uint32_t>(t);
    }
    (is_output ? task.outputs : task.inputs).push_back(file);
  }
  [[noreturn]] void twice(const GraphTask& task, std::uint32_t file, const WfCursor& at,
                          std::string_view list) const {
    text_.fail(at, "workflow_duplicate", "", "file '{}' stands twice in the {} of task '{}'",
               shown(graph_.files[file].name), list, shown(task.name));
  }

  // The run time at `at`, or that of the options; `task` is where it would be.
  void give_time(GraphTask& task, const WfCursor& at, const WfCursor& where) const {
    if (!at && !options_.time)
      text_.fail(where, "wfformat_field", "",
                 "task '{}' has no run time ('runtimeInSeconds'); the option 'time' gives one to such tasks",
                 shown(task.name));
    const double seconds = at ? amount(at, "workflow_time", "s") : *options_.time;
    task.amount = options_.form == TimeForm::operations ? seconds * options_.reference : seconds;
    if (!std::isfinite(task.amount))
      text_.fail(where, "workflow_time", "", "a run time of {} s is too many operations for hosts of {} op/s",
                 seconds, options_.reference);
  }

  void read_cores(GraphTask& task, const WfCursor& at, std::string_view cores) {
    if (const WfCursor count = at.member(cores); count && number(count) > 1) ++many_cores_;
    if (const WfCursor priority = at.member("priority")) {
      task.priority = number(priority);
      if (!std::isfinite(task.priority)) text_.fail(priority, "wfformat_type", "", "must be finite");
    }
  }

  // Joins the edges that parents, children and files tell of.
  void join() {
    for (std::uint32_t t = 0; t < graph_.tasks.size(); ++t)
      for (const std::uint32_t file : graph_.tasks[t].inputs)
        if (makers_[file] != kNone) edges_.push_back({makers_[file], t, kByFile});
    did_work(kStepsOfEntry * edges_.size());
    std::ranges::sort(edges_, {}, [](const WfEdge& edge) { return std::pair(edge.from, edge.to); });
    const std::uint8_t both = (has_parents_ ? kByParents : 0) | (has_children_ ? kByChildren : 0);
    Odd one_sided, by_file;
    for (std::size_t i = 0; i < edges_.size();) {
      WfEdge edge = edges_[i];
      for (++i; i < edges_.size() && edges_[i].from == edge.from && edges_[i].to == edge.to; ++i)
        edge.sources |= edges_[i].sources;
      const int said = edge.sources & (kByParents | kByChildren);
      if (said == 0)
        by_file.note(edge);
      else if (said != both)
        one_sided.note(edge);
      if ((edge.sources & kByFile) == 0) graph_.tasks[edge.to].after.push_back(edge.from);
    }
    tell(one_sided, "one_sided", "edges that one of their two tasks does not list", "they are edges");
    tell(by_file, "file_edge", "edges by files that are in no list of parents or children", "they are edges");
    if (many_cores_ > 0)
      out_.findings.push_back(
          {"many_cores", many_cores_, 0, "tasks of more than one core", "", "they have one"});
  }

  struct Odd {
    std::int64_t count = 0;
    WfEdge first;
    void note(const WfEdge& edge) {
      if (count++ == 0) first = edge;
    }
  };
  void tell(const Odd& odd, std::string_view anomaly, std::string_view what, std::string done) {
    if (odd.count > 0)
      out_.findings.push_back(
          {anomaly, odd.count, 0,
           fmt::format("{} (first '{}' -> '{}')", what, shown(graph_.tasks[odd.first.from].name),
                       shown(graph_.tasks[odd.first.to].name)),
           "", std::move(done)});
  }

  static constexpr std::uint64_t kStepsOfEntry = 100;

  const JsonText& text_;
  const WfFormatOptions& options_;
  WorkflowFile out_;
  TaskGraph& graph_ = out_.graph;
  Numbers task_numbers_, file_numbers_;
  std::vector<std::uint32_t> makers_, readers_;  // of each file; readers: the last so far
  std::vector<std::uint8_t> has_time_;
  std::vector<WfEdge> edges_;
  bool has_parents_ = false, has_children_ = false;
  std::int64_t many_cores_ = 0;
};

// `"NAME": [ ... ]` with an entry for each item.
template <class Items, class Entry>
void write_list(std::string& out, std::string_view name, const Items& items, Entry entry) {
  out += fmt::format("\"{}\": [", name);
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += ", ";
    first = false;
    entry(item);
  }
  out += ']';
}

}  // namespace

WorkflowFile parse_wfformat(std::string_view text, std::string_view name, const WfFormatOptions& options) {
  const JsonText json(text, name);
  WorkflowFile out = WfReader(json, options).read();
  in_workflow_file(name, [&] { check_graph(out.graph); });
  return out;
}

WorkflowFile read_wfformat(const std::filesystem::path& path, const WfFormatOptions& options) {
  return parse_wfformat(Lines::whole(path, kLargestWorkflowFile), path.string(), options);
}

namespace {

// So many seconds after the beginning of 1970, to the microsecond.
std::string wf_date(double seconds) {
  using std::chrono::microseconds, std::chrono::days;
  const microseconds since(std::llround(std::min(seconds, 1e11) * 1e6));
  const auto day = std::chrono::floor<days>(since);
  const std::chrono::year_month_day date{std::chrono::sys_days(day)};
  const auto rest = (since - day).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     rest / 3'600'000'000, rest / 60'000'000 % 60, rest / 1'000'000 % 60, rest % 1'000'000);
}

}  // namespace

std::string write_wfformat(const TaskGraph& graph, std::string_view name, const WfExecution* execution) {
  if (graph.form == TimeForm::by_host && execution == nullptr)
    fail("wfformat_type", "WfFormat has one run time for each task, and this graph has times by host");
  const auto quoted = [](std::string_view text) {
    if (!is_utf8(text)) fail("wfformat_type", "JSON holds names in UTF-8 alone, got '{}'", shown(text));
    return json_string(text);
  };
  const Precedence precedence = precedence_of(graph);
  std::string out =
      fmt::format("{{\"name\": {}, \"schemaVersion\": \"{}\", \"workflow\": {{\n\"specification\": {{\n",
                  quoted(name), kWfVersion);
  const auto add_task = [&](std::uint32_t t) { out += quoted(graph.tasks[t].name); };
  const auto add_file = [&](std::uint32_t f) { out += quoted(graph.files[f].name); };
  out += "\"tasks\": [";
  for (std::size_t t = 0; t < graph.tasks.size(); ++t) {
    const GraphTask& task = graph.tasks[t];
    did_work(200);
    out += fmt::format("{}\n{{\"name\": {}, \"id\": {},\n ", t == 0 ? "" : ",",
                       quoted(task.category.empty() ? task.name : task.category), quoted(task.name));
    write_list(out, "parents", precedence.predecessors(t), add_task);
    out += ", ";
    write_list(out, "children", precedence.successors(t), add_task);
    out += ",\n ";
    write_list(out, "inputFiles", task.inputs, add_file);
    out += ", ";
    write_list(out, "outputFiles", task.outputs, add_file);
    out += '}';
  }
  out += "],\n";
  write_list(out, "files", graph.files, [&](const GraphFile& file) {
    out += fmt::format("\n{{\"id\": {}, \"sizeInBytes\": {}}}", quoted(file.name), format_number(file.size));
  });
  // The schema wants the time and day of an execution, and no run has one.
  out += fmt::format(
      "}},\n\"execution\": {{\"makespanInSeconds\": {}, \"executedAt\": \"1970-01-01T00:00:00Z\",\n",
      format_number(execution != nullptr ? execution->makespan : 0));
  write_list(out, "tasks", graph.tasks, [&](const GraphTask& task) {
    const auto t = static_cast<std::size_t>(&task - graph.tasks.data());
    out += fmt::format("\n{{\"id\": {}, \"runtimeInSeconds\": {}", quoted(task.name),
                       format_number(execution != nullptr ? execution->tasks[t].seconds : task.amount));
    if (task.priority != 0) out += fmt::format(", \"priority\": {}", format_number(task.priority));
    if (execution != nullptr)
      out += fmt::format(", \"executedAt\": \"{}\", \"machines\": [{}]", wf_date(execution->tasks[t].start),
                         quoted(execution->tasks[t].machine));
    out += '}';
  });
  if (execution != nullptr) {
    out += ",\n";
    write_list(out, "machines", execution->machines, [&](const WfExecution::Machine& machine) {
      out += fmt::format("\n{{\"nodeName\": {}, \"cpu\": {{\"coreCount\": {}}}}}", quoted(machine.name),
                         machine.cores);
    });
  }
  out += "}}}\n";
  return out;
}

}  // namespace perigee::readers

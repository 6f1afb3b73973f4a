// The works of a scenario as text.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "interpreter/bindings/script/parts.h"
#include "interpreter/bindings/script/record.h"
#include "interpreter/language/fields/work.h"

namespace perigee::bindings {

namespace {

using namespace language;
using model::kNone;

bool has_quality(const Workload& workload, std::size_t w) {
  return w < workload.qualities.size() && workload.qualities[w] != kNone;
}

// Tasks of a matrix with qualities of service.
struct MatrixOf {
  const Scenario& scenario;
  std::size_t first, count;
  const Workload& workload() const { return *scenario.workload; }
  std::string matrix(std::uint32_t (*row)(const Workload& workload, std::size_t w)) const {
    EtcMatrix made{.tasks = count, .machines = scenario.platform->hosts().size(), .values = {}};
    for (std::size_t w = first; w < first + count; ++w) {
      const auto begin = workload().times.begin() + row(workload(), w);
      made.values.insert(made.values.end(), begin, begin + static_cast<std::ptrdiff_t>(made.machines));
    }
    return script_of(made);
  }
  std::vector<double> numbers(double Work::*field) const {
    std::vector<double> all;
    for (std::size_t w = first; w < first + count; ++w) all.push_back(workload().works[w].*field);
    return all;
  }
};
void say_numbers(LuaTable& t, const FieldRow& f, const std::vector<double>& all) {
  if (std::ranges::any_of(all, [](double each) { return each != 0; })) t.field(f.name, lua_numbers(all));
}
constexpr Said<MatrixOf> kOfMatrix[] = {
    {matrix_fields::kTimes,
     [](LuaTable& t, const FieldRow& f, const MatrixOf& of) {
       if (of.workload().works[of.first].estimates != kNone)
         t.field(f.name, of.matrix([](const Workload& all, std::size_t w) { return all.works[w].times; }));
     }},
    {matrix_fields::kQuality,
     [](LuaTable& t, const FieldRow& f, const MatrixOf& of) {
       t.field(f.name, of.matrix([](const Workload& all, std::size_t w) { return all.qualities[w]; }));
     }},
    {matrix_fields::kArrivals, [](LuaTable& t, const FieldRow& f,
                                  const MatrixOf& of) { say_numbers(t, f, of.numbers(&Work::arrival)); }},
    {matrix_fields::kPriorities, [](LuaTable& t, const FieldRow& f, const MatrixOf& of) {
       say_numbers(t, f, of.numbers(&Work::priority));
     }}};

struct WorkflowOf {
  const Scenario& scenario;
  const model::Workflow& workflow;
  bool none_goes_home;
  std::string usual_name;
  std::string tasks;
};
constexpr Said<WorkflowOf> kOfWorkflow[] = {
    {workflow_fields::kName,
     [](LuaTable& t, const FieldRow& f, const WorkflowOf& of) {
       if (of.workflow.name != of.usual_name) t.text(f, of.workflow.name);
     }},
    {workflow_fields::kArrival,
     [](LuaTable& t, const FieldRow& f, const WorkflowOf& of) { t.number(f, of.workflow.arrival); }},
    {workflow_fields::kDeadline,
     [](LuaTable& t, const FieldRow& f, const WorkflowOf& of) { t.number(f, of.workflow.deadline); }},
    {workflow_fields::kHome,
     [](LuaTable& t, const FieldRow& f, const WorkflowOf& of) { t.choice(f, of.none_goes_home ? 2 : 0); }},
    {workflow_fields::kTasks,
     [](LuaTable& t, const FieldRow& f, const WorkflowOf& of) { t.field(f.name, of.tasks); }}};

class Works {
 public:
  Works(const Scenario& scenario, const std::vector<std::string>& architectures)
      : scenario_(scenario), architectures_(architectures), workload_(*scenario.workload) {
    makers_.assign(workload_.files.size(), kNone);
    for (std::size_t w = 0; w < workload_.size(); ++w)
      for (const FileId file : workload_.outputs(WorkId(w)))
        makers_[file.index] = static_cast<std::uint32_t>(w);
    check_files();
  }

  std::string text() {
    std::vector<std::string> parts;
    for (std::size_t w = 0; w < workload_.size();) {
      const std::size_t end = end_of_part(w);
      parts.push_back(part(w, end));
      w = end;
    }
    if (parts.empty()) return "workload.tasks {}";
    if (parts.size() == 1) return parts.front();
    LuaTable all;
    for (std::string& each : parts) all.item(std::move(each));
    return "workload.merge " + all.lines();
  }

 private:
  WorkKind kind(std::size_t w) const { return workload_.works[w].kind; }

  // Files get their numbers as tasks name them.
  void check_files() const {
    std::uint32_t next = 0;
    const auto check = [&](FileId file) {
      if (file.index != next++)
        fail(
            "not_plain",
            "file '{}' is number {}, as the graph that it is from counts; tasks that are declared would make it number "
            "{}",
            workload_.files[file.index].name, file.index + 1, next);
    };
    for (std::size_t w = 0; w < workload_.size(); ++w) {
      for (const FileId file : workload_.inputs(WorkId(w)))
        if (makers_[file.index] == kNone && file.index >= next) check(file);
      for (const FileId file : workload_.outputs(WorkId(w))) check(file);
    }
  }

  // The works behind `w` that stand in one list with it.
  std::size_t end_of_part(std::size_t w) const {
    const std::size_t size = workload_.size();
    std::size_t end = w + 1;
    if (kind(w) != WorkKind::task) {
      while (end < size && kind(end) == kind(w)) ++end;
      return end;
    }
    if (const std::uint32_t flow = workload_.workflow_of(WorkId(w)); flow != kNone)
      return w + workload_.workflows[flow].tasks;
    if (has_quality(workload_, w)) {
      const auto goes_on = [&](std::size_t next) {
        const Work &a = workload_.works[next - 1], &b = workload_.works[next];
        return kind(next) == WorkKind::task && has_quality(workload_, next) && b.arrival >= a.arrival &&
               (a.estimates == kNone) == (b.estimates == kNone);
      };
      while (end < size && goes_on(end)) ++end;
      return end;
    }
    // Tasks that wait for each other are in one list. Others join them as long as no name means two things.
    Names names;
    for (std::size_t next = w; next < size && is_free_task(next);) {
      const std::size_t block = end_of_block(next);
      if (!names.take(*this, next, block)) {
        if (next > w) break;
        fail("not_plain", "{}: two files or tasks that wait for each other have one name",
             workload_.name_of(WorkId(w)));
      }
      end = next = block;
    }
    return end;
  }

  bool is_free_task(std::size_t w) const {
    return kind(w) == WorkKind::task && !has_quality(workload_, w) &&
           workload_.workflow_of(WorkId(w)) == kNone;
  }

  // Behind the last task that one from `w` on waits for, or that waits for it.
  std::size_t end_of_block(std::size_t w) const {
    std::size_t end = w + 1;
    if (workload_.precedence == nullptr) return end;
    for (std::size_t at = w; at < end; ++at)
      for (const auto list : {workload_.precedence->predecessors(at), workload_.precedence->successors(at)})
        if (!list.empty()) end = std::max<std::size_t>(end, std::size_t{list.back()} + 1);
    return end;
  }

  // The files and tasks that the names in one list stand for.
  struct Names {
    std::map<std::string, FileId> files = {};
    std::set<std::string> tasks = {};
    bool linked = false, twice = false;  // some task has files or waits; two tasks have one name

    // False, and nothing is taken, if these works do not go with those before.
    bool take(const Works& all, std::size_t first, std::size_t end) {
      Names more;
      const Workload& workload = all.workload_;
      for (std::size_t w = first; w < end; ++w) {
        if (w < workload.names.size() && !workload.names[w].empty()) {
          const std::string& name = workload.names[w];
          more.twice = !more.tasks.insert(name).second || tasks.contains(name) || more.twice;
        }
        for (const auto list : {workload.inputs(WorkId(w)), workload.outputs(WorkId(w))})
          for (const FileId file : list) {
            const std::string& name = workload.files[file.index].name;
            const auto before = files.find(name);
            if (before != files.end() && before->second != file) return false;
            if (more.files.emplace(name, file).first->second != file) return false;
            more.linked = true;
          }
        if (workload.precedence != nullptr && !workload.precedence->predecessors(w).empty())
          more.linked = true;
      }
      if ((linked || more.linked) && (twice || more.twice)) return false;
      files.merge(more.files);
      tasks.merge(more.tasks);
      linked = linked || more.linked;
      twice = twice || more.twice;
      return true;
    }
  };

  std::string record(std::size_t w, std::size_t first) const {
    return record_text({scenario_, architectures_, WorkId(w), static_cast<std::uint32_t>(first), makers_});
  }

  std::string records(std::size_t first, std::size_t end) const {
    LuaTable list;
    for (std::size_t w = first; w < end; ++w) list.item(record(w, first));
    return list.lines();
  }

  std::string part(std::size_t first, std::size_t end) {
    if (has_quality(workload_, first)) return matrix(first, end);
    if (const std::uint32_t flow = workload_.workflow_of(WorkId(first)); flow != kNone)
      return workflow(flow, first, end);
    return fmt::format("workload.{}s {}", name_of(kind(first)), records(first, end));
  }

  std::string workflow(std::uint32_t number, std::size_t first, std::size_t end) const {
    // An output that nobody reads stays where it is only where the workflow says so of all.
    bool none_goes_home = false;
    std::set<std::uint32_t> read;
    for (std::size_t w = first; w < end; ++w)
      for (const FileId file : workload_.inputs(WorkId(w))) read.insert(file.index);
    for (std::size_t w = first; w < end; ++w)
      for (const FileId file : workload_.outputs(WorkId(w)))
        none_goes_home = none_goes_home || (!read.contains(file.index) && !workload_.goes_home(file));
    const model::Workflow& flow = workload_.workflows[number];
    LuaTable table;
    say_all<WorkflowOf>(
        table, kOfWorkflow,
        {scenario_, flow, none_goes_home, fmt::format("workflow {}", number + 1), records(first, end)});
    return "workload.workflow " + table.lines();
  }

  std::string matrix(std::size_t first, std::size_t end) const {
    const MatrixOf of{scenario_, first, end - first};
    for (std::size_t w = first; w < end; ++w)
      if (w < workload_.names.size() && !workload_.names[w].empty())
        fail("not_plain",
             "{}: the name of a task in a matrix with qualities of service is no plain declaration",
             workload_.names[w]);
    LuaTable table;
    say_all<MatrixOf>(table, kOfMatrix, of);
    return fmt::format("workload.etc({}, {})", of.matrix([](const Workload& all, std::size_t w) {
      const Work& work = all.works[w];
      return work.estimates != kNone ? work.estimates : work.times;
    }),
                       table.text());
  }

  const Scenario& scenario_;
  const std::vector<std::string>& architectures_;
  const Workload& workload_;
  std::vector<std::uint32_t> makers_;
};

}  // namespace

std::string workload_text(const Scenario& scenario, const std::vector<std::string>& architectures) {
  return Works(scenario, architectures).text();
}

void add_workload_words(std::vector<WrittenWord>& words) {
  add_record_words(words);
  const auto add = [&](std::string_view word, std::span<const FieldRow> takes, const auto& rows,
                       std::vector<std::string_view> others = {}) {
    words.push_back({word, takes, {}, std::move(others)});
    add_names(words.back().writes, rows);
  };
  add("workload.workflow", workflow_fields::kAll, kOfWorkflow, {"priority", "user"});  // of its tasks
  add("workload.etc", matrix_fields::kAll, kOfMatrix);
}

}  // namespace perigee::bindings

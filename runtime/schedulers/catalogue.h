#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/cost/mapping.h"
#include "runtime/engine/policy.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"

namespace perigee::cost {
class ChartMapper;  // runtime/cost/chart_mapping.h
class ChartRule;
class GraphScheduler;  // runtime/cost/graph_problem.h
struct GraphView;      // runtime/cost/graph_schedule.h
}  // namespace perigee::cost
namespace perigee::space {
class CaseSearch;  // runtime/space/search.h
}
namespace perigee::sweep {
struct RoundState;  // runtime/schedulers/sweep/round_state.h
}
namespace perigee::realtime {
struct PeriodState;  // runtime/schedulers/realtime/period_state.h
}

namespace perigee::schedulers {

enum class Family : std::uint8_t { mapping, batch, grid, sweep, realtime, workflow, search };
enum class Role : std::uint8_t { mapper, policy, graph, search };
std::string_view name_of(Family family);
std::string_view name_of(Role role);      // "mapper", "policy", "graph scheduler", "search"
std::vector<std::string> family_names();  // in the order of Family
// Error "unknown_family" with the nearest name unless `name` is the name of a family.
void require_family(std::string_view name);

struct Entry;
struct Config;
using ConfigPtr = std::shared_ptr<const Config>;

// A function, native or of a script. It chooses one of several things, or gives the current value of a
// parameter. A parameter declares the arguments of its function; a call with other arguments is an
// InternalError.
class Rule {
 public:
  using Answer = std::variant<bool, double, std::string>;  // yes or no, a number, a name

  virtual ~Rule() = default;
  virtual std::unique_ptr<Rule> clone() const = 0;
  virtual std::string text() const = 0;  // "function (night.lua:12)"
  virtual Answer ask(const MappingProblem& problem);
  virtual Answer ask_round(double round, const sweep::RoundState& state);        // rounds count from 1
  virtual Answer ask_period(double period, const realtime::PeriodState& state);  // these too
  virtual Answer ask_work(Sim& sim, WorkId work);
  // Some of these hosts in an order of its own, or the shares of the work on them, ascending by host. None: nowhere.
  using Hosts = std::variant<std::vector<HostId>, std::vector<Share>>;
  virtual Hosts ask_hosts(Sim& sim, WorkId work, std::span<const HostId> hosts);
  // The answer for a task of a graph, when some others are placed; for the task on a machine that can run it.
  virtual Answer ask_graph(const GraphView& view, std::size_t task);
  virtual Answer ask_graph(const GraphView& view, std::size_t task, std::size_t machine);
  // Some of these works in an order of its own.
  virtual std::vector<WorkId> ask_works(Sim& sim, WorkId work, std::span<const WorkId> works);
  // A rule that follows the run, as the policy does that asks it about works: it is told before it is asked.
  virtual void begin(Sim&) {}
  virtual void follow(Sim&, std::span<const engine::Event>) {}
  virtual void started(Sim&, WorkId, std::span<const Share>) {}  // by the policy, just now
  // For `why`: what its answer to ask_work() is made of, a line each.
  virtual std::vector<std::string> explain_work(Sim&, WorkId) { return {}; }
};
using RulePtr = std::shared_ptr<const Rule>;

// A scheduler as a part of another one: its name, or the scheduler with its parameters.
using Part = std::variant<std::string, ConfigPtr>;
using Parts = std::vector<Part>;

// The value of one parameter; monostate = none: it is not given and has no default.
using Value = std::variant<std::monostate, bool, double, std::string, ConfigPtr, Parts, RulePtr>;

enum class ParameterType : std::uint8_t {
  boolean,
  integer,
  number,
  quantity,
  choice,
  mapper,
  improver,      // a mapper whose entry `improves`
  chart_mapper,  // a mapper whose entry `charts()`
  policy,
  graph,    // a graph scheduler, or a mapper that stands for one: Entry::schedules_graphs
  mappers,  // a list of one at least
  rule
};
// True if the value of the parameter is one scheduler.
inline bool is_part(ParameterType type) {
  return type == ParameterType::mapper || type == ParameterType::improver ||
         type == ParameterType::chart_mapper || type == ParameterType::policy || type == ParameterType::graph;
}

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::number;
  std::string summary;
  Value fallback = {};  // monostate: must be given, unless optional. A scheduler's default is its name
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  Dimension unit = Dimension::count;  // of a quantity
  std::vector<std::string> choices = {};
  bool open_min = false, open_max = false;  // min or max itself is not allowed
  std::vector<std::string> words = {};      // words that may replace a number, as "auto"
  bool by_round = false;                    // a Rule of (round, state) may stand for a number
  // Choices of the literature that this program lacks, and what each of them would need.
  std::vector<std::pair<std::string, std::string>> lacking = {};
  bool optional = false;      // it may be left out: Arguments::has is then false
  std::string function = {};  // "sim, work": a Rule of these arguments may stand for a choice

  bool required() const { return !optional && std::holds_alternative<std::monostate>(fallback); }
};

// The value of a parameter that is a number, a word, or a function of the round.
class PerRound {
 public:
  PerRound(const Parameter& parameter, const Value& value);
  bool is(std::string_view word) const { return word_ == word; }
  // The number; a function is called for it. Error "bad_answer" unless the parameter allows the number.
  double at(double round, const sweep::RoundState& state);
  double at(double period, const realtime::PeriodState& state);

 private:
  // `span`: "round" or "period".
  double checked(std::string_view span, double number_of_it, const Rule::Answer& answer) const;
  Parameter parameter_;  // its range
  double number_ = 0;
  std::string word_;
  ClonePtr<Rule> rule_;
};

// The checked values of a scheduler's parameters, by name. Asking for an undeclared name is a bug of ours.
class Arguments {
 public:
  explicit Arguments(const Config& config) : config_(config) {}
  bool has(std::string_view name) const;  // false of an optional one that is left out
  bool flag(std::string_view name) const;
  double number(std::string_view name) const;  // integers, numbers and quantities
  const std::string& choice(std::string_view name) const;
  std::unique_ptr<Mapper> mapper(std::string_view name) const;  // an improver too
  std::vector<std::unique_ptr<Mapper>> mappers(std::string_view name) const;
  std::unique_ptr<GraphScheduler> graph_scheduler(std::string_view name) const;
  std::vector<ConfigPtr> parts(std::string_view name) const;  // of mappers, or of a single scheduler
  std::unique_ptr<Rule> rule(std::string_view name) const;    // null of an optional one that is left out
  bool is_rule(std::string_view name) const;                  // a function stands for a choice
  PerRound per_round(std::string_view name) const;
  bool is(std::string_view name, std::string_view word) const;  // a number's word
  bool is_default(std::string_view name) const;

 private:
  std::size_t place(std::string_view name) const;
  const Value& at(std::string_view name) const;
  const Config& config_;
};

// One scheduler of the catalogue, native or written in Lua; or a search for the case in which a scheduler is worst.
struct Entry {
  std::string name;
  Family family = Family::mapping;
  Role role = Role::mapper;
  std::string summary;     // one line
  std::string source;      // publication with equation, algorithm or figure number
  std::string complexity;  // T tasks, M machines
  std::string ties;        // the rule between equals
  std::vector<Parameter> parameters = {};
  bool improves = false;  // a mapper that is an Improver (mapping/improver.h)
  // A mapper that follows MappingProblem::earliest, so that it can choose among the ready tasks of a graph.
  bool chooses_ready = false;
  bool in_turn = false;  // a mapper that maps tasks by position, whatever comes behind
  // The graph scheduler for which a mapper of these values stands where one is wanted: its name and its values. A
  // mapper that `chooses_ready` needs none.
  std::function<std::pair<std::string, std::map<std::string, Value>>(const Arguments&)> for_graphs = {};
  Accepts accepts = {};    // policies only
  Instants instants = {};  // policies only
  // Refuses values that do not go together although each is in its range. Error "bad_parameter".
  std::function<void(const Arguments&)> check = {};
  std::function<std::unique_ptr<Mapper>(const Arguments&)> make_mapper = {};
  // A mapper that can also choose on a Gantt chart has one of these two. The first gives a key for each task;
  // the second chooses task and host itself.
  std::function<std::unique_ptr<ChartRule>(const Arguments&)> make_chart_rule = {};
  std::function<std::unique_ptr<ChartMapper>(const Arguments&)> make_chart_mapper = {};
  std::function<std::unique_ptr<Policy>(const Arguments&)> make_policy = {};
  std::function<std::unique_ptr<GraphScheduler>(const Arguments&)> make_graph_scheduler = {};
  std::function<std::unique_ptr<space::CaseSearch>(const Arguments&)> make_search = {};
  // Further demands of a policy with these values; null: none.
  std::function<const engine::Demands*(const Arguments&)> demands = {};

  bool charts() const { return make_chart_rule != nullptr || make_chart_mapper != nullptr; }
  // It is a graph scheduler, or a mapper that may stand for one.
  bool schedules_graphs() const { return role == Role::graph || chooses_ready || for_graphs != nullptr; }
  // The only list among the parameters; null unless there is exactly one. Its items may stand directly in the
  // constructor's table.
  const Parameter* list_parameter() const;
};

// A scheduler with a value for each of its parameters: what a constructor in a script returns.
struct Config {
  std::shared_ptr<const Entry> entry;
  std::vector<Value> values;  // one per parameter, in the entry's order

  std::string text() const;  // "mapped { map = min_min }": its parts, and what differs from its default
  std::unique_ptr<Mapper> make_mapper() const;
  std::unique_ptr<Policy> make_policy() const;
  std::unique_ptr<GraphScheduler> make_graph_scheduler() const;
  std::unique_ptr<space::CaseSearch> make_search() const;
  Accepts accepts() const;  // of a policy with these values
  // It is a mapper that can choose among the ready tasks of a graph, as are those of which it is made.
  bool chooses_ready() const;
};

// All schedulers that one interpreter knows: the native ones, then those registered by its script.
class Catalogue {
 public:
  Catalogue();  // the native entries, in the order of catalogue.def

  // Adds an entry. Error if the name is taken; with `redefines`, only if a native scheduler has it. True if
  // the entry replaces another one. Holders of the replaced entry keep it.
  bool add(Entry entry, bool redefines = false);
  std::shared_ptr<const Entry> find(std::string_view name) const;     // null when unknown
  std::shared_ptr<const Entry> require(std::string_view name) const;  // Error with the nearest name
  std::span<const std::shared_ptr<const Entry>> entries() const { return entries_; }

  // Checks names, types and ranges and fills in defaults. Errors name scheduler, parameter, value and the
  // allowed values.
  ConfigPtr configure(std::string_view name, const std::map<std::string, Value>& given = {}) const;
  // The scheduler itself, or the graph scheduler for which a mapper stands where one is wanted.
  ConfigPtr as_role(const ConfigPtr& config, Role role) const;

 private:
  std::vector<std::shared_ptr<const Entry>> entries_;
  std::ptrdiff_t natives_;  // the first so many of them
};

}  // namespace perigee::schedulers

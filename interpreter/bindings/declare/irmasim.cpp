// workload.irmasim, platform.irmasim and scenario.irmasim: the files of IRMaSim.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/files.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/language/fields/readers.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/runs.h"
#include "interpreter/values/schedulers.h"
#include "runtime/model/readers/irmasim.h"

namespace perigee::bindings {

namespace {

void warn_of_ignored(lua_State* L, const std::string& path, const std::vector<IrmasimIgnored>& ignored) {
  for (const IrmasimIgnored& each : ignored) warn_once(L, fmt::format("{}: {}", path, each.text()));
}

PlatformValue read_platform(lua_State* L, const std::string& path, std::string_view name) {
  IrmasimPlatformFile file =
      with_file(L, path, [&](const std::string& real) { return read_irmasim_platform(real, name); });
  warn_of_ignored(L, path, file.ignored);
  PlatformValue value;
  value.platform = std::make_shared<const Platform>(file.platform.spec());
  for (const auto& processor : file.platform.processors) value.architectures.push_back(processor.name);
  return value;
}

void push_jobs(lua_State* L, const std::string& path, const IrmasimTrajectory& trajectory) {
  IrmasimWorkloadFile file =
      with_file(L, path, [](const std::string& real) { return read_irmasim_workload(real); });
  warn_of_ignored(L, path, file.ignored);
  const std::uint64_t rest = file.jobs.size() - std::min<std::uint64_t>(trajectory.origin, file.jobs.size());
  push_workload(L, WorkKind::job,
                static_cast<std::int64_t>(trajectory.length == 0 ? rest : std::min(trajectory.length, rest)),
                [jobs = std::make_shared<const std::vector<IrmasimJob>>(std::move(file.jobs)), trajectory](
                    const Platform& platform) { return irmasim_workload(*jobs, platform, trajectory); });
}

// platform.irmasim(path [, name])
int irmasim_platform(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "platform.irmasim");
    const auto name = text_at(L, 2);
    if (!name && !lua_isnoneornil(L, 2))
      fail("bad_type", "platform.irmasim: the name of a platform is needed, got {}", shown(L, 2));
    push_new(L, read_platform(L, path, name.value_or(std::string_view())));
    return 1;
  });
}

// workload.irmasim(path [, { origin =, length =, enforce_req_time = }])
int irmasim_jobs(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "workload.irmasim");
    IrmasimTrajectory trajectory;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"workload.irmasim"}, irmasim_fields::kAll);
      trajectory.origin = static_cast<std::uint64_t>(fields.integer(irmasim_fields::kOrigin));
      trajectory.length = static_cast<std::uint64_t>(fields.integer(irmasim_fields::kLength));
      trajectory.enforce_req_time = fields.flag(irmasim_fields::kEnforceReqTime);
    }
    push_jobs(L, path, trajectory);
    return 1;
  });
}

void set_text(lua_State* L, const char* name, const std::string& text) {
  if (text.empty()) return;
  host::push(L, text);
  lua_setfield(L, -2, name);
}

// Pushes { seed, output_dir, workload_manager = { type, ... } }; the caller adds the policy.
void push_options(lua_State* L, const IrmasimOptions& options) {
  lua_newtable(L);
  lua_pushinteger(L, static_cast<lua_Integer>(options.seed));
  lua_setfield(L, -2, "seed");
  set_text(L, "workload_file", options.workload_file);
  set_text(L, "platform_file", options.platform_file);
  set_text(L, "platform_name", options.platform_name);
  set_text(L, "output_dir", options.output_dir);
  const IrmasimOptions::Manager& manager = options.workload_manager;
  if (manager.type.empty()) return;
  lua_newtable(L);
  set_text(L, "type", manager.type);
  set_text(L, "job_selection", manager.job_selection);
  set_text(L, "resource_selection", manager.resource_selection);
  set_text(L, "scheduling_option", manager.scheduling_option);
  set_text(L, "job_order", manager.job_order);
  if (manager.max_tree_nodes) {
    lua_pushinteger(L, *manager.max_tree_nodes);
    lua_setfield(L, -2, "max_tree_nodes");
  }
  for (const auto& [key, value] : manager.others) {
    if (const auto* flag = std::get_if<bool>(&value))
      lua_pushboolean(L, *flag ? 1 : 0);
    else if (const auto* number = std::get_if<double>(&value))
      push_cell(L, *number);
    else
      host::push(L, std::get<std::string>(value));
    lua_setfield(L, -2, key.c_str());
  }
  lua_setfield(L, -2, "workload_manager");
}

struct ManagerName {
  std::string_view type, name, form;
};
// IRMaSim's names of managers that have other names here. In its simulations min-min, max-min and duplex are
// the sorted forms (thesis, Algorithms 1 and 2).
constexpr ManagerName kManagerNames[] = {
    {"Minimal", "minimal", ""},
    {"min_min", "min_min", "sorted"},
    {"max_min", "max_min", "sorted"},
    {"duplex", "duplex", "sorted"},
    {"minmin", "min_min", "classic"},
    {"maxmin", "max_min", "classic"},
    {"swa", "switching", ""},
    {"duplex_classic", "duplex", "classic"},
    {"work_queue", "workqueue", ""},
    {"sufferage_mah", "sufferage", "passes"},
    {"Heuristic", "pending_list", ""},
    {"AStar", "a_star", ""},
    {"duplex_sticky", "duplex", "sorted"},
};

// The policy that stands for the manager; none when the file has no manager.
ConfigPtr policy_of(const Catalogue& catalogue, const IrmasimOptions::Manager& manager) {
  if (manager.type.empty()) return nullptr;
  std::string name = manager.type == "Duplex" && !manager.scheduling_option.empty()
                         ? manager.scheduling_option
                     : manager.type == "Duplex" ? "duplex"
                                                : manager.type;
  std::map<std::string, Value> of_mapper, of_policy;
  const auto give = [](auto& given, const char* parameter, const std::string& value) {
    if (!value.empty()) given.emplace(parameter, value);
  };
  const auto known = std::ranges::find(kManagerNames, std::string_view(name), &ManagerName::type);
  if (known != std::end(kManagerNames)) {
    name = known->name;
    give(of_mapper, "form", std::string(known->form));
  }
  if (manager.type == "duplex_sticky") of_mapper.emplace("sticky", true);
  give(of_mapper, "job", manager.job_selection);
  give(of_mapper, "resource", manager.resource_selection);
  give(of_mapper, "order", manager.job_order);
  if (manager.max_tree_nodes)
    of_mapper.emplace("max_tree_nodes", static_cast<double>(*manager.max_tree_nodes));
  for (const auto& [key, value] : manager.others) {
    const Value given = std::visit([](const auto& each) { return Value(each); }, value);
    if (key == "ct_scope" && given == Value(std::string("node")))
      of_policy.emplace("scope", std::string("machine"));
    else if (key == "ct_scope" && given == Value(std::string("job")))
      of_policy.emplace("scope", std::string("task"));
    else if (key == "overtake")
      of_policy.emplace(key, given);
    else
      of_mapper.emplace(key == "duplex_sticky"               ? "sticky"
                        : name == "switching" && key == "lo" ? "low"
                        : name == "switching" && key == "hi" ? "high"
                                                             : key,
                        given);
  }
  if (catalogue.require(name)->role == Role::policy) {
    of_mapper.merge(of_policy);
    return catalogue.configure(name, of_mapper);
  }
  of_policy.emplace("map", catalogue.configure(name, of_mapper));
  return catalogue.configure("planned", of_policy);
}

// scenario.irmasim(path) -> scenario, options. The files that an options.json names are beside it.
int irmasim_scenario(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "scenario.irmasim");
    const Catalogue& catalogue = Interpreter::of(L).catalogue();
    std::vector<std::string_view> managers;
    for (const auto& entry : catalogue.entries())
      if (entry->role != Role::search) managers.push_back(entry->name);
    for (const ManagerName& each : kManagerNames) managers.push_back(each.type);
    const IrmasimOptionsFile file =
        with_file(L, path, [&](const std::string& real) { return read_irmasim_options(real, managers); });
    warn_of_ignored(L, path, file.ignored);
    const IrmasimOptions& options = file.options;
    const auto beside = [&](std::string_view field, const std::string& name) {
      if (name.empty()) fail_at({path, 0}, "missing_field", "'{}' is missing (E_FIELD)", field);
      return (std::filesystem::path(path).parent_path() / name).string();
    };
    const std::string jobs = beside("workload_file", options.workload_file),
                      hosts = beside("platform_file", options.platform_file);
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_newtable(L);
    push_new(L, read_platform(L, hosts, options.platform_name));
    lua_setfield(L, -2, "platform");
    push_jobs(L, jobs, {options.trajectory_origin, options.trajectory_length, options.enforce_req_time});
    lua_setfield(L, -2, "workload");
    lua_call(L, 1, 1);
    push_options(L, options);
    if (options.submit_first) {
      lua_pushboolean(L, 1);
      lua_setfield(L, -2, "submit_first");
    }
    set_text(L, "information", "declared");  // IRMaSim's schedulers see req_time alone
    ConfigPtr policy;
    try {
      policy = policy_of(catalogue, options.workload_manager);
    } catch (const Error& error) {
      fail_at({path, 0}, error.diagnostic().code, "workload_manager: {} (E_OPTION)",
              error.diagnostic().message);
    }
    if (policy) {
      push_new(L, SchedulerValue(policy));
      lua_setfield(L, -2, "policy");
    }
    return 2;
  });
}

constexpr luaL_Reg kIrmasimWorkload[] = {{"irmasim", irmasim_jobs}, {nullptr, nullptr}};
constexpr luaL_Reg kIrmasimPlatform[] = {{"irmasim", irmasim_platform}, {nullptr, nullptr}};
constexpr luaL_Reg kIrmasimScenario[] = {{"irmasim", irmasim_scenario}, {nullptr, nullptr}};

}  // namespace

void open_irmasim(lua_State* L) {
  extend(L, "workload", kIrmasimWorkload);
  extend(L, "platform", kIrmasimPlatform);
  extend(L, "scenario", kIrmasimScenario);
}

}  // namespace perigee::bindings

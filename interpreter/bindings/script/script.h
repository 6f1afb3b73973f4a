// Scenarios and problems as texts of Lua: plain declarations that make the same again, without what made them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/field_row.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/graph_problems.h"
#include "interpreter/values/mappings.h"
#include "runtime/model/etc.h"
#include "runtime/model/scenario.h"

namespace perigee::bindings {

// Each function below returns an expression of Lua, as in "scenario { ... }", on several lines without a newline at
// its end. Only words of the language stand in it. Numbers read back to the bit; declarations keep their order, and so
// hosts, links, works and files their numbers: a run of the text's scenario has the fingerprint of this one's.

// The scenario as it is for that seed: works that functions and streams make are written as they come out. Failures
// and noise that are drawn stay declarations. Error "not_plain", naming what it is, of what no plain declaration says:
// processes, events of files that no event of a script is like, hosts or files that a reader has numbered otherwise.
std::string script_of(lua_State* L, ScenarioValue& scenario, std::uint64_t seed);

// The same of a scenario whose works are all there. `architectures`: their names, by number.
std::string script_of(const Scenario& scenario, const std::vector<std::string>& architectures);
std::string script_of(const Platform& platform, const std::vector<std::string>& architectures);

// "etc { { 3, 5 }, { 2, 2 } }". The names of its tasks and machines are not in it.
std::string script_of(const EtcMatrix& matrix);

// "cost.problem { ... }" of the problem before any task is assigned. Error "not_plain" of one that begins tasks no
// earlier than given times, which only the engine asks for.
std::string script_of(const MappingProblem& problem);

// "cost.graph { ... }", or "cost.graph(graph.matrix { ... }, platform { ... })" where the problem was made of a
// platform. Error "not_plain" of one with several files between two tasks, inputs that no task makes, or machines that
// are occupied.
std::string script_of(const GraphProblemData& problem);

// s:script, m:script, problem:script and c:script.
int write_scenario(lua_State* L);
int write_matrix(lua_State* L);
int write_problem(lua_State* L);
int write_graph_problem(lua_State* L);

// A word, the rows of the fields that it takes, those that are written, and those that others stand for: every field
// that a word takes has to be in one of the two. For tests.
struct WrittenWord {
  std::string_view word;
  std::span<const FieldRow> takes;
  std::vector<std::string_view> writes;
  std::vector<std::string_view> others = {};  // "output": `outputs` says it
};
std::vector<WrittenWord> written_words();

}  // namespace perigee::bindings

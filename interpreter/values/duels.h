// Spaces of cases as scripts hold them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/host/stack.h"
#include "runtime/space/space.h"

namespace perigee::values {

// vary.real { }, vary.list { } and their like. A count that is a function waits here for the record that the variable
// becomes a field of.
struct VariableValue {
  Variable variable;
  Reference count = {}, columns = {};
  std::vector<std::string> after = {};  // fields of that record which are drawn before it
  // Functions of counts inside of its elements, by what they are; null: there are none.
  std::shared_ptr<const std::vector<std::pair<std::string, Reference>>> inner = {};
};

// The values of a choice, as Variable::kept has them.
struct Choices {
  std::vector<Reference> values;
};

// space "name" { }. Constant once it is made.
struct SpaceValue {
  std::string name;
  Space space;
  Reference build;          // f(x, seed)
  bool is_problem = false;  // it makes matrices or graphs in place of scenarios
  // All functions that it has, by what they are: "scenario", "valid", "move", "n of 'jobs'".
  std::vector<std::pair<std::string, Reference>> functions = {};
};
using SpacePtr = std::shared_ptr<const SpaceValue>;

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::VariableValue> {
  static constexpr const char* value = "variable";
};
template <>
struct TypeName<values::SpacePtr> {
  static constexpr const char* value = "space";
};

}  // namespace perigee::host

// policy "name" { ... } as a script declares it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/language/fields/policies.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/surroundings.h"

namespace perigee::callbacks {

struct PolicyDefinition {
  enum Callback : std::uint8_t {
    kBegin,
    kArrived,
    kReady,
    kFinished,  // from here on with hosts
    kComputed,
    kFailed,
    kSuperseded,
    kReceived,
    kCut,  // to here
    kKilled,
    kRequeued,
    kSaved,
    kKnown,
    kHostChanged,
    kPowered,
    kTimer,
    kMarked,
    kThought,
    kStalled,
    kDecide,
    kExplain,
    kCallbacks,
  };

  std::string name, who;  // mine, policy 'mine'
  std::array<Reference, kCallbacks> callbacks;
  std::shared_ptr<Surroundings> surroundings = std::make_shared<Surroundings>();
  std::vector<Parameter> parameters;
  engine::TakesOver takes_over;
  bool precedence = false;  // it is told of works that wait for others
};
static_assert(policy_fields::kCallbacks.size() == PolicyDefinition::kCallbacks);

// A policy whose state is the table `self`.
std::unique_ptr<Policy> lua_policy(Interpreter& interpreter,
                                   std::shared_ptr<const PolicyDefinition> definition, Reference self);

}  // namespace perigee::callbacks

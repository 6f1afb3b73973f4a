// policy "name" { arrived = ..., finished = ..., decide = ... }: a policy that a script writes.
//
// State is `self` alone, plain data; a fork copies it. All runs and forks share the functions: no other run
// or fork may see values that they change outside of `self` (Traces).
#pragma once

#include <string>

#include "interpreter/host/stack.h"
#include "runtime/engine/sim.h"

namespace perigee::callbacks {

// A candidate that a policy says it has weighed, for sim:why.
struct Considered {
  WorkId work;
  HostId host;
  double score;
  std::string reason;
};

// The policy that a callback belongs to, as far as the `sim` of the callback needs it.
class SimOwner {
 public:
  virtual ~SimOwner() = default;
  virtual host::Reference& stream(const std::string& name) = 0;
  virtual void consider(Considered considered) = 0;
};

// `sim` in callbacks. Valid while the callback runs. Its methods are a binding.
struct SimView {
  Sim* sim = nullptr;
  SimOwner* owner = nullptr;
  std::uint64_t call = 0;   // its number: the callbacks of one event share it
  bool looks_only = false;  // a function that is a parameter of a policy does not act
};

}  // namespace perigee::callbacks

namespace perigee::host {

template <>
struct TypeName<callbacks::SimView> {
  static constexpr const char* value = "sim";
};

}  // namespace perigee::host

namespace perigee::callbacks {

// Opens `policy` and what its functions are shown.
void open_policy(lua_State* L);

}  // namespace perigee::callbacks

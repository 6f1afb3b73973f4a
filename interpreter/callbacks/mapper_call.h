// A call of a heuristic, and the mapping that it answers.
#pragma once

#include <string>
#include <vector>

#include "interpreter/values/mappings.h"

namespace perigee::callbacks {

// The scope of one call.
class InMapperCall {
 public:
  InMapperCall(lua_State* L, Stream& stream);
  ~InMapperCall();
  InMapperCall(const InMapperCall&) = delete;
  InMapperCall& operator=(const InMapperCall&) = delete;
  const MapperCallPtr& call() const { return call_; }

 private:
  lua_State* L_;
  MapperCallPtr call_;
};
// Pushes the heuristic's stream. Error when the call has none.
void push_stream(lua_State* L, MapperCall& call);

// A list of whole numbers 1 .. count at `index`, as places from 0.
std::vector<std::uint32_t> places_at(lua_State* L, int index, const std::string& what, std::size_t count);

// A mapping as map_as() takes it: a list with a machine or false for each task, or a table like that of
// push_mapping(). Tasks that have neither go to `missing`; they are an Error when it is null.
struct GivenMapping {
  std::vector<std::uint32_t> machine, order;
};
GivenMapping given_mapping_at(lua_State* L, int index, const std::string& who, const MappingProblem& problem,
                              std::vector<std::uint32_t>* missing = nullptr);

}  // namespace perigee::callbacks

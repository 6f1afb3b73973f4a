// The profile of a script: instructions of Lua by function and line, and calls of native functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/host/guest.h"

namespace perigee::session {

// Counts while a Guest::Watched lives. The counts are the same each time.
class Profiler final : public Watcher {
 public:
  // `scan` is the number of machines or hosts: that many calls in one callback are taken for one call for
  // each. 0 = not known.
  Profiler(lua_State* L, std::size_t scan);

  void see(lua_State* L, lua_Debug* activation) override;
  void finish() { leave_callback(); }

  using Place = std::pair<std::string, int>;  // file and line
  struct Function {
    std::uint64_t calls = 0, instructions = 0;
  };
  const std::map<Place, Function>& functions() const { return functions_; }       // by their beginnings
  const std::map<Place, std::uint64_t>& lines() const { return lines_; }          // instructions
  const std::map<std::string, std::uint64_t>& native() const { return native_; }  // calls
  std::uint64_t instructions() const { return instructions_; }
  std::uint64_t callbacks() const { return callbacks_; }  // calls from native code
  // Callbacks in which a native function was called for every machine or host, by its name.
  const std::map<std::string, std::uint64_t>& scans() const { return scans_; }

 private:
  void learn_names(lua_State* L);
  void name_functions(lua_State* L, const std::string& prefix);
  void called(lua_State* L, lua_Debug* activation);
  bool called_by_native(lua_State* L) const;
  void leave_callback();

  std::size_t scan_;
  std::unordered_map<lua_CFunction, std::string> names_;
  std::map<Place, Function> functions_;
  std::map<Place, std::uint64_t> lines_;
  std::map<std::string, std::uint64_t> native_, scans_;
  std::map<std::string, std::uint64_t> here_;  // calls in the callback under way
  std::uint64_t instructions_ = 0, callbacks_ = 0;
};

}  // namespace perigee::session

// The modules that a script requires.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/stack.h"

namespace perigee::session {

class Interpreter;

class Modules {
 public:
  explicit Modules(Interpreter& interpreter) : interpreter_(interpreter) {}
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;

  // Loads a module of the script's folder or of the standard library; pushes its value.
  void require(lua_State* L, std::string_view name);
  const std::map<std::string, host::Reference>& loaded() const { return loaded_; }

 private:
  std::string text_of(std::string_view name, const std::string& below, const std::string& shown) const;
  void run(lua_State* L, const std::string& key, const std::string& text, const std::string& chunk);

  Interpreter& interpreter_;
  std::vector<std::string> loading_;  // those being required, outermost first
  std::map<std::string, host::Reference> loaded_;
};

}  // namespace perigee::session

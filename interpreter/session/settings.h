// The settings of the command line: --set name=value.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "interpreter/session/cell_state.h"
#include "interpreter/session/options.h"

namespace perigee::session {

class Settings {
 public:
  Settings(const InterpreterOptions& options, CellState& cell) : options_(options), cell_(cell) {}
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;

  // A setting of the command line, null when it was not given. Reading it notes that the script knows it.
  const std::string* find(const std::string& name);
  // Keeps the value with which the script goes on, as a text.
  void note(const std::string& name, std::string value) { values_[name] = std::move(value); }
  const std::map<std::string, std::string>& values() const { return values_; }
  // Error when the command line set something that the script never read.
  void check() const;

 private:
  const InterpreterOptions& options_;
  CellState& cell_;
  std::set<std::string> read_;
  std::map<std::string, std::string> values_;
};

}  // namespace perigee::session

// Whoever follows what a script shows besides its output: a report, a notebook.
#pragma once

#include <cstdint>
#include <string_view>

#include "interpreter/layers.h"
#include "runtime/engine/simulation.h"
#include "runtime/pages/document.h"

namespace perigee::session {

class Audience {
 public:
  virtual ~Audience() = default;
  virtual void began() {}  // the script has been read
  virtual void printed(std::string_view text) = 0;
  // A table, a figure or a chart, and the text that the terminal gets in its place.
  virtual void shown(pages::Item item, std::string_view text) = 0;
  // A claim as an item, and the line that the terminal gets in its place.
  virtual void claimed(pages::Judgement, std::string_view line) { printed(line); }
  virtual void warned(std::string_view line) = 0;
  // A run of the script itself, not of a cell; `ordinal` counts them from 1.
  virtual void ran(std::uint64_t ordinal, const Outcome& outcome) = 0;
};

}  // namespace perigee::session

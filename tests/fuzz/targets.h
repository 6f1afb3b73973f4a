// The fuzz targets. Each target takes any bytes, and neither crashes nor lets out anything but an Error.
#pragma once

#include <span>
#include <string_view>

#include "tests/support/layers.h"

namespace perigee::fuzz {

struct Target {
  const char* name;  // of its corpus, too
  void (*run)(std::string_view bytes);
  int rounds;  // of mutation in the tests: half a second or so
};
std::span<const Target> targets();

// Abort unless `holds`: a property that every input has to have.
void require(bool holds, const char* what);

// The targets' own parts.
void messages(std::string_view bytes);
void prompt(std::string_view bytes);
void records(std::string_view bytes);
void script(std::string_view bytes);
void bindings(std::string_view bytes);
void patterns(std::string_view bytes);

}  // namespace perigee::fuzz

// Platform files of SimGrid, and what is read from them.
#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/simgrid.h"
#include "tests/support/layers.h"

namespace perigee::test {

inline SimgridOptions from_host(std::string name) { return {.origin = std::move(name)}; }

// A file of which the elements begin in line 2.
inline std::string simgrid_file(std::string_view elements) {
  return "<platform version=\"4.1\">\n" + std::string(elements) + "</platform>";
}

// A zone of the kind Full, the elements of which begin in line 2.
inline std::string full_zone(std::string_view elements) {
  return simgrid_file("<zone id=\"z\" routing=\"Full\">" + std::string(elements) + "</zone>");
}

// The error as "code | line | message".
inline std::string simgrid_refused(std::string_view text, const SimgridOptions& options = {}) {
  try {
    const SimgridPlatform read = parse_simgrid(text, "p.xml", options);
    (void)Platform(read.spec);
  } catch (const Error& error) {
    const Diagnostic& what = error.diagnostic();
    CHECK(what.where.file == "p.xml");
    return fmt::format("{} | {} | {}", what.code, what.where.line, what.message);
  }
  return "nothing";
}

// The notes as "what count line".
inline std::vector<std::string> notes_of(const SimgridPlatform& read) {
  std::vector<std::string> all;
  for (const SimgridNote& note : read.notes)
    all.push_back(fmt::format("{} | {} | {}", note.what, note.count, note.line));
  return all;
}

using NotesOfFile = std::vector<std::string>;

inline std::vector<std::string> hosts_of(const Platform& platform) {
  std::vector<std::string> names;
  for (const Host& host : platform.hosts()) names.push_back(host.name);
  return names;
}

using NamesOfHosts = std::vector<std::string>;

}  // namespace perigee::test

// Published findings that a script recomputes, and the page on what became of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/kernel/error.h"

namespace perigee::interpreter {

enum class Verdict : std::uint8_t { reproduces, does_not_reproduce, source_in_error };
std::string_view name_of(Verdict verdict);

// What a publication says, whether that was so in this run, and what we have found before.
struct Claim {
  std::string source, says;
  std::string found;  // the numbers, when the script gives them
  bool holds = false;
  Verdict verdict = Verdict::reproduces;
  SourceLocation where;

  // Whether what was computed is what was found.
  bool stands() const { return holds == (verdict == Verdict::reproduces); }
};

struct ScriptClaims {
  std::string script;  // as shown
  std::vector<Claim> claims;
  std::string problem;  // why it could not run; empty = it ran
};

// Markdown: a table for each source, in the order of first appearance; what did not run at the end.
std::string findings_page(std::span<const ScriptClaims> scripts);

}  // namespace perigee::interpreter

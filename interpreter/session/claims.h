// Published findings that a script recomputes, and the page of the results.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/kernel/error.h"

namespace perigee::session {

enum class Verdict : std::uint8_t { reproduces, does_not_reproduce, source_in_error };
std::string_view name_of(Verdict verdict);

// The statement of a publication, whether it held in this run, and our earlier verdict.
struct Claim {
  std::string source, says;
  std::string found;  // the numbers, when the script gives them
  bool holds = false;
  Verdict verdict = Verdict::reproduces;
  SourceLocation where;

  // Whether this run agrees with the verdict.
  bool stands() const { return holds == (verdict == Verdict::reproduces); }
};

struct ScriptClaims {
  std::string script;  // as shown
  std::vector<Claim> claims;
  std::string problem;  // why it could not run; empty = it ran
};

// Markdown: a table for each source, in the order of first appearance; at the end the scripts that did not
// run.
std::string findings_page(std::span<const ScriptClaims> scripts);

}  // namespace perigee::session

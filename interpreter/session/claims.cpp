#include "interpreter/session/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/kernel/text.h"

namespace perigee::session {

namespace {

// The finding that a verdict says.
Finding expected_finding(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduces:
    case Verdict::left_open:
      return Finding::holds;
    case Verdict::does_not_reproduce:
    case Verdict::source_in_error:
      return Finding::fails;
    case Verdict::not_decided:
      break;
  }
  return Finding::undecided;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[kVerdicts] = {"reproduces", "does not reproduce", "not decided",
                                                  "source in error", "left open"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(Finding finding) {
  constexpr std::string_view kNames[kFindings] = {"holds", "does not hold", "is not decided"};
  return kNames[static_cast<std::size_t>(finding)];
}

bool is_number_of_statement(std::string_view text) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const std::size_t hyphen = std::min(text.find('-'), text.size());
  const std::string_view before = text.substr(0, hyphen);
  std::string_view behind = text.substr(std::min(hyphen + 1, text.size()));
  if (!behind.empty() && behind.back() >= 'a' && behind.back() <= 'z') behind.remove_suffix(1);
  return !before.empty() && is_capital(before.front()) && !behind.empty() &&
         std::ranges::all_of(before, [&](char c) { return is_capital(c) || is_digit(c); }) &&
         std::ranges::all_of(behind, is_digit);
}

bool Claim::stands(bool full) const {
  const Finding expected = expected_finding(verdict);
  if (finding == expected) return true;
  return !full && (finding == Finding::undecided || expected == Finding::undecided);
}

std::string Claim::told(bool full) const {
  if (finding == expected_finding(verdict)) return std::string(name_of(verdict));
  if (stands(full)) return fmt::format("not contradicted in this run, its verdict is '{}'", name_of(verdict));
  return fmt::format("{} in this run, its verdict is '{}'", name_of(finding), name_of(verdict));
}

}  // namespace perigee::session

#include "interpreter/session/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

std::string_view name_of_ours(Verdict verdict) {
  constexpr std::string_view kNames[kVerdicts] = {"holds here", "does not hold here", "not decided",
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

bool Claim::is_unshown(bool full) const {
  return stands(full) && !stands(true) && verdict != Verdict::left_open;
}

bool Claim::is_ours() const {
  constexpr std::array<std::string_view, 3> kOurs = {"found here", "a calculation", "an independent program"};
  return statement.empty() &&
         std::ranges::any_of(kOurs, [&](std::string_view name) { return source.starts_with(name); });
}

std::string_view Claim::verdict_shown() const { return is_ours() ? name_of_ours(verdict) : name_of(verdict); }

pages::Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduces:
      return pages::Tone::good;
    case Verdict::does_not_reproduce:
      return pages::Tone::bad;
    case Verdict::not_decided:
      return pages::Tone::unsure;
    case Verdict::source_in_error:
      return pages::Tone::flawed;
    case Verdict::left_open:
      break;
  }
  return pages::Tone::asked;
}

pages::Judgement judgement_of(const Claim& claim, bool full) {
  pages::Judgement item;
  item.number = claim.statement;
  item.place = claim.source;
  item.says = claim.says;
  item.ours = claim.is_ours();
  item.verdict = claim.verdict_shown();
  item.tone = tone_of(claim.verdict);
  if (!claim.stands(full))
    item.aside = fmt::format(", but in this run it {}", name_of(claim.finding));
  else if (claim.is_unshown(full))
    item.aside = ", which this run neither shows nor contradicts";
  item.found = claim.found;
  if (!claim.chosen.empty()) item.remarks.emplace_back("chosen", claim.chosen);
  if (!claim.note.empty()) item.remarks.emplace_back("note", claim.note);
  return item;
}

std::string Claim::told(bool full) const {
  if (finding == expected_finding(verdict)) return std::string(name_of(verdict));
  if (stands(full)) return fmt::format("not contradicted in this run, its verdict is '{}'", name_of(verdict));
  return fmt::format("{} in this run, its verdict is '{}'", name_of(finding), name_of(verdict));
}

}  // namespace perigee::session

// Statements of publications, and the claims of a script about them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/kernel/error.h"
#include "runtime/pages/document.h"

namespace perigee::session {

enum class Verdict : std::uint8_t {
  reproduces,
  does_not_reproduce,
  not_decided,      // the intervals hold both
  source_in_error,  // the publication contradicts itself, or a calculation
  left_open         // the publication asks
};
inline constexpr std::size_t kVerdicts = 5;
std::string_view name_of(Verdict verdict);
std::string_view name_of_ours(Verdict verdict);  // on a claim that is ours: "holds here"

// A run's answer about a statement.
enum class Finding : std::uint8_t { holds, fails, undecided };
inline constexpr std::size_t kFindings = 3;
std::string_view name_of(Finding finding);  // "holds", "does not hold", "is not decided"

// "S2-17", "B-3a": capital letters and digits, a hyphen, a number, and a small letter where there is one.
bool is_number_of_statement(std::string_view text);

// A sentence of a publication that can be tested.
struct Statement {
  std::string number;  // "S2-17"
  std::string where;   // section, table or figure
  std::string kind;    // a choice of statement_fields::kKind
  std::string says;
  std::string missing;  // why it cannot be tested; empty = it can
  std::string data;     // what must be passed with --data to test it; empty = nothing
};

struct Publication {
  std::string source;  // as claims cite it, "Mamat 2011"
  std::string title;
  std::vector<Statement> statements;  // in the order of the text
};

struct Claim {
  std::string statement;     // its number; empty for a claim about something else
  std::string source, says;  // of a statement: with where it stands, and its own words
  std::string found;         // the numbers, when the script gives them
  std::string chosen;        // the rule or setting of ours that was chosen so that it holds; empty = none
  std::string note;
  Finding finding = Finding::undecided;
  Verdict verdict = Verdict::reproduces;
  SourceLocation where;          // a line of the script itself, whichever module claims for it
  bool by_earlier_text = false;  // kept from a run of the script as it was before

  // Whether a run agrees with the verdict. One in the short form may leave it undecided.
  bool stands(bool full) const;
  // Whether a run in the short form neither shows nor contradicts the verdict.
  bool is_unshown(bool full) const;
  // Whether the script says it in words of its own: its source is no publication but "found here", a calculation or
  // a program. Such a claim holds or not; it reproduces nothing.
  bool is_ours() const;
  // The name of the verdict, as a reader sees it beside the claim.
  std::string_view verdict_shown() const;
  // "reproduces", "not contradicted, its verdict is ...", or what came in place of the verdict.
  std::string told(bool full) const;
};

pages::Tone tone_of(Verdict verdict);
// The claim for a page, without a place of its own there. `full`: it was made in the full form.
pages::Judgement judgement_of(const Claim& claim, bool full);

struct ScriptClaims {
  std::string script;  // as shown
  std::vector<Claim> claims;
  std::vector<Publication> publications;
  std::string problem;  // why it could not run; empty = it ran
};

}  // namespace perigee::session

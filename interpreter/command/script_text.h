// Reads a script's text without running it: the claims that it makes, and whether it is the text of before.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "interpreter/layers.h"

namespace perigee::command {

struct ClaimText {
  int line = 1;                    // the first one that names it
  std::set<std::string> verdicts;  // that claims about it have; "" for one that is computed

  bool may_have(std::string_view verdict) const;
};

struct ClaimsText {
  bool has_claims = false;                   // by that word; a function may have any name
  bool lists_statements = false;             // declares some
  std::set<std::string> listed;              // the numbers in these lists
  std::map<std::string, ClaimText> numbers;  // texts such as "S2-17" elsewhere
  std::map<std::string, ClaimText> others;   // the words of claims without a number

  bool makes_claims() const { return has_claims || !numbers.empty(); }
};

ClaimsText claims_in_text(std::string_view text);

// A hash of the script and of the modules beside it that it requires by name. Comments, blank space and lists
// of statements do not count. A file that cannot be read counts as empty: a run says why.
std::string code_of_script(const std::filesystem::path& script);

}  // namespace perigee::command

// The outcomes of claims in their full form, kept in one file: a JSON object a line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interpreter/session/claims.h"

namespace perigee::command {

struct VerdictRow {
  session::Claim claim;                         // `where` has no line
  std::string script;                           // as shown
  std::map<std::string, std::string> settings;  // that the script read, and their values
  std::uint64_t seed = 1;
  std::string version;
  std::string code;  // code_of_script; empty in rows of the time before it was kept
  std::string hash;  // of the row as its script wrote it; empty likewise

  bool was_changed() const;  // since its script wrote it, as far as its hash tells
};

// The row that the script's run writes now.
VerdictRow row_written(const session::Claim& claim, const std::string& script,
                       const std::map<std::string, std::string>& settings, std::uint64_t seed,
                       const std::string& code);

// The rows of the file; none when there is no such file. Error "bad_rows", with the line, for anything else
// than such rows.
std::vector<VerdictRow> verdict_rows(const std::string& path);
// Writes the file anew, in the order given. Error "no_file" when it cannot be written.
void write_verdict_rows(const std::string& path, const std::vector<VerdictRow>& rows);

}  // namespace perigee::command

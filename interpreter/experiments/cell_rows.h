// Cells as the store's rows of JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/experiments/design.h"

namespace perigee::experiments {

// A combination's part of a row: {"nodes":4.0,"policy":"workqueue"}.
std::string factors_text(const Design& design, std::size_t combination);
// [["the variable 'n'","hash"]]
std::string parts_text(const std::vector<KeyPart>& parts);
std::vector<KeyPart> parts_of(std::string_view text);  // leaves out what is not perigee's
// The names of parts that differ, or that only one of them has.
std::vector<std::string> changed_parts(const std::vector<KeyPart>& before, const std::vector<KeyPart>& now);

// "the file", "the setting", ...
std::string read_text_of(const CellOutcome::Read& read);

// A cell's part of a row.
struct CellTexts {
  std::string measures, warnings, reads;
};

// Writes cells one after the other. Parts that two neighbours have in common are made once.
class CellWriter {
 public:
  void write(const CellOutcome& outcome, CellTexts& row);

 private:
  CellOutcome::Names names_;
  std::vector<std::string> begins_;  // of each measure's entry: ,"makespan":
};

// A cell of its row. Error of the JSON library when the row is not perigee's.
CellOutcome outcome_of(std::string_view measures, std::string_view warnings, std::string_view reads);

// Checksums of rows.
class RowSum {
 public:
  // All rows of a key and a combination.
  RowSum(std::string_view key, std::string_view experiment, std::string_view levels,
         std::string_view factors);
  std::int64_t of(std::int64_t replication, std::int64_t seed, std::string_view measures,
                  std::string_view warnings, std::string_view reads) const;

 private:
  std::string begin_;
};

}  // namespace perigee::experiments

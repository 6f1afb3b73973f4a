// SchedulerList.xml of Sim-PETEK (2010, section 4.2, Figure 4.2): the schedulers that a request is run with,
// in order. Every NumRounds and every (Peak, KValue, MValue) makes an entry of its own.
//
// Errors tell file, line and value, and end with a short code:
//   xml_syntax (xml-syntax)        not well-formed, with the column
//   xml_doctype (xml-doctype)      a document type, which may define entities
//   xml_structure (xml-structure)  another root, an element or attribute that does not belong there
//   unknown_scheduler, missing_name, empty_list, missing_parameter, incomplete_triple, unexpected_parameter,
//   bad_number                     the same with hyphens
//   bad_parameter (bad-rounds, bad-ssse, bad-alpha, bad-threshold, bad-parameter)  a value out of its range
// and bad_file. Numbers have a decimal point, whatever the locale.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/layers.h"

namespace perigee::readers {

inline constexpr std::uintmax_t kLargestSchedulerList = std::uintmax_t{16} << 20;  // bytes

struct SchedulerListEntry {
  using Value = std::variant<bool, double, std::string>;
  std::string label;      // "AMRA-2", "ImprovedSSSEScheduler-2/15/10.5": its name in the file and its values
  std::string scheduler;  // its name in the catalogue
  std::map<std::string, Value> parameters;  // of the catalogue
  int line = 0;                             // of its Scheduler
};

// A repetition of an earlier entry. The earlier one is kept.
struct SchedulerListDuplicate {
  std::string label;
  int line = 0, first_line = 0;
};

struct SchedulerList {
  std::vector<SchedulerListEntry> entries;  // at least one
  std::vector<SchedulerListDuplicate> duplicates;
};

SchedulerList parse_scheduler_list(std::string_view text, std::string_view name);
SchedulerList read_scheduler_list(const std::filesystem::path& path);

}  // namespace perigee::readers

// Tables of outages in files.
#pragma once

#include <string>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/ids.h"

namespace perigee::bindings {

// A line of such a table.
struct ListedOutage {
  std::string kind, name;  // "host", "cluster" or "link"
  Time from = 0, to = 0;
  SourceLocation where;
};

// The lines of a file whose first one is host,from,to (or cluster, or link, for host). Empty lines and those
// that begin with # are passed over. Error "bad_file" at the line that is wrong.
std::vector<ListedOutage> read_outages(const std::string& path);

}  // namespace perigee::bindings

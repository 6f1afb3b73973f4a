#include "interpreter/bindings/declare/outages.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "interpreter/layers.h"
#include "runtime/kernel/quantity.h"
#include "runtime/results/table.h"

namespace perigee::bindings {

std::vector<ListedOutage> read_outages(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  std::istringstream text(bytes.str());
  std::vector<ListedOutage> all;
  std::vector<std::string> header;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    const SourceLocation where{path, number};
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    try {
      const auto rows = parse_csv(line);
      if (rows.empty()) continue;
      cells = rows.front();
    } catch (const Error& error) {  // it counts lines within this one
      const std::string& message = error.diagnostic().message;
      fail_at(where, "bad_file", "{}", message.starts_with("line 1: ") ? message.substr(8) : message);
    }
    for (std::string& cell : cells) {
      const std::size_t first = cell.find_first_not_of(" \t");
      cell = first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(" \t") - first + 1);
    }
    if (header.empty()) {
      header = cells;
      const bool good = header.size() == 3 &&
                        (header[0] == "host" || header[0] == "cluster" || header[0] == "link") &&
                        header[1] == "from" && header[2] == "to";
      if (!good)
        fail_at(where, "bad_file",
                "the first line must be 'host,from,to' (or cluster, or link, for host), got '{}'", line);
      continue;
    }
    if (cells.size() != 3) fail_at(where, "bad_file", "3 columns are needed, got {}", cells.size());
    ListedOutage listed{header[0], cells[0], 0, 0, where};
    try {
      listed.from = parse_quantity(cells[1], Dimension::seconds);
      listed.to = parse_quantity(cells[2], Dimension::seconds);
    } catch (const Error& error) {
      fail_at(where, "bad_file", "{}", error.diagnostic().message);
    }
    if (!(listed.from >= 0) || !(listed.to > listed.from))
      fail_at(where, "bad_file", "an outage must begin at >= 0 s and end later, got {} to {}", cells[1],
              cells[2]);
    all.push_back(std::move(listed));
  }
  if (header.empty())
    fail_at({path, 1}, "bad_file", "the file is empty; its first line must be 'host,from,to'");
  return all;
}

}  // namespace perigee::bindings

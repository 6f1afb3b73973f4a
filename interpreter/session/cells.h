// The cells of a script's experiments, as far as the session that runs the script knows of them. Who computes
// them is above it, in experiments/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::session {

// One thing that cells depend on, and the digest of its value. A name is "the variable 'n', which 'run'
// captured".
struct KeyPart {
  std::string name, digest;
};

// A warning that a cell would have given, worded alike in all cells, and how often its subject occurred in
// the cell; 0 when that is not counted.
struct CellWarning {
  std::string text;
  std::uint64_t count = 0;
  bool operator==(const CellWarning&) const = default;
};

// How far an experiment is.
struct CellProgress {
  std::string_view experiment;
  std::size_t total = 0, done = 0, stored = 0, failed = 0;  // cells; total: those known so far
  bool kept = false;                                        // finished cells will be stored
  std::size_t workers = 0;                                  // those that compute cells
};

class Cells {
 public:
  virtual ~Cells() = default;
  virtual std::vector<std::string> names() const = 0;  // names of the experiments so far
  // A text on the cells that failed and that the script has not asked for: their number, the number of all
  // cells, the experiment.
  virtual std::string failed() const = 0;
};

// 128 bits in hexadecimal digits.
std::string hash_text(std::string_view text);

}  // namespace perigee::session

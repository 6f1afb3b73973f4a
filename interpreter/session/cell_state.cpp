#include "interpreter/session/cell_state.h"

#include <algorithm>

namespace perigee::session {

void CellState::begin(std::uint64_t seed, bool shown) {
  seed_ = seed;
  ++begun_;
  shown_ = shown;
  reads_ = {};
  warnings_.clear();
  warned_in_cell_.clear();
  incomplete_.clear();
  early_.clear();
  status_read_ = false;
}

bool CellState::is_new(const std::string& line) {
  return (under_way() ? warned_in_cell_ : warned_).insert(line).second;
}

void CellState::keep_warning(std::string_view summary, std::uint64_t count) {
  const auto known = std::ranges::find(warnings_, summary, &CellWarning::text);
  if (known == warnings_.end())
    warnings_.push_back({std::string(summary), count});
  else
    known->count += count;
}

}  // namespace perigee::session

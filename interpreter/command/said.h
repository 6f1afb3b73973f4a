#pragma once

#include <string_view>

#include "interpreter/host/terminal.h"

namespace perigee::command {

inline void print(std::string_view text) { write_out(text); }
inline void complain(std::string_view text) { write_error(text); }
// For reading: fitted to the terminal where it is one.
inline int page_width() { return out_is_terminal() ? terminal_width() : 0; }

}  // namespace perigee::command

// The way by which text leaves to standard output and standard error. A terminal obeys control characters,
// and names and logs may hold some: it gets none but line ends and tabs. Files and pipes get every byte.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/layers.h"

namespace perigee::interpreter {

// Without control characters but line ends, tabs and, of a picture that perigee has `painted`, its colours.
std::string harmless(std::string_view text, bool painted = false);

// False when it could not be written.
bool write_out(std::string_view text, bool painted = false);
// Messages, harmless wherever they go; what was written to standard output before comes before.
void write_error(std::string_view text);

bool out_is_terminal();
// Columns of the terminal that standard output is: COLUMNS, or what the terminal says; 80 where it is none.
int terminal_width();

}  // namespace perigee::interpreter

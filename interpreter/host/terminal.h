// All text for standard output and standard error goes through these functions. A terminal obeys control
// characters, and names and logs may hold some. Therefore it gets only line ends and tabs of them. Files and
// pipes get every byte.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/layers.h"

namespace perigee::host {

// The text without control characters, except line ends, tabs and the colours of a picture that perigee has
// `painted`.
std::string harmless(std::string_view text, bool painted = false);

// Writes to standard output. False when the text could not be written.
bool write_out(std::string_view text, bool painted = false);
// Writes a message to standard error, harmless wherever it goes. Earlier text for standard output is written
// before it.
void write_error(std::string_view text);

bool out_is_terminal();
// Whether standard error is a terminal on which a line can be drawn again and again.
bool shows_progress();
// Columns of the terminal on standard output: COLUMNS, or the terminal's answer; 80 when there is no
// terminal.
int terminal_width();

}  // namespace perigee::host

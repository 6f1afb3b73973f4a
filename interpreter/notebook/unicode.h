// Positions in UTF-8. Jupyter counts code points, C++ counts bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "interpreter/layers.h"

namespace perigee::notebook {

// Where the code point `count` begins; the end of the text when it has no more than these. A byte that is no
// UTF-8 counts as one.
std::size_t byte_of(std::string_view text, std::size_t count);
// How many code points begin before the byte.
std::size_t code_point_of(std::string_view text, std::size_t byte);
// The text with U+FFFD in place of each byte that is no UTF-8.
std::string valid_utf8(std::string_view text);
// Bytes of the text without a character at its end that is not complete.
std::size_t complete_characters(std::string_view text);

}  // namespace perigee::notebook

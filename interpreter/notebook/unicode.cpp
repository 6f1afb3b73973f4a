#include "interpreter/notebook/unicode.h"

#include <algorithm>
#include <cstdint>

namespace perigee::notebook {

namespace {

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
}

// Bytes of the character that begins with `first`; 0 when none does.
std::size_t length_by(unsigned char first) {
  return first < 0x80                    ? 1
         : first >= 0xC2 && first < 0xE0 ? 2
         : first >= 0xE0 && first < 0xF0 ? 3
         : first >= 0xF0 && first < 0xF5 ? 4
                                         : 0;
}

// Bytes of the character at `at`; 0 when the bytes there are none.
std::size_t length_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = length_by(byte(at));
  for (std::size_t i = 1; i < length; ++i)
    if (!continues(text, at + i)) return 0;
  std::uint32_t code = length < 2 ? byte(at) : byte(at) & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6U | (byte(at + i) & 0x3FU);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  return surrogate || too_long || code > 0x10FFFF ? 0 : length;
}

}  // namespace

std::size_t byte_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; count > 0 && at < text.size(); --count) at += std::max<std::size_t>(1, length_at(text, at));
  return at;
}

std::size_t code_point_of(std::string_view text, std::size_t byte) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < std::min(byte, text.size()); ++count)
    at += std::max<std::size_t>(1, length_at(text, at));
  return count;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_at(text, at);
    out += length > 0 ? text.substr(at, length) : "\xEF\xBF\xBD";
    at += std::max<std::size_t>(1, length);
  }
  return out;
}

std::size_t complete_characters(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const std::size_t at = text.size() - back;
    if (continues(text, at)) continue;
    return length_by(static_cast<unsigned char>(text[at])) > back ? at : text.size();
  }
  return text.size();
}

}  // namespace perigee::notebook

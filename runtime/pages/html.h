// Texts and data as parts of an HTML page.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/layers.h"

namespace perigee::pages {

// The text for an element or a quoted attribute. Control characters but line ends and tabs become blanks, bytes that
// are no UTF-8 become "?".
std::string html_text(std::string_view text);

// The text of a JSON value for a <script type="application/json">: nothing in it can end the element.
std::string in_element(std::string_view json);

std::string base64(std::span<const std::uint8_t> bytes);
// Error "bad_record" if the text is no base64.
std::string from_base64(std::string_view text);
// The bytes compressed by gzip, then base64. Equal bytes give equal text with the same version of zlib.
std::string packed(std::string_view bytes);
// "sha256-...", as a Content-Security-Policy names a script or style.
std::string hash_source(std::string_view text);

}  // namespace perigee::pages

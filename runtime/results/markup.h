// Texts in XML and HTML.
#pragma once

#include <string>
#include <string_view>

#include "runtime/layers.h"

namespace perigee::results {

// The text for an element or a quoted attribute: & < > " and ' are written as references.
std::string markup_text(std::string_view text);

}  // namespace perigee::results

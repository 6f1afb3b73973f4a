// Items as JSON, so that a page can be made of them later, elsewhere.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/pages/document.h"

namespace perigee::pages {

nlohmann::json json_of(const Item& item);
// The item that json_of() has written. Error "bad_record" for anything else. The text is not trusted: of an SVG, only
// what draws is taken.
Item item_of(const nlohmann::json& json);

// The SVG without anything but shapes, texts and groups. Error "bad_record" if it is no XML.
std::string only_drawing(const std::string& svg);

}  // namespace perigee::pages

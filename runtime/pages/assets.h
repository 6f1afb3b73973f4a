// The style and the script of pages, made of assets/ when perigee is built.
#pragma once

#include <string_view>

#include "runtime/layers.h"

namespace perigee::pages {

std::string_view page_style();
std::string_view page_script();

}  // namespace perigee::pages

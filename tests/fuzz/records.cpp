// Items of pages as a results folder has them, and pages of them.
#include "runtime/pages/record.h"

#include <nlohmann/json.hpp>
#include <string>

#include "runtime/kernel/error.h"
#include "tests/fuzz/targets.h"
#include "tests/support/layers.h"

namespace perigee::fuzz {

namespace {

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace

void records(std::string_view bytes) {
  if (bytes.starts_with("<")) {
    const std::string drawn = pages::only_drawing(std::string(bytes));
    for (const char* const gone :
         {"<script", "<a ", "<image", "<foreignObject", " style=", "href=", " onload="})
      require(drawn.find(gone) == std::string::npos, "an SVG has only what draws");
    return;
  }
  const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded()) kernel::fail("bad_record", "it is no JSON");
  const pages::Item item = pages::item_of(json);
  const std::string page = pages::page_of({"", "", {{"", {item}}}});
  const std::size_t scripts = count_of(page, "<script");
  require(scripts >= 1 && scripts <= 3, "an item has at most two elements of data");
  require(count_of(page, "</script>") == scripts, "no text ends an element");
  require(count_of(page, "<img") == 0 && count_of(page, "<!--") == 0, "no text is markup");
}

}  // namespace perigee::fuzz

#include "runtime/pages/record.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"

using namespace perigee;

TEST_CASE("items come back from their JSON") {
  pages::TableItem table;
  table.title = "rows";
  table.file = "f";
  table.table.columns = {"a", "b", "c", "d"};
  table.table.units = {"", "s", "", ""};
  table.table.rows = {{"x", 0.1, true, Cell{}}, {"y", std::numeric_limits<double>::infinity(), false, 3.0}};
  table.marked = {1};
  table.folded = true;
  pages::Judgement judgement;
  judgement.id = judgement.number = "A1-1";
  judgement.place = "section 1";
  judgement.says = "less";
  judgement.verdict = "reproduces";
  judgement.aside = ", but";
  judgement.tone = pages::Tone::good;
  judgement.ours = true;
  judgement.found = "1 +- 2";
  judgement.remarks = {{"note", "text"}};
  judgement.source = "one.lua:1";
  const std::vector<pages::Item> items = {
      judgement,
      pages::Text{"two\nlines"},
      pages::Prose{"a"},
      pages::Warnings{{"w", "v"}},
      pages::Facts{{{"name", "value"}}},
      pages::Source{"s.lua", "x"},
      table,
      pages::ChartItem{"c", R"({"runs":[]})"},
      pages::Download{"card.json", "save", "{}"},
      pages::FigureItem{
          "f", "file",
          R"(<svg viewBox="0 0 1 1"><g class="mark"><title>t</title><rect width="1"/></g></svg>)",
          table.table}};
  for (const pages::Item& item : items) {
    const nlohmann::json json = pages::json_of(item);
    const pages::Item back = pages::item_of(nlohmann::json::parse(json.dump()));
    CHECK(back.index() == item.index());
    CHECK(pages::json_of(back) == json);
  }
}

TEST_CASE("records that are none are refused") {
  for (
      const char* const text :
      {R"({"kind": "judgement", "id": "", "number": "", "place": "", "says": "", "verdict": "", "aside": "", "tone": 6, "found": "", "remarks": [], "source": ""})",
       "1", "[]", "{}", R"({"kind": "script"})", R"({"kind": "text"})", R"({"kind": "text", "text": 1})",
       R"({"kind": "facts", "rows": [["a"]]})",
       R"({"kind": "table", "title": "", "file": "", "table": {}, "marked": [], "folded": false})",
       R"({"kind": "table", "title": "", "file": "", "table": {"columns": ["a"], "units": [], "rows": [1]}, "marked": [], "folded": false})",
       R"({"kind": "figure", "title": "", "file": "", "svg": "<p>", "numbers": {"columns": [], "units": [], "rows": []}})"})
    CHECK_THROWS_AS(pages::item_of(nlohmann::json::parse(text)), Error);
}

TEST_CASE("of an SVG only what draws is taken") {
  CHECK(pages::only_drawing(
            "<svg viewBox=\"0 0 9 9\" onload=\"x()\"><script>x()</script><a href=\"javascript:x()\">"
            "<text>gone</text></a><g class=\"series\" style=\"fill:url(http://x)\"><circle r=\"1\" "
            "fill=\"url(http://x)\" stroke=\"url(#p)\"/><image href=\"http://x\"/><foreignObject><p/>"
            "</foreignObject><use xlink:href=\"#a\"/><title>a &lt; b</title></g></svg>") ==
        "<svg viewBox=\"0 0 9 9\"><g class=\"series\"><circle r=\"1\" stroke=\"url(#p)\"/>"
        "<title>a &lt; b</title></g></svg>");
  CHECK_THROWS_AS(pages::only_drawing("<html><svg/></html>"), Error);
  CHECK_THROWS_AS(pages::only_drawing("no markup"), Error);
  CHECK(pages::only_drawing(
            "<!DOCTYPE svg [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><svg><text>&e;</text></svg>") ==
        "<svg><text>&amp;e;</text></svg>");
  std::string deep = "<svg>";
  for (int i = 0; i < 100'000; ++i) deep += "<g>";
  for (int i = 0; i < 100'000; ++i) deep += "</g>";
  CHECK_THROWS_AS(pages::only_drawing(deep + "</svg>"), Error);
}

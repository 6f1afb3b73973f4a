#include "runtime/pages/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "runtime/kernel/error.h"

namespace perigee::pages {
namespace {

using Json = nlohmann::json;

template <class T>
T at(const Json& json, const char* name) {
  try {
    return json.at(name).get<T>();
  } catch (const Json::exception&) {
    fail("bad_record", "'{}' is missing or malformed", name);
  }
}

Json json_of_cell(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) {
    if (std::isfinite(*number)) return *number;
    return {{"n", std::isnan(*number) ? "nan" : *number > 0 ? "inf" : "-inf"}};
  }
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text, "\n");
  if (const bool* flag = std::get_if<bool>(&cell)) return *flag;
  return nullptr;
}

Cell cell_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_null()) return {};
  const auto name = at<std::string>(json, "n");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return name == "inf" ? kInfinity : name == "-inf" ? -kInfinity : std::numeric_limits<double>::quiet_NaN();
}

Json json_of_table(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(json_of_cell(cell));
    rows.push_back(std::move(cells));
  }
  Json columns = Json::array(), units = Json::array();
  for (const std::string& column : table.columns) columns.push_back(printable(column));
  for (const std::string& unit : table.units) units.push_back(printable(unit));
  return {{"columns", std::move(columns)}, {"units", std::move(units)}, {"rows", std::move(rows)}};
}

Table table_of(const Json& json) {
  Table table;
  table.columns = at<std::vector<std::string>>(json, "columns");
  table.units = at<std::vector<std::string>>(json, "units");
  for (const Json& row : at<std::vector<Json>>(json, "rows")) {
    if (!row.is_array()) fail("bad_record", "a row of a table is no list");
    auto& cells = table.rows.emplace_back();
    for (const Json& cell : row) cells.push_back(cell_of(cell));
    cells.resize(table.columns.size());
  }
  return table;
}

Json written(const Text& item) { return {{"kind", "text"}, {"text", item.text}}; }
Json written(const Prose& item) { return {{"kind", "prose"}, {"text", item.text}}; }
Json written(const Warnings& item) { return {{"kind", "warnings"}, {"lines", item.lines}}; }
Json written(const Facts& item) { return {{"kind", "facts"}, {"rows", item.rows}}; }
Json written(const Source& item) { return {{"kind", "source"}, {"name", item.name}, {"text", item.text}}; }
Json written(const Download& item) {
  return {{"kind", "download"}, {"name", item.name}, {"label", item.label}, {"text", item.text}};
}
Json written(const TableItem& item) {
  return {{"kind", "table"},       {"title", item.title},
          {"file", item.file},     {"table", json_of_table(item.table)},
          {"marked", item.marked}, {"folded", item.folded}};
}
Json written(const Judgement& item) {
  return {{"kind", "judgement"},   {"id", item.id},
          {"number", item.number}, {"place", item.place},
          {"says", item.says},     {"verdict", item.verdict},
          {"aside", item.aside},   {"tone", static_cast<int>(item.tone)},
          {"found", item.found},   {"remarks", item.remarks},
          {"source", item.source}, {"ours", item.ours}};
}
Json written(const FigureItem& item) {
  return {{"kind", "figure"},
          {"title", item.title},
          {"file", item.file},
          {"svg", item.svg},
          {"numbers", json_of_table(item.numbers)}};
}
Json written(const ChartItem& item) {
  return {{"kind", "chart"}, {"title", item.title}, {"data", Json::parse(item.data)}};
}

constexpr std::array<std::string_view, 15> kElements = {"svg",     "g",    "path",    "rect",  "circle",
                                                        "ellipse", "line", "polygon", "title", "polyline",
                                                        "text",    "desc", "tspan",   "defs",  "pattern"};

bool draws(std::string_view attribute, std::string_view value) {
  if (attribute.starts_with("on") || attribute == "style" || attribute.ends_with("href")) return false;
  // A reference to a pattern of the same page is the only one.
  const std::size_t url = value.find("url(");
  return url == std::string_view::npos || value.substr(url).starts_with("url(#");
}

void clean(pugi::xml_node node, int depth = 0) {
  constexpr int kDeepest = 50;
  if (depth > kDeepest) fail("bad_record", "a figure has elements in more than {} others", kDeepest);
  for (pugi::xml_attribute attribute = node.first_attribute(); attribute;) {
    const pugi::xml_attribute next = attribute.next_attribute();
    if (!draws(attribute.name(), attribute.value())) node.remove_attribute(attribute);
    attribute = next;
  }
  for (pugi::xml_node child = node.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    const bool known = std::ranges::find(kElements, std::string_view(child.name())) != kElements.end();
    if (child.type() == pugi::node_element && known)
      clean(child, depth + 1);
    else if (child.type() != pugi::node_pcdata)
      node.remove_child(child);
    child = next;
  }
}

}  // namespace

std::string only_drawing(const std::string& svg) {
  pugi::xml_document document;
  if (!document.load_buffer(svg.data(), svg.size(), pugi::parse_default | pugi::parse_ws_pcdata_single,
                            pugi::encoding_utf8) ||
      std::string_view(document.document_element().name()) != "svg")
    fail("bad_record", "a figure is no SVG");
  const pugi::xml_node root = document.document_element();
  clean(root);
  std::ostringstream out;
  root.print(out, "", pugi::format_raw | pugi::format_no_declaration);
  return out.str();
}

Json json_of(const Item& item) {
  return std::visit([](const auto& each) { return written(each); }, item);
}

Item item_of(const Json& json) {
  const auto kind = at<std::string>(json, "kind");
  if (kind == "text") return Text{at<std::string>(json, "text")};
  if (kind == "prose") return Prose{at<std::string>(json, "text")};
  if (kind == "warnings") return Warnings{at<std::vector<std::string>>(json, "lines")};
  if (kind == "facts") return Facts{at<std::vector<std::pair<std::string, std::string>>>(json, "rows")};
  if (kind == "source") return Source{at<std::string>(json, "name"), at<std::string>(json, "text")};
  if (kind == "download")
    return Download{at<std::string>(json, "name"), at<std::string>(json, "label"),
                    at<std::string>(json, "text")};
  if (kind == "table")
    return TableItem{at<std::string>(json, "title"), at<std::string>(json, "file"),
                     table_of(at<Json>(json, "table")), at<std::vector<std::size_t>>(json, "marked"),
                     at<bool>(json, "folded")};
  if (kind == "figure")
    return FigureItem{at<std::string>(json, "title"), at<std::string>(json, "file"),
                      only_drawing(at<std::string>(json, "svg")), table_of(at<Json>(json, "numbers"))};
  if (kind == "judgement") {
    Judgement item;
    for (const auto& [name, text] :
         {std::pair("id", &item.id), std::pair("number", &item.number), std::pair("place", &item.place),
          std::pair("says", &item.says), std::pair("verdict", &item.verdict), std::pair("aside", &item.aside),
          std::pair("found", &item.found), std::pair("source", &item.source)})
      *text = at<std::string>(json, name);
    const int tone = at<int>(json, "tone");
    if (tone < 0 || tone > static_cast<int>(Tone::asked)) fail("bad_record", "{} is no tone", tone);
    item.tone = static_cast<Tone>(tone);
    item.remarks = at<std::vector<std::pair<std::string, std::string>>>(json, "remarks");
    if (json.contains("ours")) item.ours = at<bool>(json, "ours");  // earlier records have none
    return item;
  }
  if (kind == "chart") return ChartItem{at<std::string>(json, "title"), at<Json>(json, "data").dump()};
  fail("bad_record", "'{}' is no kind of item", printable(kind));
}

}  // namespace perigee::pages

// Reads the pictures that gnuplot draws.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "runtime/kernel/quantity.h"
#include "tests/support/layers.h"

namespace perigee::test {

// The elements of an XML document: its tags balance, or the test fails.
struct Element {
  std::string name, text;  // text until the first tag inside
  std::map<std::string, std::string> attributes;
  std::size_t parent = 0;
};

inline std::string unescaped(std::string text) {
  for (const auto& [entity, character] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (std::size_t at = 0; (at = text.find(entity, at)) != text.npos; ++at)
      text.replace(at, std::string(entity).size(), character);
  return text;
}

inline std::vector<Element> elements_of(const std::string& xml) {
  std::vector<Element> all;
  std::vector<std::size_t> open;
  std::size_t at = xml.find("<svg");
  REQUIRE(at != xml.npos);
  static const std::regex attribute(R"re(([\w:-]+)\s*=\s*("([^"]*)"|'([^']*)'))re");
  while ((at = xml.find('<', at)) != xml.npos) {
    std::size_t end = at;  // of the tag: a '>' outside of quotes
    for (char quote = 0; ++end < xml.size() && (quote != 0 || xml[end] != '>');)
      if (quote != 0 ? xml[end] == quote : xml[end] == '"' || xml[end] == '\'')
        quote = quote != 0 ? 0 : xml[end];
    REQUIRE(end < xml.size());
    std::string tag = xml.substr(at + 1, end - at - 1);
    REQUIRE(tag.find('<') == tag.npos);
    at = end + 1;
    if (tag[0] == '!' || tag[0] == '?') continue;
    if (tag[0] == '/') {
      REQUIRE_FALSE(open.empty());
      REQUIRE(all[open.back()].name == tag.substr(1));
      open.pop_back();
      continue;
    }
    const bool closed = tag.back() == '/';
    if (closed) tag.pop_back();
    Element element;
    element.name = tag.substr(0, tag.find_first_of(" \n\t"));
    for (std::sregex_iterator i(tag.begin(), tag.end(), attribute), none; i != none; ++i)
      element.attributes[(*i)[1]] = (*i)[3].matched ? (*i)[3] : (*i)[4];
    if (!closed) element.text = unescaped(xml.substr(at, xml.find('<', at) - at));
    element.parent = open.empty() ? 0 : open.back();
    all.push_back(element);
    if (!closed) open.push_back(all.size() - 1);
  }
  CHECK(open.empty());
  return all;
}

struct Place {
  double x = 0, y = 0;
};
inline Place translation(const Element& element) {
  Place place;
  const auto found = element.attributes.find("transform");
  REQUIRE(found != element.attributes.end());
  REQUIRE(std::sscanf(found->second.c_str(), "translate(%lf,%lf)", &place.x, &place.y) == 2);
  return place;
}

// The places of texts.
inline std::multimap<std::string, Place> texts_of(const std::vector<Element>& all) {
  std::multimap<std::string, Place> texts;
  for (const Element& element : all)
    if (element.name == "text") {
      std::string text = element.text;
      while (!text.empty() && text.front() == ' ') text.erase(0, 1);
      texts.emplace(text, translation(all[element.parent]));
    }
  return texts;
}

// The way from numbers to pixels, through two labels of an axis. Labels of the y axis stand above their tick,
// which does not matter: the tick is on a grid line.
struct Scale {
  double first, at_first, second, at_second;
  double operator()(double value) const {
    return at_first + (value - first) / (second - first) * (at_second - at_first);
  }
};
inline Scale x_scale(const std::vector<Element>& all, double first, double second) {
  const auto texts = texts_of(all);
  const auto a = texts.find(format_number(first)), b = texts.find(format_number(second));
  REQUIRE(a != texts.end());
  REQUIRE(b != texts.end());
  return {first, a->second.x, second, b->second.x};
}
inline Scale y_scale(const std::vector<Element>& all, double first, double second) {
  std::vector<double> grid;
  for (const Element& element : all)
    if (element.attributes.contains("class") && element.attributes.at("class") == "gridline") {
      Place place;
      REQUIRE(std::sscanf(element.attributes.at("d").c_str(), "M%lf,%lf", &place.x, &place.y) == 2);
      grid.push_back(place.y);
    }
  const auto line = [&](double value) {
    const auto texts = texts_of(all);
    const auto found = texts.find(format_number(value));
    REQUIRE(found != texts.end());
    constexpr double kHalfALine = 8;
    for (const double y : grid)
      if (std::abs(found->second.y - y) < kHalfALine) return y;
    FAIL("no grid line at the label");
    return 0.0;
  };
  return {first, line(first), second, line(second)};
}

inline constexpr double kRounded = 0.02;  // SVG has two decimals

inline bool near(double a, double b) { return std::abs(a - b) <= kRounded; }

// Marks of points at a place, without those of the key.
inline std::size_t marks_at(const std::vector<Element>& all, double x, double y) {
  std::size_t count = 0;
  for (const Element& element : all)
    if (element.name == "use" && element.attributes.contains("transform") &&
        !element.attributes.contains("id")) {
      const Place place = translation(element);
      if (near(place.x, x) && near(place.y, y)) ++count;
    }
  return count;
}

// The corners of each path and polygon.
inline std::vector<std::vector<Place>> shapes_of(const std::vector<Element>& all) {
  static const std::regex corner(R"re((-?[\d.]+),(-?[\d.]+))re");
  std::vector<std::vector<Place>> shapes;
  for (const Element& element : all)
    for (const char* where : {"d", "points"}) {
      const auto found = element.attributes.find(where);
      if (found == element.attributes.end()) continue;
      auto& shape = shapes.emplace_back();
      const std::string& text = found->second;
      for (std::sregex_iterator i(text.begin(), text.end(), corner), none; i != none; ++i)
        shape.push_back({std::stod((*i)[1]), std::stod((*i)[2])});
    }
  return shapes;
}

// True if a shape has a corner at each of the places.
inline bool has_shape(const std::vector<Element>& all, const std::vector<Place>& corners) {
  const auto shapes = shapes_of(all);
  return std::any_of(shapes.begin(), shapes.end(), [&](const std::vector<Place>& shape) {
    return std::all_of(corners.begin(), corners.end(), [&](const Place& corner) {
      return std::any_of(shape.begin(), shape.end(),
                         [&](const Place& p) { return near(p.x, corner.x) && near(p.y, corner.y); });
    });
  });
}

// ---- figures ----

}  // namespace perigee::test

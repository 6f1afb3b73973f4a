// How series look. The same number gives the same look in every kind of figure and in both writers.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/layers.h"
#include "runtime/plots/plot.h"

namespace perigee::plots {

// Seven colours of Okabe and Ito ("Color Universal Design", 2008), which colour-blind readers can tell apart. Yellow is
// left out, for it is hardly seen on white. The eighth and all further series are grey, and differ in the rest.
inline constexpr std::array kLookColours = {"#0072b2", "#e69f00", "#009e73", "#56b4e9",
                                            "#d55e00", "#cc79a7", "#000000"};
inline constexpr const char* kRestColour = "#808080";
inline constexpr std::size_t kBlackLook = 6;

inline const char* colour_of_look(std::size_t look) {
  return look < kLookColours.size() ? kLookColours[look] : kRestColour;
}

// A perceptually even scale for numbers from 0 to 1: from a light yellow over green to a dark blue. Lightness falls in
// equal steps, so that the order remains in grey.
struct Rgb {
  int red = 0, green = 0, blue = 0;  // 0 to 255
  std::string text() const;          // "#rrggbb"
};
Rgb scale_colour(double share);
// Whether black text is easier to read on the colour than white.
bool wants_black(const Rgb& colour);

// The note where points are drawn beside their x.
inline constexpr std::string_view kMovedApart = "series with the same x are moved apart a little";

// Whether the panels are a grid of two columns' values: rows of the first, columns of the second.
bool is_grid(const Figure& figure);
// The head of each row, or column, of a grid, such as "nodes = 4"; empty where it has no panel.
std::vector<std::string> grid_heads(const Figure& figure, bool of_rows);

// The width of a text in fonts without serifs, in pixels at a height of `size`: rather too much than too little, for the
// font is not known.
double text_width(std::string_view text, double size);
// The text, or its beginning and "…" where it is wider than `room`.
std::string fitting(const std::string& text, double size, double room);
// The texts, each as wide as `room` at most where `width_of` measures it. One that is too wide ends with "…"; where
// different texts would look the same so, the "…" is in their middle, and if need be a number is behind it.
std::vector<std::string> fitting_apart(const std::vector<std::string>& texts, double room,
                                       const std::function<double(std::string_view)>& width_of);

}  // namespace perigee::plots

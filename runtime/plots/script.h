// A figure in gnuplot's language while it is written.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/kernel/quantity.h"
#include "runtime/plots/gnuplot.h"
#include "runtime/plots/look.h"
#include "runtime/plots/plot.h"
#include "runtime/plots/ticks.h"

namespace perigee::plots {

class GnuplotScript {
 public:
  static constexpr double kKeyRow = 18;  // height of a row of the key, pixels

  // Texts that do not fit are shortened.
  GnuplotScript(const Figure& figure, bool as_text);
  std::string draw(const std::string& terminal);
  // The key's columns of names; gnuplot makes them as wide as it takes the longest name to be.
  std::size_t columns_of_key() const;
  bool turns_labels() const { return turned_; }
  int width() const { return figure_.width; }  // more than that of the figure, where small ones need it
  int rows_of_key() const;
  // Small figures, and heat maps, whose frames stand at places of our own.
  bool is_framed() const {
    return !text_ && (!figure_.panels.empty() || figure_.kind == FigureKind::heatmap);
  }
  // A size that suits the small figures.
  int framed_height() const;

 private:
  // Together with colours and their lightness, dashes, shapes and patterns make series differ in grey too.
  static constexpr std::array kPatterns = {3, 4, 5, 1, 6, 2, 7};
  static constexpr std::array<std::size_t, 11> kShapes = {7, 5, 9, 4, 6, 13, 8, 11, 12, 2, 1};
  static constexpr std::size_t kDashes = 5;
  // Sizes in pixels: a letter of a label; in the key, the sample before a name, and a letter.
  static constexpr double kTextWidth = 6.6, kKeySample = 51, kKeyLetter = 8.4;
  static constexpr double kFont = 12;                     // height of the font
  static constexpr double kOfFont = 0.55;                 // width of a letter / height of its font
  static constexpr double kLeastTitle = 9, kNote = 10.5;  // heights of fonts

  // ---- script.cpp ----
  static std::size_t code_points(std::string_view text) { return display_width(text); }
  // At most so many code points; a text that is too long ends with "…".
  static std::string shortened(const std::string& text, double most);
  // At most so many code points each; different texts remain different.
  static std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, double most);
  void plot();
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  void frame();
  double plot_width() const { return std::max(100.0, figure_.width - left_ - right_); }
  static std::size_t longest(const std::vector<std::string>& texts);
  // Writes a block of numbers, a row each, and returns its name.
  template <class Rows, class F>
  std::string block(const char* what, std::size_t series, const Rows& rows, F&& write) {
    std::string name = fmt::format("${}{}", what, series + 1);
    out_ += name + " << end_of_data\n";
    for (const auto& row : rows) write(row);
    out_ += "end_of_data\n";
    return name;
  }
  void values(std::initializer_list<double> numbers);
  void key(const Series& series, const std::string& style);
  static const char* fill_colour(std::size_t look) {
    return look == kBlackLook ? "#404040" : colour_of_look(look);  // edges and lines over it are black
  }
  std::size_t look(std::size_t s) const;
  // In a terminal, each line type is drawn with a character of its own.
  std::string colour_of(std::size_t s) const;
  std::string dash_of(std::size_t s) const {
    return fmt::format("dt {}", (look(s) + look(s) / kLookColours.size()) % kDashes + 1);
  }
  std::string shape_of(std::size_t s) const {
    return fmt::format("pt {} ps 0.7", text_ ? s + 1 : kShapes[look(s) % kShapes.size()]);
  }

  // ---- script_panels.cpp ----
  static constexpr double kStrip = 26;  // above a panel, for its name
  // In a grid the heads of the columns stand above the first row alone.
  double top_strip() const { return is_grid_ ? kStrip - kGap : 0; }
  double strip_between() const { return figure_.panels.empty() ? 0 : is_grid_ ? kGap : kStrip; }
  static constexpr double kGap = 14;  // between panels that are side by side
  void frame_panels();
  void choose_y_ticks();
  void range_of_panels();
  double panel_width() const;
  double head_height() const { return head_height_; }
  double foot_height() const;
  void place_panels();
  void framed();
  // Places of the picture, in pixels from its upper left corner.
  std::string x_on_screen(double pixels) const { return format_number(pixels / figure_.width); }
  std::string y_on_screen(double pixels) const { return format_number(1 - pixels / figure_.height); }
  void titles_of_axes();
  // The heads of the columns and rows of a grid.
  void label_grid();
  void frame_of_panel(std::size_t row, std::size_t column);
  // Labels of the x axis are left to the lowest panel of a column, those of the y axis to the first one of a row.
  void axes_of_panel(std::size_t row, std::size_t column);
  // The key of all panels: gnuplot makes it as wide as the plot that it belongs to.
  void plot_key();

  // ---- script_head.cpp ----
  // The note in at most three lines, the last of which ends with "…" where there is more.
  std::vector<std::string> note_lines(const std::string& note) const;
  // Title, key and note, one below the other above the plot.
  void head();
  // So many pixels to the right of the left side of the plot.
  std::string across(double pixels) const;
  // The room of the key, which stands behind its title.
  double key_indent() const {
    return figure_.by.empty() ? 0 : kKeyLetter * static_cast<double>(code_points(figure_.by) + 1);
  }
  double key_width() const { return head_width() - (text_ ? 0 : key_indent()); }
  // Title, key and note of framed figures begin at the left side of the picture.
  static constexpr double kHeadLeft = 8;
  double head_width() const { return is_framed() ? figure_.width - 2 * kHeadLeft : plot_width(); }

  // ---- script_axes.cpp ----
  // gnuplot chooses some ten ticks, whatever their texts are and however small the plot is.
  void spread_ticks();
  void ticks(const char* name, const std::vector<Tick>& all);
  void tick_of_one_x() { line("set xtics ({})", format_number(extents_.x.least)); }
  // Numbers along the x axis of a small figure that do not touch each other.
  void few_x_ticks(double wide);
  void axis(const char* name, const Axis& axis);
  // A range for marks that begin at 0.
  void range_from_zero(double least, double most);
  // A range around all values with a margin, which is wide if values hardly differ. A logarithmic axis of
  // less than two decades is marked at 1, 2 and 5; otherwise gnuplot chooses the marks.
  void range(const char* name, const Axis& axis, double least, double most);
  // The part of the axis that is left free at both sides; points that are moved aside have to fit into it.
  double margin_of_x() const;

  // ---- script_curves.cpp ----
  // Draws from low to high, but not below `floor`. gnuplot's own error bars have a white spot around the
  // point.
  template <class F>
  void draw_intervals(std::size_t s, F&& x_of, double floor, const std::string& style) {
    std::vector<Point> known;
    std::copy_if(figure_.series[s].points.begin(), figure_.series[s].points.end(), std::back_inserter(known),
                 [](const Point& p) { return p.low < p.high; });
    if (known.empty()) return;
    const std::string name = block("intervals", s, known, [&](const Point& p) {
      values({x_of(p), std::max(p.low, floor), p.high});
    });
    plots_.push_back(fmt::format("{} using 1:2:(0):($3-$2) with vectors {} {} notitle", name,
                                 text_ ? "nohead" : "heads size screen 0.006,90 nofilled", style));
  }
  void curves();
  // A place beside x, for series that share it.
  double dodged(double x, std::size_t s) const;
  // The width that series with the same x take in all, in pixels.
  double dodge_room() const { return dodge_room_of(dodges_.size(), least_gap()); }
  // The smallest distance of two x, in pixels.
  double least_gap() const;
  // From 0 at the left side to 1 at the right one.
  void shares();

  // ---- script_bars.cpp ----
  // The fill of bars and boxes. Narrow ones have no edges, for nothing else would be seen.
  std::string fill(std::size_t s) const;
  // The width of one series at the place of a category. All series together are `kTaken` wide.
  static constexpr double kTaken = 0.8;
  double share() const { return kTaken / static_cast<double>(figure_.series.size()); }
  double beside(double x, std::size_t s) const {
    return x - kTaken / 2 + share() * (static_cast<double>(s) + 0.5);
  }
  void bars();
  void stacked();
  // Whole colours, for narrow areas show no pattern. Sums are lines over the areas.
  void areas();
  // Grey areas differ in lightness.
  static const char* fill_share(std::size_t look);
  void boxes();
  // A single series is filled; of several, only outlines are drawn, which remain visible behind each other.
  void histogram();

  // ---- script_cells.cpp ----
  void cells();
  Extent values_of_whole() const { return values_; }
  static std::string cell_number(double value) {
    return value == 0 ? "0" : short_number(parse_number(fmt::format("{:.3g}", value)));
  }
  static Rgb colour_of_cell(double value, const Extent& all) {
    return scale_colour(all.most > all.least ? (value - all.least) / (all.most - all.least) : 0.5);
  }
  // The scale of colours, as high as a panel, at most 240 pixels.
  void colour_key(double left, double top, double high);

  // ---- script_gantt.cpp ----
  double lane_height() const;
  void gantt();
  // A second is so many `pixels` wide. `of_its_kind`: its place among the solid or the hatched series.
  void gantt_series(std::size_t s, std::size_t of_its_kind, double pixels, bool whole);
  // The bars of one tint, narrow or wide; `whole`: all bars of the chart are as high as their lane.
  void gantt_boxes(const std::string& what, std::size_t s, double pixels, bool wide, std::size_t tint,
                   bool whole, const std::string& style);
  void gantt_labels(double pixels);
  // Places on the y axis, where a lane takes 0.8 around its number.
  static double top_of(const GanttBar& bar) { return static_cast<double>(bar.lane) - 0.4 + 0.8 * bar.top; }
  static double bottom_of(const GanttBar& bar) {
    return static_cast<double>(bar.lane + bar.more) - 0.4 + 0.8 * bar.bottom;
  }
  static double middle_of(const GanttBar& bar) {
    return bar.covers_lane() ? static_cast<double>(bar.lane) : (top_of(bar) + bottom_of(bar)) / 2;
  }
  // Fills behind black labels; in grey they run from light to dark.
  static constexpr std::array kLight = {"#9fd0f0", "#f5d48a", "#7fcdb4", "#f0a97a",
                                        "#e6bfd4", "#d9d9d9", "#f7f3a0"};

  Figure figure_;
  bool text_;
  bool named_ = false;
  std::vector<std::string> notes_;
  std::vector<double> dodges_;
  Extents extents_;                     // of all panels
  Extent values_;                       // of a heat map
  std::size_t rows_ = 1, columns_ = 1;  // of panels
  std::vector<Tick> y_ticks_;           // and the range, of panels
  bool key_only_ = false;
  double y_from_ = 0, y_to_ = 1, head_height_ = 0, panel_high_ = 0;
  bool one_x_ = false, is_grid_ = false;
  double left_ = 0, right_ = 0;  // of the plot, in pixels
  std::size_t every_ = 1;        // of the labels of the x axis one in so many
  bool turned_ = false;          // labels of the x axis, for they are too long to stand side by side
  std::string out_;
  std::vector<std::string> plots_;
};

}  // namespace perigee::plots

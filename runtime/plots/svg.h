// A figure as SVG for pages while it is drawn.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"
#include "runtime/plots/look.h"
#include "runtime/plots/plot.h"
#include "runtime/plots/ticks.h"
#include "runtime/results/markup.h"

namespace perigee::plots {

class SvgPicture {
 public:
  SvgPicture(const Figure& figure, const PageSvg& parts);
  std::string draw();

 private:
  static constexpr double kTickSize = 12, kLabelSize = 13, kTitleSize = 16, kNoteSize = 12, kKeySize = 13;
  static constexpr double kLineHeight = 1.35;
  static constexpr double kPadding = 8;  // around the picture
  static constexpr double kStrip =
      kTickSize * kLineHeight + 4;  // for the name of a panel or the head of a row

  struct Rectangle {
    double x = 0, y = 0, wide = 0, high = 0;
  };
  // From the numbers of an axis to pixels.
  struct Ruler {
    bool log = false;
    double from = 0, to = 1, at_from = 0, at_to = 1;
    double operator()(double value) const {
      const double share =
          log ? math::log(value / from) / math::log(to / from) : (value - from) / (to - from);
      return at_from + share * (at_to - at_from);
    }
  };
  // An axis with its ticks, the same in all panels.
  struct Scale {
    bool log = false;
    double from = 0, to = 1;
    std::vector<Tick> ticks;             // of numbers or of places
    bool turned = false;                 // labels of the x axis
    std::vector<std::string> full = {};  // the whole text of a tick that is shortened; else empty
  };
  // The key's marks and the rows of names.
  struct KeyEntry {
    std::size_t series = 0;
    double x = 0;
    int row = 0;
    std::string shown;
  };

  static constexpr std::size_t kShapeCount = 11;
  static constexpr double kScaleBar = 14;
  struct HeadLine {
    std::string shown;
    double y = 0;
  };
  static constexpr double kSample = 24;
  static constexpr double kCosine = 0.766, kSine = 0.643;  // of 40 degrees

  // ---- svg.cpp ----
  // With two decimals, and no zeros at the end.
  static std::string pixels(double value);
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  // Texts without what is no text, in the figure and in all of its panels.
  void clean();
  void text(double x, double y, const std::string& shown, double size, const char* anchor,
            const std::string& full = {}, const std::string& more = {});
  bool has_places(const Axis& axis) const { return !axis.categories.empty(); }
  void head();
  std::size_t look(std::size_t s) const;
  static std::string ink(std::size_t look) {
    return look == kBlackLook ? "currentColor" : std::string(colour_of_look(look));
  }
  void sample(std::size_t s, const Rectangle& at);
  void panel(const std::vector<Series>& series, std::size_t p);
  void open_series(const Series& series) {
    put("<g class=\"series\" data-name=\"{}\">\n", markup_text(series.name));
  }

  // ---- svg_plan.cpp ----
  void plan();
  void count_panels();
  // The labels of the y axis decide how much is left for the x axis.
  double y_label_width() const;
  double y_title_width() const;
  void lay_width();
  // Labels that stand in the middle of their tick may reach beyond the plot; turned ones lead out to the left.
  void make_room_for_x_labels();
  // Between rows of panels and below the last one.
  void lay_foot();
  static std::vector<std::string> shown_apart(const std::vector<std::string>& names, double room) {
    return fitting_apart(names, room, [](std::string_view name) { return text_width(name, kTickSize); });
  }
  // Whether there are panels above the last row under which there are no others.
  bool has_hanging_panels() const;
  // More room at a side makes the picture wider, for the ticks have been chosen already.
  void widen(double by, double& side);
  double guessed_height() const;
  // All rows of panels together have room for the title of the colours.
  double least_high_of_cells() const;
  // Ticks that stand on each other, `high` pixels in all.
  void lay_y(const Extent& extent, double high);
  // A range around all values with a margin, which is wide if values hardly differ.
  void spread(const Extent& extent, Scale& scale, bool margin);
  // The part of the axis that is left free at both sides; points that are moved aside have to fit into it.
  double margin_of_x(const Extent& extent);
  static void place_tick(Scale& scale, const std::string& name, std::size_t place, double room);
  // Ticks side by side.
  void lay_x(const Extent& extent);
  void lay_places(double apart);
  // Title, key and note, one below the other, over the panels.
  void lay_head();

  // ---- svg_axes.cpp ----
  // The heads of a grid: of its columns above them, of its rows at their right side.
  void heads_of_grid();
  // The border, ticks and grid of a panel.
  void axes(const Rectangle& plot, bool with_x, bool with_y);
  // The title of an axis, whose unit remains where it is shortened.
  static std::string title_of(const Axis& axis, double room);
  // The middle of a title, as near to the wanted place as it fits between two others.
  static double near(double wanted, const std::string& shown, double from, double to);
  void axis_titles();
  Ruler upward(const Rectangle& plot) const;

  // ---- svg_marks.cpp ----
  // "fcfs, load = 2, response = 3 ± 0.5 s"
  std::string place_text(const Axis& axis, double x) const;
  static std::string number_text(const Axis& axis, double value) {
    return short_number(value) + (axis.unit.empty() ? "" : " " + axis.unit);
  }
  // "load = 1 .. 2 s", of numbers
  std::string range_text(double from, double to) const;
  static std::string joined(std::initializer_list<std::string> parts);
  std::string point_title(const Series& series, const Point& p) const;
  static std::string title(const std::string& text) {
    return fmt::format("<title>{}</title>", markup_text(text));
  }
  static std::string stroke(std::size_t look);
  // A shape around a place, filled or hollow.
  static std::string shape_path(double x, double y, std::size_t look);
  static bool is_hollow(std::size_t look) { return look % kShapeCount >= 7; }
  void shape(double x, double y, std::size_t look, const std::string& more);
  // Lines over a fill that tell it from others in grey.
  void hatch(const Rectangle& at, std::size_t look);
  void hatch_lines(const Rectangle& at, int kind, const char* paint);
  void bar(const Rectangle& at, std::size_t look, const std::string& shown, const std::string& interval = {});
  // A vertical line with ends.
  static std::string interval_path(double x, double low, double high, double half = 3.5);

  // ---- svg_curves.cpp ----
  double dodge(std::size_t s) const;
  // The width that series with the same x of numbers take in all, in pixels.
  double dodge_room() const { return dodge_room_of(dodges_.size(), least_gap()); }
  // The smallest distance of two x in pixels.
  double least_gap() const;
  double clamped_y(double value) const;
  void curves(const std::vector<Series>& series);
  // Points in one path, one for each pixel, without what belongs to each.
  void dots(const std::vector<Point>& points, std::size_t look);
  // The points that a line shows: of many, the first, the last, the least and the largest in each column of pixels.
  std::vector<std::size_t> seen(const std::vector<Point>& points) const;
  // A value holds until the next. Its line can be pointed at.
  void steps(const std::vector<Series>& series);

  // ---- svg_bars.cpp ----
  // All series of a place together are `kTogether` wide.
  static constexpr double kTogether = 0.8;
  double share_of(const std::vector<Series>& series) const {
    return kTogether / static_cast<double>(series.size());
  }
  double left_of(double x, std::size_t s, const std::vector<Series>& series) const {
    return x - kTogether / 2 + share_of(series) * static_cast<double>(s);
  }
  void bars(const std::vector<Series>& series);
  void stacks(const std::vector<Series>& series);
  void areas(const std::vector<Series>& series);
  void boxes(const std::vector<Series>& series);
  void bins(const std::vector<Series>& series);

  // ---- svg_cells.cpp ----
  std::vector<Tick> scale_ticks() const;
  double scale_width() const;
  double share_of_value(double value) const;
  // A thin line across each cell without a value, which a page in dark colours would show like the darkest ones.
  void missing(const std::vector<Series>& series, double wide, double high);
  void cells(const std::vector<Series>& series);
  static std::string cell_text(double value) {
    return value == 0 ? "0" : short_number(parse_number(fmt::format("{:.3g}", value)));
  }
  std::string cell_title(const HeatCell& cell) const;
  // The scale of colours beside the plots.
  void colour_key();

  // ---- svg_gantt.cpp ----
  static std::string light(std::size_t tint);
  void gantt_fill(const Rectangle& at, const Series& series, std::size_t s, std::size_t tint);
  void gantt_bars(const std::vector<Series>& series);
  std::string gantt_title(const Series& series, const GanttBar& b) const;

  Figure figure_;
  PageSvg parts_;
  std::string out_;
  std::size_t marks_ = 0;
  bool titled_ = true, named_ = false, is_grid_ = false;
  std::vector<std::string> panel_titles_;
  std::vector<double> dodges_;
  double wide_ = 0, high_ = 0, left_ = 0, right_ = 0, top_ = 0, foot_ = 0, row_foot_ = 0;
  std::size_t rows_ = 1, columns_ = 1;
  double strip_ = 0, gap_ = 0, row_gap_ = 0;  // above a panel, and between panels
  double plot_wide_ = 0, plot_high_ = 0;      // of a panel
  Scale x_, y_;
  std::vector<HeadLine> titles_, notes_;
  std::vector<KeyEntry> key_;
  std::string key_title_;
  double key_at_ = 0;
  Rectangle plot_;  // of the panel that is being drawn
  Ruler x_at_, y_at_;
};

}  // namespace perigee::plots

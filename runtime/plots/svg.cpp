// Figures as SVG for pages.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/plots/svg.h"
#include "runtime/results/markup.h"

namespace perigee::plots {

std::string SvgPicture::pixels(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

SvgPicture::SvgPicture(const Figure& figure, const PageSvg& parts) : figure_(figure), parts_(parts) {
  clean();
  plan();
}

std::string SvgPicture::draw() {
  const std::string label = !figure_.title.empty()     ? figure_.title
                            : figure_.x.text().empty() ? figure_.y.text()
                            : figure_.y.text().empty() ? figure_.x.text()
                                                       : figure_.y.text() + " by " + figure_.x.text();
  put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"group\" "
      "aria-label=\"{}\" font-family=\"sans-serif\" fill=\"currentColor\">\n",
      pixels(wide_), pixels(high_), pixels(wide_), pixels(high_),
      markup_text(label.empty() ? "figure" : label));
  head();
  if (figure_.panels.empty()) {
    panel(figure_.series, 0);
  } else {
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) panel(figure_.panels[p].series, p);
  }
  if (is_grid_) heads_of_grid();
  axis_titles();
  out_ += "</svg>\n";
  return std::move(out_);
}

void SvgPicture::clean() {
  for (std::string* text : {&figure_.title, &figure_.note, &figure_.by}) *text = printable(*text);
  for (Axis* axis : {&figure_.x, &figure_.y, &figure_.value}) {
    axis->label = printable(axis->label);
    axis->unit = printable(axis->unit);
    for (std::string& category : axis->categories) category = printable(category);
  }
  const auto names = [](std::vector<Series>& all) {
    for (Series& series : all) {
      series.name = printable(series.name);
      for (GanttBar& bar : series.gantt_bars) bar.label = printable(bar.label);
    }
  };
  names(figure_.series);
  for (Panel& panel : figure_.panels) {
    panel.name = printable(panel.name);
    names(panel.series);
  }
  for (const Series* series : all_series(figure_))
    marks_ += series->points.size() + series->boxes.size() + series->bins.size() + series->gantt_bars.size() +
              series->cells.size();
  titled_ = marks_ <= kMostTitles;
  if (!titled_ && figure_.kind != FigureKind::box)
    figure_.note += fmt::format("{}{} marks: their values are in the table of numbers only",
                                figure_.note.empty() ? "" : "; ", marks_);
  named_ = has_key(figure_);
  dodges_ = dodges_of(figure_);
  if (!dodges_.empty() && !has_places(figure_.x))
    figure_.note += fmt::format("{}{}", figure_.note.empty() ? "" : "; ", kMovedApart);
  is_grid_ = is_grid(figure_);
}

void SvgPicture::text(double x, double y, const std::string& shown, double size, const char* anchor,
                      const std::string& full, const std::string& more) {
  put("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{}>", pixels(x), pixels(y), pixels(size),
      *anchor == 's' ? "" : fmt::format(" text-anchor=\"{}\"", anchor), more.empty() ? "" : " ", more);
  if (!full.empty() && full != shown) put("<title>{}</title>", markup_text(full));
  put("{}</text>\n", markup_text(shown));
}

void SvgPicture::head() {
  const auto lines = [&](const std::vector<HeadLine>& all, double size, const std::string& whole,
                         const char* more) {
    const bool is_cut = !all.empty() && all.back().shown.ends_with("…");
    for (const HeadLine& line : all)
      text(kPadding, line.y, line.shown, size, "start", is_cut ? whole : "", more);
  };
  lines(titles_, kTitleSize, figure_.title, "font-weight=\"bold\"");
  if (!key_title_.empty())
    text(kPadding, key_at_ + kKeySize * 0.35, key_title_, kKeySize, "start", figure_.by + ":",
         "fill-opacity=\".75\"");
  constexpr double kRow = 20;
  const std::vector<Series>& series = key_series(figure_);
  for (const KeyEntry& entry : key_) {
    const Series& one = series[entry.series];
    const double y = key_at_ + kRow * entry.row;
    put("<g class=\"key\" data-name=\"{}\">", markup_text(one.name));
    sample(entry.series, {entry.x, y - 6, kSample, 12});
    text(entry.x + kSample + 6, y + kKeySize * 0.35, entry.shown, kKeySize, "start", one.name);
    out_ += "</g>\n";
  }
  lines(notes_, kNoteSize, figure_.note, "fill-opacity=\".7\"");
}

std::size_t SvgPicture::look(std::size_t s) const {
  const std::vector<Series>& series = key_series(figure_);
  const int own = s < series.size() ? series[s].colour : -1;
  if (own >= 0) return static_cast<std::size_t>(own);
  const auto sums =
      std::count_if(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(std::min(s, series.size())),
                    [](const Series& before) { return before.is_sum; });
  return s - static_cast<std::size_t>(sums);
}

void SvgPicture::sample(std::size_t s, const Rectangle& at) {
  const std::size_t own = look(s);
  const double middle = at.y + at.high / 2;
  const Series& series = key_series(figure_)[s];
  switch (figure_.kind) {
    case FigureKind::lines:
    case FigureKind::steps:
    case FigureKind::ecdf:
    case FigureKind::points:
      if (figure_.kind != FigureKind::points)
        put("<path d=\"M{} {}h{}\"{}/>", pixels(at.x), pixels(middle), pixels(at.wide), stroke(own));
      if (figure_.kind == FigureKind::lines || figure_.kind == FigureKind::points)
        shape(at.x + at.wide / 2, middle, own, "");
      break;
    case FigureKind::gantt:
      gantt_fill({at.x, at.y, at.wide, at.high}, series, s, 0);
      break;
    case FigureKind::histogram:
      put("<path d=\"M{} {}h{}\"{}/>", pixels(at.x), pixels(middle), pixels(at.wide), stroke(own));
      break;
    case FigureKind::areas:
      if (series.is_sum) {
        put("<path d=\"M{} {}h{}\" fill=\"none\" stroke=\"currentColor\"/>", pixels(at.x), pixels(middle),
            pixels(at.wide));
        break;
      }
      [[fallthrough]];
    default:
      put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", pixels(at.x), pixels(at.y),
          pixels(at.wide), pixels(at.high), ink(own));
      if (figure_.kind != FigureKind::areas) hatch(at, own);
  }
}

void SvgPicture::panel(const std::vector<Series>& series, std::size_t p) {
  const std::size_t row = figure_.panels.empty() ? 0 : figure_.panels[p].row,
                    column = figure_.panels.empty() ? 0 : figure_.panels[p].column;
  plot_ = {left_ + (plot_wide_ + gap_) * static_cast<double>(column),
           top_ + strip_ + (plot_high_ + strip_ + row_gap_) * static_cast<double>(row), plot_wide_,
           plot_high_};
  if (!figure_.panels.empty()) {
    put("<g class=\"panel\" data-name=\"{}\">\n", markup_text(figure_.panels[p].name));
    if (!is_grid_)
      text(plot_.x + plot_.wide / 2, plot_.y - 6, panel_titles_[p], kTickSize, "middle",
           figure_.panels[p].name, "font-weight=\"bold\"");
  }
  const bool lowest = std::ranges::none_of(
      figure_.panels, [&](const Panel& other) { return other.column == column && other.row > row; });
  const bool leftmost = std::ranges::none_of(
      figure_.panels, [&](const Panel& other) { return other.row == row && other.column < column; });
  axes(plot_, lowest, leftmost);
  x_at_ = {x_.log, x_.from, x_.to, plot_.x, plot_.x + plot_.wide};
  y_at_ = upward(plot_);
  switch (figure_.kind) {
    case FigureKind::lines:
    case FigureKind::points:
      curves(series);
      break;
    case FigureKind::steps:
    case FigureKind::ecdf:
      steps(series);
      break;
    case FigureKind::bars:
      bars(series);
      break;
    case FigureKind::stacked:
      stacks(series);
      break;
    case FigureKind::areas:
      areas(series);
      break;
    case FigureKind::box:
      boxes(series);
      break;
    case FigureKind::histogram:
      bins(series);
      break;
    case FigureKind::heatmap:
      cells(series);
      break;
    case FigureKind::gantt:
      gantt_bars(series);
      break;
  }
  if (!figure_.panels.empty()) out_ += "</g>\n";
}

std::string page_svg(const Figure& figure, const PageSvg& parts) {
  check(figure);
  return SvgPicture(figure, parts).draw();
}

}  // namespace perigee::plots

// Figures in gnuplot's language. All texts go through gnuplot_text, numbers are exact.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/error.h"
#include "runtime/plots/script.h"

namespace perigee::plots {

std::string GnuplotScript::shortened(const std::string& text, double most) {
  const auto count = static_cast<std::size_t>(std::max(1.0, most));
  if (code_points(text) <= count) return text;
  std::size_t seen = 0, end = 0;
  while (seen < count) seen += (static_cast<unsigned char>(text[end++]) & 0xC0U) != 0x80U ? 1 : 0;
  return text.substr(0, end - 1) + "…";
}

std::vector<std::string> GnuplotScript::shortened_apart(const std::vector<std::string>& texts, double most) {
  return fitting_apart(texts, std::floor(std::max(1.0, most)),
                       [](std::string_view text) { return static_cast<double>(code_points(text)); });
}

GnuplotScript::GnuplotScript(const Figure& figure, bool as_text) : figure_(figure), text_(as_text) {
  named_ = has_key(figure);
  if (!as_text) dodges_ = dodges_of(figure);
  extents_ = extents_of(figure);
  one_x_ = has_one_x(figure);
  is_grid_ = !as_text && is_grid(figure);
  values_ = values_of(figure);
  const double longest_place = is_framed() ? 20 : 32;
  for (Axis* axis : {&figure_.x, &figure_.y})
    for (std::string& category : axis->categories) category = shortened(printable(category), longest_place);
  left_ = 80 + kTextWidth * static_cast<double>(longest(figure_.y.categories));
  right_ = is_grid_ ? 30 + kStrip - 6 : 30;
  if (is_framed()) frame_panels();
  const double labels =
      kTextWidth * static_cast<double>((longest(figure_.x.categories) + 2) * figure_.x.categories.size());
  turned_ = labels > panel_width();
  if (turned_ && std::ranges::all_of(figure_.x.categories, [](const std::string& name) {
        return name.find_first_not_of("0123456789.e+-") == name.npos;
      })) {  // of numbers in a row some are enough
    turned_ = false;
    every_ = static_cast<std::size_t>(std::ceil(labels / panel_width()));
  }
  if (turned_) {                      // labels lead out to the right
    constexpr double kAcross = 0.82;  // cos 35 degrees
    const auto count = static_cast<double>(figure_.x.categories.size());
    double beyond = 0;
    for (std::size_t i = 0; i < figure_.x.categories.size(); ++i)
      beyond =
          std::max(beyond, kAcross * kTextWidth * static_cast<double>(code_points(figure_.x.categories[i])) -
                               panel_width() * (count - static_cast<double>(i) - 0.5) / count);
    right_ += beyond;
  }
  figure_.title = shortened(printable(figure.title), head_width() / (kOfFont * kLeastTitle));
  std::string note = printable(figure.note);
  if (!dodges_.empty() && figure.x.categories.empty())
    note += fmt::format("{}{}", note.empty() ? "" : "; ", kMovedApart);
  notes_ = note_lines(note);
  const auto fit = [](Axis& axis, double room) {
    constexpr double kUnit = 12;
    axis.label = shortened(printable(axis.label), room / kTextWidth - kUnit);
    axis.unit = shortened(printable(axis.unit), kUnit);
  };
  fit(figure_.x, plot_width());
  fit(figure_.y, std::max(figure_.height, 300) - 100.0);
  figure_.by = shortened(printable(figure.by), head_width() / 3 / kKeyLetter);
  const auto shorten = [&](std::vector<Series>& all) {
    std::vector<std::string> names;
    for (const Series& series : all) names.push_back(printable(series.name));
    names = shortened_apart(names, (key_width() - kKeySample) / kKeyLetter);
    for (std::size_t s = 0; s < all.size(); ++s) all[s].name = names[s];
  };
  shorten(figure_.series);
  for (Panel& panel : figure_.panels) {
    panel.name = printable(panel.name);
    shorten(panel.series);
  }
  if (is_framed()) place_panels();
}

std::string GnuplotScript::draw(const std::string& terminal) {
  line("set encoding utf8");
  line("set terminal {}", terminal);
  frame();
  if (is_framed()) {
    framed();
    return std::move(out_);
  }
  axis("x", figure_.x);
  axis("y", figure_.y);
  if (!text_) spread_ticks();
  plot();
  return std::move(out_);
}

int GnuplotScript::rows_of_key() const {
  if (!named_) return 0;
  const std::size_t abreast = columns_of_key();
  return static_cast<int>((key_series(figure_).size() + abreast - 1) / abreast);
}

int GnuplotScript::framed_height() const {
  const double each = figure_.kind == FigureKind::heatmap
                          ? std::clamp(24.0 * static_cast<double>(figure_.y.categories.size()), 60.0, 1200.0)
                          : std::clamp(0.7 * panel_width(), 110.0, 200.0);
  const auto rows = static_cast<double>(rows_);
  return static_cast<int>(
      std::ceil(head_height() + top_strip() + rows * (each + (is_grid_ ? kGap : kStrip)) + foot_height()));
}

void GnuplotScript::plot() {
  switch (figure_.kind) {
    case FigureKind::lines:
    case FigureKind::steps:
    case FigureKind::points:
      curves();
      break;
    case FigureKind::ecdf:
      shares();
      break;
    case FigureKind::bars:
      bars();
      break;
    case FigureKind::stacked:
      stacked();
      break;
    case FigureKind::areas:
      areas();
      break;
    case FigureKind::box:
      boxes();
      break;
    case FigureKind::histogram:
      histogram();
      break;
    case FigureKind::heatmap:
      cells();
      break;
    case FigureKind::gantt:
      gantt();
      break;
  }
  if (key_only_) {
    line("set xrange [0:1]\nset yrange [0:1]");
    std::erase_if(plots_, [](const std::string& plot) { return !plot.starts_with("keyentry"); });
    plots_.emplace_back("NaN notitle");
  } else if (is_framed()) {
    range_of_panels();
  }
  out_ += "plot ";
  for (std::size_t i = 0; i < plots_.size(); ++i) out_ += (i > 0 ? ", \\\n     " : "") + plots_[i];
  out_ += "\n";
  plots_.clear();
}

void GnuplotScript::frame() {
  line("set border 3 lc rgb '#404040'");
  line("set tics nomirror out scale {}", text_ ? 0.0 : 0.5);
  if (!text_)
    line("set grid {}tics back lt 1 lc rgb '#d8d8d8' lw 0.6", figure_.kind == FigureKind::gantt ? "x" : "y");
  line("set format xy '%.12g'");

  line("set key {}", named_ ? "above left horizontal Left reverse noenhanced samplen 3" : "off");
  if (!text_) head();
}

std::size_t GnuplotScript::longest(const std::vector<std::string>& texts) {
  std::size_t most = 0;
  for (const std::string& text : texts) most = std::max(most, code_points(text));
  return most;
}

void GnuplotScript::values(std::initializer_list<double> numbers) {
  bool first = true;
  for (const double value : numbers) {
    if (!first) out_ += ' ';
    out_ += std::isnan(value) ? "NaN" : format_number(value);
    first = false;
  }
  out_ += '\n';
}

void GnuplotScript::key(const Series& series, const std::string& style) {
  if (named_ && !series.name.empty())
    plots_.push_back(fmt::format("keyentry {} title {}", style, gnuplot_text(series.name)));
}

std::size_t GnuplotScript::look(std::size_t s) const {
  const int own = figure_.series.size() > s ? figure_.series[s].colour : -1;
  return own >= 0 ? static_cast<std::size_t>(own) : s;
}

std::string GnuplotScript::colour_of(std::size_t s) const {
  if (text_) return fmt::format("lt {}", s + 1);
  return fmt::format("lc rgb '{}'", colour_of_look(look(s)));
}

namespace {

// The same picture in all formats: a pixel of the figure is 1/96 inch in a PDF, and two pixels to the side in a PNG.
std::string terminal_of(FigureFormat format, int width, int height) {
  constexpr double kInch = 96, kPdfFont = 0.5625, kPngFont = 1.5;
  switch (format) {
    case FigureFormat::pdf:
      return fmt::format(
          "pdfcairo size {}in,{}in noenhanced font 'Helvetica,12' fontscale {} linewidth 1.2 pointscale 1.1",
          format_number(width / kInch), format_number(height / kInch), kPdfFont);
    case FigureFormat::png:
      return fmt::format(
          "pngcairo size {},{} noenhanced font 'Helvetica,12' fontscale {} linewidth 2 pointscale 2.8 "
          "background rgb 'white'",
          2 * width, 2 * height, kPngFont);
    default:
      return fmt::format("svg size {},{} noenhanced font 'Helvetica,12' background rgb 'white'", width,
                         height);
  }
}

}  // namespace

std::string picture_script(const Figure& figure, FigureFormat format) {
  Figure sized = figure;
  const bool framed = !figure.panels.empty() || figure.kind == FigureKind::heatmap;
  if (framed) {
    const GnuplotScript plain(sized, false);
    sized.width = plain.width();
    if (sized.height <= 0) sized.height = plain.framed_height();
  } else if (sized.height <= 0) {
    constexpr int kPlain = 400, kLane = 16, kMost = 4000;
    sized.height = kPlain;
    if (figure.kind == FigureKind::gantt)
      sized.height = std::clamp(kLane * static_cast<int>(figure.y.categories.size()) + 100, 200, kMost);
    const GnuplotScript plain(sized, false);
    const int rows = plain.rows_of_key();
    if (plain.turns_labels()) sized.height += 60;
    sized.height += static_cast<int>(GnuplotScript::kKeyRow) *
                    std::max(0, rows - (figure.kind == FigureKind::gantt ? 0 : 2));
  }
  const GnuplotScript script(sized, false);
  constexpr int kLeastPlot = 110;  // labels of the axis included
  const int needed = kLeastPlot + static_cast<int>(GnuplotScript::kKeyRow) * script.rows_of_key();
  if (sized.height < needed)
    fail("bad_figure", "a height of {} leaves no room beside the names of {} series; at least {} does",
         sized.height, key_series(figure).size(), needed);
  return GnuplotScript(sized, false).draw(terminal_of(format, sized.width, sized.height));
}

std::string text_script(const Figure& figure, int width, int height, bool colour) {
  return GnuplotScript(figure, true)
      .draw(fmt::format("dumb noenhanced size {},{} {}", width, height, colour ? "ansi256" : "mono"));
}

}  // namespace perigee::plots

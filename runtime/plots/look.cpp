#include "runtime/plots/look.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/kernel/math.h"
#include "runtime/results/table.h"

namespace perigee::plots {
namespace {

// From a part of light, 0 to 1, to its number in sRGB (IEC 61966-2-1).
int srgb_of(double light) {
  const double clamped = std::clamp(light, 0.0, 1.0);
  const double share = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * math::pow(clamped, 1 / 2.4) - 0.055;
  return static_cast<int>(math::floor(share * 255 + 0.5));
}

// From lightness, colourfulness and hue in Oklab to sRGB (B. Ottosson, "A perceptual color space for image processing",
// 2020).
Rgb from_oklch(double lightness, double chroma, double degrees) {
  const double hue = degrees * math::kPi / 180;
  const double a = chroma * math::cos(hue), b = chroma * math::sin(hue);
  const auto cubed = [](double x) { return x * x * x; };
  const double l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b),
               m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b),
               s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {srgb_of(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          srgb_of(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          srgb_of(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

}  // namespace

std::string Rgb::text() const { return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue); }

Rgb scale_colour(double share) {
  const double at = std::clamp(share, 0.0, 1.0);
  constexpr double kLightest = 0.96, kDarkest = 0.30, kYellow = 105, kBlue = 265;
  const double chroma = 0.075 + 0.035 * math::sin(math::kPi * at);
  return from_oklch(kLightest + (kDarkest - kLightest) * at, chroma, kYellow + (kBlue - kYellow) * at);
}

bool wants_black(const Rgb& colour) {
  return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue > 130;
}

namespace {

// In thousandths of the font's height.
double letter_width(std::uint32_t code) {
  constexpr std::string_view kNarrow = "ijlI.,:;'|!()[]{}\"`", kMiddle = "frt-/\\ s*", kWide = "mMwW%@";
  if (code >= 0x1100) {  // where characters begin that take the place of two
    constexpr std::uint32_t kPunctuation = 0x2000, kSymbols = 0x2E80;
    return code >= kPunctuation && code < kSymbols ? 850 : 1050;
  }
  if (code >= 0x80) return 700;
  const char letter = static_cast<char>(code);
  if (kNarrow.find(letter) != kNarrow.npos) return 360;
  if (kMiddle.find(letter) != kMiddle.npos) return 440;
  if (kWide.find(letter) != kWide.npos) return 980;
  if (letter >= 'A' && letter <= 'Z') return 740;
  if (letter == '+' || letter == '=' || letter == '<' || letter == '>' || letter == '~' || letter == '#')
    return 840;
  return 635;
}

}  // namespace

double text_width(std::string_view text, double size) {
  double wide = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    std::uint32_t code = first < 0x80   ? first
                         : first < 0xE0 ? first & 0x1FU
                         : first < 0xF0 ? first & 0xFU
                                        : first & 7U;
    while (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U)
      code = (code << 6U) | (static_cast<unsigned char>(text[i++]) & 0x3FU);
    wide += letter_width(code);
  }
  return wide * size / 1000;
}

std::string fitting(const std::string& text, double size, double room) {
  if (text_width(text, size) <= room) return text;
  const double left = room - text_width("…", size);
  std::size_t end = 0;
  for (std::size_t next = 0; next < text.size();) {
    ++next;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0U) == 0x80U) ++next;
    if (text_width(std::string_view(text).substr(0, next), size) > left) break;
    end = next;
  }
  while (end > 0 && text[end - 1] == ' ') --end;
  return text.substr(0, end) + "…";
}

namespace {

using WidthOf = std::function<double(std::string_view)>;

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// As many letters of the beginning as fit, with `rest` behind them.
std::string with_end(const std::string& text, const std::string& rest, double room, const WidthOf& width_of) {
  std::size_t end = 0;
  for (std::size_t next = 0; next < text.size();) {
    ++next;
    while (next < text.size() && !begins_letter(text[next])) ++next;
    if (width_of(text.substr(0, next) + rest) > room) break;
    end = next;
  }
  while (end > 0 && text[end - 1] == ' ') --end;
  return text.substr(0, end) + rest;
}

// As much of the end as fits into half of the room, and of the beginning as fits before it.
std::string cut_in_middle(const std::string& text, double room, const WidthOf& width_of) {
  std::size_t start = text.size();
  for (std::size_t next = text.size(); next > 0;) {
    --next;
    while (next > 0 && !begins_letter(text[next])) --next;
    if (width_of(text.substr(next)) > room / 2) break;
    start = next;
  }
  while (start < text.size() && text[start] == ' ') ++start;
  return with_end(text, "…" + text.substr(start), room, width_of);
}

}  // namespace

std::vector<std::string> fitting_apart(const std::vector<std::string>& texts, double room,
                                       const WidthOf& width_of) {
  std::vector<std::string> shown;
  for (const std::string& text : texts)
    shown.push_back(width_of(text) <= room ? text : with_end(text, "…", room, width_of));
  const auto alike = [&] {
    std::vector<bool> all(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t k = 0; k < texts.size(); ++k)
        if (texts[i] != texts[k] && shown[i] == shown[k]) all[i] = true;
    return all;
  };
  std::vector<bool> same = alike();
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (same[i] && shown[i] != texts[i]) shown[i] = cut_in_middle(texts[i], room, width_of);
  same = alike();
  std::vector<std::string> numbered;  // texts, the first of which is number 1
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!same[i] || width_of(texts[i]) <= room) continue;
    auto found = std::ranges::find(numbered, texts[i]);
    if (found == numbered.end()) found = numbered.insert(numbered.end(), texts[i]);
    shown[i] = with_end(texts[i], fmt::format("… ({})", found - numbered.begin() + 1), room, width_of);
  }
  return shown;
}

bool is_grid(const Figure& figure) {
  return figure.facets.size() == 2 && !figure.panels.empty() &&
         std::ranges::all_of(figure.panels, [](const Panel& panel) { return panel.values.size() == 2; });
}

std::vector<std::string> grid_heads(const Figure& figure, bool of_rows) {
  std::vector<std::string> heads;
  for (const Panel& panel : figure.panels) {
    const std::size_t place = of_rows ? panel.row : panel.column, facet = of_rows ? 0 : 1;
    if (heads.size() <= place) heads.resize(place + 1);
    heads[place] = printable(fmt::format("{} = {}", figure.facets[facet], panel.values[facet]));
  }
  return heads;
}

}  // namespace perigee::plots

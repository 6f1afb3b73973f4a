#include "runtime/results/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"

namespace perigee {
namespace {

// "1.2500" -> "1.25"
std::string trimmed(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string shown(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return short_number(*number);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return "-";
}

}  // namespace

std::string short_number(double value) {
  if (std::isnan(value)) return "-";
  if (!std::isfinite(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1e8 || size < 1e-4) return fmt::format("{:.4g}", value);
  const int digits =
      static_cast<int>(std::floor(std::log10(size)));  // only the number of decimals depends on it
  return trimmed(fmt::format("{:.{}f}", value, std::max(0, 4 - digits)));
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string Table::text(const std::vector<bool>& marked) const {
  const std::size_t count = columns.size();
  std::vector<bool> numeric(count, true), has_mark(count, false);
  std::vector<std::size_t> width(count);
  std::vector<std::vector<std::string>> cells;
  for (std::size_t c = 0; c < count; ++c) width[c] = display_width(columns[c]);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < count && c < rows[r].size(); ++c) {
      if (std::holds_alternative<std::string>(rows[r][c])) numeric[c] = false;
      if (r * count + c < marked.size() && marked[r * count + c]) has_mark[c] = true;
    }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::string> line;
    for (std::size_t c = 0; c < count; ++c) {
      std::string cell = shown(c < rows[r].size() ? rows[r][c] : Cell{});
      if (has_mark[c]) cell += r * count + c < marked.size() && marked[r * count + c] ? "*" : " ";
      width[c] = std::max(width[c], display_width(cell));
      line.push_back(std::move(cell));
    }
    cells.push_back(std::move(line));
  }

  std::string out;
  const auto add_line = [&](const auto& get) {
    std::string line;
    for (std::size_t c = 0; c < count; ++c) {
      const std::string& cell = get(c);
      const std::string pad(width[c] - display_width(cell), ' ');
      if (c > 0) line += "  ";
      line += numeric[c] ? pad + cell : cell + pad;
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  };
  add_line([&](std::size_t c) -> const std::string& { return columns[c]; });
  std::size_t total = count > 0 ? 2 * (count - 1) : 0;
  for (const std::size_t w : width) total += w;
  out += std::string(total, '-') + "\n";
  for (const auto& line : cells) add_line([&](std::size_t c) -> const std::string& { return line[c]; });
  return out;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string Table::csv() const {
  std::string out;
  for (std::size_t c = 0; c < columns.size(); ++c) out += (c > 0 ? "," : "") + csv_field(columns[c]);
  out += "\n";
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) out += ",";
      if (c >= row.size()) continue;
      if (const auto* number = std::get_if<double>(&row[c])) {
        if (!std::isnan(*number)) out += format_number(*number == 0 ? 0 : *number);
      } else if (const auto* field = std::get_if<std::string>(&row[c])) {
        out += csv_field(*field);
      }
    }
    out += "\n";
  }
  return out;
}

std::vector<std::vector<std::string>> parse_csv(std::string_view text) {
  std::vector<std::vector<std::string>> lines;
  std::size_t i = 0;
  while (i < text.size()) {
    std::vector<std::string> line;
    for (;;) {
      std::string field;
      if (i < text.size() && text[i] == '"') {
        for (++i;; ++i) {
          if (i >= text.size()) fail("bad_csv", "line {}: a quote is not closed", lines.size() + 1);
          if (text[i] != '"')
            field += text[i];
          else if (i + 1 < text.size() && text[i + 1] == '"')
            field += text[++i];
          else
            break;
        }
        ++i;
        if (i < text.size() && text[i] != ',' && text[i] != '\n' && text[i] != '\r')
          fail("bad_csv", "line {}: text after a closing quote", lines.size() + 1);
      } else {
        while (i < text.size() && text[i] != ',' && text[i] != '\n' && text[i] != '\r') field += text[i++];
      }
      line.push_back(std::move(field));
      if (i < text.size() && text[i] == ',') {
        ++i;
        continue;
      }
      if (i < text.size() && text[i] == '\r') ++i;
      if (i < text.size() && text[i] == '\n') ++i;
      break;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace perigee

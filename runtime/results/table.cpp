#include "runtime/results/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/kernel/name_ranges.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/whole.h"

namespace perigee::results {
namespace {

// "1.2500" -> "1.25"
std::string without_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

// Whether the cells of a column of this name list hosts.
bool lists_hosts(std::string_view column) {
  return column == "hosts" || column == "allocation" || column == "posted_at";
}

std::string cell_text(const Cell& cell, std::string_view column) {
  if (const auto* number = std::get_if<double>(&cell)) return short_number(*number);
  if (const auto* text = std::get_if<std::string>(&cell))
    return lists_hosts(column) ? name_ranges(printable(*text)) : printable(*text);
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "yes" : "no";
  return "-";
}

}  // namespace

std::string short_number(double value) {
  if (std::isnan(value)) return "-";
  if (!std::isfinite(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  if (is_whole(value)) return format_number(value);
  const double size = std::abs(value);
  if (size >= 1e8 || size < 1e-4) return fmt::format("{:.4g}", value);
  const int digits =
      static_cast<int>(std::floor(std::log10(size)));  // only the number of decimals depends on it
  return without_zeros(fmt::format("{:.{}f}", value, std::max(0, 4 - digits)));
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

namespace {

// Invisible characters that a terminal obeys: line ends, changes of the direction of writing, characters
// without width.
bool is_control(std::uint32_t code) {
  constexpr std::pair<std::uint32_t, std::uint32_t> kControls[] = {
      {0, 0x1F},          {0x7F, 0x9F},      {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},
      {0x115F, 0x1160},   {0x17B4, 0x17B5},  {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E},
      {0x2060, 0x206F},   {0x3164, 0x3164},  {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB},
      {0x1D173, 0x1D17A}, {0xE0000, 0xE007F}};
  if (code >= ' ' && code < 0x7F) return false;
  return std::ranges::any_of(kControls,
                             [code](const auto& each) { return each.first <= code && code <= each.second; });
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string out;
  while (!text.empty()) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    const unsigned first = at(0);
    std::size_t size = first < 0x80          ? 1
                       : first >> 5U == 0x6  ? 2
                       : first >> 4U == 0xE  ? 3
                       : first >> 3U == 0x1E ? 4
                                             : 0;
    std::uint32_t code = size == 0 ? 0 : size == 1 ? first : first & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
      if (at(i) >> 6U != 2) size = 0;
      code = code << 6U | (at(i) & 0x3FU);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // shorter forms are not allowed
    const bool valid = size > 0 && code >= kLeast[size] && code <= 0x10FFFF && code >> 11U != 0x1B &&
                       (code & 0xFFFEU) != 0xFFFE;
    if (!valid)
      out += '?';
    else if (is_control(code) && (size > 1 || kept.find(text[0]) == kept.npos))
      out += ' ';
    else
      out += text.substr(0, size);
    text.remove_prefix(valid ? size : 1);
  }
  return out;
}

std::string Table::text(const std::vector<bool>& marked, std::size_t most) const {
  std::size_t count = columns.size();
  std::vector<bool> numeric(count, true), has_mark(count, false);
  std::vector<std::size_t> width(count);
  std::vector<std::vector<std::string>> cells;
  std::vector<std::string> heads;
  for (const std::string& column : columns) heads.push_back(printable(column));
  for (std::size_t c = 0; c < count; ++c) width[c] = display_width(heads[c]);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < count && c < rows[r].size(); ++c) {
      if (std::holds_alternative<std::string>(rows[r][c]) || std::holds_alternative<bool>(rows[r][c]))
        numeric[c] = false;
      if (r * count + c < marked.size() && marked[r * count + c]) has_mark[c] = true;
    }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::string> line;
    for (std::size_t c = 0; c < count; ++c) {
      std::string cell = cell_text(c < rows[r].size() ? rows[r][c] : Cell{}, columns[c]);
      if (has_mark[c]) cell += r * count + c < marked.size() && marked[r * count + c] ? "*" : " ";
      width[c] = std::max(width[c], display_width(cell));
      line.push_back(std::move(cell));
    }
    cells.push_back(std::move(line));
  }
  std::vector<std::size_t> shown;  // columns, the first always among them
  std::vector<std::string> left_out;
  for (std::size_t c = 0, taken = 0; c < count; ++c) {
    if (most > 0 && c > 0 && taken + width[c] > most) {
      left_out.push_back(heads[c]);
      continue;
    }
    taken += width[c] + 2;
    shown.push_back(c);
  }

  std::string out;
  const auto add_line = [&](const auto& get) {
    std::string line;
    for (const std::size_t c : shown) {
      const std::string& cell = get(c);
      const std::string pad(width[c] - display_width(cell), ' ');
      if (c > 0) line += "  ";
      line += numeric[c] ? pad + cell : cell + pad;
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  };
  add_line([&](std::size_t c) -> const std::string& { return heads[c]; });
  std::size_t total = shown.empty() ? 0 : 2 * (shown.size() - 1);
  for (const std::size_t c : shown) total += width[c];
  out += std::string(total, '-') + "\n";
  for (const auto& line : cells) add_line([&](std::size_t c) -> const std::string& { return line[c]; });
  if (!left_out.empty())
    out += folded(fmt::format("columns that do not fit: {}", fmt::join(left_out, ", ")), most, 2);
  return out;
}

std::string folded(std::string_view text, std::size_t width, std::size_t indent) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  std::string out, line(first, ' ');
  text.remove_prefix(first);
  bool begun = false;  // the line has a word
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (begun && display_width(line) + 1 + display_width(word) > width) {
      out += line + "\n";
      line = std::string(indent, ' ');
      begun = false;
    }
    if (std::exchange(begun, true)) line += ' ';
    line += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + line + "\n";
}

std::string Table::list(std::size_t width) const {
  std::string out = text();
  std::size_t widest = 0;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = std::min(out.find('\n', at), out.size());
    widest = std::max(widest, display_width(std::string_view(out).substr(at, end - at)));
    at = end + 1;
  }
  if (width == 0 || widest <= width) return out;
  out.clear();
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string cell = cell_text(row[c], c < columns.size() ? columns[c] : std::string());
      if (cell.empty() || cell == "-") continue;
      const std::string indent(c == 0 ? 0 : 4, ' ');
      const std::string name = c == 0 || c + 1 == columns.size() ? std::string() : columns[c] + ": ";
      out += folded(indent + name + cell, width, indent.size() + 2);
    }
  return out;
}

void add_csv_field(std::string& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

std::string csv_field(std::string_view text) {
  std::string field;
  add_csv_field(field, text);
  return field;
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
        add_csv_field(out, *field);
      } else if (const auto* truth = std::get_if<bool>(&row[c])) {
        out += *truth ? "true" : "false";
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

}  // namespace perigee::results

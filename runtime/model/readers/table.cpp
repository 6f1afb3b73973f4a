#include "runtime/model/readers/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "runtime/model/readers/lines.h"

namespace perigee::readers {

using readers::Lines;
using readers::shown;

namespace {

constexpr std::size_t kMostColumns = 10000;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// True unless the text would lose something as a number, as 007 its zeros and a long identifier its last
// digits.
bool is_plain_number(std::string_view text) {
  const double value = readers::number_of(text);
  if (std::isnan(value)) return false;
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return !digits || text == "0" || (text.front() != '0' && value < 9007199254740992.0);
}

bool begins_like(std::string_view line, char c) {
  line = trimmed(line);
  return !line.empty() && line.front() == c;
}

}  // namespace

// Reads rows of cells, then the cells that are asked for.
class TableReader {
 public:
  struct Cell {
    std::string text;
    std::int64_t line = 0;
    std::size_t position = 0;  // in its line, from 1
    bool quoted = false;
    bool present() const { return quoted || !text.empty(); }
  };

  TableReader(Lines& lines, const TableOptions& options) : lines_(lines), options_(options) {
    separator_ = options.separator;
    if (separator_ != 0 && (separator_ == '"' || separator_ == '\n' || separator_ == '\r'))
      fail("bad_parameter", "a separator cannot be a quote or the end of a line");
    if (!next_row())
      fail_at(lines_.at(0), "bad_file", "the file is empty; its first line must name the columns");
    heading_ = cells_;
    heading_.resize(width_);
    for (std::size_t c = 0; c < width_; ++c) {
      if (heading_[c].text.empty()) fail_cell(heading_[c], "bad_table", "column {} has no name", c + 1);
      if (!heading_[c].quoted && heading_[c].text.find('\r') != std::string::npos)
        fail_cell(heading_[c], "bad_table", "lines must end with LF or CR LF, these end with CR alone");
      for (std::size_t other = 0; other < c; ++other)
        if (heading_[other].text == heading_[c].text)
          fail_cell(heading_[c], "duplicate_id", "two columns are called '{}'", shown(heading_[c].text));
    }
  }

  // Finds the place of each column; -1 = not in the table.
  TableHeader match(const std::vector<TableColumn>& columns) {
    columns_ = &columns;
    places_.assign(columns.size(), -1);
    values_.assign(columns.size(), kNoNumber);
    std::vector<bool> asked_for(heading_.size(), false);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::size_t h = 0; h < heading_.size(); ++h) {
        const std::string& name = heading_[h].text;
        if (name != columns[c].name &&
            std::ranges::find(columns[c].other_names, name) == columns[c].other_names.end())
          continue;
        if (places_[c] >= 0)
          fail_cell(heading_[h], "duplicate_id", "columns '{}' and '{}' are the same", heading_[at(c)].text,
                    name);
        places_[c] = static_cast<std::ptrdiff_t>(h);
        asked_for[h] = true;
      }
    }
    TableHeader header;
    std::vector<std::string> known;
    for (const TableColumn& column : columns) {
      known.push_back(column.name);
      known.insert(known.end(), column.other_names.begin(), column.other_names.end());
    }
    for (std::size_t h = 0; h < heading_.size(); ++h) {
      if (asked_for[h]) continue;
      if (!options_.other_columns)
        fail_cell(heading_[h], "unknown_field", "unknown column '{}'{} (the columns are {})",
                  shown(heading_[h].text), did_you_mean(heading_[h].text, known), fmt::join(known, ", "));
      header.ignored.push_back(heading_[h].text);
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (places_[c] >= 0 || !columns[c].required) continue;
      std::string names = fmt::format("'{}'", columns[c].name);
      for (const std::string& other : columns[c].other_names) names += fmt::format(" or '{}'", other);
      std::vector<std::string> found;
      found.reserve(heading_.size());
      for (const Cell& cell : heading_) found.push_back(shown(cell.text));
      fail_cell(
          heading_.front(), "missing_field", "there is no column {}, only {}", names,
          fmt::join(found.begin(),
                    found.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(found.size(), 20)),
                    ", "));
    }
    return header;
  }

  // Reads the next row, which must be as long as the header; false at the end.
  bool next() {
    if (!next_row()) return false;
    if (width_ != heading_.size())
      fail_cell(width_ > heading_.size() ? cells_[heading_.size()] : cells_[width_ - 1], "bad_table",
                "{} cell{} in this row, {} in the first", width_, width_ == 1 ? "" : "s", heading_.size());
    return true;
  }

  void check_kinds() {
    for (std::size_t c = 0; c < places_.size(); ++c) {
      values_[c] = kNoNumber;
      if (places_[c] < 0) continue;
      const TableColumn& column = (*columns_)[c];
      const Cell& cell = cells_[at(c)];
      if (!cell.present()) {
        if (column.required) fail_cell(cell, "missing_field", "{}: there is nothing", heading_[at(c)].text);
        continue;
      }
      if (column.kind != TableColumn::Kind::text) values_[c] = value_of(column, cell, heading_[at(c)].text);
    }
  }

  TableRow row() const {
    TableRow row;
    row.reader_ = this;
    return row;
  }

  bool has(std::size_t column) const { return places_.at(column) >= 0 && cells_[at(column)].present(); }
  const Cell* cell(std::size_t column) const {
    return places_.at(column) >= 0 ? &cells_[at(column)] : nullptr;
  }
  const Cell* heading(std::size_t column) const {
    return places_.at(column) >= 0 ? &heading_[at(column)] : nullptr;
  }
  double value(std::size_t column) const { return values_.at(column); }
  const std::vector<Cell>& heading() const { return heading_; }
  const std::vector<Cell>& cells() const { return cells_; }
  int line() const { return lines_.at(first_line_).line; }
  SourceLocation where(const Cell& cell) const { return lines_.at(cell.line); }

  template <class... Args>
  [[noreturn]] void fail_cell(const Cell& cell, std::string_view code, fmt::format_string<Args...> format,
                              Args&&... args) const {
    fail_at(where(cell), code, "column {}: {}", cell.position,
            fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  std::size_t at(std::size_t column) const { return static_cast<std::size_t>(places_[column]); }

  double value_of(const TableColumn& column, const Cell& cell, std::string_view name) const {
    using Kind = TableColumn::Kind;
    const std::string_view text = trimmed(cell.text);
    if (column.kind == Kind::quantity) {
      try {
        return parse_quantity(text, column.dimension);
      } catch (const Error& error) {
        fail_cell(cell, "bad_table", "{}: {}", name, error.diagnostic().message);
      }
    }
    const double value = readers::number_of(text);
    if (std::isnan(value)) {
      std::string with_point(text);
      std::ranges::replace(with_point, ',', '.');
      fail_cell(cell, "bad_table", "{}: '{}' is not a {}number{}", name, shown(text),
                column.kind == Kind::whole ? "whole " : "",
                std::isnan(readers::number_of(with_point)) ? "" : ": write a decimal point");
    }
    if (column.kind == Kind::whole && (value != std::floor(value) || std::abs(value) > 9007199254740992.0))
      fail_cell(cell, "bad_table", "{}: {} is not a whole number{}", name, shown(text),
                value == std::floor(value) ? " that is exact" : "");
    return value;
  }

  // Reads the next line that is neither blank nor a remark.
  bool next_row() {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (trimmed(line).empty() || begins_like(line, '#'));
    first_line_ = lines_.number();
    if (separator_ == 0) separator_ = separator_of(line);
    split(line);
    return true;
  }

  static char separator_of(std::string_view line) {
    std::size_t commas = 0, semicolons = 0;
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      commas += c == ',' ? 1 : 0;
      semicolons += c == ';' ? 1 : 0;
    }
    return semicolons > commas ? ';' : ',';
  }

  Cell& next_cell(std::string_view line, const char* at) {
    if (width_ == kMostColumns)
      fail_at(lines_.here(), "bad_table", "column {}: more than {} cells in a row", at - line.data() + 1,
              kMostColumns);
    if (width_ == cells_.size()) cells_.emplace_back();
    Cell& cell = cells_[width_++];
    cell.text.clear();
    cell.line = lines_.number();
    cell.position = static_cast<std::size_t>(at - line.data()) + 1;
    cell.quoted = false;
    return cell;
  }

  void split(std::string_view line) {
    width_ = 0;
    std::size_t at = 0;
    for (;;) {
      while (at < line.size() && line[at] != separator_ && is_blank(line[at])) ++at;
      Cell& cell = next_cell(line, line.data() + at);
      if (at < line.size() && line[at] == '"') {
        cell.quoted = true;
        ++at;
        quoted_text(line, at, cell);
        while (at < line.size() && line[at] != separator_ && is_blank(line[at])) ++at;
        if (at < line.size() && line[at] != separator_)
          fail_at(lines_.here(), "bad_table", "column {}: text after a closing quote", at + 1);
      } else {
        const std::size_t end = std::min(line.find(separator_, at), line.size());
        cell.text = trimmed(line.substr(at, end - at));
        if (const std::size_t quote = line.substr(at, end - at).find('"'); quote != std::string_view::npos)
          fail_at(lines_.here(), "bad_table", "column {}: a quote within a cell that does not begin with one",
                  at + quote + 1);
        at = end;
      }
      if (at == line.size()) return;
      ++at;
    }
  }

  // Reads to behind the closing quote, which may be on a later line.
  void quoted_text(std::string_view& line, std::size_t& at, Cell& cell) {
    for (;;) {
      const std::size_t quote = line.find('"', at);
      cell.text += line.substr(at, std::min(quote, line.size()) - at);
      if (cell.text.size() > readers::kLongestLine)
        fail_cell(cell, "bad_table", "a cell of more than {} bytes: is its closing quote missing?",
                  readers::kLongestLine);
      if (quote == std::string_view::npos) {
        cell.text += '\n';
        at = 0;
        if (!lines_.next(line)) fail_cell(cell, "bad_table", "a quote is never closed");
        continue;
      }
      at = quote + 1;
      if (at >= line.size() || line[at] != '"') return;
      cell.text += '"';
      ++at;
    }
  }

  Lines& lines_;
  const TableOptions& options_;
  char separator_ = 0;
  std::vector<Cell> heading_;
  std::vector<Cell> cells_;  // the first `width_` are those of the row; the others keep their memory
  std::size_t width_ = 0;
  std::int64_t first_line_ = 0;
  const std::vector<TableColumn>* columns_ = nullptr;
  std::vector<std::ptrdiff_t> places_;  // per column asked for
  std::vector<double> values_;
};

bool TableRow::has(std::size_t column) const { return reader_->has(column); }
std::string_view TableRow::text(std::size_t column) const {
  const TableReader::Cell* cell = reader_->cell(column);
  return cell == nullptr ? std::string_view() : cell->text;
}
double TableRow::number(std::size_t column) const { return reader_->value(column); }
std::string_view TableRow::heading(std::size_t column) const {
  const TableReader::Cell* cell = reader_->heading(column);
  return cell == nullptr ? std::string_view() : cell->text;
}
int TableRow::line() const { return reader_->line(); }
SourceLocation TableRow::where(std::size_t column) const {
  const TableReader::Cell* cell = reader_->cell(column);
  return reader_->where(cell == nullptr ? reader_->cells().front() : *cell);
}
std::size_t TableRow::position(std::size_t column) const {
  const TableReader::Cell* cell = reader_->cell(column);
  return cell == nullptr ? 1 : cell->position;
}
void TableRow::raise(std::size_t column, std::string_view code, std::string message) const {
  fail_at(where(column), code, "column {}: {}", position(column), message);
}

namespace {

TableHeader stream_table(Lines& lines, const std::vector<TableColumn>& columns, const TableRows& row,
                         const TableOptions& options) {
  TableReader reader(lines, options);
  TableHeader header = reader.match(columns);
  while (reader.next()) {
    reader.check_kinds();
    row(reader.row());
  }
  return header;
}

template <class Read>
auto with_file(const std::filesystem::path& path, const TableOptions& options, Read read) {
  Lines lines(path, options.max_bytes);
  try {
    return read(lines);
  } catch (const Error&) {
    lines.check_rest();
    throw;
  }
}

TableData load_table(Lines& lines, const TableOptions& options) {
  TableReader reader(lines, options);
  TableData data;
  for (const TableReader::Cell& cell : reader.heading()) data.columns.push_back({cell.text});
  const std::size_t width = data.columns.size();
  std::vector<bool> numeric(width, true), any(width, false);
  for (; reader.next(); ++data.rows) {
    for (std::size_t c = 0; c < width; ++c) {
      const TableReader::Cell& cell = reader.cells()[c];
      data.columns[c].texts.push_back(cell.text);
      if (!cell.present()) continue;
      any[c] = true;
      if (numeric[c] && !is_plain_number(trimmed(cell.text))) numeric[c] = false;
    }
  }
  for (std::size_t c = 0; c < width; ++c) {
    TableData::Column& column = data.columns[c];
    column.numeric = numeric[c] && any[c];
    if (!column.numeric) continue;
    column.numbers.reserve(data.rows);
    for (const std::string& text : column.texts)
      column.numbers.push_back(text.empty() ? kNoNumber : readers::number_of(trimmed(text)));
    column.texts = {};
  }
  return data;
}

}  // namespace

TableHeader read_table(const std::filesystem::path& path, const std::vector<TableColumn>& columns,
                       const TableRows& row, const TableOptions& options) {
  return with_file(path, options, [&](Lines& lines) { return stream_table(lines, columns, row, options); });
}
TableHeader parse_table(std::string_view text, std::string_view name, const std::vector<TableColumn>& columns,
                        const TableRows& row, const TableOptions& options) {
  Lines lines(text, name);
  return stream_table(lines, columns, row, options);
}

TableData read_table_data(const std::filesystem::path& path, const TableOptions& options) {
  return with_file(path, options, [&](Lines& lines) { return load_table(lines, options); });
}
TableData parse_table_data(std::string_view text, std::string_view name, const TableOptions& options) {
  Lines lines(text, name);
  return load_table(lines, options);
}

const TableData::Column& TableData::column(std::string_view name) const {
  std::vector<std::string> names;
  for (const Column& each : columns) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  fail("unknown_field", "unknown column '{}'{}", shown(name), did_you_mean(name, names));
}

}  // namespace perigee::readers

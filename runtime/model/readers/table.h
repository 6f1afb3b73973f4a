// Tables in CSV files: a header row of column names, then a row per line.
//
// RFC 4180: cells in double quotes may hold separators, line breaks and doubled quotes. The separator is a
// comma or a semicolon, whichever the header row has more of. Blanks around a cell that is not in quotes are
// left out, as are blank lines and lines that begin with '#'. A cell without anything is absent; "" is an
// empty text. Numbers have a decimal point. Names of columns are those of the table, exactly.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {

struct TableColumn {
  enum class Kind : std::uint8_t {
    text,
    number,    // finite
    whole,     // a number without fraction, exact in a double
    quantity,  // a number with or without a unit of `dimension`
  };
  std::string name;
  Kind kind = Kind::text;
  bool required = true;  // the column is there and so is every cell
  Dimension dimension = Dimension::seconds;
  std::vector<std::string> other_names = {};  // further names of the column
};

struct TableOptions {
  char separator = 0;                                // 0 = found out
  std::uintmax_t max_bytes = readers::kLargestText;  // uncompressed
  bool other_columns = false;  // columns that are not asked for are ignored, else an error
};

// The current row. A column is given by its index among those asked for.
class TableRow {
 public:
  bool has(std::size_t column) const;
  std::string_view text(std::size_t column) const;  // the cell's text; empty where absent
  double number(std::size_t column) const;          // of the other kinds; NaN where absent
  // The name of the column in the header; empty if the table has no such column.
  std::string_view heading(std::size_t column) const;
  int line() const;  // where the row begins

  // Throws an Error at the cell, for faults that only the caller can see.
  template <class... Args>
  [[noreturn]] void fail(std::size_t column, std::string_view code, fmt::format_string<Args...> format,
                         Args&&... args) const {
    raise(column, code, fmt::format(format, std::forward<Args>(args)...));
  }
  // The place of the cell, as {file, line} and a column from 1.
  SourceLocation where(std::size_t column) const;
  std::size_t position(std::size_t column) const;

 private:
  friend class TableReader;
  [[noreturn]] void raise(std::size_t column, std::string_view code, std::string message) const;
  const class TableReader* reader_ = nullptr;
};

// The columns of the table that were not asked for, in order.
struct TableHeader {
  std::vector<std::string> ignored;
};

using TableRows = std::function<void(const TableRow&)>;

// Calls `row` for each row; no more than a row is in memory. The message of an error has the place as
// file:line, and the column:
//   bad_table      a row of another length, bad quotes, a cell of the wrong kind
//   missing_field  a column or a cell
//   unknown_field  a column
//   duplicate_id   two columns of one name
// and bad_file.
TableHeader read_table(const std::filesystem::path& path, const std::vector<TableColumn>& columns,
                       const TableRows& row, const TableOptions& options = {});
TableHeader parse_table(std::string_view text, std::string_view name, const std::vector<TableColumn>& columns,
                        const TableRows& row, const TableOptions& options = {});

// A table of columns that are not known beforehand, all in memory.
struct TableData {
  struct Column {
    std::string name;
    bool numeric = false;                 // every cell that is there is a number (not 007), and there is one
    std::vector<double> numbers = {};     // if numeric; NaN = absent
    std::vector<std::string> texts = {};  // if not; empty = absent
  };
  std::vector<Column> columns;
  std::size_t rows = 0;

  const Column& column(std::string_view name) const;  // Error "unknown_field" with the nearest name
};
TableData read_table_data(const std::filesystem::path& path, const TableOptions& options = {});
TableData parse_table_data(std::string_view text, std::string_view name, const TableOptions& options = {});

}  // namespace perigee::readers

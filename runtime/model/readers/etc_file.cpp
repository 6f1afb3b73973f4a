#include "runtime/model/readers/etc_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/text.h"
#include "runtime/kernel/work.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {
namespace {

constexpr EtcShape kBraunShape{512, 16};

using readers::shown;

// The text of one file, and the line and column of a place in it.
struct Source {
  std::string_view text;
  std::string_view name;

  template <class... Args>
  [[noreturn]] void fail(const char* at, std::string_view code, fmt::format_string<Args...> format,
                         Args&&... args) const {
    const std::string_view before = text.substr(0, static_cast<std::size_t>(at - text.data()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
    kernel::fail_at({std::string(name), static_cast<int>(line)}, code, "column {}: {}", column,
                    fmt::format(format, std::forward<Args>(args)...));
  }
  const char* end() const { return text.data() + text.size(); }
};

// A time, or NaN if the text is no number. Only an infinity spelt as one is infinite; 1e999 is not a number.
double parse_time(std::string_view text) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size() && std::isfinite(value))
    return digits.size() < text.size() && digits.front() == '-' ? kNone : value;
  if (error == std::errc::result_out_of_range && end == digits.data() + digits.size()) {
    // Too small to tell from 0 is 0; too large is an error.
    const std::size_t exponent = digits.find_first_of("eE");
    if (exponent != std::string_view::npos && digits.substr(exponent + 1).starts_with('-')) return 0;
  }
  if (text.size() > 9) return kNone;
  const std::string word = lower_case(digits);
  return word == "inf" || word == "infinity" || word == "null" ? kInfinity : kNone;
}

double checked_time(const Source& source, std::string_view text) {
  const double value = parse_time(text);
  if (value >= 0) return value == 0 ? 0.0 : value;
  if (value < 0) source.fail(text.data(), "etc_value", "a time must be >= 0 or inf, got {}", shown(text));
  source.fail(text.data(), "etc_value",
              "'{}' is not a time (a number >= 0, or inf or null: cannot run there)", shown(text));
}

std::optional<std::size_t> parse_count(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::string shape_text(EtcShape shape) { return fmt::format("{} x {}", shape.first, shape.second); }

bool has_values(EtcShape shape, std::size_t count) {
  return shape.first > 0 && shape.second > 0 && count % shape.second == 0 &&
         count / shape.second == shape.first;
}

// u_x_yyzz.k of Braun et al.: 512 tasks, 16 machines.
bool is_braun_name(std::string_view name) {
  const std::size_t slash = name.find_last_of("/\\");
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  return name.size() >= 10 && name.starts_with("u_") &&
         std::string_view("cis").find(name[2]) != std::string_view::npos && name[3] == '_' &&
         (name.substr(4, 2) == "hi" || name.substr(4, 2) == "lo") &&
         (name.substr(6, 2) == "hi" || name.substr(6, 2) == "lo") && name[8] == '.';
}

class BraunReader {
 public:
  BraunReader(const Source& source, std::optional<EtcShape> shape) : source_(source), shape_(shape) {}

  EtcMatrix read() {
    split_first_line();
    const EtcShape shape = find_shape();
    EtcMatrix etc{shape.first, shape.second, {}};
    etc.values.reserve(shape.first * shape.second);
    const char* at = has_heading_ ? after_first_line_ : source_.text.data();
    for (std::string_view token = next(at); !token.empty(); token = next(at))
      etc.values.push_back(checked_time(source_, token));
    return etc;
  }

 private:
  // The next token before `end`; empty when there is none. Moves `at` behind it.
  static std::string_view next(const char*& at, const char* end) {
    while (at < end && is_blank(*at)) ++at;
    const char* const first = at;
    while (at < end && !is_blank(*at)) ++at;
    return {first, static_cast<std::size_t>(at - first)};
  }
  std::string_view next(const char*& at) const { return next(at, source_.end()); }

  void split_first_line() {
    const char* at = source_.text.data();
    while (at < source_.end() && is_blank(*at)) ++at;
    first_ = at;
    after_first_line_ = std::find(at, source_.end(), '\n');
    for (std::string_view token = next(at, after_first_line_); !token.empty();
         token = next(at, after_first_line_)) {
      ++on_first_line_;
      if (on_first_line_ <= 3) first_line_.push_back(token);
    }
    for (at = source_.text.data(); !next(at).empty();) ++count_;
  }

  // "n m" or "n m x", all integers.
  std::optional<EtcShape> heading() const {
    if (on_first_line_ != 2 && on_first_line_ != 3) return {};
    for (const std::string_view token : first_line_)
      if (!parse_count(token)) return {};
    return EtcShape{*parse_count(first_line_[0]), *parse_count(first_line_[1])};
  }

  EtcShape find_shape() {
    if (count_ == 0) source_.fail(source_.end(), "etc_size", "there are no numbers");
    if (shape_ && has_values(*shape_, count_)) return *shape_;
    const std::optional<EtcShape> heading = this->heading();
    const std::size_t below = count_ - on_first_line_;
    if (heading && has_values(*heading, below)) {
      if (shape_ && *shape_ != *heading)
        source_.fail(first_, "etc_size", "the matrix is {}, expected {}", shape_text(*heading),
                     shape_text(*shape_));
      has_heading_ = true;
      return *heading;
    }
    const bool braun = is_braun_name(source_.name);
    if (!shape_ && braun && has_values(kBraunShape, count_)) return kBraunShape;
    // No shape fits. Values that are no numbers explain more than a wrong count.
    const char* at = heading ? after_first_line_ : source_.text.data();
    for (std::string_view token = next(at); !token.empty(); token = next(at)) checked_time(source_, token);
    if (heading && (heading->first == 0 || heading->second == 0))
      source_.fail(first_, "etc_size", "a matrix has at least one task and one machine, got {}",
                   shape_text(*heading));
    if (heading) wrong_count(*heading, below, true);
    if (shape_) wrong_count(*shape_, count_, false);
    if (braun) wrong_count(kBraunShape, count_, false);
    source_.fail(
        first_, "etc_size",
        "{} numbers, but no first line \"tasks machines\" and no shape given: the shape is not known",
        count_);
  }

  // The error points at the first number too many, or at the end of the file.
  [[noreturn]] void wrong_count(EtcShape shape, std::size_t found, bool after_heading) const {
    const double expected = static_cast<double>(shape.first) * static_cast<double>(shape.second);
    const char* at = after_heading ? after_first_line_ : source_.text.data();
    const char* where = source_.end();
    if (static_cast<double>(found) > expected) {
      for (std::size_t i = 0; i < shape.first * shape.second; ++i) next(at);
      where = next(at).data();
    }
    source_.fail(where, "etc_size", "{} (tasks x machines) needs {:.0f} numbers, found {}", shape_text(shape),
                 expected, found);
  }

  const Source& source_;
  std::optional<EtcShape> shape_;
  std::vector<std::string_view> first_line_;  // its first three tokens
  std::size_t on_first_line_ = 0, count_ = 0;
  const char* first_ = nullptr;
  const char* after_first_line_ = nullptr;
  bool has_heading_ = false;
};

class CsvReader {
 public:
  CsvReader(const Source& source, std::optional<EtcShape> shape) : source_(source), shape_(shape) {}

  EtcMatrix read() {
    std::string_view rest = source_.text;
    std::vector<Cell> row;
    next_row(rest, row, true);
    if (row.empty()) source_.fail(source_.end(), "etc_size", "there are no rows");
    std::vector<Cell> heading;
    if (is_heading(row)) {
      heading = row;
      next_row(rest, row, false);
      if (row.empty()) source_.fail(source_.end(), "etc_size", "there is no row below the names");
    }
    const bool named = has_task_names(heading, row);
    const std::size_t width = row.size();
    if (!heading.empty() && heading.size() != width && !(named && heading.size() + 1 == width))
      source_.fail(row.front().where, "etc_size", "{} cells below {} names", width, heading.size());

    EtcMatrix etc;
    etc.machines = width - (named ? 1 : 0);
    if (etc.machines == 0) source_.fail(row.front().where, "etc_size", "there is no column of times");
    for (std::size_t i = heading.size() - std::min(heading.size(), etc.machines); i < heading.size(); ++i)
      etc.machine_names.push_back(heading[i].text);
    while (!row.empty()) {
      if (row.size() != width)
        source_.fail(row.size() > width ? row[width].where : row.back().where, "etc_size",
                     "{} cells in this row, {} in the first", row.size(), width);
      if (named) etc.task_names.push_back(row.front().text);
      for (std::size_t i = named ? 1 : 0; i < width; ++i) etc.values.push_back(time_of(row[i]));
      ++etc.tasks;
      next_row(rest, row, false);
    }
    if (shape_ && *shape_ != EtcShape{etc.tasks, etc.machines})
      source_.fail(source_.text.data(), "etc_size", "the matrix is {}, expected {}",
                   shape_text({etc.tasks, etc.machines}), shape_text(*shape_));
    return etc;
  }

 private:
  struct Cell {
    std::string text;
    const char* where;
  };

  static bool is_number(const Cell& cell) { return !std::isnan(parse_time(cell.text)); }

  static bool heads_names(const Cell& cell) {
    const std::string word = lower_case(cell.text);
    return word.empty() || word == "task" || word == "tasks" || word == "job" || word == "name" ||
           word == "id";
  }

  // A row of names: its first cell heads the column of task names, or no cell is a number. A row of times
  // with one bad time is not a row of names, so that the time is reported.
  static bool is_heading(const std::vector<Cell>& row) {
    return (row.size() > 1 && heads_names(row.front())) || std::ranges::none_of(row, is_number);
  }

  static bool has_task_names(const std::vector<Cell>& heading, const std::vector<Cell>& row) {
    if (row.size() < 2) return false;
    if (!heading.empty())
      return heading.size() + 1 == row.size() || heads_names(heading.front()) || !is_number(row.front());
    return !is_number(row.front()) && !row.front().text.empty();
  }

  double time_of(const Cell& cell) const {
    if (cell.text.empty())
      source_.fail(cell.where, "etc_value", "empty cell (write inf where a task cannot run)");
    const double value = parse_time(cell.text);
    if (value >= 0) return value == 0 ? 0.0 : value;
    if (value < 0)
      source_.fail(cell.where, "etc_value", "a time must be >= 0 or inf, got {}", shown(cell.text));
    if (separator_ == ';' && cell.text.find(',') != std::string::npos)
      source_.fail(cell.where, "etc_value", "'{}' is not a time: write a decimal point", shown(cell.text));
    source_.fail(cell.where, "etc_value",
                 "'{}' is not a time (a number >= 0, or inf or null: cannot run there)", shown(cell.text));
  }

  // The next line that is not blank; no cells at the end.
  void next_row(std::string_view& rest, std::vector<Cell>& row, bool first) {
    row.clear();
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (trimmed(line).empty()) continue;
      if (first) separator_ = line.find(';') != std::string_view::npos ? ';' : ',';
      split(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, row);
      return;
    }
  }

  void split(std::string_view line, std::vector<Cell>& row) const {
    for (;;) {
      while (!line.empty() && line.front() != separator_ && is_blank(line.front())) line.remove_prefix(1);
      Cell cell{{}, line.data()};
      if (line.starts_with('"')) {
        line.remove_prefix(1);
        for (;;) {
          const std::size_t quote = line.find('"');
          if (quote == std::string_view::npos)
            source_.fail(cell.where, "etc_value", "a quote is not closed on its line");
          cell.text += line.substr(0, quote);
          line.remove_prefix(quote + 1);
          if (!line.starts_with('"')) break;
          cell.text += '"';
          line.remove_prefix(1);
        }
        while (!line.empty() && line.front() != separator_ && is_blank(line.front())) line.remove_prefix(1);
        if (!line.empty() && line.front() != separator_)
          source_.fail(line.data(), "etc_value", "text after a closing quote");
      } else {
        const std::size_t end = std::min(line.find(separator_), line.size());
        cell.text = trimmed(line.substr(0, end));
        line.remove_prefix(end);
      }
      row.push_back(std::move(cell));
      if (line.empty()) return;
      line.remove_prefix(1);
    }
  }

  const Source& source_;
  std::optional<EtcShape> shape_;
  char separator_ = ',';
};

bool is_etc_csv(std::string_view text, std::string_view name) {
  if (lower_case(name).ends_with(".csv")) return true;
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text.substr(0, text.find('\n')).find_first_of(",;") != std::string_view::npos;
}

}  // namespace

EtcMatrix parse_etc(std::string_view text, std::string_view name, std::optional<EtcShape> shape) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const Source source{text, name};
  if (trimmed(text).empty()) fail_at({std::string(name), 0}, "bad_file", "the file is empty");
  return is_etc_csv(text, name) ? CsvReader(source, shape).read() : BraunReader(source, shape).read();
}

EtcMatrix read_etc(const std::filesystem::path& path, std::optional<EtcShape> shape) {
  const SourceLocation where{path.string(), 0};
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) fail_at(where, "bad_file", "there is no such file");
  if (std::filesystem::is_directory(status))
    fail_at(where, "bad_file", "a matrix is read from a file, this is a folder");
  if (!std::filesystem::is_regular_file(status)) fail_at(where, "bad_file", "not a regular file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) fail_at(where, "bad_file", "cannot be read: {}", error.message());
  if (size > kLargestEtcFile)
    fail_at(where, "bad_file", "{} bytes are too many for a matrix, at most {} are read", size,
            kLargestEtcFile);
  did_work(size);
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!file || (size > 0 && !file.read(text.data(), static_cast<std::streamsize>(size))))
    fail_at(where, "bad_file", "cannot be read");
  return parse_etc(text, path.string(), shape);
}

}  // namespace perigee::readers

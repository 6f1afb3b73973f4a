// t:plot { }, r:plot { }, plot(rows, { }) and t:csv(): figures, and tables as text.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "interpreter/bindings/files.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/gantt.h"
#include "interpreter/bindings/show/tables.h"
#include "interpreter/bindings/statistics.h"
#include "interpreter/host/terminal.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/check_names.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/results/gantt.h"
#include "runtime/results/plot.h"

namespace perigee::bindings {

namespace fs = std::filesystem;
namespace {

constexpr const char* kWritten = "perigee.figures";  // in the registry: real path -> script's line
constexpr std::uint64_t kStepsOfFigure = 10'000;     // against --steps, besides one for each row

// ---- rows ----

// The number of rows. Error when a row is missing before the last.
lua_Integer count_rows(lua_State* L, int rows) {
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, rows));
  lua_Integer last = count;
  for (lua_pushnil(L); lua_next(L, rows) != 0; lua_pop(L, 1))
    if (lua_isinteger(L, -2) != 0) last = std::max(last, lua_tointeger(L, -2));
  if (last > count)
    fail("bad_type", "the list of rows has a hole: there is a row {}, and no row {}", last, count + 1);
  return count;
}

}  // namespace

Table columns_of(lua_State* L, int rows) {
  Table table;
  std::set<std::string, std::less<>> known;
  if (luaL_getmetafield(L, rows, "units") != LUA_TNIL) {  // the list was made by push_table
    luaL_getmetafield(L, rows, "columns");
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
    for (lua_Integer c = 1; c <= count; ++c) {
      lua_rawgeti(L, -1, c);
      const std::string name(*text_at(L, -1));
      lua_getfield(L, -3, name.c_str());
      table.columns.push_back(name);
      table.units.emplace_back(text_at(L, -1).value_or(""));
      known.insert(name);
      lua_pop(L, 2);
    }
    lua_pop(L, 2);
  }
  std::set<std::string> added;
  const lua_Integer count = count_rows(L, rows);
  for (lua_Integer r = 1; r <= count; ++r) {
    Interpreter::of(L).count(1);
    lua_rawgeti(L, rows, r);
    if (is_unknown(L, -1)) {
      lua_pop(L, 1);
      continue;
    }
    if (lua_type(L, -1) != LUA_TTABLE)
      fail("bad_type", "row {} must be a table of columns, got {}", r, shown(L, -1));
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      if (const auto name = text_at(L, -2); name && !known.contains(*name)) added.insert(std::string(*name));
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  table.columns.insert(table.columns.end(), added.begin(), added.end());
  return table;
}

namespace {

bool is_list_of_names(lua_State* L) {
  const bool told = lua_type(L, -1) == LUA_TTABLE && luaL_getmetafield(L, -1, "__tostring") != LUA_TNIL;
  if (told) lua_pop(L, 1);
  return told;
}

// The cell for a number, a text, true or false, or a value that has a text of its own, such as a scheduler.
Cell cell_at(lua_State* L, std::string_view column, lua_Integer row) {
  switch (lua_type(L, -1)) {
    case LUA_TNIL:
      return {};
    case LUA_TNUMBER:
      return static_cast<double>(lua_tonumber(L, -1));
    case LUA_TSTRING:
      return std::string(*text_at(L, -1));
    case LUA_TBOOLEAN:
      return std::string(lua_toboolean(L, -1) != 0 ? "true" : "false");
    case LUA_TTABLE:
    case LUA_TUSERDATA:
      if (test<SchedulerValue>(L, -1) != nullptr || is_list_of_names(L)) {
        luaL_tolstring(L, -1, nullptr);
        std::string text(*text_at(L, -1));
        lua_pop(L, 1);
        return text;
      }
      [[fallthrough]];
    default:
      fail("bad_type", "row {}: '{}' must be a number or a text, got {}", row, column, shown(L, -1));
  }
}

// Fills in the cells of the columns that `wanted` chooses. False when a cell is not known before a run.
template <class Wanted>
bool plot_fill(lua_State* L, int rows, Table& table, Wanted&& wanted) {
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, rows));
  for (lua_Integer r = 1; r <= count; ++r) {
    lua_rawgeti(L, rows, r);
    if (is_unknown(L, -1)) return false;
    if (lua_type(L, -1) != LUA_TTABLE)
      fail("bad_type", "row {} must be a table of columns, got {}", r, shown(L, -1));
    auto& cells = table.rows.emplace_back(table.columns.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!wanted(table.columns[c])) continue;
      host::push(L, table.columns[c]);
      lua_rawget(L, -2);
      if (is_unknown(L, -1)) return false;
      cells[c] = cell_at(L, table.columns[c], r);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  return true;
}

// ---- files ----

void plot_write(const fs::path& path, const std::string& text) {
  static std::atomic<unsigned> count = 0;  // no file is ever half written, by any thread
  const fs::path part = fmt::format("{}.part{}", path.string(), count++);
  const auto refuse = [&] {
    const int error = errno;
    std::remove(part.c_str());
    fail("bad_output", "{} cannot be written: {}", path.string(), std::strerror(error));
  };
  std::FILE* out = std::fopen(part.c_str(), "wb");
  if (out == nullptr) refuse();
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (std::fclose(out) != 0 || !written || std::rename(part.c_str(), path.c_str()) != 0) refuse();
}

// The place in the script that has written a file in this run, or nothing.
std::optional<std::string> written_at(lua_State* L, const fs::path& path) {
  const Balanced balanced(L);
  lua_getfield(L, LUA_REGISTRYINDEX, kWritten);
  lua_getfield(L, -1, path.c_str());
  if (const auto where = text_at(L, -1)) return std::string(*where);
  return std::nullopt;
}

// The real path below --out. A run writes each file once. At the prompt a file may be written again.
fs::path place_for(lua_State* L, const std::string& name) {
  if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
    fail("forbidden_file", "the name of a file has no control characters");
  const Interpreter& interpreter = Interpreter::of(L);
  fs::path path = own_file(interpreter, name);
  check_not_written(L, path.string(), name);
  return path;
}

constexpr const char* kOwnFiles = ".perigee-files";

}  // namespace

std::string own_file(const Interpreter& interpreter, const std::string& name) {
  const fs::path path = interpreter.files().output_folder(name),
                 root = interpreter.files().output_folder(".");
  if (fs::is_directory(path)) fail("bad_output", "{} is a folder", path.string());
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return path.string();
  const std::string below = path.lexically_relative(root).string();
  std::ifstream list(root / kOwnFiles);
  for (std::string line; std::getline(list, line);)
    if (line == below) return path.string();
  if (fs::exists(path.parent_path() / "manifest.json", error))
    fail("foreign_file",
         "{} is there already; {} holds a result that r:save has written, which is replaced as a whole only; "
         "give another name or folder",
         path.string(), path.parent_path().string());
  fail("foreign_file",
       "{} is there already, and perigee did not write it; move it away, or give another name or folder",
       path.string());
}

void note_own_file(const Interpreter& interpreter, const std::string& real) {
  const fs::path root = interpreter.files().output_folder(".");
  const std::string below = fs::path(real).lexically_relative(root).string();
  const fs::path path = root / kOwnFiles;
  std::error_code error;
  if (fs::is_symlink(path, error)) fail("bad_output", "{} is a link; remove it", path.string());
  {
    std::ifstream list(path);
    for (std::string line; std::getline(list, line);)
      if (line == below) return;
  }
  std::ofstream list(path, std::ios::app | std::ios::binary);
  list << below + "\n";
  if (!list.flush()) fail("bad_output", "{} cannot be written: {}", path.string(), std::strerror(errno));
}

void write_below_out(lua_State* L, const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<fs::path> paths;
  paths.reserve(files.size());
  for (const auto& [name, text] : files) paths.push_back(place_for(L, name));
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::error_code error;
    fs::create_directories(paths[i].parent_path(), error);
    note_own_file(Interpreter::of(L), paths[i].string());
    plot_write(paths[i], files[i].second);
    note_written(L, paths[i].string());
  }
}

void check_not_written(lua_State* L, const std::string& real, std::string_view name) {
  if (const auto where = written_at(L, real); where && !Interpreter::of(L).options().interactive)
    fail("bad_output", "'{}' was written before, at {}", name, *where);
}

void note_written(lua_State* L, const std::string& real) {
  const Balanced balanced(L);
  const SourceLocation at = caller(L);
  lua_getfield(L, LUA_REGISTRYINDEX, kWritten);
  host::push(L, fmt::format("{}:{}", at.file, at.line));
  lua_setfield(L, -2, real.c_str());
}

namespace {

// "makespan by size" -> "makespan-by-size"
std::string plot_file_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (plain)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "figure" : name.substr(0, 100);
}

// ---- options ----

std::vector<std::string> names_at(const Fields& fields, const char* field) {
  lua_State* L = fields.state();
  std::vector<std::string> names;
  if (!fields.push(field)) return names;
  if (lua_type(L, -1) == LUA_TTABLE) {
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
    if (count == 0) fields.fail(field, "{} names no column", field);
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, -1, i);
      const auto name = text_at(L, -1);
      if (!name)
        fields.fail(field, "{}: entry {} must be the name of a column, got {}", field, i, shown(L, -1));
      if (std::find(names.begin(), names.end(), *name) != names.end())
        fields.fail(field, "{} names '{}' twice", field, *name);
      names.emplace_back(*name);
      lua_pop(L, 1);
    }
  } else if (const auto name = text_at(L, -1)) {
    names.emplace_back(*name);
  } else {
    fields.fail(field, "{} must be the name of a column or a list of names, got {}", field, shown(L, -1));
  }
  lua_pop(L, 1);
  return names;
}

std::optional<std::string> text_if(const Fields& fields, const char* field) {
  if (!fields.has(field)) return std::nullopt;
  return fields.text(field, std::nullopt);
}

struct Output {
  bool text = true;
  std::string file;  // without .svg
};

Output output_of(const Fields& fields) {
  Output output{fields.flag("text", true), fields.text("file", "")};
  if (fields.has("file")) {
    if (output.file.ends_with(".svg")) output.file.resize(output.file.size() - 4);
    if (output.file.empty() || output.file.back() == '/')
      fields.fail("file", "file must name a file below the --out folder, got '{}'", output.file);
  }
  return output;
}

FigureKind kind_of(const Fields& fields) {  // of rows
  const std::string kind = fields.text("kind", "");
  if (kind == "gantt" || kind == "utilization" || kind == "queue")
    fields.fail("kind", "kind = \"{}\" is drawn of a result: r:plot {{ kind = \"{}\" }}", kind, kind);
  return static_cast<FigureKind>(
      fields.choice("kind", 0, {"lines", "steps", "points", "bars", "stacked", "box", "histogram"}));
}

constexpr std::int64_t kLeastSide = 200, kMostSide = 10'000;  // pixels

constexpr std::string_view kBetweenNames = ", ";  // between names of columns that together distinguish rows

PlotRequest request_of(const Fields& fields) {
  PlotRequest request;
  request.x = fields.text("x", "");
  request.y = names_at(fields, "y");
  request.by = fmt::format("{}", fmt::join(names_at(fields, "by"), kBetweenNames));
  if (fields.has("kind")) request.kind = kind_of(fields);
  request.title = fields.text("title", "");
  request.x_label = text_if(fields, "x_label");
  request.y_label = text_if(fields, "y_label");
  request.x_unit = text_if(fields, "x_unit");
  request.y_unit = text_if(fields, "y_unit");
  request.log_x = fields.flag("log_x", false);
  request.log_y = fields.flag("log_y", false);
  if (fields.has("bins")) request.bins = static_cast<std::size_t>(fields.integer("bins", 0, 1, 1000));
  request.confidence = confidence_in(fields);
  request.width = static_cast<int>(fields.integer("width", 640, kLeastSide, kMostSide));
  if (fields.has("height"))
    request.height = static_cast<int>(fields.integer("height", 0, kLeastSide, kMostSide));
  return request;
}

// Draws a figure in the terminal, as `drawn`, and below --out.
void plot_show(lua_State* L, const Figure& figure, const Output& output, const std::string& default_name,
               const std::function<std::string()>& drawn) {
  Interpreter& interpreter = Interpreter::of(L);
  interpreter.count(kStepsOfFigure);
  if (interpreter.checking() || !interpreter.writes()) return;
  if (!interpreter.options().out.empty()) {
    const std::string plain = plot_file_name(default_name);
    std::string name = output.file.empty() ? plain : output.file;
    for (int n = 2; output.file.empty() && written_at(L, interpreter.files().output_folder(name + ".svg"));
         ++n)
      name = fmt::format("{}-{}", plain, n);
    place_for(L, name + ".svg");  // errors come before the work of drawing
    write_below_out(L, {{name + ".svg", svg(figure)}, {name + ".csv", data(figure).csv()}});
  }
  if (output.text) interpreter.output().print(drawn(), true);
}

// Errors of figures name their subject.
template <class F>
auto about_plot(F&& make) {
  try {
    return make();
  } catch (const ScriptError&) {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (!diagnostic.message.starts_with("plot")) diagnostic.message = "plot: " + diagnostic.message;
    throw Error(std::move(diagnostic));
  }
}

bool colourful(const Interpreter& interpreter) { return interpreter.output().width() > 0; }

const std::initializer_list<std::string_view> kRowFields = {
    "x",     "y",     "by",   "kind",       "title", "x_label", "y_label", "x_unit", "y_unit",
    "log_x", "log_y", "bins", "confidence", "file",  "width",   "height",  "text"};

// Adds a column whose cells join those of the columns `names`, such as "4, fcfs".
void join_columns(Table& table, const std::vector<std::string>& names, const Fields& fields) {
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(table.columns, name);
    if (at == table.columns.end())
      fields.fail("by", "by: there is no column '{}'{}", name, did_you_mean(name, table.columns));
    places.push_back(static_cast<std::size_t>(at - table.columns.begin()));
  }
  table.columns.push_back(fmt::format("{}", fmt::join(names, kBetweenNames)));
  if (!table.units.empty()) table.units.emplace_back();
  for (auto& row : table.rows) {
    std::vector<std::string> texts;
    for (const std::size_t place : places) {
      const auto* number = std::get_if<double>(&row[place]);
      const auto* text = std::get_if<std::string>(&row[place]);
      texts.push_back(number != nullptr ? format_number(*number) : text != nullptr ? *text : "");
    }
    row.emplace_back(fmt::format("{}", fmt::join(texts, kBetweenNames)));
  }
}

void plot_rows(lua_State* L) {
  const Fields fields(L, 2, {"plot"}, kRowFields);
  const PlotRequest request = request_of(fields);
  const Output output = output_of(fields);
  Table table = about_plot([&] { return columns_of(L, 1); });
  const std::vector<std::string> by = names_at(fields, "by");
  const auto wanted = [&](const std::string& column) {
    if (column == request.x || std::ranges::find(by, column) != by.end()) return true;
    return std::any_of(request.y.begin(), request.y.end(),
                       [&](const std::string& y) { return column == y || column == y + "_half_width"; });
  };
  if (!about_plot([&] { return plot_fill(L, 1, table, wanted); })) return;
  if (by.size() > 1) join_columns(table, by, fields);
  const Figure figure = about_plot([&] { return figure_of(table, request); });
  std::string name = request.kind == FigureKind::histogram ? "histogram of " : "";
  for (const std::string& y : request.y) name += y + " ";
  if (!request.x.empty()) name += "by " + request.x + " ";
  if (!request.by.empty()) name += "by " + request.by;
  about_plot([&] {
    plot_show(L, figure, output, name,
              [&] { return text(figure, terminal_width(), colourful(Interpreter::of(L))); });
    return 0;
  });
}

// Plots the rows that a script gives, except a table that has no rows because a check knows none.
void plot_known_rows(lua_State* L) {
  try {
    plot_rows(L);
  } catch (const Error& error) {
    if (error.diagnostic().code != "empty_figure" || !Interpreter::of(L).has_unknown()) throw;
  }
}

void plot_result(lua_State* L) {
  const auto& result = check<ResultValue>(L, 1);
  Interpreter::of(L).count(1 + result.outcome->trace.size());
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_newtable(L);
    lua_replace(L, 2);
  }
  const Fields fields(L, 2, {"plot"},
                      {"kind", "title", "file", "width", "height", "text", "from", "to", "hosts"});
  const std::string kind = fields.text("kind", "gantt");
  const bool is_gantt = fields.choice("kind", 0, {"gantt", "utilization", "queue"}) == 0;
  const Output output = output_of(fields);
  const Outcome& outcome = *result.outcome;
  for (const char* name : {"from", "to", "hosts"})
    if (!is_gantt && fields.has(name)) fields.fail(name, "{} goes with kind = \"gantt\" alone", name);
  const ChartPart part = chart_part(fields, outcome);
  about_plot([&] {
    Figure figure = is_gantt          ? gantt_figure(outcome, part)
                    : kind == "queue" ? queue_figure(outcome)
                                      : utilization_figure(outcome);
    figure.title = fields.text("title", "");
    figure.width = static_cast<int>(fields.integer("width", 800, kLeastSide, kMostSide));
    if (fields.has("height"))
      figure.height = static_cast<int>(fields.integer("height", 0, kLeastSide, kMostSide));
    check(figure);
    plot_show(L, figure, output, fmt::format("{} {}", kind, result.ordinal), [&] {
      const bool colour = colourful(Interpreter::of(L));
      return is_gantt ? gantt(outcome, terminal_width(), true, colour, part)
                      : text(figure, terminal_width(), colour);
    });
    return 0;
  });
}

// Checks a plot of rows that only a run could give.
void check_plot(lua_State* L) {
  const std::string type(type_of_unknown(L, 1));
  if (lua_type(L, 2) != LUA_TTABLE) return;
  if (type != "rows" && type != "comparison") {
    if (!type.empty()) check_word_fields(L, 2, type + ".plot");
    return;
  }
  const Fields fields(L, 2, {"plot"}, kRowFields);
  const PlotRequest request = request_of(fields);
  about_plot([&] {
    check(request);
    return 0;
  });
  output_of(fields);
  const Columns columns = columns_of_unknown(L, 1);
  if (!columns) return;
  const auto look = [&](const char* field, const std::string& column) {
    if (!column.empty() && std::ranges::find(*columns, column) == columns->end())
      fields.fail(field, "{}: there is no column '{}'{}", field, column, did_you_mean(column, *columns));
  };
  look("x", request.x);
  for (const std::string& y : request.y) look("y", y);
  for (const std::string& by : names_at(fields, "by")) look("by", by);
}

// ---- other rows of the same table ----

void check_rows(lua_State* L, std::string_view word) {
  if (lua_type(L, 1) != LUA_TTABLE)
    fail("bad_type", "{}: a table of rows is needed, got {}", word, shown(L, 1));
}

std::string column_at(lua_State* L, int index, std::string_view word, const Columns& known) {
  const auto name = text_at(L, index);
  if (!name) fail("bad_type", "{}: the name of a column is needed, got {}", word, shown(L, index));
  if (known && std::ranges::find(*known, *name) == known->end()) {
    const std::string near = did_you_mean(*name, *known);
    fail("unknown_column", "{}: there is no column '{}'{}", word, *name,
         near.empty() ? fmt::format("; there are {}", fmt::join(*known, ", ")) : near);
  }
  return std::string(*name);
}

// t:columns { "name", "wait" }: the same rows with these columns alone, in this order.
int chosen_columns(lua_State* L) {
  return guard(L, [&] {
    const bool unknown = is_unknown(L, 1);
    if (unknown && is_unknown(L, 2)) return push_unknown_rows(L, std::nullopt), 1;
    if (!unknown) check_rows(L, "columns");
    Table all;
    if (!unknown) all = columns_of(L, 1);
    const Columns known = unknown ? columns_of_unknown(L, 1) : all.columns;
    std::vector<std::string> names, units;
    if (lua_type(L, 2) != LUA_TTABLE || lua_rawlen(L, 2) == 0)
      fail("bad_type", "columns: a list of names is needed, as in t:columns {{ \"name\", \"wait\" }}, got {}",
           lua_type(L, 2) == LUA_TTABLE ? "an empty table" : shown(L, 2));
    for (lua_Integer i = 1; i <= static_cast<lua_Integer>(lua_rawlen(L, 2)); ++i) {
      lua_rawgeti(L, 2, i);
      if (is_unknown(L, -1)) return push_unknown_rows(L, std::nullopt), 1;
      const std::string name = column_at(L, -1, "columns", known);
      if (std::ranges::find(names, name) != names.end())
        fail("bad_parameter", "columns: '{}' is named twice", name);
      names.push_back(name);
      const auto place =
          static_cast<std::size_t>(std::ranges::find(all.columns, names.back()) - all.columns.begin());
      units.push_back(place < all.units.size() ? all.units[place] : std::string());
      lua_pop(L, 1);
    }
    if (unknown) return push_unknown_rows(L, names), 1;
    const lua_Integer count = count_rows(L, 1);
    push_rows(L, names, units, static_cast<std::size_t>(count));
    const int of_row = lua_gettop(L);
    for (lua_Integer r = 1; r <= count; ++r) {
      Interpreter::of(L).count(1);
      lua_rawgeti(L, 1, r);
      lua_createtable(L, 0, static_cast<int>(names.size()));
      for (const std::string& name : names) {
        host::push(L, name);
        lua_pushvalue(L, -1);
        lua_rawget(L, -4);
        lua_rawset(L, -3);
      }
      lua_pushvalue(L, of_row);
      lua_setmetatable(L, -2);
      lua_rawseti(L, of_row - 1, r);
      lua_settop(L, of_row);
    }
    lua_settop(L, of_row - 1);
    return 1;
  });
}

// Pushes a list of the rows `rows` of the list at 1, with the metatable of that list.
void push_some(lua_State* L, const std::vector<lua_Integer>& rows) {
  lua_createtable(L, static_cast<int>(rows.size()), 0);
  if (lua_getmetatable(L, 1) != 0) lua_setmetatable(L, -2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    lua_rawgeti(L, 1, rows[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

// t:where(function(row) return row.wait > 10 end): the rows for which the function is true.
int rows_where(lua_State* L) {
  return guard(L, [&] {
    if (!is_unknown(L, 1)) check_rows(L, "where");
    if (lua_type(L, 2) != LUA_TFUNCTION)
      fail("bad_type",
           "where: a function of a row is needed, as in t:where(function(row) return row.wait > 10 end), got "
           "{}",
           shown(L, 2));
    if (is_unknown(L, 1)) return lua_settop(L, 1), 1;
    std::vector<lua_Integer> kept;
    const lua_Integer count = count_rows(L, 1);
    for (lua_Integer r = 1; r <= count; ++r) {
      Interpreter::of(L).count(1);
      lua_pushvalue(L, 2);
      lua_rawgeti(L, 1, r);
      lua_call(L, 1, 1);
      if (condition_at(L, -1, "where")) kept.push_back(r);
      lua_pop(L, 1);
    }
    push_some(L, kept);
    return 1;
  });
}

// t:sort_by("wait" [, "descending"]): numbers before texts, absent values last. Equal rows keep their order.
int rows_sorted(lua_State* L) {
  return guard(L, [&] {
    const bool unknown = is_unknown(L, 1);
    if (!unknown) check_rows(L, "sort_by");
    const Columns known = unknown ? columns_of_unknown(L, 1) : columns_of(L, 1).columns;
    const std::string column = unknown && is_unknown(L, 2) ? "" : column_at(L, 2, "sort_by", known);
    const bool down = text_at(L, 3) == "descending";
    if (!lua_isnoneornil(L, 3) && !down && text_at(L, 3) != "ascending")
      fail("bad_parameter", "sort_by: the order must be \"ascending\" or \"descending\", got {}",
           shown(L, 3));
    if (unknown) return lua_settop(L, 1), 1;
    const lua_Integer count = count_rows(L, 1);
    std::vector<Cell> cells;
    std::vector<lua_Integer> order;
    for (lua_Integer r = 1; r <= count; ++r) {
      Interpreter::of(L).count(1);
      lua_rawgeti(L, 1, r);
      host::push(L, column);
      lua_rawget(L, -2);
      cells.push_back(cell_at(L, column, r));
      lua_pop(L, 2);
      order.push_back(r);
    }
    const auto cell = [&](lua_Integer r) -> const Cell& { return cells[static_cast<std::size_t>(r - 1)]; };
    const auto last = [&](lua_Integer r) {  // the cell is absent or no number
      const auto* number = std::get_if<double>(&cell(r));
      return cell(r).index() == 0 || (number != nullptr && std::isnan(*number));
    };
    std::stable_sort(order.begin(), order.end(), [&](lua_Integer a, lua_Integer b) {
      if (last(a) || last(b)) return !last(a) && last(b);
      return down ? cell(b) < cell(a) : cell(a) < cell(b);
    });
    push_some(L, order);
    return 1;
  });
}

constexpr const char* kRowMethods = "perigee.row_methods";  // in the registry

}  // namespace

static constexpr luaL_Reg kMethodsOfRows[] = {
    {"plot", plot},        {"csv", table_csv},       {"columns", chosen_columns},
    {"where", rows_where}, {"sort_by", rows_sorted}, {nullptr, nullptr}};

int plot(lua_State* L) {
  return guard(L, [&] {
    if (is_unknown(L, 1)) {
      check_plot(L);
      lua_settop(L, 1);
      return 1;
    }
    if (test<ResultValue>(L, 1) != nullptr) {
      plot_result(L);
    } else if (luaL_getmetafield(L, 1, "__name") == LUA_TSTRING && *text_at(L, -1) == "comparison") {
      lua_getfield(L, 1, "plot");
      lua_insert(L, 1);
      lua_settop(L, 3);
      lua_call(L, 2, 1);
      return 1;
    } else {
      if (lua_type(L, 1) != LUA_TTABLE)
        fail("bad_type", "plot: a table of rows or a result is needed, got {}", shown(L, 1));
      lua_settop(L, 2);
      if (lua_isnil(L, 2))
        fail("bad_type", "plot: say what to draw, as in t:plot {{ x = \"size\", y = \"makespan\" }}");
      plot_known_rows(L);
    }
    lua_settop(L, 1);
    return 1;
  });
}

int table_csv(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 1) != LUA_TTABLE) fail("bad_type", "csv: a table of rows is needed, got {}", shown(L, 1));
    Table table = columns_of(L, 1);
    if (!plot_fill(L, 1, table, [](const std::string&) { return true; })) {
      push_unknown(L);
      return 1;
    }
    if (lua_isnoneornil(L, 2)) {
      host::push(L, table.csv());
      return 1;
    }
    const auto file = text_at(L, 2);
    if (!file || file->empty()) fail("bad_type", "csv: the name of a file is needed, got {}", shown(L, 2));
    std::string name(*file);
    if (!name.ends_with(".csv")) name += ".csv";
    Interpreter& interpreter = Interpreter::of(L);
    if (!interpreter.checking() && interpreter.writes()) write_below_out(L, {{name, table.csv()}});
    lua_settop(L, 1);
    return 1;
  });
}

int table_method(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 2);
    if (!name) {
      lua_pushnil(L);
      return 1;
    }
    lua_getfield(L, LUA_REGISTRYINDEX, kRowMethods);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TNIL) return 1;
    std::vector<std::string> names;
    for (const luaL_Reg* each = kMethodsOfRows; each->name != nullptr; ++each) names.emplace_back(each->name);
    fail("unknown_field", "a table has no field '{}'{}; its rows are t[1] to t[#t]", *name,
         did_you_mean(*name, names));
  });
}

void open_plot(lua_State* L) {
  lua_newtable(L);
  luaL_setfuncs(L, kMethodsOfRows, 0);
  lua_setfield(L, LUA_REGISTRYINDEX, kRowMethods);
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, kWritten);
  define(L, "plot", plot);
}

}  // namespace perigee::bindings

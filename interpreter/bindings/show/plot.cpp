// t:plot { }, r:plot { }, plot(rows, { }): figures.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/bindings/files.h"
#include "interpreter/bindings/gantt.h"
#include "interpreter/bindings/items.h"
#include "interpreter/bindings/methods.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/measured.h"
#include "interpreter/bindings/statistics.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/host/terminal.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/check_names.h"
#include "interpreter/language/fields/plots.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/plots/plot.h"
#include "runtime/results/gantt.h"

namespace perigee::bindings {

namespace {

constexpr std::uint64_t kStepsOfFigure = 10'000;  // against --steps, besides one for each row

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

std::vector<std::string> names_at(const Fields& fields, const FieldRow& row) {
  const std::string_view field = row.name;
  lua_State* L = fields.state();
  std::vector<std::string> names;
  if (!fields.push(row)) return names;
  if (lua_type(L, -1) == LUA_TTABLE) {
    const lua_Integer count = list_length(L, -1, fmt::format("{}: {}", fields.subject(), field));
    if (count == 0) fields.fail(row, "{} names no column", field);
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, -1, i);
      const auto name = text_at(L, -1);
      if (!name)
        fields.fail(row, "{}: entry {} must be the name of a column, got {}", field, i, shown(L, -1));
      if (std::find(names.begin(), names.end(), *name) != names.end())
        fields.fail(row, "{} names '{}' twice", field, *name);
      names.emplace_back(*name);
      lua_pop(L, 1);
    }
  } else if (const auto name = text_at(L, -1)) {
    names.emplace_back(*name);
  } else {
    fields.fail(row, "{} must be the name of a column or a list of names, got {}", field, shown(L, -1));
  }
  lua_pop(L, 1);
  return names;
}

std::optional<std::string> text_if(const Fields& fields, const FieldRow& field) {
  if (!fields.has(field)) return std::nullopt;
  return fields.text(field);
}

struct Output {
  bool text = true;
  std::string file;  // without .svg
  std::vector<std::string> formats = {};
};

// The names of the formats, of which `kFigureFormats` has all.
std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (std::string_view rest = plots::kFigureFormats; !rest.empty();) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    names.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  return names;
}

std::vector<std::string> formats_of(const Fields& fields) {
  const FieldRow& row = plot_fields::kFormats;
  lua_State* L = fields.state();
  if (!fields.push(row)) return {"svg"};
  const std::vector<std::string> known = format_names();
  const std::string allowed = fmt::format("{}", fmt::join(known, ", "));
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(row, "formats must be a list of {}, as in {{ \"svg\", \"pdf\" }}, got {}", allowed,
                shown(L, -1));
  std::vector<std::string> formats;
  const lua_Integer count = list_length(L, -1, fmt::format("{}: formats", fields.subject()));
  if (count == 0) fields.fail(row, "formats is empty: a list of {} is needed", allowed);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, i);
    const auto name = text_at(L, -1);
    const std::string text(name.value_or(std::string_view()));
    if (!name || std::ranges::find(known, text) == known.end())
      fields.fail(row, "formats: entry {} must be one of {}, got {}{}", i, allowed, shown(L, -1),
                  name ? did_you_mean(text, known) : "");
    if (std::ranges::find(formats, text) != formats.end()) fields.fail(row, "formats names '{}' twice", text);
    formats.push_back(text);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return formats;
}

Output output_of(const Fields& fields) {
  Output output{fields.flag(plot_fields::kText), fields.text(plot_fields::kFile), formats_of(fields)};
  if (fields.has(plot_fields::kFile)) {
    for (const std::string& name : format_names()) {
      if (!output.file.ends_with("." + name)) continue;
      if (std::ranges::find(output.formats, name) == output.formats.end())
        fields.fail(plot_fields::kFile, "file ends with .{}; formats = {{ \"{}\" }} writes that", name, name);
      output.file.resize(output.file.size() - name.size() - 1);
      break;
    }
    if (output.file.empty() || output.file.back() == '/')
      fields.fail(plot_fields::kFile, "file must name a file below the --out folder, got '{}'", output.file);
  }
  return output;
}

bool is_of_result(std::string_view kind) {
  const std::string kinds = fmt::format("|{}|", result_plot_fields::kKind.choices);
  return kinds.find(fmt::format("|{}|", kind)) != std::string::npos;
}

FigureKind kind_of(const Fields& fields) {  // of rows
  const std::string kind = fields.text(plot_fields::kKind);
  if (is_of_result(kind))
    fields.fail(plot_fields::kKind, "kind = \"{}\" is drawn of a result: r:plot {{ kind = \"{}\" }}", kind,
                kind);
  return static_cast<FigureKind>(fields.choice(plot_fields::kKind));
}

constexpr std::string_view kBetweenNames = ", ";  // between names of columns that together distinguish rows

PlotRequest request_of(const Fields& fields) {
  PlotRequest request;
  request.x = fields.text(plot_fields::kX);
  request.y = names_at(fields, plot_fields::kY);
  request.by = fmt::format("{}", fmt::join(names_at(fields, plot_fields::kBy), kBetweenNames));
  if (fields.has(plot_fields::kKind)) request.kind = kind_of(fields);
  request.facet = names_at(fields, plot_fields::kFacet);
  request.value = fields.text(plot_fields::kValue);
  request.value_label = text_if(fields, plot_fields::kValueLabel);
  request.value_unit = text_if(fields, plot_fields::kValueUnit);
  request.title = fields.text(plot_fields::kTitle);
  request.x_label = text_if(fields, plot_fields::kXLabel);
  request.y_label = text_if(fields, plot_fields::kYLabel);
  request.x_unit = text_if(fields, plot_fields::kXUnit);
  request.y_unit = text_if(fields, plot_fields::kYUnit);
  request.log_x = fields.flag(plot_fields::kLogX);
  request.log_y = fields.flag(plot_fields::kLogY);
  if (fields.has(plot_fields::kBins))
    request.bins = static_cast<std::size_t>(fields.integer(plot_fields::kBins));
  request.confidence = confidence_in(fields);
  request.width = static_cast<int>(fields.integer(plot_fields::kWidth));
  if (fields.has(plot_fields::kHeight))
    request.height = static_cast<int>(fields.integer(plot_fields::kHeight));
  return request;
}

// Draws a figure in the terminal, as `drawn`, and below --out; an audience is shown the item.
void plot_show(lua_State* L, Figure& figure, const Output& output, const std::string& default_name,
               const std::function<std::string()>& drawn,
               const std::function<pages::Item(const std::string& file)>& item) {
  Interpreter& interpreter = Interpreter::of(L);
  interpreter.count(kStepsOfFigure);
  if (interpreter.checking() || !interpreter.writes()) return;
  interpreter.series_looks().give(figure);
  if (!interpreter.options().out.empty()) {
    const std::string plain = plot_file_name(default_name);
    std::string name = output.file.empty() ? plain : output.file;
    const auto is_written = [&](const std::string& format) {
      return written_at(L, interpreter.files().output_folder(name + "." + format)).has_value();
    };
    for (int n = 2; output.file.empty() && std::ranges::any_of(format_names(), is_written); ++n)
      name = fmt::format("{}-{}", plain, n);
    for (const std::string& format : output.formats)
      place_for(L, name + "." + format);  // errors come before the work of drawing
    std::vector<std::pair<std::string, std::string>> files;
    const std::vector<std::string> known = format_names();
    for (const std::string& format : output.formats) {
      const auto place = std::ranges::find(known, format) - known.begin();
      files.emplace_back(name + "." + format,
                         plots::picture(figure, static_cast<plots::FigureFormat>(place)));
    }
    files.emplace_back(name + ".csv", data(figure).csv());
    write_below_out(L, files);
  }
  interpreter.output().show(output.text ? drawn() : "", true, [&] {
    return item(output.file.empty() ? plot_file_name(default_name) : output.file);
  });
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

// Adds a column whose cells join those of the columns `names`, such as "4, fcfs".
void join_columns(Table& table, const std::vector<std::string>& names, const Fields& fields) {
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(table.columns, name);
    if (at == table.columns.end())
      fields.fail(plot_fields::kBy, "by: there is no column '{}'{}", name, did_you_mean(name, table.columns));
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
  const Fields fields(L, 2, {"plot"}, plot_fields::kAll);
  const PlotRequest request = request_of(fields);
  const Output output = output_of(fields);
  Table table = about_plot([&] { return columns_of(L, 1); });
  const std::vector<std::string> by = names_at(fields, plot_fields::kBy);
  const bool has_half_widths = std::ranges::any_of(request.y, [&](const std::string& y) {
    return std::ranges::find(table.columns, y + "_half_width") != table.columns.end();
  });
  const auto wanted = [&](const std::string& column) {
    if (has_half_widths && column == "n") return true;
    if (column == request.x || column == request.value || std::ranges::find(by, column) != by.end() ||
        std::ranges::find(request.facet, column) != request.facet.end())
      return true;
    return std::ranges::any_of(request.y, [&](const std::string& y) {
      return column == y || column == y + "_half_width" || (has_half_widths && column == y + "_n");
    });
  };
  if (!about_plot([&] { return fill_cells(L, 1, table, wanted); })) return;
  if (by.size() > 1) join_columns(table, by, fields);
  Figure figure = about_plot([&] { return figure_of(table, request); });
  std::string name = request.kind == FigureKind::histogram ? "histogram of "
                     : request.kind == FigureKind::ecdf    ? "ecdf of "
                                                           : "";
  if (!request.value.empty()) name += request.value + " by ";
  for (const std::string& y : request.y) name += y + " ";
  if (!request.x.empty()) name += "by " + request.x + " ";
  if (!request.by.empty()) name += "by " + request.by + " ";
  if (!request.facet.empty()) name += fmt::format("for {}", fmt::join(request.facet, " "));
  about_plot([&] {
    plot_show(
        L, figure, output, name,
        [&] { return text(figure, terminal_width(), colourful(Interpreter::of(L))); },
        [&](const std::string& file) { return figure_item(figure, file); });
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
  check_trace_is_kept(*result.outcome);
  Interpreter::of(L).count(1 + result.outcome->trace.size());
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_newtable(L);
    lua_replace(L, 2);
  }
  const Fields fields(L, 2, {"plot"}, result_plot_fields::kAll);
  const std::string kind = fields.text(result_plot_fields::kKind);
  const bool is_gantt = fields.choice(result_plot_fields::kKind) == 0;
  const Output output = output_of(fields);
  const Outcome& outcome = *result.outcome;
  for (const FieldRow* part :
       {&chart_fields::kFrom, &chart_fields::kTo, &chart_fields::kHosts, &chart_fields::kRows})
    if (!is_gantt && fields.has(*part)) fields.fail(*part, "{} goes with kind = \"gantt\" alone", part->name);
  const ChartPart part = chart_part(fields, outcome);
  about_plot([&] {
    Figure figure = is_gantt          ? gantt_figure(outcome, part)
                    : kind == "queue" ? queue_figure(outcome)
                    : kind == "power" ? power_figure(outcome)
                                      : utilization_figure(outcome);
    figure.title = fields.text(plot_fields::kTitle);
    figure.width = static_cast<int>(fields.integer(result_plot_fields::kWidth));
    if (fields.has(plot_fields::kHeight))
      figure.height = static_cast<int>(fields.integer(plot_fields::kHeight));
    check(figure);
    plot_show(
        L, figure, output, fmt::format("{} {}", kind, result.ordinal),
        [&] {
          const bool colour = colourful(Interpreter::of(L));
          return is_gantt ? gantt(outcome, terminal_width(), true, colour, part)
                          : text(figure, terminal_width(), colour);
        },
        [&](const std::string& file) {
          return is_gantt ? chart_item(outcome, file) : pages::Item(figure_item(figure, file));
        });
    return 0;
  });
}

// Checks a plot of rows that only a run could give.
void check_plot(lua_State* L) {
  const std::string type(type_of_unknown(L, 1));
  if (const language::Word* word = language::find_word(type, "plot"); word != nullptr && !type.empty()) {
    int given = lua_gettop(L);
    while (given > 1 && lua_isnil(L, given)) --given;
    if (const auto most = language::most_arguments(word->usage))
      language::refuse_more(L, *word, *most, static_cast<std::size_t>(given) - 1);
  }
  if (lua_type(L, 2) != LUA_TTABLE) return;
  if (type != "rows" && type != "comparison") {
    if (!type.empty()) check_word_fields(L, 2, type + ".plot");
    return;
  }
  const Fields fields(L, 2, {"plot"}, plot_fields::kAll);
  const PlotRequest request = request_of(fields);
  about_plot([&] {
    check(request);
    return 0;
  });
  output_of(fields);
  const Columns columns = columns_of_unknown(L, 1);
  if (!columns) return;
  const auto look = [&](const FieldRow& field, const std::string& column) {
    if (!column.empty() && std::ranges::find(*columns, column) == columns->end())
      fields.fail(field, "{}: there is no column '{}'{}", field.name, column, did_you_mean(column, *columns));
  };
  look(plot_fields::kX, request.x);
  for (const std::string& y : request.y) look(plot_fields::kY, y);
  for (const std::string& by : names_at(fields, plot_fields::kBy)) look(plot_fields::kBy, by);
  for (const std::string& facet : request.facet) look(plot_fields::kFacet, facet);
  look(plot_fields::kValue, request.value);
}

}  // namespace

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

void open_plot(lua_State* L) {
  open_rows(L);
  open_written(L);
  define(L, "plot", plot);
}

}  // namespace perigee::bindings

// scheduler_list(path): scheduler lists of Sim-PETEK. csv.read(path): the rows of a table. The other words
// that read files are in swf.cpp, cluster_logs.cpp, irmasim.cpp, pst.cpp and simgrid.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/files.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/language/fields/readers.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/runs.h"
#include "interpreter/values/schedulers.h"
#include "runtime/model/readers/scheduler_list.h"
#include "runtime/model/readers/table.h"

namespace perigee::bindings {

namespace {

// ---- Sim-PETEK ----

// scheduler_list(path) -> a list of { label =, policy =, line = }, one for each entry of a SchedulerList.xml.
int scheduler_list(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "scheduler_list");
    const SchedulerList list =
        with_file(L, path, [](const std::string& real) { return read_scheduler_list(real); });
    for (const SchedulerListDuplicate& each : list.duplicates)
      warn_once(L, fmt::format("{}:{}: {} is there already, in line {} (duplicate-entry)", path, each.line,
                               each.label, each.first_line));
    lua_createtable(L, static_cast<int>(list.entries.size()), 0);
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
      const SchedulerListEntry& entry = list.entries[i];
      std::map<std::string, Value> given;
      for (const auto& [name, value] : entry.parameters)
        given.emplace(name, std::visit([](const auto& each) { return Value(each); }, value));
      lua_createtable(L, 0, 3);
      host::push(L, entry.label);
      lua_setfield(L, -2, "label");
      push_new(L, SchedulerValue(Interpreter::of(L).catalogue().configure(entry.scheduler, given)));
      lua_setfield(L, -2, "policy");
      lua_pushinteger(L, entry.line);
      lua_setfield(L, -2, "line");
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

// ---- tables ----

struct ColumnKind {
  std::string_view name;
  TableColumn::Kind kind;
  Dimension dimension = Dimension::count;
};
constexpr ColumnKind kColumnKinds[] = {
    {"text", TableColumn::Kind::text},
    {"number", TableColumn::Kind::number},
    {"whole", TableColumn::Kind::whole},
    {"s", TableColumn::Kind::quantity, Dimension::seconds},
    {"B", TableColumn::Kind::quantity, Dimension::bytes},
    {"B/s", TableColumn::Kind::quantity, Dimension::bytes_per_second},
    {"op", TableColumn::Kind::quantity, Dimension::operations},
    {"op/s", TableColumn::Kind::quantity, Dimension::operations_per_second},
};

// The field `columns`: { name = kind }, in order of name; "?" behind the kind: may be absent.
std::vector<TableColumn> columns_at(const Fields& fields) {
  lua_State* L = fields.state();
  std::vector<TableColumn> columns;
  if (!fields.push(csv_fields::kColumns)) return columns;
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(csv_fields::kColumns, "columns must be a table of names and kinds, got {}", shown(L, -1));
  each_sorted(L, -1, [&] {
    const auto name = text_at(L, -2);
    if (!name) fields.fail(csv_fields::kColumns, "columns: {} is no name", shown(L, -2));
    std::string kind = text_at(L, -1) ? std::string(*text_at(L, -1)) : std::string();
    TableColumn column{.name = std::string(*name)};
    if (kind.ends_with('?')) {
      column.required = false;
      kind.pop_back();
    }
    std::vector<std::string> names;
    for (const ColumnKind& each : kColumnKinds) names.emplace_back(each.name);
    const auto found = std::ranges::find(kColumnKinds, kind, &ColumnKind::name);
    if (found == std::end(kColumnKinds))
      fields.fail(csv_fields::kColumns, "columns.{} must be one of {}, got {}{}", column.name,
                  fmt::join(names, ", "), shown(L, -1), did_you_mean(kind, names));
    column.kind = found->kind;
    column.dimension = found->dimension;
    columns.push_back(std::move(column));
  });
  lua_pop(L, 1);
  return columns;
}

// A column of plain numbers has numbers, any other texts.
void push_reader_rows(lua_State* L, const TableData& data) {
  for (std::size_t r = 0; r < data.rows; ++r) {
    lua_createtable(L, 0, static_cast<int>(data.columns.size()));
    for (const TableData::Column& column : data.columns) {
      if (column.numeric ? std::isnan(column.numbers[r]) : column.texts[r].empty()) continue;
      host::push(L, column.name);
      push_cell(L, column.numeric ? Cell(column.numbers[r]) : Cell(column.texts[r]));
      lua_rawset(L, -3);
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(r) + 1);
  }
}

// csv.read(path [, { columns =, separator = }]) -> rows
int read_csv(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "csv.read");
    TableOptions options;
    std::vector<TableColumn> columns;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"csv.read"}, csv_fields::kAll);
      columns = columns_at(fields);
      const std::string separator = fields.text(csv_fields::kSeparator);
      if (fields.has(csv_fields::kSeparator) &&
          (separator.size() != 1 || separator == "\"" || separator == "\n" || separator == "\r"))
        fields.fail(csv_fields::kSeparator, "separator must be one character, got {:?}", separator);
      if (!separator.empty()) options.separator = separator[0];
    }
    Table empty;
    if (columns.empty()) {
      const TableData data =
          with_file(L, path, [&](const std::string& real) { return read_table_data(real, options); });
      for (const TableData::Column& column : data.columns) empty.columns.push_back(column.name);
      push_table(L, empty);
      push_reader_rows(L, data);
      return 1;
    }
    options.other_columns = true;
    for (const TableColumn& column : columns) empty.columns.push_back(column.name);
    push_table(L, empty);
    lua_Integer count = 0;
    with_file(L, path, [&](const std::string& real) {
      return read_table(
          real, columns,
          [&](const TableRow& row) {
            lua_createtable(L, 0, static_cast<int>(columns.size()));
            for (std::size_t c = 0; c < columns.size(); ++c) {
              if (!row.has(c)) continue;
              host::push(L, columns[c].name);
              if (columns[c].kind == TableColumn::Kind::text)
                host::push(L, row.text(c));
              else
                push_cell(L, row.number(c));
              lua_rawset(L, -3);
            }
            lua_rawseti(L, -2, ++count);
          },
          options);
    });
    return 1;
  });
}

// ---- names ----

constexpr luaL_Reg kCsv[] = {{"read", read_csv}, {nullptr, nullptr}};

// Upvalue: the word's function before it became a module.
int call_word(lua_State* L) {
  lua_remove(L, 1);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

}  // namespace

// Gives a word of the vocabulary functions of its own. The word is a module, or a function that becomes a
// module which can be called as before. Each function gets the word as upvalue.
void extend(lua_State* L, const char* word, const luaL_Reg* functions) {
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  lua_getfield(L, -1, word);
  if (lua_isfunction(L, -1)) {
    lua_newtable(L);
    freeze(L, word);
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_pushcclosure(L, call_word, 1);
    lua_setfield(L, -2, "__call");
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, word);
    lua_remove(L, -2);
  }
  const int module = lua_gettop(L);
  lua_getmetatable(L, module);
  lua_getfield(L, -1, "__index");
  lua_pushvalue(L, module);
  luaL_setfuncs(L, functions, 1);
  lua_settop(L, module - 2);
}

void warn_once(lua_State* L, const std::string& text) { Interpreter::of(L).output().warn_once(text); }

void push_workload(lua_State* L, WorkKind kind, std::int64_t count,
                   std::function<Workload(const Platform&)> works, std::shared_ptr<const LogValue> log) {
  WorkloadPart part;
  part.kind = kind;
  part.count = count;
  part.jobs = std::move(works);
  part.log = std::move(log);
  part.declared_at = caller(L);
  WorkloadValue value;
  value.parts.push_back(std::move(part));
  push_new(L, std::move(value));
}

void open_readers(lua_State* L) {
  const luaL_Reg pst_workload[] = {kPstWorkload, {nullptr, nullptr}};
  const luaL_Reg platforms[] = {kPstPlatform, kSimgridPlatform, kBatsimPlatform, {nullptr, nullptr}};
  open_log(L);
  open_swf(L);
  open_cluster_logs(L);
  open_irmasim(L);
  extend(L, "workload", pst_workload);
  extend(L, "platform", platforms);
  push_module(L, "csv", kCsv);
  define(L, "csv");
  define(L, "scheduler_list", scheduler_list);
  open_json(L);
}

}  // namespace perigee::bindings

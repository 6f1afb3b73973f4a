#include "interpreter/bindings/declare/counts.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "interpreter/host/reading.h"
#include "interpreter/host/sorted.h"
#include "interpreter/host/stack.h"
#include "interpreter/language/fields/platform.h"
#include "runtime/model/consumables.h"

namespace perigee::bindings {

std::vector<std::pair<std::string, double>> counts_of(const Fields& fields, const FieldRow& field) {
  std::vector<std::pair<std::string, double>> counts;
  if (!fields.push(field)) return counts;
  lua_State* L = fields.state();
  const int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE)
    fields.fail(field, "{} must be a table of numbers by name, as in {{ gpu = 2 }}, got {}", field.name,
                shown(L, table));
  each_sorted(L, table, [&] {
    const auto name = text_at(L, -2);
    if (lua_type(L, -2) != LUA_TSTRING || !name || name->empty())
      fields.fail(field, "{} needs names as keys, as in {{ gpu = 2 }}, got {}", field.name, shown(L, -2));
    const std::int64_t count = fields.inside(field, [&] {
      return integer_at(L, -1, fmt::format("{}: {}.{}", fields.subject(), field.name, *name), 0,
                        static_cast<std::int64_t>(model::kMostOfConsumable));
    });
    counts.emplace_back(std::string(*name), static_cast<double>(count));
  });
  lua_pop(L, 1);
  return counts;
}

void read_supplies(const Fields& fields, Host& host) {
  model::Supply supply;
  if (fields.has(host_fields::kMemory)) {
    supply.memory = std::floor(fields.number(host_fields::kMemory));
    if (supply.memory > model::kMostOfConsumable)
      fields.fail(host_fields::kMemory, "memory must be at most 2^53 B, got {}", supply.memory);
  }
  supply.resources = counts_of(fields, host_fields::kResources);
  for (const auto& [name, count] : supply.resources)
    for (const FieldRow* own : {&host_fields::kMemory, &host_fields::kCores})
      if (name == own->name)
        fields.fail(host_fields::kResources, "'{}' is a field of its own, not one of the resources", name);
  if (supply.memory < model::kNeverShort || !supply.resources.empty())
    host.supply = std::make_shared<const model::Supply>(std::move(supply));
}

}  // namespace perigee::bindings

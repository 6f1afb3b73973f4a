#include "interpreter/bindings/declare/hosts_by_name.h"

#include "interpreter/host/errors.h"

#include <fmt/format.h>

#include "interpreter/host/stack.h"

namespace perigee::bindings {

std::vector<std::string> names_of_hosts(const Fields& fields, const FieldRow& field) {
  std::vector<std::string> names;
  if (!fields.push(field)) return names;
  lua_State* L = fields.state();
  const auto add = [&](int index) {
    const auto name = text_at(L, index);
    if (!name)
      fields.fail(field, "{} must be names of hosts and clusters, got {}", field.name, shown(L, index));
    names.emplace_back(*name);
  };
  if (lua_type(L, -1) == LUA_TTABLE) {
    const lua_Integer count = list_length(L, -1, fmt::format("{}: {}", fields.subject(), field.name));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, -1, i);
      add(-1);
      lua_pop(L, 1);
    }
    if (names.empty()) fields.fail(field, "{} names no host and no cluster", field.name);
  } else {
    add(-1);
  }
  lua_pop(L, 1);
  return names;
}

std::shared_ptr<const std::vector<std::uint8_t>> hosts_by_name(const Platform& platform,
                                                               const std::vector<std::string>& names,
                                                               const std::string& subject,
                                                               const SourceLocation& where) {
  auto flags = std::make_shared<std::vector<std::uint8_t>>(platform.hosts().size());
  for (const std::string& name : names) {
    bool found = false;
    for (std::size_t h = 0; h < flags->size(); ++h) {
      const Host& host = platform.hosts()[h];
      if (host.name != name && platform[host.cluster].name != name) continue;
      (*flags)[h] = 1;
      found = true;
    }
    if (found) continue;
    std::vector<std::string> known;
    for (const Cluster& cluster : platform.clusters()) known.push_back(cluster.name);
    for (const Host& host : platform.hosts()) known.push_back(host.name);
    fail_at(where, "unknown_name", "{}: the platform has no host and no cluster '{}'{}", subject, name,
            did_you_mean(name, known));
  }
  return flags;
}

}  // namespace perigee::bindings

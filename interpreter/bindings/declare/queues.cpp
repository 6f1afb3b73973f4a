#include "interpreter/bindings/declare/queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/hosts_by_name.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/language/fields/queues.h"

namespace perigee::bindings {
namespace {

std::int64_t most_at(const Fields& fields, const FieldRow& field) {
  return fields.has(field) ? fields.integer(field) : model::kNoMost;
}

QueuePart read_queue(lua_State* L, int index, const std::string& name) {
  const Fields fields(L, index, {"queue", name}, queue_fields::kAll);
  QueuePart part;
  part.declared_at = caller(L);
  part.hosts = names_of_hosts(fields, queue_fields::kHosts);
  part.what = model::Queue{.name = name,
                           .tier = static_cast<std::int32_t>(fields.integer(queue_fields::kTier)),
                           .priority = fields.number(queue_fields::kPriority),
                           .max_time = fields.number(queue_fields::kMaxTime),
                           .max_nodes = most_at(fields, queue_fields::kMaxNodes),
                           .max_cores = most_at(fields, queue_fields::kMaxCores),
                           .max_running = most_at(fields, queue_fields::kMaxRunning),
                           .max_running_user = most_at(fields, queue_fields::kMaxRunningUser),
                           .max_cores_user = most_at(fields, queue_fields::kMaxCoresUser),
                           .default_time = fields.number(queue_fields::kDefaultTime)};
  return part;
}

QueuePart read_qos(lua_State* L, int index, const std::string& name) {
  const Fields fields(L, index, {"qos", name}, queue_fields::kQos);
  model::Qos read{.name = name,
                  .priority = fields.number(queue_fields::kPriority),
                  .usage = fields.number(queue_fields::kUsage),
                  .max_running_user = most_at(fields, queue_fields::kMaxRunningUser)};
  if (fields.has(queue_fields::kQosTier))
    read.tier = static_cast<std::int32_t>(fields.integer(queue_fields::kQosTier));
  QueuePart part;
  part.declared_at = caller(L);
  part.what = std::move(read);
  return part;
}

using QueueReader = QueuePart (*)(lua_State*, int, const std::string&);
template <QueueReader read>
constexpr std::string_view kQueueWord = read == read_queue ? "queue" : "qos";

// Upvalue: the name. The second half of `queue "name" { ... }`.
template <QueueReader read>
int finish_queue(lua_State* L) {
  return guard(L, [&] {
    refuse_second(L, kQueueWord<read>);
    push_new(L, read(L, 1, std::string(*text_at(L, lua_upvalueindex(1)))));
    return 1;
  });
}

template <QueueReader read>
int begin_queue(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 1);
    if (!name)
      fail("bad_type", "{0}: a name comes first, as in {0} \"short\" {{ }}, got {1}", kQueueWord<read>,
           shown(L, 1));
    if (name->empty()) fail("bad_name", "{}: the name is empty", kQueueWord<read>);
    lua_settop(L, 1);
    lua_pushcclosure(L, finish_queue<read>, 1);
    return 1;
  });
}

std::string text_of(const QueuePart& part) {
  if (const auto* queue = std::get_if<model::Queue>(&part.what))
    return fmt::format("queue '{}'", queue->name);
  return fmt::format("qos '{}'", std::get<model::Qos>(part.what).name);
}

int queue_definition_text(lua_State* L) {
  return guard(L, [&] {
    host::push(L, text_of(check<QueuePart>(L, 1)));
    return 1;
  });
}

// Calls add(part) for each of the list in the field. `What`: of which kind they must be.
template <class What, class Add>
bool each_part(const Fields& scenario, const FieldRow& field, std::string_view word, Add add) {
  if (!scenario.push(field)) return false;
  lua_State* L = scenario.state();
  const int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE)
    scenario.fail(field, "{} must be a list of {} \"name\" {{ }}, got {}", field.name, word, shown(L, table));
  const lua_Integer count = list_length(L, table, fmt::format("scenario: {}", field.name));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, table, i);
    const auto* part = test<QueuePart>(L, -1);
    if (part == nullptr && lua_isfunction(L, -1))
      scenario.fail(field, "{}[{}] is not finished: a name is followed by a table, as in {} \"a\" {{ }}",
                    field.name, i, word);
    if (part == nullptr || !std::holds_alternative<What>(part->what))
      scenario.fail(field, "{}[{}] must be {} \"name\" {{ }}, got {}", field.name, i, word,
                    part != nullptr ? text_of(*part) : shown(L, -1));
    add(*part, std::get<What>(part->what));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return true;
}

template <class What>
void add_once(std::vector<What>& all, const QueuePart& part, const What& what) {
  if (std::ranges::find(all, what.name, &What::name) != all.end())
    fail_at(part.declared_at, "duplicate_name", "scenario: two of them are {}", text_of(part));
  all.push_back(what);
}

constexpr luaL_Reg kQueueMeta[] = {{"__tostring", queue_definition_text}, {nullptr, nullptr}};

}  // namespace

std::shared_ptr<const model::Queues> queues_at(const Fields& scenario, const PlatformValue& platform) {
  auto all = std::make_shared<model::Queues>();
  all->declared = true;
  const bool has_queues = each_part<model::Queue>(
      scenario, scenario_fields::kQueues, "queue", [&](const QueuePart& part, const model::Queue& queue) {
        add_once(all->queues, part, queue);
        if (!part.hosts.empty())
          all->queues.back().hosts =
              hosts_by_name(*platform.platform, part.hosts, text_of(part) + ": hosts", part.declared_at);
      });
  const bool has_qos = each_part<model::Qos>(
      scenario, scenario_fields::kQos, "qos",
      [&](const QueuePart& part, const model::Qos& qos) { add_once(all->qos, part, qos); });
  if (!has_queues && !has_qos) return nullptr;
  return all;
}

void open_queues(lua_State* L) {
  new_type<QueuePart>(L, nullptr, kQueueMeta);
  define(L, "queue", begin_queue<read_queue>);
  define(L, "qos", begin_queue<read_qos>);
}

}  // namespace perigee::bindings

// The parts of a scenario's text, one source file each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/bindings/script/lua_text.h"
#include "interpreter/bindings/script/script.h"

namespace perigee::bindings {

inline constexpr std::size_t kMostWrittenWorks = 10'000'000;  // of a stream

// The name of the host, cluster or link as a literal of Lua.
inline std::string quoted_name(const Platform& platform, ResourceId id) {
  return lua_string(platform.name_of(id));
}

std::string workload_text(const Scenario& scenario, const std::vector<std::string>& architectures);
// Lists of queues and qualities of service; empty: there are none.
std::string queues_text(const Scenario& scenario);
std::string qos_text(const Scenario& scenario);
// A list of events; empty: there are none.
std::string events_text(const Scenario& scenario, const std::vector<std::string>& architectures);

// The names of hosts and clusters that stand for these hosts alone, as hosts_by_name() reads them. Error "not_plain"
// where a name stands for more.
std::vector<std::string> names_of_flags(const Platform& platform, const std::vector<std::uint8_t>& hosts);

void add_platform_words(std::vector<WrittenWord>& words);
void add_workload_words(std::vector<WrittenWord>& words);
void add_queue_words(std::vector<WrittenWord>& words);
void add_event_words(std::vector<WrittenWord>& words);
void add_problem_words(std::vector<WrittenWord>& words);

}  // namespace perigee::bindings

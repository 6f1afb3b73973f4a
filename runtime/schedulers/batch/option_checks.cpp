#include "runtime/schedulers/batch/option_checks.h"

#include <algorithm>
#include <string>

#include "runtime/kernel/error.h"

namespace perigee::batch {
namespace {

bool switches_off(const Arguments& given) {
  return given.has("off_after") && !given.is("off_after", "never");
}

void check_some_power(const Platform& platform, std::string_view policy) {
  if (std::ranges::all_of(platform.hosts(), [](const Host& host) { return host.power == nullptr; }))
    fail(
        "not_accepted",
        "policy '{}': off_after switches off hosts that declare their power, and no host of the platform does; "
        "leave it out, or give hosts power = {{ idle =, busy = }}",
        policy);
}

void check_all_power(const Platform& platform, std::string_view policy) {
  for (const Host& host : platform.hosts())
    if (host.power == nullptr)
      fail_at(host.declared_at, "not_accepted",
              "policy '{}': its rule for hosts compares what they draw, and host '{}' declares no power",
              policy, host.name);
}

bool declares_memory(const Host& host) {
  return host.supply != nullptr && host.supply->memory < model::kNeverShort;
}

void check_some_memory(const Platform& platform, std::string_view policy) {
  if (std::ranges::none_of(platform.hosts(), declares_memory))
    fail(
        "not_accepted",
        "policy '{}': resource = \"high_mem\" compares the memory of hosts, and no host of the platform declares any; "
        "choose another resource, or give hosts memory = \"64 GB\"",
        policy);
}

// Checks in order.
template <auto... checks>
void all_of(const Platform& platform, const Workload&, WorkId, std::string_view policy) {
  (checks(platform, policy), ...);
}

const engine::Demands kSomePower{"any work", "a platform with a host that declares its power",
                                 all_of<check_some_power>};
const engine::Demands kAllPower{"any work", "a platform whose hosts all declare their power",
                                all_of<check_all_power>};
const engine::Demands kMemory{"any work", "a platform with a host that declares its memory",
                              all_of<check_some_memory>};
const engine::Demands kMemoryAndPower{"any work", "a platform whose hosts declare memory and power",
                                      all_of<check_some_memory, check_some_power>};

}  // namespace

void check_keep_on(const Arguments& given, std::string_view policy) {
  if (!given.has("off_after") && !given.is_default("keep_on"))
    fail(
        "bad_parameter",
        "{}: keep_on is given without off_after, so no host is switched off; give off_after, or leave keep_on out",
        policy);
}

void check_preemption(const Arguments& given, std::string_view policy) {
  if (given.choice("preempt") != "off") return;
  for (const std::string_view name : {"exempt", "grace", "victims"})
    if (!given.is_default(name))
      fail("bad_parameter",
           "{}: {} is given without preempt, so no work is preempted; give preempt, or leave {} out", policy,
           name, name);
}

const engine::Demands* demands_on_hosts(const Arguments& given) { return demands_on_hosts_by("host", given); }

const engine::Demands* demands_on_hosts_by(std::string_view rule, const Arguments& given) {
  const std::string hosts = given.is_rule(rule) ? std::string() : given.choice(rule);
  if (hosts == "low_power" || hosts == "least_energy") return &kAllPower;
  if (hosts == "high_mem") return switches_off(given) ? &kMemoryAndPower : &kMemory;
  return switches_off(given) ? &kSomePower : nullptr;
}

}  // namespace perigee::batch

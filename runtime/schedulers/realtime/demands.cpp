// Source: Mamat, 2011, section 3.2 (the model of the cluster), see the header.
#include "runtime/schedulers/realtime/demands.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/model/platform.h"

namespace perigee::realtime {
namespace {

enum class Form { any, plain, alike };

[[noreturn]] void refuse(std::string_view policy, std::string_view what) {
  fail("not_accepted", "policy '{}' does not accept {}", policy, what);
}

void check_channel(const Platform& platform, std::string_view policy) {
  if (platform.clusters().size() > 1)
    refuse(policy, fmt::format("{} clusters: its head feeds one", platform.clusters().size()));
  const Link& link = platform[platform.clusters()[0].link];
  if (!link.bandwidth.is_constant() || !link.latency.is_constant())
    refuse(policy, fmt::format("the changing {} of link '{}'",
                               link.bandwidth.is_constant() ? "latency" : "bandwidth", link.name));
}

void check_setups(const Platform& platform, std::string_view policy) {
  for (const Host& host : platform.hosts())
    if (host.setup > 0)
      refuse(policy, fmt::format("'setup' = {}, which host '{}' has", host.setup, host.name));
  for (const Link& link : platform.links())
    if (link.latency.at(0) > 0)
      refuse(policy, fmt::format("'latency' = {}, which link '{}' has", link.latency.at(0), link.name));
}

void check_load(Form form, const Workload& workload, WorkId id, std::string_view policy) {
  const Work& work = workload[id];
  const WorkExtra& extra = workload.extras[work.extra];
  const auto refuse_load = [&](std::string_view what) {
    refuse(policy, fmt::format("{}, which {} has", what, workload.name_of(id)));
  };
  if (work.times == kNone && work.estimate == 0 && workload.declared_bytes(id) == 0)
    refuse_load("units without 'time' and 'bytes'");
  if (form == Form::alike) {
    // A load too: these policies accept nothing else. In a stream the load in front is there.
    const WorkId first(workload.works.first() == 0 || id.index == 0 ? 0 : id.index - 1);
    if (work.times != kNone) refuse_load("times by host or architecture");
    if (work.form != workload[first].form || work.amount != workload[first].amount ||
        work.estimate != workload[first].estimate)
      refuse_load(fmt::format("another time of a unit than {}", workload.name_of(first)));
    const auto alike = [&](std::string_view field, double bytes, double others) {
      if (bytes != others)
        refuse_load(fmt::format("'{}' = {} where {} has {}", field, format_number(bytes),
                                workload.name_of(first), format_number(others)));
    };
    alike("bytes", extra.bytes, workload.extras[workload[first].extra].bytes);
    alike("bytes_estimate", workload.declared_bytes(id), workload.declared_bytes(first));
  }
  if (form == Form::any) return;
  if (work.times == kNone && std::min(work.amount, work.estimate) == 0) refuse_load("'time' = 0");
  if (extra.bytes == 0) refuse_load("'bytes' = 0");
  if (workload.declared_bytes(id) == 0) refuse_load("'bytes_estimate' = 0");
  if (work.deadline == kNever) refuse_load("no deadline");
}

template <Form form>
void check(const Platform& platform, const Workload& workload, WorkId first, std::string_view policy) {
  check_channel(platform, policy);
  if (form != Form::any) check_setups(platform, policy);
  for (std::size_t w = first.index; w < workload.size(); ++w)
    if (workload.works[w].kind == WorkKind::load) check_load(form, workload, WorkId(w), policy);
  if (const Cluster& cluster = platform.clusters()[0]; platform[cluster.link].implied)
    refuse(policy,
           fmt::format("cluster '{}' without a 'link', over which its head sends loads", cluster.name));
}

constexpr std::string_view kChannel = "a platform of one cluster behind a steady link";

}  // namespace

const Demands kAnyLoads{"loads", kChannel, check<Form::any>};
const Demands kPlainLoads{"loads without set-ups", kChannel, check<Form::plain>};
const Demands kAlikeLoads{"loads of one cost, without set-ups", kChannel, check<Form::alike>};

}  // namespace perigee::realtime

// Options of batch policies that would say nothing, which are refused: beside others, or on a platform.
#pragma once

#include <algorithm>
#include <string_view>

#include "runtime/schedulers/catalogue.h"

namespace perigee::batch {

// Of a policy with off_after and keep_on. Error "bad_parameter": hosts are to stay on that nothing switches off.
inline void check_keep_on(const Arguments& given, std::string_view policy) {
  if (!given.has("off_after") && !given.is_default("keep_on"))
    fail(
        "bad_parameter",
        "{}: keep_on is given without off_after, so no host is switched off; give off_after, or leave keep_on out",
        policy);
}

// Of a policy with preempt and exempt. Error "bad_parameter": works are to be spared that nothing preempts.
inline void check_exempt(const Arguments& given, std::string_view policy) {
  if (given.choice("preempt") == "off" && !given.is_default("exempt"))
    fail("bad_parameter",
         "{}: exempt is given without preempt, so no work is preempted; give preempt, or leave exempt out",
         policy);
}

inline bool switches_off(const Arguments& given) {
  return given.has("off_after") && !given.is("off_after", "never");
}

// Error "not_accepted": no host can be switched off, for none says what it draws.
inline void check_some_power(const model::Platform& platform, const model::Workload&, model::WorkId,
                             std::string_view policy) {
  if (std::ranges::all_of(platform.hosts(), [](const model::Host& host) { return host.power == nullptr; }))
    fail(
        "not_accepted",
        "policy '{}': off_after switches off hosts that declare their power, and no host of the platform does; "
        "leave it out, or give hosts power = {{ idle =, busy = }}",
        policy);
}

inline const engine::Demands kSomePower{"any work", "a platform with a host that declares its power",
                                        check_some_power};

// What a policy with off_after demands of a platform; null: nothing.
inline const engine::Demands* demands_of_switching(const Arguments& given) {
  return switches_off(given) ? &kSomePower : nullptr;
}

}  // namespace perigee::batch

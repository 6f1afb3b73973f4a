// The record of one work as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/bindings/script/script.h"
#include "runtime/model/scenario.h"

namespace perigee::bindings {

// One work, and what is known of the list in which it is written.
struct WorkOf {
  const Scenario& scenario;
  const std::vector<std::string>& architectures;
  WorkId id;
  std::uint32_t first_of_list = 0;
  const std::vector<std::uint32_t>& makers;  // per file, the task that makes it; model::kNone = nobody

  const Workload& workload() const { return *scenario.workload; }
  const Platform& platform() const { return *scenario.platform; }
  const Work& work() const { return workload().works[id.index]; }
  // With the fields of its kind; a work without any has the defaults.
  const WorkExtra& extra() const {
    static const WorkExtra kDefaults;
    return work().extra != model::kNone ? workload().extras[work().extra] : kDefaults;
  }
  const model::Sizes* sizes() const { return workload().sizes_of(id); }
  std::string name() const { return workload().name_of(id); }
  [[noreturn]] void refuse(std::string_view what) const {
    fail("not_plain", "{} {}; no plain declaration says so", name(), what);
  }
};

// "{ name = ..., time = ... }". Error "not_plain" where no plain declaration says what the work is.
std::string record_text(const WorkOf& of);
void add_record_words(std::vector<WrittenWord>& words);

}  // namespace perigee::bindings

#include "tests/support/every_policy.h"

#include <map>

#include "tests/support/layers.h"
#include "tests/support/small_search.h"

namespace perigee::test {

std::vector<ConfiguredPolicy> every_policy() {
  const Catalogue catalogue;
  std::vector<ConfiguredPolicy> all;
  const auto add = [&](const std::string& name, const std::map<std::string, Value>& given) {
    const ConfigPtr config = catalogue.configure(name, given);
    for (const ConfiguredPolicy& each : all)
      if (each.text == config->text()) return;  // a default, spelt out
    all.push_back({config->text(), config});
  };
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::policy) continue;
    add(entry->name, {});
    for (const Parameter& parameter : entry->parameters) {
      for (const std::string& choice : parameter.choices)
        if (choice != "count" && choice != "low_power" && choice != "least_energy")
          add(entry->name, {{parameter.name, choice}});
      for (const std::string& word : parameter.words)
        if (parameter.name != "off_after") add(entry->name, {{parameter.name, word}});
      for (const auto& mapper : catalogue.entries())
        if (can_be(parameter, *mapper) && !gives_up(*mapper))
          add(entry->name, {{parameter.name, catalogue.configure(mapper->name, small_search(*mapper))}});
    }
  }
  return all;
}

}  // namespace perigee::test

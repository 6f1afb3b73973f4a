#include "interpreter/session/settings.h"

#include <fmt/format.h>

#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/text.h"

namespace perigee::session {

const std::string* Settings::find(const std::string& name) {
  read_.insert(name);
  cell_.note_setting(name);
  const auto found = options_.settings.find(name);
  return found == options_.settings.end() ? nullptr : &found->second;
}

void Settings::check() const {
  const std::vector<std::string> known(read_.begin(), read_.end());
  for (const auto& [name, value] : options_.settings) {
    if (read_.contains(name)) continue;
    Diagnostic diagnostic{"unknown_setting",
                          fmt::format("--set {}={}: the script never reads a setting '{}'{}", name, value,
                                      name, did_you_mean(name, known)),
                          {},
                          {}};
    if (!known.empty()) diagnostic.notes.push_back(fmt::format("it reads: {}", fmt::join(known, ", ")));
    diagnostic.notes.emplace_back("what it printed and saved was made without it");
    throw Error(std::move(diagnostic));
  }
}

}  // namespace perigee::session

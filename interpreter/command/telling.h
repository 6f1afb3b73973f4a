// Commands that tell what there is. Each prints and returns the exit status.
#pragma once

#include <string>

#include "interpreter/layers.h"

namespace perigee::command {

int list_scripts();
// The schedulers of a family, all when it is empty; or "scripts", "modules".
int list(const std::string& family);
int describe_named(const std::string& name);
// Help on a word, scheduler, metric or field, as at the prompt.
int help_on_name(const std::string& name);
// The page on standard output; or in the folder as reference.md, with perigee.lua for editors beside it.
int write_reference(const std::string& folder);

}  // namespace perigee::command

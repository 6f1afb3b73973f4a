// A script that a command runs or checks, and how that ended.
#pragma once

#include <optional>
#include <string>

#include "interpreter/session/options.h"

namespace perigee::command {

class Messages;

// The path of the script that was named. Complains where there is none.
std::optional<std::string> script_named(const std::string& given);
// Runs the script, or checks it where the options say so. `messages`: told of errors too; null = nobody. The exit status.
int run_named(const std::string& given, session::InterpreterOptions options, Messages* messages = nullptr);

}  // namespace perigee::command

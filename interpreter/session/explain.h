#pragma once

#include <string>

#include "interpreter/layers.h"
#include "runtime/kernel/error.h"

namespace perigee::session {

class Interpreter;

// "file:14: error: message", the source line, notes and the calls that led there.
std::string explain(const Error& error, const Interpreter& interpreter);

}  // namespace perigee::session

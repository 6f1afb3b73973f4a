// Checks that the readers of task graphs share.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/model/task_graph.h"

namespace perigee::readers {

// Calls the function; its errors name the file.
template <class Action>
void in_workflow_file(std::string_view file, Action action) {
  try {
    action();
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (!diagnostic.where.known()) diagnostic.where = {std::string(file), 0};
    throw Error(std::move(diagnostic));
  }
}

}  // namespace perigee::readers

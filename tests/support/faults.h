#pragma once

#include <string>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

namespace perigee::test {

// An Error as tests see it: its code and its whole text, with file and line. Empty when nothing went wrong.
struct Fault {
  std::string code, text, message;
};

template <class Action>
Fault fault_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.diagnostic().code, error.diagnostic().text(), error.diagnostic().message};
  }
  return {};
}

// "code text".
template <class Action>
std::string fault_line(Action action) {
  const Fault fault = fault_of(action);
  return fault.code.empty() ? std::string() : fault.code + " " + fault.text;
}

}  // namespace perigee::test

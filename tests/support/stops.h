#pragma once

#include <catch2/catch.hpp>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

namespace perigee::test {

// Checks that a limit with that code stops the script.
inline void stops(const std::string& script, const std::string& code, InterpreterOptions options) {
  Interpreter interpreter(open_words, std::move(options));
  INFO(script);
  try {
    interpreter.run_text("s.lua", script);
    FAIL("it went on to its end");
  } catch (const Stopped& stopped) {
    CHECK(stopped.diagnostic().code == code);
  }
}

}  // namespace perigee::test

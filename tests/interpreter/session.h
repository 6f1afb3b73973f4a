// A script that runs piece by piece, and what it prints.
#pragma once

#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/session/explain.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

namespace perigee::test {

class Session {
 public:
  explicit Session(std::uint64_t seed = 1) : interpreter_(open_words, options(seed)) {}
  std::string run(const std::string& text, const std::string& name = "script.lua") {
    out_.clear();
    interpreter_.run_text(name, text);
    return out_;
  }
  // The message of the error that it ends with, as it is shown.
  std::string error(const std::string& text) {
    try {
      run(text);
    } catch (const Error& error) {
      return explain(error, interpreter_);
    }
    return "none";
  }
  Interpreter& interpreter() { return interpreter_; }

 private:
  InterpreterOptions options(std::uint64_t seed) {
    InterpreterOptions options;
    options.seed = seed;
    options.output = [this](std::string_view text) { out_ += text; };
    return options;
  }
  std::string out_;
  Interpreter interpreter_;
};

}  // namespace perigee::test

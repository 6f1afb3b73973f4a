// Scripts with experiments that tests run, and how they ended.
#pragma once

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "interpreter/bindings/words.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/session/explain.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

namespace perigee::test {

using namespace perigee::experiments;

struct ExperimentEnded {
  std::string out, warnings, error;
  std::size_t cells = 0, stored = 0;  // of the last experiment
};

inline ExperimentEnded run_experiment(const std::string& script, InterpreterOptions options, bool is_file) {
  ExperimentEnded ended;
  options.output = [&](std::string_view more) { ended.out += more; };
  options.warnings = [&](std::string_view line) { ended.warnings += std::string(line) + "\n"; };
  options.on_cells = [&](const CellProgress* progress) {
    if (progress == nullptr) return;
    ended.cells = progress->total;
    ended.stored = progress->stored;
  };
  Interpreter interpreter(open_words, std::move(options));
  try {
    if (is_file)
      interpreter.run_file(script);
    else
      interpreter.run_text("test.lua", script);
    interpreter.settings().check();
  } catch (const Error& error) {
    ended.error = explain(error, interpreter);
  }
  return ended;
}
inline ExperimentEnded of_text(const std::string& script, InterpreterOptions options = {}) {
  return run_experiment(script, std::move(options), false);
}
inline ExperimentEnded of_file(const std::string& path, InterpreterOptions options = {}) {
  return run_experiment(path, std::move(options), true);
}
inline std::string output_of(const std::string& script) {
  const ExperimentEnded ended = of_text(script);
  CHECK(ended.error == "");
  return ended.out;
}

inline const std::string kWorld =
    "local s = scenario { platform = platform { host 'a' {}, host 'b' { speed = 2 } },\n"
    "  workload = workload.tasks(8, function(i, rng) return { ops = rng:uniform(5, 15), arrival = i } end) "
    "}\n";

}  // namespace perigee::test

// The prompt as tests speak to it, without a terminal.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/prompt/repl.h"
#include "tests/support/layers.h"

namespace perigee::test {

struct ReplSession {
  std::string printed;
  Repl repl;
  ReplSession()
      : repl([this] {
          InterpreterOptions options;
          options.output = [this](std::string_view text) { printed += text; };
          options.warnings = [](std::string_view) {};
          return options;
        }()) {}
  // The text seen after the lines: printed text, values, errors.
  std::string operator()(const std::string& lines) {
    std::istringstream in(lines);
    std::string line, seen;
    printed.clear();
    while (std::getline(in, line)) {
      const Repl::Reply reply = repl.feed(line);
      seen += std::exchange(printed, {}) + reply.output + reply.error;
    }
    return seen;
  }
  std::vector<std::string> complete(const std::string& text) {
    return repl.complete(text, text.size()).candidates;
  }
};

inline bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

inline const char* const kReplScenario = R"(s = scenario {
  platform = platform { cluster "fast" { nodes = 2 }, cluster "slow" { nodes = 1 } },
  workload = workload.tasks(9, function(i) return { time = 10 * i, arrival = i } end),
}
)";

}  // namespace perigee::test

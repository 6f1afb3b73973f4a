// Interpreters side by side, and their state after an interrupt.
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/host/memory.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

const char* const kSandboxScript = R"lua(
  policy "mine" {
    begin = function(self) self.draws = {} end,
    decide = function(self, sim)
      local rng = sim:stream "choice"
      for w = 1, sim:work_count() do
        local hosts = sim:hosts()
        local h = #hosts > 0 and rng:choice(hosts)
        if h and sim:state(w) == "waiting" and sim:idle_cores(h) > 0 then
          sim:start(w, h)
          self.draws[#self.draws + 1] = h
        end
      end
    end,
  }
  heuristic "odd" { pick = function(c, task) return math.sin(c:best(task)) end }
  local s = scenario {
    platform = platform { cluster "a" { nodes = 4, availability = { values = { 1, 0.5 }, every = 30 } } },
    workload = workload.tasks(60, function(i, rng) return { time = rng:lognormal(10, 5), arrival = rng:uniform(0, 99) } end),
    events = { failures { all = true, mtbf = 100, mttr = 5 } },
  }
  for seed = 1, 3 do
    for _, p in ipairs { "mine", "fcfs", mapped { map = "odd" } } do
      local r = s:run { policy = p, seed = seed }
      print(r.policy, r.full_fingerprint, r.mean_response, math.random(1, 1000))
    end
  end
)lua";

std::string sandbox_output_of(const std::string& script) {
  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view text) { printed += text; };
  options.warnings = [](std::string_view) {};
  Interpreter interpreter(open_words, options);
  interpreter.run_text("s.lua", script);
  return printed;
}

}  // namespace

TEST_CASE("scripts in several threads at once do what one alone does") {
  const std::string alone = sandbox_output_of(kSandboxScript);
  CHECK(alone.size() > 300);
  std::vector<std::string> printed(4);
  std::vector<std::thread> threads;
  for (std::string& each : printed)
    threads.emplace_back([&each] { each = sandbox_output_of(kSandboxScript); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& each : printed) CHECK(each == alone);
}

TEST_CASE("what the collector could not finish goes with the interpreter") {
  const std::string deep = R"lua(
    local function deep(s)
      for i = 1, 10 do host "a" {} end
      for i = 1, 50000 do local garbage = { i } end  -- the collector comes at the deepest call too
      return (s:gsub(".", deep))
    end
    print(pcall(deep, "a"))
  )lua";
  CHECK(sandbox_output_of(deep).find("overflow") !=
        std::string::npos);  // the first call makes data that all interpreters share
  const std::int64_t before = memory_account.used;
  sandbox_output_of(deep);
  CHECK(memory_account.used == before);
}

TEST_CASE("a coroutine that an interrupt has stopped runs no more, not even to close its variables") {
  InterpreterOptions options;
  options.interactive = true;
  Interpreter interpreter(open_words, options);
  std::atomic<bool> begun = false, over = false;
  std::thread user([&] {
    while (!begun) std::this_thread::yield();
    while (!over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      interpreter.interrupt();
    }
  });
  begun = true;
  try {
    interpreter.run_text("s.lua", R"lua(
      co = coroutine.create(function()
        local x <close> = setmetatable({}, { __close = function() while true do end end })
        while true do end
      end)
      coroutine.resume(co)
    )lua");
    FAIL_CHECK("it went on");
  } catch (const Stopped& stopped) {
    CHECK(stopped.diagnostic().code == "interrupted");
  }
  over = true;
  user.join();
  interpreter.resume();
  interpreter.run_text("t.lua", R"lua(
    local ok, e = pcall(coroutine.close, co)
    assert(not ok and e.code == "stopped", e)
    assert(not coroutine.resume(co) and coroutine.status(co) == "dead")
  )lua");
}

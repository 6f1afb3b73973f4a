// A session of the prompt as a notebook speaks to it: requests in, replies and broadcasts out, no sockets.
#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/notebook/message.h"
#include "interpreter/notebook/publisher.h"
#include "interpreter/prompt/repl.h"
#include "interpreter/prompt/run_lines.h"
#include "interpreter/session/audience.h"

namespace perigee::notebook {

// The answer to what front ends ask first, the same for every kernel.
nlohmann::json kernel_info();

class Notebook final : private Audience {
 public:
  // The options say where and how the cells run; the output goes to the publisher.
  Notebook(InterpreterOptions options, Publisher& publisher);

  struct Answer {
    std::string type = {};        // of the reply; empty where the request has none
    nlohmann::json content = {};  // of the reply
    bool stops_queue = false;     // a cell failed, and those that wait behind it are not to run
  };
  // To be called before anybody is told that the kernel is busy with the request: from then on it can be interrupted.
  void begin(const Message& request) noexcept;
  // Serves a request of the shell channel. Called by one thread, in which the cells run.
  Answer answer(const Message& request);
  // The reply to a cell that is not run, because one before it failed.
  Answer aborted() const;

  // From any thread: stops the cell that runs, if one does. The request holds until that cell ends, and `insist`
  // repeats it where the cell was only about to begin.
  void interrupt() noexcept;
  void insist() noexcept;
  // From any thread: stops what runs, for good.
  void hang_up() noexcept;

 private:
  nlohmann::json execute(const nlohmann::json& request, bool& stops_queue);
  nlohmann::json value_of(const std::string& expression);
  nlohmann::json complete(const nlohmann::json& request);
  nlohmann::json inspect(const nlohmann::json& request);
  nlohmann::json is_complete(const nlohmann::json& request);
  nlohmann::json history(const nlohmann::json& request) const;
  InterpreterOptions with_output(InterpreterOptions options);
  void show(lua_State* L, int index);
  // Things that scripts show.
  void printed(std::string_view text) override;
  void shown(pages::Item item, std::string_view text) override;
  void warned(std::string_view line) override;
  void ran(std::uint64_t, const Outcome&) override {}

  Publisher& publisher_;
  RunLines lines_;
  Repl repl_;
  int count_ = 0;
  bool silent_ = false;
  std::vector<std::pair<int, std::string>> history_;
  std::atomic<bool> running_ = false, asked_ = false;  // to stop
};

// The name that an inspection asks for: the one at the byte `cursor`, or that of the function in whose
// parentheses it is.
std::string name_at(const std::string& code, std::size_t cursor);

}  // namespace perigee::notebook

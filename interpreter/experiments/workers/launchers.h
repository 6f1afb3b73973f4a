// The processes that bring workers: one each over a pipe, or many that connect back. They are started again
// when they end, until they have ended in vain too often.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/experiments/workers/launch.h"

namespace perigee::experiments {

struct Slot {
  Command command;
  bool by_pipe = true;
  std::optional<Child> child = {};
  bool connected = false;  // over the pipe
  bool was_ready = false;  // a worker that it brought has said hello
  bool got_cells = false;  // a worker that it brought
  int in_vain = 0;         // times in a row that it has ended and none of its workers had got a cell
  bool over = false;       // given up
  std::chrono::steady_clock::time_point again_at = {};  // when it may be started again
};

class Launchers {
 public:
  struct Told {
    std::function<void(int socket, Slot& slot)> brought;  // a worker is at the other end of the socket
    std::function<void(const std::string& line)> lost;    // no more come, or come again
  };
  Launchers(std::vector<WorkersSpec> specs, Told told) : specs_(std::move(specs)), told_(std::move(told)) {}
  ~Launchers();  // see end()
  Launchers(const Launchers&) = delete;
  Launchers& operator=(const Launchers&) = delete;

  // Starts all but those of this machine. Error "bad_file" or "no_file" for a list of hosts.
  void start(const std::string& access_file);
  // Starts those of this machine; no more than there are cells, of the largest experiment so far.
  void start_local(std::size_t cells);
  void look();                                                     // at those that have ended
  bool any() const;                                                // whether workers may still come
  const std::string& last_reason() const { return last_reason_; }  // why none comes
  void give_up(Slot& slot, const std::string& why);
  // How the process of a lost worker has ended. One that is silent still runs, and is ended; an ssh goes with
  // its pipe. `why`: what is known without it.
  static std::string end_of(Slot& slot, const std::string& why);
  // Calls call(slot) for that of a worker, or for all that bring workers over the network where that is null.
  template <class F>
  void each_of(Slot* slot, F&& call) {
    if (slot != nullptr) return call(*slot);
    for (Slot& each : slots_)
      if (!each.by_pipe) call(each);
  }

 private:
  void add(const WorkersSpec& spec, const std::string& access_file);
  void start(Slot& slot);
  void look_at(Slot& slot);
  void end();  // waits for the processes, whose workers have lost their connection; then by signals

  std::vector<WorkersSpec> specs_;
  Told told_;
  std::deque<Slot> slots_;
  std::size_t local_ = 0;  // slots of this machine
  std::string last_reason_ = "none came";
};

}  // namespace perigee::experiments

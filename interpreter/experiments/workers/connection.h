// One worker, as its coordinator sees it: a connection with what is known of the worker. Used by the thread
// of the server alone.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/experiments/dealer.h"
#include "interpreter/experiments/workers/access.h"
#include "interpreter/experiments/workers/messages.h"

namespace perigee::experiments {

struct Slot;  // see launchers.h
using Clock = std::chrono::steady_clock;

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  // Calls for what comes in. `said` and `written` may throw, which ends the connection like a loss.
  struct Heard {
    std::function<void(const std::shared_ptr<Connection>&, Says, std::string_view)> said;
    std::function<void(const std::shared_ptr<Connection>&, const std::string& why)> lost;
    std::function<void(const std::shared_ptr<Connection>&)> written;  // nothing is left to be written
  };

  // `secret`: the worker has to prove that it knows it; null = it is at the other end of our own pipe.
  Connection(Socket socket, const Heard& heard, const Secret* secret, Slot* slot);
  void begin();  // hears what comes in, from a worker with a secret once it has proved it; to be called once
  void send(std::string frame);
  bool writing() const { return writing_; }
  void close();  // at once, unsent messages are lost; `lost` is not called

  // Facts about the worker.
  Slot* slot;  // which brought it; null = it came over the network
  std::optional<Hello> hello;
  Clock::time_point heard_at = Clock::now();
  std::optional<std::size_t> at;   // the experiment that it has entered
  std::string digest;              // of its declaration there
  ExperimentPtr experiment;        // null: the main interpreter has not come to it
  std::deque<std::uint64_t> hand;  // cells that it has and has not answered, in their order
  bool leaves = false;             // it has said so, and gets no more
  bool knows_end = false;          // it has been told that the experiment is over, or fails
  std::optional<CellOutcomes::const_iterator> next_result;  // while outcomes are sent to it
  OutcomeParser outcomes;                                   // of the cells that it has computed
  OutcomeWriter results;                                    // of all cells, which it is sent at the end

 private:
  void greet();
  void read_header_of_next();
  void read_body(Says kind, std::uint32_t size);
  void write();
  void lose(const std::string& why);

  Socket socket_;
  const Heard& heard_;
  const Secret* secret_;
  std::string in_, outbox_, out_;
  bool writing_ = false, closed_ = false;
  bool deaf_ = false;  // it reads no more
};

}  // namespace perigee::experiments

#include "interpreter/notebook/kernel.h"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "interpreter/host/terminal.h"
#include "interpreter/notebook/caught_output.h"
#include "interpreter/notebook/connection.h"
#include "interpreter/notebook/message.h"
#include "interpreter/notebook/notebook.h"
#include "interpreter/notebook/publisher.h"
#include "interpreter/notebook/zmq_sockets.h"

namespace perigee::notebook {

namespace {

using nlohmann::json;

sigset_t signals_of_a_kernel() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
  return signals;
}

// While an object of this class lives, those signals wait for the thread that takes them, in every thread. A handler
// would break into system calls, and ZeroMQ ends the process then.
class BlockedSignals {
 public:
  BlockedSignals() {
    const sigset_t signals = signals_of_a_kernel();
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_ = {};
};

// The process that started the kernel, as far as Jupyter names it: without it nobody could end the kernel.
class Parent {
 public:
  Parent() {
    const char* const named = std::getenv("JPY_PARENT_PID");
    const int id = named != nullptr ? std::atoi(named) : 0;
    if (id > 1 && kill(id, 0) == 0) id_ = id;
    ours_ = id_ > 0 && getppid() == id_;
  }
  bool gone() const {
    if (id_ == 0) return false;
    return ours_ ? getppid() != id_ : kill(id_, 0) != 0 && errno == ESRCH;
  }

 private:
  pid_t id_ = 0;
  bool ours_ = false;
};

class Kernel {
 public:
  Kernel(const Connection& connection, InterpreterOptions options)
      : key_(connection.key),
        shell_(sockets_.listen(Sockets::Kind::router, connection.address(connection.shell))),
        control_(sockets_.listen(Sockets::Kind::router, connection.address(connection.control))),
        iopub_(sockets_.listen(Sockets::Kind::publish, connection.address(connection.iopub))),
        input_(sockets_.listen(Sockets::Kind::router, connection.address(connection.input))),
        heart_(sockets_.listen(Sockets::Kind::reply, connection.address(connection.heartbeat))),
        woken_(eventfd(0, EFD_CLOEXEC)),
        publisher_([this](const Message& message) { iopub_->send(frames_of(message, key_)); }),
        notebook_(std::move(options), publisher_),
        caught_([this](std::string_view text) { publisher_.print("stdout", text); }) {}
  ~Kernel() { close(woken_); }
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  void run() {
    std::thread heart([this] {
      while (const std::optional<Frames> beat = heart_->receive()) heart_->send(*beat);
    });
    std::thread control([this] { serve_control(); });
    std::thread signals([this] { take_signals(); });
    publisher_.publish_for({}, "status", {{"execution_state", "starting"}});
    serve_shell();
    end();
    served_ = true;
    pthread_kill(signals.native_handle(), SIGHUP);  // it need not wait
    signals.join();
    sockets_.end();
    heart.join();
    control.join();
  }

 private:
  // From any thread: the kernel stops what runs and ends.
  void end() {
    ending_ = true;
    notebook_.hang_up();
    const std::uint64_t one = 1;
    (void)!write(woken_, &one, sizeof one);
  }

  std::optional<Message> read(Sockets::Socket& socket, bool wait) {
    while (const std::optional<Frames> frames = socket.receive(wait)) {
      std::string why;
      if (std::optional<Message> message = message_of(*frames, key_, why)) return message;
      host::write_error(fmt::format("perigee kernel: a message was ignored: {}\n", why));
    }
    return std::nullopt;
  }

  void reply(Sockets::Socket& socket, const Message& request, const std::string& type, json content) {
    Message message = session_.make(type, std::move(content), request.header);
    message.identities = request.identities;
    socket.send(frames_of(message, key_));
  }

  // ---- the shell channel, in the main thread

  void serve_shell() {
    while (!ending_) {
      if (waiting_.empty()) {
        if (!Sockets::wait(*shell_, woken_)) return;
        take_waiting();
        continue;
      }
      const Message request = std::move(waiting_.front());
      waiting_.pop_front();
      serve(request);
    }
  }

  void take_waiting() {
    while (std::optional<Message> message = read(*shell_, false)) waiting_.push_back(std::move(*message));
  }

  void serve(const Message& request) {
    if (request.type() == "shutdown_request") {  // clients of older protocols send it here
      shut_down(*shell_, request);
      return;
    }
    const bool stopped = stops_queue_.erase(request.id()) > 0;
    if (!stopped) notebook_.begin(request);
    publisher_.begin(request.header);
    publisher_.publish_for(request.header, "status", {{"execution_state", "busy"}});
    Notebook::Answer answer = stopped ? notebook_.aborted() : answer_to(request);
    if (answer.stops_queue) {  // before the client knows of the failure: what it sends then is meant to run
      take_waiting();
      for (const Message& each : waiting_)
        if (each.type() == "execute_request") stops_queue_.insert(each.id());
    }
    if (!answer.type.empty()) reply(*shell_, request, answer.type, std::move(answer.content));
    publisher_.flush();
    publisher_.publish_for(request.header, "status", {{"execution_state", "idle"}});
  }

  Notebook::Answer answer_to(const Message& request) {
    try {
      return notebook_.answer(request);
    } catch (const std::exception& error) {
      host::write_error(fmt::format("perigee kernel: {} failed: {}\n", request.type(), error.what()));
      return {};
    }
  }

  // ---- the control channel, in a thread of its own, so that it answers while a cell runs

  void serve_control() {
    while (const std::optional<Message> request = read(*control_, true)) {
      const std::string type = request->type();
      if (type == "shutdown_request") {
        shut_down(*control_, *request);
        continue;
      }
      publisher_.publish_for(request->header, "status", {{"execution_state", "busy"}});
      if (type == "interrupt_request") {
        notebook_.interrupt();
        reply(*control_, *request, "interrupt_reply", {{"status", "ok"}});
      } else if (type == "kernel_info_request") {
        reply(*control_, *request, "kernel_info_reply", kernel_info());
      }
      publisher_.publish_for(request->header, "status", {{"execution_state", "idle"}});
    }
  }

  void shut_down(Sockets::Socket& socket, const Message& request) {
    const json content = {{"status", "ok"}, {"restart", flag_in(request.content, "restart", false)}};
    publisher_.publish_for(request.header, "status", {{"execution_state", "busy"}});
    reply(socket, request, "shutdown_reply", content);
    publisher_.publish_for(request.header, "shutdown_reply", content);
    publisher_.publish_for(request.header, "status", {{"execution_state", "idle"}});
    end();
  }

  // ---- signals, in a thread of its own

  void take_signals() {
    const sigset_t signals = signals_of_a_kernel();
    constexpr timespec kOften{1, 0};
    constexpr int kPatience = 5;  // looks until a cell that does not stop is left where it is
    const Parent parent;
    for (int ended = 0; !served_; ended += ending_ ? 1 : 0) {
      const int got = sigtimedwait(&signals, nullptr, &kOften);
      if (got == SIGINT) notebook_.interrupt();
      if (got == SIGTERM || got == SIGHUP || (!ending_ && parent.gone())) end();
      if (got < 0) notebook_.insist();
      if (ended > kPatience) std::_Exit(EXIT_SUCCESS);
    }
  }

  Sockets sockets_;
  std::string key_;
  Session session_;
  std::unique_ptr<Sockets::Socket> shell_, control_, iopub_, input_, heart_;
  int woken_;
  std::atomic<bool> ending_ = false, served_ = false;
  std::deque<Message> waiting_;             // requests that came and were not served yet
  std::set<std::string> stops_queue_ = {};  // ids of those that are not to run
  Publisher publisher_;
  Notebook notebook_;
  CaughtOutput caught_;
};

}  // namespace

int run_kernel(const std::string& connection_file, InterpreterOptions options) {
  const Connection connection = read_connection(connection_file);
  const BlockedSignals blocked;  // before there is any thread
  Kernel kernel(connection, std::move(options));
  kernel.run();
  return EXIT_SUCCESS;
}

}  // namespace perigee::notebook

#include "interpreter/notebook/zmq_sockets.h"

#include "runtime/kernel/error.h"

#ifdef PERIGEE_ZEROMQ
#include <dlfcn.h>
#include <zmq.h>

#include <array>
#include <cerrno>
#endif

namespace perigee::notebook {

#ifdef PERIGEE_ZEROMQ

namespace {

// The functions of the library that are used.
struct Library {
  decltype(&zmq_ctx_new) ctx_new = nullptr;
  decltype(&zmq_ctx_shutdown) ctx_shutdown = nullptr;
  decltype(&zmq_ctx_term) ctx_term = nullptr;
  decltype(&zmq_socket) socket = nullptr;
  decltype(&zmq_setsockopt) setsockopt = nullptr;
  decltype(&zmq_getsockopt) getsockopt = nullptr;
  decltype(&zmq_bind) bind = nullptr;
  decltype(&zmq_close) close = nullptr;
  decltype(&zmq_poll) poll = nullptr;
  decltype(&zmq_send) send = nullptr;
  decltype(&zmq_msg_init) msg_init = nullptr;
  decltype(&zmq_msg_recv) msg_recv = nullptr;
  decltype(&zmq_msg_data) msg_data = nullptr;
  decltype(&zmq_msg_size) msg_size = nullptr;
  decltype(&zmq_msg_close) msg_close = nullptr;
  decltype(&zmq_errno) error = nullptr;
  decltype(&zmq_strerror) strerror = nullptr;

  Library() {
    void* const opened = dlopen("libzmq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr)
      fail("no_zeromq", "`perigee kernel` needs the library ZeroMQ: apt install libzmq5");
    const auto take = [&]<class F>(F& function, const char* name) {
      function = reinterpret_cast<F>(dlsym(opened, name));
      if (function == nullptr) fail("no_zeromq", "the library ZeroMQ of this system has no {}", name);
    };
    take(ctx_new, "zmq_ctx_new");
    take(ctx_shutdown, "zmq_ctx_shutdown");
    take(ctx_term, "zmq_ctx_term");
    take(socket, "zmq_socket");
    take(setsockopt, "zmq_setsockopt");
    take(getsockopt, "zmq_getsockopt");
    take(bind, "zmq_bind");
    take(close, "zmq_close");
    take(poll, "zmq_poll");
    take(send, "zmq_send");
    take(msg_init, "zmq_msg_init");
    take(msg_recv, "zmq_msg_recv");
    take(msg_data, "zmq_msg_data");
    take(msg_size, "zmq_msg_size");
    take(msg_close, "zmq_msg_close");
    take(error, "zmq_errno");
    take(strerror, "zmq_strerror");
  }
};

const Library& zmq() {
  static const Library library;
  return library;
}

}  // namespace

Sockets::Sockets() : context_(zmq().ctx_new()) {
  if (context_ == nullptr) fail("no_zeromq", "ZeroMQ cannot be started: {}", zmq().strerror(zmq().error()));
}

Sockets::~Sockets() { zmq().ctx_term(context_); }

void Sockets::end() { zmq().ctx_shutdown(context_); }

std::unique_ptr<Sockets::Socket> Sockets::listen(Kind kind, const std::string& address) {
  constexpr int kNone = 0, kOn = 1, kLinger = 1000;         // no limit of messages that wait; milliseconds
  constexpr std::int64_t kLargest = std::int64_t{1} << 28;  // bytes of a frame
  const int type = kind == Kind::router ? ZMQ_ROUTER : kind == Kind::publish ? ZMQ_PUB : ZMQ_REP;
  void* const made = zmq().socket(context_, type);
  if (made == nullptr) fail("cannot_listen", "ZeroMQ has no socket: {}", zmq().strerror(zmq().error()));
  std::unique_ptr<Socket> socket(new Socket(made));
  zmq().setsockopt(made, ZMQ_SNDHWM, &kNone, sizeof kNone);  // or output would be dropped
  zmq().setsockopt(made, ZMQ_RCVHWM, &kNone, sizeof kNone);
  zmq().setsockopt(made, ZMQ_LINGER, &kLinger, sizeof kLinger);
  zmq().setsockopt(made, ZMQ_MAXMSGSIZE, &kLargest, sizeof kLargest);
  if (kind == Kind::router) zmq().setsockopt(made, ZMQ_ROUTER_HANDOVER, &kOn, sizeof kOn);
  if (zmq().bind(made, address.c_str()) != 0)
    fail("cannot_listen", "the kernel cannot listen at {}: {}", address, zmq().strerror(zmq().error()));
  return socket;
}

Sockets::Socket::~Socket() { zmq().close(socket_); }

std::optional<Frames> Sockets::Socket::receive(bool wait) {
  Frames frames;
  for (int more = 1; more != 0;) {
    zmq_msg_t part;
    zmq().msg_init(&part);
    int got = -1;
    do {
      got = zmq().msg_recv(&part, socket_, wait ? 0 : ZMQ_DONTWAIT);
    } while (got < 0 && zmq().error() == EINTR);
    if (got >= 0) frames.emplace_back(static_cast<const char*>(zmq().msg_data(&part)), zmq().msg_size(&part));
    zmq().msg_close(&part);
    std::size_t size = sizeof more;
    if (got < 0 || zmq().getsockopt(socket_, ZMQ_RCVMORE, &more, &size) != 0) return std::nullopt;
  }
  return frames;
}

void Sockets::Socket::send(const Frames& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i)
    while (zmq().send(socket_, frames[i].data(), frames[i].size(), i + 1 < frames.size() ? ZMQ_SNDMORE : 0) <
           0)
      if (zmq().error() != EINTR) return;  // the client is gone, or the kernel ends
}

bool Sockets::wait(Socket& socket, int descriptor) {
  std::array<zmq_pollitem_t, 2> items{
      {{socket.socket_, 0, ZMQ_POLLIN, 0}, {nullptr, descriptor, ZMQ_POLLIN, 0}}};
  return zmq().poll(items.data(), static_cast<int>(items.size()), -1) >= 0 || zmq().error() == EINTR;
}

#else

Sockets::Sockets() {
  fail("no_zeromq", "this perigee was built without ZeroMQ: apt install libzmq3-dev, and build it again");
}
Sockets::~Sockets() = default;
void Sockets::end() {}
std::unique_ptr<Sockets::Socket> Sockets::listen(Kind, const std::string&) { return nullptr; }
Sockets::Socket::~Socket() = default;
std::optional<Frames> Sockets::Socket::receive(bool) { return std::nullopt; }
void Sockets::Socket::send(const Frames&) {}
bool Sockets::wait(Socket&, int) { return false; }

#endif

}  // namespace perigee::notebook

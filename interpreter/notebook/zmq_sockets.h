// Sockets of ZeroMQ. Its library is loaded when the first context is made: it brings 20 others, which no other command
// of perigee should wait for.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "interpreter/layers.h"
#include "interpreter/notebook/message.h"

namespace perigee::notebook {

class Sockets {
 public:
  // Error "no_zeromq", which says what to install.
  Sockets();
  ~Sockets();
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  enum class Kind { router, publish, reply };
  class Socket {
   public:
    // Waits for a message. Nothing where `wait` is false and none is there, and after end().
    std::optional<Frames> receive(bool wait = true);
    void send(const Frames& frames);
    ~Socket();

   private:
    friend class Sockets;
    explicit Socket(void* socket) : socket_(socket) {}
    void* socket_;
  };
  // A socket that listens. Error "cannot_listen". It is used by one thread at a time, and closed before the context.
  std::unique_ptr<Socket> listen(Kind kind, const std::string& address);
  // Waits for a message for the socket, or until the file descriptor can be read. False: after end().
  static bool wait(Socket& socket, int descriptor);
  // From any thread: all that wait return.
  void end();

 private:
  void* context_ = nullptr;
};

}  // namespace perigee::notebook

#include "interpreter/experiments/workers/connection.h"

#include <algorithm>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <cstring>
#include <utility>

namespace perigee::experiments {

namespace asio = boost::asio;
using boost::system::error_code;

Connection::Connection(Socket socket, const Heard& heard, const Secret* secret, Slot* its_slot)
    : slot(its_slot), socket_(std::move(socket)), heard_(heard), secret_(secret) {}

void Connection::begin() {
  if (secret_ != nullptr) return greet();
  read_header_of_next();
}

// The bytes are of fixed number until both sides have proved that they know the secret.
void Connection::greet() {
  in_.resize(kGreeting);
  const auto self = shared_from_this();
  asio::async_read(socket_, asio::buffer(in_), [self](error_code error, std::size_t) {
    if (error || !self->in_.starts_with(kMagic)) return self->lose("it does not speak perigee's protocol");
    Nonce theirs;
    std::memcpy(theirs.data(), self->in_.data() + kMagic.size(), theirs.size());
    const Nonce ours = new_nonce();
    const Proof proof = proof_of("coordinator", *self->secret_, theirs, ours);
    self->out_.assign(ours.begin(), ours.end()).append(proof.begin(), proof.end());
    const Proof expected = proof_of("worker", *self->secret_, theirs, ours);
    asio::async_write(self->socket_, asio::buffer(self->out_),
                      [self, expected](error_code failed, std::size_t) {
                        if (failed) return self->lose("its connection ended");
                        self->in_.resize(sizeof(Proof));
                        asio::async_read(self->socket_, asio::buffer(self->in_),
                                         [self, expected](error_code none, std::size_t) {
                                           Proof got{};
                                           if (!none) std::memcpy(got.data(), self->in_.data(), got.size());
                                           if (none || !same(got, expected))
                                             return self->lose("it does not know the secret of this run");
                                           self->read_header_of_next();
                                         });
                      });
  });
}

void Connection::read_header_of_next() {
  in_.resize(kHeader);
  asio::async_read(socket_, asio::buffer(in_), [self = shared_from_this()](error_code error, std::size_t) {
    if (error) return self->lose("its connection ended");
    try {
      const auto [kind, size] = read_header(self->in_);
      self->read_body(kind, size);
    } catch (const Error& bad) {
      self->lose(bad.diagnostic().message);
    }
  });
}

void Connection::read_body(Says kind, std::uint32_t size) {
  in_.resize(size);
  asio::async_read(socket_, asio::buffer(in_),
                   [self = shared_from_this(), kind](error_code error, std::size_t) {
                     if (self->closed_) return;
                     if (error) return self->lose("its connection ended");
                     self->heard_at = Clock::now();
                     try {
                       self->heard_.said(self, kind, self->in_);
                     } catch (const Error& bad) {
                       return self->lose(bad.diagnostic().message);
                     } catch (const std::exception& problem) {
                       return self->lose(problem.what());
                     }
                     if (!self->closed_) self->read_header_of_next();
                   });
}

void Connection::send(std::string frame) {
  if (closed_ || deaf_) return;
  outbox_ += frame;
  if (!writing_) write();
}

void Connection::write() {
  writing_ = true;
  out_.swap(outbox_);
  outbox_.clear();
  asio::async_write(socket_, asio::buffer(out_), [self = shared_from_this()](error_code error, std::size_t) {
    if (self->closed_) return;
    if (error) {  // what it has said before its end is still to be read, and then the end
      self->deaf_ = true;
      self->outbox_.clear();
      return;
    }
    self->writing_ = false;
    try {
      if (self->outbox_.empty()) self->heard_.written(self);
    } catch (const std::exception& problem) {
      return self->lose(problem.what());
    }
    if (!self->writing_ && !self->outbox_.empty()) self->write();
  });
}

void Connection::close() {
  closed_ = true;
  error_code ignored;
  socket_.shutdown(Socket::shutdown_both, ignored);
  socket_.close(ignored);
}

void Connection::lose(const std::string& why) {
  if (closed_) return;
  close();
  heard_.lost(shared_from_this(), why);
}

}  // namespace perigee::experiments

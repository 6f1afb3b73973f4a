#include "interpreter/notebook/publisher.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "interpreter/notebook/unicode.h"

namespace perigee::notebook {

namespace {

constexpr std::size_t kMostAtOnce = 1 << 20;  // bytes of printed text that wait

}  // namespace

Publisher::Publisher(std::function<void(const Message&)> send)
    : send_(std::move(send)), sender_([this] { send_now_and_then(); }) {}

Publisher::~Publisher() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  sender_.join();
}

void Publisher::send(const nlohmann::json& parent, const std::string& type, nlohmann::json content) {
  Message message = session_.make(type, std::move(content), parent);
  message.identities = {type};
  send_(message);
}

// `all`: also the beginning of a character whose end may still come.
void Publisher::send_printed(bool all) {
  const std::size_t size = all ? printed_.size() : complete_characters(printed_);
  if (size == 0) return;
  send(parent_, "stream",
       {{"name", stream_}, {"text", valid_utf8(std::string_view(printed_).substr(0, size))}});
  printed_.erase(0, size);
}

void Publisher::send_now_and_then() {
  constexpr std::chrono::milliseconds kOften{75};
  std::unique_lock lock(mutex_);
  while (!ending_) {
    wake_.wait(lock, [&] { return ending_ || !printed_.empty(); });
    wake_.wait_for(lock, kOften, [&] { return ending_; });
    send_printed(ending_);
    if (printed_.size() < 4 && !printed_.empty()) wake_.wait_for(lock, kOften, [&] { return ending_; });
  }
}

void Publisher::begin(const nlohmann::json& parent) {
  const std::scoped_lock lock(mutex_);
  send_printed(true);
  parent_ = parent;
  outputs_ = 0;
}

void Publisher::print(const std::string& stream, std::string_view text) {
  if (text.empty()) return;
  const std::scoped_lock lock(mutex_);
  if (stream != stream_) send_printed(true);
  stream_ = stream;
  const bool first = printed_.empty();
  printed_ += text;
  ++outputs_;
  if (printed_.size() > kMostAtOnce) send_printed(false);
  if (first) wake_.notify_one();
}

void Publisher::flush() {
  const std::scoped_lock lock(mutex_);
  send_printed(true);
}

void Publisher::publish(const std::string& type, nlohmann::json content) {
  const std::scoped_lock lock(mutex_);
  send_printed(true);
  if (type != "execute_input") ++outputs_;
  send(parent_, type, std::move(content));
}

void Publisher::publish_for(const nlohmann::json& parent, const std::string& type, nlohmann::json content) {
  const std::scoped_lock lock(mutex_);
  send(parent, type, std::move(content));
}

void Publisher::show_progress(const std::string& line) {
  const std::scoped_lock lock(mutex_);
  send_printed(true);
  if (!progress_) ++lines_;
  send(parent_, std::exchange(progress_, true) ? "update_display_data" : "display_data",
       {{"data", {{"text/plain", line}}},
        {"metadata", nlohmann::json::object()},
        {"transient", {{"display_id", fmt::format("progress-{}", lines_)}}}});
}

// Front ends cannot remove one output. Where it is the only one, all are cleared; else it becomes empty.
void Publisher::end_progress() {
  const std::scoped_lock lock(mutex_);
  if (!std::exchange(progress_, false)) return;
  if (outputs_ == 0)
    send(parent_, "clear_output", {{"wait", false}});
  else
    send(parent_, "update_display_data",
         {{"data", {{"text/plain", ""}}},
          {"metadata", nlohmann::json::object()},
          {"transient", {{"display_id", fmt::format("progress-{}", lines_)}}}});
}

}  // namespace perigee::notebook

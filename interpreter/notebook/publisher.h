// The broadcasts of a kernel: texts, shown values, whether it is busy. Texts are gathered and sent some times a
// second, for a message each would be more than clients can read. May be used by several threads.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>

#include "interpreter/notebook/message.h"

namespace perigee::notebook {

// Forms of one value by their MIME type.
using Bundle = std::map<std::string, std::string>;

class Publisher {
 public:
  // `send` gets each message, by one thread at a time.
  explicit Publisher(std::function<void(const Message&)> send);
  ~Publisher();
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  // From here on everything is an answer to the request with this header.
  void begin(const nlohmann::json& parent);
  // Adds to the output of the cell. `stream`: "stdout" or "stderr".
  void print(const std::string& stream, std::string_view text);
  // Sends what was printed so far.
  void flush();
  // Sends a message, after what was printed before.
  void publish(const std::string& type, nlohmann::json content);
  // The same for the request with this header, which another thread serves; what was printed may wait.
  void publish_for(const nlohmann::json& parent, const std::string& type, nlohmann::json content);

  // A line that tells how far something is, in place of the one before. Nothing is shown once `end_progress` was
  // called, until the next line.
  void show_progress(const std::string& line);
  void end_progress();

 private:
  void send(const nlohmann::json& parent, const std::string& type, nlohmann::json content);
  void send_printed(bool all);
  void send_now_and_then();

  std::mutex mutex_;
  std::function<void(const Message&)> send_;
  Session session_;
  nlohmann::json parent_ = nlohmann::json::object();
  std::string stream_, printed_;  // of which stream the text is that was not sent yet
  std::size_t outputs_ = 0;       // of the cell, without the line of progress
  std::size_t lines_ = 0;         // of progress that were begun
  bool progress_ = false;         // one is shown
  bool ending_ = false;
  std::condition_variable wake_;
  std::thread sender_;
};

}  // namespace perigee::notebook

// Messages of the Jupyter protocol, version 5.3, and their frames on the wire.
#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::notebook {

using Frames = std::vector<std::string>;

// A field of an object that others wrote; empty, or `otherwise`, where it is absent or of another type.
std::string text_in(const nlohmann::json& of, const char* field);
bool flag_in(const nlohmann::json& of, const char* field, bool otherwise);
std::int64_t number_in(const nlohmann::json& of, const char* field, std::int64_t otherwise);

struct Message {
  std::vector<std::string> identities = {};  // to whom an answer goes; of a broadcast its topic
  nlohmann::json header, parent, metadata, content;
  std::string type() const;  // "execute_request"
  std::string id() const;
};

// HMAC-SHA256 of the texts, one behind the other, in hexadecimal digits; empty without a key.
std::string signature(std::string_view key, const std::vector<std::string_view>& texts);

// The message in the frames, or nothing, with the reason: it is not signed with the key, or is malformed.
std::optional<Message> message_of(const Frames& frames, std::string_view key, std::string& why);
// Bytes that are no UTF-8 are replaced.
Frames frames_of(const Message& message, std::string_view key);

// One process of a kernel, as messages tell it. May be used by several threads.
class Session {
 public:
  Session();
  // A message whose cause is `parent`.
  Message make(std::string_view type, nlohmann::json content, const nlohmann::json& parent);

 private:
  std::string id_;
  std::atomic<std::uint64_t> count_ = 0;
};

}  // namespace perigee::notebook

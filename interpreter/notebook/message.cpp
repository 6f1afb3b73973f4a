#include "interpreter/notebook/message.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "runtime/kernel/error.h"

namespace perigee::notebook {

namespace {

constexpr std::string_view kDelimiter = "<IDS|MSG>";
constexpr const char* kProtocol = "5.3";

template <class Bytes>
std::string hexadecimal(const Bytes& bytes) {
  std::string digits;
  for (const unsigned char byte : bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::string dumped(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Now, in UTC, as the protocol wants it.
std::string date() {
  const auto now = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::time_point_cast<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), (now - seconds).count());
}

}  // namespace

std::string text_in(const nlohmann::json& of, const char* field) {
  const auto found = of.find(field);
  return found != of.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool flag_in(const nlohmann::json& of, const char* field, bool otherwise) {
  const auto found = of.find(field);
  return found != of.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

std::int64_t number_in(const nlohmann::json& of, const char* field, std::int64_t otherwise) {
  const auto found = of.find(field);
  return found != of.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

std::string Message::type() const { return text_in(header, "msg_type"); }
std::string Message::id() const { return text_in(header, "msg_id"); }

std::string signature(std::string_view key, const std::vector<std::string_view>& texts) {
  if (key.empty()) return {};
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  };
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, bytes(key), key.size());
  for (const std::string_view text : texts) crypto_auth_hmacsha256_update(&state, bytes(text), text.size());
  std::array<unsigned char, crypto_auth_hmacsha256_BYTES> made{};
  crypto_auth_hmacsha256_final(&state, made.data());
  return hexadecimal(made);
}

std::optional<Message> message_of(const Frames& frames, std::string_view key, std::string& why) {
  constexpr std::size_t kParts = 4;  // header, parent, metadata, content
  const auto refused = [&](const char* reason) {
    why = reason;
    return std::nullopt;
  };
  const auto delimiter = std::find(frames.begin(), frames.end(), kDelimiter);
  if (delimiter == frames.end()) return refused("it has no delimiter");
  if (frames.end() - delimiter < static_cast<std::ptrdiff_t>(2 + kParts)) return refused("it is not whole");
  const auto parts = delimiter + 2;
  const std::string wanted = signature(key, {parts, parts + kParts});
  const std::string& given = delimiter[1];
  if (!key.empty() &&
      (given.size() != wanted.size() || sodium_memcmp(given.data(), wanted.data(), wanted.size()) != 0))
    return refused("its signature is not that of the connection file's key");
  std::array<nlohmann::json, kParts> read;
  for (std::size_t i = 0; i < kParts; ++i) {
    read[i] = nlohmann::json::parse(parts[static_cast<std::ptrdiff_t>(i)], nullptr, false);
    if (!read[i].is_object()) return refused("a part of it is no JSON object");
  }
  Message message{{frames.begin(), delimiter},
                  std::move(read[0]),
                  std::move(read[1]),
                  std::move(read[2]),
                  std::move(read[3])};
  if (message.type().empty()) return refused("it has no type");
  return message;
}

Frames frames_of(const Message& message, std::string_view key) {
  Frames frames = message.identities;
  frames.emplace_back(kDelimiter);
  const std::array parts{dumped(message.header), dumped(message.parent), dumped(message.metadata),
                         dumped(message.content)};
  frames.push_back(signature(key, {parts.begin(), parts.end()}));
  frames.insert(frames.end(), parts.begin(), parts.end());
  return frames;
}

Session::Session() {
  if (sodium_init() < 0) fail("no_random", "the system has no random numbers for a session of a kernel");
  std::array<unsigned char, 16> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  id_ = hexadecimal(bytes);
}

Message Session::make(std::string_view type, nlohmann::json content, const nlohmann::json& parent) {
  Message message;
  message.header = {{"msg_id", fmt::format("{}_{}", id_, ++count_)},
                    {"session", id_},
                    {"username", "kernel"},
                    {"date", date()},
                    {"msg_type", type},
                    {"version", kProtocol}};
  message.parent = parent.is_object() ? parent : nlohmann::json::object();
  message.metadata = nlohmann::json::object();
  message.content = std::move(content);
  return message;
}

}  // namespace perigee::notebook

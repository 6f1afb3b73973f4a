// How a worker finds its coordinator over a network, and how each proves to the other that it knows the
// secret of this run before any text is read. Without a network, over a pipe, neither is needed.
//
// The proof: the worker sends its greeting, the magic and a nonce. The coordinator answers with a nonce of
// its own and the keyed hash (HMAC-SHA-512-256, libsodium's crypto_auth) of "coordinator" and both nonces.
// The worker answers with that of "worker" and both nonces. Whoever receives a wrong hash hangs up.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/layers.h"

namespace perigee::experiments {

using Secret = std::array<unsigned char, 32>;
using Nonce = std::array<unsigned char, 32>;
using Proof = std::array<unsigned char, 32>;
inline constexpr std::string_view kMagic = "perigee workers\n";
inline constexpr std::size_t kGreeting = kMagic.size() + sizeof(Nonce);  // bytes

struct Access {
  std::string address;  // numeric
  std::uint16_t port = 0;
  Secret secret{};
};

Secret new_secret();
Nonce new_nonce();
Proof proof_of(std::string_view side, const Secret& secret, const Nonce& worker, const Nonce& coordinator);
// In a time that does not tell how many bytes are right.
bool same(const Proof& a, const Proof& b);

// FOLDER/workers.json, which only its owner may read. Removed with the object.
class AccessFile {
 public:
  // Error "no_access_file" when it cannot be written, or the file system lets others read it.
  AccessFile(const std::string& folder, const Access& access);
  ~AccessFile();
  AccessFile(const AccessFile&) = delete;
  AccessFile& operator=(const AccessFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Error "no_access_file" when it is missing, no such file, or may be read by others.
Access read_access(const std::string& path);

}  // namespace perigee::experiments

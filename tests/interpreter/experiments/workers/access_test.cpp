#include "interpreter/experiments/workers/access.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "runtime/kernel/error.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

std::string access_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

mode_t mode_of(const fs::path& path) {
  struct stat status = {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

// The complaint about a file that is refused; empty = it is taken.
std::string refusal(const fs::path& path) {
  try {
    read_access(path.string());
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "no_access_file");
    CHECK_THAT(error.diagnostic().message, Contains(path.string()));
    return error.diagnostic().message;
  }
  return {};
}

std::string in_digits(const Proof& proof) {
  std::string text;
  for (const unsigned char byte : proof) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

Access an_access() {
  Access access{"127.0.0.1", 54321, {}};
  for (std::size_t i = 0; i < access.secret.size(); ++i) access.secret[i] = static_cast<unsigned char>(i);
  return access;
}

const char* const kDigits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

// A file that only its owner may read.
fs::path private_file(const Folder& folder, const std::string& text) {
  const fs::path path = folder.path / "workers.json";
  std::ofstream(path) << text;
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  return path;
}

}  // namespace

TEST_CASE("the file of access can be read by its owner alone, and goes with the run") {
  const Folder folder;
  const fs::path path = folder.path / "workers.json";
  const mode_t before = ::umask(0);
  {
    const AccessFile file(folder.path.string(), an_access());
    CHECK(file.path() == path.string());
    CHECK(mode_of(path) == 0600);
    const auto json = nlohmann::json::parse(access_text(path));
    CHECK(json == nlohmann::json{{"address", "127.0.0.1"}, {"port", 54321}, {"secret", kDigits}});
    const Access read = read_access(path.string());
    CHECK(read.address == "127.0.0.1");
    CHECK(read.port == 54321);
    CHECK(read.secret == an_access().secret);
  }
  ::umask(before);
  CHECK_FALSE(fs::exists(fs::symlink_status(path)));
}

TEST_CASE("a file of a run that was killed is replaced, whatever it is") {
  const Folder folder;
  const fs::path path = folder.path / "workers.json", other = folder.write("other", "mine");
  {  // which others may read, and have open
    std::ofstream(path) << "old";
    fs::permissions(path, fs::perms::all);
    std::ifstream reader(path);
    const AccessFile file(folder.path.string(), an_access());
    CHECK(mode_of(path) == 0600);
    std::ostringstream seen;
    seen << reader.rdbuf();
    CHECK(seen.str() == "old");
    CHECK(refusal(path).empty());
  }
  fs::create_symlink(other, path);
  {
    const AccessFile file(folder.path.string(), an_access());
    CHECK_FALSE(fs::is_symlink(path));
    CHECK(mode_of(path) == 0600);
  }
  CHECK(access_text(other) == "mine");
  fs::create_directory(path);
  CHECK_THROWS_WITH(AccessFile(folder.path.string(), an_access()), Contains("cannot be made"));
  CHECK_THROWS_WITH(AccessFile((folder.path / "nowhere").string(), an_access()),
                    Contains("nowhere/workers.json cannot be made: No such file or directory"));
}

TEST_CASE("a file of access that others may read, or that is none, is refused") {
  const Folder folder;
  const std::string good = std::string(R"({"address":"::1","port":7000,"secret":")") + kDigits + "\"}";
  const fs::path path = private_file(folder, good);
  CHECK(refusal(path).empty());
  for (const unsigned mode : {0640u, 0604u, 0620u, 0602u, 0610u, 0601u, 0666u, 0777u}) {
    fs::permissions(path, static_cast<fs::perms>(mode));
    CAPTURE(mode);
    CHECK_THAT(refusal(path), Contains("only its owner, you, may read"));
  }
  fs::permissions(path, static_cast<fs::perms>(0400));
  CHECK(refusal(path).empty());
  const fs::path link = folder.path / "link", fifo = folder.path / "fifo";
  fs::create_symlink(path, link);
  CHECK_THAT(refusal(link), Contains("cannot be opened"));
  CHECK_THAT(refusal(folder.path / "nowhere"), Contains("cannot be opened: No such file"));
  CHECK_THAT(refusal(folder.path), Contains("only its owner"));
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  CHECK_THAT(refusal(fifo), Contains("only its owner"));  // without waiting for a writer
  if (::geteuid() == 0) {
    REQUIRE(::chown(path.c_str(), 12345, static_cast<gid_t>(-1)) == 0);
    CHECK_THAT(refusal(path), Contains("only its owner, you, may read"));
  } else {
    WARN("not root: a file of another owner was not tried");
  }
}

TEST_CASE("a file of access of other contents is refused") {
  const Folder folder;
  const std::string digits = kDigits;
  const auto with = [&](const std::string& address, const std::string& port, const std::string& secret) {
    return "{\"address\":" + address + ",\"port\":" + port + ",\"secret\":" + secret + "}";
  };
  const std::string secret = "\"" + digits + "\"";
  CHECK(refusal(private_file(folder, with("\"::1\"", "1", secret))).empty());
  CHECK(refusal(private_file(folder, with("\"::1\"", "65535", secret))).empty());
  for (const std::string& text :
       {std::string(), std::string("\0\0", 2), std::string("{"), std::string("[]"), std::string("7"),
        std::string("{}"), with("7", "1", secret), with("\"::1\"", "1", "7"),
        with("\"::1\"", "1", secret) + "x", std::string(10'000, '[')}) {
    CAPTURE(text);
    CHECK_THAT(refusal(private_file(folder, text)), Contains("is not the file"));
  }
  for (const char* port : {"0", "65536", "-1", "1.5", "1e3", "\"x\"", "null", "18446744073709551616"}) {
    CAPTURE(port);
    CHECK_THAT(refusal(private_file(folder, with("\"::1\"", port, secret))),
               Contains("its port is no number from 1 to 65535"));
  }
  for (const std::string& wrong : {std::string(), digits.substr(1), digits.substr(2), digits + "00",
                                   "zz" + digits.substr(2), digits.substr(0, 62) + " 0"}) {
    CAPTURE(wrong);
    CHECK_THAT(refusal(private_file(folder, with("\"::1\"", "1", "\"" + wrong + "\""))),
               Contains("its secret is not 32 bytes in hexadecimal digits"));
  }
}

// The expected values are those of Python's hmac.new(key, text, hashlib.sha512).digest()[:32], which gives the
// published value for the second case of RFC 4231, key "Jefe".
TEST_CASE("a proof is HMAC-SHA-512-256 of the side and both nonces") {
  const Secret secret = an_access().secret;
  Nonce worker, coordinator;
  worker.fill(0x11);
  coordinator.fill(0x22);
  CHECK(in_digits(proof_of("coordinator", secret, worker, coordinator)) ==
        "f4fbe112dfe7e493a99060bded882b43e3f99f7e8c6629a3df549e96c3ae7416");
  CHECK(in_digits(proof_of("worker", secret, worker, coordinator)) ==
        "6b32b2c1e618bdedd6fb7581290ba3d82bcefa31f1bbe3ceaacb7194422a68e0");
  CHECK(in_digits(proof_of("coordinator", secret, coordinator, worker)) ==
        "8873da80fca62a81608bcc87af07ef3ace4612df75d6aa7302692b4b5d3d9ba7");
}

TEST_CASE("whatever is different makes another proof") {
  const Secret secret = new_secret();
  const Nonce a = new_nonce(), b = new_nonce();
  const Proof proof = proof_of("worker", secret, a, b);
  CHECK(same(proof, proof_of("worker", secret, a, b)));
  CHECK_FALSE(same(proof, proof_of("coordinator", secret, a, b)));
  CHECK_FALSE(same(proof, proof_of("worker", secret, b, a)));
  for (std::size_t i = 0; i < 32; ++i) {
    Secret other = secret;
    Nonce first = a, second = b;
    Proof changed = proof;
    other[i] ^= 1, first[i] ^= 0x80, second[i] ^= 4, changed[i] ^= 0x10;
    CHECK_FALSE(same(proof, proof_of("worker", other, a, b)));
    CHECK_FALSE(same(proof, proof_of("worker", secret, first, b)));
    CHECK_FALSE(same(proof, proof_of("worker", secret, a, second)));
    CHECK_FALSE(same(proof, changed));
  }
}

TEST_CASE("secrets and nonces are new each time") {
  std::set<std::array<unsigned char, 32>> seen;
  for (int i = 0; i < 1000; ++i) seen.insert({new_secret(), new_nonce()});
  CHECK(seen.size() == 2000);
}

#include "interpreter/experiments/workers/access.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "runtime/kernel/error.h"

namespace perigee::experiments {

namespace {

static_assert(sizeof(Secret) == crypto_auth_KEYBYTES && sizeof(Proof) == crypto_auth_BYTES);
constexpr std::size_t kLargestFile = 4096;  // bytes

template <class Bytes>
Bytes random_bytes() {
  PERIGEE_ASSERT(sodium_init() >= 0, "the library of secrets begins");
  Bytes bytes;
  randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

// An open file, or none.
class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile() {
    if (number_ >= 0) close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void refuse(const std::string& path, const char* what) {
  fail("no_access_file", "{} {}: {}", path, what, std::strerror(errno));
}

// Whether nobody but the owner, who is this user, may do anything with the file.
bool is_private(int file) {
  struct stat status = {};
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

}  // namespace

Secret new_secret() { return random_bytes<Secret>(); }
Nonce new_nonce() { return random_bytes<Nonce>(); }

Proof proof_of(std::string_view side, const Secret& secret, const Nonce& worker, const Nonce& coordinator) {
  std::string text(side);
  text.append(worker.begin(), worker.end()).append(coordinator.begin(), coordinator.end());
  Proof proof;
  crypto_auth(proof.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size(), secret.data());
  return proof;
}

bool same(const Proof& a, const Proof& b) { return sodium_memcmp(a.data(), b.data(), a.size()) == 0; }

AccessFile::AccessFile(const std::string& folder, const Access& access) : path_(folder + "/workers.json") {
  std::string secret(2 * access.secret.size() + 1, '\0');
  sodium_bin2hex(secret.data(), secret.size(), access.secret.data(), access.secret.size());
  secret.pop_back();
  const std::string text =
      nlohmann::ordered_json{{"address", access.address}, {"port", access.port}, {"secret", secret}}.dump() +
      "\n";
  unlink(path_.c_str());  // of a run that was killed
  const OpenFile file(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.number() < 0) refuse(path_, "cannot be made");
  if (!is_private(file.number())) {
    unlink(path_.c_str());
    fail(
        "no_access_file",
        "{} would hold a secret, but its file system lets others read it; give --out a folder of another one",
        path_);
  }
  if (write(file.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    const int error = errno;
    unlink(path_.c_str());
    errno = error;
    refuse(path_, "cannot be written");
  }
}
AccessFile::~AccessFile() { unlink(path_.c_str()); }

Access read_access(const std::string& path) {
  const OpenFile file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) refuse(path, "cannot be opened");
  if (!is_private(file.number()))
    fail("no_access_file", "{} holds a secret, but is not a file that only its owner, you, may read", path);
  std::string text(kLargestFile, '\0');
  const ssize_t got = read(file.number(), text.data(), text.size());
  if (got < 0) refuse(path, "cannot be read");
  text.resize(static_cast<std::size_t>(got));
  try {
    const auto json = nlohmann::json::parse(text);
    const auto& port = json.at("port");
    if (!port.is_number_unsigned() || port.get<std::uint64_t>() - 1 >= 65'535)
      fail("no_access_file", "{}: its port is no number from 1 to 65535", path);
    Access access{json.at("address"), port, {}};
    const auto& secret = json.at("secret").get_ref<const std::string&>();
    std::size_t length = 0;
    if (sodium_hex2bin(access.secret.data(), access.secret.size(), secret.data(), secret.size(), nullptr,
                       &length, nullptr) != 0 ||
        length != access.secret.size())
      fail("no_access_file", "{}: its secret is not {} bytes in hexadecimal digits", path,
           access.secret.size());
    return access;
  } catch (const nlohmann::json::exception&) {
    fail("no_access_file", "{} is not the file with which a coordinator of perigee is found", path);
  }
}

}  // namespace perigee::experiments

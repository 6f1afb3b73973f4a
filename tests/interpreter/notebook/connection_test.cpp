#include "interpreter/notebook/connection.h"

#include <catch2/catch.hpp>

#include <string>

#include "runtime/kernel/error.h"

using namespace perigee::notebook;
using Catch::Matchers::Contains;

namespace {

const std::string kFile =
    R"({ "transport": "tcp", "ip": "127.0.0.1", "key": "secret", "shell_port": 1, "control_port": 2,
  "iopub_port": 3, "stdin_port": 4, "hb_port": 65535, "signature_scheme": "hmac-sha256", "kernel_name": "perigee" })";

std::string connection_refused(std::string text) {
  try {
    parse_connection(text, "kernel.json");
  } catch (const perigee::kernel::Error& error) {
    return error.diagnostic().message;
  }
  return "nothing";
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kFile;
  text.replace(text.find(from), from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("a connection file says where to listen") {
  const Connection connection = parse_connection(kFile, "kernel.json");
  CHECK(connection.key == "secret");
  CHECK(connection.shell == 1);
  CHECK(connection.control == 2);
  CHECK(connection.iopub == 3);
  CHECK(connection.input == 4);
  CHECK(connection.heartbeat == 65535);
  CHECK(connection.address(7) == "tcp://127.0.0.1:7");
  const std::string ipc = changed("\"tcp\", \"ip\": \"127.0.0.1\"", "\"ipc\", \"ip\": \"/run/kernel\"");
  CHECK(parse_connection(ipc, "kernel.json").address(7) == "ipc:///run/kernel-7");
}

TEST_CASE("a connection file that cannot be used is refused by the field that is wrong") {
  CHECK_THAT(connection_refused("no JSON"), Contains("kernel.json is no connection file"));
  CHECK_THAT(connection_refused("[1]"), Contains("is no connection file"));
  CHECK_THAT(connection_refused(changed("\"shell_port\": 1", "\"shell_port\": 70000")),
             Contains("shell_port must be a port from 1 to 65535, got 70000"));
  CHECK_THAT(connection_refused(changed("\"hb_port\": 65535,", "")),
             Contains("hb_port must be a port from 1 to 65535, got nothing"));
  CHECK_THAT(connection_refused(changed("hmac-sha256", "hmac-md5")),
             Contains("signature_scheme must be \"hmac-sha256\", got \"hmac-md5\""));
  CHECK_THAT(connection_refused(changed("\"tcp\"", "\"udp\"")), Contains("transport must be"));
  CHECK_THAT(connection_refused(changed("\"secret\"", "12")), Contains("key must be a text, got 12"));
  CHECK_THROWS_WITH(read_connection("/no/such/file.json"), Contains("/no/such/file.json cannot be read"));
}

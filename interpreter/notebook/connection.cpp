#include "interpreter/notebook/connection.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runtime/kernel/error.h"

namespace perigee::notebook {

std::string Connection::address(int port) const {
  return transport == "ipc" ? fmt::format("ipc://{}-{}", ip, port) : fmt::format("tcp://{}:{}", ip, port);
}

Connection parse_connection(std::string_view text, const std::string& name) {
  const nlohmann::json file = nlohmann::json::parse(text, nullptr, false);
  if (!file.is_object())
    fail("bad_connection", "{} is no connection file: Jupyter writes one, a JSON object with ports and a key",
         name);
  const auto wrong = [&](const char* field, const char* wanted) {
    const auto found = file.find(field);
    const std::string got = found == file.end()
                                ? "nothing"
                                : found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    fail("bad_connection", "{}: {} must be {}, got {}", name, field, wanted, got);
  };
  const auto text_of = [&](const char* field, const std::string& otherwise) {
    const auto found = file.find(field);
    if (found == file.end()) return otherwise;
    if (!found->is_string()) wrong(field, "a text");
    return found->get<std::string>();
  };
  const auto port = [&](const char* field) {
    constexpr std::int64_t kMost = 65535;
    const auto found = file.find(field);
    if (found == file.end() || !found->is_number_integer() || found->get<std::int64_t>() < 1 ||
        found->get<std::int64_t>() > kMost)
      wrong(field, "a port from 1 to 65535");
    return found->get<int>();
  };
  Connection connection;
  connection.transport = text_of("transport", "tcp");
  if (connection.transport != "tcp" && connection.transport != "ipc")
    wrong("transport", "\"tcp\" or \"ipc\"");
  connection.ip = text_of("ip", "127.0.0.1");
  connection.key = text_of("key", "");
  if (text_of("signature_scheme", "hmac-sha256") != "hmac-sha256")
    wrong("signature_scheme", "\"hmac-sha256\"");
  connection.shell = port("shell_port");
  connection.control = port("control_port");
  connection.iopub = port("iopub_port");
  connection.input = port("stdin_port");
  connection.heartbeat = port("hb_port");
  return connection;
}

Connection read_connection(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    fail("no_file", "the connection file {} cannot be read; Jupyter starts a kernel with one", path);
  return parse_connection(text.str(), path);
}

}  // namespace perigee::notebook

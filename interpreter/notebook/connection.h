// The file by which Jupyter tells a kernel where to listen.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/layers.h"

namespace perigee::notebook {

struct Connection {
  std::string transport, ip, key;
  int shell = 0, control = 0, iopub = 0, input = 0, heartbeat = 0;  // ports
  std::string address(int port) const;                              // "tcp://127.0.0.1:5555"
};

// Error "bad_connection" that names the file and what is wrong with it.
Connection parse_connection(std::string_view text, const std::string& name);
Connection read_connection(const std::string& path);

}  // namespace perigee::notebook

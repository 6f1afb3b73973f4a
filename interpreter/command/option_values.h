// The values of options: what they may be, and what is wrong with one.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "interpreter/layers.h"
#include "interpreter/session/options.h"

namespace perigee::command {

// An error of the command line, which could never work: status 2. Errors of the script or its data give
// status 1.
struct Usage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Each returns the message about a wrong value, or nothing.
std::string size_error(std::string text);
std::string folder_error(std::string path);
std::string cell_error(const std::string& text);
std::string silence_error(const std::string& text);
std::string shard_error(const std::string& text);
session::Shard shard_of(const std::string& text);  // "7/200", without error
// CLI11 alone would take -1 for the largest number there is.
CLI::Validator whole_number(std::uint64_t least,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
// The settings of --set NAME=VALUE. Usage when one is given twice or has no name.
std::map<std::string, std::string> settings_of(const std::vector<std::string>& given);

}  // namespace perigee::command

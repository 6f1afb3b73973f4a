#include "tests/support/paths.h"
#include "tests/support/layers.h"

#include <cstdlib>

namespace perigee::test {

std::filesystem::path source_folder() { return PERIGEE_SOURCE_DIR; }
std::string program() { return PERIGEE_BINARY; }

std::filesystem::path data_file(const std::string& name) {
  const char* folder = std::getenv("PERIGEE_DATA");
  return (folder != nullptr ? std::filesystem::path(folder) : source_folder() / "../shared/data") / name;
}

}  // namespace perigee::test

// A folder for files of passing use.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "interpreter/layers.h"
#include "runtime/kernel/error.h"

namespace perigee::session {

// A new folder, which goes with the object.
class TemporaryFolder {
 public:
  // Error "bad_output" with the cause.
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "perigee-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      fail("bad_output", "{} cannot be made: {}", path_, std::strerror(errno));
  }
  ~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace perigee::session

#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/layers.h"

namespace perigee::test {

// An empty folder, gone at the end.
struct Folder {
  std::filesystem::path path;

  Folder() {
    static int count = 0;
    path = std::filesystem::temp_directory_path() /
           ("perigee_test_" + std::to_string(::getpid()) + "_" + std::to_string(++count));
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // Writes a file in it, and folders on the way; its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

}  // namespace perigee::test

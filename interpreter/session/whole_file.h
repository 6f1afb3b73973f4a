// Files that are never half written.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

#include "interpreter/layers.h"
#include "runtime/kernel/error.h"

namespace perigee::session {

// Replaces the file, by any thread of any process. Error "bad_output" with the cause; then all is as before.
inline void write_whole(const std::filesystem::path& path, const std::string& text) {
  static std::atomic<unsigned> count = 0;
  const std::filesystem::path part = fmt::format("{}.part{}-{}", path.string(), ::getpid(), count++);
  std::FILE* out = std::fopen(part.c_str(), "wb");
  const bool written = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (out == nullptr || std::fclose(out) != 0 || !written || std::rename(part.c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(part.c_str());
    fail("bad_output", "{} cannot be written: {}", path.string(), std::strerror(error));
  }
}

}  // namespace perigee::session

#include "interpreter/command/page_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "interpreter/command/said.h"
#include "interpreter/session/whole_file.h"
#include "runtime/kernel/error.h"
#include "runtime/pages/document.h"

namespace perigee::command {

namespace fs = std::filesystem;

namespace {

bool is_page(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string begin(2000, '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  return begin.find(pages::kGenerator) != std::string::npos;
}

}  // namespace

void refuse_foreign(const fs::path& path, const std::string& option) {
  std::error_code error;
  if (fs::is_directory(path, error)) fail("bad_output", "{} is a folder; name a file", path.string());
  if (fs::exists(fs::symlink_status(path, error)) && !is_page(path))
    fail("foreign_file",
         "{} is there already, and is no page of perigee's; move it away, or name another file with {}",
         path.string(), option);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (::access(folder.c_str(), W_OK) != 0)  // before the hours of computing
    fail("bad_output", "{} cannot be written: {}", path.string(), std::strerror(errno));
}

void write_page(const fs::path& path, const std::string& page, const std::string& option) {
  refuse_foreign(path, option);
  session::write_whole(path, page);
}

void put_page(const std::string& path, const std::string& page, const std::string& option) {
  if (path == "-") {
    print(page);
    return;
  }
  write_page(path, page, option);
  print(path + "\n");
}

}  // namespace perigee::command

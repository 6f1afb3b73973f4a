#include "interpreter/notebook/kernelspec.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runtime/kernel/error.h"
#include "runtime/kernel/text.h"

namespace perigee::notebook {

namespace fs = std::filesystem;

std::string kernelspec(const std::string& program, const std::vector<std::string>& options,
                       const std::string& display_name) {
  nlohmann::ordered_json spec;
  spec["argv"] = {program, "kernel"};
  for (const std::string& option : options) spec["argv"].push_back(option);
  spec["argv"].push_back("{connection_file}");
  spec["display_name"] = display_name;
  spec["language"] = "lua";
  spec["interrupt_mode"] = "message";
  spec["metadata"] = {{"debugger", false}};
  return spec.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

fs::path users_kernels() {
  if (const char* data = std::getenv("JUPYTER_DATA_DIR"); data != nullptr && *data != '\0')
    return fs::path(data) / "kernels";
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
    return fs::path(data) / "jupyter" / "kernels";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/')
    fail("no_place",
         "there is no home folder for a kernel of the user: HOME is not set; JUPYTER_DATA_DIR may name one");
  return fs::path(home) / ".local" / "share" / "jupyter" / "kernels";
}

fs::path kernels_beside(const fs::path& program) {
  const fs::path bin = program.parent_path();
  const fs::path prefix = bin.filename() == "bin" ? bin.parent_path() : fs::path("/usr/local");
  return prefix / "share" / "jupyter" / "kernels";
}

fs::path install_kernelspec(const fs::path& kernels, const std::string& name, const std::string& text) {
  const bool good = !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return is_word(c) || c == '-' || c == '.';
  });
  if (!good) fail("bad_name", "--name {}: a kernel's name has letters, digits, '_', '-' and '.' only", name);
  const fs::path folder = kernels / lower_case(name), file = folder / "kernel.json";
  std::error_code error;
  fs::create_directories(folder, error);
  std::ofstream out(file, std::ios::binary);
  if (!(out << text).flush())
    fail("unwritable", "{} cannot be written; `perigee kernel --install --user` needs no rights there",
         file.string());
  return file;
}

}  // namespace perigee::notebook

// The folder from which Jupyter learns of the kernel.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::notebook {

// The text of kernel.json: `program` is started with these options.
std::string kernelspec(const std::string& program, const std::vector<std::string>& options,
                       const std::string& display_name);
// Where Jupyter looks for kernels: of the user, and of the installation that the program belongs to.
std::filesystem::path users_kernels();
std::filesystem::path kernels_beside(const std::filesystem::path& program);
// Writes NAME/kernel.json below the folder and returns its path. Error "bad_name", "unwritable".
std::filesystem::path install_kernelspec(const std::filesystem::path& kernels, const std::string& name,
                                         const std::string& text);

}  // namespace perigee::notebook

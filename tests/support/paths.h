// The places of the tree, the program and real data. Only paths.cpp knows them, so that the other objects are
// the same in every copy of the tree.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/layers.h"

namespace perigee::test {

std::filesystem::path source_folder();
std::string program();
// A file beside the project, or in the folder that PERIGEE_DATA names. The caller asks whether it is there.
std::filesystem::path data_file(const std::string& name);

}  // namespace perigee::test

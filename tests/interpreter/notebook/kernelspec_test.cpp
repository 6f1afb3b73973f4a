#include "interpreter/notebook/kernelspec.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/kernel/error.h"
#include "tests/support/folder.h"

using namespace perigee::notebook;
using Catch::Matchers::Contains;

TEST_CASE("a kernelspec starts the program with its options") {
  const auto spec = nlohmann::json::parse(kernelspec("/opt/a b/perigee", {"--data", "/logs"}, "perigee"));
  CHECK(spec["argv"] == nlohmann::json{"/opt/a b/perigee", "kernel", "--data", "/logs", "{connection_file}"});
  CHECK(spec["language"] == "lua");
  CHECK(spec["interrupt_mode"] == "message");
}

TEST_CASE("a kernel is installed beside the program") {
  CHECK(kernels_beside("/usr/bin/perigee") == "/usr/share/jupyter/kernels");
  CHECK(kernels_beside("/somewhere/build/perigee") == "/usr/local/share/jupyter/kernels");
}

TEST_CASE("a kernel has a folder of its own") {
  const perigee::test::Folder folder;
  const auto file = install_kernelspec(folder.path, "Perigee-big", "{}\n");
  CHECK(file == folder.path / "perigee-big" / "kernel.json");
  CHECK(std::filesystem::file_size(install_kernelspec(folder.path, "perigee-big", "{ }\n")) == 4);
}

TEST_CASE("a name that is no name of a folder is refused") {
  for (const char* name : {"", "..", "a/b", "a b", ".hidden"})
    CHECK_THROWS_WITH(install_kernelspec("/no/such/folder", name, "{}"),
                      Contains("a kernel's name has letters"));
  CHECK_THROWS_WITH(install_kernelspec("/proc/no/such", "perigee", "{}"), Contains("cannot be written"));
}

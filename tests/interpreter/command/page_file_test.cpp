#include "interpreter/command/page_file.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "interpreter/session/whole_file.h"
#include "runtime/kernel/error.h"
#include "runtime/pages/document.h"
#include "tests/support/folder.h"

using namespace perigee;
using namespace perigee::command;
using Catch::Matchers::Contains;

TEST_CASE("a page takes the place of a page, and of nothing else") {
  const test::Folder folder;
  const std::filesystem::path file = folder.path / "page.html";
  const auto text = [&] {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string first = pages::page_of({"first", "", {}}), second = pages::page_of({"second", "", {}});
  write_page(file, first, "-o");
  write_page(file, second, "-o");
  CHECK(text() == second);
  session::write_whole(file, "mine");
  CHECK_THROWS_WITH(
      write_page(file, first, "--html"),
      Contains("page.html is there already, and is no page of perigee's") && Contains("--html"));
  CHECK(text() == "mine");
  CHECK_THROWS_WITH(write_page(folder.path, first, "-o"), Contains("is a folder; name a file"));
  CHECK_THROWS_WITH(write_page(folder.path / "no" / "page.html", first, "-o"), Contains("cannot be written"));
}

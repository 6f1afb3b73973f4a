#include "interpreter/notebook/caught_output.h"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstdio>
#include <string>

TEST_CASE("what C code writes to standard output is caught, all of it") {
  std::string caught;
  {
    const perigee::notebook::CaughtOutput catching([&](std::string_view text) { caught += text; });
    std::fputs("by stdio|", stdout);
    std::fflush(stdout);
    const std::string large(200000, 'x');  // more than a pipe holds
    for (std::size_t at = 0; at < large.size();)
      at += static_cast<std::size_t>(write(STDOUT_FILENO, large.data() + at, large.size() - at));
  }
  CHECK(caught.starts_with("by stdio|xxx"));
  CHECK(caught.size() == 9 + 200000);
}

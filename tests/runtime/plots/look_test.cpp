#include "runtime/plots/look.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/results/table.h"
#include "tests/runtime/plots/figures.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("the scale of colours becomes darker step by step") {
  const auto lightness = [](double share) {
    const plots::Rgb colour = plots::scale_colour(share);
    return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
  };
  const double whole = lightness(0) - lightness(1);
  CHECK(whole > 150);
  for (int i = 0; i < 20; ++i) {
    const double step = lightness(i / 20.0) - lightness((i + 1) / 20.0);
    CHECK(step > 0.25 * whole / 20);
    CHECK(step < 2.5 * whole / 20);
  }
  CHECK(plots::wants_black(plots::scale_colour(0)));
  CHECK_FALSE(plots::wants_black(plots::scale_colour(1)));
  CHECK(plots::scale_colour(-1).text() == plots::scale_colour(0).text());
  CHECK(plots::Rgb{1, 16, 255}.text() == "#0110ff");
}

TEST_CASE("texts are shortened to their room") {
  using plots::fitting, plots::text_width;
  CHECK(fitting("a short name", 12, 200) == "a short name");
  const std::string shown = fitting("a name that is much too long", 12, 80);
  CHECK(shown.ends_with("…"));
  CHECK(text_width(shown, 12) <= 80);
  CHECK(text_width(shown, 12) > 60);
  CHECK(fitting("日本語日本語", 10, 35) == "日本…");
  CHECK(fitting("abc", 12, 0) == "…");
  CHECK(text_width("mm", 10) > text_width("ii", 10));
  CHECK(text_width("abc", 20) == Approx(2 * text_width("abc", 10)));
}

TEST_CASE("texts that are too long remain different") {
  const auto letters = [](std::string_view text) { return static_cast<double>(display_width(text)); };
  const auto shown = [&](const std::vector<std::string>& texts) { return fitting_apart(texts, 8, letters); };
  CHECK(shown({"short", "a longer one"}) == std::vector<std::string>{"short", "a longe…"});
  CHECK(shown({"mapped with A", "mapped with B"}) == std::vector<std::string>{"map…th A", "map…th B"});
  CHECK(shown({"beginning-A-in-the-middle", "beginning-B-in-the-middle"}) ==
        std::vector<std::string>{"beg… (1)", "beg… (2)"});
  CHECK(shown({"the same text", "the same text"}) == std::vector<std::string>{"the sam…", "the sam…"});
}

TEST_CASE("the heads of a grid") {
  Figure figure = panels_of(two_lines());
  CHECK_FALSE(is_grid(figure));
  figure.facets = {"nodes", "users"};
  for (Panel& panel : figure.panels)
    panel.values = {std::to_string(panel.row), std::to_string(10 * panel.column)};
  CHECK(is_grid(figure));
  CHECK(grid_heads(figure, true) == std::vector<std::string>{"nodes = 0", "nodes = 1"});
  CHECK(grid_heads(figure, false) == std::vector<std::string>{"users = 0", "users = 10"});
}

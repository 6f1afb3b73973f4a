// Texts in figures: those of strangers, long ones, and signs that no terminal and no picture takes.
#include "runtime/plots/plot.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "runtime/plots/gnuplot.h"
#include "tests/runtime/plots/figures.h"
#include "tests/runtime/plots/svg.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;
namespace fs = std::filesystem;

namespace {

// Each text in every stride-th kind of figure, which are other ones from text to text.
void check_hostile_texts(std::size_t stride) {
  const Folder folder;
  const std::string touch = "touch " + (folder.path / "sentinel").string();
  const std::vector<std::string> hostile = {
      "'.system('" + touch + "').'",
      "`" + touch + "`",
      "\"; system('" + touch + "') #",
      "x'\nsystem('" + touch + "')\n!" + touch,
      "!" + touch,
      "@" + touch,
      "end_of_data\nsystem('" + touch + "')",
      "\\",
      "x\\",
      "'",
      "''",
      "%g %s %d %n %%",
      "{/=40 a_b^c} ~ & < > \" ]]> <script>alert(1)</script> &amp; <!-- -->",
      std::string("nul\0here", 8),
      "\033[2J\x01\x7f",
      "\xff\xfe broken \xc3 utf8 \xed\xa0\x80",
      "Zoë, 25 µs, 日本語",
      "$series1",
      "#",
  };
  const std::vector<Figure> kinds = all_kinds();
  std::size_t begin = 0;
  for (const std::string& text_of_stranger : hostile) {
    for (std::size_t kind = begin++ % stride; kind < kinds.size(); kind += stride) {
      Figure figure = kinds[kind];
      INFO("figure " << kind << ": " << text_of_stranger);
      for (std::string* part : {&figure.title, &figure.note, &figure.by, &figure.x.label, &figure.x.unit,
                                &figure.y.label, &figure.y.unit})
        *part = text_of_stranger;
      for (std::string& category : figure.x.categories) category = text_of_stranger;
      for (std::string& category : figure.y.categories) category = text_of_stranger;
      for (Series& series : figure.series) {
        series.name = text_of_stranger;
        for (GanttBar& bar : series.gantt_bars) bar.label = text_of_stranger;
      }
      std::string complaints;
      const std::string drawn = gnuplot(picture_script(figure, FigureFormat::svg), 60, &complaints);
      CHECK(complaints == "");
      const auto all = elements_of(drawn);
      const std::string shown = std::regex_replace(printable(text_of_stranger), std::regex("'"), "’");
      const auto texts = texts_of(all);
      std::string trimmed = shown;
      while (!trimmed.empty() && trimmed.front() == ' ') trimmed.erase(0, 1);
      CHECK(texts.count(trimmed) >= 1);
      CHECK(std::none_of(all.begin(), all.end(), [](const Element& e) { return e.name == "script"; }));
      const std::string in_terminal = text(figure, 80);
      CHECK(std::none_of(in_terminal.begin(), in_terminal.end(),
                         [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 0x7f; }));
    }
  }
  CHECK(fs::is_empty(folder.path));
  // Outside of the fence, gnuplot itself would run such a command.
  gnuplot("set print '-'\nprint 1\nsystem('" + touch + "')\n");
  CHECK(fs::exists(folder.path / "sentinel"));
}

}  // namespace

TEST_CASE("texts are never commands") { check_hostile_texts(thorough() ? 4 : 16); }

TEST_CASE("texts are never commands, in any kind of figure", "[.long]") { check_hostile_texts(1); }

TEST_CASE("texts that are too long are cut in the picture, not in the table") {
  const std::string longest(500, 'x');
  for (Figure figure : all_kinds()) {
    figure.title = figure.note = figure.x.label = figure.y.label = longest;
    for (Axis* axis : {&figure.x, &figure.y})
      for (std::string& category : axis->categories) category = longest;
    for (Series& series : figure.series) series.name = longest;
    std::string complaints;
    const auto texts =
        texts_of(elements_of(gnuplot(picture_script(figure, FigureFormat::svg), 60, &complaints)));
    CHECK(complaints == "");
    std::size_t cut = 0;
    for (const auto& [text, place] : texts) {
      if (text.find("xxx") == text.npos) continue;
      CHECK(text.find("…") != text.npos);
      CHECK(display_width(text) < 150);
      ++cut;
    }
    CHECK(cut >= 3);
    if (figure.series.size() > 1) CHECK(data(figure).csv().find(longest) != std::string::npos);
  }
}

TEST_CASE("what ends CDATA is well-formed") {
  Figure figure = two_lines();
  figure.title = "a]]>b";
  figure.series[0].name = "]]>";
  const std::string drawn = svg(figure);
  CHECK(drawn.find("a]]&gt;b") != std::string::npos);
  CHECK(drawn.find("a]]>b") == std::string::npos);
  CHECK(drawn.find(">]]>") == std::string::npos);
}

TEST_CASE("printable texts") {
  CHECK(printable("a\tb\nc\rd\x1b", "\n\t") == "a\tb\nc d ");
  CHECK(printable("a\tb\r\nc") == "a b  c");
  CHECK(printable("Zoë µ 日本 🎉") == "Zoë µ 日本 🎉");
  CHECK(printable("\xff") == "?");
  CHECK(printable("\xc0\x80") == "??");                              // not the shortest form
  CHECK(printable("\xed\xa0\x80") == "???");                         // half of a surrogate pair
  CHECK(printable("\xf4\x90\x80\x80") == "????");                    // beyond U+10FFFF
  CHECK(printable("\xef\xbf\xbf") == "???");                         // not a character
  CHECK(printable("\xc2\x85|") == " |");                             // a control character of two bytes
  CHECK(printable("a\u202Eb\u2066c\u200Fd") == "a b c d");           // turns of the writing direction
  CHECK(printable("a\u200Bb\u2060c\uFEFFd\u00ADe") == "a b c d e");  // invisible characters
  CHECK(printable("שלום سلام ñ") == "שלום سلام ñ");
  CHECK(printable("\xe2\x82") == "??");  // cut
  CHECK(gnuplot_text("it's") == "'it’s'");
}

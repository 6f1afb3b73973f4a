// A page to be sent: what was run, what it said, its tables, figures and charts, in one HTML file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/pages/html.h"
#include "runtime/results/table.h"

namespace perigee::pages {

struct Text {
  std::string text;  // lines, in letters of one width
};
struct Prose {  // a sentence or two
  std::string text;
};
struct Warnings {
  std::vector<std::string> lines;
};
struct Facts {
  std::vector<std::pair<std::string, std::string>> rows;  // name and value
};
struct Source {  // a text of code that is folded
  std::string name, text;
};
enum class Tone : std::uint8_t { none, good, bad, unsure, flawed, asked };  // of a word that judges

struct TableItem {
  std::string title, file;  // of the CSV that can be downloaded, without .csv
  Table table;
  std::vector<std::size_t> marked = {};  // cells (row * columns + column) that are the best of their column
  bool folded = false;
  // For each row: the id of what the cell of its first column leads to; empty = nothing. No entries = no links.
  std::vector<std::string> links = {};
  // For each row, the tone of the word in that column. No entries = no tones.
  std::size_t toned_column = 0;
  std::vector<Tone> tones = {};
};
// A statement of a publication beside what came out of it.
struct Judgement {
  std::string id;      // the element's, for links; empty = none
  std::string number;  // of the statement; empty = none
  std::string place;   // where it stands
  std::string says;
  std::string verdict, aside;  // the word, and what is to be said right after it
  Tone tone = Tone::none;
  bool ours = false;  // whoever wrote the script says it, and no publication
  std::string found;  // the numbers
  std::vector<std::pair<std::string, std::string>> remarks;  // name and text
  std::string source, source_id;                             // who found it, and the id that leads there
};
struct FigureItem {
  std::string title, file;  // of what can be downloaded, without .svg
  std::string svg;          // as page_svg() makes it
  Table numbers;
};
struct ChartItem {
  std::string title;
  std::string data;  // chart_of_runs()
};
struct Download {  // a file in the page
  std::string name, label, text;
};
using Item =
    std::variant<Text, Prose, Warnings, Facts, Source, TableItem, FigureItem, ChartItem, Download, Judgement>;

struct Section {
  std::string title;
  std::vector<Item> items;
  std::vector<Item> beside = {};  // to the right of the items where there is room, else below
  std::string id = {};            // for links; empty = "s" and its number
  bool listed = true;             // in the contents of the page
};

struct Document {
  std::string title;
  std::string made_by;  // a line under the title
  std::vector<Section> sections;
};

// Every page has it in its head.
inline constexpr std::string_view kGenerator = "<meta name=\"generator\" content=\"perigee";

// A table has at most so many rows in the page; the rest is told of.
inline constexpr std::size_t kMostTableRows = 10'000;
inline constexpr std::size_t kLargestPage = 10'000'000;  // bytes

// The page. Equal documents give equal bytes. `most`: Error "too_large" with the size of each part where the page would
// have more bytes.
std::string page_of(const Document& document, std::size_t most = kLargestPage);

// Bytes of the item in a page, roughly.
std::size_t size_of(const Item& item);

// An item by itself, for a place that shows HTML without scripts: a table with its first rows, the SVG of a figure. Empty
// for a chart.
std::string fragment_of(const Item& item);

}  // namespace perigee::pages

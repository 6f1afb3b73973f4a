// The meanings of fields, in rows and on pages: each default is that of its row.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/host/field_row.h"
#include "interpreter/language/fields/platform.h"
#include "interpreter/language/vocabulary.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;
using host::FieldRow;

namespace {

// "1", "false", "\"origin\"": a default as people read it; empty when the row has no value for it.
std::string value_of(const FieldRow& row) {
  FieldRow only = row;
  only.meaning = "{default}";
  only.required = false;
  return std::holds_alternative<std::monostate>(row.fallback) ? std::string() : text_of(only);
}

bool is_literal(std::string_view text) {
  return !text.empty() && (text == "true" || text == "false" || text[0] == '"' || text[0] == '-' ||
                           (text[0] >= '0' && text[0] <= '9'));
}

}  // namespace

TEST_CASE("a meaning says the default of its row, not one of its own") {
  for (const Word& word : vocabulary())
    for (const FieldRow& row : word.fields.rows) {
      INFO(chain_of(word) << " " << row.name << ": " << row.meaning);
      CHECK(!row.meaning.empty());
      const std::size_t open = row.meaning.rfind('(');
      if (value_of(row).empty()) {
        CHECK(row.meaning.find("{default}") == row.meaning.npos);
      } else if (open != row.meaning.npos) {
        CHECK(!is_literal(row.meaning.substr(open + 1, row.meaning.find(')', open) - open - 1)));
      }
    }
  CHECK(text_of(host_fields::kSpeed) == "of one core, op/s (1)");
  CHECK(text_of(link_fields::kSharing) ==
        "of transfers at the same time (\"exclusive\": one after the other)");
}

namespace {

std::vector<std::string> rows_of_page(const std::string& page) {
  std::ifstream stream(source_folder() / "docs" / page);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("| `")) lines.push_back(line);
  return lines;
}

// The texts of a line in `such`, each with what follows it.
std::vector<std::pair<std::string, std::string>> quoted(const std::string& line) {
  std::vector<std::pair<std::string, std::string>> found;
  for (std::size_t at = line.find('`'); at != line.npos;) {
    const std::size_t end = line.find('`', at + 1);
    if (end == line.npos) break;
    found.emplace_back(line.substr(at + 1, end - at - 1), line.substr(end + 1));
    at = line.find('`', end + 1);
  }
  return found;
}

// Whether the text begins with the default, as in "0 s)", "`"origin"`)", "0; sent for each run".
bool begins_with(std::string text, const std::string& value) {
  std::erase(text, '`');
  return text.starts_with(value) &&
         std::string_view(" ;,:)").find(text[value.size()]) != std::string_view::npos;
}

}  // namespace

TEST_CASE("the tables of the pages have the fields and defaults of the rows") {
  std::size_t defaults = 0;
  for (const std::string& line : rows_of_page("language.md")) {
    const auto texts = quoted(line);
    const std::string& usage = texts.front().first;
    const Word* word = word_of_chain(usage.substr(0, usage.find_first_of(" ({")));
    if (word == nullptr) continue;
    for (const FieldRow& row : word->fields.rows)
      for (const auto& [name, after] : texts) {
        if (name != row.name || !after.starts_with(" (") || row.meaning.find("{default}") == row.meaning.npos)
          continue;
        INFO(line << "\n" << name);
        CHECK(begins_with(after.substr(2), value_of(row)));
        ++defaults;
      }
  }
  CHECK(defaults > 10);
  std::string logs;
  std::ifstream page(source_folder() / "docs/logs.md");
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("| ")) logs += line + "\n";
  for (const char* chain : {"workload.swf", "workload.sacct"}) {
    const std::size_t begin = logs.find(fmt::format("| field of `{}", chain));
    REQUIRE(begin != logs.npos);
    const std::string table = logs.substr(begin);
    for (const FieldRow& row : word_of_chain(chain)->fields.rows) {
      INFO(chain << " " << row.name);
      const std::size_t at = table.find(fmt::format("`{}`", row.name));
      REQUIRE(at != table.npos);
      if (row.meaning.find("{default}") == row.meaning.npos || row.name == "skip") continue;
      CHECK(begins_with(table.substr(table.find("| ", at) + 2), value_of(row)));
    }
  }
  std::string loads;
  for (const std::string& line : rows_of_page("realtime.md")) loads += line + "\n";
  for (const FieldRow& row : word_of_chain("workload.random_loads")->fields.rows) {
    INFO(row.name);
    const std::string name = fmt::format("`{}`", row.name);
    REQUIRE(loads.find(name) != loads.npos);
    if (const std::size_t at = loads.find(name + " ("); at != loads.npos && !value_of(row).empty())
      CHECK(begins_with(loads.substr(at + name.size() + 2), value_of(row)));
  }
  const std::vector<std::string> parts = rows_of_page("language.md");
  for (const char* chain : {"host", "link", "licence", "failures", "outage", "reserve", "maintenance", "mark",
                            "leave", "change"}) {
    std::string lines;
    for (const std::string& line : parts)
      if (line.starts_with(fmt::format("| `{} ", chain))) lines += line;
    for (const FieldRow& row : word_of_chain(chain)->fields.rows) {
      INFO(chain << " " << row.name);
      CHECK((lines.find(fmt::format("`{}", row.name)) != lines.npos || row.name == "announced"));
    }
  }
}

#include "runtime/pages/document.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/kernel/error.h"

using namespace perigee;

namespace {

const std::string kHostile = "</script><img src=x onerror=alert(1)><!--<script>\"'&\xE2\x80\xA8\xFF";

// The text between two marks, of which the page has each once at least.
std::string between(const std::string& page, const std::string& before, const std::string& after,
                    std::size_t from = 0) {
  const std::size_t start = page.find(before, from);
  REQUIRE(start != std::string::npos);
  const std::size_t end = page.find(after, start + before.size());
  REQUIRE(end != std::string::npos);
  return page.substr(start + before.size(), end - start - before.size());
}

pages::Document with(pages::Item item) { return {"title", "", {{"part", {std::move(item)}}}}; }

pages::TableItem table_of(std::size_t rows) {
  pages::TableItem item;
  item.title = "rows";
  item.table.columns = {"name", "value"};
  item.table.units = {"", "s"};
  for (std::size_t r = 0; r < rows; ++r)
    item.table.rows.push_back({"r" + std::to_string(r), static_cast<double>(r)});
  return item;
}

nlohmann::json data_of(const std::string& page, const std::string& id) {
  return nlohmann::json::parse(between(page, "id=\"" + id + "\">", "</script>"));
}

}  // namespace

TEST_CASE("the policy of a page names its one script and its one style") {
  const std::string page = pages::page_of({"A run", "made", {}});
  const std::string policy = between(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
  const std::string style = between(page, "<style>", "</style>"),
                    script = between(page, "<script>", "</script>");
  CHECK(policy == "default-src 'none'; script-src '" + pages::hash_source(script) + "'; style-src '" +
                      pages::hash_source(style) +
                      "'; img-src data: blob:; base-uri 'none'; form-action 'none'");
  CHECK(script.size() > 1000);
  CHECK(page.find("style=") == std::string::npos);
  CHECK(page.find(pages::kGenerator) != std::string::npos);
}

TEST_CASE("hostile texts are texts wherever they stand") {
  pages::TableItem table = table_of(1);
  table.title = table.table.columns[0] = table.table.units[1] = kHostile;
  table.table.rows[0][0] = kHostile;
  pages::Document document{kHostile,
                           kHostile,
                           {{kHostile,
                             {pages::Text{kHostile}, pages::Prose{kHostile}, pages::Warnings{{kHostile}},
                              pages::Facts{{{kHostile, kHostile}}}, pages::Source{kHostile, kHostile}, table,
                              pages::Download{kHostile, kHostile, kHostile}}}}};
  const std::string page = pages::page_of(document);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("<!--") == std::string::npos);
  CHECK(page.find("\xE2\x80\xA8") == std::string::npos);
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("<script", at)) != std::string::npos; ++at) ++scripts;
  CHECK(scripts == 3);  // the data of the table and of the download, and the page's own
  const nlohmann::json data = data_of(page, "data-t1");
  CHECK(data["rows"][0][0] == "</script><img src=x onerror=alert(1)><!--<script>\"'& ?");
}

TEST_CASE("a table has its first rows as HTML and all others as data") {
  pages::TableItem item = table_of(450);
  item.marked = {1, 5};
  item.table.rows[0][1] = std::numeric_limits<double>::infinity();
  item.table.rows[1][1] = Cell{};
  item.table.rows[2][1] = 0.1;
  const std::string page = pages::page_of(with(item));
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = page.find("<tr>", at)) != std::string::npos; ++at) ++rows;
  CHECK(rows == 201);  // with the head
  const nlohmann::json data = data_of(page, "data-t1");
  CHECK(data["rows"].size() == 450);
  CHECK(data["rows"][0] == nlohmann::json::parse(R"(["r0", {"n": "inf"}])"));
  CHECK(data["rows"][1][1].is_null());
  CHECK(data["rows"][2][1] == 0.1);
  CHECK(data["rows"][3][1].is_number_integer());
  CHECK(data["numeric"] == nlohmann::json::parse("[false, true]"));
  CHECK(data["best"] == nlohmann::json::parse("[[0, 1], [2, 1]]"));
  CHECK(data["left_out"] == 0);
}

TEST_CASE("rows beyond the most are counted") {
  const std::string page = pages::page_of(with(table_of(pages::kMostTableRows + 7)));
  const nlohmann::json data = data_of(page, "data-t1");
  CHECK(data["rows"].size() == pages::kMostTableRows);
  CHECK(data["left_out"] == 7);
  CHECK(page.find("rows: 10000 of 10007 rows; the others are not in this page") != std::string::npos);
}

TEST_CASE("a page that is too large is refused with its parts") {
  pages::Document document{
      "title", "", {{"small", {pages::Text{"a"}}}, {"large", {pages::Text{std::string(2'000'000, 'x')}}}}};
  CHECK_NOTHROW(pages::page_of(document));
  try {
    pages::page_of(document, 1'000'000);
    FAIL("it was not refused");
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "too_large");
    const std::string message = error.what();
    CHECK(message.find("more than 1.0 MB; its largest parts are 'large' (2.0 MB), 'small' (0.0 MB)") !=
          std::string::npos);
  }
}

TEST_CASE("equal documents are equal pages") {
  CHECK(pages::page_of(with(table_of(10))) == pages::page_of(with(table_of(10))));
}

TEST_CASE("a fragment has no script") {
  const std::string html = pages::fragment_of(table_of(300));
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("<td>r199</td>") != std::string::npos);
  CHECK(html.find("r200") == std::string::npos);
  CHECK(html.find("200 of 300 rows") != std::string::npos);
  CHECK(pages::fragment_of(pages::ChartItem{"", "{}"}).empty());
}

TEST_CASE("a statement stands beside what came out, and tables lead to it") {
  pages::Judgement judgement;
  judgement.id = judgement.number = "A1-1";
  judgement.place = "section 1";
  judgement.says = kHostile;
  judgement.verdict = "reproduces";
  judgement.tone = pages::Tone::good;
  judgement.found = "1 < 2";
  judgement.remarks = {{"note", kHostile}};
  pages::TableItem table = table_of(300);
  table.links.assign(300, "A1-1");
  table.links[1] = "";
  table.tones.assign(300, pages::Tone::bad);
  pages::Section section{"part", {std::move(judgement)}};
  section.id = "mine";
  section.beside = {table};
  const std::string page = pages::page_of({"title", "", {section}});
  CHECK(page.find("<section id=\"mine\">") != std::string::npos);
  CHECK(between(page, "<blockquote>", "</blockquote>") == pages::html_text(kHostile));
  CHECK(page.find("<span class=\"verdict good\">reproduces</span>") != std::string::npos);
  CHECK(page.find("<p class=\"found\">1 &lt; 2</p>") != std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("<div class=\"beside\">") != std::string::npos);
  CHECK(page.find("<td><a href=\"#A1-1\"><span class=\"verdict bad\">r0</span></a></td>") !=
        std::string::npos);
  CHECK(page.find("<td><span class=\"verdict bad\">r1</span></td>") != std::string::npos);
  const nlohmann::json data = data_of(page, "data-t1");
  CHECK(data.at("links").size() == 300);
  CHECK(data.at("tones").at("column") == 0);
  CHECK(data.at("tones").at("of").at(299) == "bad");
}

TEST_CASE("the contents of a page leave out what is not listed") {
  pages::Section one{"one", {}}, two{"two", {}}, three{"three", {}};
  two.listed = false;
  const std::string page = pages::page_of({"title", "", {one, two, three}});
  CHECK(between(page, "<nav", "</nav>").find("two") == std::string::npos);
  CHECK(between(page, "<nav", "</nav>").find("#s3") != std::string::npos);
}

#include "interpreter/command/findings_html.h"

#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::command;
using session::Claim;
using session::Finding;
using session::ScriptClaims;
using session::Verdict;

namespace {

Claim claim_of(std::string number, Verdict verdict, Finding finding,
               std::string source = "Author 2001, section 1") {
  Claim claim;
  claim.statement = std::move(number);
  claim.source = std::move(source);
  if (claim.statement.empty()) claim.says = "found";  // the list of statements has the words of the others
  claim.found = "1.5 +- 0.1";
  claim.verdict = verdict;
  claim.finding = finding;
  claim.where = {"study/one.lua", 7};
  return claim;
}

// A publication of four statements: one holds, one does not, one cannot be tested, one has no claim.
std::vector<ScriptClaims> two_scripts() {
  session::Publication publication{"Author 2001", "On sums", {}};
  publication.statements = {
      {"A1-1", "section 1", "comparison", "the mean <is> below 2", "", ""},
      {"A1-2", "section 2", "error", "one and one is three", "", ""},
      {"A1-3", "section 3", "number", "our log has 12 jobs", "the log is not published", ""},
      {"A1-4", "section 4", "number", "four", "", ""}};
  std::vector<ScriptClaims> scripts(2);
  scripts[0].script = "study/one.lua";
  scripts[0].publications = {publication};
  scripts[0].claims = {claim_of("A1-1", Verdict::reproduces, Finding::holds),
                       claim_of("A1-2", Verdict::does_not_reproduce, Finding::fails)};
  scripts[0].claims[0].chosen = "the seed";
  scripts[1].script = "study/two.lua";
  scripts[1].publications = {publication};
  scripts[1].claims = {claim_of("", Verdict::reproduces, Finding::holds, "found here"),
                       claim_of("", Verdict::does_not_reproduce, Finding::fails, "Other 1999, Table 2")};
  return scripts;
}

const pages::Section& section_named(const pages::Document& document, const std::string& title) {
  for (const pages::Section& section : document.sections)
    if (section.title == title) return section;
  FAIL("no section " << title);
  throw 0;
}

template <class T>
std::vector<T> items_of(const pages::Section& section) {
  std::vector<T> items;
  for (const pages::Item& item : section.items)
    if (const T* each = std::get_if<T>(&item)) items.push_back(*each);
  return items;
}

}  // namespace

TEST_CASE("the page of findings has every statement once, with links between tables and findings") {
  const std::vector<ScriptClaims> scripts = two_scripts();
  const pages::Document document = findings_document(scripts, Shown::everything, true, {});
  CHECK(items_of<pages::Warnings>(document.sections.front()).empty());

  const auto tables = items_of<pages::TableItem>(section_named(document, "Verdicts"));
  REQUIRE(tables.size() == 2);
  const pages::TableItem &meanings = tables[0], &ours = tables[1];
  CHECK(meanings.table.columns ==
        std::vector<std::string>{"verdict", "statements", "other findings", "says that"});
  // reproduces, does not, not decided, source in error, left open, cannot be tested, no claim
  const double counts[7][2] = {{1, 0}, {1, 1}, {0, 0}, {0, 0}, {0, 0}, {1, 0}, {1, 0}};
  CHECK(ours.table.columns == std::vector<std::string>{"finding", "claims", "says that"});
  REQUIRE(ours.table.rows.size() == 1);
  CHECK(std::get<std::string>(ours.table.rows[0][0]) == "holds here");
  CHECK(std::get<double>(ours.table.rows[0][1]) == 1);
  REQUIRE(meanings.table.rows.size() == 7);
  for (std::size_t r = 0; r < 7; ++r)
    for (std::size_t c = 0; c < 2; ++c)
      CHECK(std::get<double>(meanings.table.rows[r][c + 1]) == counts[r][c]);

  const auto all = items_of<pages::TableItem>(section_named(document, "Statements")).front();
  CHECK(all.links == std::vector<std::string>{"A1-1", "A1-2", "A1-3", "A1-4", "finding-1", "finding-2"});
  CHECK(std::get<std::string>(all.table.rows[2][1]) == "cannot be tested");
  CHECK(std::get<std::string>(all.table.rows[3][1]) == "no claim");

  const auto cards = items_of<pages::Judgement>(section_named(document, "Author 2001: On sums"));
  REQUIRE(cards.size() == 4);
  CHECK(cards[0].id == "A1-1");
  CHECK(cards[0].says == "the mean <is> below 2");
  CHECK(cards[0].place == "Author 2001, section 1");
  CHECK(cards[0].verdict == "reproduces");
  CHECK(cards[0].tone == pages::Tone::good);
  CHECK(cards[0].found == "1.5 +- 0.1");
  CHECK(cards[0].source == "study/one.lua:7");
  CHECK(cards[2].found == "the log is not published");
  const auto others = items_of<pages::Judgement>(section_named(document, "Other findings"));
  REQUIRE(others.size() == 2);
  CHECK(others[0].ours);
  CHECK(others[0].verdict == "holds here");
  CHECK_FALSE(others[1].ours);
  CHECK(others[1].verdict == "does not reproduce");
  CHECK(items_of<pages::TableItem>(section_named(document, "What cannot be tested, and why"))
            .front()
            .table.rows.size() == 2);
  CHECK(items_of<pages::TableItem>(section_named(document, "Chosen so that it holds"))
            .front()
            .table.rows.size() == 1);

  const std::string page = pages::page_of(document);
  for (const std::string& id : all.links) {
    CHECK(page.find("<article class=\"judgement\" id=\"" + id + "\">") != std::string::npos);
    CHECK(page.find("<a href=\"#" + id + "\">") != std::string::npos);
  }
  CHECK(page.find("the mean &lt;is&gt; below 2") != std::string::npos);
  CHECK(page.find("<is>") == std::string::npos);
  CHECK(page == pages::page_of(findings_document(scripts, Shown::everything, true, {})));
}

TEST_CASE("what a short run does not show is marked in tables, and counted") {
  std::vector<ScriptClaims> scripts = two_scripts();
  scripts[0].claims[1].finding = Finding::undecided;
  const PageCommands commands{"again", "full", "kept"};
  const pages::Document document = findings_document(scripts, Shown::everything, false, {}, commands);
  const pages::Section& verdicts = section_named(document, "Verdicts");
  const auto meanings = items_of<pages::TableItem>(verdicts).front();
  REQUIRE(meanings.table.columns[3] == "of these not shown by this short run");
  CHECK(std::get<double>(meanings.table.rows[0][3]) == 0);
  CHECK(std::get<double>(meanings.table.rows[1][3]) == 1);
  const auto all = items_of<pages::TableItem>(section_named(document, "Statements")).front();
  CHECK(std::get<std::string>(all.table.rows[0][1]) == "reproduces");
  CHECK(std::get<std::string>(all.table.rows[1][1]) == "does not reproduce; not shown by this short run");
  const auto facts = items_of<pages::Facts>(verdicts);
  REQUIRE(facts.size() == 1);
  CHECK(facts[0].rows.size() == 3);
  CHECK(facts[0].rows[0].second == "again");
}

TEST_CASE("a page says first which scripts failed and what came out otherwise") {
  std::vector<ScriptClaims> scripts = two_scripts();
  scripts[1].problem = "line 3: it broke";
  scripts[0].claims[1].finding = Finding::holds;
  const auto lines = warnings_of(scripts, true, {"a fault"});
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "study/two.lua failed, and what it would have found is missing: line 3: it broke");
  CHECK(lines[1] == "study/one.lua:7: A1-2 holds in this run, its verdict is 'does not reproduce'");
  CHECK(lines[2] == "a fault");
}

TEST_CASE("two claims on one statement have two ids") {
  std::vector<ScriptClaims> scripts = two_scripts();
  scripts[1].claims.push_back(scripts[0].claims[0]);
  const ClaimIds ids = ids_of(scripts);
  CHECK(ids.at(&scripts[0].claims[0]) == "A1-1");
  CHECK(ids.at(&scripts[1].claims.back()) == "A1-1-2");
}

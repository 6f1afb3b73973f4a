#include "runtime/model/readers/table.h"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"
#include "tests/support/mutate.h"

using namespace perigee;
using namespace perigee::test;
using namespace std::string_view_literals;
using Kind = TableColumn::Kind;

namespace {

const std::vector<TableColumn> kOutages{{.name = "host", .other_names = {"cluster", "link"}},
                                        {.name = "from", .kind = Kind::quantity},
                                        {.name = "to", .kind = Kind::quantity}};

// Every row as "heading=text|number|number".
std::vector<std::string> outages(std::string_view text, const TableOptions& options = {}) {
  std::vector<std::string> rows;
  parse_table(
      text, "o.csv", kOutages,
      [&](const TableRow& row) {
        rows.push_back(std::to_string(row.line()) + ":" + std::string(row.heading(0)) + "=" +
                       std::string(row.text(0)) + "|" + format_number(row.number(1)) + "|" +
                       format_number(row.number(2)));
      },
      options);
  return rows;
}

std::string table_fault(std::string_view text) {
  return fault_line([&] { outages(text); });
}

std::string fault(std::string_view text, const std::vector<TableColumn>& columns) {
  return fault_line([&] { parse_table(text, "t.csv", columns, [](const TableRow&) {}); });
}

}  // namespace

TEST_CASE("tables: rows of outages") {
  const std::vector<std::string> expected{"2:host=a.1|10|20", "3:host=a.2|60|7200"};
  CHECK(outages("host,from,to\na.1,10,20\na.2,1 min,2 h\n") == expected);
  CHECK(outages("host;from;to\na.1;10;20\na.2;1 min;2 h") == expected);
  CHECK(outages("\xEF\xBB\xBF"
                "to,from,host\r\n20,10,a.1\r\n\"2 h\", \"1 min\" ,  a.2 \r\n") == expected);
  CHECK(outages("host,from,to") == std::vector<std::string>{});
  CHECK(outages("# a remark\n\nlink,from,to\n # another\n\"a,\"\"b\"\"\nc\",1,2\n \nd,3,4") ==
        std::vector<std::string>{"5:link=a,\"b\"\nc|1|2", "8:link=d|3|4"});
  CHECK(outages("host\tfrom\tto\na\t1\t2", {.separator = '\t'}) == std::vector<std::string>{"2:host=a|1|2"});
  CHECK(outages("host,from,to,why\na,1,2,x", {.other_columns = true}).size() == 1);
}

TEST_CASE("tables: cells that are absent, and the place of a cell") {
  const std::vector<TableColumn> columns{{.name = "name", .required = false},
                                         {.name = "size", .kind = Kind::number, .required = false},
                                         {.name = "count", .kind = Kind::whole, .required = false},
                                         {.name = "other", .required = false}};
  int rows = 0;
  const TableHeader header = parse_table("size,extra,name,count\n1.5,x,,3\n,,\"\",\n", "t.csv", columns,
                                         [&](const TableRow& row) {
                                           CHECK_FALSE(row.has(3));
                                           CHECK(row.heading(3).empty());
                                           CHECK(row.text(3).empty());
                                           CHECK(std::isnan(row.number(3)));
                                           if (rows++ == 0) {
                                             CHECK(row.has(1));
                                             CHECK(row.number(1) == 1.5);
                                             CHECK_FALSE(row.has(0));
                                             CHECK(row.number(2) == 3);
                                             CHECK(row.where(2) == SourceLocation{"t.csv", 2});
                                             CHECK(row.position(2) == 8);
                                             CHECK(fault_line([&] {
                                                     row.fail(2, "too_many", "got {}", 3);
                                                   }) == "too_many t.csv:2: column 8: got 3");
                                           } else {
                                             CHECK(row.has(0));  // an empty text
                                             CHECK_FALSE(row.has(1));
                                             CHECK(std::isnan(row.number(1)));
                                           }
                                         },
                                         {.other_columns = true});
  CHECK(rows == 2);
  CHECK(header.ignored == std::vector<std::string>{"extra"});
}

TEST_CASE("tables: errors") {
  CHECK(table_fault("") == "bad_file o.csv: the file is empty; its first line must name the columns");
  CHECK(table_fault("\n# a\n") == "bad_file o.csv: the file is empty; its first line must name the columns");
  CHECK(table_fault("host,from\n") ==
        "missing_field o.csv:1: column 1: there is no column 'to', only host, from");
  CHECK(table_fault("from,to\n") ==
        "missing_field o.csv:1: column 1: there is no column 'host' or 'cluster' or 'link', only from, to");
  CHECK(table_fault("host,form,to\n") ==
        "unknown_field o.csv:1: column 6: unknown column 'form'; did you mean 'from'? (the columns are host, "
        "cluster, "
        "link, from, to)");
  CHECK(table_fault("host,from,from\n") == "duplicate_id o.csv:1: column 11: two columns are called 'from'");
  CHECK(table_fault("host,from,link,to\n") ==
        "duplicate_id o.csv:1: column 11: columns 'host' and 'link' are the same");
  CHECK(table_fault("host,from,,to\n") == "bad_table o.csv:1: column 11: column 3 has no name");
  CHECK(table_fault("host,from,to\na,1\n") ==
        "bad_table o.csv:2: column 3: 2 cells in this row, 3 in the first");
  CHECK(table_fault("host,from,to\na,1,2,3\n") ==
        "bad_table o.csv:2: column 7: 4 cells in this row, 3 in the first");
  CHECK(table_fault("host,from,to\na,,2\n") == "missing_field o.csv:2: column 3: from: there is nothing");
  CHECK(table_fault("host,from,to\na,1,2 kB\n").find("bad_table o.csv:2: column 5: to: ") == 0);
  CHECK(table_fault("host,from,to\n\"a,1,2\n\n") == "bad_table o.csv:2: column 1: a quote is never closed");
  CHECK(table_fault("host,from,to\n\"a\"b,1,2\n") ==
        "bad_table o.csv:2: column 4: text after a closing quote");
  CHECK(table_fault("host,from,to\nx,1,2\na\"b,1,2\n") ==
        "bad_table o.csv:3: column 2: a quote within a cell that does not begin with one");
  CHECK(table_fault("host,from,to\n\"a\nb\nc\",1,2\n\"a\nb\",x,2\n")
            .find("bad_table o.csv:6: column 4: from: ") == 0);
  const std::vector<TableColumn> numbers{{.name = "x", .kind = Kind::number},
                                         {.name = "n", .kind = Kind::whole}};
  CHECK(fault("x,n\n1,1\nabc,1\n", numbers) == "bad_table t.csv:3: column 1: x: 'abc' is not a number");
  CHECK(fault("x;n\n1,5;1\n", numbers) ==
        "bad_table t.csv:2: column 1: x: '1,5' is not a number: write a decimal point");
  CHECK(fault("x,n\ninf,1\n", numbers) == "bad_table t.csv:2: column 1: x: 'inf' is not a number");
  CHECK(fault("x,n\n1e999,1\n", numbers) == "bad_table t.csv:2: column 1: x: '1e999' is not a number");
  CHECK(fault("x,n\n1,1.5\n", numbers) == "bad_table t.csv:2: column 3: n: 1.5 is not a whole number");
  CHECK(fault("x,n\n1,1e300\n", numbers) ==
        "bad_table t.csv:2: column 3: n: 1e300 is not a whole number that is exact");
  CHECK(fault("x,n\n1,a\n", numbers) == "bad_table t.csv:2: column 3: n: 'a' is not a whole number");
  CHECK(fault("x\n" + std::string(20000, ','), numbers).find("missing_field") == 0);
  CHECK(fault("x,n\n" + std::string(20000, ','), numbers) ==
        "bad_table t.csv:2: column 10001: more than 10000 cells in a row");
  CHECK(fault_line([] { outages("host,from,to", {.separator = '"'}); }).find("bad_parameter") == 0);
  CHECK(fault_line([] { read_table("/nowhere/x.csv", kOutages, [](const TableRow&) {}); }) ==
        "bad_file /nowhere/x.csv: there is no such file");
  CHECK(fault_line([] { read_table("/", kOutages, [](const TableRow&) {}); }) ==
        "bad_file /: a file is needed, this is a folder");
}

TEST_CASE("tables: a file of many rows is read in pieces") {
  const auto path =
      std::filesystem::temp_directory_path() / ("perigee_table_" + std::to_string(getpid()) + ".csv");
  std::ofstream(path) << [] {
    std::string text = "host,from,to\n";
    for (int i = 0; i < 50000; ++i)
      text += "\"h\n" + std::to_string(i) + "\"," + std::to_string(i) + "," + std::to_string(i + 1) + "\n";
    return text;
  }();
  int rows = 0;
  double sum = 0;
  read_table(path, kOutages, [&](const TableRow& row) {
    if (row.text(0) == "h\n" + std::to_string(rows) && row.line() == 2 + 2 * rows) ++rows;
    sum += row.number(2);
  });
  std::filesystem::remove(path);
  CHECK(rows == 50000);
  CHECK(sum == 50000.0 * 50001 / 2);
}

TEST_CASE("tables: of unknown columns") {
  const TableData data = parse_table_data("name,size,note,none\na,1.5,,\nb,,2x,\n,-3e2,\"\",\n", "t.csv");
  REQUIRE(data.rows == 3);
  REQUIRE(data.columns.size() == 4);
  CHECK(data.column("name").texts == std::vector<std::string>{"a", "b", ""});
  CHECK_FALSE(data.column("name").numeric);
  const std::vector<double>& sizes = data.column("size").numbers;
  REQUIRE(data.column("size").numeric);
  CHECK(sizes[0] == 1.5);
  CHECK(std::isnan(sizes[1]));
  CHECK(sizes[2] == -300);
  CHECK(data.column("note").texts == std::vector<std::string>{"", "2x", ""});
  CHECK_FALSE(data.column("none").numeric);
  CHECK(fault_line([&] { data.column("sise"); }) ==
        "unknown_field unknown column 'sise'; did you mean 'size'?");
  // As numbers, these texts would lose a zero or a digit.
  CHECK(parse_table_data("id\n7\n007\n", "t.csv").column("id").texts == std::vector<std::string>{"7", "007"});
  CHECK_FALSE(parse_table_data("id\n9007199254740993\n", "t.csv").column("id").numeric);
  CHECK(parse_table_data("id\n9007199254740991\n0\n0.5\n", "t.csv").column("id").numeric);
  CHECK(fault_line([] { parse_table_data("a,b\r1,2\r", "t.csv"); }) ==
        "bad_table t.csv:1: column 3: lines must end with LF or CR LF, these end with CR alone");
  // "" is a text: the column is not numeric.
  CHECK_FALSE(parse_table_data("a,b\n1,2\n\"\",3\n", "t.csv").column("a").numeric);
}

TEST_CASE("tables: mutated tables give rows or an error, never anything else") {
  const std::string seed =
      "host,from,to\na.1,1,2\n\"b \"\"2\"\"\",10 s,1 min\n# remark\nc;d,5,6e1\n\"x\ny\",7,8\n";
  const std::string_view letters = "\",;\n\r# 0123456789.eE-smhfromth\0\xff"sv;
  std::mt19937_64 random(2);
  int read = 0, refused = 0;
  for (int round = 0; round < 5000; ++round) {
    const std::string text = mutated(seed, random, letters, 5);
    try {
      outages(text, {.other_columns = below(random, 2) == 0});
      parse_table_data(text, "t.csv");
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(read > 100);
  CHECK(refused > 100);
}

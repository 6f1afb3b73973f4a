#include "interpreter/experiments/report.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
using namespace perigee::test;
using namespace perigee::experiments;
using namespace perigee::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

CellOutcome with(const std::vector<std::string>& names, const std::vector<double>& values) {
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>(names);
  outcome.values = values;
  return outcome;
}

Design report_design_of(std::uint64_t replications) {
  Design design;
  design.name = "d";
  design.factors = {{"policy", {"a", "b"}}};
  design.combinations = {{0}, {1}};
  design.replications.least = design.replications.most = replications;
  return design;
}

double number(const Table& table, std::size_t row, const std::string& column) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c] == column) return std::get<double>(table.rows.at(row).at(c));
  FAIL("no column " << column);
  return 0;
}

}  // namespace

TEST_CASE("means and half-widths of each combination") {
  // 1, 2, 3: mean 2, sd 1, t(2; 0.975) = 4.302653 (tables): half-width 4.302653 / sqrt(3) = 2.484138.
  const Design design = report_design_of(3);
  CellOutcomes all;
  for (std::uint64_t r = 1; r <= 3; ++r) {
    all[design.number(0, r)] = with({"x"}, {static_cast<double>(r)});
    all[design.number(1, r)] = with({"x"}, {10});
  }
  const Table table = mean_table(design, all, {"x"}, 0.95);
  CHECK(table.columns == std::vector<std::string>{"policy", "n", "x", "x_half_width"});
  REQUIRE(table.rows.size() == 2);
  CHECK(number(table, 0, "n") == 3);
  CHECK(number(table, 0, "x") == Approx(2));
  CHECK(number(table, 0, "x_half_width") == Approx(2.484138).epsilon(1e-6));
  CHECK(number(table, 1, "x") == 10);
  CHECK(number(table, 1, "x_half_width") == 0);
}

TEST_CASE("cells that lack a measure are counted out, and failed ones") {
  const Design design = report_design_of(4);
  CellOutcomes all;
  all[design.number(0, 1)] = with({"x", "y"}, {1, 5});
  all[design.number(0, 2)] = with({"x"}, {3});
  all[design.number(0, 3)] = with({"x", "y"}, {kNaN, 7});
  all[design.number(0, 4)] = {};
  all[design.number(1, 1)] = with({"x", "y"}, {kInf, 5});
  all[design.number(1, 2)] = with({"x", "y"}, {1, 5});
  const Table table = mean_table(design, all, {"x", "y"}, 0.95);
  CHECK(table.columns ==
        std::vector<std::string>{"policy", "n", "x", "x_half_width", "x_n", "y", "y_half_width", "y_n"});
  CHECK(number(table, 0, "n") == 3);
  CHECK(number(table, 0, "x") == 2);
  CHECK(number(table, 0, "x_n") == 2);
  CHECK(number(table, 0, "y") == 6);
  CHECK(number(table, 1, "x") == kInf);
  CHECK(std::isnan(number(table, 1, "x_half_width")));
}

TEST_CASE("differences are taken within a replication") {
  // a: 10, 20, 30; b: 11, 22, 30. Differences 1, 2, 0: mean 1, sd 1, half-width 2.484138: 0 is inside. The
  // two means alone, 20 and 21 with sd 10, could never tell. In replication 4 only one policy has a result.
  const Design design = report_design_of(4);
  CellOutcomes all;
  const std::vector<double> a{10, 20, 30, 99}, b{11, 22, 30};
  for (std::size_t r = 0; r < 4; ++r) all[design.number(0, r + 1)] = with({"x"}, {a[r]});
  for (std::size_t r = 0; r < 3; ++r) all[design.number(1, r + 1)] = with({"x"}, {b[r]});
  Table table = difference_table(design, all, "x", 0, 0, 0.95);
  REQUIRE(table.rows.size() == 1);
  CHECK(std::get<std::string>(table.rows[0][0]) == "b");
  CHECK(number(table, 0, "n") == 3);
  CHECK(number(table, 0, "mean") == 21);
  CHECK(number(table, 0, "baseline_mean") == 20);
  CHECK(number(table, 0, "difference") == Approx(1));
  CHECK(number(table, 0, "difference_half_width") == Approx(2.484138).epsilon(1e-6));
  CHECK(std::get<std::string>(table.rows[0].back()) == "not distinguishable");

  // 1, 1.1, 0.9: sd 0.1, half-width 0.2484: higher. From the other side: lower.
  for (std::size_t r = 0; r < 3; ++r)
    all[design.number(1, r + 1)] = with({"x"}, {a[r] + std::vector<double>{1, 1.1, 0.9}[r]});
  CHECK(std::get<std::string>(difference_table(design, all, "x", 0, 0, 0.95).rows[0].back()) == "higher");
  CHECK(std::get<std::string>(difference_table(design, all, "x", 0, 1, 0.95).rows[0].back()) == "lower");

  // One pair says nothing.
  all.erase(design.number(1, 2));
  all.erase(design.number(1, 3));
  table = difference_table(design, all, "x", 0, 0, 0.95);
  CHECK(number(table, 0, "n") == 1);
  CHECK(std::get<std::string>(table.rows[0].back()) == "no interval");
}

TEST_CASE("CSV and JSON keep what is absent, not finite, or failed apart") {
  const Design design = report_design_of(2);
  CellOutcomes all;
  all[1] = with({"x", "y"}, {kNaN, kInf});
  all[2] = with({"y"}, {-kInf});
  all[3] = with({"x", "y"}, {0.1, 3});
  all[4].error = "no \"luck\"";
  const std::string csv = exact_csv(cell_table(design, all));
  const std::string first = std::to_string(design.seed_of(1)), second = std::to_string(design.seed_of(2));
  CHECK(csv == "cell,policy,replication,seed,x,y\n1,a,1," + first + ",nan,inf\n2,b,1," + first +
                   ",,-inf\n3,a,2," + second + ",0.1,3\n");
  const auto json = nlohmann::json::parse(experiment_json(design, all));
  CHECK(json["experiment"] == "d");
  CHECK(json["factors"][0]["levels"] == nlohmann::json({"a", "b"}));
  REQUIRE(json["cells"].size() == 3);
  CHECK(json["cells"][0]["measures"]["x"] == "nan");
  CHECK(json["cells"][0]["measures"]["y"] == "inf");
  CHECK_FALSE(json["cells"][1]["measures"].contains("x"));
  CHECK(json["cells"][1]["measures"]["y"] == "-inf");
  CHECK(json["cells"][2]["measures"]["x"] == 0.1);
  CHECK(json["cells"][2]["seed"] == design.seed_of(2));
  REQUIRE(json["failures"].size() == 1);
  CHECK(json["failures"][0]["message"] == "no \"luck\"");
  const Table failures = failure_table(design, all);
  REQUIRE(failures.rows.size() == 1);
  CHECK(std::get<std::string>(failures.rows[0].back()) == "no \"luck\"");
}

#include "interpreter/experiments/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/whole.h"
#include "runtime/model/readers/json_document.h"
#include "runtime/model/readers/whole_number.h"
#include "runtime/results/metrics.h"
#include "runtime/statistics/interval.h"

namespace perigee::experiments {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> factor_names(const Design& design) {
  std::vector<std::string> names;
  names.reserve(design.factors.size());
  for (const Factor& factor : design.factors) names.push_back(factor.name);
  return names;
}

// The beginning of a cell's row.
std::vector<Cell> row_of(const Design& design, std::uint64_t cell) {
  const std::uint64_t replication = design.replication_of(cell);
  std::vector<Cell> row{static_cast<double>(cell)};
  for (std::size_t f = 0; f < design.factors.size(); ++f)
    row.push_back(design.level(design.combination_of(cell), f));
  row.emplace_back(static_cast<double>(replication));
  row.emplace_back(static_cast<double>(design.seed_of(replication)));
  return row;
}
std::vector<std::string> columns_of(const Design& design) {
  std::vector<std::string> columns{"cell"};
  for (const std::string& name : factor_names(design)) columns.push_back(name);
  columns.insert(columns.end(), {"replication", "seed"});
  return columns;
}

Interval interval_of(const std::vector<double>& values, double confidence) {
  if (std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
    return student_interval(values, confidence);
  double sum = 0;
  for (const double x : values) sum += x;
  return {sum / static_cast<double>(values.size()), kNone, kNone, values.size(), confidence};
}

nlohmann::ordered_json json_number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  if (is_whole(x)) return static_cast<std::int64_t>(x);
  return x;
}
nlohmann::ordered_json json_level(const Cell& level) {
  if (const auto* number = std::get_if<double>(&level)) return json_number(*number);
  if (const auto* truth = std::get_if<bool>(&level)) return *truth;
  return text_of(level);
}

// Sets the units of columns that are measures or half-widths of measures.
void name_units(Table& table) {
  constexpr std::string_view kHalf = "_half_width";
  for (std::string_view column : table.columns) {
    if (column.ends_with(kHalf)) column.remove_suffix(kHalf.size());
    std::string_view unit;
    for (const MetricInfo& info : metric_infos())
      if (info.name == column) unit = info.unit;
    table.units.emplace_back(unit);
  }
}

}  // namespace

std::vector<std::string> measures_of(const CellOutcomes& outcomes) {
  std::vector<std::string> all;
  CellOutcome::Names last;
  for (const auto& [number, outcome] : outcomes) {
    if (outcome.failed() || outcome.names == last) continue;
    last = outcome.names;
    for (const std::string& name : *last)
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  }
  return all;
}

Table cell_table(const Design& design, const CellOutcomes& outcomes) {
  const std::vector<std::string> measures = measures_of(outcomes);
  Table table{columns_of(design), {}};
  table.columns.insert(table.columns.end(), measures.begin(), measures.end());
  for (const auto& [number, outcome] : outcomes) {
    if (outcome.failed()) continue;
    auto row = row_of(design, number);
    for (const std::string& measure : measures) {
      row.emplace_back();
      if (const double* value = outcome.find(measure)) row.back() = *value;
    }
    table.rows.push_back(std::move(row));
  }
  name_units(table);
  return table;
}

Table mean_table(const Design& design, const CellOutcomes& outcomes, const std::vector<std::string>& measures,
                 double confidence, bool warnings) {
  const std::size_t combinations = design.combinations.size();
  std::vector<std::size_t> finished(combinations, 0), warned(combinations, 0);
  for (const auto& [number, outcome] : outcomes) {
    finished[design.combination_of(number)] += outcome.failed() ? 0 : 1;
    warned[design.combination_of(number)] += outcome.failed() || outcome.warnings.empty() ? 0 : 1;
  }
  Table table{factor_names(design), {}};
  table.columns.emplace_back("n");
  table.rows.resize(combinations);
  for (std::size_t c = 0; c < combinations; ++c) {
    for (std::size_t f = 0; f < design.factors.size(); ++f) table.rows[c].push_back(design.level(c, f));
    table.rows[c].emplace_back(static_cast<double>(finished[c]));
  }
  for (const std::string& measure : measures) {
    std::vector<std::vector<double>> values(combinations);
    for (const auto& [number, outcome] : outcomes)
      if (const double* value = outcome.find(measure); value != nullptr && !std::isnan(*value))
        values[design.combination_of(number)].push_back(*value);
    bool some_lack_it = false;
    for (std::size_t c = 0; c < combinations; ++c) some_lack_it |= values[c].size() != finished[c];
    table.columns.insert(table.columns.end(), {measure, measure + "_half_width"});
    if (some_lack_it) table.columns.push_back(measure + "_n");
    for (std::size_t c = 0; c < combinations; ++c) {
      const Interval interval = interval_of(values[c], confidence);
      table.rows[c].emplace_back(interval.mean);
      table.rows[c].emplace_back(interval.half_width);
      if (some_lack_it) table.rows[c].emplace_back(static_cast<double>(values[c].size()));
    }
  }
  if (warnings) {
    table.columns.emplace_back("warned");
    for (std::size_t c = 0; c < combinations; ++c) table.rows[c].emplace_back(static_cast<double>(warned[c]));
  }
  name_units(table);
  return table;
}

Table difference_table(const Design& design, const CellOutcomes& outcomes, const std::string& measure,
                       std::size_t factor, std::uint32_t baseline, double confidence) {
  Table table{factor_names(design), {}};
  table.columns.insert(table.columns.end(),
                       {"n", "mean", "baseline_mean", "difference", "difference_half_width", "verdict"});
  for (std::size_t c = 0; c < design.combinations.size(); ++c) {
    std::vector<std::uint32_t> other = design.combinations[c];
    if (other[factor] == baseline) continue;
    other[factor] = baseline;
    const auto at = std::find(design.combinations.begin(), design.combinations.end(), other);
    if (at == design.combinations.end()) continue;
    const auto base = static_cast<std::size_t>(at - design.combinations.begin());
    std::vector<double> ours, theirs, differences;
    for (const auto& [number, outcome] : outcomes) {
      if (design.combination_of(number) != c) continue;
      const auto paired = outcomes.find(design.number(base, design.replication_of(number)));
      if (paired == outcomes.end()) continue;
      const double *a = outcome.find(measure), *b = paired->second.find(measure);
      if (a == nullptr || b == nullptr || std::isnan(*a) || std::isnan(*b)) continue;
      ours.push_back(*a);
      theirs.push_back(*b);
      differences.push_back(*a - *b);
    }
    const Interval difference = interval_of(differences, confidence);
    std::string verdict = std::isnan(difference.half_width) ? "no interval" : "not distinguishable";
    if (difference.low() > 0) verdict = "higher";
    if (difference.high() < 0) verdict = "lower";
    std::vector<Cell> row;
    for (std::size_t f = 0; f < design.factors.size(); ++f) row.push_back(design.level(c, f));
    for (const double x : {static_cast<double>(differences.size()), interval_of(ours, confidence).mean,
                           interval_of(theirs, confidence).mean, difference.mean, difference.half_width})
      row.emplace_back(x);
    row.emplace_back(verdict);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table failure_table(const Design& design, const CellOutcomes& outcomes) {
  Table table{columns_of(design), {}};
  table.columns.emplace_back("message");
  for (const auto& [number, outcome] : outcomes) {
    if (!outcome.failed()) continue;
    auto row = row_of(design, number);
    row.emplace_back(outcome.error);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string WarningSum::text() const {
  if (warning.count == 0) return warning.text;
  std::string what = warning.text;
  const std::size_t end = std::min(what.find(' '), what.size());
  if (warning.count == 1 && end > 0 && what[end - 1] == 's') what.erase(end - 1, 1);  // "1 piece of work"
  return fmt::format("{} {}", warning.count, what);
}

std::vector<WarningSum> warning_sums(const Design& design, const CellOutcomes& outcomes) {
  std::vector<std::vector<WarningSum>> sums(design.combinations.size());
  std::vector<std::size_t> finished(design.combinations.size(), 0);
  for (const auto& [number, outcome] : outcomes) {
    if (outcome.failed()) continue;
    const std::size_t c = design.combination_of(number);
    ++finished[c];
    for (const CellWarning& warning : outcome.warnings) {
      const auto same = [&](const WarningSum& sum) { return sum.warning.text == warning.text; };
      auto at = std::find_if(sums[c].begin(), sums[c].end(), same);
      if (at == sums[c].end()) at = sums[c].insert(at, {c, {warning.text, 0}, 0, 0, number});
      at->warning.count += warning.count;
      ++at->cells;
    }
  }
  std::vector<WarningSum> all;
  for (std::size_t c = 0; c < sums.size(); ++c)
    for (WarningSum& sum : sums[c]) {
      sum.of = finished[c];
      all.push_back(std::move(sum));
    }
  return all;
}

Table warning_table(const Design& design, const CellOutcomes& outcomes) {
  Table table{factor_names(design), {}};
  table.columns.insert(table.columns.end(), {"cells", "count", "warning"});
  for (const WarningSum& sum : warning_sums(design, outcomes)) {
    std::vector<Cell> row;
    for (std::size_t f = 0; f < design.factors.size(); ++f) row.push_back(design.level(sum.combination, f));
    row.emplace_back(static_cast<double>(sum.cells));
    row.emplace_back();
    if (sum.warning.count > 0) row.back() = static_cast<double>(sum.warning.count);
    row.emplace_back(sum.warning.text);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string exact_csv(Table table) {
  for (auto& row : table.rows)
    for (Cell& cell : row)
      if (const auto* number = std::get_if<double>(&cell); number != nullptr && std::isnan(*number))
        cell.emplace<std::string>("nan");
  return table.csv();
}

// The end of the text is a checksum of everything before it.
static constexpr std::string_view kChecksum = "\"checksum\": \"";

std::string experiment_json(const Design& design, const CellOutcomes& outcomes) {
  using nlohmann::ordered_json;
  const auto dump = [](const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  };
  ordered_json factors = ordered_json::array();
  for (const Factor& factor : design.factors) {
    ordered_json levels = ordered_json::array();
    for (const Cell& level : factor.levels) levels.push_back(json_level(level));
    factors.push_back({{"name", factor.name}, {"levels", levels}});
  }
  std::string cells, failures;
  for (const auto& [number, outcome] : outcomes) {
    ordered_json json;
    json["cell"] = number;
    json["factors"] = ordered_json::object();
    for (std::size_t f = 0; f < design.factors.size(); ++f)
      json["factors"][design.factors[f].name] = json_level(design.level(design.combination_of(number), f));
    json["replication"] = design.replication_of(number);
    json["seed"] = design.seed_of(design.replication_of(number));
    if (outcome.failed()) {
      json["message"] = outcome.error;
    } else {
      json["measures"] = ordered_json::object();
      for (std::size_t i = 0; i < outcome.values.size(); ++i)
        json["measures"][(*outcome.names)[i]] = json_number(outcome.values[i]);
      for (const CellWarning& warning : outcome.warnings)
        json["warnings"].push_back({{"text", warning.text}, {"count", warning.count}});
    }
    std::string& list = outcome.failed() ? failures : cells;
    list += (list.empty() ? "\n" : ",\n") + dump(json);
  }
  std::string text = fmt::format(
      "{{\"experiment\": {},\n\"version\": {},\n\"seed\": {},\n\"factors\": {},\n\"combinations\": {},\n"
      "\"cells\": [{}],\n\"failures\": [{}],\n",
      dump(design.name), dump(PERIGEE_VERSION), design.seed, dump(factors), dump(design.combinations), cells,
      failures);
  const std::string checksum = hash_text(text);
  return text + fmt::format("{}{}\"}}\n", kChecksum, checksum);
}

namespace {

Cell level_of(const nlohmann::ordered_json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_boolean()) return json.get<bool>();
  return json.get<std::string>();
}

double measure_of(const nlohmann::ordered_json& json) {
  if (json.is_number()) return json.get<double>();
  const auto text = json.get<std::string>();
  return text == "inf" ? kInfinity : text == "-inf" ? -kInfinity : kNone;
}

}  // namespace

std::pair<Design, CellOutcomes> read_experiment(const std::string& text, const std::string& file) {
  Design design;
  CellOutcomes outcomes;
  const auto refuse = [&](const std::string& why) {
    fail("bad_file", "{} is not what e:save writes: {}", file, why);
  };
  try {
    const readers::JsonDocument<nlohmann::ordered_json> document(text);
    const auto& json = document.root();
    if (const std::size_t at = text.rfind(kChecksum);
        at == text.npos || json.at("checksum") != hash_text(text.substr(0, at)))
      refuse("it was changed since, for its checksum differs");
    design.name = json.at("experiment").get<std::string>();
    design.seed = readers::whole_number<std::uint64_t>(json.at("seed"));
    for (const auto& each : json.at("factors")) {
      Factor& factor = design.factors.emplace_back();
      factor.name = each.at("name").get<std::string>();
      for (const auto& level : each.at("levels")) factor.levels.push_back(level_of(level));
    }
    using Array = nlohmann::ordered_json::array_t;
    for (const auto& combination : json.at("combinations").get_ref<const Array&>()) {
      std::vector<std::uint32_t>& levels = design.combinations.emplace_back();
      for (const auto& level : combination.get_ref<const Array&>())
        levels.push_back(readers::whole_number<std::uint32_t>(level));
    }
    if (design.combinations.empty()) refuse("it has no combinations");
    for (const auto& combination : design.combinations) {
      if (combination.size() != design.factors.size()) refuse("a combination has not a level of each factor");
      for (std::size_t f = 0; f < combination.size(); ++f)
        if (combination[f] >= design.factors[f].levels.size())
          refuse(fmt::format("there is no level {} of '{}'", combination[f] + 1, design.factors[f].name));
    }
    design.replications.least = design.replications.most = 0;
    for (const char* list : {"cells", "failures"})
      for (const auto& each : json.at(list)) {
        const auto cell = readers::whole_number<std::uint64_t>(each.at("cell"));
        if (cell == 0) refuse("cells count from 1");
        const std::uint64_t replication = design.replication_of(cell);
        if (each.at("replication") != replication || each.at("seed") != design.seed_of(replication))
          refuse(fmt::format("cell {} has another replication or seed", cell));
        design.replications.least = std::max(design.replications.least, replication);
        CellOutcome outcome;
        if (const auto message = each.find("message"); message != each.end()) {
          outcome.error = message->get<std::string>();
        } else {
          auto names = std::make_shared<std::vector<std::string>>();
          for (const auto& [name, value] : each.at("measures").items()) {
            names->push_back(name);
            outcome.values.push_back(measure_of(value));
          }
          outcome.names = std::move(names);
          if (const auto warnings = each.find("warnings"); warnings != each.end())
            for (const auto& warning : *warnings)
              outcome.warnings.push_back({warning.at("text").get<std::string>(),
                                          readers::whole_number<std::uint64_t>(warning.at("count"))});
        }
        if (!outcomes.emplace(cell, std::move(outcome)).second)
          refuse(fmt::format("cell {} is there twice", cell));
      }
    design.replications.most = design.replications.least;
  } catch (const nlohmann::json::exception& error) {
    refuse(error.what());
  }
  return {std::move(design), std::move(outcomes)};
}

}  // namespace perigee::experiments

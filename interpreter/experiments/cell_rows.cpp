#include "interpreter/experiments/cell_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "runtime/kernel/random.h"
#include "runtime/model/readers/whole_number.h"

namespace perigee::experiments {

namespace {

using nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kKindsOfReads = {"file", "setting", "seed"};

std::string dumped(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// As the JSON library writes it, several times as fast.
void append_number(std::string& out, double x) {
  if (std::isnan(x)) {
    out += "\"nan\"";
  } else if (std::isinf(x)) {
    out += x > 0 ? "\"inf\"" : "\"-inf\"";
  } else {
    const std::size_t begin = out.size();
    fmt::format_to(std::back_inserter(out), "{}", x);  // the shortest text that reads as x
    if (std::string_view(out).substr(begin).find_first_of(".e") == std::string_view::npos) out += ".0";
  }
}

double cell_number_of(const ordered_json& json) {
  if (json.is_number()) return json.get<double>();
  const auto text = json.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return text == "-inf" ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string factors_text(const Design& design, std::size_t combination) {
  std::string out = "{";
  for (std::size_t f = 0; f < design.factors.size(); ++f) {
    const Cell& level = design.level(combination, f);
    out += fmt::format("{}{}:", f > 0 ? "," : "", dumped(design.factors[f].name));
    if (const auto* number = std::get_if<double>(&level))
      append_number(out, *number);
    else if (const auto* truth = std::get_if<bool>(&level))
      out += *truth ? "true" : "false";
    else
      out += dumped(text_of(level));
  }
  return out + "}";
}

std::string parts_text(const std::vector<KeyPart>& parts) {
  ordered_json list = ordered_json::array();
  for (const KeyPart& part : parts) list.push_back({part.name, part.digest});
  return dumped(list);
}

std::vector<KeyPart> parts_of(std::string_view text) {
  std::vector<KeyPart> parts;
  const ordered_json list = ordered_json::parse(text, nullptr, false);
  if (list.is_array())
    for (const auto& part : list)
      if (part.is_array() && part.size() == 2 && part[0].is_string() && part[1].is_string())
        parts.push_back({part[0], part[1]});
  return parts;
}

std::vector<std::string> changed_parts(const std::vector<KeyPart>& before, const std::vector<KeyPart>& now) {
  std::vector<std::string> changed;
  std::map<std::string, std::string> then;
  for (const KeyPart& part : before) then[part.name] = part.digest;
  for (const KeyPart& part : now) {
    const auto old = then.extract(part.name);
    if (old.empty() || old.mapped() != part.digest) changed.push_back(part.name);
  }
  for (const auto& [name, digest] : then) changed.push_back(name);
  return changed;
}

std::string read_text_of(const CellOutcome::Read& read) {
  return fmt::format("the {} '{}'", kKindsOfReads.at(static_cast<std::size_t>(read.kind)), read.name);
}

void CellWriter::write(const CellOutcome& outcome, CellTexts& row) {
  if (names_ != outcome.names && (!names_ || *names_ != *outcome.names)) {
    begins_.clear();
    for (const std::string& name : *outcome.names)
      begins_.push_back(fmt::format("{}{}:", begins_.empty() ? '{' : ',', dumped(name)));
  }
  names_ = outcome.names;
  row.measures.clear();
  for (std::size_t i = 0; i < outcome.values.size(); ++i) {
    row.measures += begins_[i];
    append_number(row.measures, outcome.values[i]);
  }
  row.measures += row.measures.empty() ? "{}" : "}";
  row.warnings = "[]";
  if (!outcome.warnings.empty()) {
    ordered_json warnings = ordered_json::array();
    for (const CellWarning& each : outcome.warnings) warnings.push_back({each.text, each.count});
    row.warnings = dumped(warnings);
  }
  row.reads = "[]";
  if (!outcome.reads.empty()) {
    ordered_json reads = ordered_json::array();
    for (const CellOutcome::Read& each : outcome.reads)
      reads.push_back({kKindsOfReads.at(static_cast<std::size_t>(each.kind)), each.name,
                       each.value ? ordered_json(*each.value) : ordered_json()});
    row.reads = dumped(reads);
  }
}

CellOutcome outcome_of(std::string_view measures, std::string_view warnings, std::string_view reads) {
  CellOutcome outcome;
  auto names = std::make_shared<std::vector<std::string>>();
  const ordered_json values = ordered_json::parse(measures);
  for (const auto& [name, value] : values.items()) {
    names->push_back(name);
    outcome.values.push_back(cell_number_of(value));
  }
  outcome.names = std::move(names);
  for (const auto& each : ordered_json::parse(warnings))
    outcome.warnings.push_back(
        {each.at(0).get<std::string>(), readers::whole_number<std::uint64_t>(each.at(1))});
  for (const auto& each : ordered_json::parse(reads)) {
    const auto kind = std::ranges::find(kKindsOfReads, each.at(0).get<std::string>());
    CellOutcome::Read read{static_cast<CellOutcome::Read::Kind>(kind - kKindsOfReads.begin()), each.at(1),
                           std::nullopt};
    if (!each.at(2).is_null()) read.value = each.at(2).get<std::string>();
    outcome.reads.push_back(std::move(read));
  }
  outcome.stored = true;
  return outcome;
}

RowSum::RowSum(std::string_view key, std::string_view experiment, std::string_view levels,
               std::string_view factors) {
  for (const std::string_view part : {key, experiment, levels, factors})
    begin_ += fmt::format("{}:{}", part.size(), part);
  begin_ = fmt::format("{:016x}", hash_name(begin_));
}

std::int64_t RowSum::of(std::int64_t replication, std::int64_t seed, std::string_view measures,
                        std::string_view warnings, std::string_view reads) const {
  fmt::memory_buffer all;
  fmt::format_to(std::back_inserter(all), "{}{} {} {} {} {}", begin_, replication, seed, measures.size(),
                 warnings.size(), reads.size());
  for (const std::string_view part : {measures, warnings, reads}) all.append(part);
  return static_cast<std::int64_t>(hash_name({all.data(), all.size()}));
}

}  // namespace perigee::experiments

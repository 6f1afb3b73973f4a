#include "interpreter/command/verdict_rows.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "interpreter/session/cells.h"
#include "runtime/kernel/error.h"
#include "runtime/model/readers/whole_number.h"

namespace perigee::command {

namespace {

using session::Claim;
using session::Finding;
using session::Verdict;

template <class T>
std::optional<T> named(std::string_view name, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (name_of(static_cast<T>(i)) == name) return static_cast<T>(i);
  return std::nullopt;
}

VerdictRow row_of(const nlohmann::json& json) {
  const auto text = [&](const char* name) { return json.value(name, std::string()); };
  VerdictRow row;
  row.claim.statement = text("statement");
  row.claim.source = text("source");
  row.claim.says = text("says");
  row.claim.found = text("found");
  row.claim.chosen = text("chosen");
  row.claim.note = text("note");
  row.script = json.at("script").get<std::string>();
  row.settings = json.at("settings").get<std::map<std::string, std::string>>();
  row.seed = readers::whole_number<std::uint64_t>(json.at("seed"));
  row.version = json.at("version").get<std::string>();
  row.code = text("code");
  row.hash = text("hash");
  const auto verdict = named<Verdict>(json.at("verdict").get<std::string>(), session::kVerdicts);
  const auto finding = named<Finding>(json.at("finding").get<std::string>(), session::kFindings);
  if (!verdict || !finding)
    throw nlohmann::json::other_error::create(501, "no such verdict or finding", &json);
  row.claim.verdict = *verdict;
  row.claim.finding = *finding;
  return row;
}

nlohmann::ordered_json verdict_json(const VerdictRow& row) {
  nlohmann::ordered_json json;
  const auto put = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  put("statement", row.claim.statement);
  if (row.claim.statement.empty()) {  // the list of statements says these two
    put("source", row.claim.source);
    put("says", row.claim.says);
  }
  json["verdict"] = name_of(row.claim.verdict);
  json["finding"] = name_of(row.claim.finding);
  put("found", row.claim.found);
  put("chosen", row.claim.chosen);
  put("note", row.claim.note);
  json["script"] = row.script;
  json["settings"] = row.settings;
  json["seed"] = row.seed;
  json["version"] = row.version;
  put("code", row.code);
  put("hash", row.hash);
  return json;
}

std::string text_of(const VerdictRow& row) {
  return verdict_json(row).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Without the name of the script, which may change: `code` tells which script it was.
std::string hash_of(VerdictRow row) {
  row.hash.clear();
  row.script.clear();
  return session::hash_text(text_of(row));
}

}  // namespace

bool VerdictRow::was_changed() const {
  if (code.empty() && hash.empty()) return false;
  return hash != hash_of(*this);
}

VerdictRow row_written(const Claim& claim, const std::string& script,
                       const std::map<std::string, std::string>& settings, std::uint64_t seed,
                       const std::string& code) {
  VerdictRow row{claim, script, settings, seed, PERIGEE_VERSION, code, {}};
  row.hash = hash_of(row);
  return row;
}

std::vector<VerdictRow> verdict_rows(const std::string& path) {
  std::vector<VerdictRow> rows;
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return rows;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, none)) fail("no_file", "{}: the rows cannot be read", path);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty()) continue;
    try {
      rows.push_back(row_of(nlohmann::json::parse(line)));
    } catch (const nlohmann::json::exception& error) {
      fail("bad_rows", "{}:{}: this is no row of a verdict: {}", path, number, error.what());
    }
  }
  return rows;
}

void write_verdict_rows(const std::string& path, const std::vector<VerdictRow>& rows) {
  const std::string beside = path + ".new";  // a run that is cut off leaves the old file whole
  std::ofstream out(beside, std::ios::binary);
  for (const VerdictRow& row : rows) out << text_of(row) << '\n';
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(beside, path, error);
  if (!out || error) fail("no_file", "{}: the rows cannot be written", path);
}

}  // namespace perigee::command

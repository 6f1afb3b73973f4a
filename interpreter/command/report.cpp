#include "interpreter/command/report.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/command/page_file.h"
#include "interpreter/command/said.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/experiments/page.h"
#include "interpreter/experiments/status.h"
#include "interpreter/experiments/store.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/whole_file.h"
#include "runtime/kernel/error.h"
#include "runtime/model/readers/whole_number.h"
#include "runtime/pages/record.h"
#include "runtime/results/table.h"

namespace perigee::command {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRecordFile = ".perigee-record.json";
constexpr std::uintmax_t kLargestRecord = 200'000'000;  // bytes
constexpr int kRecordVersion = 1;

nlohmann::json json_of(const pages::Document& document) {
  nlohmann::json sections = nlohmann::json::array();
  for (const pages::Section& section : document.sections) {
    nlohmann::json items = nlohmann::json::array();
    for (const pages::Item& item : section.items) items.push_back(pages::json_of(item));
    sections.push_back({{"title", section.title}, {"items", std::move(items)}});
  }
  return {{"title", document.title}, {"made_by", document.made_by}, {"sections", std::move(sections)}};
}

pages::Document document_of(const nlohmann::json& json) {
  pages::Document document;
  document.title = json.at("title").get<std::string>();
  document.made_by = json.at("made_by").get<std::string>();
  for (const nlohmann::json& section : json.at("sections")) {
    pages::Section made{section.at("title").get<std::string>(), {}};
    for (const nlohmann::json& item : section.at("items")) made.items.push_back(pages::item_of(item));
    document.sections.push_back(std::move(made));
  }
  return document;
}

struct Record {
  pages::Document document;
  bool running = false;
};

std::optional<Record> record_in(const fs::path& folder) {
  const fs::path path = folder / kRecordFile;
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  if (!fs::is_regular_file(path, error)) fail("bad_record", "{} is not a file", path.string());
  if (::access(path.c_str(), R_OK) != 0)
    fail("bad_record", "{} cannot be read: {}", path.string(), std::strerror(errno));
  if (fs::file_size(path, error) > kLargestRecord)
    fail("too_large", "{} is too large for a record", path.string());
  std::ifstream stream(path, std::ios::binary);
  try {
    const nlohmann::json json = nlohmann::json::parse(stream);
    if (readers::whole_number<int>(json.at("perigee_record")) != kRecordVersion)
      fail("bad_record", "{} was written by another version of perigee; run the script again", path.string());
    return Record{document_of(json.at("document")), json.at("state").get<std::string>() == kRunning};
  } catch (const nlohmann::json::exception&) {
    fail("bad_record", "{} is no record of perigee's; run the script again", path.string());
  } catch (const Error& problem) {
    if (problem.diagnostic().code != "bad_record") throw;
    fail("bad_record", "{} is damaged ({}); run the script again", path.string(), problem.what());
  }
}

// The warning with which a page of a run that has not ended begins, and the cells that are stored.
void add_stored(pages::Document& document, const std::string& folder, bool running) {
  pages::Warnings warnings;
  if (running)
    warnings.lines.emplace_back(
        "The run had not ended when this page was made: what the script shows at its end is missing.");
  std::vector<pages::Section> sections;
  try {
    for (const experiments::StoredExperiment& each : experiments::stored_experiments(folder))
      if (!each.design.name.starts_with(experiments::kRoundOfDuel))
        sections.push_back(experiments::section_of(each));
  } catch (const Error& error) {  // it goes on, or it is no store
    warnings.lines.push_back(fmt::format("Its cells are not in this page: {}", error.what()));
    std::string line;
    for (const char c : experiments::status_of({folder}).text) {
      if (c != '\n')
        line += c;
      else
        warnings.lines.push_back(std::exchange(line, {}));
    }
  }
  if (document.sections.empty()) document.sections.emplace_back();
  auto& first = document.sections.front().items;
  first.insert(first.begin(), std::move(warnings));
  const auto at = std::ranges::find(document.sections, "How to repeat it", &pages::Section::title);
  document.sections.insert(at, std::make_move_iterator(sections.begin()),
                           std::make_move_iterator(sections.end()));
}

}  // namespace

void keep_record(session::Interpreter& interpreter, const session::Recorder& recorder,
                 const std::string& problem) {
  try {
    const bool running = problem == kRunning;
    pages::Document document = recorder.document(running ? "" : problem);
    if (!running && interpreter.cells() != nullptr) {
      std::vector<pages::Section> sections;
      for (const auto& each : experiments::coordinator_of(interpreter).experiments())
        sections.push_back(
            experiments::section_of(each->design, each->outcomes, each->known,
                                    [&](plots::Figure& figure) { interpreter.series_looks().give(figure); }));
      const auto at = std::ranges::find(document.sections, "How to repeat it", &pages::Section::title);
      document.sections.insert(at, std::make_move_iterator(sections.begin()),
                               std::make_move_iterator(sections.end()));
    }
    const nlohmann::json record = {{"perigee_record", kRecordVersion},
                                   {"state", running           ? kRunning
                                             : problem.empty() ? "complete"
                                                               : "ended early"},
                                   {"document", json_of(document)}};
    const fs::path folder = interpreter.options().out;
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path path = folder / kRecordFile;
    if (fs::is_symlink(path, error)) fail("bad_output", "{} is a link; remove it", path.string());
    session::write_whole(path, record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } catch (const Error& error) {
    std::error_code none;
    const fs::path path = fs::path(interpreter.options().out) / kRecordFile;
    if (fs::symlink_status(path, none).type() == fs::file_type::regular)
      fs::remove(path, none);  // it tells of another run
    if (problem != kRunning)
      complain(fmt::format("warning: what the script showed is not kept for `perigee report`: {}\n",
                           error.what()));
  }
}

std::string report_of(const std::string& folder, const std::string& output) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    fail("no_results",
         "{} is no folder; give the one that --out named: perigee run study.lua --out results, then "
         "perigee report results",
         folder);
  const bool has_store = fs::exists(fs::path(folder) / experiments::kStoreFile, error);
  std::optional<Record> record = record_in(folder);
  if (!record && !has_store)
    fail("no_results",
         "{} is no results folder: it has neither {} nor {}; perigee run SCRIPT --out {} makes one", folder,
         kRecordFile, experiments::kStoreFile, folder);
  pages::Document document;
  if (record) document = std::move(record->document);
  if (!record) {
    document.title = fs::path(folder).lexically_normal().filename().string();
    if (document.title.empty()) document.title = "Results";
    document.made_by = "Made by perigee " PERIGEE_VERSION " of stored cells; the script is not known";
  }
  if (has_store && (!record || record->running)) add_stored(document, folder, record.has_value());
  const std::string page = pages::page_of(document);
  const fs::path path = output.empty() ? fs::path(folder) / "report.html" : fs::path(output);
  write_page(path, page, "-o");
  return path.string();
}

}  // namespace perigee::command

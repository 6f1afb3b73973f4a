#include "interpreter/session/replay_card.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/session/interpreter.h"

namespace perigee::session {

namespace fs = std::filesystem;

namespace {

// A text as JSON has it; bytes that are no UTF-8 in hexadecimal digits.
nlohmann::json encoded(const std::string& text) {
  nlohmann::json json = text;
  try {
    (void)json.dump();
    return json;
  } catch (const nlohmann::json::type_error&) {
    std::string digits;
    for (const char c : text) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return {{"hex", digits}};
  }
}

nlohmann::json encoded(const std::map<std::string, std::string>& texts) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [name, text] : texts) list.push_back({{"name", encoded(name)}, {"text", encoded(text)}});
  return list;
}

// The path of a file below the nearest of the folders from which the script could read it; else its name.
std::string below_a_folder(const Interpreter& interpreter, const fs::path& real) {
  std::vector<fs::path> folders{interpreter.files().folder()};
  std::error_code error;
  for (const std::string& folder : interpreter.options().data)
    folders.push_back(fs::canonical(folder, error));
  std::string shortest;
  for (const fs::path& folder : folders) {
    if (folder.empty()) continue;
    const fs::path below = real.lexically_relative(folder);
    if (below.empty() || *below.begin() == "..") continue;
    if (shortest.empty() || below.string().size() < shortest.size()) shortest = below.string();
  }
  return shortest.empty() ? real.filename().string() : shortest;
}

nlohmann::json replay_card(const Interpreter& interpreter, std::uint64_t ordinal) {
  const InterpreterOptions& options = interpreter.options();
  nlohmann::json data = nlohmann::json::array();
  for (const Files::DataFile& file : interpreter.files().data_files())
    data.push_back({{"name", encoded(file.asked)},
                    {"file", encoded(below_a_folder(interpreter, file.real))},
                    {"hash", file.hash}});
  nlohmann::json card = {{"version", PERIGEE_VERSION},
                         {"script", encoded(interpreter.files().script())},
                         {"sources", encoded(interpreter.sources().texts())},
                         {"settings", encoded(options.settings)},
                         {"seed", options.seed},
                         {"data", std::move(data)},
                         {"ordinal", ordinal}};
  if (interpreter.cell().under_way()) card["cell"] = encoded(options.cell);  // the ordinal is the cell's own
  for (const Input& input : interpreter.inputs().all()) {
    nlohmann::json& each = card["session"].emplace_back();
    each = {{"text", encoded(input.text)}, {"file", encoded(input.file)}, {"stopped_at", input.stopped_at}};
    if (!input.cell.empty()) each["cell"] = encoded(input.cell);
  }
  return {{"replay", std::move(card)}};
}

}  // namespace

std::vector<std::string> save_with_card(const Interpreter& interpreter, const Outcome& outcome,
                                        std::uint64_t ordinal, const fs::path& dir,
                                        const results::Saving& saving) {
  return results::save(outcome, dir, replay_card(interpreter, ordinal), saving);
}

std::string card_text(const Interpreter& interpreter, const Outcome& outcome, std::uint64_t ordinal) {
  return card_text(interpreter, results::manifest(outcome).dump(), ordinal);
}

std::string card_text(const Interpreter& interpreter, const std::string& manifest, std::uint64_t ordinal) {
  nlohmann::json card = nlohmann::json::parse(manifest);
  card.update(replay_card(interpreter, ordinal));
  card["files"] = nlohmann::json::array();
  return card.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace perigee::session

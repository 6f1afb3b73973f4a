#include "interpreter/command/replay.h"

#include <fmt/format.h>

#include <charconv>
#include <concepts>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <thread>

#include "interpreter/bindings/run/compare.h"
#include "interpreter/bindings/words.h"
#include "interpreter/prompt/repl.h"
#include "interpreter/session/interpreter.h"
#include "runtime/model/readers/whole_number.h"
#include "runtime/results/export.h"

namespace perigee::command {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestCard = 256 << 20;  // bytes

nlohmann::json read_card(const fs::path& path, const std::string& shown) {
  std::error_code error;
  if (!fs::exists(path, error)) fail("no_card", "{}: there is no such replay card", shown);
  if (!fs::is_regular_file(path, error)) fail("no_card", "{} is not a file", shown);
  if (fs::file_size(path, error) > kLargestCard)
    fail("too_large", "{} is too large for a replay card", shown);
  std::ifstream stream(path, std::ios::binary);
  nlohmann::json card = nlohmann::json::parse(stream, nullptr, false);
  if (card.is_discarded() || !card.is_object())
    fail("bad_card", "{} is not a replay card: it is no JSON object", shown);
  if (!card.contains("replay") || !card["replay"].is_object())
    fail("bad_card", "{} is not a replay card: it has no table 'replay'", shown);
  return card;
}

// card[name] of the given type, or Error.
template <class T>
T get(const nlohmann::json& card, const char* name) {
  try {
    if constexpr (std::integral<T> && !std::same_as<T, bool>)
      return readers::whole_number<T>(card.at(name));
    else
      return card.at(name).get<T>();
  } catch (const nlohmann::json::exception&) {
    fail("bad_card", "the replay card's '{}' is missing or malformed", name);
  }
}

std::string decoded(const nlohmann::json& json) {
  if (json.is_string()) return json.get<std::string>();
  const auto digits = get<std::string>(json, "hex");
  std::string text;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned byte = 0;
    if (std::from_chars(&digits[i], &digits[i] + 2, byte, 16).ptr != &digits[i] + 2)
      fail("bad_card", "the replay card has hexadecimal digits that are none");
    text += static_cast<char>(byte);
  }
  return text;
}

std::map<std::string, std::string> replay_texts_of(const nlohmann::json& card, const char* name) {
  std::map<std::string, std::string> texts;
  for (const auto& each : get<std::vector<nlohmann::json>>(card, name))
    texts[decoded(get<nlohmann::json>(each, "name"))] = decoded(get<nlohmann::json>(each, "text"));
  return texts;
}

// Repeats the inputs of a session, also those that failed or were stopped.
void repeat_session(Repl& repl, const nlohmann::json& inputs) {
  for (const auto& each : inputs) {
    repl.repeat({decoded(get<nlohmann::json>(each, "text")),
                 decoded(get<nlohmann::json>(each, "file")),
                 {},
                 get<std::uint64_t>(each, "stopped_at"),
                 each.contains("cell") ? decoded(each["cell"]) : std::string()});
    if (repl.interpreter().done()) return;
  }
}

}  // namespace

namespace {

// The data file in one of the folders, by its place there or its name; the content decides.
std::string find_data(const nlohmann::json& data, const std::vector<fs::path>& folders) {
  const std::string name = decoded(get<nlohmann::json>(data, "name"));
  const fs::path file = data.contains("file") ? decoded(data["file"]) : name;
  const auto hash = get<std::string>(data, "hash");
  bool changed = false;
  std::error_code error;
  for (const fs::path& folder : folders)
    for (const fs::path& below : {file, file.filename()}) {
      const fs::path root = fs::canonical(folder, error), real = fs::canonical(root / below, error);
      if (error || below.is_absolute() || !fs::is_regular_file(real, error)) continue;
      const fs::path inside = real.lexically_relative(root);
      if (inside.empty() || *inside.begin() == "..") continue;
      if (file_hash(real) == hash) return real.string();
      changed = true;
    }
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) looked.push_back(folder.string());
  if (changed)
    fail("changed_file",
         "the run read {}, which has changed since; give the folder "
         "of the old one with --data; it was looked for in {}",
         file.string(), fmt::join(looked, ", "));
  fail("no_file",
       "the run read {}, which is not beside the card; give its folder with --data; it was looked for in {}",
       file.string(), fmt::join(looked, ", "));
}

}  // namespace

bool replay(const std::string& path, std::ostream& out, const ReplayOptions& given) {
  std::error_code error;
  fs::path file = path;
  if (fs::is_directory(file, error)) file /= "manifest.json";
  const nlohmann::json manifest = read_card(file, file.string());
  const auto card = get<nlohmann::json>(manifest, "replay");
  const auto fingerprint = get<std::string>(get<nlohmann::json>(manifest, "fingerprint"), "full");
  const auto version = get<std::string>(card, "version");
  const auto ordinal = get<std::uint64_t>(card, "ordinal");

  InterpreterOptions options;
  options.sources = replay_texts_of(card, "sources");
  options.settings = replay_texts_of(card, "settings");
  options.seed = get<std::uint64_t>(card, "seed");
  options.steps = given.steps;
  if (given.memory > 0) options.memory = given.memory;
  if (card.contains("cell")) options.cell = decoded(card["cell"]);
  options.jobs = std::max(1u, std::thread::hardware_concurrency());
  options.output = options.warnings = [](std::string_view) {};
  std::vector<fs::path> folders{file.has_parent_path() ? file.parent_path() : fs::path(".")};
  folders.insert(folders.end(), given.data.begin(), given.data.end());
  for (const auto& data : get<std::vector<nlohmann::json>>(card, "data"))
    options.data_files[decoded(get<nlohmann::json>(data, "name"))] = find_data(data, folders);

  std::optional<Outcome> found;
  options.on_outcome = [&](std::uint64_t number, const Outcome& outcome) {
    if (number != ordinal) return true;
    found = outcome;
    return false;
  };
  if (card.contains("session")) {
    Repl repl(std::move(options));
    repeat_session(repl, card["session"]);
  } else {
    Interpreter interpreter(open_words, std::move(options));
    try {
      interpreter.run_file(decoded(get<nlohmann::json>(card, "script")));
    } catch (const Stopped& stopped) {
      if (!interpreter.done()) throw;
    }
  }
  if (!found) {
    out << fmt::format("different: the script makes no outcome {}\n", ordinal);
    return false;
  }
  if (found->full.text() == fingerprint) {
    out << fmt::format("identical: {} with seed {}, fingerprint {}\n", found->policy, found->seed,
                       fingerprint);
    return true;
  }
  std::string first = "the fingerprints differ";
  for (const char* name : {"trace.csv", "trace.csv.gz"})
    if (const fs::path trace = file.parent_path() / name; fs::is_regular_file(trace, error))
      first = first_difference(*found, trace).value_or(first);
  out << fmt::format("different: {}\n", first);
  out << fmt::format("fingerprint {}, the card says {}\n", found->full.text(), fingerprint);
  if (version != PERIGEE_VERSION)
    out << fmt::format("made by perigee {}, this is {}\n", version, PERIGEE_VERSION);
  return false;
}

}  // namespace perigee::command

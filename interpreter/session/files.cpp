#include "interpreter/session/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/random.h"

namespace perigee::session {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestData = std::uintmax_t{4} << 30;  // bytes
constexpr std::uintmax_t kLargestScript = 64 << 20;               // bytes
// Names of what perigee keeps there.
constexpr std::string_view kOwnNames[] = {".perigee-files",   ".perigee-record.json", "experiments.sqlite",
                                          "experiments.lock", "progress.json",        "workers.json"};
constexpr const char* kSavedEnd = ".json";  // end of a file of e:save, which a setting names without it

// Where the path leads, whether or not there is a file. Its `..` are taken away before anything is looked
// for, so that no folder outside decides about a path that comes back.
fs::path place_of(const fs::path& path) {
  std::error_code error;
  const fs::path normal = path.lexically_normal();
  fs::path real = fs::weakly_canonical(normal, error);
  return error ? normal : real;
}

// A link within the path has no target: where that would be is not known.
bool leads_nowhere(const fs::path& real) {
  std::error_code error;
  for (fs::path part = real; part.has_relative_path(); part = part.parent_path())
    if (fs::is_symlink(part, error)) return true;
  return false;
}

}  // namespace

std::string read_text(const fs::path& path, const std::string& shown, std::string_view what) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) fail("no_file", "{}: there is no such file", shown);
  if (fs::is_directory(status)) fail("no_file", "{} is a folder, not {}", shown, what);
  if (!fs::is_regular_file(status)) fail("no_file", "{} is not a regular file", shown);
  if (fs::file_size(path, error) > kLargestScript && !error)
    fail("too_large", "{} is larger than {}, too large for {}", shown,
         format_quantity(static_cast<double>(kLargestScript), Dimension::bytes), what);
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (fs::file_size(path, error) > 0) text << stream.rdbuf();
  if (!stream || !text) fail("unreadable", "{} cannot be read", shown);
  return std::move(text).str();
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

std::string file_hash(const std::string& path) {
  constexpr std::size_t kPart = std::size_t{1} << 20;
  std::ifstream stream(path, std::ios::binary);
  std::string part(kPart, '\0');
  std::uint64_t hash = 0, size = 0;
  while (stream.read(part.data(), static_cast<std::streamsize>(kPart)), stream.gcount() > 0) {
    const auto count = static_cast<std::size_t>(stream.gcount());
    hash = SplitMix64::mix(hash ^ hash_name(std::string_view(part).substr(0, count)));
    size += count;
  }
  return fmt::format("{:016x}-{}", hash, size);
}

std::string Files::look_for(const std::string& path) {
  cell_.note_file(path);
  if (cell_.under_way() || options_.check) return find(path);
  std::string& hash = so_far_[path];
  std::string real = find(path);
  if (hash.empty()) hash = file_hash(real);
  return real;
}

std::string Files::data_file(const std::string& path) {
  std::string real = look_for(path);
  const auto seen = std::find_if(data_files_.begin(), data_files_.end(), [&](const DataFile& file) {
    return file.asked == path && file.real == real;
  });
  if (seen == data_files_.end()) {
    const auto known = so_far_.find(path);
    const bool hashed = known != so_far_.end() && !known->second.empty();
    data_files_.push_back({path, real, hashed ? known->second : file_hash(real)});
  }
  return real;
}

std::string Files::find(const std::string& path) const {
  if (path.find('\0') != path.npos) fail("no_file", "'{}': a path has no byte 0", path);
  std::error_code error;
  const fs::path asked(path);
  std::vector<fs::path> places;
  const auto known = options_.data_files.find(path);
  if (known != options_.data_files.end()) {
    places.emplace_back(known->second);
  } else if (!options_.sources.empty()) {  // a replay: the run looked for it in vain
  } else if (asked.is_absolute()) {
    places.push_back(asked);
  } else {
    places.push_back(fs::path(folder_) / asked);
    for (const std::string& folder : options_.data) places.push_back(fs::path(folder) / asked);
    for (const auto& [name, value] : options_.settings)
      if (value == path || value + kSavedEnd == path) places.push_back(fs::absolute(asked, error));
  }
  bool outside = false, missing = false;
  for (const fs::path& place : places) {
    const fs::path real = place_of(place);
    bool allowed = known != options_.data_files.end() || (!folder_.empty() && is_inside(real, folder_));
    for (const std::string& folder : options_.data) {
      const fs::path root = fs::canonical(folder, error);
      allowed = allowed || (!error && is_inside(real, root));
    }
    for (const auto& [name, value] : options_.settings) {
      for (const std::string& each : {value, value + kSavedEnd}) {
        const fs::path absolute = fs::absolute(each, error);
        allowed = allowed || (!error && place_of(absolute) == real);
      }
    }
    if (!allowed || leads_nowhere(real)) {
      outside = true;
      continue;
    }
    if (!fs::exists(real, error)) {
      missing = true;
      continue;
    }
    if (fs::is_directory(real, error)) fail("no_file", "{} is a folder, not a file", path);
    if (!fs::is_regular_file(real, error)) fail("no_file", "{} is not a regular file", path);
    if (fs::file_size(real, error) > kLargestData)
      fail("too_large", "{} is larger than {}", path,
           format_quantity(static_cast<double>(kLargestData), Dimension::bytes));
    return real.string();
  }
  if (outside && !missing)
    fail("forbidden_file",
         "{} is outside the script's folder; allow it with --data FOLDER or name it with --set NAME=FILE",
         path);
  fail("no_file", "{}: there is no such file", path);
}

std::string Files::output_folder(const std::string& path) const {
  if (options_.out.empty())
    fail("no_output", "nothing is written without an output folder; run with --out FOLDER to save '{}'",
         path);
  const fs::path below = fs::path(path).lexically_normal();
  if (path.empty() || path.find('\0') != path.npos || below.is_absolute() || below.begin() == below.end() ||
      *below.begin() == "..")
    fail("forbidden_file", "'{}' must be below the output folder {}", path, options_.out);
  if (std::ranges::any_of(path, [](unsigned char c) { return c < ' ' || c == 0x7F; }))
    fail("forbidden_file", "the name of a file has no line end and no other control character");
  for (const fs::path& part : below)
    for (const std::string_view own : kOwnNames)
      if (part == own || part.string().starts_with(std::string(own) + "-"))  // SQLite's own beside it
        fail("forbidden_file", "'{}': perigee keeps a file of its own by the name {}", path, own);
  std::error_code error;
  fs::create_directories(options_.out, error);
  const fs::path root = error ? fs::path() : fs::canonical(options_.out, error);
  if (error || !fs::is_directory(root))
    fail("no_output", "the output folder {} cannot be made: {}", options_.out,
         error ? error.message() : "it is a file");
  const fs::path real = fs::weakly_canonical(root / below, error);
  if (error || !is_inside(real, root))
    fail("forbidden_file", "'{}' leads out of the output folder {}", path, options_.out);
  return real.string();
}

}  // namespace perigee::session

#include "runtime/results/export.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "runtime/kernel/quantity.h"
#include "runtime/kernel/whole.h"
#include "runtime/model/readers/lines.h"
#include "runtime/results/executions.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/metrics.h"
#include "runtime/results/numbers.h"
#include "runtime/results/packages.h"
#include "runtime/results/resource_rows.h"
#include "runtime/results/table.h"
#include "runtime/schedulers/reasons.h"

#ifndef PERIGEE_VERSION
#define PERIGEE_VERSION "unknown"
#endif

namespace perigee::results {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string metrics_text(const Outcome& outcome);

enum class TraceNeeds : std::uint8_t { nothing, works, all };  // of the trace

// In the order of RunFile.
struct OwnFile {
  std::string_view name;
  const char* file;
  std::string (*text)(const Outcome&);
  TraceNeeds needs;
  bool is_short;  // and so never compressed
};
constexpr OwnFile kOwnFiles[] = {
    {"jobs", "jobs.csv", [](const Outcome& outcome) { return jobs(outcome).csv(); }, TraceNeeds::works,
     false},
    {"resources", "resources.csv", [](const Outcome& outcome) { return resources(outcome).csv(); },
     TraceNeeds::all, false},
    {"trace", "trace.csv", &trace_csv, TraceNeeds::works, false},
    {"chrome_trace", "chrome_trace.json", &chrome_trace, TraceNeeds::all, false},
    {"metrics", "metrics.json", &metrics_text, TraceNeeds::nothing, true},
};
constexpr const char* kManifest = "manifest.json";

struct FormatFile {
  Format format;
  const char* file;
  std::string (*text)(const Outcome&);
  bool needs_power = false;  // written where hosts declare their power
};
constexpr std::string_view kFormats[] = {"batsim", "paje", "irmasim", "petek", "simgrid"};
constexpr FormatFile kFormatFiles[] = {
    {Format::batsim, "batsim_jobs.csv", &batsim_jobs_csv},
    {Format::batsim, "consumed_energy.csv", &batsim_energy_csv, true},
    {Format::paje, "paje.trace", &paje_trace},
    {Format::irmasim, "platform.json", &irmasim_platform_json},
    {Format::irmasim, "workload.json", &irmasim_workload_json},
    {Format::irmasim, "options.json", &irmasim_options_json},
    {Format::irmasim, "irmasim_jobs.csv", &irmasim_jobs_csv},
    {Format::irmasim, "irmasim_states.csv", &irmasim_states_csv},
    {Format::petek, "petek.json", &petek_record},
};

// The place of a name in a list; Error "unknown_KIND" with the nearest one.
std::size_t place_of(std::string_view name, const std::vector<std::string>& names, std::string_view kind) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  fail(fmt::format("unknown_{}", kind), "unknown {} '{}'{} (there are {})", kind, name,
       did_you_mean(name, names), fmt::join(names, ", "));
}

// ---- trace.csv ----

enum TraceColumn : std::size_t {
  kTime,
  kKind,
  kWork,
  kFirst,
  kSize,
  kActivity,
  kWhat,
  kResourceKind,
  kResource,
  kCores,
  kCopy,
  kFile,
  kWhy,
  kNote,
  kValues,
  kColumns
};
constexpr std::array<const char*, kColumns> kTraceHeader = {
    "time",     "kind",  "work", "first", "size", "activity", "activity_kind", "resource_kind",
    "resource", "cores", "copy", "file",  "why",  "note",     "values"};

using Fields = std::array<std::string, kColumns>;

Fields fields_of(const Outcome& outcome, const Record& record) {
  const Workload& workload = *outcome.scenario->workload;
  Fields f;
  f[kTime] = exact(record.time);
  f[kKind] = name_of(record.kind);
  if (record.kind == RecordKind::note) {
    const Note& note = outcome.trace.notes()[record.file.index];
    f[kNote] = note.name;
    for (const double value : note.values) f[kValues] += (f[kValues].empty() ? "" : " ") + exact(value);
    return f;
  }
  if (record.work.valid()) f[kWork] = workload.name_of(record.work);
  if (record.activity != 0) {
    f[kFirst] = exact(record.first);
    f[kSize] = exact(record.size);
    f[kActivity] = fmt::format("{}", record.activity);
    f[kWhat] = name_of(record.what);
    f[kCores] = fmt::format("{}", record.cores);
    f[kCopy] = record.copy ? "1" : "0";
  } else if (record.kind == RecordKind::powered) {
    f[kFirst] = exact(record.first);
    f[kSize] = exact(record.size);
  }
  if (record.file.valid()) f[kFile] = workload.files[record.file.index].name;
  if (record.on.valid()) {
    f[kResourceKind] = name_of(record.on.kind());
    f[kResource] = outcome.scenario->platform->name_of(record.on);
  }
  if (record.why != Reason::none) f[kWhy] = schedulers::name_of(record.why);
  return f;
}

void add_line(std::string& text, const Fields& fields) {
  for (std::size_t c = 0; c < kColumns; ++c) {
    if (c > 0) text += ',';
    add_csv_field(text, fields[c]);
  }
  text += '\n';
}

// A record for people: "t=3 started compute of job 2 on a.1 (activity 4, outage)".
std::string sentence(const Fields& f) {
  std::string text = "t=" + f[kTime] + " ";
  if (!f[kNote].empty() || f[kKind] == "note") return text + "note '" + f[kNote] + "' [" + f[kValues] + "]";
  text += f[kKind];
  if (!f[kWhat].empty()) text += " " + f[kWhat];
  if (!f[kWork].empty()) text += (f[kWhat].empty() ? " " : " of ") + f[kWork];
  if (!f[kFile].empty()) text += " file '" + f[kFile] + "'";
  if (f[kKind] == name_of(RecordKind::powered))
    text += fmt::format(" [power {}, state {}]", f[kFirst], f[kSize]);
  else if (!f[kFirst].empty() && (f[kFirst] != "0" || f[kSize] != "1") && f[kFile].empty())
    text += " [" + f[kFirst] + ", +" + f[kSize] + ")";
  if (!f[kResource].empty()) text += " on " + f[kResource];
  std::string more;
  const auto add = [&](const std::string& what) { more += (more.empty() ? "" : ", ") + what; };
  if (!f[kActivity].empty()) add("activity " + f[kActivity]);
  if (!f[kCores].empty() && f[kCores] != "0" && f[kCores] != "1") add(f[kCores] + " cores");
  if (f[kCopy] == "1") add("copy");
  if (!f[kWhy].empty()) add(f[kWhy]);
  return more.empty() ? text : text + " (" + more + ")";
}

std::vector<Fields> read_fields(const fs::path& file) {
  std::vector<std::vector<std::string>> lines;
  try {
    lines = parse_csv(readers::Lines::whole(file, readers::kLargestText));
  } catch (const Error& error) {
    fail("bad_trace", "'{}': {}", file.string(), error.diagnostic().message);
  }
  if (lines.empty() || lines[0].size() != kColumns ||
      !std::equal(lines[0].begin(), lines[0].end(), kTraceHeader.begin()))
    fail("bad_trace", "'{}' is no trace: its first line must be 'time,kind,work,...'", file.string());
  std::vector<Fields> rows;
  rows.reserve(lines.size() - 1);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != kColumns)
      fail("bad_trace", "'{}' line {}: {} fields instead of {}", file.string(), i + 1, lines[i].size(),
           +kColumns);
    std::move(lines[i].begin(), lines[i].end(), rows.emplace_back().begin());
  }
  return rows;
}

// ---- files ----

[[noreturn]] void bad_output(const fs::path& dir, std::string_view what) {
  fail("bad_output", "cannot write results to '{}': {}", dir.string(), what);
}

// The system's message, without its number.
std::string message_of(int error) { return std::error_code(error, std::generic_category()).message(); }

// The reason why an existing folder must not be replaced; empty if it may be.
std::string objection(const fs::path& dir) {
  std::error_code error;
  if (!fs::is_directory(dir, error)) return "it exists and is no folder";
  std::vector<std::string> there;
  for (fs::directory_iterator entry(dir, error), end; !error && entry != end; entry.increment(error))
    there.push_back(entry->path().filename().string());
  if (error) return error.message();
  if (there.empty()) return "";
  json manifest;
  if (std::find(there.begin(), there.end(), kManifest) != there.end()) {
    std::ifstream in(dir / kManifest, std::ios::binary);
    manifest = json::parse(in, nullptr, false);
  }
  const bool ours = manifest.is_object() && manifest.contains("perigee");
  std::sort(there.begin(), there.end());
  for (const std::string& name : there) {
    if (ours &&
        (name == kManifest || std::ranges::find(kOwnFiles, name, &OwnFile::file) != std::end(kOwnFiles)))
      continue;
    if (ours && manifest.contains("files") && manifest["files"].is_array() &&
        std::find(manifest["files"].begin(), manifest["files"].end(), json(name)) != manifest["files"].end())
      continue;
    return fmt::format("it exists and holds other files ('{}')", name);
  }
  return "";
}

// A folder that is removed if the writer fails.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& target) {
    static std::atomic<unsigned> count{0};
    const fs::path parent = target.parent_path();
    remove_orphans(parent);
    for (int attempt = 0; attempt < 1000; ++attempt) {
      path_ =
          parent / fmt::format(".{}.{}-{}-{}.tmp", target.filename().string(), host(), ::getpid(), count++);
      if (::mkdir(path_.c_str(), 0777) == 0) return;
      const int error = errno;
      if (error == EEXIST) continue;
      path_.clear();
      bad_output(target, message_of(error));
    }
    path_.clear();
    bad_output(target, "no name is free for a temporary folder");
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

  // Puts the folder in place of `target`. If `target` exists, it changes places and this object removes it.
  void move_to(const fs::path& target) {
    if (::rename(path_.c_str(), target.c_str()) == 0) {  // the target was not there, or was empty
      path_.clear();
      return;
    }
    if (errno != ENOTEMPTY && errno != EEXIST) bad_output(target, message_of(errno));
#ifdef RENAME_EXCHANGE
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) return;
#endif
    TemporaryFolder old(target);
    if (::rename(target.c_str(), old.path_.c_str()) != 0) bad_output(target, message_of(errno));
    if (::rename(path_.c_str(), target.c_str()) != 0) {
      const int error = errno;
      if (::rename(old.path_.c_str(), target.c_str()) == 0) old.path_.clear();
      bad_output(target, message_of(error));
    }
    path_.clear();
  }

 private:
  static std::string host() {
    char name[256] = {};
    if (::gethostname(name, sizeof name - 1) != 0) return "host";
    return name;
  }

  // Removes folders of processes of this host that were killed while they saved.
  static void remove_orphans(const fs::path& parent) {
    const std::string ours = fmt::format(".{}-", host());
    std::vector<fs::path> orphans;
    std::error_code ignored;
    for (const fs::directory_entry& each : fs::directory_iterator(parent, ignored)) {
      const std::string name = each.path().filename().string();
      const std::size_t at = name.rfind(ours);
      if (!name.starts_with('.') || !name.ends_with(".tmp") || at == name.npos || at == 0) continue;
      int process = 0;
      const char* const begin = name.data() + at + ours.size();
      const auto [end, error] = std::from_chars(begin, name.data() + name.size(), process);
      const bool gone = error == std::errc() && *end == '-' && process > 0 && ::kill(process, 0) != 0;
      if (gone && errno == ESRCH && each.is_directory(ignored) && !each.is_symlink(ignored))
        orphans.push_back(each.path());
    }
    for (const fs::path& orphan : orphans) fs::remove_all(orphan, ignored);
  }

  fs::path path_;
};

void write(const fs::path& target, const fs::path& file, const std::string& text) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  if (out == nullptr) bad_output(target, message_of(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const int error = errno;
  if (std::fclose(out) != 0) bad_output(target, message_of(errno));
  if (!written) bad_output(target, message_of(error));
}

// The same as a gzip file, which has neither a name nor a time of its own.
void write_compressed(const fs::path& target, const fs::path& file, const std::string& text) {
  gzFile out = ::gzopen(file.c_str(), "wb");
  if (out == nullptr) bad_output(target, message_of(errno));
  constexpr std::size_t kPiece = std::size_t{1} << 30;  // bytes; zlib counts those of one call in 32 bits
  bool written = true;
  for (std::size_t at = 0; written && at < text.size(); at += kPiece) {
    const auto size = static_cast<unsigned>(std::min(kPiece, text.size() - at));
    written = ::gzwrite(out, text.data() + at, size) == static_cast<int>(size);
  }
  const int error = errno;
  if (::gzclose(out) != Z_OK || !written) bad_output(target, message_of(error));
}

}  // namespace

std::string trace_csv(const Outcome& outcome) {
  std::string out;
  for (std::size_t c = 0; c < kColumns; ++c) out += (c > 0 ? "," : "") + std::string(kTraceHeader[c]);
  out += "\n";
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) add_line(out, fields_of(outcome, outcome.trace[i]));
  return out;
}

std::optional<std::string> first_difference(const Outcome& outcome, const fs::path& trace_file) {
  const std::vector<Fields> expected = read_fields(trace_file);
  const std::size_t count = std::max(expected.size(), outcome.trace.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= outcome.trace.size())
      return fmt::format("event {}: expected {}, got the end of the trace", i + 1, sentence(expected[i]));
    const Fields got = fields_of(outcome, outcome.trace[i]);
    if (i >= expected.size())
      return fmt::format("event {}: expected the end of the trace, got {}", i + 1, sentence(got));
    if (got == expected[i]) continue;
    std::string differing;
    for (std::size_t c = 0; c < kColumns; ++c)
      if (got[c] != expected[i][c])
        differing += (differing.empty() ? "" : ", ") + std::string(kTraceHeader[c]);
    return fmt::format("event {}: expected {}, got {} (they differ in {})", i + 1, sentence(expected[i]),
                       sentence(got), differing);
  }
  return std::nullopt;
}

json json_number(double value) {
  if (is_whole(value)) return static_cast<std::int64_t>(value);
  return std::isfinite(value) ? json(value) : json(nullptr);
}

json metrics_json(const Outcome& outcome) {
  json all = json::object();
  for (const auto& [info, value] : measure(outcome).all())
    all[std::string(info.name)] = {{"value", json_number(value)}, {"unit", info.unit}, {"what", info.what}};
  return all;
}

json manifest(const Outcome& outcome) {
  json files = json::array();
  for (const OwnFile& own : kOwnFiles) files.push_back(own.file);
  files.push_back(kManifest);
  const TraceLevel level = outcome.trace.level();
  return {{"perigee", PERIGEE_VERSION},
          {"policy", outcome.policy},
          {"seed", outcome.seed},
          {"status", name_of(outcome.status)},
          {"end", json_number(outcome.end)},
          {"events", outcome.events},
          {"trace_level", level == TraceLevel::full   ? "full"
                          : level == TraceLevel::work ? "work"
                                                      : "none"},
          {"fingerprint", {{"physical", outcome.physical.text()}, {"full", outcome.full.text()}}},
          {"waiting", outcome.waiting},
          {"files", files}};
}

std::string_view name_of(Format format) { return kFormats[static_cast<std::size_t>(format)]; }

Format format_named(std::string_view name) {
  return static_cast<Format>(place_of(name, {std::begin(kFormats), std::end(kFormats)}, "format"));
}

RunFile run_file_named(std::string_view name) {
  std::vector<std::string> names;
  for (const OwnFile& own : kOwnFiles) names.emplace_back(own.name);
  return static_cast<RunFile>(place_of(name, names, "file"));
}

namespace {

// Where results may be written, free of links and with the folders above it.
fs::path target_of(const fs::path& dir) {
  std::error_code error;
  fs::path target = fs::weakly_canonical(fs::absolute(dir, error), error);
  if (error) bad_output(dir, error.message());
  if (target.filename().empty()) target = target.parent_path();
  if (target == target.root_path()) bad_output(dir, "it is the root folder");
  if (fs::exists(fs::symlink_status(target, error))) {
    const std::string problem = objection(target);
    if (!problem.empty()) bad_output(dir, problem);
  } else if (!fs::is_directory(target.parent_path(), error)) {
    fs::create_directories(target.parent_path(), error);
    if (error) bad_output(dir, error.message());
  }
  return target;
}

std::string pretty(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string metrics_text(const Outcome& outcome) { return pretty(metrics_json(outcome)); }

// Which files a saved run has, which are left out and why, and its manifest, which lists both.
class SavedRun {
 public:
  SavedRun(const Outcome& outcome, const json& manifest_extra, const Saving& saving)
      : outcome_(outcome), saving_(saving), card_(manifest(outcome)) {
    choose_own();
    add_to_manifest(manifest_extra);
    choose_further();
    if (!left_out_.empty()) card_["left_out"] = left_out_;
  }

  template <class Put>
  void write(const Put& put) const {
    for (const OwnFile& own : own_) put(name_of(own), own.text(outcome_), is_compressed(own));
    for (const FormatFile& each : further_) put(each.file, each.text(outcome_), false);
    for (const NamedText& each : simgrid_) put(each.name, each.text, false);
    put(kManifest, pretty(card_), false);
  }

  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  bool is_compressed(const OwnFile& own) const { return saving_.gzip && !own.is_short; }
  std::string name_of(const OwnFile& own) const {
    return fmt::format("{}{}", own.file, is_compressed(own) ? ".gz" : "");
  }

  bool wants(RunFile file) const {
    return saving_.only.empty() || std::ranges::find(saving_.only, file) != saving_.only.end();
  }
  bool wants(Format format) const { return std::ranges::find(saving_.also, format) != saving_.also.end(); }

  bool fits(const char* file, double most) {
    if (!bars_) {
      bars_ = 0;
      const Executions runs = executions_if_kept(outcome_);
      const bool by_host = spans_hosts(runs);
      for (const Execution& run : runs.all) *bars_ += by_host ? run.resource_count : run.cores;
    }
    if (*bars_ <= most) return true;
    left_out_.push_back(fmt::format("{} is left out: {:.0f} bars are more than {:.0f}", file, *bars_, most));
    return false;
  }

  void choose_own() {
    const TraceLevel level = outcome_.trace.level();
    const TraceNeeds most = level == TraceLevel::full                                  ? TraceNeeds::all
                            : level == TraceLevel::work && outcome_.works.first() == 0 ? TraceNeeds::works
                                                                                       : TraceNeeds::nothing;
    std::vector<std::string_view> lacking;
    for (std::size_t i = 0; i < std::size(kOwnFiles); ++i) {
      const OwnFile& own = kOwnFiles[i];
      const auto file = static_cast<RunFile>(i);
      if (!wants(file)) continue;
      if (own.needs > most)
        lacking.emplace_back(own.file);
      else if (file != RunFile::chrome_trace || fits(own.file, kMostBars))
        own_.push_back(own);
    }
    if (!lacking.empty())
      left_out_.push_back(fmt::format("{} {} left out: {} a run with trace = \"full\"",
                                      fmt::join(lacking, ", "), lacking.size() > 1 ? "are" : "is",
                                      lacking.size() > 1 ? "they need" : "it needs"));
    json files = json::array();
    for (const OwnFile& own : own_) files.push_back(name_of(own));
    files.push_back(kManifest);
    card_["files"] = std::move(files);
  }

  void add_to_manifest(const json& extra) {
    if (!extra.is_object()) return;
    for (const auto& [key, value] : extra.items()) {
      if (key != "files" || !value.is_array()) {
        card_[key] = value;
        continue;
      }
      json& files = card_["files"];
      for (const json& name : value)
        if (std::find(files.begin(), files.end(), name) == files.end()) files.push_back(name);
    }
  }

  void choose_further() {
    for (const FormatFile& each : kFormatFiles) {
      if (!wants(each.format) || (each.format == Format::paje && !fits(each.file, kMostPajeBars))) continue;
      if (each.needs_power && !outcome_.scenario->platform->has_power()) continue;
      further_.push_back(each);
      card_["files"].push_back(each.file);
    }
    if (wants(Format::irmasim)) say_lost("IRMaSim", irmasim_lost(outcome_));
    if (!wants(Format::simgrid)) return;
    simgrid_ = simgrid_files(outcome_);
    for (const NamedText& each : simgrid_) card_["files"].push_back(each.name);
    say_lost("SimGrid", simgrid_lost(outcome_));
  }

  void say_lost(std::string_view program, const std::vector<std::string>& lost) {
    if (!lost.empty())
      left_out_.push_back(fmt::format("{}'s files have no room for {}", program, fmt::join(lost, ", ")));
  }

  const Outcome& outcome_;
  const Saving& saving_;
  json card_;
  std::optional<double> bars_;  // counted where a picture is asked for
  std::vector<OwnFile> own_;
  std::vector<FormatFile> further_;
  std::vector<NamedText> simgrid_;
  std::vector<std::string> left_out_;
};

}  // namespace

std::vector<std::string> save(const Outcome& outcome, const fs::path& dir, const json& manifest_extra,
                              const Saving& saving) {
  if (dir.empty()) fail("bad_output", "cannot write results: the folder has no name");
  if (!manifest_extra.is_null() && !manifest_extra.is_object())
    fail("bad_output", "cannot write results to '{}': what is to be added to the manifest is no object",
         dir.string());
  const fs::path target = target_of(dir);
  const SavedRun saved(outcome, manifest_extra, saving);
  TemporaryFolder folder(target);
  saved.write([&](const std::string& name, const std::string& text, bool compressed) {
    (compressed ? &write_compressed : &write)(dir, folder.path() / name, text);
  });
  folder.move_to(target);
  return saved.left_out();
}

std::vector<std::string> save(const Outcome& outcome, const fs::path& dir) {
  return save(outcome, dir, json());
}

}  // namespace perigee::results

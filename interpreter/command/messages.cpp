#include "interpreter/command/messages.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/command/option_values.h"

namespace perigee::command {

namespace {

using nlohmann::ordered_json;

// Texts of scripts may hold bytes that are no characters.
std::string message_line(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

namespace {

// Whether the file may be replaced: it is no link, and has nothing, or the messages of an earlier run.
bool may_replace(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  if (!std::filesystem::exists(status)) return true;
  if (status.type() == std::filesystem::file_type::fifo) return true;  // somebody reads meanwhile
  if (status.type() != std::filesystem::file_type::regular) return false;
  std::ifstream stream(path, std::ios::binary);
  constexpr std::string_view kBegin = R"({"kind":")";
  std::string begin(kBegin.size(), '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return stream.gcount() == 0 || begin == kBegin;
}

}  // namespace

Messages::Messages(std::string path) : path_(std::move(path)) {
  if (!may_replace(path_))
    throw Usage(fmt::format(
        "--messages {}: it is there already, and has no messages of perigee's; move it away, or name another file",
        path_));
  errno = 0;
  file_.open(path_, std::ios::binary | std::ios::trunc);
  if (!file_)
    throw Usage(fmt::format("--messages {}: the file cannot be written{}{}", path_, errno != 0 ? ": " : "",
                            errno != 0 ? std::strerror(errno) : ""));
}

std::string Messages::problem() {
  file_.flush();
  return file_ ? "" : fmt::format("--messages {}: the file cannot be written, and lacks messages", path_);
}

void Messages::began() {
  if (next_ != nullptr) next_->began();
}

void Messages::printed(std::string_view text) {
  if (next_ != nullptr) next_->printed(text);
}

void Messages::warned(std::string_view line) {
  file_ << message_line({{"kind", "warning"}, {"text", line}}) << std::flush;
  if (next_ != nullptr) next_->warned(line);
}

void Messages::ran(std::uint64_t ordinal, const Outcome& outcome) {
  if (next_ != nullptr) next_->ran(ordinal, outcome);
}

// Figures are files below --out.
void Messages::shown(pages::Item item, std::string_view text) {
  if (const auto* table = std::get_if<pages::TableItem>(&item))
    file_ << message_line({{"kind", "table"}, {"title", table->title}, {"csv", table->table.csv()}})
          << std::flush;
  if (next_ != nullptr) next_->shown(std::move(item), text);
}

void Messages::error(const Error& error, const std::string& text) {
  const Diagnostic& diagnostic = error.diagnostic();
  const auto* script = dynamic_cast<const host::ScriptError*>(&error);
  const std::vector<std::string> calls = script == nullptr ? std::vector<std::string>() : script->trace();
  file_ << message_line({{"kind", "error"},
                         {"message", diagnostic.message},
                         {"code", diagnostic.code},
                         {"file", diagnostic.where.file},
                         {"line", diagnostic.where.line},
                         {"notes", diagnostic.notes_in_short()},
                         {"calls", calls},
                         {"text", text}})
        << std::flush;
}

}  // namespace perigee::command

#include "interpreter/experiments/workers/time_limit.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

namespace perigee::experiments {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::optional<long> whole_in(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

}  // namespace

std::string slurm_job_id() {
  std::string id = variable("SLURM_JOB_ID");
  return whole_in(id) ? id : std::string();
}

std::optional<Seconds> read_slurm_time(std::string_view text) {
  double days = 0;
  if (const std::size_t dash = text.find('-'); dash != text.npos) {
    const auto count = whole_in(text.substr(0, dash));
    if (!count) return std::nullopt;
    days = static_cast<double>(*count);
    text.remove_prefix(dash + 1);
  }
  double seconds = 0;
  std::size_t parts = 0;
  for (bool more = true; more; ++parts) {
    const std::size_t colon = text.find(':');
    const auto part = whole_in(text.substr(0, colon));
    if (!part) return std::nullopt;
    seconds = 60 * seconds + static_cast<double>(*part);
    more = colon != text.npos;
    if (more) text.remove_prefix(colon + 1);
  }
  if (parts < 2 || parts > 3) return std::nullopt;
  return 86'400 * days + seconds;
}

std::optional<Seconds> slurm_time_left() {
  const std::string id = slurm_job_id(), rank = variable("SLURM_PROCID");
  if (id.empty() || (!rank.empty() && rank != "0")) return std::nullopt;
  if (const auto end = whole_in(variable("SLURM_JOB_END_TIME")))
    return static_cast<double>(*end - static_cast<long>(std::time(nullptr)));
  const std::string command = "squeue --noheader --jobs=" + id + " --format=%L 2>/dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> answer(popen(command.c_str(), "re"), pclose);
  char line[64] = {};
  if (!answer || std::fgets(line, sizeof line, answer.get()) == nullptr) return std::nullopt;
  std::string_view text(line);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return read_slurm_time(text);
}

Seconds time_to_leave(Seconds left) { return std::max(left - std::clamp(left / 10, 1.0, 30.0), 0.0); }

}  // namespace perigee::experiments

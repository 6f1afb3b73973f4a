#include "runtime/kernel/error.h"

#include <algorithm>
#include <cstddef>

#include "runtime/kernel/work.h"

namespace perigee::kernel {

std::vector<std::string> Diagnostic::notes_in_short() const {
  std::vector<std::string> out;
  for (auto note = notes.begin(); note != notes.end();) {
    const auto next = std::find_if(note, notes.end(), [&](const std::string& each) { return each != *note; });
    out.push_back(next - note > 1 ? fmt::format("{} ({} times)", *note, next - note) : *note);
    note = next;
  }
  return out;
}

std::string Diagnostic::text() const {
  std::string out;
  if (where.known()) {
    out = where.file;
    if (where.line > 0) out += fmt::format(":{}", where.line);
    out += ": ";
  }
  out += message;
  for (const std::string& note : notes_in_short()) {
    out += '\n';
    out += note;
  }
  return out;
}

Error::Error(Diagnostic diagnostic)
    : std::runtime_error(diagnostic.text()), diagnostic_(std::move(diagnostic)) {}

namespace detail {

void raise(const SourceLocation& where, std::string_view code, std::string message) {
  throw Error(Diagnostic{std::string(code), std::move(message), where, {}});
}

void assertion_failed(const char* condition, const char* file, int line, std::string_view message) {
  throw InternalError(fmt::format("{}:{}: internal error: {} ({})", file, line, message, condition));
}

}  // namespace detail

namespace {

// ASCII only, so that no locale takes part.
std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '_' || c == '-' || c == ' ') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// Damerau-Levenshtein distance, each pair transposed at most once (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, previous[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

template <class Candidates>
std::string nearest_of(std::string_view name, const Candidates& candidates) {
  constexpr std::size_t kLongestName = 256;  // bounds the work on hostile input
  if (name.size() > kLongestName) return {};
  did_work(std::ranges::size(candidates) * (10 + name.size()));
  const std::string wanted = folded(name);
  std::size_t best = std::string::npos;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::string other = folded(candidate);
    const auto [less, more] = std::minmax({wanted.size(), other.size()});
    const std::size_t allowed = (more + 1) / 3;
    if (more - less > allowed) continue;  // the distance is no less
    const std::size_t distance = edit_distance(wanted, other);
    if (distance <= allowed && distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return std::string(found);
}

std::string suggestion(const std::string& found) {
  return found.empty() ? std::string() : fmt::format("; did you mean '{}'?", found);
}

}  // namespace

std::string nearest(std::string_view name, std::span<const std::string_view> candidates) {
  return nearest_of(name, candidates);
}
std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  return nearest_of(name, candidates);
}
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  return suggestion(nearest(name, candidates));
}
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  return suggestion(nearest(name, candidates));
}

}  // namespace perigee::kernel

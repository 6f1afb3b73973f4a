// Errors of two kinds: `Error`, the script or its data is wrong (carries a Diagnostic), and
// `InternalError`, a bug of ours (PERIGEE_ASSERT). Normal outcomes are values, never exceptions.
#pragma once

#include <fmt/core.h>

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/layers.h"

namespace perigee::kernel {

struct SourceLocation {
  std::string file;  // empty = unknown
  int line = 0;      // 1-based; 0 = unknown

  bool known() const noexcept { return !file.empty(); }
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

struct Diagnostic {
  std::string code;     // snake_case, stable, for programs
  std::string message;  // lower case, no final stop: subject, rule, value
  SourceLocation where;
  std::vector<std::string> notes;

  // Equal notes in a row as one, with their number behind it: a call within a call notes the same again.
  std::vector<std::string> notes_in_short() const;
  // "file:line: message" (or "file: message", "message"), then one line per note in short.
  std::string text() const;
};

class Error : public std::runtime_error {
 public:
  explicit Error(Diagnostic diagnostic);
  const Diagnostic& diagnostic() const noexcept { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

// A broken invariant of the program itself.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {
[[noreturn]] void raise(const SourceLocation& where, std::string_view code, std::string message);
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line,
                                   std::string_view message);
}  // namespace detail

// Throws Error.
template <class... Args>
[[noreturn]] void fail(std::string_view code, fmt::format_string<Args...> format, Args&&... args) {
  detail::raise({}, code, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
[[noreturn]] void fail_at(const SourceLocation& where, std::string_view code,
                          fmt::format_string<Args...> format, Args&&... args) {
  detail::raise(where, code, fmt::format(format, std::forward<Args>(args)...));
}

// The candidate closest to `name` by Damerau-Levenshtein distance, case and the separators
// '_', '-', ' ' ignored ("minmin" -> "min_min"); empty if none is within a third of the length.
// Ties: the first candidate.
std::string nearest(std::string_view name, std::span<const std::string_view> candidates);
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// "; did you mean 'x'?", or "" when nothing is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace perigee::kernel

// Always on. Throws InternalError with file and line; `message` is anything a string_view takes.
#define PERIGEE_ASSERT(condition, message)                                                    \
  do {                                                                                        \
    if (!(condition)) [[unlikely]]                                                            \
      ::perigee::kernel::detail::assertion_failed(#condition, __FILE__, __LINE__, (message)); \
  } while (false)

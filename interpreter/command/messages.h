// Warnings, shown things and errors of a script for other programs: a file of JSON, a line each.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "interpreter/host/errors.h"
#include "interpreter/layers.h"
#include "interpreter/session/audience.h"

namespace perigee::command {

// Each line has a field kind. A "warning" has a text. A "table" has a title and its rows as csv. An "error" has a
// message, a code, file and line (0 = unknown), notes, calls, innermost first, and the text that people read.
class Messages : public session::Audience {
 public:
  // Replaces the file of an earlier run. Usage when it cannot be written, or has something else.
  explicit Messages(std::string path);
  std::string problem();  // why the file lacks messages; empty = it has all

  // Tells `next` all that it is told itself; null = nobody.
  session::Audience& before(session::Audience* next) {
    next_ = next;
    return *this;
  }

  // `text`: as it is told to people.
  void error(const Error& error, const std::string& text);

  void began() override;
  void printed(std::string_view text) override;
  void shown(pages::Item item, std::string_view text) override;
  void warned(std::string_view line) override;
  void ran(std::uint64_t ordinal, const Outcome& outcome) override;

 private:
  std::string path_;
  std::ofstream file_;
  session::Audience* next_ = nullptr;
};

}  // namespace perigee::command

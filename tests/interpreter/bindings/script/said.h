// What scripts say in a session.
#pragma once

#include <string>

#include "tests/interpreter/session.h"
#include "tests/support/layers.h"

namespace perigee::test {

// The output of the script, without the end of its last line.
inline std::string said(Session& session, const std::string& script) {
  std::string text = session.run(script);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

inline std::string one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || (c == ' ' && !out.empty() && out.back() == ' ')) continue;
    out += c;
  }
  return out;
}

}  // namespace perigee::test

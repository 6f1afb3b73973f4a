// The texts of a script's files, so that messages can quote their lines.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/host/words.h"
#include "interpreter/layers.h"
#include "runtime/kernel/error.h"

namespace perigee::host {

class Sources {
 public:
  void set(const std::string& name, std::string text) {
    tokens_.erase(name);
    texts_[name] = std::move(text);
  }
  // The text of a file, by the name that locations use; null when unknown.
  const std::string* text(const std::string& name) const;
  // Its tokens, which stay as they are until the text is set anew; null when unknown. Lua skips a first line that begins
  // with #, such as #!/usr/bin/env.
  const std::vector<Token>* tokens(const std::string& name) const;
  // One line, without its end.
  std::string line(const SourceLocation& where) const;
  const std::map<std::string, std::string>& texts() const { return texts_; }

  // The place from which the lines of fields are looked for, if it is known; see Anchor.
  SourceLocation anchor;

 private:
  std::map<std::string, std::string> texts_;
  mutable std::map<std::string, std::vector<Token>> tokens_;  // made when they are first asked for
};

}  // namespace perigee::host

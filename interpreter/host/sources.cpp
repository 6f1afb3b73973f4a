#include "interpreter/host/sources.h"

#include <algorithm>
#include <string_view>

namespace perigee::host {

const std::string* Sources::text(const std::string& name) const {
  const auto found = texts_.find(name);
  return found == texts_.end() ? nullptr : &found->second;
}

const std::vector<Token>* Sources::tokens(const std::string& name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) return nullptr;
  const auto [made, missing] = tokens_.try_emplace(name);
  std::string_view text = found->second;
  if (text.starts_with('#')) text.remove_prefix(std::min(text.find('\n'), text.size()));
  if (missing) made->second = tokens_of(text);
  return &made->second;
}

std::string Sources::line(const SourceLocation& where) const {
  const std::string* text = this->text(where.file);
  if (text == nullptr || where.line <= 0) return {};
  std::size_t begin = 0;
  for (int line = 1; line < where.line; ++line) {
    begin = text->find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::string found = text->substr(begin, text->find('\n', begin) - begin);
  if (!found.empty() && found.back() == '\r') found.pop_back();
  return found;
}

}  // namespace perigee::host

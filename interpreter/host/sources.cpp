#include "interpreter/host/sources.h"

namespace perigee::host {

const std::string* Sources::text(const std::string& name) const {
  const auto found = texts_.find(name);
  return found == texts_.end() ? nullptr : &found->second;
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

#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <pugixml.hpp>
#include <string_view>
#include <vector>

namespace perigee::readers {

// The text of an XML document, without its byte order mark, and where its nodes stand. The text outlives it.
class XmlText {
 public:
  explicit XmlText(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    for (std::size_t at = text_.find('\n'); at != std::string_view::npos; at = text_.find('\n', at + 1))
      line_ends_.push_back(at);
  }

  std::string_view text() const { return text_; }

  // Lines and columns count from 1; what lies behind the text is at its end.
  int line_of(std::size_t at) const {
    at = std::min(at, text_.size());
    return 1 + static_cast<int>(std::ranges::lower_bound(line_ends_, at) - line_ends_.begin());
  }
  std::size_t column_of(std::size_t at) const {
    at = std::min(at, text_.size());
    const int line = line_of(at);
    return at - (line == 1 ? 0 : line_ends_[static_cast<std::size_t>(line) - 2] + 1) + 1;
  }
  int line_of(pugi::xml_node node) const {
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, node.offset_debug()));
    const std::string_view text = node.type() == pugi::node_element ? "" : node.value();
    return line_of(at + std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> line_ends_;
};

// The place of the word among `words`, which blanks separate.
inline std::optional<std::size_t> place_of_word(std::string_view words, std::string_view word) {
  for (std::size_t place = 0; !words.empty(); ++place) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return place;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return std::nullopt;
}

}  // namespace perigee::readers

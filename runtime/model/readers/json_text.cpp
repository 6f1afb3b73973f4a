#include "runtime/model/readers/json_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {
namespace {

// The functions below walk a text that is known to be JSON.

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_blank(text[at]) || text[at] == ',' || text[at] == ':')) ++at;
  return at;
}

// The place behind the string that begins at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// The place behind the value that begins at `at`.
std::size_t skip_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = skip_string(text, at);
    } else if (c == '{' || c == '[') {
      ++depth;
      ++at;
      continue;
    } else if (c == '}' || c == ']') {
      if (depth > 0) --depth;
      ++at;
    } else if (is_blank(c) || c == ',' || c == ':') {
      ++at;
      continue;
    } else {
      while (at < text.size() && std::string_view(" \t\r\n,:]}").find(text[at]) == std::string_view::npos)
        ++at;
    }
    if (depth == 0) return at;
  }
  return at;
}

// The text of a string token with its quotes.
std::string decoded(std::string_view token) {
  if (token.size() >= 2 && token.find('\\') == std::string_view::npos)
    return std::string(token.substr(1, token.size() - 2));
  return Json::parse(token).get<std::string>();
}

std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return text;
}

// True if a path may show the name without quotes.
bool is_plain(std::string_view key) {
  return !key.empty() && key.size() <= 80 && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

std::string json_shown(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "an array";
    case Json::value_t::null:
      return "null";
    case Json::value_t::string:
      return "'" + shown(std::string_view(value.get_ref<const std::string&>())) + "'";
    case Json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case Json::value_t::number_integer:
      return std::to_string(value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return std::to_string(value.get<std::uint64_t>());
    default:
      return value.is_number() ? format_number(value.get<double>()) : "something else";
  }
}

bool is_utf8(std::string_view text) {
  if (std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) return true;
  try {
    static_cast<void>(Json(std::string(text)).dump());
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

std::string json_string(std::string_view text) {
  return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

JsonText::Cursor JsonText::Cursor::member(std::string_view name) const {
  const auto& object = value->get_ref<const Json::object_t&>();
  const auto found = object.find(name);
  if (found == object.end()) return {};
  return {&found->second, this, found->first, 0};
}

JsonText::Cursor JsonText::Cursor::item(std::size_t i) const {
  return {&value->get_ref<const Json::array_t&>()[i], this, {}, i};
}

std::string JsonText::Cursor::path() const {
  if (parent == nullptr) return "$";
  if (key.data() == nullptr) return fmt::format("{}[{}]", parent->path(), index);
  if (is_plain(key)) return fmt::format("{}.{}", parent->path(), key);
  return fmt::format("{}['{}']", parent->path(), shown(key));
}

JsonText::JsonText(std::string_view text, std::string_view name) : text_(text), name_(name) {
  if (trimmed(text).empty()) fail_at({name_, 0}, "bad_file", "the file is empty");
  try {
    json_.emplace(text);
  } catch (const Json::parse_error& error) {
    // "[json.exception...] parse error at line 1, column 2: syntax error while parsing value - unexpected
    // ..."
    std::string what = error.what();
    if (const std::size_t column = what.find(", column "); column != std::string::npos)
      if (const std::size_t colon = what.find(": ", column); colon != std::string::npos)
        what.erase(0, colon + 2);
    if (what.size() > 300) what = what.substr(0, 300) + "...";
    raise_at(error.byte == 0 ? 0 : error.byte - 1, "bad_json", fmt::format("{} (E_JSON)", printable(what)));
  } catch (const Json::out_of_range& error) {
    std::string token = error.what();
    if (const std::size_t first = token.find('\''); first != std::string::npos)
      token = token.substr(first + 1, token.rfind('\'') - first - 1);
    raise_at(std::min(text.find(token), text.size()), "out_of_range",
             fmt::format("the number {} is too large (E_RANGE)", shown(std::string_view(token))));
  } catch (const Json::exception& error) {
    raise_at(0, "bad_json", fmt::format("{} (E_JSON)", printable(error.what())));
  }
  // The parser takes a byte 0 between values for the end of the text, whatever follows.
  if (const std::size_t end = text_.find('\0'); end != std::string_view::npos)
    raise_at(end, "bad_json", "a byte 0 is no part of JSON (E_JSON)");
  check_keys();
}

void JsonText::check_keys() const {
  struct Frame {
    bool object;
    std::size_t first;  // of its keys
  };
  std::vector<Frame> frames;
  std::vector<std::string_view> keys;  // tokens, of all open objects
  bool expects_key = false;
  for (std::size_t at = 0; at < text_.size();) {
    const char c = text_[at];
    if (c == '"') {
      const std::size_t end = skip_string(text_, at);
      if (expects_key) keys.push_back(text_.substr(at, end - at));
      expects_key = false;
      at = end;
      continue;
    }
    if (c == '{' || c == '[') {
      frames.push_back({c == '{', keys.size()});
      expects_key = c == '{';
    } else if (c == ',') {
      expects_key = !frames.empty() && frames.back().object;
    } else if ((c == '}' || c == ']') && !frames.empty()) {
      const auto first = keys.begin() + static_cast<std::ptrdiff_t>(frames.back().first);
      const bool escaped = std::any_of(
          first, keys.end(), [](std::string_view key) { return key.find('\\') != std::string_view::npos; });
      if (escaped) {
        std::vector<std::pair<std::string, const char*>> names;
        for (auto key = first; key != keys.end(); ++key) names.emplace_back(decoded(*key), key->data());
        std::ranges::sort(names);
        for (std::size_t i = 1; i < names.size(); ++i)
          if (names[i].first == names[i - 1].first)
            raise_at(static_cast<std::size_t>(names[i].second - text_.data()), "bad_json",
                     fmt::format("the key '{}' is there twice in one object (E_JSON)",
                                 shown(std::string_view(names[i].first))));
      } else {
        std::sort(first, keys.end(), [](std::string_view a, std::string_view b) {
          return a != b ? a < b : a.data() < b.data();
        });
        const auto twice = std::adjacent_find(first, keys.end());
        if (twice != keys.end())
          raise_at(static_cast<std::size_t>(twice[1].data() - text_.data()), "bad_json",
                   fmt::format("the key {} is there twice in one object (E_JSON)", shown(twice[1])));
      }
      keys.resize(frames.back().first);
      frames.pop_back();
      expects_key = false;
    }
    ++at;
  }
}

std::size_t JsonText::locate(const Cursor& at) const {
  std::size_t begin = 0;
  if (at.parent != nullptr) {
    begin = locate(*at.parent);
    if (begin >= text_.size()) return begin;
    std::size_t here = skip_blanks(text_, begin + 1);
    if (at.key.data() == nullptr) {
      for (std::size_t i = 0; i < at.index && here < text_.size(); ++i)
        here = skip_blanks(text_, skip_value(text_, here));
      return here;
    }
    while (here < text_.size() && text_[here] == '"') {
      const std::size_t end = skip_string(text_, here);
      const std::size_t value = skip_blanks(text_, end);
      if (decoded(text_.substr(here, end - here)) == at.key) return value;
      here = skip_blanks(text_, skip_value(text_, value));
    }
    return begin;
  }
  if (text_.starts_with("\xEF\xBB\xBF")) begin = 3;
  return skip_blanks(text_, begin);
}

void JsonText::raise_at(std::size_t byte, std::string_view code, std::string message) const {
  const std::string_view before = text_.substr(0, std::min(byte, text_.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
  fail_at({name_, static_cast<int>(std::min<std::ptrdiff_t>(line, std::numeric_limits<int>::max()))}, code,
          "column {}: {}", column, message);
}

void JsonText::raise(const Cursor& at, std::string_view code, std::string_view alias,
                     std::string message) const {
  raise_at(locate(at), code,
           fmt::format("{}: {}{}", at.path(), message, alias.empty() ? "" : fmt::format(" ({})", alias)));
}

void JsonText::wrong_type(const Cursor& at, std::string_view wanted) const {
  fail(at, "bad_json", "E_JSON", "must be {}, got {}", wanted, json_shown(*at.value));
}

const Json::object_t& JsonText::object(const Cursor& at) const {
  if (!at.value->is_object()) wrong_type(at, "an object");
  return at.value->get_ref<const Json::object_t&>();
}
const Json::array_t& JsonText::array(const Cursor& at) const {
  if (!at.value->is_array()) wrong_type(at, "an array");
  return at.value->get_ref<const Json::array_t&>();
}
const std::string& JsonText::string(const Cursor& at) const {
  if (!at.value->is_string()) wrong_type(at, "a string");
  return at.value->get_ref<const std::string&>();
}
double JsonText::number(const Cursor& at) const {
  if (!at.value->is_number()) wrong_type(at, "a number");
  return at.value->get<double>();
}
bool JsonText::boolean(const Cursor& at) const {
  if (!at.value->is_boolean()) wrong_type(at, "true or false");
  return at.value->get<bool>();
}

}  // namespace perigee::readers

// JSON for the readers: a document, the place of each value in it, and errors that tell the place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/json_document.h"

namespace perigee::readers {

using Json = nlohmann::json;

class JsonText {
 public:
  // A value and the way to it: an item of an array, or a member of an object. Cursors live on the stack; a
  // parent outlives its children.
  struct Cursor {
    const Json* value = nullptr;
    const Cursor* parent = nullptr;  // none = the document
    std::string_view key = {};       // of an object's member
    std::size_t index = 0;           // of an array's item, where `key` has no data

    Cursor member(std::string_view name) const;  // `value` null where there is none
    Cursor item(std::size_t i) const;
    std::string path() const;  // "$.jobs[2].ntasks"
    explicit operator bool() const { return value != nullptr; }
  };

  // Error "bad_json" with line and column: the text is not JSON, or an object has a key twice. Error
  // "out_of_range": no double can hold a number. `text` must outlive the document.
  JsonText(std::string_view text, std::string_view name);
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  Cursor root() const { return {&json_->root()}; }
  SourceLocation file() const { return {name_, 0}; }

  // Raises "$.jobs[2].ntasks: MESSAGE (ALIAS)" with the line and column where the value begins. The alias is another
  // code of a published list; it may be empty.
  template <class... Args>
  [[noreturn]] void fail(const Cursor& at, std::string_view code, std::string_view alias,
                         fmt::format_string<Args...> format, Args&&... args) const {
    raise(at, code, alias, fmt::format(format, std::forward<Args>(args)...));
  }

  // The value, if it has the right type; else error "bad_json".
  const Json::object_t& object(const Cursor& at) const;
  const Json::array_t& array(const Cursor& at) const;
  const std::string& string(const Cursor& at) const;
  double number(const Cursor& at) const;
  bool boolean(const Cursor& at) const;

 private:
  [[noreturn]] void raise(const Cursor& at, std::string_view code, std::string_view alias,
                          std::string message) const;
  [[noreturn]] void raise_at(std::size_t byte, std::string_view code, std::string message) const;
  [[noreturn]] void wrong_type(const Cursor& at, std::string_view wanted) const;
  std::size_t locate(const Cursor& at) const;
  void check_keys() const;

  std::string_view text_;
  std::string name_;
  std::optional<JsonDocument<Json>> json_;  // there once the text is read
};

// A value as messages show it: a scalar itself, "an object" or "an array".
std::string json_shown(const Json& value);
bool is_utf8(std::string_view text);
// A JSON string in quotes; bytes that are not UTF-8 are replaced.
std::string json_string(std::string_view text);

}  // namespace perigee::readers

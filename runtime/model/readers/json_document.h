// A tree of JSON whose destruction takes no memory, so that it can be destroyed where memory has ended.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee::readers {

// Values in more arrays and objects than that are left out of a tree, whose functions call themselves for
// each level. No reader looks so deep.
inline constexpr std::size_t kDeepestJson = 1000;

// Makes the value null. An array or object that has entries takes memory for a list of them when it is
// destroyed; an empty one does not. So entries are taken away one by one, each after its own.
template <class Value>
void clear(Value& json) noexcept {
  if (json.is_array()) {
    auto& items = json.template get_ref<typename Value::array_t&>();
    for (; !items.empty(); items.pop_back()) clear(items.back());
  } else if (json.is_object()) {
    auto& members = json.template get_ref<typename Value::object_t&>();
    for (; !members.empty(); members.erase(std::prev(members.end()))) clear(std::prev(members.end())->second);
  }
  json = nullptr;
}

// Value: nlohmann::json or nlohmann::ordered_json.
template <class Value>
class JsonDocument {
 public:
  JsonDocument() = default;
  // Raises the exceptions of Value::parse.
  explicit JsonDocument(std::string_view text) : JsonDocument() {  // so ~JsonDocument() follows an exception
    Builder builder{root_};
    Value::sax_parse(text, &builder);
  }
  ~JsonDocument() { clear(root_); }
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  const Value& root() const { return root_; }

 private:
  // The names of its functions are nlohmann's.
  struct Builder {
    Value& root;
    std::vector<Value*> open{};  // arrays and objects
    Value* member = nullptr;     // of the innermost object, whose key was read last
    std::size_t left_out = 0;    // open arrays and objects below the deepest level

    Value* add(Value value) {
      if (left_out > 0) return nullptr;
      if (open.empty()) return &(root = std::move(value));
      if (open.back()->is_object()) return &(*member = std::move(value));
      auto& items = open.back()->template get_ref<typename Value::array_t&>();
      return &items.emplace_back(std::move(value));
    }
    bool begin(Value empty) {
      if (open.size() == kDeepestJson) {
        ++left_out;
      } else {
        open.push_back(add(std::move(empty)));
      }
      return true;
    }
    bool end() {
      if (left_out > 0)
        --left_out;
      else
        open.pop_back();
      return true;
    }

    bool null() { return add(nullptr), true; }
    bool boolean(bool value) { return add(value), true; }
    bool number_integer(typename Value::number_integer_t value) { return add(value), true; }
    bool number_unsigned(typename Value::number_unsigned_t value) { return add(value), true; }
    bool number_float(typename Value::number_float_t value, const std::string&) { return add(value), true; }
    bool string(std::string& value) { return add(std::move(value)), true; }
    bool binary(typename Value::binary_t&) { return false; }  // JSON texts have none
    bool start_object(std::size_t) { return begin(Value::object()); }
    bool start_array(std::size_t) { return begin(Value::array()); }
    bool end_object() { return end(); }
    bool end_array() { return end(); }
    bool key(std::string& name) {
      if (left_out > 0) return true;
      member = &(*open.back())[std::move(name)];
      clear(*member);  // a key that is there twice
      return true;
    }
    template <class Exception>
    bool parse_error(std::size_t, const std::string&, const Exception& error) {
      throw error;
    }
  };

  Value root_;
};

}  // namespace perigee::readers

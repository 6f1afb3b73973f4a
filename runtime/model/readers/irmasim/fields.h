// Reads the fields that IRMaSim's JSON files share.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/readers/irmasim.h"
#include "runtime/model/readers/json_text.h"

namespace perigee::readers {

using Cursor = JsonText::Cursor;

// Fields that play no part, each name once.
class Ignored {
 public:
  template <class Where>
  void add(std::string_view key, Where where) {
    const auto found = std::ranges::find(all_, key, &IrmasimIgnored::key);
    if (found != all_.end())
      ++found->count;
    else if (all_.size() < kMost)
      all_.push_back({std::string(key), where(), 1});
  }
  void add(const Cursor& at) {
    add(at.key, [&] { return at.path(); });
  }
  // Adds the members that are not among `known`.
  void others(const JsonText& text, const Cursor& at, std::span<const std::string_view> known) {
    for (const auto& [key, value] : text.object(at))
      if (std::ranges::find(known, key) == known.end()) add({&value, &at, key, 0});
  }
  std::vector<IrmasimIgnored> take() { return std::move(all_); }

 private:
  static constexpr std::size_t kMost = 1000;  // names
  std::vector<IrmasimIgnored> all_;
};

// The member under either name; it is an error if both are there and differ.
Cursor either(const JsonText& text, const Cursor& object, std::string_view name, std::string_view other);
Cursor required(const JsonText& text, const Cursor& object, std::string_view name);
double whole_number(const JsonText& text, const Cursor& at, double smallest, double largest);
double number_between(const JsonText& text, const Cursor& at, double smallest, double largest,
                      std::string_view unit);
double positive_number(const JsonText& text, const Cursor& at, std::string_view unit);
std::string text_or(const JsonText& text, const Cursor& at, const std::string& fallback);
// A name: a string, or a whole number as Batsim writes them.
std::string name_at(const JsonText& text, const Cursor& at);

}  // namespace perigee::readers

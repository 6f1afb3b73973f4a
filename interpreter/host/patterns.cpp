// Lua's patterns (Lua 5.4 Reference Manual, 6.4.1), matched without recursion. A pattern is a row of items,
// and only a repeated item leaves a choice. So what is still to be tried is a stack no deeper than the
// pattern is long. Every comparison counts against --steps and looks for an interrupt.
//
// Items are read when matching first reaches them, as Lua does: what is wrong behind the place where a match
// fails is never seen.
#include "interpreter/host/patterns.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <boost/container/small_vector.hpp>
#include <cctype>
#include <cstring>
#include <optional>
#include <string_view>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"

namespace perigee::host {

namespace {

constexpr std::size_t kPatternsMostItems = 100'000;  // items of a pattern; a run of plain characters is one
constexpr int kMostCaptures = 32;                    // as in Lua
constexpr std::string_view kSpecial = "^$*+?.([%-";

using Set = std::bitset<256>;

std::size_t byte(char c) { return static_cast<unsigned char>(c); }

// The characters that %c stands for: a class for some letters (a capital is the complement of its small
// letter), else c itself.
const Set& class_of(char letter) {
  static const std::array<Set, 256> all = [] {
    struct Named {
      char letter;
      int (*holds)(int);
    };
    constexpr Named kNamed[] = {{'a', std::isalpha},
                                {'c', std::iscntrl},
                                {'d', std::isdigit},
                                {'g', std::isgraph},
                                {'l', std::islower},
                                {'p', std::ispunct},
                                {'s', std::isspace},
                                {'u', std::isupper},
                                {'w', std::isalnum},
                                {'x', std::isxdigit},
                                {'z', [](int c) { return c == 0 ? 1 : 0; }}};
    std::array<Set, 256> sets;
    for (std::size_t c = 0; c < 256; ++c) sets[c].set(c);
    for (const Named& named : kNamed) {
      Set set;
      for (int c = 0; c < 128; ++c) set[static_cast<std::size_t>(c)] = named.holds(c) != 0;  // "C" locale
      sets[byte(named.letter)] = set;
      sets[byte(static_cast<char>(std::toupper(named.letter)))] = ~set;
    }
    return sets;
  }();
  return all[byte(letter)];
}

struct Item {
  enum Kind : std::uint8_t { text, single, open, place, close, balanced, frontier, repeat, bottom, end } kind;
  char times = '1';            // repetition of a single: 1 ? * + -
  int capture = 0;             // open, place, close, repeat
  std::string_view what = {};  // text; the two brackets of balanced
  Set set = {};                // single, frontier
};

class Matcher {
 public:
  Matcher(Guest& guest, std::string_view subject, std::string_view pattern)
      : guest_(guest), subject_(subject), pattern_(pattern) {}

  // The end of a match that begins at `start`.
  std::optional<std::size_t> match(std::size_t start) {
    choices_.clear();
    std::size_t at = start;
    for (std::size_t n = 0;;) {
      guest_.count(1);
      const Item& item = this->item(n);
      if (item.kind == Item::end) return at;
      if (!step(item, n, at) && !retry(n, at)) return std::nullopt;
    }
  }

  int captures() const { return captures_; }

  // Pushes capture `i` of the last match: a text, or a place for ().
  void push_capture(lua_State* L, int i) const {
    const Capture& capture = found_[static_cast<std::size_t>(i)];
    if (capture.size == kOpen) kernel::fail("bad_pattern", "unfinished capture in the pattern");
    if (capture.size == kPlace)
      lua_pushinteger(L, static_cast<lua_Integer>(capture.begin) + 1);
    else
      push(L, subject_.substr(capture.begin, capture.size));
  }
  // All captures; where there are none, the whole match.
  int push_captures(lua_State* L, std::size_t begin, std::size_t end) const {
    if (captures_ == 0) {
      push(L, subject_.substr(begin, end - begin));
      return 1;
    }
    luaL_checkstack(L, captures_, "too many captures");
    for (int i = 0; i < captures_; ++i) push_capture(L, i);
    return captures_;
  }

 private:
  static constexpr std::size_t kOpen = static_cast<std::size_t>(-1), kPlace = static_cast<std::size_t>(-2);
  struct Capture {
    std::size_t begin = 0, size = 0;
  };
  // A choice to be tried when the rest of the pattern fails: item `next` at any place from `high` down to
  // `low`. For an item that takes as little as it can, the choice is to repeat it once more at `low`.
  struct Choice {
    std::size_t next, low, high;
    bool grows;
  };

  // ---- matching

  bool holds(const Item& item, std::size_t at) const {
    return at < subject_.size() && item.set[byte(subject_[at])];
  }

  // Matches the item at `at` and goes on to the next one.
  bool step(const Item& item, std::size_t& n, std::size_t& at) {
    switch (item.kind) {
      case Item::text:
        guest_.count(item.what.size() / 16);
        if (subject_.compare(at, item.what.size(), item.what) != 0) return false;
        at += item.what.size();
        break;
      case Item::single:
        if (!repeated(item, n, at)) return false;
        break;
      case Item::open:
      case Item::place:
        found_[static_cast<std::size_t>(item.capture)] = {at, item.kind == Item::open ? kOpen : kPlace};
        break;
      case Item::close: {
        Capture& capture = found_[static_cast<std::size_t>(item.capture)];
        capture.size = at - capture.begin;
        break;
      }
      case Item::balanced:
        if (!balance(item.what[0], item.what[1], at)) return false;
        break;
      case Item::frontier: {
        const std::size_t before = at == 0 ? 0 : byte(subject_[at - 1]);
        const std::size_t after = at == subject_.size() ? 0 : byte(subject_[at]);
        if (item.set[before] || !item.set[after]) return false;
        break;
      }
      case Item::repeat: {
        const Capture& capture = found_[static_cast<std::size_t>(item.capture)];
        if (capture.size == kPlace) return false;
        guest_.count(capture.size / 16);
        if (subject_.compare(at, capture.size, subject_.substr(capture.begin, capture.size)) != 0)
          return false;
        at += capture.size;
        break;
      }
      case Item::bottom:
        if (at != subject_.size()) return false;
        break;
      case Item::end:
        break;
    }
    ++n;
    return true;
  }

  bool repeated(const Item& item, std::size_t n, std::size_t& at) {
    switch (item.times) {
      case '?':
        if (holds(item, at)) choices_.push_back({n + 1, at, at, false}), ++at;
        return true;
      case '-':
        choices_.push_back({n, at, at, true});
        return true;
      case '*':
      case '+': {
        const std::size_t low = item.times == '+' ? at + 1 : at;
        while (holds(item, at)) {
          guest_.count(1);
          ++at;
        }
        if (at < low) return false;
        if (at > low) choices_.push_back({n + 1, low, at - 1, false});
        return true;
      }
      default:
        if (!holds(item, at)) return false;
        ++at;
        return true;
    }
  }

  bool balance(char opening, char closing, std::size_t& at) {
    if (at == subject_.size() || subject_[at] != opening) return false;
    std::size_t depth = 1;
    for (std::size_t i = at + 1; i < subject_.size(); ++i) {
      guest_.count(1);
      if (subject_[i] == closing) {
        if (--depth == 0) {
          at = i + 1;
          return true;
        }
      } else if (subject_[i] == opening) {
        ++depth;
      }
    }
    return false;
  }

  // Goes back to the last choice. Captures of later items need not be forgotten: nothing reads them before
  // these items are passed again.
  bool retry(std::size_t& n, std::size_t& at) {
    while (!choices_.empty()) {
      guest_.count(1);
      Choice& choice = choices_.back();
      if (choice.grows) {
        if (holds(item(choice.next), choice.low)) {
          at = ++choice.low;
          n = choice.next + 1;
          return true;
        }
        choices_.pop_back();
        continue;
      }
      n = choice.next;
      at = choice.high;
      if (choice.high == choice.low)
        choices_.pop_back();
      else
        --choice.high;
      return true;
    }
    return false;
  }

  // ---- reading the pattern

  const Item& item(std::size_t n) {
    if (n == items_.size()) {
      if (n == kPatternsMostItems)
        kernel::fail("bad_pattern", "the pattern has more than {} items", kPatternsMostItems);
      items_.push_back(read());
    }
    return items_[n];
  }

  bool more() const { return next_ < pattern_.size(); }
  char peek(std::size_t ahead = 0) const {  // 0 behind the end
    return next_ + ahead < pattern_.size() ? pattern_[next_ + ahead] : '\0';
  }
  bool is_repetition(std::size_t place) const {
    return place < pattern_.size() && std::strchr("?*+-", pattern_[place]) != nullptr &&
           pattern_[place] != '\0';
  }

  Item read() {
    if (!more()) return {.kind = Item::end};
    switch (peek()) {
      case '(': {
        const bool is_place = peek(1) == ')';
        next_ += is_place ? 2 : 1;
        if (captures_ == kMostCaptures)
          kernel::fail("bad_pattern", "the pattern has more than {} captures", kMostCaptures);
        is_open_[static_cast<std::size_t>(captures_)] = !is_place;
        return {.kind = is_place ? Item::place : Item::open, .capture = captures_++};
      }
      case ')':
        ++next_;
        for (int i = captures_; i-- > 0;)
          if (is_open_[static_cast<std::size_t>(i)]) {
            is_open_[static_cast<std::size_t>(i)] = false;
            return {.kind = Item::close, .capture = i};
          }
        kernel::fail("bad_pattern", "')' in the pattern closes no capture");
      case '$':
        if (next_ + 1 == pattern_.size()) {
          ++next_;
          return {.kind = Item::bottom};
        }
        break;
      case '%':
        if (next_ + 1 == pattern_.size()) kernel::fail("bad_pattern", "the pattern ends with '%'");
        if (peek(1) == 'b') return read_balanced();
        if (peek(1) == 'f') {
          next_ += 2;
          if (peek() != '[') kernel::fail("bad_pattern", "'%f' in the pattern needs a set: %f[set]");
          return {.kind = Item::frontier, .set = read_set()};
        }
        if (peek(1) >= '0' && peek(1) <= '9') return read_reference();
        break;
      default:
        break;
    }
    if (const std::size_t plain = plain_run(); plain > 0) {
      const std::string_view run = pattern_.substr(next_, plain);
      next_ += plain;
      return {.kind = Item::text, .what = run};
    }
    Item item{.kind = Item::single, .set = read_single()};
    if (is_repetition(next_)) item.times = pattern_[next_++];
    return item;
  }

  // Characters from here on that stand for themselves, once each.
  std::size_t plain_run() const {
    std::size_t end = next_;
    while (end < pattern_.size()) {
      const char c = pattern_[end];
      if (c == '(' || c == ')' || c == '%' || c == '[' || c == '.') break;
      if (c == '$' && end + 1 == pattern_.size()) break;
      if (is_repetition(end + 1)) break;
      ++end;
    }
    return end - next_;
  }

  Set read_single() {
    const char c = peek();
    if (c == '[') return read_set();
    ++next_;
    if (c == '.') return ~Set();
    if (c == '%') return class_of(pattern_[next_++]);
    return Set().set(byte(c));
  }

  // [set]. A ']' that comes first stands for itself, and so does a '-' that is not between two characters.
  Set read_set() {
    const bool negated = peek(1) == '^';
    std::size_t at = next_ + (negated ? 2 : 1);
    std::size_t close = at;  // found first: the ']' of "%]" ends no set, not even in "[a-%]"
    do {
      if (close < pattern_.size() && pattern_[close] == '%') ++close;
      if (++close >= pattern_.size()) kernel::fail("bad_pattern", "']' is missing in the pattern");
    } while (pattern_[close] != ']');
    next_ = close + 1;
    Set set;
    for (; at < close; ++at) {
      const char c = pattern_[at];
      if (c == '%') {
        set |= class_of(pattern_[++at]);
      } else if (pattern_[at + 1] == '-' && at + 2 < close) {
        for (std::size_t each = byte(c); each <= byte(pattern_[at + 2]); ++each) set.set(each);
        at += 2;
      } else {
        set.set(byte(c));
      }
    }
    return negated ? ~set : set;
  }

  Item read_balanced() {
    if (next_ + 3 >= pattern_.size())
      kernel::fail("bad_pattern", "'%b' in the pattern needs two characters: %bxy");
    const Item item{.kind = Item::balanced, .what = pattern_.substr(next_ + 2, 2)};
    next_ += 4;
    return item;
  }

  Item read_reference() {
    const int number = peek(1) - '0';
    next_ += 2;
    if (number == 0 || number > captures_ || is_open_[static_cast<std::size_t>(number - 1)])
      kernel::fail("bad_pattern", "%{} in the pattern is no capture that is complete there", number);
    return {.kind = Item::repeat, .capture = number - 1};
  }

  Guest& guest_;
  std::string_view subject_, pattern_;
  std::size_t next_ = 0;  // place in the pattern up to which it has been read
  int captures_ = 0;      // captures that have been read
  std::array<bool, kMostCaptures> is_open_{};
  boost::container::small_vector<Item, 8> items_;
  boost::container::small_vector<Choice, 8> choices_;
  std::array<Capture, kMostCaptures> found_{};
};

// ---- arguments

std::string_view text_argument(lua_State* L, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, index, &size);
  return {text, size};
}

// The place, from 0, that a script's `init` means: negative counts from the end.
std::size_t place_of(lua_Integer init, std::size_t size) {
  if (init > 0) return static_cast<std::size_t>(init) - 1;
  if (init == 0 || init < -static_cast<lua_Integer>(size)) return 0;
  return size - static_cast<std::size_t>(-init);
}

bool take_anchor(std::string_view& pattern) {
  if (!pattern.starts_with('^')) return false;
  pattern.remove_prefix(1);
  return true;
}

// ---- the functions

int search(lua_State* L, bool find) {
  const std::string_view subject = text_argument(L, 1);
  std::string_view pattern = text_argument(L, 2);
  const std::size_t start = place_of(luaL_optinteger(L, 3, 1), subject.size());
  if (start > subject.size()) {
    lua_pushnil(L);
    return 1;
  }
  return guard(L, [&] {
    Guest& guest = Guest::of(L);
    if (find && (lua_toboolean(L, 4) != 0 || pattern.find_first_of(kSpecial) == pattern.npos)) {
      guest.count((subject.size() - start + pattern.size()) / 16);
      // In linear time, unlike std::string_view::find.
      const auto* at =
          static_cast<const char*>(pattern.empty() ? subject.data() + start
                                                   : memmem(subject.data() + start, subject.size() - start,
                                                            pattern.data(), pattern.size()));
      if (at == nullptr) {
        lua_pushnil(L);
        return 1;
      }
      const auto begin = static_cast<lua_Integer>(at - subject.data());
      lua_pushinteger(L, begin + 1);
      lua_pushinteger(L, begin + static_cast<lua_Integer>(pattern.size()));
      return 2;
    }
    const bool anchored = take_anchor(pattern);
    Matcher matcher(guest, subject, pattern);
    for (std::size_t begin = start; begin <= subject.size(); ++begin) {
      if (const auto end = matcher.match(begin)) {
        if (!find) return matcher.push_captures(L, begin, *end);
        lua_pushinteger(L, static_cast<lua_Integer>(begin) + 1);
        lua_pushinteger(L, static_cast<lua_Integer>(*end));
        return 2 + (matcher.captures() > 0 ? matcher.push_captures(L, begin, *end) : 0);
      }
      if (anchored) break;
    }
    lua_pushnil(L);
    return 1;
  });
}

int find(lua_State* L) { return search(L, true); }
int match(lua_State* L) { return search(L, false); }

// Upvalues: subject, pattern, where to go on, the end of the last match (-1 = none).
int next_match(lua_State* L) {
  return guard(L, [&] {
    const std::string_view subject = *text_at(L, lua_upvalueindex(1));
    Matcher matcher(Guest::of(L), subject, *text_at(L, lua_upvalueindex(2)));
    const lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    for (auto begin = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(3)));
         begin <= subject.size(); ++begin) {
      const auto end = matcher.match(begin);
      if (!end || static_cast<lua_Integer>(*end) == last) continue;
      lua_pushinteger(L, static_cast<lua_Integer>(*end));
      lua_copy(L, -1, lua_upvalueindex(3));
      lua_replace(L, lua_upvalueindex(4));
      return matcher.push_captures(L, begin, *end);
    }
    lua_pushinteger(L, static_cast<lua_Integer>(subject.size()) + 1);
    lua_replace(L, lua_upvalueindex(3));
    return 0;
  });
}

int gmatch(lua_State* L) {
  const std::size_t size = text_argument(L, 1).size();
  text_argument(L, 2);
  const std::size_t start = place_of(luaL_optinteger(L, 3, 1), size);
  lua_settop(L, 2);
  lua_pushinteger(L, static_cast<lua_Integer>(std::min(start, size + 1)));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

// Adds the replacement text with its %0 to %9 filled in.
void add_text(lua_State* L, luaL_Buffer& out, const Matcher& matcher, std::string_view text,
              std::string_view whole) {
  for (;;) {
    const std::size_t sign = std::min(text.find('%'), text.size());
    luaL_addlstring(&out, text.data(), sign);
    if (sign == text.size()) return;
    const char c = sign + 1 < text.size() ? text[sign + 1] : '\0';
    const int number = c - '0';
    if (c == '%') {
      luaL_addchar(&out, '%');
    } else if (c == '0' || (c == '1' && matcher.captures() == 0)) {
      luaL_addlstring(&out, whole.data(), whole.size());
    } else if (c >= '1' && c <= '9') {
      if (number > matcher.captures())
        kernel::fail("bad_pattern", "%{} in the replacement is no capture of the pattern", number);
      matcher.push_capture(L, number - 1);
      luaL_tolstring(L, -1, nullptr);  // of a place
      lua_remove(L, -2);
      luaL_addvalue(&out);
    } else {
      kernel::fail("bad_pattern", "'%' in the replacement must be followed by a digit or '%'");
    }
    text.remove_prefix(sign + 2);
  }
}

int gsub(lua_State* L) {
  const std::string_view subject = text_argument(L, 1);
  std::string_view pattern = text_argument(L, 2);
  const int type = lua_type(L, 3);
  if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TTABLE && type != LUA_TFUNCTION)
    return luaL_typeerror(L, 3, "string/function/table");
  const lua_Integer most = luaL_optinteger(L, 4, static_cast<lua_Integer>(subject.size()) + 1);
  return guard(L, [&] {
    const std::string_view text = type == LUA_TNUMBER || type == LUA_TSTRING ? text_argument(L, 3) : "";
    const bool anchored = take_anchor(pattern);
    Matcher matcher(Guest::of(L), subject, pattern);
    if (subject.size() > LUAL_BUFFERSIZE) Guest::of(L).make_room(4 * (subject.size() + text.size()));
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    lua_Integer count = 0;
    std::size_t at = 0;
    std::optional<std::size_t> last;
    while (count < most) {
      const auto end = matcher.match(at);
      if (end && end != last) {
        ++count;
        const std::string_view whole = subject.substr(at, *end - at);
        if (type == LUA_TFUNCTION) {
          lua_pushvalue(L, 3);
          lua_call(L, matcher.push_captures(L, at, *end), 1);
        } else if (type == LUA_TTABLE) {
          if (matcher.captures() > 0)
            matcher.push_capture(L, 0);
          else
            push(L, whole);
          lua_gettable(L, 3);
        } else {
          add_text(L, out, matcher, text, whole);
        }
        if (type == LUA_TFUNCTION || type == LUA_TTABLE) {
          if (lua_toboolean(L, -1) == 0) {
            lua_pop(L, 1);
            luaL_addlstring(&out, whole.data(), whole.size());
          } else if (lua_isstring(L, -1) != 0) {
            luaL_addvalue(&out);
          } else {
            kernel::fail("bad_type", "gsub: a replacement must be a text or a number, got {}", shown(L, -1));
          }
        }
        last = end;
        at = *end;
      } else if (at < subject.size()) {
        luaL_addchar(&out, subject[at]);
        ++at;
      } else {
        break;
      }
      if (anchored) break;
    }
    luaL_addlstring(&out, subject.data() + at, subject.size() - at);
    luaL_pushresult(&out);
    lua_pushinteger(L, count);
    return 2;
  });
}

}  // namespace

void open_patterns(lua_State* L) {
  constexpr luaL_Reg kFunctions[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace perigee::host

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "runtime/kernel/math.h"
#include "runtime/space/parts.h"

namespace perigee::space {

namespace {

using Kind = Variable::Kind;

// ---- what can be taken away from a place: parts of it, in the order of attempts

enum class Part : std::uint8_t { elements, rows, columns, numbers, edges, tasks };

struct Removable {
  Part part = Part::elements;
  std::size_t count = 0, least = 0;
};

std::vector<Removable> removable_of(const Place& place) {
  const Variable& variable = place.variable;
  const std::size_t count = place.value.items.size();
  std::vector<Removable> parts;
  switch (variable.kind) {
    case Kind::list:
      if (!variable.count.of) parts.push_back({Part::elements, count, 0});
      break;
    case Kind::matrix:
      if (!variable.count.of) parts.push_back({Part::rows, count, 1});
      if (!variable.columns.of) parts.push_back({Part::columns, columns_of(place.value), 1});
      break;
    case Kind::permutation:
      if (!variable.count.of) parts.push_back({Part::numbers, count, variable.count.least});
      break;
    case Kind::dag:
      parts.push_back({Part::edges, count, 0});
      if (!variable.count.of)
        parts.push_back({Part::tasks, static_cast<std::size_t>(place.value.number), variable.count.least});
      break;
    default:
      break;
  }
  return parts;
}

void erase(std::vector<Datum>& items, std::size_t begin, std::size_t end) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(begin),
              items.begin() + static_cast<std::ptrdiff_t>(end));
}

// Takes away those at [begin, end) of the part.
void take_away(const Place& place, Part part, std::size_t begin, std::size_t end) {
  auto& items = place.value.items;
  const auto gone = static_cast<double>(end - begin);
  switch (part) {
    case Part::elements:
    case Part::rows:
    case Part::edges:
      erase(items, begin, end);
      break;
    case Part::columns:
      for (Datum& row : items) erase(row.items, begin, end);
      break;
    case Part::numbers: {
      std::vector<double> taken;
      for (std::size_t i = begin; i < end; ++i) taken.push_back(items[i].number);
      erase(items, begin, end);
      for (Datum& item : items)  // each number falls by how many below it are gone
        item.number -= static_cast<double>(
            std::ranges::count_if(taken, [number = item.number](double other) { return other < number; }));
      break;
    }
    case Part::tasks: {
      const auto first = static_cast<double>(begin + 1), last = static_cast<double>(end);
      const auto is_gone = [&](const Datum& task) { return task.number >= first && task.number <= last; };
      std::erase_if(items,
                    [&](const Datum& edge) { return is_gone(edge.items[0]) || is_gone(edge.items[1]); });
      for (Datum& edge : items)
        for (Datum* task : {&edge.items[0], &edge.items[1]})
          if (task->number > last) task->number -= gone;
      place.value.number -= gone;
      break;
    }
  }
}

// ---- simple numbers

// Significant digits of the shortest text that reads back as the number; 0 of zero.
int digits_of(double number) {
  const std::string text = fmt::format("{}", number);
  int digits = 0, zeros = 0;  // zeros count where a digit follows
  for (const char c : text) {
    if (c == 'e') break;
    if (c == '0') {
      if (digits > 0) ++zeros;
    } else if (c >= '1' && c <= '9') {
      digits += zeros + 1;
      zeros = 0;
    }
  }
  return digits;
}

double rounded_to(double number, int digits) {
  const std::string text = fmt::format("{:.{}e}", number, digits - 1);
  double rounded = number;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

// Simpler values of a real, the simplest first: its bounds, 0 where that is the nearest whole number, then itself with 1,
// 2, 3, ... digits. None of a bound.
std::vector<double> simpler_reals(const Variable& real, double number) {
  std::vector<double> simpler;
  if (number == real.low || number == real.high || number == 0) return simpler;
  const auto offer = [&](double value) {
    if (value >= real.low && value <= real.high && std::ranges::find(simpler, value) == simpler.end())
      simpler.push_back(value);
  };
  offer(real.low);
  offer(real.high);
  if (math::round(number) == 0) offer(0);
  const int digits = digits_of(number);
  for (int fewer = 1; fewer < digits; ++fewer) offer(rounded_to(number, fewer));
  return simpler;
}

// ----

class Shrinker {
 public:
  Shrinker(const Space& space, Datum value, const std::function<bool(const Datum&)>& still,
           std::uint64_t budget)
      : space_(space), still_(still), budget_(budget) {
    shrunk_.value = std::move(value);
  }

  Shrunk run() {
    do {
      changed_ = false;
      for (std::size_t k = 0; !spent_ && k < places(); ++k) take_from(k);
      for (std::size_t k = 0; !spent_ && k < places(); ++k) lower_whole(k);
      for (std::size_t k = 0; !spent_ && k < places(); ++k) simplify_real(k);
    } while (changed_ && !spent_);
    shrunk_.minimal = !spent_;
    return std::move(shrunk_);
  }

 private:
  std::size_t places() {
    std::size_t count = 0;
    walk({space_.root, shrunk_.value}, [&](const Place&) { ++count; });
    return count;
  }

  // Calls act(place) for place `nth` of the value, if there are so many: what is taken away from one place may take others
  // with it, whose counts are functions of it, those before it too.
  template <class Act>
  void at(Datum& value, std::size_t nth, Act&& act) {
    std::vector<Place> found;
    walk({space_.root, value}, [&](const Place& place) {
      if (nth-- == 0) found.push_back(place);
    });
    if (!found.empty()) act(found.front());
  }

  // Whether the value changed at place `nth` will do; it is then the value.
  template <class Change>
  bool accept(std::size_t nth, Change&& change) {
    Datum candidate = shrunk_.value;
    at(candidate, nth, change);
    Stream fresh(0, "shrink");  // for what a function wants more of
    follow_counts(space_, candidate, fresh);
    if (candidate == shrunk_.value || !is_valid(space_, candidate)) return false;
    if (shrunk_.calls == budget_) spent_ = true;
    if (spent_) return false;
    ++shrunk_.calls;
    if (!still_(candidate)) return false;
    shrunk_.value = std::move(candidate);
    return changed_ = true;
  }

  // ddmin, of which only the complements are tried: halves, quarters, ..., one by one.
  void take_from(std::size_t nth) {
    std::size_t parts = 0;
    const Variable* variable = nullptr;
    at(shrunk_.value, nth, [&](const Place& place) {
      parts = removable_of(place).size();
      variable = &place.variable;
    });
    for (std::size_t p = 0; p < parts; ++p) {
      Removable now;
      const auto look = [&] {
        now = {};
        at(shrunk_.value, nth, [&](const Place& place) {
          if (&place.variable == variable) now = removable_of(place)[p];
        });
      };
      look();
      for (std::size_t chunk = (now.count + 1) / 2; chunk > 0; chunk = chunk == 1 ? 0 : (chunk + 1) / 2)
        for (std::size_t begin = 0; begin < now.count && !spent_;) {
          const std::size_t end = std::min(begin + chunk, now.count);
          const bool enough = now.count - (end - begin) >= now.least;
          if (enough && accept(nth, [&](const Place& place) { take_away(place, now.part, begin, end); }))
            look();
          else
            begin = end;
        }
    }
  }

  void lower_whole(std::size_t nth) {
    bool lowered = true;
    while (lowered && !spent_) {
      double above = 0;  // its least value
      at(shrunk_.value, nth, [&](const Place& place) {
        if (place.variable.kind == Kind::whole) above = place.value.number - place.variable.low;
      });
      lowered = false;
      for (double less = above; less >= 1 && !lowered && !spent_; less = math::floor(less / 2))
        lowered = accept(nth, [&](const Place& place) { place.value.number -= less; });
    }
  }

  void simplify_real(std::size_t nth) {
    std::vector<double> simpler;
    at(shrunk_.value, nth, [&](const Place& place) {
      if (place.variable.kind == Kind::real) simpler = simpler_reals(place.variable, place.value.number);
    });
    for (const double value : simpler)
      if (spent_ || accept(nth, [&](const Place& place) { place.value.number = value; })) return;
  }

  const Space& space_;
  const std::function<bool(const Datum&)>& still_;
  std::uint64_t budget_;
  Shrunk shrunk_;
  bool changed_ = false, spent_ = false;
};

}  // namespace

Shrunk shrink(const Space& space, Datum value, const std::function<bool(const Datum&)>& still,
              std::uint64_t budget) {
  return Shrinker(space, std::move(value), still, budget).run();
}

}  // namespace perigee::space

#include <fmt/format.h>

#include <algorithm>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/whole.h"
#include "runtime/space/parts.h"

namespace perigee::space {

namespace {

// Where a value is, as a script would write it: "jobs[3].cores".
struct Path {
  const Path* outer = nullptr;
  const std::string* name = nullptr;  // null: an element
  std::size_t index = 0;              // from 0

  std::string text() const {
    const std::string before = outer == nullptr ? "" : outer->text();
    if (name == nullptr) return outer == nullptr ? before : fmt::format("{}[{}]", before, index + 1);
    return before.empty() ? *name : before + "." + *name;
  }
};

template <class... Args>
std::string outside(const Path& path, fmt::format_string<Args...> format, Args&&... args) {
  const std::string where = path.text();
  return fmt::format("{}: {}", where.empty() ? "the case" : where,
                     fmt::format(format, std::forward<Args>(args)...));
}

class Check {
 public:
  explicit Check(bool with_functions) : with_functions_(with_functions) {}

  // Empty: the value is one of the parameter's.
  std::string value(const Variable& variable, const Datum& value, const Datum& before,
                    const Path& path) const {
    switch (variable.kind) {
      case Variable::Kind::real:
      case Variable::Kind::whole:
      case Variable::Kind::choice:
        return number(variable, value, path);
      case Variable::Kind::list:
        return list(variable, value, before, path);
      case Variable::Kind::matrix:
        return matrix(variable, value, before, path);
      case Variable::Kind::permutation:
        return permutation(variable, value, before, path);
      case Variable::Kind::dag:
        return graph(variable, value, before, path);
      case Variable::Kind::record:
        return record(variable, value, path);
    }
    return "";
  }

 private:
  static std::string number(const Variable& variable, const Datum& value, const Path& path) {
    if (!value.items.empty()) return outside(path, "must be a number, got {} values", value.items.size());
    if (variable.kind != Variable::Kind::real && !is_whole(value.number))
      return outside(path, "must be a whole number, got {}", format_number(value.number));
    if (value.number >= variable.low && value.number <= variable.high) return "";
    return outside(path, "must be between {} and {}, got {}", format_number(variable.low),
                   format_number(variable.high), format_number(value.number));
  }

  std::string count(const CountRange& range, std::size_t got, const char* what, const Datum& before,
                    const Path& path) const {
    if (range.of) {
      if (!with_functions_) return "";
      const std::uint64_t said = range.of(before);
      return said == got ? "" : outside(path, "must have {} {}, got {}", said, what, got);
    }
    if (got >= range.least && got <= range.most) return "";
    if (range.least == range.most) return outside(path, "must have {} {}, got {}", range.least, what, got);
    return outside(path, "must have between {} and {} {}, got {}", range.least, range.most, what, got);
  }

  std::string elements(const Variable& of, const std::vector<Datum>& items, const Datum& before,
                       const Path& path) const {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (std::string why = value(of, items[i], before, {&path, nullptr, i}); !why.empty()) return why;
    return "";
  }

  std::string list(const Variable& variable, const Datum& value, const Datum& before,
                   const Path& path) const {
    if (value.number != 0) return outside(path, "must be a list, got {}", format_number(value.number));
    if (std::string why = count(variable.count, value.items.size(), "elements", before, path); !why.empty())
      return why;
    return elements(variable.of.front(), value.items, before, path);
  }

  std::string matrix(const Variable& variable, const Datum& value, const Datum& before,
                     const Path& path) const {
    if (value.number != 0) return outside(path, "must be a matrix, got {}", format_number(value.number));
    if (std::string why = count(variable.count, value.items.size(), "rows", before, path); !why.empty())
      return why;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const Datum& row = value.items[i];
      const Path at{&path, nullptr, i};
      if (row.number != 0) return outside(at, "must be a row, got {}", format_number(row.number));
      if (row.items.size() != columns_of(value))
        return outside(at, "must have as many columns as the first row, {}, got {}", columns_of(value),
                       row.items.size());
      std::string why = i == 0 ? count(variable.columns, row.items.size(), "columns", before, path) : "";
      if (why.empty()) why = elements(variable.of.front(), row.items, before, at);
      if (!why.empty()) return why;
    }
    return "";
  }

  std::string permutation(const Variable& variable, const Datum& value, const Datum& before,
                          const Path& path) const {
    if (value.number != 0) return outside(path, "must be an order, got {}", format_number(value.number));
    const std::size_t n = value.items.size();
    if (std::string why = count(variable.count, n, "numbers", before, path); !why.empty()) return why;
    std::vector<bool> seen(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double number = value.items[i].number;
      const Path at{&path, nullptr, i};
      if (!value.items[i].items.empty() || !is_whole(number) || number < 1 || number > static_cast<double>(n))
        return outside(at, "must be a whole number between 1 and {}, got {}", n, format_number(number));
      if (seen[static_cast<std::size_t>(number) - 1])
        return outside(at, "{} must be there once, got it twice", format_number(number));
      seen[static_cast<std::size_t>(number) - 1] = true;
    }
    return "";
  }

  std::string graph(const Variable& variable, const Datum& value, const Datum& before,
                    const Path& path) const {
    if (!is_whole(value.number) || value.number < 0)
      return outside(path, "must have a whole number of tasks, got {}", format_number(value.number));
    if (std::string why =
            count(variable.count, static_cast<std::size_t>(value.number), "tasks", before, path);
        !why.empty())
      return why;
    std::pair<double, double> last{0, 0};
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const Datum& edge = value.items[i];
      const Path at{&path, nullptr, i};
      if (edge.number != 0 || edge.items.size() != 3)
        return outside(at, "must be an edge {{ from, to, value }}");
      const double from = edge.items[0].number, to = edge.items[1].number;
      if (!edge.items[0].items.empty() || !edge.items[1].items.empty() || !is_whole(from) || !is_whole(to) ||
          !(1 <= from && from < to && to <= value.number))
        return outside(at, "must go from a lower to a higher of {} tasks, got {} to {}",
                       format_number(value.number), format_number(from), format_number(to));
      if (std::pair(from, to) <= last)
        return outside(at, "edges must ascend, each pair once, got {} to {} after {} to {}",
                       format_number(from), format_number(to), format_number(last.first),
                       format_number(last.second));
      last = {from, to};
      if (std::string why = this->value(variable.of.front(), edge.items[2], before, at); !why.empty())
        return why;
    }
    return "";
  }

  std::string record(const Variable& variable, const Datum& value, const Path& path) const {
    if (value.number != 0) return outside(path, "must be a record, got {}", format_number(value.number));
    if (value.items.size() != variable.fields.size())
      return outside(path, "must have {} fields, got {}", variable.fields.size(), value.items.size());
    const bool functions =
        with_functions_ && std::ranges::any_of(variable.fields, [](const NamedVariable& field) {
          return has_functions(field.parameter);
        });
    Datum before;
    if (functions) before.items.resize(value.items.size());
    for (const std::size_t i : order_of(variable)) {
      const NamedVariable& field = variable.fields[i];
      if (std::string why = this->value(field.parameter, value.items[i], before, {&path, &field.name});
          !why.empty())
        return why;
      if (functions) before.items[i] = value.items[i];
    }
    return "";
  }

  bool with_functions_;
};

}  // namespace

std::string why_outside(const Space& space, const Datum& value) {
  return Check(true).value(space.root, value, {}, {});
}
std::string why_outside_but_counts(const Space& space, const Datum& value) {
  return Check(false).value(space.root, value, {}, {});
}

}  // namespace perigee::space

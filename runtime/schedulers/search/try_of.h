// Parts that the searches of the catalogue share: the count of evaluations of a try, and its state as numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/space/search.h"

namespace perigee::search {

// A case that was evaluated.
struct Scored {
  Datum value;
  double score = std::numeric_limits<double>::quiet_NaN();  // NaN: it does not count

  bool counts() const { return !std::isnan(score); }
  // A score that does not count is below all others. Equal ones: false.
  bool above(const Scored& other) const { return counts() && (!other.counts() || score > other.score); }
};

// A state as numbers.
class Writer {
 public:
  explicit Writer(std::vector<double>& out) : out_(out) {}
  void number(double x) { out_.push_back(x); }
  void numbers(std::span<const double> all) { out_.insert(out_.end(), all.begin(), all.end()); }
  void count(std::uint64_t n) { out_.push_back(static_cast<double>(n)); }  // exact below 2^53
  void scored(const Scored& each) {
    number(each.score);
    pack(each.value, out_);
  }
  void maybe(const std::optional<Scored>& each) {
    count(each ? 1 : 0);
    if (each) scored(*each);
  }
  void list(const std::vector<Scored>& all) {
    count(all.size());
    for (const Scored& each : all) scored(each);
  }

 private:
  std::vector<double>& out_;
};

// The state back. Numbers of another kind make it wrong(), and what is read then is of no use.
class Reader {
 public:
  Reader(const Space& space, std::span<const double> state) : space_(&space), left_(state) {}
  bool wrong() const { return wrong_; }
  bool ended() const { return left_.empty(); }

  double number() {
    if (left_.empty()) {
      wrong_ = true;
      return 0;
    }
    const double x = left_.front();
    left_ = left_.subspan(1);
    return x;
  }
  void numbers(std::span<double> all) {
    for (double& each : all) each = number();
  }
  // At most `most`.
  std::uint64_t count(std::uint64_t most) {
    const double x = number();
    if (x >= 0 && x < 0x1p53 && x == std::floor(x) && static_cast<std::uint64_t>(x) <= most)
      return static_cast<std::uint64_t>(x);
    wrong_ = true;
    return 0;
  }
  Datum value() {
    std::optional<Datum> read = wrong_ ? std::nullopt : unpack(left_);
    if (read && why_outside(*space_, *read).empty()) return std::move(*read);
    wrong_ = true;
    return {};
  }
  Scored scored() {
    const double score = number();
    return {value(), score};
  }
  std::optional<Scored> maybe() {
    if (count(1) == 0) return std::nullopt;
    return scored();
  }
  std::vector<Scored> list(std::uint64_t most) {
    std::vector<Scored> all;
    for (std::uint64_t n = count(most); n > 0 && !wrong_; --n) all.push_back(scored());
    return all;
  }

 private:
  const Space* space_;
  std::span<const double> left_;
  bool wrong_ = false;
};

// A search that says which cases come next and is told their scores; how many there may be is seen to here. Derived has
//   std::vector<Datum> propose(std::size_t most)   the next cases, at most so many > 0; empty: the try is over
//   void judge(std::span<const double> scores)     their scores; told() is still the count before them
//   void write(Writer&) const, bool read(Reader&)  the state besides; false: it is none
template <class Derived>
class TryOf : public CaseSearch {
 public:
  std::unique_ptr<CaseSearch> clone() const final { return std::make_unique<Derived>(derived()); }
  void begin(const Space& space, const Try& self) final {
    space_ = &space;
    try_ = self;
  }
  std::vector<Datum> ask(std::size_t most) final {
    asked_ = 0;
    const std::uint64_t left = try_.evaluations - told_;
    if (over_ || left == 0) return {};
    const auto allowed = static_cast<std::size_t>(std::min<std::uint64_t>(most, left));
    std::vector<Datum> cases = derived().propose(allowed);
    asked_ = cases.size();
    PERIGEE_ASSERT(asked_ <= allowed, "a search asks for too many cases");
    return cases;
  }
  void tell(std::span<const double> scores) final {
    PERIGEE_ASSERT(scores.size() == asked_, "a search is told what it has not asked for");
    over_ |= std::ranges::find(scores, std::numeric_limits<double>::infinity()) != scores.end();
    derived().judge(scores);
    told_ += scores.size();
    asked_ = 0;
  }
  void save(std::vector<double>& out) const final {
    Writer writer(out);
    writer.count(told_);
    writer.count(over_ ? 1 : 0);
    derived().write(writer);
  }
  bool load(std::span<const double> state) final {
    Derived loaded(derived());
    Reader reader(*space_, state);
    loaded.told_ = reader.count(try_.evaluations);
    loaded.over_ = reader.count(1) != 0;
    if (!loaded.read(reader) || reader.wrong() || !reader.ended()) return false;
    derived() = std::move(loaded);
    return true;
  }

 protected:
  TryOf() = default;
  const Space& space() const { return *space_; }
  const Try& self() const { return try_; }
  std::uint64_t told() const { return told_; }  // evaluations so far

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  const Space* space_ = nullptr;
  Try try_;
  std::uint64_t told_ = 0;
  std::size_t asked_ = 0;
  bool over_ = false;  // the score was +inf
};

// The parameter `tries`, and how many there are: no more than evaluations.
inline Parameter tries_parameter(double fallback) {
  return {.name = "tries",
          .type = ParameterType::integer,
          .summary = "how many independent tries share the evaluations",
          .fallback = fallback,
          .min = 1,
          .max = 10'000};
}
inline std::size_t tries_of(double tries, std::uint64_t budget) {
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(budget, 1, static_cast<std::uint64_t>(tries)));
}

}  // namespace perigee::search

// Every case of a finite space once, in lexicographic order: the answer is a fact.
//
// Each try has a block of cases that follow one another, so that the first of equal cases is that of the lowest try. A
// try passes over the cases of those before it when it is asked first.
//
// Cost: O(n) a case of n values. Ties: the lexicographically first of equal cases.
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/search/try_of.h"

namespace perigee::search {
namespace {

constexpr std::uint64_t kMostTries = 8;

class Exhaustive final : public TryOf<Exhaustive> {
 public:
  std::size_t tries(const Space& space, std::uint64_t budget) const override {
    const double cases = size(space);
    if (!std::isfinite(cases))
      fail(
          "not_finite_space",
          "exhaustive: the cases of the space cannot be counted, for it has reals, or counts that depend on other "
          "parameters; annealing takes every space");
    if (cases > static_cast<double>(budget))
      fail("not_finite_space", "exhaustive: the space has {} cases, more than the budget of {}",
           format_number(cases), budget);
    // As many as have evaluations for their blocks, however those that cannot be shared evenly are given out.
    std::uint64_t tries = kMostTries;
    while (tries > 1 && block(cases, tries) > budget / tries) --tries;
    return static_cast<std::size_t>(tries);
  }

  std::vector<Datum> propose(std::size_t most) {
    const std::uint64_t block_size = block(size(space()), self().of);
    if (!begun_) {
      begun_ = true;
      next_ = first(space());
      for (std::uint64_t skipped = 0; next_ && skipped < block_size * self().nth; ++skipped)
        next_ = next(space(), *next_);
    }
    std::vector<Datum> cases;
    while (next_ && cases.size() < most && told() + cases.size() < block_size) {
      cases.push_back(*next_);
      next_ = next(space(), *next_);
    }
    return cases;
  }
  void judge(std::span<const double>) {}

  void write(Writer& out) const {
    out.count(begun_ ? 1 : 0);
    out.maybe(next_ ? std::optional(Scored{*next_}) : std::nullopt);
  }
  bool read(Reader& in) {
    begun_ = in.count(1) != 0;
    if (std::optional<Scored> next_case = in.maybe()) next_ = std::move(next_case->value);
    return begun_ || (!next_ && told() == 0);
  }

 private:
  static std::uint64_t block(double cases, std::uint64_t tries) {
    const auto count = static_cast<std::uint64_t>(cases);
    return count / tries + (count % tries == 0 ? 0 : 1);
  }

  bool begun_ = false;
  std::optional<Datum> next_;  // the case that comes next
};

}  // namespace

Entry exhaustive() {
  return {.name = "exhaustive",
          .family = Family::search,
          .role = Role::search,
          .summary = "every case of a finite space once: the answer is a fact, not a finding",
          .source = "the usual",
          .complexity = "O(n) a case of n values",
          .ties = "the lexicographically first of equal cases",
          .make_search = [](const Arguments&) { return std::make_unique<Exhaustive>(); }};
}

}  // namespace perigee::search

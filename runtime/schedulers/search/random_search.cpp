// Independent draws: the floor that other searches are compared with.
//
// Cost: O(n) an evaluation for a case of n values. Ties: the first of equal cases.
#include "runtime/schedulers/search/try_of.h"

namespace perigee::search {
namespace {

class RandomSearch final : public TryOf<RandomSearch> {
 public:
  explicit RandomSearch(double tries) : tries_(tries) {}

  std::size_t tries(const Space&, std::uint64_t budget) const override { return tries_of(tries_, budget); }

  std::vector<Datum> propose(std::size_t most) {
    std::vector<Datum> cases;
    for (std::size_t i = 0; i < most; ++i) {
      Stream stream = self().stream.sub(told() + i);
      cases.push_back(draw(space(), stream));
    }
    return cases;
  }
  void judge(std::span<const double>) {}
  void write(Writer&) const {}
  bool read(Reader&) { return true; }

 private:
  double tries_;
};

}  // namespace

Entry random_search() {
  return {.name = "random_search",
          .family = Family::search,
          .role = Role::search,
          .summary = "independent draws: the floor that other searches are compared with",
          .source = "the usual",
          .complexity = "O(n) an evaluation for a case of n values",
          .ties = "the first of equal cases",
          .parameters = {tries_parameter(10)},
          .make_search = [](const Arguments& given) {
            return std::make_unique<RandomSearch>(given.number("tries"));
          }};
}

}  // namespace perigee::search

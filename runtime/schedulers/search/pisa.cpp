// PISA, as its authors' library runs it: a neighbour with q = r' / r is taken if q > 1, else with probability
// exp(-q / T). T is `hottest` and is multiplied by `cooling` at each step; below `coldest` the chain ends, and another one
// begins with a fresh draw.
//
// The published rule is kept as it is. At the beginning nearly every neighbour is taken, and at any temperature a much
// worse one is more likely to be taken than one that is a little worse: exp(-q / T) grows as q falls.
//
// Source: Coleman, Krishnamachari, "PISA: an adversarial approach to comparing task graph scheduling algorithms",
// 2025 (arXiv 2403.07120), and release 2.1.0 of their library. Each kind of move is equally likely.
//
// Cost: O(n) an evaluation for a case of n values. Ties: a neighbour as good as the case is taken with probability
// exp(-1 / T); the first of equal cases is the best.
#include "runtime/kernel/math.h"
#include "runtime/schedulers/search/chain_of.h"

namespace perigee::search {
namespace {

struct PisaOptions {
  double tries, steps, hottest, coldest, cooling;
};

class Pisa final : public ChainOf<Pisa> {
 public:
  explicit Pisa(const PisaOptions& options) : options_(options) {}

  std::size_t tries(const Space&, std::uint64_t budget) const override {
    return tries_of(options_.tries, budget);
  }

  bool over(std::uint64_t step) const {
    return static_cast<double>(step) >= options_.steps || temperature(step) < options_.coldest;
  }
  double temperature(std::uint64_t step) const {
    return options_.hottest * math::pow(options_.cooling, static_cast<double>(step));
  }
  Datum move(const Datum& value, Stream& stream) const { return neighbour_by_kind(space(), value, stream); }
  bool from_best(std::uint64_t) const { return false; }
  static bool takes(double score, double other, double temperature, double unit) {
    return other > score || unit < math::exp(-math::exp(other - score) / temperature);
  }

 private:
  PisaOptions options_;
};

}  // namespace

Entry pisa() {
  return {
      .name = "pisa",
      .family = Family::search,
      .role = Role::search,
      .summary =
          "the search of PISA as published, which takes much worse cases sooner than slightly worse ones",
      .source = "Coleman, Krishnamachari 2025, as their library's release 2.1.0 runs it",
      .complexity = "O(n) an evaluation for a case of n values",
      .ties =
          "an equal neighbour is taken with probability exp(-1 / T); the first of equal cases is the best",
      .parameters = {tries_parameter(10),
                     {.name = "steps",
                      .type = ParameterType::integer,
                      .summary = "of a chain, at most; another one follows",
                      .fallback = 1000.0,
                      .min = 1,
                      .max = 1e12},
                     {.name = "hottest",
                      .type = ParameterType::number,
                      .summary = "temperature at the first step",
                      .fallback = 10.0,
                      .min = 0,
                      .max = 1e6,
                      .open_min = true},
                     {.name = "coldest",
                      .type = ParameterType::number,
                      .summary = "a chain ends below this temperature, which is at most hottest",
                      .fallback = 0.1,
                      .min = 0,
                      .max = 1e6,
                      .open_min = true},
                     {.name = "cooling",
                      .type = ParameterType::number,
                      .summary = "factor of the temperature at each step",
                      .fallback = 0.99,
                      .min = 0,
                      .max = 1,
                      .open_min = true}},
      .check =
          [](const Arguments& given) {
            if (given.number("coldest") > given.number("hottest"))
              fail("bad_parameter", "pisa: coldest must be at most hottest, {}, got {}",
                   format_number(given.number("hottest")), format_number(given.number("coldest")));
          },
      .make_search =
          [](const Arguments& given) {
            return std::make_unique<Pisa>(PisaOptions{.tries = given.number("tries"),
                                                      .steps = given.number("steps"),
                                                      .hottest = given.number("hottest"),
                                                      .coldest = given.number("coldest"),
                                                      .cooling = given.number("cooling")});
          }};
}

}  // namespace perigee::search

// Metropolis on the logarithm of the ratio: a neighbour with ratio r' takes the place of a case with ratio r when r' >= r,
// or with probability (r' / r)^(1 / T). T falls geometrically from `hottest` to `coldest` over `steps`, or over the
// evaluations of the try where those are fewer. A chain whose steps are over is followed by another one from a fresh draw;
// each third of those that follow begins with the best case so far.
//
// Source: Metropolis, Rosenbluth, Rosenbluth, Teller, Teller, J. Chemical Physics 21(6), 1953, pp. 1087-1092; Kirkpatrick,
// Gelatt, Vecchi, Science 220, 1983, pp. 671-680. Scores are logarithms, so that (r' / r)^(1 / T) = exp((s' - s) / T).
//
// Cost: O(n) an evaluation for a case of n values. Ties: a neighbour takes the place of an equal case; the first of equal
// cases is the best.
#include "runtime/kernel/math.h"
#include "runtime/schedulers/search/chain_of.h"

namespace perigee::search {
namespace {

struct CaseAnnealingOptions {
  double tries, steps, hottest, coldest;
};

class CaseAnnealing final : public ChainOf<CaseAnnealing> {
 public:
  explicit CaseAnnealing(const CaseAnnealingOptions& options) : options_(options) {}

  std::size_t tries(const Space&, std::uint64_t budget) const override {
    return tries_of(options_.tries, budget);
  }

  bool over(std::uint64_t step) const { return static_cast<double>(step) >= steps(); }
  double temperature(std::uint64_t step) const {
    const double share = steps() > 1 ? static_cast<double>(step) / (steps() - 1) : 0;
    return options_.hottest * math::pow(options_.coldest / options_.hottest, share);
  }
  Datum move(const Datum& value, Stream& stream) const { return neighbour(space(), value, stream); }
  bool from_best(std::uint64_t chain) const { return chain % 3 == 0; }
  static bool takes(double score, double other, double temperature, double unit) {
    return other >= score || unit < math::exp((other - score) / temperature);
  }

 private:
  // The steps of a chain. The first evaluation of a try is a draw.
  double steps() const {
    return std::clamp(static_cast<double>(self().evaluations) - 1, 1.0, options_.steps);
  }

  CaseAnnealingOptions options_;
};

}  // namespace

Entry annealing() {
  return {
      .name = "annealing",
      .family = Family::search,
      .role = Role::search,
      .summary = "Metropolis on the logarithm of the ratio, with restarts: the default of duels",
      .source = "Metropolis et al. 1953; Kirkpatrick, Gelatt, Vecchi 1983",
      .complexity = "O(n) an evaluation for a case of n values",
      .ties = "a neighbour takes the place of an equal case; the first of equal cases is the best",
      .parameters = {tries_parameter(10),
                     {.name = "steps",
                      .type = ParameterType::integer,
                      .summary = "after so many a try begins anew",
                      .fallback = 1000.0,
                      .min = 1,
                      .max = 1e12},
                     {.name = "hottest",
                      .type = ParameterType::number,
                      .summary = "temperature at the first step",
                      .fallback = 0.3,
                      .min = 0,
                      .max = 1e6,
                      .open_min = true},
                     {.name = "coldest",
                      .type = ParameterType::number,
                      .summary = "temperature at the last step, at most hottest",
                      .fallback = 0.001,
                      .min = 0,
                      .max = 1e6,
                      .open_min = true}},
      .check =
          [](const Arguments& given) {
            if (given.number("coldest") > given.number("hottest"))
              fail("bad_parameter", "annealing: coldest must be at most hottest, {}, got {}",
                   format_number(given.number("hottest")), format_number(given.number("coldest")));
          },
      .make_search =
          [](const Arguments& given) {
            return std::make_unique<CaseAnnealing>(CaseAnnealingOptions{.tries = given.number("tries"),
                                                                        .steps = given.number("steps"),
                                                                        .hottest = given.number("hottest"),
                                                                        .coldest = given.number("coldest")});
          }};
}

}  // namespace perigee::search

// A genetic search. The first generation is drawn. The `elite` best of each go on as they are; the others are children
// of parents that won a tournament. A child is made by crossing two parents, with probability `cross`, or is a copy of one;
// then it is moved, with probability `move`, and always where it equals a parent. Where no participant of a tournament
// counts, a draw takes the child's place. The children of a generation can be evaluated side by side.
//
// Source: Goldberg, "Genetic Algorithms in Search, Optimization and Machine Learning", 1989; tournaments: Miller, Goldberg,
// Complex Systems 9(3), 1995, pp. 193-212.
//
// Cost: O(n + tournament) an evaluation for a case of n values. Ties: the lower place in the population.
#include "runtime/schedulers/search/try_of.h"

namespace perigee::search {
namespace {

struct GeneticSearchOptions {
  double tries, population, tournament, cross, move, elite;
};

class GeneticSearch final : public TryOf<GeneticSearch> {
 public:
  explicit GeneticSearch(const GeneticSearchOptions& options) : options_(options) {}

  std::size_t tries(const Space&, std::uint64_t budget) const override {
    return tries_of(options_.tries, budget);
  }

  std::vector<Datum> propose(std::size_t most) {
    const std::size_t count = std::min(most, wanted() - children_.size());
    for (std::size_t i = 0; i < count; ++i) children_.push_back({child(children_.size())});
    std::vector<Datum> cases;
    for (std::size_t i = children_.size() - count; i < children_.size(); ++i)
      cases.push_back(children_[i].value);
    return cases;
  }

  void judge(std::span<const double> scores) {
    for (std::size_t i = 0; i < scores.size(); ++i)
      children_[children_.size() - scores.size() + i].score = scores[i];
    if (children_.size() < wanted()) return;
    ++generation_;
    std::vector<Scored> next = elite();
    std::ranges::move(children_, std::back_inserter(next));
    people_ = std::move(next);
    children_.clear();
  }

  void write(Writer& out) const {
    out.count(generation_);
    out.list(people_);
    out.list(children_);
  }
  bool read(Reader& in) {
    generation_ = in.count(told());
    people_ = in.list(population());
    children_ = in.list(population());
    return people_.size() == (generation_ == 0 ? 0 : population()) && children_.size() < wanted();
  }

 private:
  std::size_t population() const { return static_cast<std::size_t>(options_.population); }

  // The best that count, at most `elite`, best first.
  std::vector<Scored> elite() const {
    std::vector<Scored> best;
    for (const Scored& each : people_)
      if (each.counts()) best.push_back(each);
    std::ranges::stable_sort(best, [](const Scored& a, const Scored& b) { return a.above(b); });
    best.resize(std::min(best.size(), static_cast<std::size_t>(options_.elite)));
    return best;
  }
  std::size_t wanted() const {  // children of this generation
    const auto counted = static_cast<std::size_t>(std::ranges::count_if(people_, &Scored::counts));
    return population() - std::min(counted, static_cast<std::size_t>(options_.elite));
  }

  // The best of `tournament` that are drawn with replacement; null where none of them counts.
  const Scored* winner(Stream& stream) const {
    std::size_t best = static_cast<std::size_t>(stream.below(people_.size()));
    for (double i = 1; i < options_.tournament; ++i) {
      const auto other = static_cast<std::size_t>(stream.below(people_.size()));
      const bool equal = !people_[best].above(people_[other]) && !people_[other].above(people_[best]);
      if (people_[other].above(people_[best]) || (equal && other < best)) best = other;
    }
    return people_[best].counts() ? &people_[best] : nullptr;
  }

  Datum child(std::size_t place) const {
    Stream stream = self().stream.sub(generation_).sub(place);
    const Scored* parent = people_.empty() ? nullptr : winner(stream);
    if (parent == nullptr) return draw(space(), stream);
    const Scored* other = stream.bernoulli(options_.cross) ? winner(stream) : nullptr;
    Datum made = other == nullptr ? parent->value : crossed(space(), parent->value, other->value, stream);
    const bool is_copy = made == parent->value || (other != nullptr && made == other->value);
    if (stream.bernoulli(options_.move) || is_copy) made = neighbour(space(), made, stream);
    return made;
  }

  GeneticSearchOptions options_;
  std::uint64_t generation_ = 0;
  std::vector<Scored> people_,
      children_;  // of the last generation; of this one, as far as they are asked for
};

}  // namespace

Entry genetic() {
  return {
      .name = "genetic",
      .family = Family::search,
      .role = Role::search,
      .summary = "a genetic search: crosses good cases and moves them; children are evaluated side by side",
      .source = "Goldberg 1989; tournaments: Miller, Goldberg 1995",
      .complexity = "O(n + tournament) an evaluation for a case of n values",
      .ties = "the lower place in the population",
      .parameters = {tries_parameter(4),
                     {.name = "population",
                      .type = ParameterType::integer,
                      .summary = "cases of a generation",
                      .fallback = 40.0,
                      .min = 2,
                      .max = 1e6},
                     {.name = "tournament",
                      .type = ParameterType::integer,
                      .summary = "cases of which the best becomes a parent",
                      .fallback = 3.0,
                      .min = 1,
                      .max = 1000},
                     {.name = "cross",
                      .type = ParameterType::number,
                      .summary = "probability that a child is made of two parents",
                      .fallback = 0.6,
                      .min = 0,
                      .max = 1},
                     {.name = "move",
                      .type = ParameterType::number,
                      .summary = "probability that a child is moved; one that equals a parent always is",
                      .fallback = 0.4,
                      .min = 0,
                      .max = 1},
                     {.name = "elite",
                      .type = ParameterType::integer,
                      .summary = "how many of the best go on as they are; fewer than population",
                      .fallback = 2.0,
                      .min = 0,
                      .max = 1e6}},
      .check =
          [](const Arguments& given) {
            if (given.number("elite") >= given.number("population"))
              fail("bad_parameter", "genetic: elite must be below population, {}, got {}",
                   format_number(given.number("population")), format_number(given.number("elite")));
          },
      .make_search =
          [](const Arguments& given) {
            return std::make_unique<GeneticSearch>(
                GeneticSearchOptions{.tries = given.number("tries"),
                                     .population = given.number("population"),
                                     .tournament = given.number("tournament"),
                                     .cross = given.number("cross"),
                                     .move = given.number("move"),
                                     .elite = given.number("elite")});
          }};
}

}  // namespace perigee::search

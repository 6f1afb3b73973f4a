// The genetic algorithm of ga and gsa. Source: Braun et al., JPDC 61(6), 2001, pp. 810-837.
#include "runtime/schedulers/mapping/genetic.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/schedulers/mapping/improver.h"

namespace perigee::mapping {
namespace {

struct GeneticOptions {
  std::size_t population;
  double generations, stall, crossover, mutation;
  bool seeded;
  double restarts;
  bool annealed;
  double cooling;
};

class Genetic final : public ImproverOf<Genetic> {
 public:
  explicit Genetic(const GeneticOptions& options)
      : options_(options), stream_(0, options.annealed ? "gsa" : "ga") {}

  void reseed(const Stream& stream) override { stream_ = stream; }

 private:
  Assignment search(Assignments& space, const Assignment* start, Search& found) override {
    generations_ = evaluations_ = 0;
    double restarts = 0;
    Assignment best;
    for (; !space.tasks().empty(); ++restarts) {
      evolve(space, start, best, found.curve);
      if (restarts >= options_.restarts || best.makespan <= space.bound()) break;
    }
    now_.clear();  // a clone need not copy them
    next_.clear();
    found.counts = {{"generations", generations_}, {"evaluations", evaluations_}, {"restarts", restarts}};
    return best;
  }

  void evolve(Assignments& space, const Assignment* start, Assignment& best, std::vector<double>& curve) {
    const std::size_t size = options_.population;
    now_.resize(size);
    next_.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == 0 && start != nullptr)
        now_[i] = *start;
      else if (i == 0 && options_.seeded)
        space.take_min_min(now_[i]);
      else
        space.draw(now_[i], stream_);
    }
    evaluations_ += static_cast<double>(size);
    const auto keep = [&] {
      const Assignment& first = *std::ranges::min_element(now_, {}, &Assignment::makespan);
      const bool better = best.machine.empty() || first.makespan < best.makespan;
      if (better) best = first;
      curve.push_back(best.makespan);
      return first.makespan;
    };
    double reached = keep(), stalled = 0;
    double temperature = 0;
    for (const Assignment& each : now_) temperature += each.makespan / static_cast<double>(size);
    for (double g = 0; g < options_.generations && stalled < options_.stall; ++g) {
      if (best.makespan <= space.bound() || all_equal()) return;
      breed(space, temperature);
      temperature *= options_.cooling;
      ++generations_;
      const double first = keep();
      stalled = first < reached ? 0 : stalled + 1;
      reached = first;
    }
  }

  bool all_equal() const {
    return std::ranges::all_of(now_, [&](const Assignment& each) { return each.machine == now_[0].machine; });
  }

  // Makes the next generation; its first chromosome is the best of this one.
  void breed(Assignments& space, double temperature) {
    const std::size_t size = now_.size();
    rank_.resize(size);
    std::iota(rank_.begin(), rank_.end(), 0u);
    std::ranges::stable_sort(rank_, {}, [&](std::uint32_t i) { return now_[i].makespan; });
    parent_.assign(1, rank_[0]);
    while (parent_.size() < size) parent_.push_back(rank_[draw_rank(size)]);
    for (std::size_t i = 0; i < size; ++i) next_[i] = now_[parent_[i]];

    state_.assign(size, State::copied);
    std::size_t waiting = 0;  // 0 = nobody: the first is not changed
    for (std::size_t i = 1; i < size; ++i) {
      if (space.tasks().size() < 2 || !stream_.bernoulli(options_.crossover)) continue;
      if (waiting == 0) {
        waiting = i;
        continue;
      }
      const auto cut =
          static_cast<std::ptrdiff_t>(space.tasks()[1 + stream_.below(space.tasks().size() - 1)]);
      std::swap_ranges(next_[i].machine.begin() + cut, next_[i].machine.end(),
                       next_[waiting].machine.begin() + cut);
      state_[i] = state_[waiting] = State::crossed;
      waiting = 0;
    }
    for (std::size_t i = 1; i < size; ++i) {
      if (!stream_.bernoulli(options_.mutation)) continue;
      const std::uint32_t task = space.draw_task(stream_), machine = space.draw_machine(task, stream_);
      if (state_[i] == State::crossed) {
        next_[i].machine[task] = machine;
      } else {
        space.move(next_[i], task, machine);
        state_[i] = State::moved;
      }
    }
    for (std::size_t i = 1; i < size; ++i) {
      if (state_[i] == State::copied) continue;
      if (state_[i] == State::crossed) space.evaluate(next_[i]);
      ++evaluations_;
      const Assignment& parent = now_[parent_[i]];
      if (options_.annealed && !(next_[i].makespan < parent.makespan + temperature)) next_[i] = parent;
    }
    now_.swap(next_);
  }

  // A rank: 0 with `size` chances, 1 with one chance less, ..., size - 1 with one.
  std::size_t draw_rank(std::size_t size) {
    std::uint64_t rest = stream_.below(std::uint64_t{size} * (size + 1) / 2);
    std::size_t rank = 0;
    while (rest >= size - rank) rest -= size - rank++;
    return rank;
  }

  enum class State : std::uint8_t { copied, moved, crossed };

  GeneticOptions options_;
  Stream stream_;
  double generations_ = 0, evaluations_ = 0;
  std::vector<Assignment> now_, next_;
  std::vector<std::uint32_t> rank_, parent_;
  std::vector<State> state_;
};

}  // namespace

std::unique_ptr<Mapper> genetic(const Arguments& given, bool annealed) {
  return std::make_unique<Genetic>(
      GeneticOptions{.population = static_cast<std::size_t>(given.number("population")),
                     .generations = given.number("generations"),
                     .stall = given.number("stall"),
                     .crossover = given.number("crossover"),
                     .mutation = given.number("mutation"),
                     .seeded = given.flag("seeded"),
                     .restarts = given.number("restarts"),
                     .annealed = annealed,
                     .cooling = annealed ? given.number("cooling") : 1});
}

std::vector<Parameter> genetic_parameters() {
  return {{.name = "population",
           .type = ParameterType::integer,
           .summary = "chromosomes",
           .fallback = 200.0,
           .min = 2,
           .max = 10000},
          {.name = "seeded",
           .type = ParameterType::boolean,
           .summary = "one chromosome of the first generation is min_min's mapping (then_improve's: always)",
           .fallback = true},
          {.name = "generations",
           .type = ParameterType::integer,
           .summary = "the most there are",
           .fallback = 1000.0,
           .min = 1},
          {.name = "stall",
           .type = ParameterType::integer,
           .summary = "generations without a better makespan after which it ends",
           .fallback = 150.0,
           .min = 1},
          {.name = "crossover",
           .type = ParameterType::number,
           .summary = "the chance of a chromosome to be crossed with another",
           .fallback = 0.6,
           .min = 0,
           .max = 1},
          {.name = "mutation",
           .type = ParameterType::number,
           .summary = "the chance of a chromosome to have a task moved",
           .fallback = 0.4,
           .min = 0,
           .max = 1},
          {.name = "restarts",
           .type = ParameterType::integer,
           .summary = "how often it begins anew; the best of all is the answer",
           .fallback = 0.0,
           .min = 0}};
}

}  // namespace perigee::mapping

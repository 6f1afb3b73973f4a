// Simulated annealing: one random change after another leads from a mapping to the next. A worse mapping is
// taken with a chance that falls with the temperature.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837. The temperature begins at the makespan of the start
// and is multiplied by `cooling` at each step. A mapping that is not better is taken if a number drawn from
// (0, 1) is above 1 / (1 + exp((old - new) / temperature)). Vectors run in input order.
//
// Cost: O(T + M) a step for T tasks, M machines. With cooling 0.9, the search ends after less than 12,000
// steps.
// Ties: the first of equal makespans is kept.
#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/kernel/math.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/improver.h"

namespace perigee::mapping {
namespace {

constexpr double kCold = 1e-200;  // the temperature at which Braun et al. stop

struct AnnealingOptions {
  bool from_min_min;
  double cooling;
  double stall, restarts;
};

class Annealing final : public ImproverOf<Annealing> {
 public:
  explicit Annealing(const AnnealingOptions& options) : options_(options) {}

  void reseed(const Stream& stream) override { stream_ = stream; }

 private:
  Assignment search(Assignments& space, const Assignment* start, Search& found) override {
    double iterations = 0, restarts = 0;
    Assignment best;
    for (; !space.tasks().empty(); ++restarts) {
      iterations += anneal(space, start, best, found.curve);
      if (restarts >= options_.restarts || best.makespan <= space.bound()) break;
    }
    found.counts = {{"iterations", iterations}, {"restarts", restarts}};
    return best;
  }

  double anneal(Assignments& space, const Assignment* start, Assignment& best, std::vector<double>& curve) {
    Assignment now;
    if (start != nullptr)
      now = *start;
    else if (options_.from_min_min)
      space.take_min_min(now);
    else
      space.draw(now, stream_);
    const auto keep = [&] {
      if (best.machine.empty() || now.makespan < best.makespan) best = now;
      curve.push_back(best.makespan);
    };
    keep();
    double temperature = std::min(now.makespan, std::numeric_limits<double>::max());
    double iterations = 0, unchanged = 0;
    for (; unchanged < options_.stall && temperature >= kCold && best.makespan > space.bound();
         ++iterations) {
      const double old = now.makespan;
      const std::uint32_t task = space.draw_task(stream_), machine = space.draw_machine(task, stream_);
      const std::uint32_t from = now.machine[task];
      const double end_from = now.ends[from], end_machine = now.ends[machine];
      space.move(now, task, machine);
      if (!(now.makespan < old) &&
          !(stream_.unit() > 1 / (1 + math::exp((old - now.makespan) / temperature)))) {
        now.machine[task] = from;
        now.ends[machine] = end_machine;
        now.ends[from] = end_from;
        now.makespan = old;
      }
      unchanged = now.makespan == old ? unchanged + 1 : 0;
      temperature *= options_.cooling;
      keep();
    }
    return iterations;
  }

  AnnealingOptions options_;
  Stream stream_{0, "sa"};
};

}  // namespace

Entry sa() {
  return {.name = "sa",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "simulated annealing: random changes, worse ones less and less often",
          .source = "Braun et al. 2001",
          .complexity = "O(T + M) a step",
          .ties = "the first of equal makespans",
          .parameters = {{.name = "start",
                          .type = ParameterType::choice,
                          .summary = "the mapping it begins with, unless then_improve gives one",
                          .fallback = "random",
                          .choices = {"random", "min_min"}},
                         {.name = "cooling",
                          .type = ParameterType::number,
                          .summary = "factor of the temperature at each step",
                          .fallback = 0.9,
                          .min = 0,
                          .max = 0.999},
                         {.name = "stall",
                          .type = ParameterType::integer,
                          .summary = "steps without change of the makespan after which it ends",
                          .fallback = 150.0,
                          .min = 1},
                         {.name = "restarts",
                          .type = ParameterType::integer,
                          .summary = "how often it begins anew; the best of all is the answer",
                          .fallback = 0.0,
                          .min = 0}},
          .improves = true,
          .make_mapper = [](const Arguments& given) {
            return std::make_unique<Annealing>(
                AnnealingOptions{.from_min_min = given.choice("start") == "min_min",
                                 .cooling = given.number("cooling"),
                                 .stall = given.number("stall"),
                                 .restarts = given.number("restarts")});
          }};
}

}  // namespace perigee::mapping

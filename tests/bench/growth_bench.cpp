// How the time of each mapper of the catalogue grows with the matrix. Tasks and machines double from one size to
// the next, and the size is that of the matrix, tasks times machines: exponent 1 is a pass over the matrix, 1.5 a
// pass at each choice of a task. Mappers that search, by their integer parameters, meet smaller matrices.
#include <memory>
#include <string>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/cost/scan.h"
#include "runtime/model/etc_generators.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/bench/growth.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

constexpr std::size_t kTasksPerMachine = 16;

std::shared_ptr<const EtcMatrix> matrix(double size, Consistency consistency) {
  const auto machines =
      static_cast<std::size_t>(std::lround(std::sqrt(size / static_cast<double>(kTasksPerMachine))));
  Stream stream(1, "bench");
  auto etc = std::make_shared<EtcMatrix>(
      range_based_etc(kTasksPerMachine * machines, machines, {3000, 1000}, stream));
  make_consistent(*etc, consistency);
  return etc;
}

// The smallest time of each row.
void one_pass(const EtcMatrix& etc) {
  const std::vector<double> ready(etc.machines, 0.0);
  double sum = 0;
  for (std::size_t t = 0; t < etc.tasks; ++t)
    sum += smallest_sum(etc.values.data() + t * etc.machines, ready).value;
  benchmark::DoNotOptimize(sum);
}

const int registered = [] {
  const Catalogue catalogue;
  for (const Consistency consistency : {Consistency::inconsistent, Consistency::consistent}) {
    const std::string kind = consistency == Consistency::consistent ? "consistent" : "inconsistent";
    for (const auto& entry : catalogue.entries()) {
      if (entry->role != Role::mapper || entry->name == "optimal") continue;  // for a dozen tasks
      const ConfigPtr config = catalogue.configure(entry->name);
      const bool searches = std::ranges::any_of(
          entry->parameters, [](const Parameter& p) { return p.type == ParameterType::integer; });
      add_growth({.name = fmt::format("mapper/{}/{}", kind, entry->name),
                  .measured = fmt::format("`{}` maps a matrix that is {}", entry->name, kind),
                  .floor = "one pass over the matrix",
                  .unit = "times",
                  .sizes = searches ? std::array<double, 3>{256 * 16, 512 * 32, 1024 * 64}
                                    : std::array<double, 3>{512 * 32, 1024 * 64, 2048 * 128},
                  .make = [config, consistency](double size) -> AtSize {
                    const auto etc = matrix(size, consistency);
                    return {[=] {
                              return seconds_taken([&] {
                                Mapping out;
                                config->make_mapper()->map(problem_of(*etc), out);
                                benchmark::DoNotOptimize(out.completion.data());
                              });
                            },
                            [=] { return seconds_taken([&] { one_pass(*etc); }); }};
                  }});
    }
  }
  return 0;
}();

}  // namespace

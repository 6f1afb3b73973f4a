#include "interpreter/prompt/run_lines.h"

#include <fmt/format.h>

#include "runtime/kernel/quantity.h"
#include "runtime/results/table.h"

namespace perigee::prompt {

namespace {

// The share of the known works that is done; all works count alike.
double done_share(const View& view) {
  auto done = static_cast<double>(view.works().first());
  for (std::size_t w = view.works().first(); w < view.works().size(); ++w) {
    const WorkView& work = view.works()[w];
    done += work.state >= WorkState::finished ? 1 : work.done / view.workload().size_of(WorkId(w));
  }
  return view.works().size() == 0 ? 1 : done / static_cast<double>(view.works().size());
}

}  // namespace

std::string RunLines::next(const Simulation& simulation) {
  constexpr std::chrono::milliseconds kOften{500};
  const auto now = std::chrono::steady_clock::now();
  if (!begin_) {
    begin_ = last_ = now;
    first_ = simulation.events();
  }
  if (now - last_ < kOften) return {};
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - *begin_).count();
  return fmt::format("t = {}, {:.1f} % of the work done, {} events/s",
                     format_quantity(simulation.now(), Dimension::seconds),
                     100 * done_share(simulation.view()),
                     short_number(static_cast<double>(simulation.events() - first_) / seconds));
}

}  // namespace perigee::prompt

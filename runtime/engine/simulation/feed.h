// The works of a stream in a run: they are made shortly before they arrive, and forgotten when they are settled.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/model/work_stream.h"

namespace perigee::engine {

// Holds the run's own scenario, whose workload is a window on the stream, until the stream is over. A copy has
// a scenario of its own.
class Feed {
 public:
  explicit Feed(const Scenario& declared);
  Feed(const Feed& other);
  Feed& operator=(const Feed& other);
  Feed(Feed&&) noexcept = default;
  Feed& operator=(Feed&&) noexcept = default;
  ~Feed() = default;

  std::shared_ptr<const Scenario> scenario() const { return scenario_; }
  // A copy that stays as the scenario is now.
  std::shared_ptr<const Scenario> snapshot() const;
  // Takes the next work from the stream. Error if it is impossible or comes before the one in front of it.
  // False when the stream is over.
  bool pull();
  // The works before `first` are settled, and nothing asks for them again. `works` knows how they ended.
  void forget_before(std::size_t first, Works& works, ForgottenWorks& forgotten);

 private:
  using Place = std::uint32_t;  // in Workload::times or Workload::extras

  bool refill();
  Place row(Place of_made, TimeForm form, std::size_t columns);
  std::vector<Place>& free_rows(TimeForm form) { return free_rows_[form == TimeForm::by_host ? 1 : 0]; }

  ClonePtr<model::WorkStream> stream_;
  Workload made_;  // by the stream; the works in front of its first one have been taken
  std::shared_ptr<Scenario> scenario_;
  std::shared_ptr<Workload> window_;             // of the scenario
  std::array<std::vector<Place>, 2> free_rows_;  // by architecture; by host
  std::vector<Place> free_extras_;
  Time last_arrival_ = 0;
  std::size_t at_once_ = 0;  // works in a row that arrive then
};

}  // namespace perigee::engine

// A search for the case of the highest score.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/space/space.h"

namespace perigee::space {

// Scores are logarithms of ratios, or differences: the higher the worse for side a. NaN: the case does not count.
// +inf: the end of the search, nothing can be worse.
//
// One try of a search: a value that asks and is told in turn. All of its chance comes from streams below the one given to
// begin(), numbered by what it is at (steps, generations), so that its state is plain numbers.
class CaseSearch {
 public:
  virtual ~CaseSearch() = default;
  virtual std::unique_ptr<CaseSearch> clone() const = 0;

  // Once, before all else. `evaluations`: how many this try may ask for in all. Error "not_finite_space" or "not_real"
  // where the search does not suit the space.
  virtual void begin(const Space& space, std::uint64_t evaluations, const kernel::Stream& stream) = 0;
  // The next cases, at most `most` > 0; empty: this try is over before its evaluations are spent. Cases that were asked
  // for are told before the next ask.
  virtual std::vector<Datum> ask(std::size_t most) = 0;
  // The scores of the cases that were asked for last, in their order.
  virtual void tell(std::span<const double> scores) = 0;

  // The state after a tell(), as numbers; and back, after the same begin(). False where they are not of such a state.
  virtual void save(std::vector<double>& out) const = 0;
  virtual bool load(std::span<const double> state) = 0;
};

}  // namespace perigee::space

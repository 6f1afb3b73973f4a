// A search for the case of the highest score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/space/space.h"

namespace perigee::space {

// One of the independent tries of a search.
struct Try {
  std::uint64_t evaluations = 0;  // how many it may ask for in all
  std::size_t nth = 0, of = 1;    // its place among the tries, from 0, and their number
  kernel::Stream stream = {};     // its own
};

// Scores are logarithms of ratios, or differences: the higher the worse for side a. NaN: the case does not count.
// +inf: the end of the search, nothing can be worse.
//
// One try of a search: a value that asks and is told in turn. All of its chance comes from streams below the one given to
// begin(), numbered by what it is at (steps, generations), so that its state is plain numbers.
class CaseSearch {
 public:
  virtual ~CaseSearch() = default;
  virtual std::unique_ptr<CaseSearch> clone() const = 0;

  // How many tries share a budget of so many evaluations; 1 at least. Error "not_finite_space" or "not_real" where the
  // search does not suit the space, or the budget does not suffice for it.
  virtual std::size_t tries(const Space& space, std::uint64_t budget) const = 0;
  // Once, before all that follows. The space outlives the search.
  virtual void begin(const Space& space, const Try& self) = 0;
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

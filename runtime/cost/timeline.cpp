// Source: Berman et al., LIP RR 1999-46, section 5.5, see the header.
#include "runtime/cost/timeline.h"

namespace perigee::cost {

void Timeline::measure(std::size_t from) {
  longest_.resize(free_.size());
  for (std::size_t i = from; i < free_.size(); ++i) {
    const Seconds length = free_[i].end - free_[i].start;
    longest_[i] = i == 0 ? length : std::max(longest_[i - 1], length);
  }
}

Seconds Timeline::room(Time from, Time until) const {
  const auto part = [&](std::size_t i) {
    return std::min(free_[i].end, until) - std::max(free_[i].start, from);
  };
  Seconds longest = 0;
  std::size_t i = 0;
  if (!free_.empty() && free_.front().start >= from) {  // those that end before are whole
    i = first_after(until);
    if (i > 0) longest = longest_[i - 1];
  }
  for (; i < free_.size() && free_[i].start < until; ++i) longest = std::max(longest, part(i));
  return longest;
}

void Timeline::take(Slot slot) {
  if (!(slot.start < slot.end)) return;
  auto at = std::ranges::upper_bound(free_, slot.start, {}, &Slot::end);
  if (at == free_.end() || at->start > slot.start)
    return;  // the gap left there is shorter than the tolerance
  const auto place = static_cast<std::size_t>(at - free_.begin());
  const Slot before{at->start, slot.start}, after{slot.end, at->end};
  const auto stays = [this](const Slot& piece) {
    const Seconds length = piece.end - piece.start;
    return length > 0 && length > chart_slack(piece.start) && length >= shortest_;
  };
  const bool first = stays(before), second = after.start < after.end && stays(after);
  if (first && second) {
    *at = before;
    free_.insert(at + 1, after);
  } else if (first) {
    *at = before;
  } else if (second) {
    *at = after;
  } else {
    free_.erase(at);
  }
  measure(place);
}

}  // namespace perigee::cost

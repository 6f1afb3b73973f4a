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

// The parts of loads and sweeps that have been given out, and where their data is.
#include <algorithm>
#include <limits>

#include "runtime/engine/sim/shared.h"

namespace perigee::engine {

bool Sim::part_taken(const Piece& piece) const {
  const std::vector<Span>& spans = spans_[(*workload_)[piece.work].extra];
  const double slack = kEps * piece.size;
  auto span = std::upper_bound(spans.begin(), spans.end(), piece.first + slack,
                               [](double first, const Span& s) { return first < s.end; });
  return span != spans.end() && span->first < piece.first + piece.size - slack;
}

void Sim::take_part(const Piece& piece) {
  const Work& work = (*workload_)[piece.work];
  std::vector<Span>& spans = spans_[work.extra];
  const double slack = work.kind == WorkKind::sweep ? 0 : kEps * piece.size;
  auto at = std::lower_bound(spans.begin(), spans.end(), piece.first,
                             [](const Span& s, double first) { return s.first < first; });
  at = spans.insert(at, {piece.first, piece.first + piece.size});
  if (at + 1 != spans.end() && (at + 1)->first <= at->end + slack) {
    at->end = std::max(at->end, (at + 1)->end);
    at = spans.erase(at + 1) - 1;
  }
  if (at != spans.begin() && at->first <= (at - 1)->end + slack) {
    (at - 1)->end = std::max((at - 1)->end, at->end);
    spans.erase(at);
  }
}

void Sim::give_back(const Piece& piece) {
  if (!dealt_in_parts(piece.work)) return;
  std::vector<Span>& spans = spans_[(*workload_)[piece.work].extra];
  const double first = piece.first, end = piece.first + piece.size;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Span span = spans[i];
    if (span.end <= first || span.first >= end) continue;
    const bool left = span.first<first, right = span.end> end;
    if (left && right) {
      spans[i].end = first;
      spans.insert(spans.begin() + static_cast<std::ptrdiff_t>(i) + 1, {end, span.end});
      return;
    }
    if (left)
      spans[i].end = first;
    else if (right)
      spans[i].first = end;
    else
      spans.erase(spans.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

// Whether the data of a part of a load or sweep is on the host, or comes with the chunk that the part is
// posted after.
bool Sim::has_data(const Piece& piece, HostId host, ActivityId after) const {
  const Work& work = (*workload_)[piece.work];
  if (!dealt_in_parts(piece.work) || !(workload_->extras[work.extra].bytes > 0)) return true;
  const double slack = kEps * piece.size;
  const auto covers = [&](HostId on, double first, double end) {
    return on == host && first <= piece.first + slack && end >= piece.first + piece.size - slack;
  };
  if (activities_.lives(after)) {
    const Activity& chunk = activities_[after.slot];
    if (chunk.kind == ActivityKind::chunk && chunk.work == piece.work &&
        covers(chunk.host, chunk.first, chunk.first + chunk.size))
      return true;
  }
  const std::vector<Received>& all = received_[work.extra];
  return std::any_of(all.begin(), all.end(),
                     [&](const Received& chunk) { return covers(chunk.host, chunk.first, chunk.end); });
}

double Sim::undealt(WorkId work) const {
  if (!dealt_in_parts(work)) return taken({work}) ? 0 : 1;
  const double whole = workload_->size_of(work);
  double left = whole;
  for (const Span& span : spans_[(*workload_)[work].extra]) left -= span.end - span.first;
  // The end of a load's last part, first + (whole - first), is rounded twice, by half of epsilon * whole each.
  const bool rounding =
      (*workload_)[work].kind != WorkKind::sweep && left <= std::numeric_limits<double>::epsilon() * whole;
  return rounding ? 0 : std::max(0.0, left);
}

bool Sim::waits(WorkId work) const {
  const WorkState state = view_.works_[work.index].state;
  return (state == WorkState::waiting || state == WorkState::running) && undealt(work) > 0;
}

Piece Sim::next_piece(WorkId work, double size, double from) const {
  if (!dealt_in_parts(work)) return {work, 0, taken({work}) ? 0.0 : 1.0};
  double first = from, end = workload_->size_of(work);
  for (const Span& span : spans_[(*workload_)[work].extra]) {
    if (span.first > first) {
      end = span.first;
      break;
    }
    first = std::max(first, span.end);
  }
  const double left = end - first;
  if (!(left > 0)) return {work, first, 0};
  const double sliver = (*workload_)[work].kind == WorkKind::load ? kEps * workload_->size_of(work) : 0;
  return {work, first, left - size <= sliver ? left : size};
}

}  // namespace perigee::engine

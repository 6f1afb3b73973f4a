#include "runtime/engine/state/works.h"

#include <algorithm>
#include <limits>

namespace perigee::engine {

std::string_view name_of(WorkState state) {
  switch (state) {
    case WorkState::future:
      return "future";
    case WorkState::pending:
      return "pending";
    case WorkState::waiting:
      return "waiting";
    case WorkState::running:
      return "running";
    case WorkState::computed:
      return "computed";
    case WorkState::finished:
      return "finished";
    case WorkState::rejected:
      return "rejected";
    case WorkState::expired:
      return "expired";
    case WorkState::killed:
      return "killed";
  }
  return "future";
}

void Works::extend(const Workload& workload) {
  in_state_[static_cast<std::size_t>(WorkState::future)] += workload.size() - views_.size();
  workload_ = &workload;
  views_.resize(workload.size());
  taken_.resize(workload.extras.size());
  received_.resize(workload.extras.size());
}

// ---- parts ----

bool Works::is_part_taken(const Piece& piece) const {
  const std::vector<Span>& spans = taken_[(*workload_)[piece.work].extra];
  const double slack = kEps * piece.size;
  auto span = std::upper_bound(spans.begin(), spans.end(), piece.first + slack,
                               [](double first, const Span& s) { return first < s.end; });
  return span != spans.end() && span->first < end_of(piece) - slack;
}

void Works::take_part(const Piece& piece) {
  const Work& work = (*workload_)[piece.work];
  std::vector<Span>& spans = taken_[work.extra];
  const double slack = work.kind == WorkKind::sweep ? 0 : kEps * piece.size;
  auto at = std::lower_bound(spans.begin(), spans.end(), piece.first,
                             [](const Span& s, double first) { return s.first < first; });
  at = spans.insert(at, {piece.first, end_of(piece)});
  if (at + 1 != spans.end() && (at + 1)->first <= at->end + slack) {
    at->end = std::max(at->end, (at + 1)->end);
    at = spans.erase(at + 1) - 1;
  }
  if (at != spans.begin() && at->first <= (at - 1)->end + slack) {
    (at - 1)->end = std::max((at - 1)->end, at->end);
    spans.erase(at);
  }
}

void Works::give_back(const Piece& piece) {
  if (!is_dealt_in_parts(piece.work)) return;
  std::vector<Span>& spans = taken_[(*workload_)[piece.work].extra];
  const double first = piece.first, end = end_of(piece);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Span span = spans[i];
    if (span.end <= first || span.first >= end) continue;
    const bool begins_before = span.first < first, ends_after = end < span.end;
    if (begins_before && ends_after) {
      spans[i].end = first;
      spans.insert(spans.begin() + static_cast<std::ptrdiff_t>(i) + 1, {end, span.end});
      return;
    }
    if (begins_before)
      spans[i].end = first;
    else if (ends_after)
      spans[i].first = end;
    else
      spans.erase(spans.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

double Works::undealt(WorkId id) const {
  if (!is_dealt_in_parts(id)) return is_taken({id}) ? 0 : 1;
  const double whole = workload_->size_of(id);
  double left = whole;
  for (const Span& span : taken_[(*workload_)[id].extra]) left -= span.end - span.first;
  // The end of a load's last part, first + (whole - first), is rounded twice, by half of epsilon * whole
  // each.
  const bool rounding =
      (*workload_)[id].kind != WorkKind::sweep && left <= std::numeric_limits<double>::epsilon() * whole;
  return rounding ? 0 : std::max(0.0, left);
}

bool Works::waits(WorkId id) const {
  const WorkState state = views_[id.index].state;
  return (state == WorkState::waiting || state == WorkState::running) && undealt(id) > 0;
}

Piece Works::next_piece(WorkId id, double size, double from) const {
  if (!is_dealt_in_parts(id)) return {id, 0, is_taken({id}) ? 0.0 : 1.0};
  double first = from, end = workload_->size_of(id);
  for (const Span& span : taken_[(*workload_)[id].extra]) {
    if (span.first > first) {
      end = span.first;
      break;
    }
    first = std::max(first, span.end);
  }
  const double left = end - first;
  if (!(left > 0)) return {id, first, 0};
  const double sliver = (*workload_)[id].kind == WorkKind::load ? kEps * workload_->size_of(id) : 0;
  return {id, first, left - size <= sliver ? left : size};
}

void Works::receive(const Piece& piece, HostId host) {
  received_[(*workload_)[piece.work].extra].push_back({host, piece.first, end_of(piece)});
}

bool Works::has_received(const Piece& piece, HostId host) const {
  return std::ranges::any_of(received_[(*workload_)[piece.work].extra], [&](const Received& chunk) {
    return chunk.host == host && covers(chunk.first, chunk.end, piece);
  });
}

// ---- pieces that are computed ----

void Works::post(const Piece& piece) {
  take(piece);
  ++views_[piece.work.index].posted;
}

void Works::withdraw(const Piece& posted) {
  --views_[posted.work.index].posted;
  give_back(posted);
}

void Works::lose(const Piece& piece, bool copy_runs) {
  --views_[piece.work.index].running;
  if (!copy_runs) give_back(piece);
  update(piece.work);
}

// ---- the life of a work ----

void Works::make_again(WorkId id) {
  if (views_[id.index].state >= WorkState::finished) ++unsettled_;
  set_state(id, WorkState::waiting);
  views_[id.index].done = 0;
  if (const std::uint32_t extra = (*workload_)[id].extra; extra != kNone) taken_[extra].clear();
}

void Works::spare(WorkId id) {
  views_[id.index].done = size_of(id);
  set_state(id, WorkState::computed);
}

void Works::update(WorkId id) {
  const WorkView& view = views_[id.index];
  if (view.state >= WorkState::computed || view.state == WorkState::future) return;
  set_state(id, view.running > 0 ? WorkState::running : WorkState::waiting);
}

}  // namespace perigee::engine

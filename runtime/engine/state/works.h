// The works of a run: how far each is, and which of its parts have been given out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/kernel/sliding.h"
#include "runtime/model/workload.h"

namespace perigee::engine {

// Relative tolerance for comparing values (deadlines, lateness, ends of parts), never for ordering events.
inline constexpr double kEps = 1e-9;

enum class WorkState : std::uint8_t {
  future,    // not yet submitted
  pending,   // submitted, and a work before it is not computed
  waiting,   // submitted, no piece runs
  running,   // some piece runs
  computed,  // all pieces done, some output is not home yet
  finished,
  rejected,
  expired,
  killed,  // at its limit
};
inline constexpr std::size_t kWorkStates = 9;
std::string_view name_of(WorkState state);
// The number that a fingerprint takes for it.
constexpr std::int32_t fingerprint_number(WorkState state) {
  if (state == WorkState::pending) return kWorkStates - 1;
  return static_cast<std::int32_t>(state) - (state > WorkState::pending ? 1 : 0);
}

struct WorkView {
  WorkState state = WorkState::future;
  bool accepted = false;
  std::int32_t running = 0;  // computations under way, copies included
  std::int32_t posted = 0;
  double done = 0;  // size of the pieces that are finished

  // It has arrived, and no piece of it was ever taken, or all have been lost.
  bool is_untouched() const {
    return state == WorkState::waiting && running == 0 && posted == 0 && done == 0;
  }
};

// A task or job is given out as a whole, and its counters tell whether it has been. Sweeps and loads are
// dealt out in parts. A reservation is one piece of size 1 that nobody computes.
class Works {
 public:
  // Takes in the works that are new. `workload` begins with the present works and outlives this.
  void extend(const Workload& workload);

  std::size_t size() const { return views_.size(); }
  const Sliding<WorkView>& views() const { return views_; }
  // The works before this one are settled and no longer needed; nobody asks for them again.
  void drop_before(WorkId first) { views_.drop_before(first.index); }
  // The place in Workload::extras belongs to another work from now on.
  void free_extra(std::uint32_t extra) {
    taken_[extra].clear();
    received_[extra].clear();
  }
  const WorkView& operator[](WorkId id) const { return views_[id.index]; }
  std::size_t count_in(WorkState state) const { return in_state_[static_cast<std::size_t>(state)]; }
  std::size_t unsettled() const { return unsettled_; }  // arrived, not finished, rejected or expired

  bool is_dealt_in_parts(WorkId id) const {
    const Work& declared = (*workload_)[id];
    return declared.kind == WorkKind::sweep || declared.kind == WorkKind::load;
  }
  double size_of(WorkId id) const { return is_dealt_in_parts(id) ? workload_->size_of(id) : 1; }

  // ---- parts ----

  // Some of the piece is posted, runs or is done.
  [[gnu::always_inline]] inline bool is_taken(const Piece& piece) const;
  double undealt(WorkId id) const;  // size of what is not taken
  bool waits(WorkId id) const;      // the work has arrived, and a part of it is undealt
  // The first undealt piece of at most `size` that begins at `from` or later; size 0 when nothing is left.
  Piece next_piece(WorkId id, double size, double from) const;
  // Data of a sweep's or load's piece has arrived on the host; and whether that of all the piece has, in one
  // chunk.
  void receive(const Piece& piece, HostId host);
  bool has_received(const Piece& piece, HostId host) const;
  // The chunk holds the data of the whole piece, but for rounding.
  static bool covers(const Piece& chunk, const Piece& piece) {
    return covers(chunk.first, end_of(chunk), piece);
  }

  // ---- pieces that are computed ----

  [[gnu::always_inline]] inline void take(const Piece& piece);  // it is about to begin
  void post(const Piece& piece);                                // takes it
  void withdraw(const Piece& posted);                           // gives it back
  void leave_queue(WorkId id) { --views_[id.index].posted; }    // what was posted is about to begin
  [[gnu::always_inline]] inline void begin(WorkId id);
  // Another copy of the same piece has ended.
  void supersede(WorkId id) { --views_[id.index].running; }
  // Gives the piece back, unless a copy of it still runs.
  void lose(const Piece& piece, bool copy_runs);
  // The piece has ended well. True when it was the last one.
  [[gnu::always_inline]] inline bool finish(const Piece& piece);

  // ---- the life of a work ----

  void arrive(WorkId id) {
    set_state(id, WorkState::waiting);
    ++unsettled_;
  }
  void wait_for_others(WorkId id) { set_state(id, WorkState::pending); }
  void become_ready(WorkId id) { set_state(id, WorkState::waiting); }
  void never_arrives(WorkId id) { set_state(id, WorkState::rejected); }  // and is not to be waited for
  void accept(WorkId id) { views_[id.index].accepted = true; }
  void hold(WorkId id) { set_state(id, WorkState::running); }  // a reservation has its hosts
  void hold_ended(WorkId id) { views_[id.index].done = 1; }
  void hold_lost(WorkId id) { update(id); }
  void wait_for_outputs(WorkId id) { set_state(id, WorkState::computed); }
  void make_again(WorkId id);  // its outputs are out of reach
  void spare(WorkId id);       // which was to be made again, and need not be
  // Finished, rejected, expired or killed.
  void settle(WorkId id, WorkState state) {
    set_state(id, state);
    --unsettled_;
  }

 private:
  struct Span {
    double first, end;  // runs or units
  };
  struct Received {
    HostId host;
    double first, end;  // runs or units
  };

  static double end_of(const Piece& piece) { return piece.first + piece.size; }
  static bool covers(double first, double end, const Piece& piece) {
    const double slack = kEps * piece.size;
    return first <= piece.first + slack && end >= end_of(piece) - slack;
  }
  bool is_part_taken(const Piece& piece) const;
  void take_part(const Piece& piece);
  void give_back(const Piece& piece);
  void set_state(WorkId id, WorkState state) {
    WorkView& view = views_[id.index];
    --in_state_[static_cast<std::size_t>(view.state)];
    ++in_state_[static_cast<std::size_t>(state)];
    view.state = state;
  }
  void update(WorkId id);  // waiting or running, as pieces run

  const Workload* workload_ = nullptr;
  Sliding<WorkView> views_;
  std::array<std::size_t, kWorkStates> in_state_{};  // works, per WorkState
  std::size_t unsettled_ = 0;
  std::vector<std::vector<Span>> taken_;         // per Workload::extras: parts, in order
  std::vector<std::vector<Received>> received_;  // per Workload::extras: chunks, in order of arrival
};

inline bool Works::is_taken(const Piece& piece) const {
  if (is_dealt_in_parts(piece.work)) return is_part_taken(piece);
  const WorkView& view = views_[piece.work.index];
  return view.running > 0 || view.posted > 0 || view.done > 0;
}

inline void Works::take(const Piece& piece) {
  if (is_dealt_in_parts(piece.work)) take_part(piece);
}

inline void Works::begin(WorkId id) {
  ++views_[id.index].running;
  set_state(id, WorkState::running);
}

inline bool Works::finish(const Piece& piece) {
  WorkView& view = views_[piece.work.index];
  --view.running;
  view.done += piece.size;
  const double whole = size_of(piece.work);
  // Slivers of a load count too.
  const bool all = view.done >= whole * (1 - kEps) && view.running <= 0 && view.posted <= 0;
  if (all)
    view.done = whole;
  else
    update(piece.work);
  return all;
}

}  // namespace perigee::engine

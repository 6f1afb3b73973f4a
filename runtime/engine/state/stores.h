// The files in the stores of clusters and at home.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/kernel/ids.h"
#include "runtime/model/workload.h"

namespace perigee::engine {

enum class Direction : std::uint8_t { in, out };  // from home to a cluster, and back

// Knows where each file is, which transfers of it are posted or under way, and how much room is left where stores have a
// size. Files that nobody makes are at home from the start; an output is there once it has been sent home.
class Stores {
 public:
  explicit Stores(std::size_t clusters) : stores_(clusters) {}
  // The sizes of the stores, B, whole numbers; +inf: no limit. One for each cluster, before there are files.
  void limit(std::vector<double> sizes);
  // The workload has grown: takes in its files, and as their makers the works from `first` on.
  void extend(const Workload& workload, std::size_t first);

  bool has(FileId file, ClusterId cluster) const { return at(file, cluster).here; }
  bool is_home(FileId file) const { return home_[file.index] != 0; }
  // None of them has to come home any more.
  inline bool are_home(std::span<const FileId> files) const;
  bool stays(FileId file) const { return stays_[file.index] != 0; }  // it need not come home
  bool is_moving(FileId file, ClusterId cluster, Direction direction) const {
    return (direction == Direction::in ? at(file, cluster).coming : at(file, cluster).going) > 0;
  }
  bool is_going_home(FileId file) const {
    return std::ranges::any_of(stores_, [&](const auto& store) { return store[file.index].going > 0; });
  }
  WorkId maker(FileId file) const { return maker_[file.index]; }  // the work whose output it is; none: nobody
  ClusterId born_in(FileId file) const {
    return born_in_[file.index];
  }  // where it was made last; none: nowhere
  std::uint32_t copies(FileId file) const { return copies_[file.index]; }  // in so many stores
  bool is_anywhere(FileId file) const { return is_home(file) || copies(file) > 0; }
  std::size_t files() const { return home_.size(); }
  std::size_t bytes() const {
    return stores_.size() * home_.size() * (sizeof(Place) + (any_limit() ? sizeof(std::uint32_t) : 0));
  }

  // A transfer is posted, is given up, or has ended well.
  void send(FileId file, ClusterId cluster, Direction direction) { ++moving(file, cluster, direction); }
  void give_up(FileId file, ClusterId cluster, Direction direction) { --moving(file, cluster, direction); }
  inline void arrive(FileId file, ClusterId cluster, Direction direction);

  void make(FileId file, ClusterId cluster) {
    put(file, cluster);
    born_in_[file.index] = cluster;
  }
  void discard(FileId file, ClusterId cluster) {
    if (!at(file, cluster).here) return;
    --copies_[file.index];
    at(file, cluster).here = false;
    if (any_limit()) [[unlikely]]
      release(file, cluster);
  }
  void clear(ClusterId cluster) {
    for (std::size_t f = 0; f < files(); ++f) discard(FileId(f), cluster);
  }
  // The file has to be made again. Copies in other clusters stay.
  void unmake(FileId file, ClusterId cluster);

  // ---- room, where some store has a size ----
  // A file takes its room once in a store, be it there, on its way, or an output of what is computed there. A part of a
  // byte counts as a whole one, so that sums are exact.

  bool any_limit() const { return !size_.empty(); }
  // B, and those that are free; +inf: no limit.
  double size(ClusterId cluster) const { return any_limit() ? size_[cluster.index] : kNever; }
  double room(ClusterId cluster) const {
    return any_limit() ? size_[cluster.index] - used_[cluster.index] : kNever;
  }
  // B that the files would take there in addition.
  double room_for(std::span<const FileId> files, ClusterId cluster) const;
  bool has_room(std::span<const FileId> files, ClusterId cluster) const {
    return !any_limit() || room_for(files, cluster) <= room(cluster);
  }
  // Something begins that will put the file there, or is over. Both may be called only where there is a limit.
  void reserve(FileId file, ClusterId cluster);
  void release(FileId file, ClusterId cluster);

  // ---- transfers that are posted for a file that nobody has made yet ----

  void await(FileId file, std::uint32_t slot);
  void await_no_more(FileId file, std::uint32_t slot);
  // Calls f(slot) with each of them, in order of posting, and forgets them.
  template <class F>
  void end_wait(FileId file, F f) {
    if (awaiting_.empty()) return;
    std::vector<std::uint32_t> slots;
    slots.swap(awaiting_[file.index]);
    for (const std::uint32_t slot : slots) f(slot);
  }

 private:
  struct Place {
    bool here = false;
    std::uint8_t coming = 0, going = 0;  // transfers that are posted or under way
  };
  Place& at(FileId file, ClusterId cluster) { return stores_[cluster.index][file.index]; }
  const Place& at(FileId file, ClusterId cluster) const { return stores_[cluster.index][file.index]; }
  void put(FileId file, ClusterId cluster) {
    if (at(file, cluster).here) return;
    ++copies_[file.index];
    at(file, cluster).here = true;
    if (any_limit()) [[unlikely]]
      reserve(file, cluster);
  }
  std::uint8_t& moving(FileId file, ClusterId cluster, Direction direction) {
    return direction == Direction::in ? at(file, cluster).coming : at(file, cluster).going;
  }

  std::vector<std::vector<Place>> stores_;            // per cluster and file
  std::vector<std::uint8_t> home_;                    // per file
  std::vector<WorkId> maker_;                         // per file
  std::vector<std::uint8_t> stays_;                   // per file
  std::vector<std::uint32_t> copies_;                 // per file
  std::vector<ClusterId> born_in_;                    // per file
  std::vector<std::vector<std::uint32_t>> awaiting_;  // per file; empty until something waits
  // Empty where no store has a size.
  std::vector<double> size_, used_;                // per cluster, B
  std::vector<double> whole_bytes_;                // per file
  std::vector<std::vector<std::uint32_t>> holds_;  // per cluster and file: it is there, what puts it there
};

inline bool Stores::are_home(std::span<const FileId> files) const {
  return std::ranges::all_of(files, [this](FileId file) { return is_home(file) || stays(file); });
}

inline void Stores::arrive(FileId file, ClusterId cluster, Direction direction) {
  give_up(file, cluster, direction);
  if (direction == Direction::in)
    put(file, cluster);
  else
    home_[file.index] = 1;
}

}  // namespace perigee::engine

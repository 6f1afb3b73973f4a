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

// Knows where each file is, and which transfers of it are posted or under way. Files that nobody makes are at
// home from the start; an output is there once it has been sent home.
class Stores {
 public:
  explicit Stores(std::size_t clusters) : stores_(clusters) {}
  // The workload has grown: takes in its files, and as their makers the works from `first` on.
  void extend(const Workload& workload, std::size_t first);

  bool has(FileId file, ClusterId cluster) const { return at(file, cluster).here; }
  bool is_home(FileId file) const { return home_[file.index] != 0; }
  inline bool are_home(std::span<const FileId> files) const;
  bool is_moving(FileId file, ClusterId cluster, Direction direction) const {
    return (direction == Direction::in ? at(file, cluster).coming : at(file, cluster).going) > 0;
  }
  bool is_going_home(FileId file) const {
    return std::ranges::any_of(stores_, [&](const auto& store) { return store[file.index].going > 0; });
  }
  WorkId maker(FileId file) const { return maker_[file.index]; }  // the work whose output it is; none: nobody
  std::size_t files() const { return home_.size(); }
  std::size_t bytes() const { return stores_.size() * home_.size() * sizeof(Place); }

  // A transfer is posted, is given up, or has ended well.
  void send(FileId file, ClusterId cluster, Direction direction) { ++moving(file, cluster, direction); }
  void give_up(FileId file, ClusterId cluster, Direction direction) { --moving(file, cluster, direction); }
  inline void arrive(FileId file, ClusterId cluster, Direction direction);

  void make(FileId file, ClusterId cluster) { at(file, cluster).here = true; }
  void discard(FileId file, ClusterId cluster) { at(file, cluster).here = false; }
  // The file has to be made again. Copies in other clusters stay.
  void unmake(FileId file, ClusterId cluster);

 private:
  struct Place {
    bool here = false;
    std::uint8_t coming = 0, going = 0;  // transfers that are posted or under way
  };
  Place& at(FileId file, ClusterId cluster) { return stores_[cluster.index][file.index]; }
  const Place& at(FileId file, ClusterId cluster) const { return stores_[cluster.index][file.index]; }
  std::uint8_t& moving(FileId file, ClusterId cluster, Direction direction) {
    return direction == Direction::in ? at(file, cluster).coming : at(file, cluster).going;
  }

  std::vector<std::vector<Place>> stores_;  // per cluster and file
  std::vector<std::uint8_t> home_;          // per file
  std::vector<WorkId> maker_;               // per file
};

inline bool Stores::are_home(std::span<const FileId> files) const {
  return std::ranges::all_of(files, [this](FileId file) { return is_home(file); });
}

inline void Stores::arrive(FileId file, ClusterId cluster, Direction direction) {
  give_up(file, cluster, direction);
  if (direction == Direction::in)
    make(file, cluster);
  else
    home_[file.index] = 1;
}

}  // namespace perigee::engine

#include "runtime/engine/state/stores.h"

#include <cmath>

namespace perigee::engine {

void Stores::limit(std::vector<double> sizes) {
  size_ = std::move(sizes);
  used_.assign(size_.size(), 0);
  holds_.resize(size_.size());
}

double Stores::room_for(std::span<const FileId> files, ClusterId cluster) const {
  const std::vector<std::uint32_t>& holds = holds_[cluster.index];
  double bytes = 0;
  for (const FileId file : files)
    if (holds[file.index] == 0) bytes += whole_bytes_[file.index];
  return bytes;
}

void Stores::reserve(FileId file, ClusterId cluster) {
  if (holds_[cluster.index][file.index]++ == 0) used_[cluster.index] += whole_bytes_[file.index];
}

void Stores::release(FileId file, ClusterId cluster) {
  if (--holds_[cluster.index][file.index] == 0) used_[cluster.index] -= whole_bytes_[file.index];
}

void Stores::extend(const Workload& workload, std::size_t first) {
  const std::size_t files = workload.files.size();
  for (std::vector<Place>& store : stores_) store.resize(files);
  home_.resize(files, 1);
  maker_.resize(files);
  born_in_.resize(files);
  copies_.resize(files);
  for (std::size_t f = stays_.size(); f < files; ++f) stays_.push_back(workload.goes_home(FileId(f)) ? 0 : 1);
  if (!awaiting_.empty()) awaiting_.resize(files);
  if (any_limit()) {
    for (std::size_t f = whole_bytes_.size(); f < files; ++f)
      whole_bytes_.push_back(std::ceil(workload.files[f].size));
    for (std::vector<std::uint32_t>& holds : holds_) holds.resize(files);
  }
  if (workload.file_lists.empty()) return;
  for (std::size_t w = first; w < workload.size(); ++w)
    for (const FileId file : workload.outputs(WorkId(w))) {
      home_[file.index] = 0;
      maker_[file.index] = WorkId(w);
    }
}

void Stores::unmake(FileId file, ClusterId cluster) {
  discard(file, cluster);
  home_[file.index] = 0;
}

void Stores::await(FileId file, std::uint32_t slot) {
  if (awaiting_.empty()) awaiting_.resize(home_.size());
  awaiting_[file.index].push_back(slot);
}

void Stores::await_no_more(FileId file, std::uint32_t slot) { std::erase(awaiting_[file.index], slot); }

}  // namespace perigee::engine

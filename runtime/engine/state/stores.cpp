#include "runtime/engine/state/stores.h"

namespace perigee::engine {

void Stores::extend(const Workload& workload, std::size_t first) {
  const std::size_t files = workload.files.size();
  for (std::vector<Place>& store : stores_) store.resize(files);
  home_.resize(files, 1);
  maker_.resize(files);
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

}  // namespace perigee::engine

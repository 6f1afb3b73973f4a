// Serves workers in other processes: starts them, deals out cells to them in batches, takes their answers,
// and gives up those that end or are silent. One thread does it all; the coordinator is asked under its lock.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "interpreter/session/options.h"

namespace perigee::experiments {

class CellCoordinator;

class WorkerServer {
 public:
  // Workers of `options.workers` that run the script. `folder` gets the file of access, where one is needed.
  // Error "no_out" where it is needed and there is no folder, "no_listening" when the address cannot be had,
  // "bad_file" for a list of hosts.
  WorkerServer(CellCoordinator& coordinator, const InterpreterOptions& options, const std::string& script,
               const std::string& folder);
  ~WorkerServer();  // the workers end
  WorkerServer(const WorkerServer&) = delete;
  WorkerServer& operator=(const WorkerServer&) = delete;

  // An experiment with so many cells to compute begins. The first starts the workers; on this machine no more
  // than there are cells.
  void start(std::size_t cells);
  void wake() noexcept;  // something has changed: cells to deal out, an experiment that is over

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace perigee::experiments

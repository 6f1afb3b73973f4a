#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "runtime/kernel/error.h"
#include "runtime/model/workload.h"

namespace perigee::model {

// Makes works as their time comes: tasks, jobs and loads without files, in order of arrival. A scenario holds
// it in its state before the first work.
class WorkStream {
 public:
  virtual ~WorkStream() = default;
  virtual std::unique_ptr<WorkStream> clone() const = 0;
  // Replaces the works of `out` by the next ones, some at a time; by none when the stream is over. Places of
  // works go on from call to call. Places of rows of times and extras begin at 0 in each call.
  virtual void next(Workload& out) = 0;
  virtual std::span<const std::string> users() const = 0;  // of all works so far
  virtual std::shared_ptr<const Queues> queues() const {
    return nullptr;
  }                                               // of all works so far; null: of none
  virtual std::size_t architectures() const = 0;  // columns of rows by architecture
  virtual SourceLocation declared_at() const { return {}; }
};

}  // namespace perigee::model

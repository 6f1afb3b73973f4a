// The tasks of one list, or of one workflow, as they name each other and the files that they pass on.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "interpreter/values/work_records.h"

namespace perigee::bindings {

// Tasks are numbered from 0. A file that one of them makes belongs to the list.
class TaskScope {
 public:
  explicit TaskScope(std::string subject) : subject_(std::move(subject)) {}  // "workload.tasks"

  void add(const values::WorkRecord& record);  // the next task
  void add_plain() { ++tasks_; }               // the next one, without name, files and predecessors
  std::size_t tasks() const { return tasks_; }

  // Whether some task could have to wait for another one, or names a file alone.
  bool may_link() const { return !after_.empty() || !made_.empty() || names_alone_; }
  // The names of its inputs, in order.
  std::vector<std::string> inputs_of(std::uint32_t task) const;
  // The task that makes the file of that name; kNone = none of them.
  std::uint32_t maker_of(const std::string& file) const;

  // Errors of the task alone: an unknown or ambiguous name in `after`, a file of unknown or different size, or one that
  // another task makes too. All tasks have been added.
  void check(std::uint32_t task) const;
  // Error workflow_duplicate: two tasks have one name.
  void check_names() const;
  // Error workflow_cycle, unless all can be done one after the other.
  void check_order() const;
  // Who comes directly before whom by `after`.
  std::vector<Precedence::Edge> after() const;

 private:
  struct Made {
    std::uint32_t task;
    double size;
  };
  struct Task {  // of those that are not plain
    std::string name;
    std::vector<values::AfterRecord> after;
    std::vector<values::FileRecord> inputs, outputs;
  };
  std::string name_of(std::uint32_t task) const;
  std::uint32_t find(const values::AfterRecord& wanted, std::uint32_t task) const;

  std::string subject_;
  std::uint32_t tasks_ = 0;
  std::map<std::uint32_t, Task> linked_;
  std::map<std::string, std::uint32_t, std::less<>> named_;  // the first of each name
  std::set<std::string, std::less<>> twice_;                 // those that several tasks have
  std::map<std::string, Made, std::less<>> made_;            // the first maker of each file
  std::vector<std::uint32_t> after_;                         // tasks that name others
  bool names_alone_ = false;                                 // some task has an input without a size
};

}  // namespace perigee::bindings

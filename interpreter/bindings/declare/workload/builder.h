// From the records of works to the model.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "interpreter/bindings/declare/workload/task_scope.h"
#include "interpreter/host/stack.h"
#include "interpreter/values/declarations.h"
#include "runtime/model/workflow.h"

namespace perigee::bindings {

class WorkloadBuilder {
 public:
  // `onto`: the works before the new ones; null = none. `seed`: of the noise. `queues`: without `onto`, those of the
  // scenario; null = it declares none.
  WorkloadBuilder(const values::PlatformValue& platform, const Workload* onto, std::uint64_t seed,
                  std::shared_ptr<const model::Queues> queues);
  void reserve(std::size_t works) { out_.works.reserve(out_.works.size() + works); }
  void add(const values::WorkRecord& record);
  // Adds the table on top of the stack if it is a task of plain numbers, by far the most common; false when
  // it needs a closer look.
  bool add_plain(lua_State* L);
  void add(const values::MatrixTasks& tasks, const SourceLocation& where);
  // Adds works that refer to users, files and run times of their own.
  void add(Workload&& made);
  // The works that are added until end_tasks() are one list, which `scope` names and may know already, or one workflow.
  void begin_tasks(TaskScope scope, const values::WorkflowRecord* workflow = nullptr);
  void end_tasks();  // Error of a task that names others wrongly, or of tasks that wait for each other
  // The tasks of a graph, which has been checked; null: they are no workflow.
  void add(const model::TaskGraph& graph, const values::WorkflowRecord* workflow,
           const SourceLocation& where);
  Workload take();

  // Forgets the works that were made, but not their users. The next one has the place `number`.
  void restart_at(std::size_t number);
  const Workload& made() const { return out_; }

 private:
  static std::string name(const values::WorkRecord& record, std::size_t number);
  // Adds a lognormal factor of mean 1 for each trial of each run. The factor depends on seed, work, run and
  // trial alone, so that policies are compared on the same factors.
  void add_noise(const values::WorkRecord& record, WorkExtra& extra, std::size_t number);
  std::uint32_t row(const values::WorkRecord& record, const values::TimesRecord& times);
  LinkId link_of_dumps(const values::WorkRecord& record);
  // A flag for each host, from names of hosts and clusters.
  std::shared_ptr<const std::vector<std::uint8_t>> only(const values::WorkRecord& record);
  void submit(const values::WorkRecord& record, WorkExtra& extra);
  // Hosts and maxima of its queue become part of its Shape.
  void obey_queue(WorkExtra& extra);
  void take_labels(const Workload& made, std::vector<WorkExtra>::iterator first);
  std::uint32_t account(const std::string& name);
  void put_inside_reservations();
  // `who`: the work, `where`: its declaration; for errors.
  std::shared_ptr<const Demand> demand_of(const NamedDemand& wanted, const std::string& who,
                                          const SourceLocation& where);
  UserId user_named(const std::string& name);
  // The state of the record that is being added:
  void take_files(const values::WorkRecord& record, Work& work);
  WorkExtra extra_of(const values::WorkRecord& record);  // a sweep, a load or a reservation
  WorkExtra extra_of_job(const values::WorkRecord& record, std::shared_ptr<const Demand> demand);
  // The numbers of a graph's files, by their places in it.
  std::vector<FileId> files_of(const model::TaskGraph& graph, values::WorkflowRecord::Home home,
                               const SourceLocation& where);
  FileId input_of(const values::WorkRecord& record, const values::FileRecord& file);
  FileId output_of(const values::FileRecord& file);
  void begin_workflow(const values::WorkflowRecord& given);
  FileId file_id(const values::WorkRecord& record, const values::FileRecord& file);

  const values::PlatformValue& platform_;
  const std::uint64_t seed_;
  Workload out_;
  std::size_t first_ = 0;  // the first new work
  // The list of tasks that is being added.
  struct Tasks {
    TaskScope scope;
    bool knows_all = false;  // the scope knew all tasks beforehand
    std::size_t first = 0;
    std::map<std::string, FileId> made = {};
    std::optional<values::WorkflowRecord> workflow = {};
  };
  std::optional<Tasks> tasks_;
  std::vector<Precedence::Edge> after_;
  bool linked_ = false;  // some work could have to wait for another one
  std::unordered_map<std::string, std::uint32_t> users_, files_;
  std::unordered_map<std::string, std::size_t> host_of_;
  std::map<std::vector<std::string>, std::shared_ptr<const std::vector<std::uint8_t>>> only_;
  // Jobs inside of reservations, which may come after them: the place of the job in extras.
  struct Inside {
    std::size_t extra;
    std::string job, reservation;
    SourceLocation where;
  };
  std::vector<Inside> inside_;
  std::map<NamedDemand, std::shared_ptr<const Demand>> demands_;
  using Flags = std::shared_ptr<const std::vector<std::uint8_t>>;
  std::map<std::pair<Flags, Flags>, Flags> both_;  // hosts that a job and its queue allow
};

}  // namespace perigee::bindings

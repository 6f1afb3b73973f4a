// Works as declared, before they are part of a platform's workload.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/model/workload.h"

namespace perigee::values {

// Run times as declared: one number, or one for each named host or architecture.
struct TimesRecord {
  TimeForm form = TimeForm::seconds;
  double amount = 0;
  std::vector<double> by_place = {};                         // per host, in order
  std::vector<std::pair<std::string, double>> by_name = {};  // per host or architecture

  bool is_number() const { return by_place.empty() && by_name.empty(); }
};

struct FileRecord {
  std::string name;
  double size = 0;
  double estimate = 0;
  bool is_sized = true;  // false: an input that was named alone
  bool home = false;     // an output that comes home, whoever reads it
};

// A task that comes first: its name, or, where that is empty, its place in the list, from 1.
struct AfterRecord {
  std::string name = {};
  std::int64_t place = 0;
};

// A Shape as declared, with the names of the hosts that it allows, and the limit of the job.
struct ShapeRecord {
  Shape shape;
  std::vector<std::string> only = {};
  std::string reservation = {};  // its name; "" = none
  Seconds limit = kNever, grace = 0;
  Checkpoint checkpoint = {};  // where the shape says that there is one
  std::string link = {};       // over which its dumps go; empty: none
  double load = 1;             // see WorkExtra::load
};

// The queue of a job and so on, by name; "" = none.
struct SubmissionRecord {
  std::string queue = {}, qos = {}, account = {};
  double nice = 0;
  bool operator==(const SubmissionRecord&) const = default;
};

// One piece of work, independent of any platform.
struct WorkRecord {
  WorkKind kind = WorkKind::task;
  std::string name;
  TimesRecord time;
  std::optional<TimesRecord> estimate;
  Time arrival = 0, deadline = kNever;
  double priority = 0;  // larger is more important
  std::string user;
  std::int32_t cores = 1;
  std::optional<NamedDemand> demand;
  std::optional<ShapeRecord> shape = {};
  SubmissionRecord submission = {};
  Needs needs = {};
  std::vector<FileRecord> inputs, outputs;
  std::vector<AfterRecord> after = {};
  WorkExtra extra;
  std::vector<double> weights;
  double noise = 0;  // coefficient of variation of a simulation's time
  SourceLocation declared_at = {};
};

// A workflow's own fields, for all of its tasks.
struct WorkflowRecord {
  std::string name = {};
  Time arrival = 0, deadline = kNever;
  double priority = 0;  // larger is more important
  std::string user = {};
  enum class Home : std::uint8_t { exits, all, none } home = Home::exits;  // which outputs come home
};

// A list of records. Tasks and jobs take an eighth of the room that have neither names nor files, needs nor demands, whose
// times are numbers, and whose shape is no more than a number of nodes, or of processes, and a limit.
class WorkRecords {
 public:
  std::size_t size() const { return places_.size(); }
  void add(WorkRecord record);  // without its `declared_at`
  WorkRecord operator[](std::size_t i) const;
  bool is_plain(std::size_t i) const { return places_[i].is_plain != 0; }  // takes little room

 private:
  struct Plain {
    double amount, estimate;  // estimate: NaN = none
    Time arrival, deadline;
    double priority;
    std::uint32_t user;  // in users_; kNone = none
    std::int32_t cores;
    std::int32_t nodes;  // Shape::nodes; kNoShape = there is none
    Seconds limit;
    WorkKind kind;
    TimeForm form;
  };
  static constexpr std::int32_t kNoShape = -1;
  struct Place {
    std::uint32_t is_plain : 1, index : 31;
  };
  static bool is_plain(const ShapeRecord& shape);
  static bool is_plain(const WorkRecord& record);
  std::uint32_t user_index(const std::string& user);

  std::vector<Place> places_;
  std::vector<Plain> plain_;
  std::vector<WorkRecord> others_;
  std::vector<std::string> users_;
  std::map<std::string, std::uint32_t> user_index_;
};

}  // namespace perigee::values

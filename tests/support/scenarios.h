// Outcomes told by hand, record by record, for tests of code that reads traces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "tests/support/layers.h"

namespace perigee::test {

// A trace under construction. Records may be changed, left out or put in before outcome() is called.
struct Story {
  std::shared_ptr<const Scenario> scenario;
  std::vector<Record> records;
  std::vector<Note> notes;
  std::string policy = "told";
  RunStatus status = RunStatus::complete;
  TraceLevel level = TraceLevel::full;
  double end = -1;                // < 0: the time of the last record
  std::vector<WorkState> states;  // empty: what the records say

  explicit Story(std::shared_ptr<const Scenario> of) : scenario(std::move(of)) {}

  Story& work(double time, RecordKind kind, std::uint32_t work, Reason why = Reason::none);
  Story& on(double time, RecordKind kind, ResourceId resource, Reason why = Reason::none);
  Story& note(double time, std::string name, std::vector<double> values);
  // `what` has all fields but kind and time. There is one record for each resource.
  Story& activity(double time, RecordKind kind, Record what, const std::vector<ResourceId>& resources,
                  Reason why = Reason::none);

  // Activities of the usual kinds, from start to end (`how`).
  Story& compute(std::uint32_t serial, std::uint32_t work, std::uint32_t host, double from, double to,
                 RecordKind how = RecordKind::ended, std::int32_t cores = 1, bool copy = false);
  // A job over several hosts, with so many cores of each.
  Story& wide(std::uint32_t serial, std::uint32_t work, const std::vector<std::uint32_t>& hosts, double from,
              double to, std::int32_t cores = 1, RecordKind how = RecordKind::ended,
              Reason why = Reason::none);
  Story& piece(std::uint32_t serial, std::uint32_t work, double first, double size, std::uint32_t host,
               double from, double to, RecordKind how = RecordKind::ended);
  Story& transfer(std::uint32_t serial, std::uint32_t file, std::uint32_t link, double from, double to,
                  ActivityKind direction = ActivityKind::transfer_in, RecordKind how = RecordKind::ended);

  // Sorts the records by time. At equal times, ends of activities come first, then finishes, then resources,
  // arrivals and starts, each in the order told.
  Story& sort();
  Outcome outcome() const;
};

// Two hosts a.1 (2 cores, speed 1) and a.2 (1 core, speed 2) without declared link, and four jobs:
//   1  arrives 0, 1 core,  10 op        2  arrives 0, 2 cores, 4 op
//   3  arrives 3, 1 core,   6 op        4  arrives 5, 1 core, 20 op, deadline 16
std::shared_ptr<Scenario> four_jobs();
// Told by hand: job 1 on a.2 [0, 5), job 2 on a.1 [0, 4), job 3 on a.1 [4, 10), job 4 on a.2 [5, 15).
Story four_jobs_story();

// Jobs over several hosts, one op each: so many nodes of so many cores, 0 nodes for cores in all.
struct WideSpec {
  std::int32_t nodes = 1, cores = 1;
  Time arrival = 0;
  Seconds limit = kNever;
  bool exclusive = false;
};
std::shared_ptr<Workload> wide_jobs(const std::vector<WideSpec>& jobs);

}  // namespace perigee::test

#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "runtime/model/platform.h"
#include "runtime/model/workload.h"

namespace perigee::engine {
class Process;  // runtime/engine/process.h
}

namespace perigee::model {

class WorkStream;  // runtime/model/work_stream.h

// The fate of an activity when its resource fails or leaves.
enum class OnFailure : std::uint8_t {
  lost,       // it ends without effect; its piece is to be done again
  resumed,    // it waits and goes on where it was
  restarted,  // it waits and begins anew on the same resource
};
std::string_view name_of(OnFailure rule);

// The end of a job whose limit and grace are over.
enum class AtLimit : std::uint8_t {
  kill,     // it ends without effect
  keep,     // nothing: the limit is only declared
  requeue,  // it waits again, at the end of the line, if a dump was whole in this attempt; otherwise killed
  checkpoint,  // a dump begins at the limit: if it is whole within the grace, as requeue
};

enum class HappeningKind : std::uint8_t {
  mark,  // only a name in the trace and an event for the policy
  down,  // the resource is away; it is back when every outage that covers it has ended
  up,
  leave,   // a host or a whole cluster is removed; its storage survives
  join,    // it comes (back), for a host possibly elsewhere
  change,  // of speed or of availability / bandwidth / latency
};

enum class Cause : std::uint8_t { outage, failure, reservation, membership, change, maintenance };

// Outages are numbered for each origin apart: the two highest bits of the number tell it.
enum class OutageOrigin : std::uint8_t { scenario, intervention, drawn, process };
constexpr std::uint32_t outage_number(OutageOrigin origin, std::size_t place) {
  return static_cast<std::uint32_t>(origin) << 30U | static_cast<std::uint32_t>(place);
}
constexpr OutageOrigin outage_origin(std::uint32_t number) {
  return static_cast<OutageOrigin>(number >> 30U);
}

// One thing that happens to the platform at a known time.
struct Happening {
  Time at = 0;
  HappeningKind kind = HappeningKind::mark;
  Cause cause = Cause::outage;
  ResourceId on = {};     // host, link or store (= the whole cluster)
  bool announced = true;  // the policy is told
  // down, leave, join: since when policies know of it, <= `at`; kNever: since it comes. They know all of an outage.
  Time known = kNever;
  // down: the number of the outage, which tells its origin too; up: that of the outage that it ends. An `up`
  // of a process or an intervention ends any outage, but no reservation, see engine::Outages.
  std::uint32_t outage = kNone;
  // change: speed relative to nominal; NaN = unchanged.
  double factor = std::numeric_limits<double>::quiet_NaN();
  // change, join: indices in Scenario::profiles, anchored at `at`; kNone = unchanged. The first is the
  // availability of a host or the bandwidth of a link, the second the latency of a link. For a cluster, they
  // are of its own link.
  std::uint32_t profile = kNone;
  std::uint32_t latency = kNone;
  ClusterId cluster = {};          // join: where a host comes; invalid = where it was
  std::int32_t architecture = -1;  // join: -1 = as it was
  std::string name = {};           // mark
  SourceLocation declared_at = {};
};

enum class FailureLaw : std::uint8_t { exponential, weibull };

// Hosts that fail more often than this would keep time from moving.
inline constexpr Seconds kShortestMean = 1e-6;

// Independent up and down times of each host, drawn from the run's stream "failures/<host>".
struct FailureModel {
  std::vector<HostId> hosts;
  Seconds mtbf = 0;  // mean up time, >= kShortestMean
  Seconds mttr = 0;  // mean down time, the same
  FailureLaw law = FailureLaw::exponential;
  double shape = 1;  // Weibull, of the up time
  FailureLaw repair_law = FailureLaw::exponential;
  double repair_shape = 1;  // Weibull, of the down time
  bool announced = true;
  SourceLocation declared_at = {};
};

// Platform, work and everything that will happen to them, but no decision.
struct Scenario {
  std::shared_ptr<const Platform> platform;
  std::shared_ptr<const Workload> workload;
  // Makes the works, and the workload is empty; null: the workload is all there is.
  std::shared_ptr<const WorkStream> stream;
  std::vector<Happening> happenings;  // in order of declaration; sorted by the run
  std::vector<FailureModel> failures;
  std::vector<Profile> profiles;
  std::vector<std::shared_ptr<const engine::Process>> processes;  // as declared, before they begin
  OnFailure compute_rule = OnFailure::lost;
  OnFailure transfer_rule = OnFailure::lost;
  OnFailure hold_rule = OnFailure::lost;
  AtLimit at_limit = AtLimit::kill;
  bool keeps_stores = true;      // a cluster that comes back has the files that it had
  bool requeue_stranded = true;  // a computed task whose outputs are in a cluster that leaves is done again

  void check() const;  // Error naming the declaration at fault
  void check(const Happening& happening) const;
};

// A time without the resource, an outage or between leaving and joining, of which policies know before it begins or ends.
struct Window {
  Time known = 0;  // since then
  Time from = 0, to = kNever;
  ResourceId on = {};  // host, link or store (= the whole cluster)
  Cause cause = Cause::outage;
};
std::vector<Window> windows_of(const Scenario& scenario);  // by `known`, then in order of declaration

// Hosts and clusters that are not there at the start: their first join comes before any leave. The hosts of
// an absent cluster are absent too.
struct Absent {
  std::vector<std::uint8_t> hosts, clusters;  // 1: not there
};
Absent absent_at_start(const Scenario& scenario);

}  // namespace perigee::model

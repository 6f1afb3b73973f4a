// Queues and qualities of service: what is rejected because of them, and how much runs of them.
#include "runtime/results/validator/check.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::validation {

bool Check::takes_turns(const Act& act) const {
  const Shape* shape = act.over_hosts() ? workload_.shape_of(act.work) : nullptr;
  return shape != nullptr && shape->takes_turns;
}

void Check::check_turns(const Act& act) {
  struct InUse {
    std::int64_t jobs = 0, jobs_of_user = 0, cores_of_user = 0;
  };
  InUse of_queue, of_qos;
  const model::Queue* queue = workload_.queue_of(act.work);
  const model::Qos* qos = workload_.qos_of(act.work);
  const UserId user = workload_[act.work].user;
  for (const std::size_t other : in_turn_) {
    const Act& there = acts_[other];
    const bool same_user = workload_[there.work].user == user;
    const auto add = [&](InUse& count) {
      ++count.jobs;
      if (!same_user) return;
      ++count.jobs_of_user;
      for (const std::int32_t cores : there.cores_of) count.cores_of_user += cores;
    };
    if (queue != nullptr && workload_.queue_of(there.work) == queue) add(of_queue);
    if (qos != nullptr && workload_.qos_of(there.work) == qos) add(of_qos);
  }
  const auto check = [&](std::int64_t count, std::int64_t most, std::string_view what,
                         const std::string& of) {
    if (count > most) bad(act.started, act, "'{}' has {} {}, at most {} are allowed", of, count, what, most);
  };
  if (queue != nullptr) {
    check(of_queue.jobs, queue->max_running, "jobs that run", queue->name);
    check(of_queue.jobs_of_user, queue->max_running_user, "jobs of a user that run", queue->name);
    check(of_queue.cores_of_user, queue->max_cores_user, "cores that a user's jobs run on", queue->name);
  }
  if (qos != nullptr) check(of_qos.jobs_of_user, qos->max_running_user, "jobs of a user that run", qos->name);
}

bool Check::is_over_queue(WorkId work) const {
  const model::Queue* queue = workload_.queue_of(work);
  if (queue == nullptr) return false;
  const Work& declared = workload_[work];
  const WorkExtra& extra = workload_.extras[declared.extra];
  const Sizes* sizes = extra.shape.sizes.get();
  const std::int64_t nodes = extra.shape.nodes > 0 ? extra.shape.nodes : 1;
  if (nodes > queue->max_nodes || nodes * declared.cores > queue->max_cores ||
      nodes * declared.cores > queue->max_cores_user)
    return true;
  if (extra.limit <= queue->max_time || queue->max_time == kNever) return false;
  if (extra.limit_is_estimate) return true;
  std::int32_t last = 0;  // architecture
  for (const Host& host : platform_.hosts()) last = std::max(last, host.architecture);
  for (std::size_t h = 0; h < platform_.hosts().size(); ++h) {
    if (declared.form != TimeForm::seconds && !extra.shape.allows(HostId(h))) continue;
    for (std::int32_t a = 0; a <= last; ++a)  // a host may come back with another
      for (std::size_t s = 0; s < (sizes != nullptr ? sizes->allowed.size() : 1); ++s) {
        const Piece whole{work, 0, 1, sizes != nullptr ? sizes->allowed[s] : 0};
        if (declared_time(workload_, whole, platform_.hosts()[h], HostId(h), a) <= queue->max_time)
          return false;
      }
  }
  return true;
}

void Check::check_rejection(const Record& r) {
  const bool over = is_over_queue(r.work);
  if (r.why == Reason::limit && !over)
    bad(r.time, "{} is rejected for a maximum of its queue, but is above none", work_name(r.work));
  if (over && r.why != Reason::limit && r.why != Reason::infeasible)
    bad(r.time, "{} is rejected as '{}', but it is above a maximum of its queue", work_name(r.work),
        schedulers::name_of(r.why));
}

}  // namespace perigee::validation

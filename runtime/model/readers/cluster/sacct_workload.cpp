// The workload of a log of sacct.
#include <cmath>
#include <cstdint>
#include <utility>

#include "runtime/model/readers/cluster/sacct.h"
#include "runtime/model/readers/queue_labels.h"

namespace perigee::readers {

Workload sacct_workload(const SacctLog& log) {
  Workload out;
  out.users = log.users;
  out.works.reserve(log.jobs.size());
  out.names.reserve(log.jobs.size());
  const double first = log.first_arrival();
  QueueLabels labels;
  for (const SacctJob& job : log.jobs) {
    Work work;
    work.kind = WorkKind::job;
    work.form = TimeForm::seconds;
    work.arrival = job.arrival - first;
    work.amount = job.run;
    work.estimate = job.limit < kNever ? job.limit : job.run;
    if (job.user != model::kNone) work.user = UserId(job.user);
    WorkExtra extra;
    switch (log.options.shape) {
      case SacctShape::nodes:
        extra.shape.nodes = job.nodes;
        work.cores = job.cores();
        break;
      case SacctShape::processes:
        extra.shape.nodes = job.processors > 1 ? 0 : 1;
        work.cores = job.processors;
        break;
      case SacctShape::host:
        work.cores = job.processors;
    }
    if (log.options.limits && job.limit < kNever) {
      extra.limit = job.limit;
      if (job.run >= job.limit) work.amount = job.state == SacctState::timeout ? job.limit + 1 : job.limit;
    }
    if (job.partition != model::kNone) extra.queue = labels.queue(log.partitions[job.partition]);
    if (job.qos != model::kNone) extra.qos = labels.qos(log.qos[job.qos]);
    if (job.account != model::kNone) extra.account = labels.account(log.accounts[job.account]);
    const bool is_submitted =
        extra.queue != model::kNone || extra.qos != model::kNone || extra.account != model::kNone;
    if (!extra.shape.is_plain() || extra.limit < kNever || is_submitted) {
      work.extra = static_cast<std::uint32_t>(out.extras.size());
      out.extras.push_back(std::move(extra));
    }
    out.works.push_back(work);
    out.names.push_back(job.id);
    if (log.options.memory) {
      const double hosts = log.options.shape == SacctShape::host ? job.nodes : 1;
      model::NamedDemand& asked = out.asked.emplace_back();
      if (job.memory > 0) asked.memory = std::ceil(job.memory * hosts);
      if (job.gpus > 0) asked.resources.emplace_back("gpu", job.gpus * hosts);
    }
  }
  out.queues = labels.take();
  return out;
}

}  // namespace perigee::readers

#include "runtime/model/shaken.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/random.h"

namespace perigee::model {

namespace {

bool is_row(TimeForm form) { return form == TimeForm::by_architecture || form == TimeForm::by_host; }

double shake_factor(Stream& stream, double share) { return 1 + stream.uniform(-share, share); }

void check_shake(const Scenario& scenario, const Shake& shake) {
  const auto need = [](bool holds, const char* field, const char* allowed, double got) {
    if (!holds) fail("bad_shake", "shake: {} must be {}, got {}", field, allowed, format_number(got));
  };
  need(shake.times >= 0 && shake.times <= 1, "times", "a share from 0 to 1", shake.times);
  need(shake.sizes >= 0 && shake.sizes <= 1, "sizes", "a share from 0 to 1", shake.sizes);
  need(shake.arrivals >= 0 && shake.arrivals < kNever, "arrivals", "finite and >= 0 s", shake.arrivals);
  need(shake.failures > 0 && shake.failures < kNever, "failures", "finite and > 0", shake.failures);
  need(shake.repairs > 0 && shake.repairs < kNever, "repairs", "finite and > 0", shake.repairs);
  if (scenario.stream)
    fail("bad_shake",
         "shake: the works come as a stream, and only a workload that is there when the run starts can be "
         "shaken");
  for (const FailureModel& model : scenario.failures) {
    const auto rate = [&](const char* field, double times, Seconds mean) {
      if (!(mean / times >= kShortestMean))
        fail_at(model.declared_at, "bad_shake",
                "shake: {} = {} makes a mean time of {} s to one of {} s; at least {} s are possible", field,
                format_number(times), format_number(mean), format_number(mean / times),
                format_number(kShortestMean));
    };
    rate("failures", shake.failures, model.mtbf);
    rate("repairs", shake.repairs, model.mttr);
  }
}

class Shaking {
 public:
  Shaking(const Scenario& scenario, const Shake& shake, std::uint64_t seed)
      : scenario_(scenario), workload_(*scenario.workload), shake_(shake), seed_(seed) {}

  Workload run() {
    if (shake_.times > 0) times();
    if (shake_.sizes > 0) sizes();
    if (shake_.arrivals > 0) arrivals();
    return std::move(workload_);
  }

 private:
  void times() {
    Stream stream(seed_, "shake times");
    for (Work& work : workload_.works) {
      if (work.kind == WorkKind::reservation) continue;
      const double factor = shake_factor(stream, shake_.times);
      if (is_row(work.form))
        row(work, factor);
      else
        work.amount *= factor;
      if (work.kind == WorkKind::job && work.extra != kNone)
        molds(workload_.extras[work.extra].shape, factor);
    }
  }

  // The true times become a row of their own; what was there stays, as the declared one.
  void row(Work& work, double factor) {
    const std::size_t columns =
        work.form == TimeForm::by_host ? scenario_.platform->hosts().size() : architectures();
    if (work.estimates == kNone) work.estimates = work.times;
    const std::size_t from = std::exchange(work.times, static_cast<std::uint32_t>(workload_.times.size()));
    for (std::size_t c = 0; c < columns; ++c) {
      const double declared = workload_.times[from + c];
      workload_.times.push_back(declared < kNever ? declared * factor : declared);
    }
  }

  std::size_t architectures() const {
    if (workload_.architectures > 0) return workload_.architectures;
    std::int32_t most = 0;
    for (const Host& host : scenario_.platform->hosts()) most = std::max(most, host.architecture);
    return static_cast<std::size_t>(most) + 1;
  }

  static void molds(Shape& shape, double factor) {
    if (shape.sizes == nullptr || shape.sizes->amounts.empty()) return;
    auto sizes = std::make_shared<Sizes>(*shape.sizes);
    for (double& amount : sizes->amounts) amount *= factor;
    shape.sizes = std::move(sizes);
  }

  void sizes() {
    Stream stream(seed_, "shake sizes");
    for (File& file : workload_.files) file.size *= shake_factor(stream, shake_.sizes);
    for (const Work& work : workload_.works) {
      if (work.extra == kNone || (work.kind != WorkKind::load && work.kind != WorkKind::sweep)) continue;
      WorkExtra& extra = workload_.extras[work.extra];
      if (std::isnan(extra.bytes_estimate)) extra.bytes_estimate = extra.bytes;
      extra.bytes *= shake_factor(stream, shake_.sizes);
    }
  }

  void arrivals() {
    Stream stream(seed_, "shake arrivals");
    const auto shift = [&] { return stream.uniform(-shake_.arrivals, shake_.arrivals); };
    std::vector<Seconds> of_workflows;
    for (Workflow& workflow : workload_.workflows) {
      of_workflows.push_back(shift());
      move(workflow.arrival, workflow.deadline, of_workflows.back());
    }
    for (std::size_t w = workload_.works.first(); w < workload_.works.size(); ++w) {
      Work& work = workload_.works[w];
      if (work.kind == WorkKind::reservation) continue;
      const std::uint32_t workflow = workload_.workflow_of(WorkId(w));
      move(work.arrival, work.deadline, workflow != kNone ? of_workflows[workflow] : shift());
    }
  }

  static void move(Time& arrival, Time& deadline, Seconds shift) {
    const Time before = std::exchange(arrival, std::max(0.0, arrival + shift));
    deadline += arrival - before;
  }

  const Scenario& scenario_;
  Workload workload_;
  Shake shake_;
  std::uint64_t seed_;
};

}  // namespace

Shakeable shakeable(const Scenario& scenario) {
  const Workload& workload = *scenario.workload;
  Shakeable found;
  found.failures = !scenario.failures.empty();
  found.sizes = std::ranges::any_of(workload.files, [](const File& file) { return file.size > 0; });
  for (const Work& work : workload.works) {
    if (work.kind == WorkKind::reservation) continue;
    found.arrivals = true;
    found.times = found.times || is_row(work.form) || work.amount > 0;
    const WorkExtra* extra = work.extra != kNone ? &workload.extras[work.extra] : nullptr;
    if (extra == nullptr) continue;
    const Sizes* sizes = extra->shape.sizes.get();
    found.times = found.times || (sizes != nullptr && !sizes->amounts.empty());
    found.sizes = found.sizes || extra->bytes > 0;
  }
  return found;
}

Scenario shaken(const Scenario& scenario, const Shake& shake, std::uint64_t seed) {
  check_shake(scenario, shake);
  Scenario drawn = scenario;
  if (shake.times > 0 || shake.sizes > 0 || shake.arrivals > 0)
    drawn.workload = std::make_shared<const Workload>(Shaking(scenario, shake, seed).run());
  for (FailureModel& model : drawn.failures) {
    model.mtbf /= shake.failures;
    model.mttr /= shake.repairs;
  }
  return drawn;
}

}  // namespace perigee::model

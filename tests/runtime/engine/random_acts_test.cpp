// A policy that posts, starts, copies, cancels, discards and settles at random: whatever the engine lets happen is
// valid.
#include <catch2/catch.hpp>

#include "runtime/results/validator.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// One random act. Error where it is impossible.
void act(Sim& sim, Stream& random, std::vector<double>& ids) {
  const View& view = sim.view();
  const Workload& workload = view.workload();
  const WorkId work(random.below(view.works().size()));
  const HostId host(random.below(view.hosts().size()));
  const ClusterId cluster(random.below(view.platform().clusters().size()));
  const auto known = [&]() -> ActivityId {
    if (ids.empty()) return {};
    const std::size_t last = std::min<std::size_t>(ids.size() / 2, 20);
    const std::size_t at = ids.size() - 2 * (1 + random.below(last));
    return {static_cast<std::uint32_t>(ids[at]), static_cast<std::uint32_t>(ids[at + 1])};
  };
  const auto remember = [&](ActivityId id) { ids.insert(ids.end(), {double(id.serial), double(id.slot)}); };
  Posting posting;
  if (random.below(3) == 0) posting.not_before = sim.now() + static_cast<double>(random.below(12));
  if (random.below(4) == 0) posting.rank = static_cast<double>(random.below(3));
  if (random.below(4) == 0) posting.after = known();
  posting.host = host;
  posting.cluster = cluster;
  const double size =
      static_cast<double>(1 + random.below(4)) / (workload[work].kind == WorkKind::load ? 2 : 1);
  posting.piece = sim.next_piece(work, size);
  const std::uint64_t what = random.below(40);
  if (what < 10) {
    remember(sim.start(posting.piece, host));
  } else if (what < 15) {
    remember(sim.post(posting));
  } else if (what < 21) {
    if (!sim.waits(work) || random.below(4) == 0) posting.piece = {work, 0, workload.size_of(work)};
    posting.kind = ActivityKind::chunk;
    const ActivityId chunk = sim.post(posting);
    remember(chunk);
    if (random.below(3) == 0) return;
    posting.kind = ActivityKind::compute;
    posting.after = chunk;
    posting.not_before = 0;
    remember(sim.post(posting));
  } else if (what < 29) {
    if (workload.files.empty()) return;
    posting.piece = {};
    posting.kind = what < 25 ? ActivityKind::transfer_in : ActivityKind::transfer_out;
    posting.file = FileId(random.below(workload.files.size()));
    if (workload[work].input_count > 0 && what < 24) posting.file = workload.inputs(work)[0];
    remember(sim.post(posting));
  } else if (what < 31) {
    posting.kind = ActivityKind::hold;
    posting.piece = random.below(3) == 0 ? Piece{} : Piece{work, 0, 1};
    const bool reserves = posting.piece.work.valid() && workload[work].kind == WorkKind::reservation;
    std::size_t hosts = 1 + random.below(2);
    posting.to = std::max(sim.now(), posting.not_before) + static_cast<double>(random.below(9));
    posting.with_link = random.below(3) == 0;
    posting.io_until = posting.to;
    if (reserves) {
      const WorkExtra& extra = workload.extras[workload[work].extra];
      hosts = static_cast<std::size_t>(extra.hosts);
      posting.not_before = extra.from;
      posting.to = extra.to;
      posting.with_link = extra.io_ratio > 0;
      posting.io_until = extra.from + extra.io_ratio * (extra.to - extra.from);
    }
    for (std::size_t h = 0; h < hosts; ++h)
      posting.hosts.push_back(HostId((host.index + h) % view.hosts().size()));
    remember(sim.post(posting));
  } else if (what < 33) {
    remember(sim.copy(known(), host));
  } else if (what < 34) {
    sim.cancel(known());
  } else if (what < 35) {
    sim.withdraw(known());
  } else if (what < 36) {
    if (!workload.files.empty()) sim.discard(FileId(random.below(workload.files.size())), cluster);
  } else if (what < 37) {
    const std::uint64_t how = random.below(12);
    if (how == 0) sim.expire(work);
    if (how == 1) sim.reject(work);
    if (how > 1) sim.accept(work);
  } else if (what < 38) {
    sim.settle();
  } else if (what < 39) {
    sim.think(static_cast<double>(random.below(3)));
  } else {
    sim.timer(sim.now() + static_cast<double>(random.below(4)));
  }
}

// Works, files and units of no size; clusters that leave and join.
std::shared_ptr<Scenario> with_corners(const Scenario& scenario, Stream& random) {
  auto out = std::make_shared<Scenario>(scenario);
  auto workload = std::make_shared<Workload>(*scenario.workload);
  for (Work& work : workload->works)
    if (random.below(5) == 0 && work.kind != WorkKind::reservation) work.amount = 0;
  for (File& file : workload->files)
    if (random.below(4) == 0) file.size = 0;
  for (WorkExtra& extra : workload->extras)
    if (random.below(3) == 0) extra.bytes = 0;
  out->workload = workload;
  out->requeue_stranded = random.below(2) == 0;
  out->hold_rule = static_cast<OnFailure>(random.below(3));
  if (out->platform->clusters().size() > 1 && random.below(2) == 0) {
    const ResourceId on = ResourceId::of(ClusterId(random.below(out->platform->clusters().size())));
    const Time from = static_cast<double>(random.below(60));
    out->happenings.push_back(happening(from, HappeningKind::leave, on, Cause::membership));
    out->happenings.push_back(
        happening(from + static_cast<double>(random.below(30)), HappeningKind::join, on, Cause::membership));
  }
  out->check();
  return out;
}

void check_random_acts(std::uint64_t first, std::uint64_t seeds) {
  std::size_t started = 0, finished = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    INFO("seed " << seed);
    Accepts accepts;
    accepts.tasks = accepts.files = seed % 4 < 2;
    accepts.jobs = accepts.several_cores = seed % 4 == 1;
    accepts.loads = accepts.reservations = seed % 4 == 2;
    accepts.sweeps = seed % 4 != 2;
    if (seed % 4 == 3) accepts.files = true;
    Stream corners(seed, "corners");
    const auto scenario = with_corners(*random_scenario(seed, accepts), corners);
    RunOptions options;
    options.seed = seed;
    options.horizon = 150;
    Instants instants;
    instants.ask = static_cast<Ask>(seed / 4 % 3);
    Simulation run(scenario,
                   toy(
                       [](Sim& sim, auto&) {
                         for (int at = 0; at < 80; ++at) sim.timer(at);
                       },
                       [](Sim& sim, std::span<const Event>, std::vector<double>& ids) {
                         Stream& random = sim.stream("acts");
                         for (std::uint64_t acts = random.below(16); acts > 0; --acts) try {
                             act(sim, random, ids);
                           } catch (const Error&) {
                           }
                       },
                       instants),
                   perfect_estimator(), options);
    run.run();
    const Outcome outcome = run.outcome();
    for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
      started += outcome.trace[i].kind == RecordKind::started ? 1 : 0;
      finished += outcome.trace[i].kind == RecordKind::finished ? 1 : 0;
    }
    const auto violations = validate(outcome);
    INFO((violations.empty() ? std::string() : violations.front()));
    CHECK(violations.empty());
  }
  INFO(started << " starts, " << finished << " works finished");
  CHECK(started > 20 * seeds);
  CHECK(finished > 5 * seeds);
}

}  // namespace

TEST_CASE("whatever a policy does at random, the trace is valid") { check_random_acts(1, 100); }

TEST_CASE("the same with many more scenarios of random acts", "[.long]") { check_random_acts(1000, 20000); }

// The validator against the engine on random scenarios: it finds nothing there, and all that is damaged.
#include "runtime/results/validator.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "runtime/kernel/random.h"
#include "tests/runtime/results/doctored.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("what the engine does is valid: random scenarios") {
  Stream rng(7, "validator");
  int finished = 0, lost = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<PlatformSpec::ClusterSpec> clusters;
    const std::size_t count = 1 + rng.below(3);
    for (std::size_t c = 0; c < count; ++c) {
      auto cluster = cluster_of({rng.uniform(0.5, 2), rng.uniform(0.5, 2)}, "k" + std::to_string(c),
                                1 + static_cast<int>(rng.below(3)));
      for (Host& each : cluster.hosts) {
        each.setup = rng.bernoulli(0.5) ? 0 : rng.uniform(0, 2);
        if (rng.bernoulli(0.5)) each.availability = Profile::circular({1, 0.5, 0, 0.25}, rng.uniform(1, 4));
      }
      clusters.push_back(
          with_link(cluster, rng.uniform(5, 20), rng.uniform(0, 1), static_cast<Sharing>(rng.below(3))));
    }
    PlatformSpec spec;
    if (rng.bernoulli(0.5)) {  // behind a router
      spec.routers = {"r"};
      Link shared;
      shared.name = "backbone";
      shared.bandwidth = Profile::circular({10, 20}, rng.uniform(1, 5));
      shared.latency = Profile(rng.uniform(0, 0.5));
      shared.sharing = static_cast<Sharing>(rng.below(3));
      spec.links.push_back({shared, "origin", "r"});
      for (auto& cluster : clusters)
        if (rng.bernoulli(0.7)) cluster.at = "r";
    }
    spec.clusters = std::move(clusters);
    auto platform = std::make_shared<const Platform>(spec);
    auto workload = tasks_of({});
    for (int w = 0; w < 25; ++w) {
      Work work;
      work.form = TimeForm::operations;
      work.amount = rng.uniform(0, 20);
      work.arrival = std::floor(rng.uniform(0, 30));
      work.inputs = static_cast<std::uint32_t>(workload->file_lists.size());
      work.input_count = 1;
      if (workload->files.empty() || rng.bernoulli(0.5))
        workload->files.push_back({"f" + std::to_string(w), rng.uniform(1, 50), 1});
      FileId input(workload->files.size() - 1);
      while (workload->files[input.index].name[0] != 'f') input = FileId(input.index - 1);
      workload->file_lists.push_back(input);
      work.outputs = static_cast<std::uint32_t>(workload->file_lists.size());
      if (rng.bernoulli(0.5)) {
        workload->file_lists.push_back(FileId(workload->files.size()));
        workload->files.push_back({"o" + std::to_string(w), rng.uniform(1, 30), 1});
        work.output_count = 1;
      }
      workload->works.push_back(work);
    }
    auto scenario = scenario_of(platform, workload);
    scenario->compute_rule = static_cast<OnFailure>(rng.below(3));
    scenario->transfer_rule = static_cast<OnFailure>(rng.below(3));
    const bool told = rng.bernoulli(0.7);
    for (std::uint32_t h = 0; h < platform->hosts().size(); ++h) {
      const double from = rng.uniform(0, 40), until = from + rng.uniform(1, 10);
      const Cause cause = rng.bernoulli(0.5) ? Cause::outage : Cause::reservation;
      const ResourceId on = rng.bernoulli(0.7) ? the_host(h) : link(h % static_cast<std::uint32_t>(count));
      scenario->happenings.push_back(happening(from, HappeningKind::down, on, cause));
      scenario->happenings.push_back(happening(until, HappeningKind::up, on, cause));
      scenario->happenings.end()[-1].announced = scenario->happenings.end()[-2].announced = told;
      Happening change = happening(
          rng.uniform(0, 60), HappeningKind::change,
          rng.bernoulli(0.5) ? the_host(h) : link(h % static_cast<std::uint32_t>(count)), Cause::change);
      change.factor = rng.uniform(0.5, 2);
      if (rng.bernoulli(0.3)) {
        change.profile = static_cast<std::uint32_t>(scenario->profiles.size());
        scenario->profiles.push_back(Profile::periodic({0, 2, 3}, {10, 4, 7}, 5));
      }
      scenario->happenings.push_back(change);
    }
    if (rng.bernoulli(0.5)) {
      FailureModel model;
      model.hosts = {HostId(0), HostId(1)};
      model.mtbf = 30;
      model.mttr = 3;
      model.announced = told;
      scenario->failures.push_back(model);
    }
    // Sends the needed files to the cluster of a host, computes, and fetches the results.
    const auto act = [](Sim& sim, std::span<const Event>, std::vector<double>&) {
      const View& view = sim.view();
      const Workload& all = view.workload();
      for (std::uint32_t w = 0; w < view.works().size(); ++w) {
        const WorkView& work = view.works()[w];
        const HostId target(w % view.hosts().size());
        const ClusterId cluster = view[target].cluster;
        if (work.state == WorkState::computed) {
          for (const FileId file : all.outputs(WorkId(w)))
            for (std::uint32_t c = 0; c < view.platform().clusters().size(); ++c) {
              bool queued = false;
              for (const ActivityId id : sim.queued_on(ResourceId::of(view.platform()[ClusterId(c)].link)))
                queued = queued || sim.activity(id)->file == file;
              if (!sim.in_store(file, ClusterId(c)) || sim.at_home(file) || queued) continue;
              bool moving = false;
              for (std::uint32_t k = 0; k < sim.view().links().size(); ++k)
                moving = moving || sim.view().links()[k].transfers > 0;
              if (!moving)
                sim.post({.kind = ActivityKind::transfer_out, .file = file, .cluster = ClusterId(c)});
            }
          continue;
        }
        if (work.state != WorkState::waiting || work.posted > 0) continue;
        for (const FileId file : all.inputs(WorkId(w)))
          if (!sim.in_store(file, cluster) && !sim.in_transfer(file, cluster))
            sim.post({.kind = ActivityKind::transfer_in, .file = file, .cluster = cluster});
        if (!view[target].up) continue;
        if (w % 2 == 0) {
          sim.post({.piece = {WorkId(w), 0, 1}, .host = target});
        } else if (sim.fits(WorkId(w), target)) {  // now, though the host may be down and nobody knows
          bool ready = true;
          for (const FileId file : all.inputs(WorkId(w))) ready = ready && sim.in_store(file, cluster);
          if (ready) sim.start(WorkId(w), target);
        }
      }
    };
    const Ask asks[] = {Ask::once, Ask::phases, Ask::each};
    Simulation simulation(scenario, toy({}, act, {rng.bernoulli(0.5) ? 1e-9 : 0, asks[rng.below(3)]}),
                          perfect_estimator(), {.seed = rng(), .horizon = 400});
    simulation.run();
    const Lines lines = validate(simulation.outcome());
    for (std::size_t i = 0; i < simulation.trace().size(); ++i) {
      finished += simulation.trace()[i].kind == RecordKind::finished ? 1 : 0;
      lost += simulation.trace()[i].kind == RecordKind::lost ? 1 : 0;
    }
    INFO("round " << round << ", rules " << name_of(scenario->compute_rule) << " "
                  << name_of(scenario->transfer_rule) << (told ? "" : ", outages not announced"));
    for (const std::string& line : lines) UNSCOPED_INFO(line);
    CHECK(lines.empty());
  }
  CHECK(finished > 1000);
  CHECK(lost > 100);
}

TEST_CASE("what the engine does is valid: random loads, packages and reservations") {
  Stream rng(11, "validator");
  int finished = 0;
  for (int round = 0; round < 40; ++round) {
    auto cluster = with_link(cluster_of({1, 0.5, 2, 1}), rng.uniform(5, 50),
                             rng.bernoulli(0.5) ? 0 : rng.uniform(0, 1), static_cast<Sharing>(rng.below(3)));
    for (Host& each : cluster.hosts) {
      each.exclusive = true;
      each.overtake = rng.bernoulli(0.5);
      each.slots = 1 + static_cast<int>(rng.below(3));
      each.setup = rng.uniform(0, 1);
    }
    cluster.link.overtake = rng.bernoulli(0.5);
    auto platform = platform_of({cluster});
    auto workload = std::make_shared<Workload>();
    for (int w = 0; w < 12; ++w) {
      Work work;
      work.arrival = w * 4;
      work.amount = rng.uniform(0.1, 1);
      work.extra = static_cast<std::uint32_t>(workload->extras.size());
      WorkExtra extra;
      switch (w % 3) {
        case 0:
          work.kind = WorkKind::load;
          work.deadline = work.arrival + 20;
          extra.size = rng.uniform(5, 30);
          extra.bytes = rng.uniform(0, 5);
          break;
        case 1:
          work.kind = WorkKind::sweep;
          extra.size = 12;
          extra.trials = 3;
          break;
        default:
          work.kind = WorkKind::reservation;
          extra.hosts = 1 + static_cast<int>(rng.below(2));
          extra.from = work.arrival + rng.uniform(200, 210) + 20 * w;
          extra.to = extra.from + rng.uniform(1, 8);
          extra.io_ratio = rng.uniform(0, 1);
      }
      workload->works.push_back(work);
      workload->extras.push_back(extra);
    }
    auto scenario = scenario_of(platform, workload);
    scenario->compute_rule = scenario->transfer_rule = scenario->hold_rule =
        static_cast<OnFailure>(rng.below(3));
    for (std::uint32_t h = 0; h < 3; ++h) {
      const double from = rng.uniform(0, 60), until = from + rng.uniform(1, 10);
      scenario->happenings.push_back(happening(from, HappeningKind::down, h == 2 ? link(0) : the_host(h)));
      scenario->happenings.push_back(happening(until, HappeningKind::up, h == 2 ? link(0) : the_host(h)));
    }
    const auto act = [](Sim& sim, std::span<const Event> events, std::vector<double>&) {
      const Workload& all = sim.view().workload();
      for (const Event& event : events) {
        if (event.kind != EventKind::arrived) continue;
        const Work& work = all[event.work];
        const WorkExtra& extra = all.extras[work.extra];
        if (work.kind == WorkKind::reservation) {
          Posting hold{.kind = ActivityKind::hold,
                       .piece = {event.work, 0, 1},
                       .with_link = true,
                       .to = extra.to,
                       .io_until = extra.from + extra.io_ratio * (extra.to - extra.from),
                       .not_before = extra.from,
                       .rank = 1};
          for (std::int32_t h = 0; h < extra.hosts; ++h) hold.hosts.push_back(HostId(h));
          sim.post(hold);
          continue;
        }
        for (std::uint32_t h = 0; h < 4; ++h) {
          const Piece piece{event.work, extra.size / 4 * h, extra.size / 4};
          ActivityId chunk;
          if (work.kind == WorkKind::load)
            chunk = sim.post({.kind = ActivityKind::chunk, .piece = piece, .host = HostId(h)});
          sim.post({.piece = piece, .host = HostId(h), .after = chunk});
        }
      }
    };
    Simulation simulation(scenario, toy({}, act), perfect_estimator(), {.horizon = 1000});
    simulation.run();
    const Lines lines = validate(simulation.outcome());
    for (std::size_t i = 0; i < simulation.trace().size(); ++i)
      finished += simulation.trace()[i].kind == RecordKind::finished ? 1 : 0;
    INFO("round " << round << ", rule " << name_of(scenario->compute_rule));
    for (const std::string& line : lines) UNSCOPED_INFO(line);
    CHECK(lines.empty());
  }
  CHECK(finished > 300);
}

TEST_CASE("whatever is damaged in a real trace is noticed") {
  // Tasks on two hosts, one of which fails. Jobs fill the machine, so that hardly any time is free for moves.
  auto workload = tasks_of({});
  Stream rng(5, "damage");
  for (int w = 0; w < 40; ++w) {
    Work work;
    work.form = TimeForm::operations;
    work.amount = rng.uniform(1, 5);
    work.arrival = w;
    workload->works.push_back(work);
  }
  auto scenario = scenario_of(platform_of({cluster_of({1, 1.5})}), workload);
  scenario->happenings = {happening(20, HappeningKind::down, the_host(0)),
                          happening(25, HappeningKind::up, the_host(0))};
  Simulation simulation(scenario, greedy());
  simulation.run();
  Story story(scenario);
  for (std::size_t i = 0; i < simulation.trace().size(); ++i) story.records.push_back(simulation.trace()[i]);
  story.end = simulation.now();
  REQUIRE(validate(story.outcome()).empty());
  for (std::size_t i = 0; i < story.records.size(); ++i)
    for (int damage = 0; damage < 7; ++damage) {
      Story bad = story;
      Record& r = bad.records[i];
      switch (damage) {
        case 0:
          bad.records.erase(bad.records.begin() + static_cast<std::ptrdiff_t>(i));
          break;
        case 1:
          bad.records.insert(bad.records.begin() + static_cast<std::ptrdiff_t>(i), Record(r));
          break;
        case 2:
          r.time = std::max(0.0, r.time - 1e-3);
          break;
        case 3:
          r.time += 1e-3;
          break;
        case 4:
          r.work = WorkId(r.work.valid() ? (r.work.index + 1) % 40 : 0U);
          break;
        case 5:
          r.on = r.on == the_host(0) ? the_host(1) : the_host(0);
          break;
        default:
          r.kind =
              static_cast<RecordKind>((static_cast<int>(r.kind) + 1) % static_cast<int>(RecordKind::note));
          break;
      }
      const Record& whole = story.records[i];
      if (damage == 4 && !whole.work.valid()) continue;
      if (damage == 5 && whole.work.valid() && whole.activity == 0)
        continue;  // no resource is looked for there
      if (damage == 2 && whole.time == 0) continue;
      // Some damaged traces are still possible: the policy started a little later an activity that an outage
      // then interrupted, or cancelled it at that instant; or the host was repaired a little earlier.
      if (damage == 3 && whole.time > 18 && whole.time < 20 && whole.on == the_host(0)) continue;
      if (damage == 6 && whole.kind == RecordKind::lost) continue;
      if (damage == 2 && whole.kind == RecordKind::up) continue;
      bad.states.assign(40, WorkState::finished);
      INFO("record " << i << " (" << name_of(story.records[i].kind) << " at " << story.records[i].time
                     << "), damage " << damage);
      CHECK_FALSE(validate(bad.outcome()).empty());
    }
}

// The decisions of every policy of the catalogue, to the bit: in every build, on every CPU, at any thread
// count.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/results/difference.h"
#include "tests/support/every_policy.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"
#include "tests/support/random_scenario.h"
#include "tests/support/workflows.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr std::uint64_t kSeeds = 3;
constexpr std::uint64_t kWithPrecedence =
    kSeeds + 1;  // the seed of scenarios in which tasks wait for each other

// A line for each policy and seed: `"POLICY",SEED,FINGERPRINT,EVENTS`. EVENTS has a character for each event, made of six
// bits of its hash, so that the first one that differs can be named.
struct Line {
  std::string what, fingerprint, events;  // `what`: policy and seed

  static Line of(const std::string& text) {  // a policy's text has commas of its own
    const std::size_t last = text.rfind(','), before = text.rfind(',', last - 1);
    if (last == std::string::npos || before == std::string::npos) return {text, "", ""};
    return {text.substr(0, before), text.substr(before + 1, last - before - 1), text.substr(last + 1)};
  }
  std::string text() const { return what + "," + fingerprint + "," + events; }
  bool operator==(const Line&) const = default;
};

char character_of(const Record& record) {
  constexpr std::string_view kCharacters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
  Fingerprint hash;
  engine::add_to(hash, record);
  return kCharacters[hash.low % kCharacters.size()];
}

struct CatalogueRun {
  ConfiguredPolicy policy;
  std::uint64_t seed;
};

const std::vector<CatalogueRun>& catalogue_runs() {
  static const std::vector<CatalogueRun> all = [] {
    std::vector<CatalogueRun> runs;
    for (const ConfiguredPolicy& policy : every_policy()) {
      for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) runs.push_back({policy, seed});
      if (policy.config->entry->accepts.tasks) runs.push_back({policy, kWithPrecedence});
    }
    return runs;
  }();
  return all;
}

Outcome run_of(std::size_t i) {  // of line i
  const auto& [policy, seed] = catalogue_runs()[i];
  RunOptions options;
  options.seed = seed;
  std::shared_ptr<Scenario> scenario = random_scenario(seed, policy.config->entry->accepts);
  if (seed == kWithPrecedence) scenario = with_precedence(*scenario, seed);
  Simulation run(scenario, policy.setup(), perfect_estimator(), options);
  run.run();
  return run.outcome();
}

// So many threads simulate at once.
std::vector<Line> lines_of_catalogue(std::size_t threads) {
  const std::vector<CatalogueRun>& runs = catalogue_runs();
  std::vector<Line> lines(runs.size());
  const auto work = [&](std::size_t thread) {
    for (std::size_t i = thread; i < lines.size(); i += threads) {
      const Outcome outcome = run_of(i);
      lines[i].what = "\"" + runs[i].policy.text + "\"," + std::to_string(runs[i].seed);
      lines[i].fingerprint = outcome.full.text();
      for (std::size_t k = 0; k < outcome.trace.size(); ++k)
        lines[i].events += character_of(outcome.trace[k]);
    }
  };
  std::vector<std::thread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
  return lines;
}

std::string event_of_run(std::size_t line, std::size_t event) {
  const Outcome outcome = run_of(line);
  const Record& record = outcome.trace[event];
  return results::text_of(record, *outcome.scenario->platform, *outcome.scenario->workload) +
         " at t = " + std::to_string(record.time);
}

// A few of the lines that differ: policy and seed, and the first event that does, as it is now by event_of(line, event).
// Empty if all lines are the same.
std::string differences(const std::vector<Line>& approved, const std::vector<Line>& now,
                        const std::function<std::string(std::size_t, std::size_t)>& event_of) {
  constexpr std::size_t kMost = 5;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < approved.size(); ++i) known.emplace(approved[i].what, i);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto found = known.find(now[i].what);
    if (found == known.end()) {
      all.push_back(now[i].what + " is not approved; it has " + now[i].fingerprint);
      continue;
    }
    const Line& before = approved[found->second];
    if (before != now[i]) {
      const auto at = std::ranges::mismatch(before.events, now[i].events);
      const auto event = static_cast<std::size_t>(at.in2 - now[i].events.begin());
      std::string text = "line " + std::to_string(found->second + 1) + ": " + now[i].what + " had " +
                         before.fingerprint + " and has " + now[i].fingerprint + ": ";
      if (at.in2 != now[i].events.end())
        text += "event " + std::to_string(event + 1) + " is now " +
                (all.size() < kMost ? event_of(i, event) : "");
      else if (at.in1 != before.events.end())
        text += "it ends after event " + std::to_string(event);
      else
        text += "no event differs as far as can be told; a note may";
      all.push_back(text);
    }
    known.erase(found);
  }
  for (const auto& [what, line] : known)
    all.push_back("line " + std::to_string(line + 1) + ": " + what + " is no longer there");
  if (all.empty() && approved != now) all.push_back("the lines are in another order");
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, all.size()); ++i) text += all[i] + "\n";
  if (all.size() > kMost) text += "and " + std::to_string(all.size() - kMost) + " more\n";
  return text;
}

std::vector<Line> fingerprints_lines_of(std::istream& file) {
  std::vector<Line> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(Line::of(line));
  return lines;
}

}  // namespace

TEST_CASE("fingerprints of the whole catalogue are those that were approved") {
  const std::string path = (source_folder() / "tests/golden/fingerprints.csv").string();
  const std::vector<Line> now = lines_of_catalogue(1);
  if (std::getenv("PERIGEE_APPROVE") != nullptr) {
    std::ofstream file(path);
    for (const Line& line : now) file << line.text() << "\n";
  }
  std::ifstream file(path);
  const std::vector<Line> approved = fingerprints_lines_of(file);
  INFO("where a change is meant: PERIGEE_APPROVE=1 ./dev test -R fingerprints");
  CHECK(differences(approved, now, event_of_run) == "");
  CHECK(differences(approved, lines_of_catalogue(4), event_of_run) == "");
}

TEST_CASE("what differs from approved fingerprints is named, a few lines of it") {
  const auto event_of = [](std::size_t line, std::size_t event) {
    return "the text of " + std::to_string(line) + "." + std::to_string(event);
  };
  const std::vector<Line> approved{{"\"a { x = 1, y = 2 }\",1", "00", "AbCd"},
                                   {"\"a { x = 1, y = 2 }\",2", "01", "xyz"},
                                   {"\"b\",1", "02", ""}};
  CHECK(Line::of(approved[0].text()) == approved[0]);
  CHECK(differences(approved, approved, event_of) == "");
  const auto changed = [&](const Line& line) {
    std::vector<Line> now = approved;
    now[1] = {approved[1].what, line.fingerprint, line.events};
    return differences(approved, now, event_of);
  };
  const std::string begin = "line 2: \"a { x = 1, y = 2 }\",2 had 01 and has ff: ";
  CHECK(changed({"", "ff", "xYz"}) == begin + "event 2 is now the text of 1.1\n");
  CHECK(changed({"", "ff", "xyzz"}) == begin + "event 4 is now the text of 1.3\n");
  CHECK(changed({"", "ff", "xy"}) == begin + "it ends after event 2\n");
  CHECK(changed({"", "ff", "xyz"}) == begin + "no event differs as far as can be told; a note may\n");
  CHECK(differences(approved, {approved[0], approved[1], {"\"c\",1", "03", ""}}, event_of) ==
        "\"c\",1 is not approved; it has 03\nline 3: \"b\",1 is no longer there\n");
  CHECK(differences(approved, {approved[1], approved[0], approved[2]}, event_of) ==
        "the lines are in another order\n");
  std::vector<Line> before, after;
  for (int i = 1; i <= 9; ++i) {
    before.push_back({"\"d\"," + std::to_string(i), "0", "a"});
    after.push_back({"\"d\"," + std::to_string(i), "1", "b"});
  }
  const std::string text = differences(before, after, event_of);
  CHECK(std::count(text.begin(), text.end(), '\n') == 6);
  CHECK(text.ends_with("and 4 more\n"));
}

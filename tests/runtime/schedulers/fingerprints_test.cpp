// The decisions of every policy of the catalogue, to the bit: in every build, on every CPU, at any thread
// count.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/every_policy.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// A line for each policy and seed, `"POLICY",SEED,FINGERPRINT`. So many threads simulate at once.
std::vector<std::string> fingerprints(std::size_t threads) {
  const std::vector<ConfiguredPolicy> policies = every_policy();
  constexpr std::size_t kSeeds = 3;
  std::vector<std::string> lines(policies.size() * kSeeds);
  const auto work = [&](std::size_t thread) {
    for (std::size_t i = thread; i < lines.size(); i += threads) {
      const ConfiguredPolicy& policy = policies[i / kSeeds];
      RunOptions options;
      options.seed = i % kSeeds + 1;
      Simulation run(random_scenario(options.seed, policy.config->entry->accepts), policy.setup(),
                     perfect_estimator(), options);
      run.run();
      lines[i] = "\"" + policy.text + "\"," + std::to_string(options.seed) + "," + run.outcome().full.text();
    }
  };
  std::vector<std::thread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
  return lines;
}

// A few of the lines that differ: policy and seed, the approved fingerprint and the present one. Empty if all
// lines are the same.
std::string differences(const std::vector<std::string>& approved, const std::vector<std::string>& now) {
  constexpr std::size_t kMost = 5;
  const auto split = [](const std::string& line) {  // a policy's text has commas of its own
    const std::size_t last = line.rfind(',');
    return std::pair(line.substr(0, last), last == std::string::npos ? "" : line.substr(last + 1));
  };
  std::map<std::string, std::pair<std::size_t, std::string>> known;  // line number and fingerprint
  for (std::size_t i = 0; i < approved.size(); ++i)
    known.emplace(split(approved[i]).first, std::pair(i + 1, split(approved[i]).second));
  std::vector<std::string> all;
  for (const std::string& line : now) {
    const auto [what, fingerprint] = split(line);
    const auto found = known.find(what);
    if (found == known.end()) {
      all.push_back(what + " is not approved; it has " + fingerprint);
      continue;
    }
    const auto& [number, before] = found->second;
    if (before != fingerprint)
      all.push_back("line " + std::to_string(number) + ": " + what + " had " + before + " and has " +
                    fingerprint);
    known.erase(found);
  }
  for (const auto& [what, line] : known)
    all.push_back("line " + std::to_string(line.first) + ": " + what + " is no longer there");
  if (all.empty() && approved != now) all.push_back("the lines are in another order");
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, all.size()); ++i) text += all[i] + "\n";
  if (all.size() > kMost) text += "and " + std::to_string(all.size() - kMost) + " more\n";
  return text;
}

std::vector<std::string> fingerprints_lines_of(std::istream& file) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("fingerprints of the whole catalogue are those that were approved") {
  const std::string path = (source_folder() / "tests/golden/fingerprints.csv").string();
  const std::vector<std::string> now = fingerprints(1);
  if (std::getenv("PERIGEE_APPROVE") != nullptr) {
    std::ofstream file(path);
    for (const std::string& line : now) file << line << "\n";
  }
  std::ifstream file(path);
  const std::vector<std::string> approved = fingerprints_lines_of(file);
  CHECK(differences(approved, now) == "");
  CHECK(differences(approved, fingerprints(4)) == "");
}

TEST_CASE("what differs from approved fingerprints is named, a few lines of it") {
  const std::vector<std::string> approved{"\"a { x = 1, y = 2 }\",1,00", "\"a { x = 1, y = 2 }\",2,01",
                                          "\"b\",1,02"};
  CHECK(differences(approved, approved) == "");
  std::vector<std::string> now = approved;
  now[1] = "\"a { x = 1, y = 2 }\",2,ff";
  CHECK(differences(approved, now) == "line 2: \"a { x = 1, y = 2 }\",2 had 01 and has ff\n");
  now = {approved[0], approved[1], "\"c\",1,03"};
  CHECK(differences(approved, now) ==
        "\"c\",1 is not approved; it has 03\nline 3: \"b\",1 is no longer there\n");
  CHECK(differences(approved, {approved[1], approved[0], approved[2]}) == "the lines are in another order\n");
  std::vector<std::string> before, after;
  for (int i = 1; i <= 9; ++i) {
    before.push_back("\"d\"," + std::to_string(i) + ",0");
    after.push_back("\"d\"," + std::to_string(i) + ",1");
  }
  const std::string text = differences(before, after);
  CHECK(std::count(text.begin(), text.end(), '\n') == 6);
  CHECK(text.ends_with("and 4 more\n"));
}

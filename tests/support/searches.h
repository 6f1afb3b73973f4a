// Searches for the case of the highest score, driven as a duel does.
#pragma once

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/schedulers/catalogue.h"
#include "runtime/space/search.h"
#include "tests/support/layers.h"

namespace perigee::test {

inline std::unique_ptr<space::CaseSearch> search_of(const std::string& name,
                                                    const std::map<std::string, Value>& given = {}) {
  return Catalogue().configure(name, given)->make_search();
}
// A search at the beginning of a try.
inline std::unique_ptr<space::CaseSearch> begun(const std::string& name,
                                                const std::map<std::string, Value>& given,
                                                const space::Space& space, std::uint64_t evaluations,
                                                std::uint64_t seed, std::size_t nth = 0, std::size_t of = 1) {
  std::unique_ptr<space::CaseSearch> search = search_of(name, given);
  search->begin(space, {evaluations, nth, of, Stream(seed, "test").sub(nth)});
  return search;
}

// The cases that a search has asked for, and their scores.
struct Asked {
  std::vector<space::Datum> cases;
  std::vector<double> scores;

  bool operator==(const Asked& other) const {  // NaN equals itself
    return cases == other.cases && std::ranges::equal(scores, other.scores, {}, bits, bits);
  }
  static std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
};

// Asks, at most `most` at a time, and tells, until nothing is asked for or `rounds` are over.
template <class Score>
Asked drive(space::CaseSearch& search, Score score, std::size_t most = 1000,
            std::size_t rounds = static_cast<std::size_t>(-1)) {
  Asked asked;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::vector<space::Datum> cases = search.ask(most);
    if (cases.empty()) break;
    REQUIRE(cases.size() <= most);
    std::vector<double> scores;
    for (const space::Datum& each : cases) scores.push_back(score(each));
    search.tell(scores);
    asked.cases.insert(asked.cases.end(), cases.begin(), cases.end());
    asked.scores.insert(asked.scores.end(), scores.begin(), scores.end());
  }
  return asked;
}

}  // namespace perigee::test

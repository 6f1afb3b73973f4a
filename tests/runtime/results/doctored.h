// Traces that a test has damaged, and what the validator says of them.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/results/validator.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

namespace perigee::test {

using Lines = std::vector<std::string>;

// True if some line contains the whole text.
inline bool validator_says(const Lines& lines, const std::string& text) {
  for (const std::string& line : lines)
    if (line.find(text) != std::string::npos) return true;
  return false;
}

struct Doctored {
  std::string text;  // the validator must say this
  std::function<void(Story&)> damage;
};

inline void check_all(const Story& valid, const std::vector<Doctored>& all) {
  REQUIRE(validate(valid.outcome()) == Lines{});
  for (const Doctored& each : all) {
    Story story = valid;
    each.damage(story);
    const Lines lines = validate(story.outcome());
    INFO("expected: " << each.text);
    for (const std::string& line : lines) UNSCOPED_INFO(line);
    CHECK(validator_says(lines, each.text));
  }
}

// The n-th record, from 0, of a kind of an activity or work.
inline Record& record(Story& story, RecordKind kind, std::uint32_t serial, std::size_t which = 0) {
  for (Record& r : story.records)
    if (r.kind == kind && r.activity == serial && which-- == 0) return r;
  throw std::logic_error("no such record");
}
inline Record& work_record(Story& story, RecordKind kind, std::uint32_t work) {
  for (Record& r : story.records)
    if (r.kind == kind && r.work == WorkId(work) && r.activity == 0) return r;
  throw std::logic_error("no such record");
}
inline void erase(Story& story, const Record& r) {
  story.records.erase(story.records.begin() + (&r - story.records.data()));
}

// Moves an activity and everything that follows from it, later or earlier.
inline void shift(Story& story, std::uint32_t serial, double by) {
  for (Record& r : story.records)
    if (r.activity == serial) r.time += by;
}

inline ResourceId the_host(std::uint32_t h) { return ResourceId::of(HostId(h)); }
inline ResourceId link(std::uint32_t l) { return ResourceId::of(LinkId(l)); }

inline constexpr auto kStarted = RecordKind::started;
inline constexpr auto kEnded = RecordKind::ended;

}  // namespace perigee::test

// The candidates of a choice and their scores, for explanations.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "runtime/layers.h"

namespace perigee::kernel {

enum class Prefer : std::uint8_t { neither, smallest, largest };

struct Comparison {
  struct Candidate {
    std::uint32_t index = 0;                                  // of a task, machine, work or host
    double score = std::numeric_limits<double>::quiet_NaN();  // NaN: it has none
    bool open = true;  // it could have been chosen; else `note` says why not
    std::string note = {};
  };
  std::string score = {};  // the measure compared, with its unit: "completion, s"; empty: none
  Prefer better = Prefer::neither;
  std::string ties = {};  // the rule between equals
  std::vector<Candidate> candidates = {};

  const Candidate* find(std::uint32_t index) const {
    for (const Candidate& candidate : candidates)
      if (candidate.index == index) return &candidate;
    return nullptr;
  }
};

}  // namespace perigee::kernel

// A decision in words and tables.
#pragma once

#include <string>

#include "runtime/engine/why.h"
#include "runtime/results/table.h"

namespace perigee::results {

// Rows of `name` ("work" or "host"), score, open (true or false) and note.
Table candidates(const Comparison& comparison, bool of_hosts, const Platform& platform,
                 const Workload& workload);

// "first sentence", then the tables of hosts and works, with at most so many rows each (the chosen one and
// the best are among them), and what decided; lines ended by "\n".
std::string text_of(const Decision& decision, const Platform& platform, const Workload& workload,
                    std::size_t most = 20);

// What decided between the chosen candidate and the rest: "the smallest completion; fast.2 has the same:
// lowest machine index". Empty when nothing was compared.
std::string what_decided(const Comparison& comparison, std::uint32_t chosen, bool of_hosts,
                         const Platform& platform, const Workload& workload);

// Why it is not that host, in a sentence.
std::string why_not(const Decision& decision, HostId host, const Platform& platform,
                    const Workload& workload);

}  // namespace perigee::results

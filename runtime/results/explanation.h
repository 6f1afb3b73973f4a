// A decision in words and tables.
#pragma once

#include <string>
#include <string_view>

#include "runtime/engine/why.h"
#include "runtime/results/table.h"

namespace perigee::results {

// The names of its hosts; empty if it has none.
std::string hosts_text(const Decision& decision, const Platform& platform, std::string_view separator);

// Rows of `name` ("work" or "host"), score, open (true or false) and note.
Table candidates(const Comparison& comparison, bool of_hosts, const Platform& platform,
                 const Workload& workload);

// A first sentence, then the tables of hosts and works, and the reason that decided. A table has at most
// `most` rows; the chosen candidate and the best are among them. Lines end with "\n".
std::string text_of(const Decision& decision, const Platform& platform, const Workload& workload,
                    std::size_t most = 20);

// The reason for the chosen candidate against the rest: "the smallest completion; fast.2 has the same: lowest
// machine index". Empty if nothing was compared.
std::string what_decided(const Comparison& comparison, std::uint32_t chosen, bool of_hosts,
                         const Platform& platform, const Workload& workload);

// Why the decision was not for that host, in a sentence.
std::string why_not(const Decision& decision, HostId host, const Platform& platform,
                    const Workload& workload);

}  // namespace perigee::results

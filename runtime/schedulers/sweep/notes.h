// Names of the notes about which sweep_warnings() warns.
#pragma once

#include <string_view>

namespace perigee::sweep {

inline constexpr std::string_view kRoundsExceedRuns = "rounds_exceed_runs";  // rounds, runs
inline constexpr std::string_view kUndercovers = "m_undercovers";            // m, the largest that covers all
inline constexpr std::string_view kFitFallback = "fit_fallback";             // no values

}  // namespace perigee::sweep
